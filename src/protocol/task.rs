//! What a session is busy with, and what waits behind it.

use super::command::Command;
use crate::search::Outcome;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What is being done.
#[derive(Debug)]
pub(super) enum Task {
    /// A search whose answer is a move.
    Search,
    /// Waiting for `stop` without a position to think about.
    Nothing,
    /// Perft or bench; the flag ends it.
    Job(Arc<AtomicBool>),
}

/// The task that runs.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) task: Task,
    /// `stop` came.
    pub(super) stopped: bool,
    /// Nothing but `stop` ends it.
    pub(super) infinite: bool,
    /// Nothing but `ponderhit` or `stop` ends it.
    pub(super) ponder: bool,
    /// The opponent offered a draw.
    pub(super) draw: bool,
    /// The end, kept back because it came too early.
    pub(super) held: Option<Outcome>,
}

impl Running {
    pub(super) fn new(task: Task, infinite: bool, ponder: bool) -> Running {
        Running {
            task,
            stopped: false,
            infinite,
            ponder,
            draw: false,
            held: None,
        }
    }

    /// Whether it ends without a further command.
    pub(super) fn will_end(&self) -> bool {
        self.stopped || !self.infinite && !self.ponder
    }
}

/// A command that waits for the end of a search.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) command: Command,
    /// When its clock starts; `None`: when its turn comes.
    pub(super) received: Option<Instant>,
    /// A `stop` came after it.
    pub(super) stopped: bool,
    /// A `ponderhit` came after it; with or without the offer of a draw.
    pub(super) hit: Option<bool>,
}
