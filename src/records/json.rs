//! Games as JSON, one object a game, without loss; and such objects read again.
//!
//! The tree is a flat list of nodes that name their parent (0 is the start), each before its
//! children and a line before its variations, so that no reader needs recursion.

use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{Game, NodeId, Outcome};
use crate::notation::{ChineseStyle, to_chinese, to_wxf};
use crate::types::Move;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Debug, Deserialize, Serialize)]
struct JsonNode {
    id: u32,
    parent: u32,
    uci: String,
    #[serde(default)]
    wxf: String,
    #[serde(default)]
    chinese: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
}

#[derive(Debug, Deserialize, Serialize)]
struct JsonGame {
    #[serde(default)]
    tags: Vec<(String, String)>,
    start_fen: String,
    #[serde(default)]
    result: String,
    #[serde(default)]
    plies: usize,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    nodes: Vec<JsonNode>,
}

impl Game {
    /// The game as one JSON object on one line, without a line break.
    pub fn to_json(&self) -> String {
        let mut numbers: HashMap<NodeId, u32> = HashMap::from([(NodeId::ROOT, 0)]);
        let mut position = self.start().clone();
        // The line from the start to the node last written.
        let mut line: Vec<NodeId> = vec![NodeId::ROOT];
        let mut nodes = Vec::with_capacity(self.node_count());
        for node in self.walk().skip(1) {
            let parent = self.parent(node).unwrap_or(NodeId::ROOT);
            while line.last().is_some_and(|&n| n != parent) && line.len() > 1 {
                line.pop();
                position.unmake();
            }
            let mv = self.mv(node);
            let id = numbers.len() as u32;
            let notes = self.notes(node).cloned().unwrap_or_default();
            nodes.push(JsonNode {
                id,
                parent: numbers.get(&parent).copied().unwrap_or(0),
                uci: mv.to_string(),
                wxf: to_wxf(&position, mv),
                chinese: to_chinese(&position, mv, ChineseStyle::default()),
                before: notes.before,
                comments: notes.after,
                nags: notes.nags,
            });
            numbers.insert(node, id);
            position.make(mv);
            line.push(node);
        }
        let game = JsonGame {
            tags: self.tags.clone(),
            start_fen: self.start().fen(),
            result: self.result.text().to_owned(),
            plies: self.plies(),
            moves: self.moves().iter().map(Move::to_string).collect(),
            comments: self
                .notes(NodeId::ROOT)
                .map_or_else(Vec::new, |n| n.after.clone()),
            nodes,
        };
        serde_json::to_string(&game).unwrap_or_default()
    }
}

/// Reads games, one object a line.
pub(super) fn read(text: &str, source: &mut Source) {
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        source.game += 1;
        let place = Place::Line(i + 1);
        match serde_json::from_str::<JsonGame>(line) {
            Ok(game) => read_game(game, place, source),
            Err(e) => {
                source.problem(
                    place,
                    0,
                    ProblemKind::Malformed(format!("no game in JSON: {e}")),
                );
            }
        }
    }
}

fn read_game(json: JsonGame, place: Place, source: &mut Source) {
    let start = match Start::from_fen(&json.start_fen) {
        Ok(start) => start.position,
        Err(why) => {
            let fen = json.start_fen;
            return source.problem(place, 0, ProblemKind::Start { fen, why });
        }
    };
    let mut position = start.clone();
    let mut game = Game::new(start);
    game.tags = json.tags;
    game.result = Outcome::read(&json.result).unwrap_or_default();
    for text in &json.comments {
        game.comment(NodeId::ROOT, text);
    }
    let mut nodes = json.nodes;
    if nodes.is_empty() {
        nodes = json
            .moves
            .into_iter()
            .zip(1..)
            .map(|(uci, id)| JsonNode {
                id,
                parent: id - 1,
                uci,
                wxf: String::new(),
                chinese: String::new(),
                before: Vec::new(),
                comments: Vec::new(),
                nags: Vec::new(),
            })
            .collect();
    }
    let mut known: HashMap<u32, NodeId> = HashMap::from([(0, NodeId::ROOT)]);
    let mut line: Vec<NodeId> = vec![NodeId::ROOT];
    for node in nodes {
        let Some(&parent) = known.get(&node.parent) else {
            continue; // below a move that could not be played
        };
        // Back to the parent, which is on the line if the nodes stand in the order written.
        while line.len() > 1 && line.last() != Some(&parent) {
            line.pop();
            position.unmake();
        }
        if line.last() != Some(&parent) {
            let what = format!(
                "node {} does not follow its parent {}",
                node.id, node.parent
            );
            source.problem(place, 0, ProblemKind::Malformed(what));
            continue;
        }
        let ply = position.ply_count() + 1;
        match crate::notation::parse_move(&position, &node.uci) {
            Ok(mv) => {
                let id = game.add(parent, mv);
                for text in &node.before {
                    game.comment_before(id, text);
                }
                for text in &node.comments {
                    game.comment(id, text);
                }
                for &nag in &node.nags {
                    game.nag(id, nag);
                }
                known.insert(node.id, id);
                line.push(id);
                position.make(mv);
            }
            Err(e) => source.problem(place, ply, ProblemKind::Move(e)),
        }
    }
    source.games.push(game);
}
