//! Iterative deepening with aspiration windows: what is searched next, when it is enough, and what
//! is said of it.

use super::mate::Proof;
use super::report::{Bound, Info};
use super::worker::Worker;
use crate::types::{Move, Score, score};
use std::sync::atomic::Ordering;

/// Deepest iteration.
const MAX_DEPTH: i32 = 120;

impl Worker {
    /// Deepens until a limit is reached. Thread 0 reports.
    pub fn iterate(&mut self) {
        let max_depth = self
            .limits
            .depth
            .map_or(MAX_DEPTH, |d| (d.max(1) as i32).min(MAX_DEPTH));
        let shown = self.settings.multipv.min(self.root_moves.len());
        let lines = match self.settings.skill {
            Some(skill) => skill.lines(shown).min(self.root_moves.len()),
            None => shown,
        };
        let mut stability = 0;
        let mut last_best = Move::NONE;
        let mut last_score = 0;
        for depth in 1..=max_depth {
            // Helpers leave out some depths, so that threads do not all do the same.
            if self.id > 0 && depth > 4 && (depth as usize + self.id).is_multiple_of(5) {
                continue;
            }
            self.root_depth = depth;
            for r in &mut self.root_moves {
                r.previous = r.score;
            }
            // Several lines are to come from one depth.
            let whole = (lines > 1 && depth > 1).then(|| self.root_moves.clone());
            for line in 0..lines {
                self.pv_index = line;
                self.seldepth = 0;
                self.aspirate(depth, line);
                if self.stopped {
                    break;
                }
                self.root_moves[..=line].sort_by_key(|r| -r.score);
            }
            if !self.stopped {
                self.completed_depth = depth;
            } else if let Some(whole) = whole {
                self.root_moves = whole;
            }
            // A stopped iteration still counts for what it proved before.
            if !self.stopped || depth == 1 {
                self.report(0..shown);
            }
            if self.stopped {
                break;
            }
            let best = self.root_moves[0].mv;
            stability = if best == last_best {
                (stability + 1).min(8)
            } else {
                0
            };
            last_best = best;
            let now = self.root_moves[0].score;
            if self.id == 0 && self.enough(depth, stability, last_score - now) {
                break;
            }
            last_score = now;
        }
    }

    /// Whether no further iteration is to begin.
    fn enough(&mut self, depth: i32, stability: i32, drop: Score) -> bool {
        if let Some(n) = self.limits.mate
            && self.mate_settled(n)
        {
            return true;
        }
        let best = self.root_moves[0].score;
        if self.limits.soft_nodes.is_some_and(|n| self.nodes >= n) {
            return true;
        }
        if self.limits.infinite || self.pondering && self.signals().pondering() {
            // Nothing deeper can be learnt of a proved mate.
            return score::is_mate(best) && depth > 2 * (score::MATE - best.abs()) + 20;
        }
        let Some(soft) = self.bounds.soft else {
            return score::is_mate(best)
                && self.limits.depth.is_none()
                && depth > 2 * (score::MATE - best.abs()) + 20;
        };
        if self.root_moves.len() == 1 && depth >= 4 {
            return true;
        }
        if score::is_mate(best) && depth > (score::MATE - best.abs()) + 4 {
            return true;
        }
        let settled = [1.6, 1.25, 1.05, 0.95, 0.88, 0.82, 0.78, 0.74, 0.7][stability as usize];
        let worry = 1.0 + f64::from(drop.clamp(-20, 60)) / 100.0;
        let share = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let effort = 1.6 - share.clamp(0.2, 1.0);
        let scale = (settled * worry * effort).clamp(0.25, 2.5);
        self.elapsed() >= soft.mul_f64(scale)
    }

