//! Test suites: EPD files whose positions name what is to be found (`bm`), avoided (`am`) or the
//! length of a mate (`dm`), and tables with a column `expected` that says the same.

use super::runner::{RunError, Setup};
use super::thinker::{Thinker, Thought};
use crate::notation::{Notation, parse_move};
use crate::position::Position;
use crate::records::Game;
use crate::search::Limits;
use crate::types::{Move, Score, score};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// A position of a suite.
#[derive(Clone, Debug)]
pub struct SuiteItem {
    /// Its name, or its number from 1.
    pub id: String,
    /// The position.
    pub position: Position,
    /// Moves of which one is to be found; empty if that is not asked.
    pub best: Vec<Move>,
    /// Moves that are not to be played.
    pub avoid: Vec<Move>,
    /// Moves to the mate that is to be found.
    pub mate: Option<u32>,
    /// The mate may be shorter than that: `mate<=N`.
    pub at_most: bool,
}

/// What came of a position.
#[derive(Clone, Debug)]
pub struct SuiteResult {
    /// Time and nodes after which the engine held to a right answer; `None` if its last was wrong.
    pub solved: Option<(Duration, u64)>,
    /// What it thought in the end.
    pub thought: Thought,
}

/// Sums over a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteTally {
    /// Positions solved.
    pub solved: usize,
    /// All positions.
    pub all: usize,
    /// Time to solve, over those solved.
    pub time: Duration,
    /// Nodes to solve, over those solved.
    pub nodes: u64,
}

impl SuiteTally {
    /// Counts a result.
    pub fn add(&mut self, result: &SuiteResult) {
        self.all += 1;
        if let Some((time, nodes)) = result.solved {
            self.solved += 1;
            self.time += time;
            self.nodes += nodes;
        }
    }
}

/// What a position is to be asked: the operation of EPD with this code, or the same in the column
/// `expected` of a table: `bm h2e2`, `mate 3`, `mate<=3`. Other expectations are not asked.
fn operation<'a>(game: &'a Game, code: &str) -> Option<&'a str> {
    if let Some(value) = game.tag(code) {
        return Some(value);
    }
    let expected = game.tag("expected")?;
    let value = match code {
        "dm" => expected
            .strip_prefix("mate")?
            .trim_start_matches([' ', '<', '=']),
        code => expected.strip_prefix(code)?.strip_prefix(' ')?,
    };
    // A mate of unknown length ("mate ?") asks nothing.
    (!value.starts_with('?')).then_some(value)
}

/// The positions of a file that is a suite: every game without moves, at least one of which asks
/// for something: `bm`, `am` or `dm`, see [`SuiteItem`]. `None` if it is none; an error names the
/// operation that cannot be read.
pub fn suite_items(games: &[Game]) -> Result<Option<Vec<SuiteItem>>, String> {
    let asks = |g: &Game| ["bm", "am", "dm"].iter().any(|t| operation(g, t).is_some());
    if games.iter().any(|g| g.plies() > 0) || !games.iter().any(asks) {
        return Ok(None);
    }
    let mut items = Vec::new();
    for (i, game) in games.iter().enumerate().filter(|(_, g)| asks(g)) {
        let id = game
            .tag("id")
            .map_or_else(|| (i + 1).to_string(), String::from);
        let position = game.start().clone();
        if !position.has_legal_move() {
            return Err(format!("{id}: there is no legal move"));
        }
        let moves = |code: &str| -> Result<Vec<Move>, String> {
            let text = operation(game, code).unwrap_or_default();
            let words = text.split([' ', ',']).filter(|w| !w.is_empty());
            words
                .map(|w| parse_move(&position, w).map_err(|e| format!("{id}: {code} {w}: {e}")))
                .collect()
        };
        let mate = match operation(game, "dm") {
            None => None,
            Some(text) => match text.parse::<u32>() {
                Ok(n @ 1..=120) => Some(n),
                _ => return Err(format!("{id}: dm {text}: a number from 1 to 120 is wanted")),
            },
        };
        let at_most = game.tag("expected").is_some_and(|e| e.starts_with("mate<"));
        let (best, avoid) = (moves("bm")?, moves("am")?);
        items.push(SuiteItem {
            id,
            position,
            best,
            avoid,
            mate,
            at_most,
        });
    }
    Ok(Some(items))
}

