//! Lines carried on by the engine: where a position most likely to be met lacks the move that
//! the search holds best, that move is added.

use super::Table;
use super::graph::Graph;
use super::judge::Opinions;
use crate::opening_book::BookMove;
use crate::types::Score;
use std::collections::HashSet;

/// How likely the move that the search holds best is played; the rest is for the moves of the
/// book, by their weights.
const BEST_SHARE: f64 = 0.5;

/// How much may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Moves.
    pub count: usize,
    /// Plies from the start.
    pub plies: usize,
    /// How far the score may be from that of the start, in hundredths of a pawn.
    pub line: Score,
}

/// Adds moves that the search holds best where they lack, those first that are most likely to be
/// met. Positions that were tried before are left alone: what was added there was dropped when it
/// was checked. Returns how many were added.
pub fn extend(
    table: &mut Table,
    graph: &Graph,
    opinions: &Opinions,
    bounds: Bounds,
    tried: &mut HashSet<u64>,
) -> usize {
    let Some(start) = opinions.get(&graph.nodes[0].key).map(|o| o.score) else {
        return 0;
    };
    let mut likely = vec![0.0; graph.nodes.len()];
    likely[0] = 1.0;
    let mut open: Vec<(f64, usize)> = Vec::new();
    // Nodes lie nearest first, so each is complete when its turn comes.
    for (i, node) in graph.nodes.iter().enumerate() {
        let opinion = opinions.get(&node.key);
        let best = opinion.and_then(|o| o.best);
        let total: f64 = node.edges.iter().map(|e| f64::from(e.known.weight)).sum();
        let mut has_best = false;
        for edge in &node.edges {
            let is_best = best == Some(edge.known.mv);
            has_best |= is_best;
            let share = f64::from(edge.known.weight) / total * (1.0 - BEST_SHARE);
            let to = edge.to;
            if graph.nodes[to].ply > node.ply {
                likely[to] += likely[i] * (share + if is_best { BEST_SHARE } else { 0.0 });
            }
        }
        let sign = if node.ply % 2 == 0 { 1 } else { -1 };
        let even = opinion.is_some_and(|o| (sign * o.score - start).abs() <= bounds.line);
        let lacks = !has_best && best.is_some() && !tried.contains(&node.key);
        if lacks && even && node.ply < bounds.plies {
            let of = if node.edges.is_empty() {
                1.0
            } else {
                BEST_SHARE
            };
            open.push((likely[i] * of, i));
        }
    }
    open.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    open.truncate(bounds.count);
    for &(_, i) in &open {
        let node = &graph.nodes[i];
        tried.insert(node.key);
        if let Some(best) = opinions.get(&node.key).and_then(|o| o.best) {
            let moves = table.entry(node.key).or_default();
            if moves.iter().all(|m| m.mv != best) {
                let top = moves.iter().map(|m| m.weight).max().unwrap_or(1000);
                moves.push(BookMove::new(best, top));
            }
        }
    }
    open.len()
}
