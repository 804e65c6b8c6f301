//! The main search: principal variation search with the usual pruning and reductions.
//!
//! Xiangqi's own: a side without a move has lost, so a node is looked at for a legal move before
//! anything is pruned in it, and moves are not pruned against a side that could be stalemated.

use super::move_picker::{MovePicker, quiet_score};
use super::params::Params;
use super::report::Bound;
use super::worker::{MAX_PLY, Worker};
use crate::types::{Bitboard, Color, Move, PieceType, Score, score};
use arrayvec::ArrayVec;

/// Upcoming repetitions are looked for from this depth on: below, judging them costs more than
/// the search that would find them.
const UPCOMING_DEPTH: i32 = 5;

/// Late move reductions by depth and move number, in plies times 1024.
#[derive(Debug)]
pub(super) struct Reductions([[i32; 64]; 64]);

impl Reductions {
    pub fn new(p: &Params) -> Reductions {
        let (base, divisor) = (f64::from(p.lmr_base), f64::from(p.lmr_divisor) / 100.0);
        let mut t = [[0; 64]; 64];
        for (d, row) in t.iter_mut().enumerate().skip(1) {
            for (n, r) in row.iter_mut().enumerate().skip(1) {
                *r = (base + 1024.0 * (d as f64).ln() * (n as f64).ln() / divisor) as i32;
            }
        }
        Reductions(t)
    }

    #[inline(always)]
    fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][number.min(63)]
    }
}

impl Worker {
    /// One pass over the root moves from `pv_index` on.
    pub(super) fn root_search(&mut self, mut alpha: Score, beta: Score, depth: i32) -> Score {
        let mut best = -score::INFINITE;
        self.pv[0].clear();
        let in_check = self.pos.in_check();
        self.frame_mut(0).eval = if in_check {
            score::NONE
        } else {
            self.eval.evaluate(&self.pos)
        };
        self.frame_mut(0).history_verdicts = self.history_verdicts;
        self.frame_mut(1).cutoffs = 0;
        let us = self.pos.stm();
        let p = self.params();
        let first = self.pv_index;
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        for i in first..self.root_moves.len() {
            let m = self.root_moves[i].mv;
            if self.chatty() {
                self.say_current(m, i + 1);
            }
            let before = self.nodes;
            let capture = self.pos.is_capture(m);
            let check = self.pos.gives_check(m);
            let extension = i32::from(check && self.pos.see_ge(m, 0));
            let new_depth = depth - 1 + extension;
            let history = if capture {
                0
            } else {
                quiet_score(&self.pos, &self.histories, m, &self.trail(0))
            };
            self.make(0, m);
            let number = i - first + 1;
            let value = if number == 1 {
                -self.search::<true>(-beta, -alpha, new_depth, 1, false)
            } else {
                let mut r = 0;
                if depth >= 3 && number > 2 && !capture && !check {
                    r = (self.shared.reductions.get(depth, number)
                        - 1024
                        - history / p.lmr_history)
                        / 1024;
                    r = r.clamp(0, new_depth - 1);
                }
                let mut v = -self.search::<false>(-alpha - 1, -alpha, new_depth - r, 1, true);
                if v > alpha && r > 0 {
                    v = -self.search::<false>(-alpha - 1, -alpha, new_depth, 1, false);
                }
                if v > alpha && !self.stopped {
                    v = -self.search::<true>(-beta, -alpha, new_depth, 1, false);
                }
                v
            };
            self.unmake();
            let spent = self.nodes - before;
            self.root_moves[i].nodes += spent;
            if self.stopped {
                return best;
            }
            let seldepth = self.seldepth;
            if number == 1 || value > alpha {
                let r = &mut self.root_moves[i];
                r.score = value;
                r.bound = if value >= beta {
                    Bound::Lower
                } else if value <= alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
                r.seldepth = seldepth;
                r.pv.clear();
                r.pv.push(m);
                r.pv.extend_from_slice(&self.pv[1]);
            } else {
                self.root_moves[i].score = -score::INFINITE;
            }
            if value > best {
                best = value;
                if value > alpha {
                    if value >= beta {
                        if !capture {
                            self.learn_quiet(us, m, &quiets, depth, 0);
                        }
                        break;
                    }
                    alpha = value;
                }
            }
            if !capture {
                let _ = quiets.try_push(m);
            }
        }
        if first == 0 && !self.stopped && best > -score::INFINITE {
            let (mv, bound) = self
                .root_moves
                .iter()
                .max_by_key(|r| r.score)
                .map_or((Move::NONE, Bound::Upper), |r| (r.mv, r.bound));
            if self.limits_all_moves() {
                let eval = self.frame(0).eval;
                self.store(self.pos.key(), mv, best, eval, depth, bound, true, 0);
            }
        }
        best
    }

