//! What pieces are worth to the rules and when an exchange is a gain (Art. 25.3, 29.3).

use super::board::Board;
use crate::types::{Piece, PieceType, Square};

/// Pieces that changed hands: heavy units (rook two, horse and cannon one each), light pieces
/// (advisors, elephants), crossed pawns. What has no value (king, pawn at home) is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Haul {
    pub heavy: u8,
    pub light: u8,
    pub pawns: u8,
    /// Rooks among the heavy units.
    pub rooks: u8,
}

impl Haul {
    /// This haul with one more piece, taken on a point.
    #[must_use]
    pub fn with(mut self, piece: Piece, at: Square) -> Haul {
        match piece.kind() {
            PieceType::Rook => {
                self.heavy += 2;
                self.rooks += 1;
            }
            PieceType::Knight | PieceType::Cannon => self.heavy += 1,
            PieceType::Advisor | PieceType::Bishop => self.light += 1,
            PieceType::Pawn if at.crossed(piece.color()) => self.pawns += 1,
            _ => {}
        }
        self
    }

    /// This haul with whatever stands on the point.
    #[must_use]
    pub fn with_piece_on(self, b: &Board, s: Square) -> Haul {
        match b.piece_on(s) {
            Some(piece) => self.with(piece, s),
            None => self,
        }
    }

    pub fn pieces(self) -> bool {
        self.heavy > 0 || self.light > 0
    }

    fn is_empty(self) -> bool {
        !self.pieces() && self.pawns == 0
    }
}

/// Whether taking `taken` for `lost` gains material (25.3). Crossed pawns float: a pawn given for
/// several pieces, or a piece for pawns, is no gain; a rook for a single pawn is one.
pub(super) fn is_gain(taken: Haul, lost: Haul) -> bool {
    if taken.is_empty() {
        false
    } else if lost.is_empty() {
        true
    } else if taken.pieces() != lost.pieces() {
        taken.rooks > 0 && taken.heavy == 2 && taken.light == 0 && lost.pawns == 1
    } else if !taken.pieces() {
        taken.pawns > lost.pawns
    } else if taken.heavy != lost.heavy {
        taken.heavy > lost.heavy
    } else {
        taken.light > lost.light
    }
}
