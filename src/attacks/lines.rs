//! Points between two points of a line, and the lines through a point.

use crate::types::{Bitboard, SQUARES, Square};

static BETWEEN: [[u128; SQUARES]; SQUARES] = {
    let mut t = [[0; SQUARES]; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let mut b = 0;
        while b < a {
            let step = if a / 9 == b / 9 {
                1
            } else if a % 9 == b % 9 {
                9
            } else {
                0
            };
            if step != 0 {
                let mut s = b + step;
                while s < a {
                    t[a][b] |= 1 << s;
                    s += step;
                }
                t[b][a] = t[a][b];
            }
            b += 1;
        }
        a += 1;
    }
    t
};

static CROSS: [u128; SQUARES] = {
    let mut t = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        t[s] = (Bitboard::file(s % 9).0 | Bitboard::rank(s / 9).0) & !(1 << s);
        s += 1;
    }
    t
};

/// The points strictly between two points of one file or rank; none for other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The file and the rank through a point, without the point.
#[inline(always)]
pub fn cross(s: Square) -> Bitboard {
    Bitboard(CROSS[s.index()])
}

/// Points whose emptying can open an attack on a point: its file and rank, and its diagonal
/// neighbours, which are the legs of the horses that attack it.
static OPENERS: [u128; SQUARES] = {
    let mut t = CROSS;
    let mut s = 0;
    while s < SQUARES {
        let (f, r) = ((s % 9) as i32, (s / 9) as i32);
        let mut i = 0;
        while i < 4 {
            let (df, dr) = [(-1, -1), (1, -1), (-1, 1), (1, 1)][i];
            if let Some(n) = Square::from_file_rank(f + df, r + dr) {
                t[s] |= 1 << n.index();
            }
            i += 1;
        }
        s += 1;
    }
    t
};

/// The points on which a change can open or close an attack on this one: its file and rank, and
/// the four beside it diagonally.
#[inline(always)]
pub fn openers(s: Square) -> Bitboard {
    Bitboard(OPENERS[s.index()])
}

/// Whether a move between these points can bring about an attack on `target`: it starts or ends
/// on its file or rank, leaves a horse's leg, or ends a horse's jump away. A quick no; a yes says
/// nothing.
#[inline(always)]
pub fn may_attack(target: Square, from: Square, to: Square) -> bool {
    let end = cross(target) | super::knight_near(target);
    openers(target).has(from) || end.has(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_is_symmetric_and_open() {
        for a in Square::all() {
            for b in Square::all() {
                let expected: Bitboard = Square::all()
                    .filter(|s| {
                        let inside = |x: usize, y: usize, z: usize| (x < y) != (y >= z) && y != x;
                        (a.file() == b.file()
                            && s.file() == a.file()
                            && a.rank().min(b.rank()) < s.rank()
                            && s.rank() < a.rank().max(b.rank()))
                            || (a.rank() == b.rank()
                                && s.rank() == a.rank()
                                && inside(a.file().min(b.file()), s.file(), a.file().max(b.file()))
                                && s.file() > a.file().min(b.file()))
                    })
                    .collect();
                assert_eq!(between(a, b), expected, "{a}{b}");
            }
            assert_eq!(cross(a).count(), 17);
        }
    }
}
