//! A book written out for people: as an indented tree, and as games.

use super::graph::{Edge, Graph};
use crate::analysis::opening_of;
use crate::notation::Notation;
use crate::opening_book::BookMove;
use crate::position::Position;
use crate::records::{Game, NodeId};
use crate::types::Move;
use core::fmt::Write;

/// One move a row, indented by its ply, with its weight, games, the percentage its player scored
/// and its score by search; the name of the opening where it changes. Behind a move that leads
/// to a position shown elsewhere stands the row of that.
pub fn tree_text(graph: &Graph, notation: Notation) -> String {
    let mut out = String::new();
    let mut rows = vec![0; graph.nodes.len()];
    let (mut row, mut name) = (0, String::new());
    walk(graph, &mut |before, edge, moves| {
        row += 1;
        let mv = moves[moves.len() - 1];
        let text = notation.text(before, mv);
        let indent = "  ".repeat(moves.len() - 1);
        let known = known_text(&edge.known);
        let _ = write!(out, "{row:>5}  {indent}{text} {mv}  {known}");
        let seen = rows[edge.to];
        if seen > 0 {
            let _ = write!(out, "  -> row {seen}");
        } else {
            rows[edge.to] = row;
        }
        if let Some(opening) = opening_of(&game_of(moves)) {
            let new = format!("{} {}", opening.code, opening.zh);
            if new != name {
                let _ = write!(out, "  [{new}]");
                name = new;
            }
        }
        out.push('\n');
        seen == 0
    });
    out
}

fn known_text(m: &BookMove) -> String {
    let mut text = format!("w{}", m.weight);
    if m.games > 0 {
        let _ = write!(text, " {}g", m.games);
    }
    if let Some(percent) = m.percent() {
        let _ = write!(text, " {percent:.1}%");
    }
    if let Some(score) = m.score {
        let _ = write!(text, " {:+.2}", f64::from(score) / 100.0);
    }
    text
}

/// Every line of a book as a game, with the opening in its tags; a line ends where it meets one
/// before it.
pub fn line_games(graph: &Graph) -> Vec<Game> {
    let mut games = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    walk(graph, &mut |_, edge, moves| {
        let known = std::mem::replace(&mut seen[edge.to], true);
        if known || graph.nodes[edge.to].edges.is_empty() {
            let mut game = game_of(moves);
            game.add_tag("Event", "chuhe opening book");
            if let Some(opening) = opening_of(&game) {
                game.add_tag("ECCO", &opening.code);
                game.add_tag("Opening", opening.zh);
            }
            games.push(game);
        }
        !known
    });
    games
}

fn game_of(moves: &[Move]) -> Game {
    let mut game = Game::new(Position::startpos());
    let mut node = NodeId::ROOT;
    for &m in moves {
        node = game.add(node, m);
    }
    game
}

/// Walks through a graph, depth first and the heaviest moves first. `visit` gets the position
/// before each move, what the book knows of it, and all moves from the start, itself the last;
/// the walk goes on behind those for which it returns true.
fn walk(graph: &Graph, visit: &mut dyn FnMut(&Position, &Edge, &[Move]) -> bool) {
    let mut moves: Vec<Move> = Vec::new();
    // Number and board of each node on the way, and its next edge.
    let mut open = vec![(0, Position::startpos(), 0)];
    while let Some((at, position, next)) = open.last_mut() {
        let node = &graph.nodes[*at];
        let Some(edge) = node.edges.get(*next) else {
            open.pop();
            moves.pop();
            continue;
        };
        *next += 1;
        // The node may have been met first as the mirror image of what is here.
        let mirrored = *position != node.position;
        let mv = if mirrored { edge.mv.mirror() } else { edge.mv };
        moves.push(mv);
        let mut child = position.clone();
        if visit(position, edge, &moves) && child.play(mv).is_ok() {
            open.push((edge.to, child, 0));
        } else {
            moves.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_making::{GatherRules, gather, read_games};
    use crate::notation::ChineseStyle;

    #[test]
    fn rows_and_lines() {
        let table = "result\tmoves\n1-0\th2e2 h9g7 b0c2\n1-0\tb0c2 h9g7 h2e2 i9h9\n\
                     0-1\tb2e2 b9c7 h0g2 a9b9\n";
        let rules = GatherRules {
            min_games: 1,
            min_score: 0.0,
            strength: false,
            ..GatherRules::default()
        };
        let table = gather(&read_games("t", table.as_bytes()).0, &rules).table;
        let graph = Graph::new(&table, 99);
        let text = tree_text(&graph, Notation::Chinese(ChineseStyle::default()));
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 7, "{text}");
        assert_eq!(rows[0], "    1  炮二平五 h2e2  w1000 2g 50.0%  [B0 中炮局]");
        assert!(rows[3].starts_with("    4        车9平8 i9h9"), "{text}");
        assert!(rows[6].contains("-> row 3"), "{text}");
        let games = line_games(&graph);
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].plies(), games[1].plies()), (4, 3));
        assert_eq!(games[0].tag("ECCO"), Some("B0"));
    }
}
