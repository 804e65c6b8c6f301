//! King, advisor, elephant (blocked eye), horse (blocked leg), pawn, and their inverses.
//!
//! Horse and elephant moves depend on four neighbours each, so a table of sixteen sets a point
//! answers both the move and, with the diagonal neighbours, the inverse of the horse.

use crate::types::{Bitboard, Color, PieceType, SQUARES, Square};

type Set = u128;

const fn bit(file: i32, rank: i32) -> Set {
    match Square::from_file_rank(file, rank) {
        Some(s) => 1 << s.index(),
        None => 0,
    }
}

const ORTHOGONAL: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Points of both palaces.
const PALACES: Set = {
    let mut b = 0;
    let mut f = 3;
    while f <= 5 {
        let mut r = 0;
        while r <= 2 {
            b |= bit(f, r) | bit(f, 9 - r);
            r += 1;
        }
        f += 1;
    }
    b
};

/// Points an advisor can stand on, both sides.
const ADVISOR_POINTS: Set = bit(3, 0)
    | bit(5, 0)
    | bit(4, 1)
    | bit(3, 2)
    | bit(5, 2)
    | bit(3, 9)
    | bit(5, 9)
    | bit(4, 8)
    | bit(3, 7)
    | bit(5, 7);

/// Points an elephant can stand on, both sides.
const BISHOP_POINTS: Set = bit(2, 0)
    | bit(6, 0)
    | bit(0, 2)
    | bit(4, 2)
    | bit(8, 2)
    | bit(2, 4)
    | bit(6, 4)
    | bit(2, 9)
    | bit(6, 9)
    | bit(0, 7)
    | bit(4, 7)
    | bit(8, 7)
    | bit(2, 5)
    | bit(6, 5);

/// Steps inside `mask`; none from a point outside, so that the sets are their own inverses.
const fn steps(s: usize, deltas: &[(i32, i32); 4], mask: Set) -> Set {
    if mask >> s & 1 == 0 {
        return 0;
    }
    let (f, r) = ((s % 9) as i32, (s / 9) as i32);
    let mut b = 0;
    let mut i = 0;
    while i < 4 {
        b |= bit(f + deltas[i].0, r + deltas[i].1);
        i += 1;
    }
    b & mask
}

static KING: [Set; SQUARES] = {
    let mut t = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        t[s] = steps(s, &ORTHOGONAL, PALACES);
        s += 1;
    }
    t
};

static ADVISOR: [Set; SQUARES] = {
    let mut t = [0; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        t[s] = steps(s, &DIAGONAL, ADVISOR_POINTS);
        s += 1;
    }
    t
};

const fn pawn_set(s: usize, red: bool) -> Set {
    let (f, r) = ((s % 9) as i32, (s / 9) as i32);
    let forward = if red { 1 } else { -1 };
    let crossed = if red { r >= 5 } else { r <= 4 };
    let side = if crossed {
        bit(f - 1, r) | bit(f + 1, r)
    } else {
        0
    };
    bit(f, r + forward) | side
}

static PAWN: [[Set; SQUARES]; 2] = {
    let mut t = [[0; SQUARES]; 2];
    let mut s = 0;
    while s < SQUARES {
        t[0][s] = pawn_set(s, true);
        t[1][s] = pawn_set(s, false);
        s += 1;
    }
    t
};

/// `PAWN_TO[c][s]`: where a pawn of colour `c` can stand to attack `s`.
static PAWN_TO: [[Set; SQUARES]; 2] = {
    let mut t = [[0; SQUARES]; 2];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            if pawn_set(from, true) >> to & 1 != 0 {
                t[0][to] |= 1 << from;
            }
            if pawn_set(from, false) >> to & 1 != 0 {
                t[1][to] |= 1 << from;
            }
            to += 1;
        }
        from += 1;
    }
    t
};

/// Elephant moves by the occupation of the four eyes, in the order of [`DIAGONAL`].
static BISHOP: [[Set; 16]; SQUARES] = {
    let mut t = [[0; 16]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let (f, r) = ((s % 9) as i32, (s / 9) as i32);
        // Never over the river.
        let half = if r <= 4 {
            Bitboard::RED_HALF.0
        } else {
            Bitboard::BLACK_HALF.0
        };
        let mut pattern = 0;
        while pattern < 16 {
            let mut i = 0;
            while i < 4 {
                if pattern >> i & 1 == 0 {
                    let (df, dr) = DIAGONAL[i];
                    t[s][pattern] |= bit(f + 2 * df, r + 2 * dr) & half & BISHOP_POINTS;
                }
                i += 1;
            }
            pattern += 1;
        }
        s += 1;
    }
    t
};

/// Horse moves by the occupation of the four legs, in the order of [`ORTHOGONAL`].
static KNIGHT: [[Set; 16]; SQUARES] = {
    let mut t = [[0; 16]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let (f, r) = ((s % 9) as i32, (s / 9) as i32);
        let mut pattern = 0;
        while pattern < 16 {
            let mut i = 0;
            while i < 4 {
                if pattern >> i & 1 == 0 {
                    let (df, dr) = ORTHOGONAL[i];
                    t[s][pattern] |= bit(f + 2 * df + dr, r + 2 * dr + df)
                        | bit(f + 2 * df - dr, r + 2 * dr - df);
                }
                i += 1;
            }
            pattern += 1;
        }
        s += 1;
    }
    t
};

