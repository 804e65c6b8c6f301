//! A book carried on by the engine, where it is likeliest to be of use: the move that the search
//! holds best is added where the book has none to play; and where it has no answer to moves that
//! another engine is likely to play, these are added without weight, so that answers can be.
//!
//! How likely a position is to be met is reckoned for a book that plays Red and for one that plays
//! Black, against players who each keep to their ways from the first move to the last: people, who
//! play by the book's games, and engines of each of the [`PACES`], by [`Opinion::likely`]. For whoever
//! plays one move as quickly as the engine of a pace plays the next one so, too: lines that only one
//! and the same engine plays are far likelier than the product of what all together would play.

use super::graph::{Graph, Node};
use super::judge::{Opinion, Opinions, PACES};
use super::{Parts, TOP_WEIGHT, Table};
use crate::opening_book::BookMove;
use crate::types::{Color, Move, Score};
use std::collections::{BTreeMap, HashSet};

/// The other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    /// Plays as in the games, and what an engine would play where they end.
    People,
    /// Plays what an engine of this pace would.
    Engine(usize),
}

/// How much of the games is played against people.
const PEOPLE_SHARE: f64 = 0.25;

/// Who the other side may be, and how much that counts. An engine counts as much as it thinks: the
/// slower the game, the more of the clock an answer saves.
fn others() -> Vec<(Other, f64)> {
    let engines: f64 = (0..PACES).map(|pace| f64::from(1 << pace)).sum();
    let engine = |pace| {
        let part = f64::from(1 << pace) / engines;
        (Other::Engine(pace), (1.0 - PEOPLE_SHARE) * part)
    };
    let mut others: Vec<(Other, f64)> = (0..PACES).map(engine).collect();
    others.push((Other::People, PEOPLE_SHARE));
    others
}

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
    for (book, other, share) in games() {
        let likely = reach(graph, opinions, book, other);
        for (i, node) in graph.nodes.iter().enumerate() {
            let Some(opinion) = opinions.get(&node.key) else {
                continue;
            };
            let sign = if node.ply % 2 == 0 { 1 } else { -1 };
            let even = (sign * opinion.score - start).abs() <= bounds.line;
            let here = share * likely[i];
            if !even || node.ply >= bounds.plies || here == 0.0 {
                continue;
            }
            if node.position.stm() == book {
                let lacks = !node.is_answered() && !tried.contains(&node.key);
                if let Some(best) = opinion.best.filter(|_| lacks) {
                    offer(i, best, here, true);
                }
                continue;
            }
            for (mv, part) in of_the_other(other, node, opinion) {
                if node.edge_of(mv).is_none() {
                    offer(i, mv, here * part, false);
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

/// How many moves of a game a book plays, in the mean of Red and Black, against people and against an
/// engine that thinks as long as the search that made it.
pub fn moves_from_book(graph: &Graph, opinions: &Opinions) -> [f64; 2] {
    [Other::People, Other::Engine(PACES - 1)].map(|other| {
        let of = |book| {
            let likely = reach(graph, opinions, book, other);
            let played = graph.nodes.iter().zip(likely);
            let played = played.filter(|(n, _)| n.position.stm() == book && n.is_answered());
            played.map(|(_, likely)| likely).sum::<f64>()
        };
        (of(Color::Red) + of(Color::Black)) / 2.0
    })
}

/// The kinds of games: the colour of the book, who the other side is, and the share of it.
fn games() -> impl Iterator<Item = (Color, Other, f64)> {
    let of = |book| others().into_iter().map(move |(o, share)| (book, o, share));
    [Color::Red, Color::Black].into_iter().flat_map(of)
}

/// How likely each position is to be met by a book of that colour.
fn reach(graph: &Graph, opinions: &Opinions, book: Color, other: Other) -> Vec<f64> {
    let mut likely = vec![0.0; graph.nodes.len()];
    likely[0] = 1.0;
    // Nodes lie nearest first, so each is complete when its turn comes.
    for (i, node) in graph.nodes.iter().enumerate() {
        let parts = match opinions.get(&node.key) {
            _ if node.position.stm() == book => by_weight(node),
            Some(opinion) => of_the_other(other, node, opinion),
            None => continue,
        };
        for (mv, part) in parts {
            let to = node.edge_of(mv).map(|k| node.edges[k].to);
            if let Some(to) = to.filter(|&to| graph.nodes[to].ply > node.ply) {
                likely[to] += likely[i] * part;
            }
        }
    }
    likely
}

/// The parts of the moves that the book plays.
fn by_weight(node: &Node) -> Parts {
    let total: f64 = node.edges.iter().map(|e| f64::from(e.known.weight)).sum();
    let played = node.edges.iter().filter(|e| e.known.is_playable());
    played
        .map(|e| (e.known.mv, f64::from(e.known.weight) / total))
        .collect()
}

/// The parts of the moves of the other side.
fn of_the_other(other: Other, node: &Node, opinion: &Opinion) -> Parts {
    let pace = match other {
        Other::Engine(pace) => pace,
        Other::People if node.is_answered() => return by_weight(node),
        Other::People => PACES / 2,
    };
    opinion.likely[pace].clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_making::{GatherRules, gather, read_games};

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    /// A book of a table's games; its positions are even, and nothing is known to be best.
    fn book_of(games: &str) -> (Table, Graph, Opinions) {
        let rules = GatherRules {
            min_games: 1,
            min_score: 0.0,
            ..GatherRules::default()
        };
        let table = gather(&read_games("t", games.as_bytes()).0, &rules).table;
        let graph = Graph::new(&table, 99);
        let nodes = graph.nodes.iter();
        let opinions = nodes.map(|n| (n.key, Opinion::new(0, None))).collect();
        (table, graph, opinions)
    }

    #[test]
    fn grows_where_it_is_likeliest_to_be_met() {
        let games = "result\tmoves\n1-0\th2e2 h9g7\n1-0\th2e2 h9g7\n";
        let (mut table, graph, mut opinions) = book_of(games);
        // At the start the engine prefers a move that nobody plays: the book shall know the
        // answers to it, and go on playing what people do.
        let parts = vec![(mv("h2f2"), 0.7), (mv("h2e2"), 0.3)];
        let unusual = Opinion {
            likely: std::array::from_fn(|_| parts.clone()),
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

    #[test]
    fn an_engine_keeps_to_its_ways() {
        let games = "result\tmoves\n1-0\th2e2 h9g7\n";
        let (mut table, graph, mut opinions) = book_of(games);
        let plays = |fast: &str, slow: &str| {
            let mut moves = [fast; PACES];
            moves[PACES - 1] = slow;
            Opinion {
                likely: moves.map(|m| vec![(mv(m), 1.0)]),
                ..Opinion::new(0, None)
            }
        };
        opinions.insert(graph.nodes[0].key, plays("h2e2", "h2f2"));
        opinions.insert(graph.nodes[2].key, plays("b0c2", "b0a2"));
        let bounds = Bounds {
            count: 9,
            plies: 30,
            line: 60,
        };
        // The slow engine does not come to where it would play b0a2.
        assert_eq!(
            extend(&mut table, &graph, &opinions, bounds, &mut HashSet::new()),
            2
        );
        let at = |i: usize| table[&graph.nodes[i].key].iter().map(|m| m.mv);
        assert_eq!(at(0).collect::<Vec<_>>(), [mv("h2e2"), mv("h2f2")]);
        assert_eq!(at(2).collect::<Vec<_>>(), [mv("b0c2")]);
        // Before it was extended: Red plays h2e2, Black h9g7; the slow engine leaves at once.
        assert_eq!(moves_from_book(&graph, &opinions), [1.0, 0.5]);
    }
}
