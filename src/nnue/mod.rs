//! Evaluation by a small neural network, in whole numbers from the board to the score, so that
//! every machine finds the same.
//!
//! The pieces on their points, seen by either side ([`features`]), switch on columns of the first
//! layer, whose sums ([`Accumulators`]) follow the moves instead of being added up anew; a second
//! layer, chosen by the number of pieces, makes a score of the two sums. [`Network`] is the file
//! of all weights. How networks are made: docs/network.md. Imports `position`, `attacks` (where
//! pieces can stand), `types`, `util`.

mod accumulator;
pub mod features;
mod kernels;
mod network;

pub use accumulator::Accumulators;
pub use kernels::Level;
pub use network::{BUCKETS, Block, LANES, Network, NetworkError, Parts, QA, QB, bucket, bucket_of};
