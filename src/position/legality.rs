//! Legality of a move from elsewhere (transposition table, killers, users), and whether a move
//! gives check.

use super::Position;
use super::danger::{king_attacked, pin_mask};
use crate::attacks;
use crate::types::{Bitboard, Move, PieceType};

impl Position {
    /// Whether the move is legal here. Any move may be asked about.
    pub fn is_legal(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        if piece.color() != self.stm || !self.pseudo_targets(from).has(to) {
            return false;
        }
        let occupied = self.occupied().without(from).with(to);
        if piece.kind() == PieceType::King {
            return !king_attacked(self, to, occupied, to);
        }
        let danger = &self.state.danger;
        if danger.checkers.any() {
            return !king_attacked(self, self.king(self.stm), occupied, to);
        }
        !danger.hollow.has(to) && (!danger.pinned.has(from) || pin_mask(self, from).has(to))
    }

    /// Whether a legal move gives check, directly or by discovery.
    pub fn gives_check(&self, m: Move) -> bool {
        let us = self.stm;
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let king = self.king(!us);
        if !attacks::may_attack(king, from, to) {
            return false;
        }
        let occupied = self.occupied().without(from).with(to);
        let own = self.side(us).without(from);
        let arrived = |kind| {
            let others = own & self.kind(kind);
            if piece.kind() == kind {
                others.with(to)
            } else {
                others
            }
        };
        let (rook, cannon) = attacks::rook_and_cannon(king, occupied);
        let hits: Bitboard = rook & (arrived(PieceType::Rook) | arrived(PieceType::King))
            | cannon & arrived(PieceType::Cannon)
            | attacks::knight_to(king, occupied) & arrived(PieceType::Knight)
            | attacks::pawn_to(us, king) & arrived(PieceType::Pawn);
        hits.any()
    }

    /// What the move takes.
    #[inline(always)]
    pub fn captured_by(&self, m: Move) -> Option<crate::types::Piece> {
        self.piece_on(m.to())
    }

    /// Whether the move takes something.
    #[inline(always)]
    pub fn is_capture(&self, m: Move) -> bool {
        self.piece_on(m.to()).is_some()
    }

    /// The piece a move moves, if one stands on its start point.
    #[inline(always)]
    pub fn moved_piece(&self, m: Move) -> Option<crate::types::Piece> {
        self.piece_on(m.from())
    }
}
