//! An engine with one thread that answers one question after the other.

use crate::engine::{Engine, options};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::{Bound, Info, Limits, Outcome, Reporter};
use crate::types::{Move, Score};
use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the engine held best at one time of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub time: Duration,
    /// Nodes until then.
    pub nodes: u64,
    /// The move.
    pub best: Move,
    /// Its score, for the side to move.
    pub score: Score,
}

/// What the engine thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// Score for the side to move.
    pub score: Score,
    /// The best line; empty if there is no legal move.
    pub pv: Vec<Move>,
    /// It was proved that there is no mate in so many moves; 0 if none was looked for.
    pub no_mate_in: u32,
    /// Depth finished.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// How it came to it.
    pub steps: Vec<Step>,
}

impl Thought {
    /// The best move; `None` if there is no legal one.
    pub fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

enum Event {
    Line(Step, Vec<Move>),
    End(Outcome),
}

struct Forward(Sender<Event>);

impl Reporter for Forward {
    fn line(&mut self, info: &Info<'_>) {
        if let (Bound::Exact, 1, Some(&best)) = (info.bound, info.multipv, info.pv.first()) {
            let step = Step {
                time: info.time,
                nodes: info.nodes,
                best,
                score: info.score,
            };
            let _ = self.0.send(Event::Line(step, info.pv.to_vec()));
        }
    }

    fn finished(&mut self, outcome: &Outcome) {
        let _ = self.0.send(Event::End(*outcome));
    }
}

/// An engine with one thread. It forgets everything before each question, so that answers to
/// limits in nodes or depth are the same whatever was asked before.
#[derive(Debug)]
pub struct Thinker(Engine);

impl Thinker {
    /// A thinker with a table of so many MiB and these rules; the message of the engine if that
    /// cannot be.
    pub fn new(hash_mib: usize, rules: &RuleSet) -> Result<Thinker, String> {
        let mut engine = Engine::new();
        let book = options::RULE_BOOKS
            .iter()
            .find(|c| c.rules() == Some(*rules));
        let hash = hash_mib.to_string();
        for (name, value) in [
            ("Hash", Some(hash.as_str())),
            ("Repetition Rule", book.map(|c| c.uci)),
        ] {
            if let (Some(spec), Some(value)) = (options::find(name), value) {
                engine
                    .set_option(spec, Some(value))
                    .map_err(|e| e.to_string())?;
            }
        }
        engine.prepare().map_err(|e| e.to_string())?;
        Ok(Thinker(engine))
    }

    /// Thinks about a position until a limit is reached or `stop` is set. The position is to have
    /// a legal move.
    pub fn think(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Thought, String> {
        self.0.new_game();
        self.0.put_position(position.clone());
        let (sender, events) = unbounded();
        self.0
            .go(limits, Instant::now(), Box::new(Forward(sender)))
            .map_err(|e| e.to_string())?;
        let (mut steps, mut pv): (Vec<Step>, Vec<Move>) = (Vec::new(), Vec::new());
        loop {
            match events.recv_timeout(Duration::from_millis(50)) {
                Err(RecvTimeoutError::Disconnected) => {
                    return Err("the search ended without an answer".into());
                }
                Err(RecvTimeoutError::Timeout) => {
                    if stop.load(Ordering::Relaxed) {
                        self.0.stop();
                    }
                }
                Ok(Event::Line(step, line)) => {
                    steps.push(step);
                    pv = line;
                }
                Ok(Event::End(outcome)) => {
                    // A search that was stopped within a depth may have changed its mind.
                    if outcome.best != pv.first().copied() {
                        pv = outcome.best.into_iter().chain(outcome.ponder).collect();
                    }
                    return Ok(Thought {
                        score: outcome.score,
                        pv,
                        no_mate_in: outcome.no_mate_in,
                        depth: outcome.depth,
                        nodes: outcome.nodes,
                        time: outcome.time,
                        steps,
                    });
                }
            }
        }
    }
}
