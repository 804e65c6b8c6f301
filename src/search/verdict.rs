//! What the rules say of a node of the tree: repetition, natural limit, nothing left to win with.

use super::worker::Worker;
use crate::rules::RuleScore;
use crate::types::{Move, PieceType, Score, score, zobrist};

impl Worker {
    /// What the rules say of this node: repetition, natural limit, nothing left to win with.
    #[inline]
    pub(super) fn rule_verdict(&mut self, ply: usize) -> Option<Score> {
        let quiet = self.pos.quiet_plies();
        if quiet >= 4
            && let Some((r, back)) = self.repetition.judge(&self.pos, ply)
        {
            self.history_verdicts += u64::from(back > ply);
            return Some(rule_score(r, ply));
        }
        let p = &self.pos;
        if quiet >= self.limit_plies() && self.settings.rules.limit_reached(p) {
            let mated = p.in_check() && !p.has_legal_move();
            self.history_verdicts += 1;
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

    /// What the side to move gets by a move that repeats a position of this line, if it has one:
    /// found by the keys before any move is generated, and judged by the rules, which may call
    /// the side that repeats, or the other, the offender.
    #[inline]
    pub(super) fn upcoming_repetition(&mut self, ply: usize) -> Option<Score> {
        let p = &self.pos;
        let reach = p.reversible_plies().min(ply);
        if reach < 3 {
            return None;
        }
        let key = p.key();
        // What the other side's moves since then amount to; they have to cancel out.
        let mut others = key ^ p.key_back(1) ^ zobrist::TURN;
        for back in (3..=reach).step_by(2) {
            others ^= p.key_back(back - 1) ^ p.key_back(back) ^ zobrist::TURN;
            if others != 0 {
                continue;
            }
            let Some(m) = self.shared.cuckoo.find(key ^ p.key_back(back)) else {
                continue;
            };
            let m = if p.piece_on(m.from()).is_some() {
                m
            } else {
                Move::new(m.to(), m.from())
            };
            if p.is_legal(m) {
                self.pos.make(m);
                let verdict = self.repetition.cycle(&self.pos, back + 1);
                self.pos.unmake();
                return Some(-rule_score(verdict, ply + 1));
            }
        }
        None
    }
}

/// The score of a verdict from the side to move at this ply.
fn rule_score(verdict: RuleScore, ply: usize) -> Score {
    match verdict {
        RuleScore::Draw => score::DRAW,
        RuleScore::Win => score::RULE_WIN - ply as Score,
        RuleScore::Loss => -score::RULE_WIN + ply as Score,
    }
}
