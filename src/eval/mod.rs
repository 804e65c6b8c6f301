//! Static evaluation: what a position is worth without looking ahead, in centipawns from the side
//! to move. A network says it; without one the pieces are counted. Imports `nnue`, `position`,
//! `types`.

mod material;

use crate::nnue::{Accumulators, Network};
use crate::position::Position;
use crate::types::{Move, PieceType, Score, score};
use std::sync::Arc;

/// Name of an evaluation, for notes on what was made with it.
pub fn name(network: Option<&Network>) -> String {
    match network {
        Some(network) => format!("network-{:08x}", network.checksum()),
        None => "material".into(),
    }
}

/// Evaluates positions along a line of play; told of each move before it is made.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    network: Option<(Arc<Network>, Accumulators)>,
}

impl Evaluator {
    /// Takes a network into use, or none. [`Evaluator::reset`] has to follow.
    pub fn use_network(&mut self, network: Option<&Arc<Network>>) {
        let same = match (&self.network, network) {
            (Some((own, _)), Some(new)) => Arc::ptr_eq(own, new),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.network = network.map(|n| (Arc::clone(n), Accumulators::new(n)));
        }
    }

    /// Stands at another position.
    pub fn reset(&mut self) {
        if let Some((_, sums)) = &mut self.network {
            sums.reset();
        }
    }

    /// Follows a move that is about to be made in `p`.
    #[inline]
    pub fn push(&mut self, p: &Position, m: Move) {
        if let Some((_, sums)) = &mut self.network {
            sums.push(p, m);
        }
    }

    /// Goes back one move.
    #[inline]
    pub fn pop(&mut self) {
        if let Some((_, sums)) = &mut self.network {
            sums.pop();
        }
    }

    /// The evaluation of `p`, which must be where the evaluator stands; within
    /// ±[`score::MAX_EVAL`].
    pub fn evaluate(&mut self, p: &Position) -> Score {
        let value = match &mut self.network {
            Some((network, sums)) => sums.evaluate(network, p),
            None => material::evaluate(p),
        };
        scale_by_material(p, damped(p, value)).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }
}

/// Plies without capture up to which an advantage counts in full.
const PATIENCE: i64 = 40;
/// Plies over which it would fade away after that. The natural limit of 60 rounds comes when half of it
/// is left.
const FADING: i64 = 160;

/// Draws the score towards zero as the natural limit nears: an advantage that has brought nothing
/// for long is worth less.
fn damped(p: &Position, value: Score) -> Score {
    let quiet = p.quiet_plies().min(120) as i64;
    (i64::from(value) * (FADING - (quiet - PATIENCE).max(0)) / FADING) as Score
}

/// Draws the score towards zero when the side that stands better has nothing left that can win:
/// no rook, horse, cannon or pawn over the river or on its way.
fn scale_by_material(p: &Position, value: Score) -> Score {
    let strong = if value > 0 { p.stm() } else { !p.stm() };
    let attackers = p.kind(PieceType::Rook)
        | p.kind(PieceType::Knight)
        | p.kind(PieceType::Cannon)
        | p.kind(PieceType::Pawn);
    if (attackers & p.side(strong)).is_empty() {
        value / 16
    } else {
        value
    }
}

/// The evaluation of a position on its own, by a network or by its pieces, from the side to move
/// in centipawns.
pub fn evaluate(p: &Position, network: Option<&Arc<Network>>) -> Score {
    let mut e = Evaluator::default();
    e.use_network(network);
    e.evaluate(p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Setup;

    fn flipped(p: &Position) -> Position {
        Position::from_setup(&Setup::from(p).flipped()).unwrap()
    }

    fn mirrored(p: &Position) -> Position {
        Position::from_setup(&Setup::from(p).mirrored()).unwrap()
    }

    /// Red and Black are treated alike, by a count of pieces left and right as well, and following
    /// moves ends where a fresh look does.
    #[test]
    fn symmetric_and_incremental() {
        use rand::{RngExt, SeedableRng, rngs::StdRng};
        let mut rng = StdRng::seed_from_u64(5);
        for network in [Some(Arc::new(Network::embedded())), None] {
            let mut e = Evaluator::default();
            e.use_network(network.as_ref());
            for _ in 0..50 {
                let mut p = Position::startpos();
                e.reset();
                for _ in 0..120 {
                    let moves = p.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    let m = moves[rng.random_range(0..moves.len())];
                    e.push(&p, m);
                    p.make(m);
                    let v = e.evaluate(&p);
                    assert_eq!(v, evaluate(&p, network.as_ref()), "{}", p.fen());
                    // The board alone does not know of plies without capture.
                    if p.quiet_plies() as i64 <= PATIENCE {
                        let there = evaluate(&flipped(&p), network.as_ref());
                        assert_eq!(v, there, "{}", p.fen());
                        if network.is_none() {
                            assert_eq!(v, evaluate(&mirrored(&p), None), "{}", p.fen());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn material_counts() {
        let up = Position::from_fen("3k1ab2/9/9/9/9/9/9/9/9/R2AKAB2 w").unwrap();
        // Guards alone cannot win.
        let bare = Position::from_fen("3k5/9/9/9/9/9/9/9/9/3AKAB2 w").unwrap();
        for network in [Some(Arc::new(Network::embedded())), None] {
            assert!(evaluate(&up, network.as_ref()) > 400);
            assert!(evaluate(&bare, network.as_ref()).abs() < 60);
        }
    }
}
