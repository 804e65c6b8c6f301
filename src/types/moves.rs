//! A move as two points in sixteen bits.

use super::Square;
use core::fmt;
use core::str::FromStr;

/// A move from one point to another: bits 0–6 from, 7–13 to. Xiangqi has no promotion, so
/// nothing else is needed. [`Move::NONE`] (a0a0) is no move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Move(u16);

impl Move {
    /// No move; also the null move in a search stack.
    pub const NONE: Move = Move(0);

    /// The move between two points.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 7)
    }

    /// Start point.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 127) as usize)
    }

    /// End point.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 7) as usize)
    }

    /// Whether this is a move at all.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Whether this is [`Move::NONE`].
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The sixteen bits, for tables and files.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// A move from sixteen stored bits; `None` if they name points off the board.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let (from, to) = (bits & 127, bits >> 7);
        if from < 90 && to < 90 {
            Some(Move(bits))
        } else {
            None
        }
    }

    /// Left and right exchanged.
    pub const fn mirror(self) -> Move {
        Move::new(self.from().mirror(), self.to().mirror())
    }

    /// Red and Black exchanged.
    pub const fn flip(self) -> Move {
        Move::new(self.from().flip(), self.to().flip())
    }
}

/// Coordinate text, `h2e2`; `0000` for no move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            f.write_str("0000")
        } else {
            write!(f, "{}{}", self.from(), self.to())
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no coordinate move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a coordinate move: four characters such as h2e2 are expected")
    }
}

impl std::error::Error for ParseMoveError {}

/// Reads `h2e2`, and ICCS `H2-E2`. Says nothing of legality.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(s: &str) -> Result<Move, ParseMoveError> {
        let (from, to) = match s.len() {
            4 if s.is_ascii() => s.split_at(2),
            5 if s.is_ascii() => s.split_once('-').ok_or(ParseMoveError)?,
            _ => return Err(ParseMoveError),
        };
        let square = |t: &str| t.parse::<Square>().map_err(|_| ParseMoveError);
        let (from, to) = (square(from)?, square(to)?);
        if from == to {
            Err(ParseMoveError)
        } else {
            Ok(Move::new(from, to))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        let m: Move = "h2e2".parse().unwrap();
        assert_eq!(m.to_string(), "h2e2");
        assert_eq!("H2-E2".parse(), Ok(m));
        assert_eq!(Move::from_bits(m.to_bits()), Some(m));
        assert_eq!(Move::from_bits(u16::MAX), None);
        assert_eq!(m.mirror().to_string(), "b2e2");
        assert_eq!(m.flip().to_string(), "h7e7");
        for bad in [
            "", "h2", "h2e", "h2e22", "h2h2", "z0z9", "h2e2e2", "-h2e2", "炮二",
        ] {
            assert!(bad.parse::<Move>().is_err(), "{bad}");
        }
    }
}
