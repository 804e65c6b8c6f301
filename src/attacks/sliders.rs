//! Rook and cannon by line tables: nine bits of a rank or ten of a file are an index; the entry
//! holds the points a rook reaches (up to and with the first piece) and those a cannon takes
//! (the first piece behind one screen). Small tables stay in the nearest caches, where the
//! magic tables usual for a 90-point board (17 MB each) do not.

use crate::types::{Bitboard, Square};

/// Rook and cannon reach along one line, as bits of the line.
type Line = (u16, u16);

/// Reach from `at` on a line of `len` points, from which `occupied` are taken.
const fn line(at: usize, occupied: usize, len: usize) -> Line {
    let (mut rook, mut cannon) = (0u16, 0u16);
    let mut direction = 0;
    while direction < 2 {
        let mut screens = 0;
        let mut i = at as i32;
        loop {
            i += if direction == 0 { 1 } else { -1 };
            if i < 0 || i >= len as i32 || screens == 2 {
                break;
            }
            if screens == 0 {
                rook |= 1 << i;
            }
            if occupied >> i & 1 != 0 {
                screens += 1;
                if screens == 2 {
                    cannon |= 1 << i;
                }
            }
        }
        direction += 1;
    }
    (rook, cannon)
}

#[allow(long_running_const_eval)] // a few thousand short loops, once per build
static RANK: [[Line; 512]; 9] = {
    let mut t = [[(0, 0); 512]; 9];
    let mut at = 0;
    while at < 9 {
        let mut occ = 0;
        while occ < 512 {
            t[at][occ] = line(at, occ, 9);
            occ += 1;
        }
        at += 1;
    }
    t
};

#[allow(long_running_const_eval)]
static FILE: [[Line; 1024]; 10] = {
    let mut t = [[(0, 0); 1024]; 10];
    let mut at = 0;
    while at < 10 {
        let mut occ = 0;
        while occ < 1024 {
            t[at][occ] = line(at, occ, 10);
            occ += 1;
        }
        at += 1;
    }
    t
};

/// Ten bits spread over file a.
static SPREAD: [u128; 1024] = {
    let mut t = [0; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let mut i = 0;
        while i < 10 {
            if bits >> i & 1 != 0 {
                t[bits] |= 1 << (9 * i);
            }
            i += 1;
        }
        bits += 1;
    }
    t
};

/// The ten points of file a as an index: eight by one multiplication, which brings the bits 9·i
/// of the low word to the top byte, two by shifts.
#[inline(always)]
const fn gather(file_a: u128) -> usize {
    let lo = file_a as u64 & 0x8040_2010_0804_0201;
    let hi = (file_a >> 64) as u64;
    let low_byte = lo.wrapping_mul(0x0101_0101_0101_0101) >> 56;
    (low_byte | (hi & 0x100) | (hi >> 8 & 0x200)) as usize
}

/// Where a rook on `s` reaches and what a cannon on `s` can take, without regard to colours: the
/// first piece on each line (and the empty points before it), and the first piece behind it.
#[inline(always)]
pub fn rook_and_cannon(s: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let (file, rank) = (s.file(), s.rank());
    let shift = 9 * rank;
    let on_rank = RANK[file][(occupied.0 >> shift) as usize & 0x1ff];
    let on_file = FILE[rank][gather(occupied.0 >> file)];
    (
        Bitboard(u128::from(on_rank.0) << shift | SPREAD[on_file.0 as usize] << file),
        Bitboard(u128::from(on_rank.1) << shift | SPREAD[on_file.1 as usize] << file),
    )
}

/// Where a rook on `s` reaches: empty points and the first piece on each of its four lines.
#[inline(always)]
pub fn rook(s: Square, occupied: Bitboard) -> Bitboard {
    rook_and_cannon(s, occupied).0
}

/// What a cannon on `s` can take: the first piece behind one screen on each line.
#[inline(always)]
pub fn cannon(s: Square, occupied: Bitboard) -> Bitboard {
    rook_and_cannon(s, occupied).1
}

/// All a cannon on `s` can do: empty points before the first piece, and what it takes.
#[inline(always)]
pub fn cannon_targets(s: Square, occupied: Bitboard) -> Bitboard {
    let (rook, cannon) = rook_and_cannon(s, occupied);
    rook & !occupied | cannon
}

/// Occupations for comparing tables with slow versions: dense, sparse, empty and full ones.
#[cfg(test)]
pub(super) fn test_occupancies() -> Vec<Bitboard> {
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    let mut rng = StdRng::seed_from_u64(90);
    let mut word = || Bitboard(rng.random::<u128>() & Bitboard::ALL.0);
    let mut all = vec![Bitboard::EMPTY, Bitboard::ALL];
    for _ in 0..60 {
        let (a, b, c) = (word(), word(), word());
        all.extend([a, a & b, a & b & c, a | b]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rook_and_cannon_match_the_slow_version() {
        for occ in test_occupancies() {
            for s in Square::all() {
                let (mut rook_set, mut cannon_set) = (Bitboard::EMPTY, Bitboard::EMPTY);
                for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let (mut f, mut r, mut seen) = (s.file() as i32, s.rank() as i32, 0);
                    loop {
                        (f, r) = (f + df, r + dr);
                        let Some(to) = Square::from_file_rank(f, r) else {
                            break;
                        };
                        match (seen, occ.has(to)) {
                            (0, taken) => {
                                rook_set = rook_set.with(to);
                                seen += u32::from(taken);
                            }
                            (1, true) => {
                                cannon_set = cannon_set.with(to);
                                break;
                            }
                            _ => {}
                        }
                    }
                }
                assert_eq!(rook(s, occ), rook_set, "{s} {occ:?}");
                assert_eq!(cannon(s, occ), cannon_set, "{s} {occ:?}");
                assert_eq!(cannon_targets(s, occ), rook_set & !occ | cannon_set);
            }
        }
    }
}
