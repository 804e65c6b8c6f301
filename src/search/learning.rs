//! What a node teaches the histories.

use super::history::piece_to;
use super::worker::Worker;
use crate::types::{Color, Move};

impl Worker {
    /// What the move that cut at this depth gains.
    fn bonus(&self, depth: i32) -> i32 {
        let p = self.params();
        (p.bonus_slope * depth - p.bonus_slope / 2).min(p.bonus_limit)
    }

    /// A quiet move cut: it gains, those tried before it lose.
    pub(super) fn learn_quiet(
        &mut self,
        us: Color,
        best: Move,
        others: &[Move],
        depth: i32,
        ply: usize,
    ) {
        let trail = self.trail(ply);
        let up = self.bonus(depth);
        let mut update = |m: Move, amount: i32| {
            if let Some(piece) = self.pos.moved_piece(m) {
                let now = piece_to(piece, m.to());
                self.histories.update_quiet(us, m, amount);
                self.histories.update_continuation(&trail, now, amount);
            }
        };
        update(best, up);
        for &m in others {
            if m != best {
                update(m, -up);
            }
        }
        self.histories.set_counter(&trail, best);
        let killers = &mut self.frame_mut(ply).killers;
        if killers[0] != best {
            killers[1] = killers[0];
            killers[0] = best;
        }
    }

    pub(super) fn learn_captures(&mut self, best: Move, others: &[Move], depth: i32) {
        let up = self.bonus(depth);
        for (m, amount) in core::iter::once((best, up)).chain(others.iter().map(|&m| (m, -up))) {
            if m.is_some()
                && let (Some(piece), Some(taken)) =
                    (self.pos.moved_piece(m), self.pos.captured_by(m))
            {
                self.histories
                    .update_capture(piece, m.to(), taken.kind(), amount);
            }
        }
    }
}
