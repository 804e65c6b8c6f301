//! Static evaluation: what a position is worth without looking ahead, in centipawns from the side
//! to move. A network says it if there is one, else the evaluation made by hand. Imports `nnue`,
//! `position`, `attacks`, `types`.

mod hand_made;
mod terms;
mod weights;

use crate::nnue::{Accumulators, Network};
use crate::position::Position;
use crate::types::{Move, PieceType, Score, score};
use hand_made::HandMade;
use std::sync::Arc;

pub use hand_made::{PHASE_MAX, Tapered, piece_square_index};
pub use terms::{TERMS, visit};

/// Name of an evaluation, for notes on what was made with it.
pub fn name(network: Option<&Network>) -> String {
    match network {
        Some(network) => format!("network-{:08x}", network.checksum()),
        None => "hand-made".into(),
    }
}

/// Evaluates positions along a line of play; told of each move before it is made.
#[derive(Clone, Debug)]
pub struct Evaluator {
    hand_made: HandMade,
    network: Option<(Arc<Network>, Accumulators)>,
}

impl Evaluator {
    /// An evaluator without a network that stands at this position.
    pub fn new(p: &Position) -> Evaluator {
        Evaluator {
            hand_made: HandMade::new(p),
            network: None,
        }
    }

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
    pub fn reset(&mut self, p: &Position) {
        match &mut self.network {
            Some((_, sums)) => sums.reset(),
            None => self.hand_made.reset(p),
        }
    }

    /// Follows a move that is about to be made in `p`.
    #[inline]
    pub fn push(&mut self, p: &Position, m: Move) {
        match &mut self.network {
            Some((_, sums)) => sums.push(p, m),
            None => self.hand_made.push(p, m),
        }
    }

    /// Goes back one move.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.network {
            Some((_, sums)) => sums.pop(),
            None => self.hand_made.pop(),
        }
    }

    /// The evaluation of `p`, which must be where the evaluator stands; within
    /// ±[`score::MAX_EVAL`].
    pub fn evaluate(&mut self, p: &Position) -> Score {
        let value = match &mut self.network {
            Some((network, sums)) => damped(p, sums.evaluate(network, p)),
            None => self.hand_made.evaluate(p),
        };
        scale_by_material(p, value).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }
}

/// Plies without capture up to which an advantage counts in full.
const PATIENCE: i64 = 40;
/// Plies over which it would fade away after that. The natural limit of 60 rounds comes when half of it
/// is left.
const FADING: i64 = 160;

/// Draws the score towards zero as the natural limit nears: an advantage that has brought nothing
/// for long is worth less. The hand-made evaluation was tuned without it.
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

/// The evaluation of a position on its own by a network or by hand, from the side to move in
/// centipawns.
pub fn evaluate_with(p: &Position, network: Option<&Arc<Network>>) -> Score {
    let mut e = Evaluator::new(p);
    e.use_network(network);
    e.reset(p);
    e.evaluate(p)
}

/// The evaluation of a position on its own by hand, from the side to move in centipawns.
pub fn evaluate(p: &Position) -> Score {
    evaluate_with(p, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Setup;
    use crate::types::{Piece, Square};

    fn flipped(p: &Position) -> Position {
        let mut s = Setup::empty();
        s.stm = !p.stm();
        for sq in Square::all() {
            s.board[sq.flip().index()] = p.piece_on(sq).map(|x| Piece::new(!x.color(), x.kind()));
        }
        Position::from_setup(&s).unwrap()
    }

    fn mirrored(p: &Position) -> Position {
        let mut s = Setup::empty();
        s.stm = p.stm();
        for sq in Square::all() {
            s.board[sq.mirror().index()] = p.piece_on(sq);
        }
        Position::from_setup(&s).unwrap()
    }

    #[test]
    fn symmetric_and_incremental() {
        use rand::{RngExt, SeedableRng, rngs::StdRng};
        let mut rng = StdRng::seed_from_u64(5);
        for _ in 0..50 {
            let mut p = Position::startpos();
            let mut e = Evaluator::new(&p);
            for _ in 0..120 {
                let moves = p.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.random_range(0..moves.len())];
                e.push(&p, m);
                p.make(m);
                let v = e.evaluate(&p);
                assert_eq!(v, evaluate(&p), "{}", p.fen());
                assert_eq!(v, evaluate(&flipped(&p)), "{}", p.fen());
                assert_eq!(v, evaluate(&mirrored(&p)), "{}", p.fen());
            }
        }
    }

    #[test]
    fn material_counts() {
        let up = Position::from_fen("3k1ab2/9/9/9/9/9/9/9/9/R2AKAB2 w").unwrap();
        assert!(evaluate(&up) > 400);
        // Guards alone cannot win.
        let bare = Position::from_fen("3k5/9/9/9/9/9/9/9/9/3AKAB2 w").unwrap();
        assert!(evaluate(&bare).abs() < 60);
    }
}
