//! A table walked through from the start of the game.

use super::Table;
use crate::opening_book::{BookMove, Symmetry};
use crate::position::Position;
use crate::types::Move;
use std::collections::HashMap;

/// A move from one position of the graph to another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move on the board of the position it starts from.
    pub mv: Move,
    /// What the book knows of it; its move is turned as in the book.
    pub known: BookMove,
    /// Where it leads, by number.
    pub to: usize,
}

/// A position of the graph, as it was first met.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its key in the book.
    pub key: u64,
    /// The position with the shortest way to it as its history.
    pub position: Position,
    /// Plies from the start, on the shortest way.
    pub ply: usize,
    /// The moves of the book that are not banned, the heaviest first; none at the end of a line.
    /// Those without weight are there for their answers: the book does not play them.
    pub edges: Vec<Edge>,
}

/// All positions that a book's moves lead to, nearest first; number 0 is the start of the game.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The positions.
    pub nodes: Vec<Node>,
}

impl Node {
    /// Whether the book has a move to play here.
    pub fn is_answered(&self) -> bool {
        self.edges.iter().any(|e| e.known.is_playable())
    }

    /// The number of the edge of a move, which is turned as in the book.
    pub fn edge_of(&self, known: Move) -> Option<usize> {
        self.edges.iter().position(|e| e.known.mv == known)
    }
}

impl Graph {
    /// Walks through a table, `plies` deep at most.
    pub fn new(table: &Table, plies: usize) -> Graph {
        let start = Position::startpos();
        let mut numbers = HashMap::from([(Symmetry::of(&start).key, 0)]);
        let mut nodes = vec![node(start, 0)];
        let mut next = 0;
        while next < nodes.len() {
            let Node { key, ply, .. } = nodes[next];
            let position = nodes[next].position.clone();
            let moves = table.get(&key).filter(|_| ply < plies);
            let here = Symmetry::of(&position);
            let mut edges = Vec::new();
            for known in moves.into_iter().flatten().filter(|m| !m.banned) {
                let mv = here.to_board(known.mv);
                let mut child = position.clone();
                if child.play(mv).is_err() {
                    continue;
                }
                let to = *numbers.entry(Symmetry::of(&child).key).or_insert_with(|| {
                    nodes.push(node(child, ply + 1));
                    nodes.len() - 1
                });
                let known = *known;
                edges.push(Edge { mv, known, to });
            }
            edges.sort_by_key(|e| std::cmp::Reverse(e.known.weight));
            nodes[next].edges = edges;
            next += 1;
        }
        Graph { nodes }
    }

    /// Positions with a move.
    pub fn positions(&self) -> usize {
        self.nodes.iter().filter(|n| !n.edges.is_empty()).count()
    }

    /// Positions with a move to play.
    pub fn answered(&self) -> usize {
        self.nodes.iter().filter(|n| n.is_answered()).count()
    }

    /// Moves in all.
    pub fn moves(&self) -> usize {
        self.nodes.iter().map(|n| n.edges.len()).sum()
    }

    /// The part of the table that can be reached, and what was set by hand.
    pub fn reached(&self, table: &Table) -> Table {
        let mut kept = Table::new();
        for node in &self.nodes {
            if let Some(moves) = table.get(&node.key).filter(|_| !node.edges.is_empty()) {
                kept.insert(node.key, moves.clone());
            }
        }
        for (key, moves) in table {
            let by_hand = moves.iter().filter(|m| m.by_hand);
            let at = kept.entry(*key).or_default();
            for m in by_hand {
                if at.iter().all(|other| other.mv != m.mv) {
                    at.push(*m);
                }
            }
        }
        kept.retain(|_, moves| !moves.is_empty());
        kept
    }
}

fn node(position: Position, ply: usize) -> Node {
    Node {
        key: Symmetry::of(&position).key,
        position,
        ply,
        edges: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_making::{GatherRules, gather, read_games};

    #[test]
    fn transpositions_meet() {
        let table =
            "result\tmoves\n1-0\th2e2 h9g7 b0c2\n1-0\tb0c2 h9g7 h2e2\n0-1\tb2e2 b9c7 h0g2 a9b9\n";
        let (games, _) = read_games("t", table.as_bytes());
        let rules = GatherRules {
            min_games: 1,
            min_score: 0.0,
            ..GatherRules::default()
        };
        let gathered = gather(&games, &rules);
        let graph = Graph::new(&gathered.table, 99);
        // Start; after 炮, after 马; both with the reply; both together; and the rook's move.
        assert_eq!(graph.nodes.len(), 7);
        assert_eq!((graph.positions(), graph.moves()), (6, 7));
        assert_eq!(graph.nodes.iter().map(|n| n.ply).max(), Some(4));
        assert_eq!(graph.reached(&gathered.table), gathered.table);
        assert_eq!(Graph::new(&gathered.table, 1).nodes.len(), 3);
    }
}
