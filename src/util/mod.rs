//! Small tools that several modules share: a generator with a fixed algorithm, and journals of
//! JSON lines. Imports nothing of the crate.

#[cfg(feature = "tools")]
pub(crate) mod journal;
mod prng;

pub use prng::SplitMix;
