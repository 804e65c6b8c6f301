//! Which moves of a book lose too much.
//!
//! Each position of the graph, the ends of its lines included, has a score `S` by a search of so
//! many nodes. From the ends of the lines upwards it gets a value `V`: the greater one of its
//! `S` and of what its moves lead to, so that what is found deep in a line counts further up. A
//! move *loses* what lies between the best of its position (its `S`, or what a move that the book
//! plays leads to, the dropped ones too) and what it leads to. A *line* loses what lies between
//! the score of the start position and its worst position, for either side.
//!
//! Moves without weight are not judged, the book does not play them. They count in the `V` of
//! their position, so a move to which they are a good answer is dropped.
//!
//! Where a move leads back to a position that is nearer to the start (games go in circles), the
//! `S` of that position stands for its value.

use super::graph::Graph;
use super::judge::Opinions;
use super::{Table, set_weights};
use crate::opening_book::BookMove;
use crate::types::{Color, Move, Score};

/// How much may be lost, in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// By a move.
    pub a_move: Score,
    /// By a line, for either side.
    pub line: Score,
}

/// A move, by the moves that lead to it, and what it loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The moves from the start; the last one is that which loses.
    pub line: Vec<Move>,
    /// How much, in hundredths of a pawn.
    pub loss: Score,
}

/// What was found out about the moves of a graph.
#[derive(Clone, Debug)]
pub struct Findings {
    /// What each move loses, by number of its position and of the move.
    pub loss: Vec<Vec<Score>>,
    /// What its player has lost since the start when it was played, likewise.
    pub line_loss: Vec<Vec<Score>>,
    /// Whether it is within the bounds, likewise.
    pub kept: Vec<Vec<bool>>,
}

/// Looks through a graph of which every position has an opinion. Moves set by hand are kept.
/// `None` if an opinion is missing.
pub fn examine(graph: &Graph, opinions: &Opinions, bounds: Bounds) -> Option<Findings> {
    let nodes = &graph.nodes;
    let scores: Option<Vec<Score>> = nodes
        .iter()
        .map(|n| opinions.get(&n.key).map(|o| o.score))
        .collect();
    let scores = scores?;
    let mut findings = Findings {
        loss: nodes.iter().map(|n| vec![0; n.edges.len()]).collect(),
        line_loss: nodes.iter().map(|n| vec![0; n.edges.len()]).collect(),
        kept: nodes.iter().map(|n| vec![true; n.edges.len()]).collect(),
    };
    // Nodes lie nearest first, so the last ones are the ends.
    let mut values = scores.clone();
    for i in (0..nodes.len()).rev() {
        let node = &nodes[i];
        let leads_to = |to: usize| {
            if nodes[to].ply > node.ply {
                -values[to]
            } else {
                -scores[to]
            }
        };
        let worth: Vec<Score> = node.edges.iter().map(|e| leads_to(e.to)).collect();
        let played = node.edges.iter().zip(&worth);
        let played = played.filter(|(e, _)| e.known.is_playable());
        let best = played.map(|(_, &w)| w).fold(scores[i], Score::max);
        let start = match node.position.stm() {
            Color::Red => scores[0],
            Color::Black => -scores[0],
        };
        let mut value = scores[i];
        for (k, edge) in node.edges.iter().enumerate() {
            if !edge.known.is_playable() {
                value = value.max(worth[k]);
                continue;
            }
            let (loss, line) = (best - worth[k], (start - worth[k]).max(0));
            findings.loss[i][k] = loss;
            findings.line_loss[i][k] = line;
            let within = loss <= bounds.a_move && line <= bounds.line;
            findings.kept[i][k] = within || edge.known.by_hand;
            if findings.kept[i][k] {
                value = value.max(worth[k]);
            }
        }
        values[i] = value;
    }
    Some(findings)
}

/// The moves beyond the bounds, the worst first.
pub fn faults(graph: &Graph, findings: &Findings, bounds: Bounds) -> Vec<Loss> {
    let mut faults = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        for (k, edge) in node.edges.iter().enumerate() {
            let (loss, line) = (findings.loss[i][k], findings.line_loss[i][k]);
            if loss > bounds.a_move || line > bounds.line {
                let mut moves = node.position.moves_played();
                moves.push(edge.mv);
                let loss = loss.max(line);
                faults.push(Loss { line: moves, loss });
            }
        }
    }
    faults.sort_by_key(|f| std::cmp::Reverse(f.loss));
    faults
}

/// A loss of this much halves a weight.
const HALVING: f64 = 15.0;

/// The table without the moves beyond the bounds and what only they led to; moves that are kept
/// get their score. `None` if an opinion is missing.
pub fn sound(table: &Table, opinions: &Opinions, bounds: Bounds) -> Option<Table> {
    let mut table = table.clone();
    loop {
        let graph = Graph::new(&table, usize::MAX);
        let findings = examine(&graph, opinions, bounds)?;
        let all_kept = findings.kept.iter().flatten().all(|&kept| kept);
        table = prune(&table, &graph, opinions, &findings);
        // What is dropped may have been the shortest way to a position, and which way is shorter
        // decides where a circle is cut; so it is looked at again.
        if all_kept {
            return Some(table);
        }
    }
}

