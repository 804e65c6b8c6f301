//! Letters to meanings: every variant of a piece, digit, direction or order word is one
//! [`Symbol`], whatever its script, width or case.

use crate::types::PieceType;

/// What a letter of a move text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A kind of piece, in Chinese or as an upper- or lower-case letter.
    Piece(PieceType),
    /// 1 to 9.
    Digit(u8),
    /// 前
    Front,
    /// 中
    Middle,
    /// 后
    Back,
    /// 进
    Advance,
    /// 退
    Retreat,
    /// 平
    Traverse,
    /// `+`: 进 or 前, by its place.
    Plus,
    /// `-`: 退 or 后, by its place.
    Minus,
    /// `=` or `.`: 平 or 中, by its place.
    Dot,
}

/// Which of several pieces on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Front,
    Middle,
    Back,
}

/// Which way a piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Advance,
    Retreat,
    Traverse,
}

impl Symbol {
    /// Reads a letter; `None` if it has no place in a move text.
    #[inline]
    pub fn read(c: char) -> Option<Symbol> {
        if c.is_ascii() {
            return Symbol::read_ascii(c as u8);
        }
        Some(match c {
            '一' => Symbol::Digit(1),
            '二' => Symbol::Digit(2),
            '三' => Symbol::Digit(3),
            '四' => Symbol::Digit(4),
            '五' => Symbol::Digit(5),
            '六' => Symbol::Digit(6),
            '七' => Symbol::Digit(7),
            '八' => Symbol::Digit(8),
            '九' => Symbol::Digit(9),
            '进' | '進' => Symbol::Advance,
            '退' => Symbol::Retreat,
            '平' => Symbol::Traverse,
            '前' => Symbol::Front,
            '中' => Symbol::Middle,
            '后' | '後' => Symbol::Back,
            '帅' | '帥' | '将' | '將' => Symbol::Piece(PieceType::King),
            '仕' | '士' => Symbol::Piece(PieceType::Advisor),
            '相' | '象' => Symbol::Piece(PieceType::Bishop),
            '马' | '馬' | '傌' => Symbol::Piece(PieceType::Knight),
            // U+F902 is the compatibility form of 車.
            '车' | '車' | '俥' | '\u{f902}' => Symbol::Piece(PieceType::Rook),
            '炮' | '砲' | '包' => Symbol::Piece(PieceType::Cannon),
            '兵' | '卒' => Symbol::Piece(PieceType::Pawn),
            '．' | '。' | '·' => Symbol::Dot,
            '—' | '–' | '−' => Symbol::Minus,
            '\u{ff01}'..='\u{ff5e}' => {
                return Symbol::read_ascii((c as u32 - 0xff01) as u8 + b'!');
            }
            _ => return None,
        })
    }

    #[inline]
    fn read_ascii(c: u8) -> Option<Symbol> {
        Some(match c {
            b'1'..=b'9' => Symbol::Digit(c - b'0'),
            b'+' => Symbol::Plus,
            b'-' => Symbol::Minus,
            b'=' | b'.' => Symbol::Dot,
            b'K' | b'k' => Symbol::Piece(PieceType::King),
            b'A' | b'a' => Symbol::Piece(PieceType::Advisor),
            b'B' | b'b' | b'E' | b'e' => Symbol::Piece(PieceType::Bishop),
            b'N' | b'n' | b'H' | b'h' => Symbol::Piece(PieceType::Knight),
            b'R' | b'r' => Symbol::Piece(PieceType::Rook),
            b'C' | b'c' => Symbol::Piece(PieceType::Cannon),
            b'P' | b'p' => Symbol::Piece(PieceType::Pawn),
            _ => return None,
        })
    }

    /// The letter as a direction.
    #[inline]
    pub fn action(self) -> Option<Action> {
        match self {
            Symbol::Advance | Symbol::Plus => Some(Action::Advance),
            Symbol::Retreat | Symbol::Minus => Some(Action::Retreat),
            Symbol::Traverse | Symbol::Dot => Some(Action::Traverse),
            _ => None,
        }
    }

    /// The letter as an order word.
    #[inline]
    pub fn order(self) -> Option<Order> {
        match self {
            Symbol::Front | Symbol::Plus => Some(Order::Front),
            Symbol::Middle | Symbol::Dot => Some(Order::Middle),
            Symbol::Back | Symbol::Minus => Some(Order::Back),
            _ => None,
        }
    }
}

/// The ASCII letter for a full-width one (and the ideographic space), any other letter unchanged.
#[inline]
pub(super) fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => ((c as u32 - 0xff01) as u8 + b'!') as char,
        '\u{3000}' => ' ',
        _ => c,
    }
}
