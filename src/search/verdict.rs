//! What the rules say of a node of the tree: repetition, natural limit, nothing left to win with.

use super::worker::Worker;
use crate::rules::RuleScore;
use crate::types::{PieceType, Score, score};

impl Worker {
    /// What the rules say of this node: repetition, natural limit, nothing left to win with.
    #[inline]
    pub(super) fn rule_verdict(&mut self, ply: usize) -> Option<Score> {
        let quiet = self.pos.quiet_plies();
        if quiet >= 4
            && let Some(r) = self.repetition.judge(&self.pos, ply)
        {
            return Some(match r {
                RuleScore::Draw => score::DRAW,
                RuleScore::Win => score::RULE_WIN - ply as Score,
                RuleScore::Loss => -score::RULE_WIN + ply as Score,
            });
        }
        let p = &self.pos;
        if quiet >= self.limit_plies() && self.settings.rules.limit_reached(p) {
            let mated = p.in_check() && !p.has_legal_move();
            return Some(if mated {
                score::mated_in(ply)
            } else {
                score::DRAW
            });
        }
        let attackers = p.kind(PieceType::Rook)
            | p.kind(PieceType::Knight)
            | p.kind(PieceType::Cannon)
            | p.kind(PieceType::Pawn);
        if attackers.is_empty() && p.has_legal_move() {
            return Some(score::DRAW);
        }
        None
    }
}
