//! What the first layer sees: for either side, each piece on its point, own and enemy pieces
//! apart, the board turned so that the own side is below. Only points are numbered on which a
//! piece of that kind can stand. Where the own king stands ([`Frame`]) decides which of several
//! copies of these numbers is used; a king right of the middle has the board mirrored.

use crate::attacks;
use crate::position::Position;
use crate::types::{Color, Piece, SQUARES, Square};

/// Number of this feature set in network files.
pub const SET: u16 = 2;

/// Pieces on points, in one frame.
pub const PLACES: usize = {
    let mut n = 0;
    let mut i = 0;
    while i < 14 {
        let piece = Piece::ALL[i];
        n += attacks::places(piece.color(), piece.kind()).count() as usize;
        i += 1;
    }
    n
};

/// Copies of the places: the own king in the middle file or beside it, on each of three ranks.
pub const COPIES: usize = 6;

/// Number of features of one side's view.
pub const COUNT: usize = PLACES * COPIES;

/// Most features that are on at once: the pieces of the start position.
pub const MAX_ACTIVE: usize = 32;

/// How a side sees the board, by where its king stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Which copy of the places, below [`COPIES`]; even ones have the king in the middle file.
    copy: u8,
    /// Whether left and right are exchanged.
    mirrored: bool,
}

impl Frame {
    /// Frames there are, counting both ways of looking.
    pub const COUNT: usize = 2 * COPIES;

    /// The frame of a side whose king stands on `king`.
    #[inline(always)]
    pub const fn new(view: Color, king: Square) -> Frame {
        let middle = king.file() == 4;
        let rank = king.relative_rank(view) as u8;
        Frame {
            copy: 2 * rank + !middle as u8,
            mirrored: king.file() > 4,
        }
    }

    /// The frame of a side in a position.
    #[inline(always)]
    pub fn of(p: &Position, view: Color) -> Frame {
        Frame::new(view, p.king(view))
    }

    /// Its number, below [`Frame::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.copy) * 2 + usize::from(self.mirrored)
    }

    /// Which copy of the places.
    #[inline(always)]
    pub fn copy(self) -> usize {
        usize::from(self.copy)
    }

    /// Whether the places of a position are to be mirrored, if it is shown as it is or itself
    /// mirrored: with the king beside the middle file both look the same.
    #[inline(always)]
    pub fn mirrors(self, shown_mirrored: bool) -> bool {
        if self.copy.is_multiple_of(2) {
            shown_mirrored
        } else {
            self.mirrored
        }
    }
}

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

/// The number of a piece on a point in this side's view, below [`PLACES`].
///
/// # Panics
/// If the piece can never stand there: no position has one there.
#[inline(always)]
pub fn place(view: Color, piece: Piece, s: Square) -> usize {
    let (piece, s) = match view {
        Color::Red => (piece, s),
        Color::Black => (Piece::new(!piece.color(), piece.kind()), s.flip()),
    };
    let i = usize::from(INDEX[piece.index()][s.index()]);
    debug_assert!(i < PLACES, "{piece} on {s}");
    i
}

/// The feature that a piece on a point switches on in this side's view, in this frame.
///
/// # Panics
/// As [`place`].
#[inline(always)]
pub fn index(view: Color, frame: Frame, piece: Piece, s: Square) -> usize {
    let s = if frame.mirrored { s.mirror() } else { s };
    frame.copy() * PLACES + place(view, piece, s)
}

/// Maps a place to another by moving its piece: fills a table, for training.
fn mapped(f: impl Fn(Piece, Square) -> (Piece, Square)) -> Vec<u16> {
    let mut map = vec![NOWHERE; PLACES];
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

/// For each place the one of the other side's view that the same piece switches on.
pub fn other_view() -> Vec<u16> {
    mapped(|piece, s| (Piece::new(!piece.color(), piece.kind()), s.flip()))
}

/// For each place the one with left and right exchanged.
pub fn mirrored() -> Vec<u16> {
    mapped(|piece, s| (piece, s.mirror()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_symmetric() {
        // King 9, advisor 5, elephant 7, horse, rook, cannon 90 each, pawn 10 + 45; two sides.
        assert_eq!(PLACES, 2 * (9 + 5 + 7 + 3 * 90 + 55));
        let mut seen = vec![0; PLACES];
        let (other, mirror) = (other_view(), mirrored());
        for piece in Piece::ALL {
            for s in attacks::places(piece.color(), piece.kind()) {
                let i = place(Color::Red, piece, s);
                seen[i] += 1;
                assert_eq!(usize::from(other[i]), place(Color::Black, piece, s));
                assert_eq!(usize::from(mirror[i]), place(Color::Red, piece, s.mirror()));
                assert_eq!(usize::from(other[usize::from(other[i])]), i);
            }
        }
        assert!(seen.iter().all(|&n| n == 1));
    }

    #[test]
    fn frames_tell_mirrored_positions_alike() {
        let p = Position::from_fen("2bak4/4a4/4b4/9/2p6/9/9/3R5/4A4/3A1K3 w - - 0 1").unwrap();
        let q = Position::from_fen("4kab2/4a4/4b4/9/6p2/9/9/5R3/4A4/3K1A3 w - - 0 1").unwrap();
        let view = |p: &Position, c| {
            let frame = Frame::of(p, c);
            let mut v: Vec<usize> = p
                .occupied()
                .into_iter()
                .map(|s| index(c, frame, p.piece_on(s).unwrap(), s))
                .collect();
            v.sort_unstable();
            v
        };
        assert_eq!(view(&p, Color::Red), view(&q, Color::Red));
        assert_ne!(view(&p, Color::Black), view(&q, Color::Black));
        assert_eq!(Frame::of(&p, Color::Red).copy(), 1);
        assert!(Frame::of(&p, Color::Red).mirrors(false));
        assert!(!Frame::of(&q, Color::Red).mirrors(true));
        assert!(Frame::of(&q, Color::Black).mirrors(true));
        let start = Position::startpos();
        assert_eq!(view(&start, Color::Red), view(&start, Color::Black));
        assert_eq!(view(&start, Color::Red).len(), MAX_ACTIVE);
    }
}
