//! A set of the ninety points in a `u128`.

use super::{FILES, RANKS, SQUARES, Square};
use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of points; bit `n` is [`Square`] `n`. Bits 90–127 are always clear.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub u128);

impl Bitboard {
    /// No point.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All ninety points.
    pub const ALL: Bitboard = Bitboard((1 << SQUARES) - 1);
    /// Ranks 0–4.
    pub const RED_HALF: Bitboard = Bitboard((1 << 45) - 1);
    /// Ranks 5–9.
    pub const BLACK_HALF: Bitboard = Bitboard(Bitboard::ALL.0 & !Bitboard::RED_HALF.0);

    /// The set of one point.
    #[inline(always)]
    pub const fn square(s: Square) -> Bitboard {
        Bitboard(1 << s.index())
    }

    /// The nine or ten points of a file (0..9) or rank (0..10).
    ///
    /// # Panics
    /// If `file` is no file.
    pub const fn file(file: usize) -> Bitboard {
        assert!(file < FILES);
        let mut b = 0;
        let mut r = 0;
        while r < RANKS {
            b |= 1 << (r * 9 + file);
            r += 1;
        }
        Bitboard(b)
    }

    /// The nine points of a rank (0..10).
    ///
    /// # Panics
    /// If `rank` is no rank.
    pub const fn rank(rank: usize) -> Bitboard {
        assert!(rank < RANKS);
        Bitboard(0x1ff << (rank * 9))
    }

    /// Whether the set has no point.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a point.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two points or more.
    #[inline(always)]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of points.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether the point is in the set.
    #[inline(always)]
    pub const fn has(self, s: Square) -> bool {
        self.0 >> s.index() & 1 != 0
    }

    /// The set with the point.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, s: Square) -> Bitboard {
        Bitboard(self.0 | 1 << s.index())
    }

    /// The set without the point.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, s: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << s.index()))
    }

    /// The point with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(self.lsb()) }
    }

    /// The point with the lowest index of a set that is not empty.
    #[inline(always)]
    const fn lsb(self) -> Square {
        let lo = self.0 as u64;
        let n = if lo != 0 {
            lo.trailing_zeros()
        } else {
            64 + ((self.0 >> 64) as u64).trailing_zeros()
        };
        Square::new(n as usize)
    }
}

macro_rules! bit_op {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, rhs: Bitboard) -> Bitboard {
                Bitboard(self.0 $op rhs.0)
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, rhs: Bitboard) {
                *self = *self $op rhs;
            }
        }
    };
}

bit_op!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
bit_op!(BitOr, bitor, BitOrAssign, bitor_assign, |);
bit_op!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

/// The complement; its high bits are set, so use it only to mask another set.
impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let s = self.lsb();
        self.0 &= self.0 - 1;
        Some(s)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.count() as usize;
        (n, Some(n))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(iter: T) -> Bitboard {
        iter.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// Ten lines of `x` and `.`, rank 9 first.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for rank in (0..RANKS).rev() {
            for file in 0..FILES {
                let on = self.0 >> (rank * 9 + file) & 1 != 0;
                f.write_str(if on { " x" } else { " ." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterates_in_order() {
        let squares = [
            Square::new(0),
            Square::new(63),
            Square::new(64),
            Square::new(89),
        ];
        let b: Bitboard = squares.into_iter().collect();
        assert_eq!(b.collect::<Vec<_>>(), squares);
        assert_eq!(b.count(), 4);
        assert!(b.several() && !Bitboard::square(squares[3]).several());
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(b.without(squares[0]).first(), Some(squares[1]));
    }

    #[test]
    fn lines() {
        assert_eq!(
            (0..9)
                .map(Bitboard::file)
                .fold(Bitboard::EMPTY, |a, b| a | b),
            Bitboard::ALL
        );
        assert_eq!(
            (0..10)
                .map(Bitboard::rank)
                .fold(Bitboard::EMPTY, |a, b| a | b),
            Bitboard::ALL
        );
        assert_eq!(
            Bitboard::file(4) & Bitboard::rank(9),
            Bitboard::square(Square::new(85))
        );
    }
}
