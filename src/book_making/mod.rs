//! Opening books made: gathered from games, checked by search, edited, written out.
//!
//! From the games upwards: [`read_games`] reads files, [`gather`] counts what was played and makes
//! a [`Table`] of it, [`Graph`] walks a table from the start of the game, [`Judge`] asks the
//! engine about positions (several at once, resumable), [`check`](mod@check) finds the moves that lose too
//! much, [`extend`](mod@extend) lets the engine go on where the games end. `tree` and `suite` write out.
//! Imports what lies below it and, of `analysis` beside it, the thinker and the names of openings.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod check;
mod edit;
pub mod extend;
mod gather;
mod graph;
mod judge;
mod sources;
mod suite;
mod tree;

pub use edit::{edit, merge};
pub use gather::{Gathered, Rules as GatherRules, gather};
pub use graph::{Edge, Graph, Node};
pub use judge::{Judge, Opinion, Opinions, PACES};
pub use sources::{Only, read_games};
pub use suite::{Suite, SuiteRules, suite};
pub use tree::{line_games, tree_text};

use crate::opening_book::BookMove;
use crate::types::Move;
use std::collections::BTreeMap;

/// A book to work on: moves by the key of their position, turned as
/// [`crate::opening_book::Symmetry`] tells.
pub type Table = BTreeMap<u64, Vec<BookMove>>;

/// Moves and how likely each is played, parts of 1.
type Parts = Vec<(Move, f64)>;

/// Adds to the part of a move.
fn add_part(parts: &mut Parts, mv: Move, part: f64) {
    match parts.iter_mut().find(|(m, _)| *m == mv) {
        Some((_, sum)) => *sum += part,
        None => parts.push((mv, part)),
    }
}

/// Weights of a position are written so that the greatest is this.
const TOP_WEIGHT: u16 = 1000;

/// Whole weights in these proportions: the greatest becomes 1000, none that was positive 0.
fn set_weights(moves: &mut [BookMove], raw: &[f64]) {
    let top = raw.iter().copied().fold(0.0, f64::max);
    for (m, &r) in moves.iter_mut().zip(raw) {
        m.weight = if r > 0.0 && top > 0.0 {
            (f64::from(TOP_WEIGHT) * r / top).round().max(1.0) as u16
        } else {
            0
        };
    }
}
