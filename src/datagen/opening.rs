//! Where games start: random legal moves from the start position, or from a game of people.

use super::plan::Plan;
use super::player::Player;
use crate::position::Position;
use crate::types::Move;
use crate::util::{SplitMix, crc32};

/// A game of people, or a single position (no moves).
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it starts.
    pub start: Position,
    /// Its moves; from an illegal one on they are not used.
    pub moves: Vec<Move>,
}

/// Random plies after a position of a game of people, at most.
const PLIES_AFTER_LINE: usize = 4;
/// Nodes of the search that judges a start.
const JUDGING_NODES: u64 = 1_000;
/// Starts that are tried for a game before the window is let go of.
const TRIES: usize = 200;

impl Line {
    /// A number by which lists of lines are told apart.
    pub fn fingerprint(lines: &[Line]) -> u32 {
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend_from_slice(&line.start.key().to_le_bytes());
            for m in &line.moves {
                bytes.extend_from_slice(&m.to_bits().to_le_bytes());
            }
        }
        crc32(&bytes)
    }

    /// A position of the game, each but the last with the same chance.
    fn position(&self, rng: &mut SplitMix) -> Position {
        let mut p = self.start.clone();
        for &m in &self.moves[..rng.below(self.moves.len())] {
            if p.play(m).is_err() {
                break;
            }
        }
        p
    }
}

/// A start within the window of the plan; without history.
pub(super) fn draw(plan: &Plan, rng: &mut SplitMix, player: &mut Player) -> Position {
    for _ in 0..TRIES {
        let Some(p) = attempt(plan, rng) else {
            continue;
        };
        // The history ends here, as it does in the file.
        let Ok(p) = Position::from_fen(&p.fen()) else {
            continue;
        };
        if player.quick_score(&p, JUDGING_NODES).abs() <= plan.opening_window {
            return p;
        }
    }
    // A window that nothing fits is the plan's fault; the start position always serves.
    Position::startpos()
}

/// Random moves to a position in which the game goes on.
fn attempt(plan: &Plan, rng: &mut SplitMix) -> Option<Position> {
    let from_lines = !plan.lines.is_empty() && rng.below(100) < plan.lines_percent as usize;
    let (mut p, plies) = if from_lines {
        let line = &plan.lines[rng.below(plan.lines.len())];
        (line.position(rng), rng.below(PLIES_AFTER_LINE + 1))
    } else {
        let (least, most) = plan.opening_plies;
        let more = most.saturating_sub(least) as usize;
        (Position::startpos(), least as usize + rng.below(more + 1))
    };
    for _ in 0..plies {
        let moves = p.legal_moves();
        let m = *moves.get(rng.below(moves.len()))?;
        p.make(m);
    }
    p.has_legal_move().then_some(p)
}
