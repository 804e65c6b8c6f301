//! From the search's thread to the session's: each report becomes an [`Event`] in a channel.

use crate::search::{Bound, Info, Outcome, Reporter};
use crate::types::{Move, Score};
use crossbeam_channel::Sender;
use std::time::Duration;

/// A line of thought, owned.
#[derive(Clone, Debug)]
pub struct Line {
    pub depth: u32,
    pub seldepth: u32,
    pub multipv: usize,
    pub score: Score,
    pub bound: Bound,
    pub nodes: u64,
    pub time: Duration,
    pub hashfull: u32,
    pub pv: Vec<Move>,
}

/// What happens to a session besides the lines it reads.
#[derive(Clone, Debug)]
pub enum Event {
    Line(Line),
    CurrentMove {
        depth: u32,
        m: Move,
        number: usize,
    },
    Message(String),
    Finished(Outcome),
    /// A line of output of a job beside the search.
    JobLine(String),
    /// The job has ended.
    JobDone,
}

/// Hands reports on. A session that has gone needs none.
#[derive(Debug)]
pub struct ToSession(pub Sender<Event>);

impl ToSession {
    fn send(&self, event: Event) {
        let _ = self.0.send(event);
    }
}

impl Reporter for ToSession {
    fn line(&mut self, info: &Info<'_>) {
        self.send(Event::Line(Line {
            depth: info.depth,
            seldepth: info.seldepth,
            multipv: info.multipv,
            score: info.score,
            bound: info.bound,
            nodes: info.nodes,
            time: info.time,
            hashfull: info.hashfull,
            pv: info.pv.to_vec(),
        }));
    }

    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        self.send(Event::CurrentMove { depth, m, number });
    }

    fn message(&mut self, text: &str) {
        self.send(Event::Message(text.to_owned()));
    }

    fn finished(&mut self, outcome: &Outcome) {
        self.send(Event::Finished(*outcome));
    }
}