/// Where a horse can stand to attack the point: its leg is a diagonal neighbour of the target,
/// in the order of [`DIAGONAL`].
static KNIGHT_TO: [[Set; 16]; SQUARES] = {
    let mut t = [[0; 16]; SQUARES];
    let mut s = 0;
    while s < SQUARES {
        let (f, r) = ((s % 9) as i32, (s / 9) as i32);
        let mut pattern = 0;
        while pattern < 16 {
            let mut i = 0;
            while i < 4 {
                if pattern >> i & 1 == 0 {
                    let (df, dr) = DIAGONAL[i];
                    // The leg lies beside the horse: (1, 2) away by rank or (2, 1) by file.
                    t[s][pattern] |= bit(f + df, r + 2 * dr) | bit(f + 2 * df, r + dr);
                }
                i += 1;
            }
            pattern += 1;
        }
        s += 1;
    }
    t
};

/// Occupation of the four orthogonal neighbours as an index. A neighbour off the board may read
/// any bit: its moves do not exist, and all entries that differ in it are alike.
#[inline(always)]
const fn legs(s: usize, occupied: Set) -> usize {
    let x = ((occupied << 9) >> s) as u32;
    ((x & 1) | (x >> 7 & 2) | (x >> 8 & 4) | (x >> 15 & 8)) as usize
}

/// Occupation of the four diagonal neighbours as an index.
#[inline(always)]
const fn eyes(s: usize, occupied: Set) -> usize {
    let x = ((occupied << 10) >> s) as u32;
    ((x & 1) | (x >> 1 & 2) | (x >> 16 & 4) | (x >> 17 & 8)) as usize
}

/// Where a king moves: one step inside its palace.
#[inline(always)]
pub fn king(s: Square) -> Bitboard {
    Bitboard(KING[s.index()])
}

/// Where an advisor moves: one diagonal step on the five points of its palace.
#[inline(always)]
pub fn advisor(s: Square) -> Bitboard {
    Bitboard(ADVISOR[s.index()])
}

/// Where an elephant moves: two diagonal steps on its own half, the eye between being empty.
#[inline(always)]
pub fn bishop(s: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(BISHOP[s.index()][eyes(s.index(), occupied.0)])
}

/// Where a horse moves: one orthogonal step, which must be empty (the leg), then one diagonal.
#[inline(always)]
pub fn knight(s: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(KNIGHT[s.index()][legs(s.index(), occupied.0)])
}

/// Where a horse can stand to attack `s`. Not the same as [`knight`]: the leg lies beside the
/// horse, so attacks are not mutual.
#[inline(always)]
pub fn knight_to(s: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(KNIGHT_TO[s.index()][eyes(s.index(), occupied.0)])
}

/// The points a horse's jump from or to `s`, legs being free.
#[inline(always)]
pub fn knight_near(s: Square) -> Bitboard {
    Bitboard(KNIGHT_TO[s.index()][0])
}

/// The leg of the horse move `from` → `to`, which must be a horse's jump apart.
#[inline(always)]
pub fn knight_leg(from: Square, to: Square) -> Square {
    let (f, t) = (from.index() as i32, to.index() as i32);
    let step = match t - f {
        17 | 19 => 9,
        -17 | -19 => -9,
        11 | -7 => 1,
        _ => -1,
    };
    Square::new((f + step) as usize)
}

/// Where a pawn of this colour moves and takes: forward, beyond the river also sideways.
#[inline(always)]
pub fn pawn(color: Color, s: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][s.index()])
}

/// Where any of these pawns of this colour moves: the union of [`pawn`] over the set.
#[inline(always)]
pub fn pawns(color: Color, set: Bitboard) -> Bitboard {
    const NOT_A: u128 = Bitboard::ALL.0 & !Bitboard::file(0).0;
    const NOT_I: u128 = Bitboard::ALL.0 & !Bitboard::file(8).0;
    let (ahead, over) = match color {
        Color::Red => (set.0 << 9 & Bitboard::ALL.0, set.0 & Bitboard::BLACK_HALF.0),
        Color::Black => (set.0 >> 9, set.0 & Bitboard::RED_HALF.0),
    };
    Bitboard(ahead | over << 1 & NOT_A | over >> 1 & NOT_I)
}

/// Where a pawn of this colour can stand to attack `s`.
#[inline(always)]
pub fn pawn_to(color: Color, s: Square) -> Bitboard {
    Bitboard(PAWN_TO[color.index()][s.index()])
}

/// The points elephants can stand on, both sides.
pub const fn bishop_points() -> Bitboard {
    Bitboard(BISHOP_POINTS)
}

