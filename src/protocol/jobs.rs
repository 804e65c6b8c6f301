//! Work beside the search that takes its time: perft and bench. Each runs on a thread of its
//! own and reports lines, so that the session stays awake; a flag ends it early.

use super::report::Event;
use crate::engine::bench;
use crate::position::{Position, perft};
use crossbeam_channel::Sender;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Subtrees of this depth are counted without looking at the flag: some milliseconds.
const PERFT_UNWATCHED: u32 = 4;

/// Starts counting the leaves below each move.
pub(super) fn start_perft(
    position: Position,
    depth: u32,
    events: Sender<Event>,
) -> io::Result<Arc<AtomicBool>> {
    start(events, move |say, stopped| {
        let mut position = position;
        let mut total = if depth == 0 { 1 } else { 0 };
        for &m in position.legal_moves().iter().filter(|_| depth > 0) {
            position.make(m);
            let count = watched_perft(&mut position, depth - 1, stopped);
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

/// Perft that ends with `None` when it is stopped.
fn watched_perft(position: &mut Position, depth: u32, stopped: &AtomicBool) -> Option<u64> {
    if stopped.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= PERFT_UNWATCHED {
        return Some(perft(position, depth));
    }
    let mut total = 0;
    for &m in &position.legal_moves() {
        position.make(m);
        let count = watched_perft(position, depth - 1, stopped);
        position.unmake();
        total += count?;
    }
    Some(total)
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
