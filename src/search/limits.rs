//! What ends a search, and how it is to be done.

use crate::nnue::Network;
use crate::rules::RuleSet;
use crate::types::Move;
use std::sync::Arc;
use std::time::Duration;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left; zero means "move at once".
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until the clock is wound up again; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What ends a search: whichever limit is reached first. Without any it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Greatest depth in plies, at least 1.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// No new iteration once the leading thread has spent so many nodes.
    pub soft_nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Look for a mate in this many moves; ends when found or disproved.
    pub mate: Option<u32>,
    /// The clock.
    pub clock: Option<Clock>,
    /// No answer before a stop, whatever else is reached.
    pub infinite: bool,
    /// Like `infinite` until [`super::Signals::ponder_hit`]; from then on time counts.
    pub ponder: bool,
    /// Only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Not these root moves, unless no other is left.
    pub ban_moves: Vec<Move>,
}

/// How a search is done; set by options, alike for many searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of best lines to report, at least 1.
    pub multipv: usize,
    /// Time lost outside the engine for each move.
    pub move_overhead: Duration,
    /// Percent of the planned time to use, 10..=1000.
    pub slow_mover: u32,
    /// The client will let the engine think on the opponent's time.
    pub can_ponder: bool,
    /// Nodes that count as a millisecond, so that clocks run the same on every machine; `None`
    /// for real time.
    pub nodes_per_ms: Option<u64>,
    /// A strength below the full one.
    pub skill: Option<super::Skill>,
    /// Rules of repetition and of the natural limit.
    pub rules: RuleSet,
    /// What evaluates; `None`: the pieces are counted.
    pub network: Option<Arc<Network>>,
    /// The search's numbers while they are being tuned.
    #[cfg(feature = "tune")]
    pub params: super::Params,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            slow_mover: 100,
            can_ponder: false,
            nodes_per_ms: None,
            skill: None,
            rules: RuleSet::default(),
            network: None,
            #[cfg(feature = "tune")]
            params: super::Params::DEFAULT,
        }
    }
}
