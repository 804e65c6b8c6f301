//! Chinese move text.

use super::push_coordinate;
use super::standing::{Standing, file_number};
use crate::position::Position;
use crate::types::{Color, Move, PieceType};
use core::cmp::Ordering;

/// The letters of Chinese move text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// 车马炮, 进退平, 后.
    #[default]
    Simplified,
    /// 車馬炮 (砲 for Black), 進退平, 後.
    Traditional,
}

/// Which digits each side's files and steps are written with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// 一二三 for Red, 123 for Black.
    #[default]
    ChineseForRed,
    /// 一二三 for both.
    Chinese,
    /// 123 for both.
    Arabic,
}

/// How pawns are told apart when two files hold several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PawnColumns {
    /// Order and file: 前五平四. Needs no convention of counting.
    #[default]
    OrderAndFile,
    /// All of them counted from the right, each file from the front: 一兵平四.
    Ordinal,
}

/// How Chinese move text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChineseStyle {
    /// The letters.
    pub script: Script,
    /// The digits.
    pub digits: Digits,
    /// Whether Arabic digits are full-width (１２３), as is usual in GBK files.
    pub full_width: bool,
    /// How pawns on two files are told apart.
    pub pawns: PawnColumns,
}

impl ChineseStyle {
    /// The style of most game files: simplified, 一二三 for Red, １２３ for Black.
    pub const FILES: ChineseStyle = ChineseStyle {
        script: Script::Simplified,
        digits: Digits::ChineseForRed,
        full_width: true,
        pawns: PawnColumns::OrderAndFile,
    };
}

const CHINESE_DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

fn letter(color: Color, kind: PieceType, script: Script) -> char {
    let simplified = script == Script::Simplified;
    match (kind, color) {
        (PieceType::King, Color::Red) => {
            if simplified {
                '帅'
            } else {
                '帥'
            }
        }
        (PieceType::King, Color::Black) => {
            if simplified {
                '将'
            } else {
                '將'
            }
        }
        (PieceType::Advisor, Color::Red) => '仕',
        (PieceType::Advisor, Color::Black) => '士',
        (PieceType::Bishop, Color::Red) => '相',
        (PieceType::Bishop, Color::Black) => '象',
        (PieceType::Knight, _) => {
            if simplified {
                '马'
            } else {
                '馬'
            }
        }
        (PieceType::Rook, _) => {
            if simplified {
                '车'
            } else {
                '車'
            }
        }
        (PieceType::Cannon, Color::Red) => '炮',
        (PieceType::Cannon, Color::Black) => {
            if simplified {
                '炮'
            } else {
                '砲'
            }
        }
        (PieceType::Pawn, Color::Red) => '兵',
        (PieceType::Pawn, Color::Black) => '卒',
    }
}

pub(super) fn push(position: &Position, m: Move, style: ChineseStyle, out: &mut String) {
    let (from, to) = (m.from(), m.to());
    let Some(piece) = position.piece_on(from) else {
        return push_coordinate(m, out);
    };
    let (color, kind) = (piece.color(), piece.kind());
    let simplified = style.script == Script::Simplified;
    let chinese_digits = match style.digits {
        Digits::ChineseForRed => color == Color::Red,
        Digits::Chinese => true,
        Digits::Arabic => false,
    };
    let digit = |n: usize| {
        if chinese_digits {
            CHINESE_DIGITS[n % 10]
        } else if style.full_width {
            char::from_u32('０' as u32 + n as u32).unwrap_or('?')
        } else {
            (b'0' + n as u8) as char
        }
    };
    let back = if simplified { '后' } else { '後' };
    // Front, middle, back of a file with up to three.
    let order = |index: usize, count: usize| match index {
        0 => '前',
        i if i + 1 == count => back,
        _ => '中',
    };
    let name = letter(color, kind, style.script);
    let file = file_number(color, from);
    // An ordinal is always in Chinese letters: 一兵, 二卒.
    let (first, second) = match Standing::of(position, piece, from) {
        Standing::Alone => (name, digit(file)),
        Standing::Pair { front } => (if front { '前' } else { back }, name),
        Standing::Column { index, count } if count <= 3 => (order(index, count), name),
        Standing::Column { index, .. } => (CHINESE_DIGITS[index + 1], name),
        Standing::Columns {
            index,
            count,
            place,
        } => match style.pawns {
            PawnColumns::OrderAndFile => (order(index, count), digit(file)),
            PawnColumns::Ordinal => (CHINESE_DIGITS[(place + 1) % 10], name),
        },
    };
    out.push(first);
    out.push(second);
    let (r0, r1) = (from.relative_rank(color), to.relative_rank(color));
    out.push(match r0.cmp(&r1) {
        Ordering::Less => {
            if simplified {
                '进'
            } else {
                '進'
            }
        }
        Ordering::Equal => '平',
        Ordering::Greater => '退',
    });
    let by_file = r0 == r1
        || matches!(
            kind,
            PieceType::Advisor | PieceType::Bishop | PieceType::Knight
        );
    out.push(digit(if by_file {
        file_number(color, to)
    } else {
        r0.abs_diff(r1)
    }));
}