fn prune(table: &Table, graph: &Graph, opinions: &Opinions, findings: &Findings) -> Table {
    let mut pruned = table.clone();
    for (i, node) in graph.nodes.iter().enumerate() {
        let Some(moves) = pruned.get_mut(&node.key).filter(|_| !node.edges.is_empty()) else {
            continue;
        };
        // What was beyond the reach of the walk was not looked at and does not stay.
        moves.retain(|m| m.by_hand || node.edge_of(m.mv).is_some_and(|k| findings.kept[i][k]));
        for m in moves.iter_mut() {
            let child = node
                .edge_of(m.mv)
                .map(|k| graph.nodes[node.edges[k].to].key);
            let opinion = child.and_then(|key| opinions.get(&key));
            m.score = opinion.map_or(m.score, |o| Some((-o.score).clamp(-20_000, 20_000) as i16));
        }
    }
    pruned.retain(|_, moves| !moves.is_empty());
    let reached = Graph::new(&pruned, usize::MAX);
    reached.reached(&pruned)
}

/// Drops moves without weight whose positions the book has no answer to, for they are of no use;
/// and with them what only they led to.
pub fn without_dead_ends(mut table: Table) -> Table {
    let graph = Graph::new(&table, usize::MAX);
    for node in &graph.nodes {
        let answered = |m: &BookMove| {
            let edge = node.edge_of(m.mv);
            edge.is_some_and(|k| graph.nodes[node.edges[k].to].is_answered())
        };
        if let Some(moves) = table.get_mut(&node.key) {
            moves.retain(|m| m.is_playable() || m.by_hand || answered(m));
        }
    }
    // No move with weight was dropped, so what was answered still is.
    Graph::new(&table, usize::MAX).reached(&table)
}

/// Makes moves weigh less the more they lose. Positions with a move set by hand are left as they
/// are. To be done once: what is lighter already would become lighter still.
pub fn weigh(table: &mut Table, graph: &Graph, findings: &Findings) {
    for (node, losses) in graph.nodes.iter().zip(&findings.loss) {
        let Some(moves) = table.get_mut(&node.key).filter(|_| !node.edges.is_empty()) else {
            continue;
        };
        if moves.iter().any(|m| m.by_hand) {
            continue;
        }
        let raw: Vec<f64> = moves
            .iter()
            .map(|m| {
                let lost = node.edge_of(m.mv).map_or(0.0, |k| f64::from(losses[k]));
                f64::from(m.weight) * 0.5_f64.powf(lost / HALVING)
            })
            .collect();
        set_weights(moves, &raw);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_making::{GatherRules, Opinion, gather, read_games};

    /// Two lines; in the second one Black errs, and Red may take advantage two plies later.
    const GAMES: &str = "result\tmoves\n1-0\th2e2 h9g7 h0g2\n1-0\th2e2 b7e7 h0g2 a9a8 a0a1\n";

    fn table() -> Table {
        let rules = GatherRules {
            min_games: 1,
            min_score: 0.0,
            ..GatherRules::default()
        };
        gather(&read_games("t", GAMES.as_bytes()).0, &rules).table
    }

    /// Scores for Red after each line of moves.
    fn opinions(graph: &Graph, red: &dyn Fn(&str) -> Score) -> Opinions {
        let of = |n: &super::super::Node| {
            let moves: Vec<String> = n
                .position
                .moves_played()
                .iter()
                .map(Move::to_string)
                .collect();
            let score = red(&moves.join(" "));
            let score = if n.position.stm() == Color::Red {
                score
            } else {
                -score
            };
            (n.key, Opinion::new(score, None))
        };
        graph.nodes.iter().map(of).collect()
    }

    #[test]
    fn bad_lines_are_cut_where_they_turn_bad() {
        let table = table();
        let graph = Graph::new(&table, 99);
        assert_eq!(graph.moves(), 7);
        let bounds = Bounds {
            a_move: 60,
            line: 60,
        };
        let red = |line: &str| if line.ends_with("a0a1") { 200 } else { 30 };
        let seen = opinions(&graph, &red);
        let findings = examine(&graph, &seen, bounds).unwrap();
        // The search saw it only at the end of the line; what counts is that Black had no
        // better move on the way: the last move of Black's that the engine disagrees with.
        let worst = faults(&graph, &findings, bounds);
        assert_eq!(worst.len(), 1);
        let told: Vec<String> = worst[0].line.iter().map(Move::to_string).collect();
        assert_eq!(
            (told.join(" ").as_str(), worst[0].loss),
            ("h2e2 b7e7 h0g2 a9a8", 170)
        );
        let pruned = sound(&table, &seen, bounds).unwrap();
        assert_eq!(Graph::new(&pruned, 99).moves(), 5);
        assert!(
            pruned
                .values()
                .flatten()
                .all(|m| m.score == Some(30) || m.score == Some(-30))
        );
    }

    #[test]
    fn a_line_that_slides_away_slowly_is_cut() {
        let table = table();
        let graph = Graph::new(&table, 99);
        // Each move of Black's gives away fifty.
        let red = |line: &str| 30 + 50 * (line.split_whitespace().count() as Score / 2);
        let seen = opinions(&graph, &red);
        let loose = Bounds {
            a_move: 60,
            line: 1000,
        };
        let findings = examine(&graph, &seen, loose).unwrap();
        assert!(findings.loss.iter().flatten().any(|l| *l == 50));
        assert!(findings.kept.iter().flatten().all(|k| *k));
        let bounds = Bounds {
            a_move: 60,
            line: 60,
        };
        let findings = examine(&graph, &seen, bounds).unwrap();
        let cut = faults(&graph, &findings, bounds);
        assert_eq!(cut.len(), 1, "{cut:?}");
        assert_eq!(cut[0].line.len(), 4);
        assert!(examine(&graph, &Opinions::new(), bounds).is_none());
        // What loses nothing keeps its weight, and of two moves the worse one loses of it.
        let mut weighed = table.clone();
        weigh(&mut weighed, &graph, &findings);
        let after_first = &weighed[&graph.nodes[1].key];
        assert_eq!(after_first.iter().map(|m| m.weight).max(), Some(1000));
    }
}
