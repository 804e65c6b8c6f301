//! Mate by an unbroken series of checks (Art. 28.2), found by iterative deepening over checks
//! only. Used for 杀 and for Art. 29.4 (a capture after which the taker is mated is no threat).

use super::board::Board;
use crate::types::Move;

/// Work a search may do, counted in checks tried: a label must not hang on an odd position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(pub u32);

impl Budget {
    /// Spends one position; false when nothing is left.
    pub fn spend(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// The mating line (checks with one defence each) of at most `depth` checks by the side to move,
/// the shortest first; `None` if there is none within depth and budget. Moves in `barred` are not
/// used: to take a piece that could take as well is 兑, no threat.
pub(super) fn mate_by_checks(
    b: &Board,
    barred: &[Move],
    depth: u8,
    budget: &mut Budget,
) -> Option<Vec<Move>> {
    (1..=depth).find_map(|d| mate_in(b, barred, d, budget))
}

/// Whether there is such a mate.
pub(super) fn can_mate(b: &Board, depth: u8, budget: &mut Budget) -> bool {
    mate_by_checks(b, &[], depth, budget).is_some()
}

fn mate_in(b: &Board, barred: &[Move], depth: u8, budget: &mut Budget) -> Option<Vec<Move>> {
    for check in b.checks() {
        if barred.contains(&check) {
            continue;
        }
        if !budget.spend() {
            return None;
        }
        let after = b.after(check);
        if depth == 1 {
            if !after.has_move() {
                return Some(vec![check]);
            }
            continue;
        }
        let mut line = vec![check];
        let refuted = after.legal().into_iter().any(|reply| {
            match mate_by_checks(&after.after(reply), barred, depth - 1, budget) {
                Some(rest) => {
                    if rest.len() + 2 > line.len() {
                        line.truncate(1);
                        line.push(reply);
                        line.extend(rest);
                    }
                    false
                }
                None => true,
            }
        });
        if !refuted {
            return Some(line);
        }
    }
    None
}
