//! Nodes that are given up without a look at their moves, or after a look at a few captures.

use super::history::NO_MOVE;
use super::move_picker::MovePicker;
use super::worker::Worker;
use crate::types::{Move, Score, score};

impl Worker {
    /// Reverse futility, razoring and the null move: nodes that need no move loop.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(super) fn prune_node(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        static_eval: Score,
        improving: bool,
        cut_node: bool,
    ) -> Option<Score> {
        let p = self.params();
        if depth <= 8
            && eval - p.rfp_margin * (depth - i32::from(improving)) >= beta
            && !score::is_decided(beta)
            && !score::is_decided(eval)
        {
            return Some((eval + beta) / 2);
        }
        if depth <= 3 && eval + p.razor_base + p.razor_margin * depth < alpha {
            let v = self.quiescence(alpha, alpha + 1, ply, false);
            if v <= alpha {
                return Some(v);
            }
        }
        let us = self.pos.stm();
        if depth >= 3
            && cut_node
            && eval >= beta
            && static_eval >= beta - p.null_eval_margin * depth + p.null_eval_base
            && ply >= self.null_from
            && self.pos.last_move().is_some()
            && !score::is_decided(beta)
            && self.has_attackers(us)
        {
            let r = (p.null_base + p.null_slope * depth) / 1_024
                + ((eval - beta) / p.null_eval_divisor).min(3);
            self.frame_mut(ply).moved = NO_MOVE;
            self.pos.make_null();
            self.shared.table.prefetch(self.pos.key());
            let v = -self.search::<false>(-beta, -beta + 1, depth - r, ply + 1, false);
            self.pos.unmake_null();
            if self.stopped {
                return Some(score::DRAW);
            }
            if v >= beta {
                let v = if score::is_decided(v) { beta } else { v };
                if depth < 13 || self.null_from > 0 {
                    return Some(v);
                }
                // High up the tree the null move is verified without null moves.
                self.null_from = ply + 3 * (depth - r) as usize / 4;
                let check = self.search::<false>(beta - 1, beta, depth - r, ply, false);
                self.null_from = 0;
                if self.stopped {
                    return Some(score::DRAW);
                }
                if check >= beta {
                    return Some(v);
                }
            }
        }
        None
    }

    /// A capture that by a shallower search beats beta by a margin is taken to cut.
    #[inline(always)]
    pub(super) fn prob_cut(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        static_eval: Score,
        tt_move: Move,
        cut_node: bool,
    ) -> Option<Score> {
        let target = beta + self.params().prob_cut_margin;
        if depth < 5 || !cut_node || score::is_decided(beta) {
            return None;
        }
        let trail = self.trail(ply);
        let mut picker = MovePicker::captures(&self.pos, tt_move, trail, target - static_eval);
        while let Some(m) = picker.next(&self.pos, &self.histories) {
            if !self.pos.see_ge(m, target - static_eval) {
                continue;
            }
            self.make(ply, m);
            let mut v = -self.quiescence(-target, -target + 1, ply + 1, false);
            if v >= target {
                v = -self.search::<false>(-target, -target + 1, depth - 4, ply + 1, !cut_node);
            }
            self.unmake();
            if self.stopped {
                return Some(score::DRAW);
            }
            if v >= target {
                return Some(v);
            }
        }
        None
    }
}
