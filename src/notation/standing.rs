//! How a piece is told from others of its kind on the same file, and files and ranks as each
//! side counts them. Both scripts are written from this.

use crate::position::Position;
use crate::types::{Bitboard, Color, FILES, Piece, PieceType, Square};

/// The number of a file, 1 to 9 from the side's right.
#[inline]
pub(super) fn file_number(color: Color, s: Square) -> usize {
    match color {
        Color::Red => FILES - s.file(),
        Color::Black => s.file() + 1,
    }
}

/// The file (0..9) with this number of a side.
#[inline]
pub(super) fn file_of_number(color: Color, number: u8) -> usize {
    match color {
        Color::Red => FILES - usize::from(number),
        Color::Black => usize::from(number) - 1,
    }
}

/// Where a piece stands among its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Its file says it all.
    Alone,
    /// One of two on the only file with more than one.
    Pair { front: bool },
    /// One of three pawns or more on the only such file; `index` 0 is the front.
    Column { index: usize, count: usize },
    /// A pawn on one of two files with several; `index` in its own, and its place when all such
    /// pawns are counted from the right, each file from the front.
    Columns {
        index: usize,
        count: usize,
        place: usize,
    },
}

/// The pieces of a set, the foremost first as the side looks.
pub(super) fn from_front(color: Color, set: Bitboard) -> impl Iterator<Item = Square> {
    let mut set = set;
    core::iter::from_fn(move || {
        let s = match color {
            Color::Red => Square::from_index(127 - set.0.leading_zeros().min(127) as usize)?,
            Color::Black => set.first()?,
        };
        if !set.has(s) {
            return None;
        }
        set = set.without(s);
        Some(s)
    })
}

/// Sets of two pieces or more on one file, from the side's right to its left.
pub(super) fn columns(color: Color, pieces: Bitboard) -> impl Iterator<Item = Bitboard> {
    (1..=FILES as u8)
        .map(move |n| pieces & Bitboard::file(file_of_number(color, n)))
        .filter(|set| set.several())
}

impl Standing {
    /// Where the piece on `s` stands among those of its side and kind.
    pub fn of(position: &Position, piece: Piece, s: Square) -> Standing {
        let (color, kind) = (piece.color(), piece.kind());
        if matches!(
            kind,
            PieceType::King | PieceType::Advisor | PieceType::Bishop
        ) {
            return Standing::Alone;
        }
        let own = position.pieces(color, kind);
        let file = own & Bitboard::file(s.file());
        if !file.several() {
            return Standing::Alone;
        }
        let index = from_front(color, file).take_while(|&x| x != s).count();
        let count = file.count() as usize;
        if kind == PieceType::Pawn {
            let mut before = 0;
            let mut others = false;
            for column in columns(color, own) {
                if column == file {
                    continue;
                }
                others = true;
                let right = column
                    .first()
                    .is_some_and(|c| file_number(color, c) < file_number(color, s));
                before += if right { column.count() as usize } else { 0 };
            }
            if others {
                return Standing::Columns {
                    index,
                    count,
                    place: before + index,
                };
            }
        }
        if count == 2 {
            Standing::Pair { front: index == 0 }
        } else {
            Standing::Column { index, count }
        }
    }
}
