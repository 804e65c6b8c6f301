//! WXF as Fairy-Stockfish writes it.

use super::push_coordinate;
use super::standing::{Standing, file_number};
use crate::position::Position;
use crate::types::{Move, PieceType, Square};

/// Letters by [`PieceType::index`].
const LETTERS: [char; 7] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

pub(super) fn push(position: &Position, m: Move, out: &mut String) {
    let (from, to) = (m.from(), m.to());
    let Some(piece) = position.piece_on(from) else {
        return push_coordinate(m, out);
    };
    let (color, kind) = (piece.color(), piece.kind());
    let digit = |n: usize| (b'0' + n as u8) as char;
    match Standing::of(position, piece, from) {
        Standing::Pair { front } if other_could(position, m) => {
            out.push(LETTERS[kind.index()]);
            out.push(if front { '+' } else { '-' });
        }
        Standing::Alone | Standing::Pair { .. } => {
            out.push(LETTERS[kind.index()]);
            out.push(digit(file_number(color, from)));
        }
        Standing::Column { index, .. } | Standing::Columns { index, .. } => {
            out.push(digit(index + 1));
            out.push(digit(file_number(color, from)));
        }
    }
    let (r0, r1) = (from.relative_rank(color), to.relative_rank(color));
    out.push(match r0.cmp(&r1) {
        core::cmp::Ordering::Less => '+',
        core::cmp::Ordering::Equal => '=',
        core::cmp::Ordering::Greater => '-',
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

/// Whether the other piece of a pair, moved the same way, would stay on the board; only then
/// `+` and `-` are written.
fn other_could(position: &Position, m: Move) -> bool {
    let (from, to) = (m.from(), m.to());
    let Some(piece) = position.piece_on(from) else {
        return false;
    };
    let pair =
        position.pieces(piece.color(), piece.kind()) & crate::types::Bitboard::file(from.file());
    let Some(other) = pair.without(from).first() else {
        return false;
    };
    let rank = other.rank() as i32 + to.rank() as i32 - from.rank() as i32;
    Square::from_file_rank(to.file() as i32, rank).is_some()
}