    /// Whether a mate in at most `n` moves was found, or proved not to be there. What the search
    /// leaves open the solver looks into, with as many nodes as the search took.
    fn mate_settled(&mut self, n: u32) -> bool {
        let found = |s: Score| score::mate_moves(s).is_some_and(|m| m > 0 && m as u32 <= n);
        if found(self.root_moves[0].score) {
            return true;
        }
        if !self.limits_all_moves() {
            return self.root_depth as u32 > 4 * n + 6;
        }
        let end = self.nodes * 4;
        for plies in (2 * self.no_mate_in as usize + 1..2 * n as usize).step_by(2) {
            // What is asked is a mate in `n`: shorter ones get a part of the nodes.
            let part = if plies as u32 / 2 + 1 == n { 1 } else { 4 };
            match self.solve_mate(plies, end.saturating_sub(self.nodes) / part) {
                Proof::NoMate => self.no_mate_in = plies as u32 / 2 + 1,
                // A longer mate may be easier to prove than that there is no shorter one.
                Proof::Unknown => {}
                Proof::Mate => {
                    self.take_mate(plies);
                    return true;
                }
            }
        }
        if self.no_mate_in < n {
            return false;
        }
        if let Some(reporter) = &mut self.reporter {
            reporter.message(&format!("no mate in {n}"));
        }
        true
    }

    /// The solver found a mate at the root: it becomes the best line.
    fn take_mate(&mut self, plies: usize) {
        let value = score::mate_in(plies);
        let mut pv = Vec::new();
        self.complete_mate(&mut pv, value, u64::MAX / 2);
        let Some(i) = self
            .root_moves
            .iter()
            .position(|r| pv.first() == Some(&r.mv))
        else {
            return;
        };
        self.root_moves.swap(0, i);
        let best = &mut self.root_moves[0];
        best.score = value;
        best.bound = Bound::Exact;
        best.pv = pv;
        self.report(0..1);
    }

    /// One iteration of one line: a narrow window around the last score, widened as it fails.
    fn aspirate(&mut self, depth: i32, line: usize) {
        let previous = self.root_moves[line].previous;
        let mut delta = self.params().window;
        let (mut alpha, mut beta) = (-score::INFINITE, score::INFINITE);
        if depth >= 5 && !score::is_decided(previous) {
            alpha = previous - delta;
            beta = previous + delta;
        }
        let mut reduction = 0;
        loop {
            let value = self.root_search(alpha, beta, (depth - reduction).max(1));
            self.root_moves[line..].sort_by_key(|r| -r.score);
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-score::INFINITE);
                reduction = 0;
            } else if value >= beta {
                beta = (value + delta).min(score::INFINITE);
                reduction = (reduction + 1).min(3);
            } else {
                return;
            }
            if self.chatty() && line < self.settings.multipv {
                self.report(line..line + 1);
            }
            delta += delta / 2;
            if delta > 600 {
                (alpha, beta) = (-score::INFINITE, score::INFINITE);
            }
        }
    }

    /// Reports these lines, if this is the leading thread.
    fn report(&mut self, lines: std::ops::Range<usize>) {
        let Some(mut reporter) = self.reporter.take() else {
            return;
        };
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        for line in lines {
            if self.root_moves[line].bound == Bound::Exact {
                let value = self.root_moves[line].score;
                let mut pv = std::mem::take(&mut self.root_moves[line].pv);
                self.complete_mate(&mut pv, value, self.nodes / 16 + 2_000);
                self.root_moves[line].pv = pv;
            }
            let r = &self.root_moves[line];
            let searched = r.score != -score::INFINITE;
            let value = if searched { r.score } else { r.previous };
            if value == -score::INFINITE {
                continue;
            }
            reporter.line(&Info {
                depth: self.root_depth as u32,
                seldepth: r.seldepth.max(1) as u32,
                multipv: line + 1,
                score: value,
                bound: if searched { r.bound } else { Bound::Exact },
                nodes: self.shared.total_nodes(),
                time: self.received.elapsed(),
                hashfull: self.shared.table.hashfull(),
                pv: &r.pv,
            });
        }
        self.reporter = Some(reporter);
    }
}
