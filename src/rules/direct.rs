//! 捉 as the Asian rules and programs see it: direct captures only, and a target that can be
//! recaptured once is protected, except a rook before a lesser piece.

use super::board::Board;
use super::ruleset::{ChaseForm, RuleSet};
use super::threat::{Threat, ThreatForm};
use super::value::Haul;
use crate::types::{Bitboard, Move, PieceType};

/// The attacks that `m` makes. `ours` is the board after it with the turn given back.
pub(super) fn new_attacks(before: &Board, m: Move, ours: &Board, rules: &RuleSet) -> Vec<Threat> {
    let was = before.overlooking_checks();
    let counts = |c: &Move| {
        let from = if c.from() == m.to() {
            m.from()
        } else {
            c.from()
        };
        let moved_only = rules.chase == ChaseForm::MovedPiece;
        if moved_only && c.from() != m.to() {
            return false;
        }
        let old = Move::new(from, c.to());
        attacks(ours, *c, rules)
            && !(was.reach(from).has(c.to()) && was.is_safe(old) && attacks(&was, old, rules))
    };
    let threat = |c: Move| Threat::new(ours, c, c.to(), ThreatForm::Direct);
    ours.captures()
        .into_iter()
        .filter(counts)
        .map(threat)
        .collect()
}

/// Whether a legal capture is an attack that counts.
fn attacks(b: &Board, m: Move, rules: &RuleSet) -> bool {
    let (Some(captor), Some(target)) = (b.piece_on(m.from()), b.piece_on(m.to())) else {
        return false;
    };
    let light = |k| matches!(k, PieceType::Advisor | PieceType::Bishop);
    if matches!(captor.kind(), PieceType::King | PieceType::Pawn)
        || Haul::default().with(target, m.to()) == Haul::default()
        || !rules.light_pieces && (light(captor.kind()) || light(target.kind()))
    {
        return false;
    }
    if captor.kind() == target.kind() {
        let back = Move::new(m.to(), m.from());
        if b.reach(m.to()).has(m.from()) && b.passed().is_safe(back) {
            return false;
        }
    }
    target.kind() == PieceType::Rook && captor.kind() != PieceType::Rook
        || b.after(m).legal_to(Bitboard::square(m.to())).is_empty()
}

/// Whether the attack itself is new, and not only the target's loss of its root.
pub(super) fn is_fresh(before: &Board, m: Move, t: &Threat) -> bool {
    let was = before.overlooking_checks();
    let from = if t.captor == m.to() {
        m.from()
    } else {
        t.captor
    };
    !(was.reach(from).has(t.target) && was.is_safe(Move::new(from, t.target)))
}
