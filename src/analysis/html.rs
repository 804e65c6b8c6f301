//! The page for a browser: everything in one file, nothing fetched from anywhere.

use super::assess::win_probability;
use super::game::GameReport;
use super::svg::grid_svg;
use crate::notation::{ChineseStyle, Notation};
use crate::position::Position;
use crate::records::{Game, NodeId};
use crate::types::{Color, Move, score};
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");

/// A page of games, from what [`GameReport::to_page_data`] made of each.
pub fn html_page(games: &[Value]) -> String {
    // Nothing in a name or a comment may end the script it stands in.
    let data = Value::Array(games.to_vec()).to_string();
    let data = data.replace('<', "\\u003c");
    PAGE.replacen("{{GRID}}", &grid_svg(), 1)
        .replacen("{{DATA}}", &data, 1)
}

impl GameReport {
    /// What the page needs to know of a game.
    pub fn to_page_data(&self, game: &Game) -> Value {
        let mut position = game.start().clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        let mut before = NodeId::ROOT;
        for (m, node) in self.moves.iter().zip(game.main_line()) {
            let red = |s: score::Score| if m.side == Color::Red { s } else { -s };
            let others = game.children(before).skip(1);
            let variations: Vec<Value> = others
                .map(|n| line_json(&position, &line_of(game, n)))
                .collect();
            let mut object = line_json(&position, &[m.mv]);
            for name in ["uci", "zh", "wxf", "iccs"] {
                object[name] = object[name][0].take();
            }
            object["beforeText"] = score::text(red(m.before)).into();
            object["loss"] = m.loss.into();
            object["mark"] = m.mark.map(|k| k.text()).into();
            object["best"] = line_json(&position, &m.best);
            object["vars"] = variations.into();
            object["comments"] = comments(game, node);
            moves.push(object);
            position.make(m.mv);
            before = node;
        }
        let sides: Vec<Value> = self
            .sides
            .iter()
            .map(|s| {
                let percent = |x: Option<f64>| x.map_or("–".into(), |x| format!("{x:.1}%"));
                let mut cells = vec![percent(s.accuracy), percent(s.loss.map(|l| 100.0 * l))];
                cells.extend(s.marks.iter().map(usize::to_string));
                json!(cells)
            })
            .collect();
        let opening = self
            .opening
            .as_ref()
            .map_or_else(String::new, |o| format!("{} {} {}", o.code, o.zh, o.en));
        let events: Vec<Value> = self
            .events
            .iter()
            .map(|e| json!({ "ply": e.ply, "zh": e.zh, "en": e.en }))
            .collect();
        json!({
            "names": [game.red(), game.black()], "result": game.result.text(),
            "opening": opening, "fen": game.start().fen(), "number": game.start().fullmove(),
            "blackFirst": game.start().stm() == Color::Black,
            "scores": self.scores.iter().map(|&s| score::text(s)).collect::<Vec<_>>(),
            "win": self.scores.iter().map(|&s| win_probability(s)).collect::<Vec<_>>(),
            "sides": sides, "events": events, "moves": moves,
            "comments": comments(game, NodeId::ROOT),
            "end": line_json(&position, &self.continuation),
        })
    }
}

fn comments(game: &Game, node: NodeId) -> Value {
    let notes = game.notes(node);
    let all = notes.iter().flat_map(|n| n.before.iter().chain(&n.after));
    json!(all.collect::<Vec<_>>())
}

/// A variation from its first move on, its own variations left out.
fn line_of(game: &Game, first: NodeId) -> Vec<Move> {
    let nodes = std::iter::successors(Some(first), |&n| game.next(n));
    nodes.map(|n| game.mv(n)).collect()
}

/// A line as lists of move texts, in coordinates and the notations of the page.
fn line_json(position: &Position, line: &[Move]) -> Value {
    let texts = |notation: Notation| -> Vec<String> {
        let text = notation.line(position, line);
        text.split_whitespace().map(String::from).collect()
    };
    json!({
        "uci": texts(Notation::Coordinate), "iccs": texts(Notation::Iccs),
        "wxf": texts(Notation::Wxf), "zh": texts(Notation::Chinese(ChineseStyle::default())),
    })
}
