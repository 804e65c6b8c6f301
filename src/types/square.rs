//! The ninety points of the board.

use super::Color;
use core::fmt;
use core::str::FromStr;

/// Number of files, a–i from Red's left.
pub const FILES: usize = 9;
/// Number of ranks, 0–9 from Red's side.
pub const RANKS: usize = 10;
/// Number of points.
pub const SQUARES: usize = 90;

/// A point of the board: `rank * 9 + file`, 0 (a0, Red's left corner) to 89 (i9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The point with this index; `None` from 90 on.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < SQUARES {
            Some(Square(index as u8))
        } else {
            None
        }
    }

    /// The point with this index, which the caller knows to be below 90.
    ///
    /// # Panics
    /// If `index` is 90 or more (debug builds only; a wrong square otherwise, never undefined
    /// behaviour: table look-ups are bounds-checked).
    #[inline(always)]
    pub const fn new(index: usize) -> Square {
        debug_assert!(index < SQUARES);
        Square(index as u8)
    }

    /// The point on file 0..9 (a–i) and rank 0..10; `None` off the board.
    pub const fn from_file_rank(file: i32, rank: i32) -> Option<Square> {
        if file >= 0 && file < FILES as i32 && rank >= 0 && rank < RANKS as i32 {
            Some(Square((rank * 9 + file) as u8))
        } else {
            None
        }
    }

    /// 0..90.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0..9 for files a–i.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % 9
    }

    /// 0..10 from Red's back rank.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / 9
    }

    /// The rank as `color` counts it: 0 is that side's back rank.
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> usize {
        match color {
            Color::Red => self.rank(),
            Color::Black => 9 - self.rank(),
        }
    }

    /// Red and Black exchanged: a0 ↔ a9.
    #[inline(always)]
    pub const fn flip(self) -> Square {
        Square(((9 - self.0 / 9) * 9) + self.0 % 9)
    }

    /// Left and right exchanged: a0 ↔ i0.
    #[inline(always)]
    pub const fn mirror(self) -> Square {
        Square((self.0 / 9) * 9 + 8 - self.0 % 9)
    }

    /// `self` for Red, flipped for Black.
    #[inline(always)]
    pub const fn relative(self, color: Color) -> Square {
        match color {
            Color::Red => self,
            Color::Black => self.flip(),
        }
    }

    /// Whether this is one of the nine points of that side's palace.
    pub const fn in_palace(self, color: Color) -> bool {
        let f = self.file();
        f >= 3 && f <= 5 && self.relative_rank(color) <= 2
    }

    /// Whether this lies beyond the river for that side.
    #[inline(always)]
    pub const fn crossed(self, color: Color) -> bool {
        self.relative_rank(color) >= 5
    }

    /// All points from a0 to i9.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SQUARES as u8).map(Square)
    }
}

/// Coordinate text, `a0` to `i9`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square: a file a-i and a rank 0-9 are expected")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(s: &str) -> Result<Square, ParseSquareError> {
        match s.as_bytes() {
            &[f, r] if r.is_ascii_digit() => {
                let f = f.to_ascii_lowercase();
                Square::from_file_rank(i32::from(f) - i32::from(b'a'), i32::from(r - b'0'))
                    .ok_or(ParseSquareError)
            }
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_symmetry() {
        for s in Square::all() {
            assert_eq!(s.to_string().parse(), Ok(s));
            assert_eq!(s.flip().flip(), s);
            assert_eq!(s.mirror().mirror(), s);
            assert_eq!(s.flip().rank(), 9 - s.rank());
            assert_eq!(s.mirror().file(), 8 - s.file());
            assert_eq!(s.in_palace(Color::Red), s.flip().in_palace(Color::Black));
        }
        for bad in ["", "a", "j0", "a:", "a10", "车"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }
}
