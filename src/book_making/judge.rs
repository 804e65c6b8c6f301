//! The engine's opinion of positions: several at once, each answer written down, so that a run
//! that was killed goes on where it was.

use super::{Parts, add_part};
use crate::analysis::{Step, Thinker};
use crate::opening_book::Symmetry;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::Limits;
use crate::types::{Move, Score, score};
use crate::util::journal::{Journal, whole_lines};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What the engine thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// Score for the side to move.
    pub score: Score,
    /// The best move, turned as in a book; `None` without a legal one.
    pub best: Option<Move>,
    /// Moves held best on the way, turned likewise, and how likely an engine of each of the
    /// [`PACES`] plays each: parts of 1, the likeliest first.
    pub likely: [Parts; PACES],
}

/// Engines by how long they think, the fastest first: each may stop anywhere in two doublings of
/// the nodes, the next one doubling later, the last one's ending with all of them.
pub const PACES: usize = 3;

impl Opinion {
    /// An opinion of which only score and best move are known.
    pub fn new(score: Score, best: Option<Move>) -> Opinion {
        Opinion {
            score,
            best,
            likely: std::array::from_fn(|_| best.map(|m| (m, 1.0)).into_iter().collect()),
        }
    }
}

/// Opinions by the key of the position in the book.
pub type Opinions = HashMap<u64, Opinion>;

/// Asks the engine.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Nodes for each position.
    pub nodes: u64,
    /// Positions looked at at once.
    pub threads: usize,
    /// Table of each search, in MiB.
    pub hash_mib: usize,
    /// Rules of repetition.
    pub rules: RuleSet,
    /// Where answers are kept.
    pub state: Option<PathBuf>,
}

/// The head of a state file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    chuhe_book: u32,
    /// Version of the program, whose opinions may change with it.
    version: String,
    hash: usize,
    rules: String,
}

/// An answer in a state file.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    key: String,
    nodes: u64,
    score: Score,
    best: String,
    /// What an engine of each pace plays, in hundredths.
    likely: [Vec<(String, u8)>; PACES],
}

