//! Training of networks on self-play games: samples from files, a sparse gradient over the
//! features that are on, AdamW, whole numbers at the end. The same seed, files and number of
//! threads give the same network each time. Imports `dataset`, `nnue` (features, file),
//! `position`, `types`, `util`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod checkpoint;
mod curve;
mod kernels;
mod model;
mod optimiser;
mod quantise;
mod samples;
mod trainer;

pub use checkpoint::CheckpointError;
pub use curve::{Epoch, svg as curve_svg};
pub use model::Model;
pub use quantise::{QuantReport, quantise};
pub use samples::{Samples, Sampling, fit_scale, load};
pub use trainer::{Config, Observer, Trainer};