/// Solves the positions of a suite, several at once; `heard` gets each result in order. Returns
/// whether all were looked at; not so if `stop` was set.
pub fn run_suite(
    items: &[SuiteItem],
    setup: &Setup,
    stop: &AtomicBool,
    mut heard: impl FnMut(&SuiteItem, &SuiteResult) -> std::io::Result<()>,
) -> Result<bool, RunError> {
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let (sender, answers) = crossbeam_channel::unbounded();
    let labour = |sender: crossbeam_channel::Sender<Result<(usize, SuiteResult), String>>| {
        let mut thinker = match Thinker::new(setup.hash_mib, &setup.rules) {
            Ok(thinker) => thinker,
            Err(e) => {
                let _ = sender.send(Err(e));
                return;
            }
        };
        while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { return };
            let result = item.solve(&mut thinker, &setup.limits, stop);
            if !stop.load(Ordering::Relaxed) && sender.send(result.map(|r| (i, r))).is_err() {
                return;
            }
        }
    };
    let mut results: Vec<Option<SuiteResult>> = vec![None; items.len()];
    let mut told = 0;
    std::thread::scope(|scope| {
        for _ in 0..setup.threads.clamp(1, items.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| labour(sender));
        }
        drop(sender);
        let mut hear = || {
            for answer in &answers {
                let (i, result) = answer.map_err(RunError::Failed)?;
                results[i] = Some(result);
                while let Some(Some(result)) = results.get(told) {
                    heard(&items[told], result).map_err(RunError::Io)?;
                    told += 1;
                }
            }
            Ok(told == items.len())
        };
        let result = hear();
        halt.store(true, Ordering::Relaxed);
        result
    })
}

impl SuiteItem {
    /// Whether an answer is right.
    pub fn is_right(&self, best: Move, s: Score) -> bool {
        let mates = |n: u32| matches!(score::mate_moves(s), Some(m) if m > 0 && m as u32 <= n);
        (self.best.is_empty() || self.best.contains(&best))
            && !self.avoid.contains(&best)
            && self.mate.is_none_or(mates)
    }

    /// Lets the engine look at the position. Where a mate is asked for, the search ends when it
    /// is found.
    pub fn solve(
        &self,
        thinker: &mut Thinker,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<SuiteResult, String> {
        let limits = Limits {
            mate: self.mate.or(limits.mate),
            ..limits.clone()
        };
        let thought = thinker.think(&self.position, limits, stop)?;
        let right_at_last = thought
            .best()
            .is_some_and(|m| self.is_right(m, thought.score));
        let steps = thought.steps.iter().rev();
        let since = steps.take_while(|s| self.is_right(s.best, s.score)).last();
        let solved = right_at_last
            .then(|| since.map_or((thought.time, thought.nodes), |s| (s.time, s.nodes)));
        Ok(SuiteResult { solved, thought })
    }

    /// What is asked, for a table: `bm h2e2`, `dm 3`.
    pub fn question(&self, notation: Notation) -> String {
        let mut parts = Vec::new();
        for (code, moves) in [("bm", &self.best), ("am", &self.avoid)] {
            if !moves.is_empty() {
                let texts: Vec<String> = moves
                    .iter()
                    .map(|&m| notation.text(&self.position, m))
                    .collect();
                parts.push(format!("{code} {}", texts.join(" ")));
            }
        }
        parts.extend(self.mate.map(|n| format!("dm {n}")));
        parts.join("; ")
    }
}
