//! A book carried on by the engine, where it is likeliest to be of use: the move that the search
//! holds best is added where the book has none to play; and where it has no answer to moves that
//! another engine is likely to play, these are added without weight, so that answers can be.
//!
//! How likely a position is to be met is reckoned for a book that plays Red and for one that plays
//! Black: it plays its moves by their weights, and the other side half by the book, as people do,
//! and half as engines do, by [`Opinion::likely`](super::Opinion::likely).

use super::graph::{Graph, Node};
use super::judge::{Opinion, Opinions};
use super::{Parts, TOP_WEIGHT, Table, add_part};
use crate::opening_book::BookMove;
use crate::types::{Color, Move, Score};
use std::collections::{BTreeMap, HashSet};

/// How much of the other side's play is that of an engine.
const ENGINE_SHARE: f64 = 0.5;

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

/// A move that might be added.
struct Candidate {
    /// How likely it is to be played, by the book of either side or against it.
    likely: f64,
    /// Whether the book is to play it, not only to answer it.
    own: bool,
}

/// Adds moves, those first that are likeliest to be played. Moves of its own in positions that
/// were tried before are left alone: what was added there was dropped when it was checked.
/// Returns how many were added.
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
    let mut open: BTreeMap<(usize, Move), Candidate> = BTreeMap::new();
    let mut offer = |node: usize, mv: Move, likely: f64, own: bool| {
        let known = open
            .entry((node, mv))
            .or_insert(Candidate { likely: 0.0, own });
        known.likely += likely;
        known.own |= own;
    };
    for book in [Color::Red, Color::Black] {
        let mut likely = vec![0.0; graph.nodes.len()];
        likely[0] = 1.0;
        // Nodes lie nearest first, so each is complete when its turn comes.
        for (i, node) in graph.nodes.iter().enumerate() {
            let Some(opinion) = opinions.get(&node.key) else {
                continue;
            };
            let own = node.position.stm() == book;
            let parts = if own {
                by_weight(node)
            } else {
                of_the_other(node, opinion)
            };
            let sign = if node.ply % 2 == 0 { 1 } else { -1 };
            let even = (sign * opinion.score - start).abs() <= bounds.line;
            let may_grow = even && node.ply < bounds.plies;
            let lacks = own && may_grow && !node.is_answered() && !tried.contains(&node.key);
            if let Some(best) = opinion.best.filter(|_| lacks) {
                offer(i, best, likely[i], true);
            }
            for (mv, part) in parts {
                match node.edge_of(mv).map(|k| node.edges[k].to) {
                    Some(to) if graph.nodes[to].ply > node.ply => {
                        likely[to] += likely[i] * part;
                    }
                    None if may_grow => offer(i, mv, likely[i] * part, false),
                    _ => {}
                }
            }
        }
    }
    let mut open: Vec<((usize, Move), Candidate)> = open.into_iter().collect();
    open.sort_by(|a, b| b.1.likely.total_cmp(&a.1.likely));
    open.truncate(bounds.count);
    for ((node, mv), candidate) in &open {
        let key = graph.nodes[*node].key;
        let weight = if candidate.own { TOP_WEIGHT } else { 0 };
        if candidate.own {
            tried.insert(key);
        }
        let moves = table.entry(key).or_default();
        match moves.iter_mut().find(|m| m.mv == *mv) {
            Some(known) => known.weight = known.weight.max(weight),
            None => moves.push(BookMove::new(*mv, weight)),
        }
    }
    open.len()
}

/// The parts of the moves that the book plays.
fn by_weight(node: &Node) -> Parts {
    let total: f64 = node.edges.iter().map(|e| f64::from(e.known.weight)).sum();
    let played = node.edges.iter().filter(|e| e.known.is_playable());
    played
        .map(|e| (e.known.mv, f64::from(e.known.weight) / total))
        .collect()
}

/// The parts of the moves of someone who has no book or another one.
fn of_the_other(node: &Node, opinion: &Opinion) -> Parts {
    let mut parts = by_weight(node);
    let engine = if parts.is_empty() { 1.0 } else { ENGINE_SHARE };
    for (_, part) in &mut parts {
        *part *= 1.0 - engine;
    }
    for &(mv, part) in &opinion.likely {
        add_part(&mut parts, mv, engine * part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_making::{GatherRules, gather, read_games};

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn grows_where_it_is_likeliest_to_be_met() {
        let games = "result\tmoves\n1-0\th2e2 h9g7\n1-0\th2e2 h9g7\n";
        let rules = GatherRules {
            min_games: 1,
            min_score: 0.0,
            ..GatherRules::default()
        };
        let mut table = gather(&read_games("t", games.as_bytes()).0, &rules).table;
        let graph = Graph::new(&table, 99);
        let mut opinions = Opinions::new();
        for node in &graph.nodes {
            opinions.insert(node.key, Opinion::new(0, None));
        }
        // At the start the engine prefers a move that nobody plays: the book shall know the
        // answers to it, and go on playing what people do.
        let unusual = Opinion {
            likely: vec![(mv("h2f2"), 0.7), (mv("h2e2"), 0.3)],
            ..Opinion::new(0, Some(mv("h2f2")))
        };
        opinions.insert(graph.nodes[0].key, unusual);
        opinions.insert(graph.nodes[2].key, Opinion::new(0, Some(mv("b0c2"))));
        let bounds = Bounds {
            count: 1,
            plies: 30,
            line: 60,
        };
        let mut tried = HashSet::new();
        // Playing Red, the book is sure to come to the end of its line.
        assert_eq!(extend(&mut table, &graph, &opinions, bounds, &mut tried), 1);
        let graph = Graph::new(&table, 99);
        let end = &graph.nodes[2];
        assert_eq!((end.ply, end.edges.len()), (2, 1));
        assert_eq!(
            (end.edges[0].known.weight, end.edges[0].mv),
            (1000, mv("b0c2"))
        );
        opinions.insert(graph.nodes[3].key, Opinion::new(0, None));
        // Next the unusual move, which is for its answers alone.
        assert_eq!(extend(&mut table, &graph, &opinions, bounds, &mut tried), 1);
        let start = &table[&graph.nodes[0].key];
        let weights: Vec<(Move, u16)> = start.iter().map(|m| (m.mv, m.weight)).collect();
        assert_eq!(weights, [(mv("h2e2"), 1000), (mv("h2f2"), 0)]);
        // Positions that are not even are left alone.
        let graph = Graph::new(&table, 99);
        let after = graph.nodes.iter().find(|n| n.ply == 1 && !n.is_answered());
        let lost = Opinion::new(-200, Some(mv("h9g7")));
        opinions.insert(after.unwrap().key, lost);
        assert_eq!(extend(&mut table, &graph, &opinions, bounds, &mut tried), 0);
    }
}
