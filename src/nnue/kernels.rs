//! The same arithmetic compiled for several kinds of processors; which is used is asked once and
//! decided once an evaluation.
//!
//! The code is written once, in a shape that compilers turn into vector instructions (looked up
//! in the assembly: AVX2 and AVX-512 multiply with `vpmaddwd`, as code written by hand would).

use super::accumulator::Accumulators;
use super::network::{Block, LANES, Network, QA};
use crate::position::Position;
use std::fmt;
use std::str::FromStr;

/// What the processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every processor of the target has (SSE2 on x86-64).
    Scalar,
    /// AVX2: 256 bits at a time.
    Avx2,
    /// AVX-512 F and BW: 512 bits at a time.
    Avx512,
    /// NEON, which every 64-bit ARM has.
    Neon,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 4] = [Level::Scalar, Level::Avx2, Level::Avx512, Level::Neon];

    /// The best level of this processor.
    pub fn detect() -> Level {
        let best_first = [Level::Avx512, Level::Avx2, Level::Neon];
        let found = best_first.into_iter().find(|l| l.is_available());
        found.unwrap_or(Level::Scalar)
    }

    /// Whether this processor can do it.
    pub fn is_available(self) -> bool {
        match self {
            Level::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            Level::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Its name: `scalar`, `avx2`, `avx512`, `neon`.
    pub fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
            Level::Neon => "neon",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Level, &'static str> {
        let found = Level::ALL.into_iter().find(|l| l.name() == text);
        found.ok_or("scalar, avx2, avx512 or neon is needed")
    }
}

/// The network's output in centipawns, at the network's level.
pub(super) fn evaluate(a: &mut Accumulators, net: &Network, p: &Position) -> i32 {
    match net.level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a network has a level only if the processor has it.
        Level::Avx2 => unsafe { evaluate_avx2(a, net, p) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Level::Avx512 => unsafe { evaluate_avx512(a, net, p) },
        _ => a.evaluate_here(net, p),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn evaluate_avx2(a: &mut Accumulators, net: &Network, p: &Position) -> i32 {
    a.evaluate_here(net, p)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2,popcnt,bmi1")]
fn evaluate_avx512(a: &mut Accumulators, net: &Network, p: &Position) -> i32 {
    a.evaluate_here(net, p)
}

// Blocks are summed into a fresh array: what the compiler sees to be apart from its sources it
// turns into vector instructions.

/// `to += column`.
#[inline(always)]
pub(super) fn add(to: &mut [Block], column: &[Block]) {
    change(to, column, i16::wrapping_add);
}

/// `to -= column`.
#[inline(always)]
pub(super) fn subtract(to: &mut [Block], column: &[Block]) {
    change(to, column, i16::wrapping_sub);
}

#[inline(always)]
fn change(to: &mut [Block], column: &[Block], by: impl Fn(i16, i16) -> i16) {
    for (t, c) in to.iter_mut().zip(column) {
        let (before, c) = (t.0, &c.0);
        let mut sum = [0; LANES];
        for i in 0..LANES {
            sum[i] = by(before[i], c[i]);
        }
        t.0 = sum;
    }
}

/// `to = from + on - off`.
#[inline(always)]
pub(super) fn moved(to: &mut [Block], from: &[Block], on: &[Block], off: &[Block]) {
    for (((t, f), on), off) in to.iter_mut().zip(from).zip(on).zip(off) {
        let (f, on, off) = (&f.0, &on.0, &off.0);
        let mut sum = [0; LANES];
        for i in 0..LANES {
            sum[i] = f[i].wrapping_add(on[i]).wrapping_sub(off[i]);
        }
        t.0 = sum;
    }
}

/// `to = from + on - off - taken`.
#[inline(always)]
pub(super) fn taken(
    to: &mut [Block],
    from: &[Block],
    on: &[Block],
    off: &[Block],
    taken: &[Block],
) {
    let rows = to.iter_mut().zip(from).zip(on).zip(off).zip(taken);
    for ((((t, f), on), off), taken) in rows {
        let (f, on, off, taken) = (&f.0, &on.0, &off.0, &taken.0);
        let mut sum = [0; LANES];
        for i in 0..LANES {
            let after = f[i].wrapping_add(on[i]).wrapping_sub(off[i]);
            sum[i] = after.wrapping_sub(taken[i]);
        }
        t.0 = sum;
    }
}

/// Half of the second layer: the sum of `w · clamp(x, 0, QA)²`.
#[inline(always)]
pub(super) fn half(sums: &[Block], weights: &[Block]) -> i32 {
    let mut lanes = [0i32; LANES];
    for (x, w) in sums.iter().zip(weights) {
        for ((lane, x), w) in lanes.iter_mut().zip(&x.0).zip(&w.0) {
            let v = (*x).clamp(0, QA as i16);
            // Fits 16 bits: the network was refused otherwise.
            let vw = v.wrapping_mul(*w);
            *lane = lane.wrapping_add(i32::from(vw).wrapping_mul(i32::from(v)));
        }
    }
    lanes.iter().fold(0, |sum, &x| sum.wrapping_add(x))
}