/// Where a piece of this side and kind can ever stand: palaces, elephant points, and for pawns
/// the own files before the river and everything beyond it.
pub const fn places(color: Color, kind: PieceType) -> Bitboard {
    let half = match color {
        Color::Red => Bitboard::RED_HALF.0,
        Color::Black => Bitboard::BLACK_HALF.0,
    };
    Bitboard(match kind {
        PieceType::King => PALACES & half,
        PieceType::Advisor => ADVISOR_POINTS & half,
        PieceType::Bishop => BISHOP_POINTS & half,
        PieceType::Pawn => {
            let files = Bitboard::file(0).0
                | Bitboard::file(2).0
                | Bitboard::file(4).0
                | Bitboard::file(6).0
                | Bitboard::file(8).0;
            let ranks = match color {
                Color::Red => Bitboard::rank(3).0 | Bitboard::rank(4).0,
                Color::Black => Bitboard::rank(5).0 | Bitboard::rank(6).0,
            };
            Bitboard::ALL.0 & !half | files & ranks
        }
        _ => Bitboard::ALL.0,
    })
}

#[cfg(test)]
mod tests {
    use super::super::sliders::test_occupancies;
    use super::*;

    fn offset(s: Square, df: i32, dr: i32) -> Option<Square> {
        Square::from_file_rank(s.file() as i32 + df, s.rank() as i32 + dr)
    }

    fn slow_knight(s: Square, occ: Bitboard) -> Bitboard {
        let mut b = Bitboard::EMPTY;
        for (df, dr) in [
            (1, 2),
            (2, 1),
            (2, -1),
            (1, -2),
            (-1, -2),
            (-2, -1),
            (-2, 1),
            (-1, 2),
        ] {
            let leg = offset(s, df / 2, dr / 2);
            if let (Some(leg), Some(to)) = (leg, offset(s, df, dr))
                && !occ.has(leg)
            {
                assert_eq!(knight_leg(s, to), leg);
                b = b.with(to);
            }
        }
        b
    }

    #[test]
    fn horses_match_the_slow_version_and_its_inverse() {
        for occ in test_occupancies() {
            for s in Square::all() {
                assert_eq!(knight(s, occ), slow_knight(s, occ), "{s}");
                let to: Bitboard = Square::all()
                    .filter(|&f| slow_knight(f, occ).has(s))
                    .collect();
                assert_eq!(knight_to(s, occ), to, "{s}");
            }
        }
    }

    #[test]
    fn elephants_match_the_slow_version() {
        for occ in test_occupancies() {
            for s in bishop_points() {
                let mut b = Bitboard::EMPTY;
                for (df, dr) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    let eye = offset(s, df, dr);
                    if let (Some(eye), Some(to)) = (eye, offset(s, 2 * df, 2 * dr))
                        && !occ.has(eye)
                        && to.rank() / 5 == s.rank() / 5
                    {
                        b = b.with(to);
                    }
                }
                assert_eq!(bishop(s, occ), b, "{s}");
            }
        }
    }

    #[test]
    fn sets_of_pawns_move_like_pawns() {
        for color in Color::ALL {
            for s in Square::all() {
                let one = Bitboard::square(s);
                if places(color, PieceType::Pawn).has(s) {
                    assert_eq!(pawns(color, one), pawn(color, s), "{color} {s}");
                }
            }
            let all = places(color, PieceType::Pawn);
            let union = all
                .into_iter()
                .fold(Bitboard::EMPTY, |b, s| b | pawn(color, s));
            assert_eq!(pawns(color, all), union);
        }
    }

    #[test]
    fn palace_and_pawns() {
        let sq = |t: &str| t.parse::<Square>().unwrap();
        let set = |t: &str| t.split_whitespace().map(sq).collect::<Bitboard>();
        assert_eq!(king(sq("e0")), set("d0 f0 e1"));
        assert_eq!(king(sq("d2")), set("d1 e2"));
        assert_eq!(king(sq("d7")), set("d8 e7"));
        assert_eq!(advisor(sq("e8")), set("d9 f9 d7 f7"));
        assert_eq!(advisor(sq("d0")), set("e1"));
        // Points outside are reached from nowhere: nobody protects what stands before the palace.
        for s in ["e3", "e6", "c1", "g8", "d3"].map(sq) {
            assert_eq!(king(s) | advisor(s), Bitboard::EMPTY, "{s}");
        }
        assert_eq!(pawn(Color::Red, sq("a3")), set("a4"));
        assert_eq!(pawn(Color::Red, sq("a5")), set("a6 b5"));
        assert_eq!(pawn(Color::Black, sq("e4")), set("e3 d4 f4"));
        assert_eq!(pawn(Color::Black, sq("e5")), set("e4"));
        for c in Color::ALL {
            for s in Square::all() {
                let to: Bitboard = Square::all().filter(|&f| pawn(c, f).has(s)).collect();
                assert_eq!(pawn_to(c, s), to);
            }
        }
        assert_eq!(places(Color::Red, PieceType::Pawn).count(), 45 + 10);
        assert_eq!(
            places(Color::Black, PieceType::Advisor),
            set("d9 f9 e8 d7 f7")
        );
    }
}