    /// The score of a node of the tree, fail-soft.
    pub(super) fn search<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence(alpha, beta, ply, PV);
        }
        if PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if self.stopped {
            return score::DRAW;
        }
        let excluded = self.frame(ply).excluded;
        if excluded.is_none() {
            if let Some(s) = self.rule_verdict(ply) {
                return s;
            }
            // Nothing here can be better than mating now or worse than being mated here.
            alpha = alpha.max(score::mated_in(ply));
            beta = beta.min(score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
            if depth >= UPCOMING_DEPTH
                && alpha < score::DRAW
                && let Some(s) = self.upcoming_repetition(ply)
            {
                alpha = alpha.max(s);
                if alpha >= beta {
                    return alpha;
                }
            }
            self.frame_mut(ply).history_verdicts = self.history_verdicts;
        }
        let in_check = self.pos.in_check();
        if ply >= MAX_PLY - 2 {
            return if in_check {
                score::DRAW
            } else {
                self.eval.evaluate(&self.pos)
            };
        }

        // Transposition table.
        let key = self.pos.key();
        let tt = if excluded.is_none() {
            self.shared.table.probe(key)
        } else {
            None
        };
        let tt_move = tt.map_or(Move::NONE, |e| e.mv);
        let tt_score = match tt {
            Some(e) if e.score != score::NONE => score::from_table(e.score, ply),
            _ => score::NONE,
        };
        let tt_pv = PV || tt.is_some_and(|e| e.pv);
        if let Some(e) = tt
            && !PV
            && tt_score != score::NONE
            && e.depth >= depth
            && !self.near_limit()
        {
            let cuts = match e.bound {
                Bound::Exact => true,
                Bound::Lower => tt_score >= beta,
                Bound::Upper => tt_score <= alpha,
            };
            if cuts {
                if tt_score >= beta && tt_move.is_some() && !self.pos.is_capture(tt_move) {
                    self.learn_quiet(self.pos.stm(), tt_move, &[], depth, ply);
                }
                return tt_score;
            }
        }

        // A side without a move has lost; nothing below may prune that away.
        if !in_check && !self.pos.has_legal_move() {
            return score::mated_in(ply);
        }

        // Static evaluation.
        let mut raw_eval = score::NONE;
        let mut eval = score::NONE;
        if !in_check {
            raw_eval = match tt {
                Some(e) if e.eval != score::NONE => e.eval,
                _ => self.eval.evaluate(&self.pos),
            };
            eval = self.corrected(raw_eval);
        }
        let static_eval = eval;
        self.frame_mut(ply).eval = static_eval;
        self.frame_mut(ply + 1).cutoffs = 0;
        self.frame_mut(ply + 1).killers = [Move::NONE; 2];
        let improving = !in_check && {
            let back = |plies: usize| self.frames[ply + super::worker::BEFORE_ROOT - plies].eval;
            let before = if back(2) != score::NONE {
                back(2)
            } else {
                back(4)
            };
            before == score::NONE || static_eval > before
        };
        if !in_check
            && let Some(e) = tt
            && tt_score != score::NONE
            && !score::is_decided(tt_score)
        {
            let better = match e.bound {
                Bound::Exact => true,
                Bound::Lower => tt_score > eval,
                Bound::Upper => tt_score < eval,
            };
            if better {
                eval = tt_score;
            }
        }

        if !PV && !in_check && excluded.is_none() {
            if let Some(s) = self.prune_node(
                alpha,
                beta,
                depth,
                ply,
                eval,
                static_eval,
                improving,
                cut_node,
            ) {
                return s;
            }
            if let Some(s) = self.prob_cut(beta, depth, ply, static_eval, tt_move, cut_node) {
                return s;
            }
        }
        if self.stopped {
            return score::DRAW;
        }

        // Without a move from the table the node is searched less deep: it will be known next time.
        if depth >= 4 && tt_move.is_none() && excluded.is_none() && (PV || cut_node) {
            depth -= 1;
        }

        let us = self.pos.stm();
        let p = self.params();
        let trail = self.trail(ply);
        let killers = self.frame(ply).killers;
        let refutations = [killers[0], killers[1], self.histories.counter(&trail)];
        let mut picker = MovePicker::new(&self.pos, tt_move, refutations, trail);
        let tt_capture = tt_move.is_some() && self.pos.is_capture(tt_move);
        // Against a side that may run out of moves no move is pruned.
        let may_prune = self.has_attackers(!us);
        let original_alpha = alpha;
        let mut best = -score::INFINITE;
        let mut best_move = Move::NONE;
        let mut number = 0;
        let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut captures: ArrayVec<Move, 32> = ArrayVec::new();

        while let Some(m) = picker.next(&self.pos, &self.histories) {
            if m == excluded {
                continue;
            }
            number += 1;
            let capture = self.pos.is_capture(m);
            let check = self.pos.gives_check(m);
            let mut r = self.shared.reductions.get(depth, number);
            let history = if capture {
                0
            } else {
                picker.history(&self.pos, &self.histories, m)
            };

            if may_prune && best > -score::WIN_BOUND {
                let lmr_depth = (depth - r / 1024).max(0);
                if !capture {
                    let most = (p.lmp_base + p.lmp_slope * depth * depth)
                        / if improving { 100 } else { 200 };
                    if number as i32 > most {
                        picker.skip_quiets();
                    }
                    if !check {
                        if history < -p.history_prune * depth && depth <= 6 {
                            continue;
                        }
                        if !in_check
                            && lmr_depth <= 8
                            && static_eval
                                + p.futility_base
                                + p.futility_margin * lmr_depth
                                + history / p.futility_history
                                <= alpha
                        {
                            continue;
                        }
                    }
                    if !self.pos.see_ge(
                        m,
                        -p.see_quiet * lmr_depth * lmr_depth - if check { 60 } else { 0 },
                    ) {
                        continue;
                    }
                } else if depth <= 8 && !self.pos.see_ge(m, -p.see_capture * depth) {
                    continue;
                }
            }

            // Extensions: a move that alone holds the node, and sound checks.
            let mut extension = 0;
            if let Some(e) = tt
                && m == tt_move
                && excluded.is_none()
                && depth >= 7
                && e.depth >= depth - 3
                && e.bound != Bound::Upper
                && tt_score != score::NONE
                && !score::is_decided(tt_score)
                && ply < 2 * self.root_depth as usize
            {
                let target = tt_score - p.singular_margin * depth / 16;
                self.frame_mut(ply).excluded = m;
                let v = self.search::<false>(target - 1, target, (depth - 1) / 2, ply, cut_node);
                self.frame_mut(ply).excluded = Move::NONE;
                if self.stopped {
                    return score::DRAW;
                }
                if v < target {
                    extension = if !PV && v < target - p.singular_double {
                        2
                    } else {
                        1
                    };
                } else if target >= beta {
                    return target; // several moves cut
                } else if tt_score >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            } else if check && ply < 2 * self.root_depth as usize && self.pos.see_ge(m, 0) {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;

            self.make(ply, m);
            let mut value;
            if depth >= 2 && number > 1 + usize::from(PV) && (!capture || number > 4) {
                // Late moves: less deep, by how little is expected of them.
                if !tt_pv {
                    r += p.lmr_not_pv;
                } else {
                    r -= p.lmr_was_pv;
                }
                if cut_node {
                    r += p.lmr_cut_node;
                }
                if !improving {
                    r += p.lmr_not_improving;
                }
                if tt_capture {
                    r += p.lmr_table_capture;
                }
                if check {
                    r -= p.lmr_check;
                }
                if self.frame(ply + 1).cutoffs > 3 {
                    r += p.lmr_cutoffs;
                }
                if capture {
                    r -= p.lmr_capture;
                } else {
                    if refutations.contains(&m) {
                        r -= p.lmr_refutation;
                    }
                    r -= history / p.lmr_history;
                }
                let reduced = (new_depth - r / 1024).clamp(1.min(new_depth), new_depth);
                value = -self.search::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
                if value > alpha && reduced < new_depth {
                    value =
                        -self.search::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                }
            } else if !PV || number > 1 {
                value = -self.search::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            } else {
                value = score::NONE;
            }
            if PV && (number == 1 || value > alpha) {
                value = -self.search::<true>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake();
            if self.stopped {
                return score::DRAW;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = m;
                    if PV {
                        self.update_pv(ply, m);
                    }
                    if value >= beta {
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = value;
                }
            }
            if m != best_move {
                let _ = if capture {
                    captures.try_push(m)
                } else {
                    quiets.try_push(m)
                };
            }
        }

        if number == 0 {
            return if excluded.is_some() {
                alpha
            } else {
                score::mated_in(ply)
            };
        }
        if best == -score::INFINITE {
            // All moves were pruned.
            best = alpha;
        }
        if best_move.is_some() && best >= beta {
            if self.pos.is_capture(best_move) {
                self.learn_captures(best_move, &captures, depth);
            } else {
                self.learn_quiet(us, best_move, &quiets, depth, ply);
                self.learn_captures(Move::NONE, &captures, depth);
            }
        }
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if PV && best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let quiet_best = best_move.is_none() || !self.pos.is_capture(best_move);
            let learns = match bound {
                Bound::Exact => true,
                Bound::Lower => best > static_eval,
                Bound::Upper => best < static_eval,
            };
            if !in_check && quiet_best && learns && !score::is_decided(best) {
                let key = self.correction_key();
                self.histories
                    .update_correction(us, key, best - raw_eval, depth);
            }
            self.store(key, best_move, best, raw_eval, depth, bound, tt_pv, ply);
        }
        best
    }

    /// The static evaluation with what searches of like positions have taught.
    #[inline]
    pub(super) fn corrected(&self, raw: Score) -> Score {
        let (key, weight) = (self.correction_key(), self.params().correction_weight);
        let c = self.histories.correction(self.pos.stm(), key, weight);
        (raw + c).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    /// Whether a side has a rook, horse or cannon.
    #[inline]
    pub(super) fn has_attackers(&self, side: Color) -> bool {
        let p = &self.pos;
        let kinds: Bitboard =
            p.kind(PieceType::Rook) | p.kind(PieceType::Knight) | p.kind(PieceType::Cannon);
        (kinds & p.side(side)).any()
    }

    #[inline]
    pub(super) fn update_pv(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&tail[0]);
    }
}
