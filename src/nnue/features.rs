//! What the first layer sees: for either side, each piece on its point, own and enemy pieces
//! apart, the board turned so that the own side is below. Only points are numbered on which a
//! piece of that kind can stand.

use crate::attacks;
use crate::position::Position;
use crate::types::{Color, Piece, SQUARES, Square};

/// Number of this feature set in network files.
pub const SET: u16 = 1;

/// Number of features of one side's view.
pub const COUNT: usize = {
    let mut n = 0;
    let mut i = 0;
    while i < 14 {
        let piece = Piece::ALL[i];
        n += attacks::places(piece.color(), piece.kind()).count() as usize;
        i += 1;
    }
    n
};

/// Most features that are on at once: the pieces of the start position.
pub const MAX_ACTIVE: usize = 32;

/// Marks points on which a piece cannot stand.
const NOWHERE: u16 = u16::MAX;

/// By piece and square, as Red sees the board: Red's pieces are the own ones.
static INDEX: [[u16; SQUARES]; 14] = {
    let mut table = [[NOWHERE; SQUARES]; 14];
    let (mut next, mut i) = (0, 0);
    while i < 14 {
        let piece = Piece::ALL[i];
        let places = attacks::places(piece.color(), piece.kind());
        let mut s = 0;
        while s < SQUARES {
            if places.has(Square::new(s)) {
                table[i][s] = next;
                next += 1;
            }
            s += 1;
        }
        i += 1;
    }
    table
};

/// The feature that a piece on a point switches on in this side's view.
///
/// # Panics
/// If the piece can never stand there: no position has one there.
#[inline(always)]
pub fn index(view: Color, piece: Piece, s: Square) -> usize {
    let (piece, s) = match view {
        Color::Red => (piece, s),
        Color::Black => (Piece::new(!piece.color(), piece.kind()), s.flip()),
    };
    let i = usize::from(INDEX[piece.index()][s.index()]);
    debug_assert!(i < COUNT, "{piece} on {s}");
    i
}

/// Calls `f` with every feature of this side's view.
#[inline(always)]
pub fn each(p: &Position, view: Color, mut f: impl FnMut(usize)) {
    for s in p.occupied() {
        if let Some(piece) = p.piece_on(s) {
            f(index(view, piece, s));
        }
    }
}

/// Maps a feature to another by moving its piece: fills a table, for training.
fn mapped(f: impl Fn(Piece, Square) -> (Piece, Square)) -> Vec<u16> {
    let mut map = vec![NOWHERE; COUNT];
    for (piece, row) in Piece::ALL.into_iter().zip(&INDEX) {
        for (s, &from) in Square::all().zip(row) {
            if from != NOWHERE {
                let (piece, s) = f(piece, s);
                map[usize::from(from)] = INDEX[piece.index()][s.index()];
            }
        }
    }
    map
}

/// For each feature the one of the other side's view that the same piece switches on.
pub fn other_view() -> Vec<u16> {
    mapped(|piece, s| (Piece::new(!piece.color(), piece.kind()), s.flip()))
}

/// For each feature the one with left and right exchanged.
pub fn mirrored() -> Vec<u16> {
    mapped(|piece, s| (piece, s.mirror()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_symmetric() {
        // King 9, advisor 5, elephant 7, horse, rook, cannon 90 each, pawn 10 + 45; two sides.
        assert_eq!(COUNT, 2 * (9 + 5 + 7 + 3 * 90 + 55));
        let mut seen = vec![0; COUNT];
        let (other, mirror) = (other_view(), mirrored());
        for piece in Piece::ALL {
            for s in attacks::places(piece.color(), piece.kind()) {
                let i = index(Color::Red, piece, s);
                seen[i] += 1;
                assert_eq!(usize::from(other[i]), index(Color::Black, piece, s));
                assert_eq!(usize::from(mirror[i]), index(Color::Red, piece, s.mirror()));
                assert_eq!(usize::from(other[usize::from(other[i])]), i);
            }
        }
        assert!(seen.iter().all(|&n| n == 1));
    }

    #[test]
    fn both_views_of_the_start_are_alike() {
        let p = Position::startpos();
        let view = |c| {
            let mut v = Vec::new();
            each(&p, c, |i| v.push(i));
            v.sort_unstable();
            v
        };
        assert_eq!(view(Color::Red), view(Color::Black));
        assert_eq!(view(Color::Red).len(), MAX_ACTIVE);
    }
}
