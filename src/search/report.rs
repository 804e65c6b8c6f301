//! What a search tells those who asked for it.

use crate::types::{Move, Score};
use std::time::Duration;

/// How a reported score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of thought.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// Finished depth in plies.
    pub depth: u32,
    /// Deepest ply looked at.
    pub seldepth: u32,
    /// Rank of this line among the best, from 1.
    pub multipv: usize,
    /// Score from the side to move.
    pub score: Score,
    /// What the score is.
    pub bound: Bound,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the command was received.
    pub time: Duration,
    /// Filled part of the transposition table in thousandths.
    pub hashfull: u32,
    /// The line, legal to its end; never empty.
    pub pv: &'a [Move],
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The reply that is expected to it.
    pub ponder: Option<Move>,
    /// Score of the best line from the side to move.
    pub score: Score,
    /// It was proved that the side to move has no mate in so many moves; 0 if nothing of the kind
    /// was (only a search for a mate asks).
    pub no_mate_in: u32,
    /// Depth finished.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the command was received.
    pub time: Duration,
}

/// Receives what a search has to tell, on the search's own thread: it should hand things on and
/// return quickly.
pub trait Reporter: Send {
    /// A line at a finished or failed depth. Lines of one depth come together, best first.
    fn line(&mut self, info: &Info<'_>);

    /// A root move is looked at; sent only in long searches.
    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        let _ = (depth, m, number);
    }

    /// Something for the user to read.
    fn message(&mut self, text: &str) {
        let _ = text;
    }

    /// The end: called once, last, and not before stop or ponderhit where the limits say so.
    fn finished(&mut self, outcome: &Outcome);
}
