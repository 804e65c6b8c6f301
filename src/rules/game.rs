//! The arbiter of a game: a verdict after every ply.

use super::board::Board;
use super::classify::{SideClass, WindowMove, classify};
use super::label::{Labelled, label_move};
use super::ruleset::RuleSet;
use super::verdict::{Reason, Ruling, Verdict, decide};
use crate::position::Position;
use crate::types::{Color, Move, PieceType, Square};
use std::collections::HashMap;

/// A repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Ply (from 1) that left the first occurrence of the position.
    pub first_ply: usize,
    /// Plies between the last two occurrences.
    pub length: usize,
    /// Occurrences of the position so far.
    pub occurrences: usize,
}

/// What the arbiter says of a position.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// How the game stands.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// A side that must vary or will lose (24.3).
    pub must_vary: Option<Color>,
    /// The repetition judged, if any.
    pub cycle: Option<Cycle>,
    /// Classes of Red and Black in it.
    pub classes: Option<[SideClass; 2]>,
    /// The plies of the repetition with their labels.
    pub moves: Vec<WindowMove>,
}

impl Judgement {
    fn plain(verdict: Verdict, reason: Reason) -> Judgement {
        Judgement {
            verdict,
            reason,
            must_vary: None,
            cycle: None,
            classes: None,
            moves: Vec::new(),
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.verdict != Verdict::Ongoing
    }
}

/// Judges positions with their history. It remembers labels, so judging a game ply by ply labels
/// each move once.
#[derive(Debug)]
pub struct Arbiter {
    rules: RuleSet,
    detail: bool,
    labels: HashMap<(u64, Move), Labelled>,
}

impl Arbiter {
    /// An arbiter with these rules.
    pub fn new(rules: RuleSet) -> Arbiter {
        Arbiter {
            rules,
            detail: true,
            labels: HashMap::new(),
        }
    }

    /// An arbiter for verdicts alone: idle moves are not told apart.
    pub fn brief(rules: RuleSet) -> Arbiter {
        Arbiter {
            detail: false,
            ..Arbiter::new(rules)
        }
    }

    /// The judgement of an illegal move of this side: it loses (4.1.6).
    pub fn illegal_move(side: Color) -> Judgement {
        Judgement::plain(Verdict::Loses(side), Reason::IllegalMove)
    }

    /// The rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Judges a position by itself and its history.
    pub fn judge(&mut self, p: &Position) -> Judgement {
        if !p.has_legal_move() {
            let reason = if p.in_check() {
                Reason::Checkmate
            } else {
                Reason::Stalemate
            };
            return Judgement::plain(Verdict::Loses(p.stm()), reason);
        }
        let repeated = self.repetition(p);
        if let Some(j) = repeated.as_ref().filter(|j| j.is_over()) {
            return j.clone();
        }
        let end = if self.rules.limit_reached(p) {
            Some(Reason::NaturalLimit)
        } else if no_attackers(p) {
            Some(Reason::NoAttackers)
        } else {
            None
        };
        if let Some(reason) = end {
            return Judgement::plain(Verdict::Draw, reason);
        }
        repeated.unwrap_or_else(|| Judgement::plain(Verdict::Ongoing, Reason::NotOver))
    }

    fn repetition(&mut self, p: &Position) -> Option<Judgement> {
        let occurrences = occurrences(p);
        let n = occurrences.len() + 1;
        if n < self.rules.trigger {
            return None;
        }
        let first = *occurrences.last()?;
        let cycle = Cycle {
            first_ply: p.ply_count() - first + 1,
            length: occurrences[0],
            occurrences: n,
        };
        let mut moves = self.label_window(p, first);
        let classes = classify(&mut moves, &self.rules);
        let ruling = if self.rules.judges {
            decide(classes, &moves, &self.rules)
        } else {
            Ruling::Draw(Reason::BothPermitted)
        };
        let (verdict, reason, must_vary) = match ruling {
            Ruling::Draw(reason) => (Verdict::Draw, reason, None),
            Ruling::Loses(side, reason) => (Verdict::Loses(side), reason, None),
            Ruling::MustVary(side, reason) if self.rules.strict || n > self.rules.trigger => {
                (Verdict::Loses(side), reason, None)
            }
            Ruling::MustVary(side, _) => (Verdict::Ongoing, Reason::NotOver, Some(side)),
        };
        Some(Judgement {
            verdict,
            reason,
            must_vary,
            cycle: Some(cycle),
            classes: Some(classes),
            moves,
        })
    }

    /// The last `back` plies with their labels.
    pub fn label_window(&mut self, p: &Position, back: usize) -> Vec<WindowMove> {
        let mut start = p.clone();
        for _ in 0..back {
            start.unmake();
        }
        let mut board = Board::new(&start);
        let mut origin: [Option<Square>; 90] = std::array::from_fn(Square::from_index);
        let mut window = Vec::with_capacity(back);
        for i in (0..back).rev() {
            let (Some(state), Some(before)) = (p.state_back(i), p.state_back(i + 1)) else {
                break;
            };
            let m = state.last_move();
            let labelled = self
                .labels
                .entry((before.key(), m))
                .or_insert_with(|| label_move(&board, m, &self.rules, self.detail))
                .clone();
            let side = board.stm();
            board = board.after(m);
            origin[m.to().index()] = origin[m.from().index()].take();
            let victims = labelled
                .targets
                .iter()
                .filter_map(|s| origin[s.index()])
                .collect();
            window.push(WindowMove {
                ply: p.ply_count() - i,
                side,
                labelled,
                victims,
            });
        }
        window
    }
}

/// How many plies ago the position occurred, the latest first.
fn occurrences(p: &Position) -> Vec<usize> {
    let reach = p.reversible_plies();
    (4..=reach)
        .step_by(2)
        .filter(|&back| p.key_back(back) == p.key())
        .collect()
}

/// Neither side has a piece that can attack (4.2.1).
fn no_attackers(p: &Position) -> bool {
    let attackers = [
        PieceType::Rook,
        PieceType::Knight,
        PieceType::Cannon,
        PieceType::Pawn,
    ];
    attackers.into_iter().all(|k| p.kind(k).is_empty())
}
