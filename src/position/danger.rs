//! What threatens the king of the side to move: checkers, pieces that may not leave their line
//! or leg, and points where an own piece would become a cannon's screen. Found in one pass after
//! each move; with it nearly every move is known to be legal or not without trying it.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Color, PieceType, Square};

/// Threats to a king.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Danger {
    /// Enemy pieces that attack the king.
    pub checkers: Bitboard,
    /// Own pieces whose move can expose the king: the piece before a rook or the other king, a
    /// screen before a cannon with two, the piece on a horse's leg.
    pub pinned: Bitboard,
    /// Empty points between the king and a cannon with nothing between: a piece that steps there
    /// gives the cannon its screen.
    pub hollow: Bitboard,
}

impl Danger {
    /// Threats to the king of `us`.
    #[inline]
    pub fn new(p: &Position, us: Color) -> Danger {
        let mut d = Danger::default();
        let king = p.king(us);
        let occupied = p.occupied();
        let (own, enemy) = (p.side(us), p.side(!us));
        let rook_like = p.kind(PieceType::Rook) | p.kind(PieceType::King);
        for s in attacks::cross(king) & enemy & (rook_like | p.kind(PieceType::Cannon)) {
            let between = attacks::between(king, s);
            let screens = between & occupied;
            if rook_like.has(s) {
                // A king only looks along the file; on a rank palaces never meet.
                if screens.is_empty() {
                    d.checkers = d.checkers.with(s);
                } else if !screens.several() {
                    d.pinned |= screens & own;
                }
            } else if screens.is_empty() {
                d.hollow |= between;
            } else if !screens.several() {
                d.checkers = d.checkers.with(s);
            } else if screens.count() == 2 {
                d.pinned |= screens & own;
            }
        }
        for s in attacks::knight_near(king) & enemy & p.kind(PieceType::Knight) {
            let leg = attacks::knight_leg(s, king);
            if !occupied.has(leg) {
                d.checkers = d.checkers.with(s);
            } else if own.has(leg) {
                d.pinned = d.pinned.with(leg);
            }
        }
        d.checkers |= attacks::pawn_to(!us, king) & enemy & p.kind(PieceType::Pawn);
        d
    }
}

/// Where a pinned piece may go without exposing its king (when that is not in check).
pub(super) fn pin_mask(p: &Position, pinned: Square) -> Bitboard {
    let us = p.stm;
    let king = p.king(us);
    let occupied = p.occupied();
    let enemy = p.side(!us);
    let rook_like = p.kind(PieceType::Rook) | p.kind(PieceType::King);
    let mut mask = Bitboard::ALL;
    for s in attacks::cross(king) & enemy & (rook_like | p.kind(PieceType::Cannon)) {
        let between = attacks::between(king, s);
        if !between.has(pinned) {
            continue;
        }
        let screens = between & occupied;
        let limit = if rook_like.has(s) { 1 } else { 2 };
        if screens.count() == limit {
            // Along the line it still stands between; taking the other screen would leave one.
            mask &= between.with(s) & !screens.without(pinned);
        }
    }
    for s in attacks::knight_near(king) & enemy & p.kind(PieceType::Knight) {
        if attacks::knight_leg(s, king) == pinned {
            mask &= Bitboard::square(s);
        }
    }
    mask
}

/// Whether the king of the side to move would be attacked (or face the other king) on `king`, had
/// a piece just arrived on `to`: `occupied` is the board after that move, and whatever enemy stood
/// on `to` is gone.
#[inline]
pub(super) fn king_attacked(p: &Position, king: Square, occupied: Bitboard, to: Square) -> bool {
    exposed(p, !p.stm, king, occupied, to)
}

/// The same for either side: whether `them` attack (or face) a king on `king`; pieces that have
/// left `occupied` attack nothing.
#[inline]
pub(super) fn exposed(
    p: &Position,
    them: Color,
    king: Square,
    occupied: Bitboard,
    to: Square,
) -> bool {
    let enemy = (p.side(them) & occupied).without(to);
    let (rook, cannon) = attacks::rook_and_cannon(king, occupied);
    let rook_like = p.kind(PieceType::Rook) | p.kind(PieceType::King);
    let hits = rook & rook_like
        | cannon & p.kind(PieceType::Cannon)
        | attacks::knight_to(king, occupied) & p.kind(PieceType::Knight)
        | attacks::pawn_to(them, king) & p.kind(PieceType::Pawn);
    (hits & enemy).any()
}
