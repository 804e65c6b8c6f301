//! The evaluation made by hand: tapered between middlegame and endgame; every term is a weight times
//! a count, the piece-square part being kept up move by move.

use super::terms::{self, visit};
use super::weights;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceType, Score, Square, score};
use core::ops::{Add, AddAssign, Mul, Sub};

/// A middlegame and an endgame value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// With all pieces on the board.
    pub mg: i32,
    /// With none of the attacking pieces left.
    pub eg: i32,
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn add(self, o: Tapered) -> Tapered {
        Tapered {
            mg: self.mg + o.mg,
            eg: self.eg + o.eg,
        }
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn sub(self, o: Tapered) -> Tapered {
        Tapered {
            mg: self.mg - o.mg,
            eg: self.eg - o.eg,
        }
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, o: Tapered) {
        *self = *self + o;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, n: i32) -> Tapered {
        Tapered {
            mg: self.mg * n,
            eg: self.eg * n,
        }
    }
}

/// Index of the piece-square weight of a piece: the board is seen from its own side and mirrored
/// to files a–e.
#[inline(always)]
pub const fn piece_square_index(piece: Piece, s: Square) -> usize {
    let s = s.relative(piece.color());
    let file = if s.file() > 4 { 8 - s.file() } else { s.file() };
    piece.kind().index() * 50 + s.rank() * 5 + file
}

/// How much of the middlegame is left, 0..=[`PHASE_MAX`].
#[inline(always)]
const fn phase_weight(kind: PieceType) -> i32 {
    match kind {
        PieceType::Rook => 4,
        PieceType::Knight | PieceType::Cannon => 2,
        _ => 0,
    }
}

/// Phase of the start position.
pub const PHASE_MAX: i32 = 2 * (2 * 4 + 2 * 2 + 2 * 2);

/// The part of the evaluation that moves change little by little, Red's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Running {
    squares: Tapered,
    phase: i32,
}

impl Running {
    fn of(p: &Position) -> Running {
        let mut r = Running::default();
        for s in p.occupied() {
            if let Some(piece) = p.piece_on(s) {
                r.put(piece, s, 1);
            }
        }
        r
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, s: Square, times: i32) {
        let w = weights::PIECE_SQUARE[piece_square_index(piece, s)];
        let sign = if piece.color() == Color::Red {
            times
        } else {
            -times
        };
        self.squares += w * sign;
        self.phase += phase_weight(piece.kind()) * times;
    }
}

/// Evaluates positions along a line of play; told of each move before it is made.
#[derive(Clone, Debug)]
pub struct HandMade {
    stack: Vec<Running>,
}

impl HandMade {
    /// An evaluator that stands at this position.
    pub fn new(p: &Position) -> HandMade {
        let mut e = HandMade {
            stack: Vec::with_capacity(score::MAX_PLY + 8),
        };
        e.reset(p);
        e
    }

    /// Stands at another position.
    pub fn reset(&mut self, p: &Position) {
        self.stack.clear();
        self.stack.push(Running::of(p));
    }

    /// Follows a move that is about to be made in `p`.
    #[inline]
    pub fn push(&mut self, p: &Position, m: Move) {
        let mut r = self.top();
        if let Some(piece) = p.moved_piece(m) {
            r.put(piece, m.from(), -1);
            r.put(piece, m.to(), 1);
        }
        if let Some(taken) = p.captured_by(m) {
            r.put(taken, m.to(), -1);
        }
        self.stack.push(r);
    }

    /// Goes back one move.
    #[inline]
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    fn top(&self) -> Running {
        self.stack.last().copied().unwrap_or_default()
    }

    /// The evaluation of `p`, which must be where the evaluator stands.
    pub fn evaluate(&self, p: &Position) -> Score {
        let running = self.top();
        debug_assert_eq!(running, Running::of(p));
        let mut sum = running.squares;
        let mut tempo = Tapered::default();
        visit(p, |index, count| {
            let w = weights::TERMS[index];
            if index == terms::TEMPO {
                tempo = w
            } else {
                sum += w * count
            }
        });
        let phase = running.phase.min(PHASE_MAX);
        let blend = |t: Tapered| (t.mg * phase + t.eg * (PHASE_MAX - phase)) / PHASE_MAX;
        let red = blend(sum);
        let own = if p.stm() == Color::Red { red } else { -red };
        own + blend(tempo)
    }
}
