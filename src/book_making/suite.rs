//! Opening lines for tests of engines: varied, all different, and balanced by search.

use super::Table;
use super::graph::Graph;
use super::judge::{Judge, Opinions};
use crate::opening_book::Symmetry;
use crate::position::Position;
use crate::types::{Color, Move, Score};
use crate::util::SplitMix;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// What lines are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuiteRules {
    /// How many.
    pub count: usize,
    /// Plies of each.
    pub plies: usize,
    /// Greatest score for either side in hundredths of a pawn.
    pub max_score: Score,
    /// For what is drawn by lot.
    pub seed: u64,
}

/// Lines found.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// Moves from the start position, with the score for Red.
    pub lines: Vec<(Vec<Move>, Score)>,
    /// How many of them leave the book.
    pub random: usize,
}

/// Tries to leave the book for so many times the lines that are wanted.
const PATIENCE: usize = 40;

/// Chooses lines: first those of the book that are as long as wanted, in an order drawn by lot,
/// then lines of the book left at a ply drawn by lot and carried on with moves drawn by lot that
/// take nothing. No two end in the same position or in mirror images. `None` if interrupted.
///
/// # Errors
/// What the judge reports, or that there are not enough balanced lines.
pub fn suite(
    table: &Table,
    rules: &SuiteRules,
    judge: &Judge,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<Suite>, String> {
    let graph = Graph::new(table, rules.plies);
    let mut lot = SplitMix::new(rules.seed, 0);
    let ends = graph.nodes.iter().filter(|n| n.ply == rules.plies);
    let mut pool: Vec<Position> = ends.map(|n| n.position.clone()).collect();
    lot.shuffle(&mut pool);
    let mut taken: HashSet<u64> = pool.iter().map(|p| Symmetry::of(p).key).collect();
    let mut found = Suite::default();
    let (mut from_book, mut tries) = (true, 0);
    let mut opinions = Opinions::new();
    while found.lines.len() < rules.count {
        let missing = rules.count - found.lines.len();
        // As many as are still missing, and somewhat more than can be expected to fail.
        let batch: Vec<Position> = if pool.is_empty() {
            from_book = false;
            let fresh = strays(&graph, rules, &mut lot, &mut taken, missing.max(100));
            tries += fresh.len();
            if fresh.is_empty() || tries > PATIENCE * rules.count {
                return Err(format!(
                    "only {} balanced lines of {} plies found: raise --max-score or --plies",
                    found.lines.len(),
                    rules.plies
                ));
            }
            fresh
        } else {
            pool.split_off(pool.len().saturating_sub(missing + missing / 2 + 1))
        };
        let keyed = batch.iter().map(|p| (Symmetry::of(p).key, p));
        let (have, count) = (found.lines.len(), rules.count);
        let mut report = |done: usize, _: usize| progress((have + done).min(count), count);
        if !judge.look(keyed, &mut opinions, stop, &mut report)? {
            return Ok(None);
        }
        for position in batch {
            let Some(opinion) = opinions.get(&Symmetry::of(&position).key) else {
                continue;
            };
            if opinion.score.abs() <= rules.max_score && found.lines.len() < rules.count {
                let red = match position.stm() {
                    Color::Red => opinion.score,
                    Color::Black => -opinion.score,
                };
                found.lines.push((position.moves_played(), red));
                found.random += usize::from(!from_book);
            }
        }
    }
    lot.shuffle(&mut found.lines);
    Ok(Some(found))
}

/// Lines that leave the book, none of whose ends was taken before.
fn strays(
    graph: &Graph,
    rules: &SuiteRules,
    lot: &mut SplitMix,
    taken: &mut HashSet<u64>,
    count: usize,
) -> Vec<Position> {
    let inner: Vec<&Position> = graph
        .nodes
        .iter()
        .filter(|n| n.ply < rules.plies)
        .map(|n| &n.position)
        .collect();
    let mut found = Vec::new();
    for _ in 0..PATIENCE * count {
        if found.len() == count {
            break;
        }
        let mut position = inner[lot.below(inner.len())].clone();
        while position.ply_count() < rules.plies {
            let quiet: Vec<Move> = position
                .legal_moves()
                .iter()
                .copied()
                .filter(|m| position.piece_on(m.to()).is_none())
                .collect();
            let Some(&m) = quiet.get(lot.below(quiet.len())) else {
                break;
            };
            position.make(m);
        }
        let whole = position.ply_count() == rules.plies && position.has_legal_move();
        if whole && taken.insert(Symmetry::of(&position).key) {
            found.push(position);
        }
    }
    found
}
