//! Small things without a subject of their own. Imports nothing of the crate.

mod crc32;
mod prng;

pub use crc32::crc32;
pub use prng::SplitMix;
