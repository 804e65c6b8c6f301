//! Quiescence: captures (and answers to check) until the position is calm enough to evaluate.

use super::move_picker::MovePicker;
use super::report::Bound;
use super::tt::Entry;
use super::worker::{MAX_PLY, Worker};
use crate::position::Position;
use crate::types::{Move, Score, score};

impl Worker {
    /// The score of a position by captures alone, fail-soft.
    pub(super) fn quiescence(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        is_pv: bool,
    ) -> Score {
        if is_pv {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if self.stopped {
            return score::DRAW; // the node that reached the limit is the last one
        }
        if let Some(s) = self.rule_verdict(ply) {
            return s;
        }
        self.frame_mut(ply).history_verdicts = self.history_verdicts;
        let in_check = self.pos.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check {
                score::DRAW
            } else {
                self.eval.evaluate(&self.pos)
            };
        }
        let key = self.pos.key();
        let tt = self.shared.table.probe(key);
        let tt_move = tt.map_or(Move::NONE, |e| e.mv);
        if let Some(e) = tt
            && !is_pv
            && e.score != score::NONE
        {
            let s = score::from_table(e.score, ply);
            let cuts = match e.bound {
                Bound::Exact => true,
                Bound::Lower => s >= beta,
                Bound::Upper => s <= alpha,
            };
            if cuts {
                return s;
            }
        }
        let mut best = -score::INFINITE;
        let mut raw_eval = score::NONE;
        let mut futility = -score::INFINITE;
        if !in_check {
            // Without a legal move the game is lost, and standing pat would hide it.
            if !self.pos.has_legal_move() {
                return score::mated_in(ply);
            }
            raw_eval = match tt {
                Some(e) if e.eval != score::NONE => e.eval,
                _ => self.eval.evaluate(&self.pos),
            };
            best = self.corrected(raw_eval);
            if let Some(e) = tt
                && e.score != score::NONE
                && !score::is_decided(e.score)
            {
                let better = match e.bound {
                    Bound::Exact => true,
                    Bound::Lower => e.score > best,
                    Bound::Upper => e.score < best,
                };
                if better {
                    best = e.score;
                }
            }
            if best >= beta {
                if tt.is_none() {
                    self.store(key, Move::NONE, best, raw_eval, 0, Bound::Lower, is_pv, ply);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility = best + self.params().quiescence_margin;
        }
        let mut best_move = Move::NONE;
        let mut tried = 0;
        let mut picker = MovePicker::captures(&self.pos, tt_move, self.trail(ply), 0);
        while let Some(m) = picker.next(&self.pos, &self.histories) {
            tried += 1;
            if !in_check {
                let gain = self
                    .pos
                    .captured_by(m)
                    .map_or(0, |p| Position::exchange_value(p.kind()));
                if futility + gain <= alpha && !self.pos.gives_check(m) {
                    best = best.max(futility + gain);
                    continue;
                }
                if tried > 3 && futility <= alpha && !self.pos.see_ge(m, 1) {
                    best = best.max(futility);
                    continue;
                }
            } else if best > -score::WIN_BOUND && tried > 2 && !self.pos.is_capture(m) {
                // An evasion is known that does not lose at once.
                break;
            }
            self.make(ply, m);
            let value = -self.quiescence(-beta, -alpha, ply + 1, is_pv);
            self.unmake();
            if self.stopped {
                return score::DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = m;
                    if is_pv {
                        self.update_pv(ply, m);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && tried == 0 {
            return score::mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        self.store(key, best_move, best, raw_eval, 0, bound, is_pv, ply);
        best
    }

    /// Stores a node, its score only if that does not rest on the way to the position: on rules of
    /// repetition, or on the natural limit.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn store(
        &self,
        key: u64,
        mv: Move,
        value: Score,
        eval: Score,
        depth: i32,
        bound: Bound,
        pv: bool,
        ply: usize,
    ) {
        let by_rule = score::is_decided(value) && !score::is_mate(value)
            || self.history_verdicts != self.frame(ply).history_verdicts
            || self.near_limit();
        let score = if by_rule {
            score::NONE
        } else {
            score::to_table(value, ply)
        };
        let depth = if by_rule { 0 } else { depth };
        self.shared.table.store(
            key,
            Entry {
                mv,
                score,
                eval,
                depth,
                bound,
                pv,
            },
        );
    }
}
