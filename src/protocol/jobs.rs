//! Work beside the search that takes its time: perft and bench. Each runs on a thread of its
//! own and reports lines, so that the session stays awake; a flag ends it early.

use super::report::Event;
use crate::engine::bench;
use crate::position::{Position, perft};
use crossbeam_channel::Sender;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Subtrees of this depth are counted without looking at the flag: some milliseconds.
const PERFT_UNWATCHED: u32 = 4;
/// How often a long count is told of. Without a line now and then it would not be noticed that
/// nobody reads any more.
const NEWS: Duration = Duration::from_secs(1);

/// Starts counting the leaves below each move.
pub(super) fn start_perft(
    position: Position,
    depth: u32,
    events: Sender<Event>,
) -> io::Result<Arc<AtomicBool>> {
    start(events, move |say, stopped| {
        let mut position = position;
        let mut total = if depth == 0 { 1 } else { 0 };
        let mut watch = Watch::new(say, stopped);
        for &m in position.legal_moves().iter().filter(|_| depth > 0) {
            position.make(m);
            let count = watch.perft(&mut position, depth - 1);
            position.unmake();
            let Some(count) = count else {
                return;
            };
            say(format!("{m}: {count}"));
            total += count;
        }
        say(format!("perft {depth}: {total} nodes"));
    })
}

/// Watches over a count: it can be stopped, and tells how far it has come.
struct Watch<'a> {
    say: &'a dyn Fn(String),
    stopped: &'a AtomicBool,
    start: Instant,
    told: Instant,
    nodes: u64,
}

impl<'a> Watch<'a> {
    fn new(say: &'a dyn Fn(String), stopped: &'a AtomicBool) -> Watch<'a> {
        let start = Instant::now();
        Watch {
            say,
            stopped,
            start,
            told: start,
            nodes: 0,
        }
    }

    /// Perft that ends with `None` when it is stopped.
    fn perft(&mut self, position: &mut Position, depth: u32) -> Option<u64> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        if depth <= PERFT_UNWATCHED {
            let count = perft(position, depth);
            self.nodes += count;
            if self.told.elapsed() >= NEWS {
                self.told = Instant::now();
                let time = self.start.elapsed().as_millis();
                (self.say)(format!("info time {time} nodes {}", self.nodes));
            }
            return Some(count);
        }
        let mut total = 0;
        for &m in &position.legal_moves() {
            position.make(m);
            let count = self.perft(position, depth - 1);
            position.unmake();
            total += count?;
        }
        Some(total)
    }
}

/// Starts a bench of this depth.
pub(super) fn start_bench(
    depth: Option<u32>,
    events: Sender<Event>,
) -> io::Result<Arc<AtomicBool>> {
    start(events, move |say, stopped| {
        let mut plan = bench::Plan::default();
        plan.depth = depth.unwrap_or(plan.depth);
        let count = bench::POSITIONS.len();
        let result = bench::run(plan, |i, one| {
            say(format!("bench {}/{count}: {} nodes", i + 1, one.nodes));
            !stopped.load(Ordering::Relaxed)
        });
        say(match result {
            Ok(total) => format!("{} nodes {} nps", total.nodes, total.nps()),
            Err(e) => format!("bench: {e}"),
        });
    })
}

fn start(
    events: Sender<Event>,
    work: impl FnOnce(&dyn Fn(String), &AtomicBool) + Send + 'static,
) -> io::Result<Arc<AtomicBool>> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    std::thread::Builder::new()
        .name("job".into())
        .spawn(move || {
            let say = |line| {
                let _ = events.send(Event::JobLine(line));
            };
            work(&say, &flag);
            let _ = events.send(Event::JobDone);
        })?;
    Ok(stopped)
}
