//! A position and its mirror image are the same to a book.

use crate::position::Position;
use crate::types::{Move, zobrist};

/// How a position lies in a book.
///
/// Of the Zobrist keys of the position and of its mirror image (files a–i exchanged with i–a) the
/// smaller one is the key in the book, and the moves are those of the board that has it. A
/// position that is its own mirror image has two moves for each idea; the one that starts
/// further to the right, as Red sees the board, stands for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The key in the book.
    pub key: u64,
    /// The book has the mirror image.
    pub mirrored: bool,
    /// The position is its own mirror image.
    pub symmetric: bool,
}

impl Symmetry {
    /// Looks at both sides of a position.
    pub fn of(position: &Position) -> Symmetry {
        let own = position.key();
        let image = position
            .occupied()
            .filter_map(|s| position.piece_on(s).map(|p| zobrist::piece(p, s.mirror())))
            .fold(zobrist::side(position.stm()), |key, piece| key ^ piece);
        Symmetry {
            key: own.min(image),
            mirrored: image < own,
            symmetric: image == own,
        }
    }

    /// A move of the position as the book has it.
    pub fn to_book(self, m: Move) -> Move {
        let place = |m: Move| (m.from().file(), m.to().file());
        let image = m.mirror();
        if self.mirrored || self.symmetric && place(image) > place(m) {
            image
        } else {
            m
        }
    }

    /// A move of the book as it is in the position.
    pub fn to_board(self, m: Move) -> Move {
        if self.mirrored { m.mirror() } else { m }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_line_meet() {
        let mut left = Position::startpos();
        let mut right = Position::startpos();
        assert!(Symmetry::of(&left).symmetric);
        for text in ["b2e2", "h9g7", "b0c2", "i9h9", "a0b0"] {
            let m: Move = text.parse().unwrap();
            let (l, r) = (Symmetry::of(&left), Symmetry::of(&right));
            assert_eq!(l.key, r.key);
            assert_eq!(l.to_book(m), r.to_book(m.mirror()));
            assert_eq!(
                l.to_board(l.to_book(m)),
                if l.symmetric { m.mirror() } else { m }
            );
            left.play(m).unwrap();
            right.play(m.mirror()).unwrap();
            assert_ne!(left.key(), right.key());
        }
        let (l, r) = (Symmetry::of(&left), Symmetry::of(&right));
        assert_eq!(l.key, r.key);
        assert_ne!(l.mirrored, r.mirrored);
    }
}
