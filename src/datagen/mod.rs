//! Self-play games for the training of networks: one engine thread a game, few nodes a move,
//! varied starts, the arbiter watching. Game `k` of a seed is the same on every machine, whatever
//! the number of threads and the shard. Imports `search`, `rules`, `dataset`, `position`,
//! `types`, `util`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod generate;
mod opening;
mod plan;
mod player;
mod tools;

pub use crate::dataset::Resumed;
pub use generate::{GenerateError, Observer, generate};
pub use opening::Line;
pub use plan::Plan;
pub use tools::{Filter, SCORE_CLASSES, Sifted, Stats, filter, merge, shuffle};
