//! Small tools that several modules share: a generator with a fixed algorithm, checksums, and
//! journals of JSON lines. Imports nothing of the crate.

mod crc32;
#[cfg(feature = "tools")]
pub(crate) mod journal;
mod prng;

pub use crc32::crc32;
pub use prng::SplitMix;
