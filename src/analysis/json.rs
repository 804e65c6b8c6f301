//! A game's report as JSON, one object on one line.

use super::game::{GameReport, MARKS, MoveReport, SideReport};
use crate::notation::{ChineseStyle, Notation};
use crate::position::Position;
use crate::records::Game;
use crate::types::{Color, Move, Score, score};
use serde_json::{Value, json};

/// `{"cp": 34}` or `{"mate": 3}`; a win by rule is `{"cp": 29500}` or so with `"rule": true`.
pub fn score_json(s: Score) -> Value {
    match score::mate_moves(s) {
        Some(moves) => json!({ "mate": moves }),
        None if score::is_decided(s) => json!({ "cp": s, "rule": true }),
        None => json!({ "cp": s }),
    }
}

fn rounded(x: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (x * unit).round() / unit
}

impl GameReport {
    /// The report as one JSON object without a line break. `number` counts the games from 1.
    pub fn to_json(&self, game: &Game, number: usize) -> String {
        let mut position = game.start().clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for m in &self.moves {
            moves.push(move_json(&position, m));
            position.make(m.mv);
        }
        let tags: serde_json::Map<String, Value> = game
            .tags
            .iter()
            .map(|(k, v)| (k.clone(), Value::String(v.clone())))
            .collect();
        let opening = self
            .opening
            .as_ref()
            .map(|o| json!({ "ecco": o.code, "zh": o.zh, "en": o.en }));
        let events: Vec<Value> = self
            .events
            .iter()
            .map(|e| {
                let side = e.side.map(|s| s.to_string());
                json!({ "ply": e.ply, "code": e.code, "side": side, "en": e.en, "zh": e.zh })
            })
            .collect();
        json!({
            "game": number, "tags": tags, "result": game.result.text(),
            "start_fen": game.start().fen(), "plies": self.moves.len(), "opening": opening,
            "red": side_json(&self.sides[Color::Red.index()]),
            "black": side_json(&self.sides[Color::Black.index()]),
            "scores_for_red": self.scores.iter().map(|&s| score_json(s)).collect::<Vec<_>>(),
            "turning_points": self.turning_points().map(|m| m.ply).collect::<Vec<_>>(),
            "events": events, "moves": moves,
        })
        .to_string()
    }
}

fn side_json(side: &SideReport) -> Value {
    let marks: serde_json::Map<String, Value> = MARKS
        .iter()
        .zip(side.marks)
        .map(|(mark, n)| (mark.text().to_owned(), n.into()))
        .collect();
    json!({
        "moves": side.moves, "best": side.best, "accuracy": side.accuracy.map(|a| rounded(a, 2)),
        "average_loss": side.loss.map(|l| rounded(l, 5)), "marks": marks,
    })
}

fn move_json(position: &Position, m: &MoveReport) -> Value {
    let chinese = Notation::Chinese(ChineseStyle::default());
    let coordinates = |line: &[Move]| line.iter().map(|m| m.to_string()).collect::<Vec<_>>();
    json!({
        "ply": m.ply, "side": m.side.to_string(), "uci": m.mv.to_string(),
        "wxf": Notation::Wxf.text(position, m.mv), "chinese": chinese.text(position, m.mv),
        "before": score_json(m.before), "after": score_json(m.after),
        "loss": rounded(m.loss, 5), "mark": m.mark.map(|k| k.text()), "depth": m.depth,
        "best": coordinates(&m.best), "best_text": chinese.line(position, &m.best),
    })
}
