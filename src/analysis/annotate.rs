//! A game with what was found written into it: scores, marks and better lines.

use super::assess::Mark;
use super::game::GameReport;
use crate::notation::Notation;
use crate::position::Position;
use crate::records::{Game, NodeId};
use crate::types::{Color, Move, Score, score};

/// Moves of a better line that are written.
const LINE: usize = 8;

/// The game with scores as comments (for Red, `{+0.34/12}` with the depth), marks as glyphs,
/// better lines as variations and what the arbiter says. What stood in the game stays, and so
/// does a mark that its author gave to a move.
pub fn annotated(game: &Game, report: &GameReport) -> Game {
    let mut out = game.clone();
    if let Some(opening) = &report.opening {
        for (tag, value) in [("ECCO", opening.code.as_str()), ("Opening", opening.zh)] {
            if out.tag(tag).is_none() {
                out.add_tag(tag, value);
            }
        }
    }
    out.add_tag("Annotator", concat!("chuhe ", env!("CARGO_PKG_VERSION")));
    for (name, side) in ["RedAccuracy", "BlackAccuracy"]
        .into_iter()
        .zip(&report.sides)
    {
        if let Some(accuracy) = side.accuracy {
            out.add_tag(name, &format!("{accuracy:.1}"));
        }
    }
    let mut before = NodeId::ROOT;
    let nodes: Vec<NodeId> = game.main_line().collect();
    for event in report.events.iter().filter(|e| e.ply == 0) {
        out.comment(NodeId::ROOT, &event.zh);
    }
    for (&node, m) in nodes.iter().zip(&report.moves) {
        let marked = out
            .notes(node)
            .is_some_and(|n| n.nags.iter().any(|g| (1..=6).contains(g)));
        if let (Some(mark), false) = (m.mark, marked) {
            out.nag(node, mark.nag());
        }
        let for_red = if m.side == Color::Red {
            m.after
        } else {
            -m.after
        };
        out.comment(node, &format!("{}/{}", score::text(for_red), m.depth));
        for event in report.events.iter().filter(|e| e.ply == m.ply) {
            out.comment(node, &event.zh);
        }
        if matches!(
            m.mark,
            Some(Mark::Inaccuracy | Mark::Mistake | Mark::Blunder)
        ) {
            add_line(&mut out, before, &m.best, for_side(m.before, m.side));
        }
        before = node;
    }
    out
}

fn for_side(s: Score, side: Color) -> Score {
    if side == Color::Red { s } else { -s }
}

/// Adds a better line, unless the game has its first move as a variation already.
fn add_line(out: &mut Game, from: NodeId, line: &[Move], score_for_red: Score) {
    if let Some(&first) = line.first()
        && out.children(from).any(|n| out.mv(n) == first)
    {
        return;
    }
    let mut node = from;
    let length = if score::is_decided(score_for_red) {
        line.len()
    } else {
        LINE
    };
    for (i, &m) in line.iter().take(length).enumerate() {
        node = out.add(node, m);
        if i == 0 {
            out.comment(node, &score::text(score_for_red));
        }
    }
}

/// A better line in words, at most as long as it is written in games.
pub(super) fn short_line(position: &Position, line: &[Move], notation: Notation) -> String {
    notation.line(position, &line[..line.len().min(LINE)])
}
