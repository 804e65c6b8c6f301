//! Kinds of pieces and pieces of a colour.

use super::Color;
use core::fmt;

/// A kind of piece. Elephants are bishops and horses knights, as in FEN letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
    /// 帅 将
    King = 0,
    /// 仕 士
    Advisor = 1,
    /// 相 象
    Bishop = 2,
    /// 马
    Knight = 3,
    /// 车
    Rook = 4,
    /// 炮
    Cannon = 5,
    /// 兵 卒
    Pawn = 6,
}

impl PieceType {
    /// All kinds, in the order of their indices.
    pub const ALL: [PieceType; 7] = [
        PieceType::King,
        PieceType::Advisor,
        PieceType::Bishop,
        PieceType::Knight,
        PieceType::Rook,
        PieceType::Cannon,
        PieceType::Pawn,
    ];

    /// 0..7.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The most pieces of this kind one side can have.
    pub const fn max_count(self) -> usize {
        match self {
            PieceType::King => 1,
            PieceType::Pawn => 5,
            _ => 2,
        }
    }

    /// English name in lower case: `king`, `advisor`, `elephant`, `horse`, `rook`, `cannon`,
    /// `pawn`.
    pub const fn name(self) -> &'static str {
        match self {
            PieceType::King => "king",
            PieceType::Advisor => "advisor",
            PieceType::Bishop => "elephant",
            PieceType::Knight => "horse",
            PieceType::Rook => "rook",
            PieceType::Cannon => "cannon",
            PieceType::Pawn => "pawn",
        }
    }

    /// Upper-case FEN letter: K A B N R C P.
    pub const fn letter(self) -> char {
        b"KABNRCP"[self as usize] as char
    }
}

/// A piece of one side; fits a byte, and so does `Option<Piece>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    RedKing = 0,
    RedAdvisor = 1,
    RedBishop = 2,
    RedKnight = 3,
    RedRook = 4,
    RedCannon = 5,
    RedPawn = 6,
    BlackKing = 7,
    BlackAdvisor = 8,
    BlackBishop = 9,
    BlackKnight = 10,
    BlackRook = 11,
    BlackCannon = 12,
    BlackPawn = 13,
}

impl Piece {
    /// All fourteen, Red's first.
    pub const ALL: [Piece; 14] = [
        Piece::RedKing,
        Piece::RedAdvisor,
        Piece::RedBishop,
        Piece::RedKnight,
        Piece::RedRook,
        Piece::RedCannon,
        Piece::RedPawn,
        Piece::BlackKing,
        Piece::BlackAdvisor,
        Piece::BlackBishop,
        Piece::BlackKnight,
        Piece::BlackRook,
        Piece::BlackCannon,
        Piece::BlackPawn,
    ];

    /// The piece of this side and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece::ALL[color as usize * 7 + kind as usize]
    }

    /// 0..14.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its side.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if (self as u8) < 7 {
            Color::Red
        } else {
            Color::Black
        }
    }

    /// Its kind.
    #[inline(always)]
    pub const fn kind(self) -> PieceType {
        PieceType::ALL[(self as usize) % 7]
    }

    /// FEN letter, upper case for Red.
    pub const fn fen_char(self) -> char {
        b"KABNRCPkabnrcp"[self as usize] as char
    }

    /// Reads a FEN letter; `E`/`e` and `H`/`h` stand for elephant and horse.
    pub const fn from_fen_char(c: char) -> Option<Piece> {
        let kind = match c.to_ascii_uppercase() {
            'K' => PieceType::King,
            'A' => PieceType::Advisor,
            'B' | 'E' => PieceType::Bishop,
            'N' | 'H' => PieceType::Knight,
            'R' => PieceType::Rook,
            'C' => PieceType::Cannon,
            'P' => PieceType::Pawn,
            _ => return None,
        };
        let color = if c.is_ascii_uppercase() {
            Color::Red
        } else {
            Color::Black
        };
        Some(Piece::new(color, kind))
    }

    /// The traditional Chinese letter of the pieces themselves: 帥仕相傌俥炮兵, 將士象馬車砲卒.
    pub const fn chinese(self) -> char {
        [
            '帥', '仕', '相', '傌', '俥', '炮', '兵', '將', '士', '象', '馬', '車', '砲', '卒',
        ][self as usize]
    }
}

/// "red rook", "black horse".
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color(), self.kind().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for p in Piece::ALL {
            assert_eq!(Piece::from_fen_char(p.fen_char()), Some(p));
            assert_eq!(Piece::new(p.color(), p.kind()), p);
        }
        assert_eq!(Piece::from_fen_char('h'), Some(Piece::BlackKnight));
        assert_eq!(Piece::from_fen_char('E'), Some(Piece::RedBishop));
        assert_eq!(Piece::from_fen_char('q'), None);
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