impl Judge {
    /// Adds opinions of positions to those that are known, without a new search for what is known
    /// or in the state file. False if `stop` was set before all were looked at; what was found
    /// until then is in the state file.
    ///
    /// # Errors
    /// The state file cannot be used, or the engine not be started.
    pub fn look<'a>(
        &self,
        positions: impl IntoIterator<Item = (u64, &'a Position)>,
        known: &mut Opinions,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<bool, String> {
        let (mut journal, written) = self.open_state()?;
        known.extend(written);
        let mut wanted: Vec<(u64, &Position)> = positions.into_iter().collect();
        wanted.sort_by_key(|w| w.0);
        wanted.dedup_by_key(|w| w.0);
        let all = wanted.len();
        let keys: Vec<u64> = wanted.iter().map(|w| w.0).collect();
        wanted.retain(|w| !known.contains_key(&w.0));
        let mut done = all - wanted.len();
        progress(done, all);
        let next = AtomicUsize::new(0);
        let halt = AtomicBool::new(false);
        let (sender, answers) = crossbeam_channel::unbounded();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, wanted.len().max(1)) {
                let (sender, wanted, next, halt) = (sender.clone(), &wanted, &next, &halt);
                scope.spawn(move || {
                    let mut thinker = Thinker::new(self.hash_mib, &self.rules);
                    while let Some((key, position)) =
                        wanted.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let answer = match &mut thinker {
                            Ok(thinker) => opinion(thinker, position, self.nodes, stop),
                            Err(e) => Err(e.clone()),
                        };
                        // A search cut short says less than it seems to.
                        let halted = halt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
                        if halted || sender.send(answer.map(|o| (*key, o))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut work = || {
                for answer in &answers {
                    let (key, opinion) = answer?;
                    if let Some(journal) = &mut journal {
                        journal.append(&Entry {
                            key: format!("{key:016x}"),
                            nodes: self.nodes,
                            score: opinion.score,
                            best: opinion.best.unwrap_or(Move::NONE).to_string(),
                            likely: opinion.likely.each_ref().map(|parts| hundredths(parts)),
                        })?;
                    }
                    known.insert(key, opinion);
                    done += 1;
                    progress(done, all);
                }
                Ok(())
            };
            let result: Result<(), String> = work();
            halt.store(true, Ordering::Relaxed);
            result
        })?;
        Ok(keys.iter().all(|key| known.contains_key(key)))
    }

    fn open_state(&self) -> Result<(Option<Journal>, Opinions), String> {
        let Some(path) = &self.state else {
            return Ok((None, Opinions::new()));
        };
        let head = Head {
            chuhe_book: 2,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            hash: self.hash_mib,
            rules: self.rules.name.to_owned(),
        };
        if !path.exists() {
            return Ok((Some(Journal::create(path, &head)?), Opinions::new()));
        }
        let (mut journal, bytes) = Journal::resume(path)?;
        let found = self.parse(&whole_lines(&bytes), path, &head)?;
        journal.cut(bytes.len())?;
        Ok((Some(journal), found))
    }

    /// The answers of a state file to searches of so many nodes.
    fn parse(&self, lines: &[&[u8]], path: &Path, head: &Head) -> Result<Opinions, String> {
        let place = path.display();
        let found = lines.first().copied().unwrap_or_default();
        match serde_json::from_slice::<Head>(found) {
            Ok(found) if found == *head => {}
            Ok(_) => {
                return Err(format!(
                    "state file {place}: it is of another version, other rules or another --hash"
                ));
            }
            Err(_) => return Err(format!("state file {place}: it is no state of a book")),
        }
        let mut opinions = Opinions::new();
        for (i, line) in lines.iter().enumerate().skip(1) {
            let bad = || format!("state file {place}: line {}: not of a book's state", i + 1);
            let entry: Entry = serde_json::from_slice(line).map_err(|_| bad())?;
            let key = u64::from_str_radix(&entry.key, 16).map_err(|_| bad())?;
            if entry.nodes == self.nodes {
                let mut opinion = Opinion::new(entry.score, entry.best.parse().ok());
                for (parts, written) in opinion.likely.iter_mut().zip(&entry.likely) {
                    let moves = written.iter();
                    *parts = moves
                        .map(|(m, part)| {
                            Ok((m.parse().map_err(|_| bad())?, f64::from(*part) / 100.0))
                        })
                        .collect::<Result<_, String>>()?;
                }
                opinions.insert(key, opinion);
            }
        }
        Ok(opinions)
    }
}

/// Parts of 1 as a state file has them.
fn hundredths(likely: &[(Move, f64)]) -> Vec<(String, u8)> {
    let part = |p: f64| (100.0 * p).round().clamp(0.0, 100.0) as u8;
    likely
        .iter()
        .map(|(m, p)| (m.to_string(), part(*p)))
        .collect()
}

/// Thinks about a position as if the game had begun with it.
fn opinion(
    thinker: &mut Thinker,
    position: &Position,
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Opinion, String> {
    if !position.has_legal_move() {
        return Ok(Opinion::new(score::mated_in(0), None));
    }
    let fresh = Position::from_fen(&position.fen()).map_err(|e| e.to_string())?;
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let thought = thinker.think(&fresh, limits, stop)?;
    let here = Symmetry::of(&fresh);
    let to_book = |m| here.to_book(m);
    let mut opinion = Opinion::new(thought.score, thought.best().map(to_book));
    for (pace, parts) in opinion.likely.iter_mut().enumerate() {
        let likely = held_best(&thought.steps, thought.best(), stops(pace, nodes));
        if !likely.is_empty() {
            *parts = likely.into_iter().map(|(m, p)| (to_book(m), p)).collect();
        }
    }
    Ok(opinion)
}

/// Where an engine of a pace may stop, of so many nodes in all.
fn stops(pace: usize, nodes: u64) -> (f64, f64) {
    let to = nodes as f64 * 0.5_f64.powi((PACES - 1 - pace) as i32);
    (to / 4.0, to)
}

/// What is less likely than this is left out.
const LEAST_PART: f64 = 0.02;

/// Which moves were held best between so many nodes and so many, and during which part of that,
/// doublings of the nodes counting alike.
fn held_best(steps: &[Step], last: Option<Move>, (from, to): (f64, f64)) -> Parts {
    let mut likely = Parts::new();
    for (i, step) in steps.iter().enumerate() {
        // The move stands until the next line; the search may have left the last one.
        let ends = steps.get(i + 1).map_or(to, |next| next.nodes as f64);
        let begins = (step.nodes as f64).max(from);
        let best = if i + 1 == steps.len() {
            last
        } else {
            Some(step.best)
        };
        let (Some(best), true) = (best, ends.min(to) > begins) else {
            continue;
        };
        let part = (ends.min(to) / begins).log(to / from);
        add_part(&mut likely, best, part);
    }
    likely.retain(|(_, part)| *part >= LEAST_PART);
    let total: f64 = likely.iter().map(|(_, part)| part).sum();
    for (_, part) in &mut likely {
        *part /= total;
    }
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    likely
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn moves_held_best_by_doublings() {
        let step = |nodes, best| Step {
            time: Duration::ZERO,
            nodes,
            best: mv(best),
            score: 0,
        };
        let steps = [
            step(10, "a0a1"),
            step(20_000, "h2e2"),
            step(300_000, "b0c2"),
            step(900_000, "h2e2"),
        ];
        let last = Some(mv("h2e2"));
        let by_pace = |pace| held_best(&steps, last, stops(pace, 1_000_000));
        // The fastest stops between 62,500 and 250,000 nodes.
        assert_eq!(by_pace(0), [(mv("h2e2"), 1.0)]);
        // From 300,000 to 900,000 are 1.585 doublings of the two from 250,000 to 1,000,000.
        let slow = by_pace(2);
        assert_eq!((slow[0].0, slow[1].0), (mv("b0c2"), mv("h2e2")));
        assert!((slow[0].1 - 0.792).abs() < 0.001, "{slow:?}");
        assert!((slow[0].1 + slow[1].1 - 1.0).abs() < 1e-9);
        // What the search turned to after its last line is what it plays.
        let likely = held_best(&steps[..2], Some(mv("b2e2")), (1e5, 1e6));
        assert_eq!(likely, [(mv("b2e2"), 1.0)]);
        assert_eq!(held_best(&[], None, (1e5, 1e6)), []);
    }
}
