//! What is kept of a game, and PGN. A record is one JSON line: in the state file, and where
//! `--jsonl` says.

use crate::types::Move;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// How a game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Red won.
    #[serde(rename = "1-0")]
    Red,
    /// Black won.
    #[serde(rename = "0-1")]
    Black,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Both lost: neither side came to the board (Art. 21.3).
    #[serde(rename = "0-0")]
    BothLost,
}

impl Outcome {
    /// As a PGN result.
    pub fn text(self) -> &'static str {
        match self {
            Outcome::Red => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::BothLost => "0-0",
        }
    }

    /// Half points of Red and of Black.
    pub fn half_points(self) -> [u32; 2] {
        match self {
            Outcome::Red => [2, 0],
            Outcome::Black => [0, 2],
            Outcome::Draw => [1, 1],
            Outcome::BothLost => [0, 0],
        }
    }
}

/// One move with what the engine said of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Coordinates, `h2e2`.
    pub m: String,
    /// Score from the mover in hundredths, mates as ±(30000 − plies).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub s: Option<i32>,
    /// Depth.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub d: Option<u32>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub t: Option<u64>,
    /// Nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub n: Option<u64>,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the event, from 0.
    pub game: usize,
    /// The pair of games with swapped colours it belongs to, from 0.
    pub pair: usize,
    /// Round, from 1.
    pub round: usize,
    /// Number of the engine with Red, in the order of the event's engines.
    pub red: usize,
    /// Number of the engine with Black.
    pub black: usize,
    /// Result.
    pub result: Outcome,
    /// Word for how it ended.
    pub termination: String,
    /// How it ended in a sentence.
    pub reason: String,
    /// Decided without play (+ and −).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// Fouls of Red and Black (犯规).
    #[serde(default)]
    pub fouls: [u32; 2],
    /// FEN of the start.
    pub start: String,
    /// How many of the moves are the opening's.
    pub book: usize,
    /// The moves.
    pub moves: Vec<MoveRecord>,
    /// Second since 1970 in which it began.
    #[serde(default)]
    pub began: u64,
    /// Milliseconds it took.
    #[serde(default)]
    pub took: u64,
}

/// What PGN needs beyond the record.
#[derive(Clone, Debug)]
pub struct PgnContext<'a> {
    /// Name of the event.
    pub event: &'a str,
    /// Name of Red.
    pub red: &'a str,
    /// Name of Black.
    pub black: &'a str,
    /// Time control.
    pub time_control: &'a str,
    /// Rule book.
    pub rules: &'a str,
}

impl GameRecord {
    /// The game as PGN with ICCS moves.
    pub fn pgn(&self, context: &PgnContext<'_>) -> String {
        let mut out = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "[{name} \"{value}\"]");
        };
        tag("Game", "Chinese Chess");
        tag("Event", context.event);
        tag("Site", "?");
        tag("Date", &date(self.began));
        tag("Round", &format!("{}.{}", self.round, self.game + 1));
        tag("Red", context.red);
        tag("Black", context.black);
        tag("Result", self.result.text());
        tag("TimeControl", context.time_control);
        tag("Rules", context.rules);
        tag("Termination", &self.termination);
        tag("PlyCount", &self.moves.len().to_string());
        tag("FEN", &self.start);
        tag("Format", "ICCS");
        out.push('\n');
        self.movetext(&mut out);
        out.push_str("\n\n");
        out
    }

    fn movetext(&self, out: &mut String) {
        let black_first = self.start.split_whitespace().nth(1) == Some("b");
        let first = self
            .start
            .split_whitespace()
            .nth(5)
            .and_then(|n| n.parse::<usize>().ok())
            .unwrap_or(1)
            .max(1);
        let mut tokens = Vec::new();
        for (i, record) in self.moves.iter().enumerate() {
            let ply = i + usize::from(black_first);
            let number = first + ply / 2;
            if ply % 2 == 0 {
                tokens.push(format!("{number}."));
            } else if i == 0 || self.moves.get(i - 1).is_some_and(|r| comment(r).is_some()) {
                tokens.push(format!("{number}..."));
            }
            tokens.push(iccs(&record.m));
            if i < self.book {
                continue;
            }
            tokens.extend(comment(record));
        }
        let reason = self.reason.replace(['{', '}'], "");
        tokens.extend(
            format!("{{{reason}}}")
                .split_whitespace()
                .map(str::to_string),
        );
        tokens.push(self.result.text().to_string());
        let mut column = 0;
        for token in tokens {
            let width = token.chars().count();
            if column > 0 && column + 1 + width > 80 {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(&token);
            column += width;
        }
    }
}

/// `{+0.34/12 1.234s 51234n}`.
fn comment(record: &MoveRecord) -> Option<String> {
    let mut parts = Vec::new();
    match (record.s, record.d) {
        (Some(s), Some(d)) => parts.push(format!("{}/{d}", score_text(s))),
        (Some(s), None) => parts.push(score_text(s)),
        _ => {}
    }
    parts.extend(record.t.map(|t| format!("{:.3}s", t as f64 / 1e3)));
    parts.extend(record.n.map(|n| format!("{n}n")));
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(" ")))
}

/// `+0.34`, `+M5` (mate in five plies), `-M4`.
pub fn score_text(s: i32) -> String {
    use super::dialect::MATE_SCORE;
    if s.abs() > MATE_SCORE - 1001 {
        let sign = if s > 0 { '+' } else { '-' };
        format!("{sign}M{}", MATE_SCORE - s.abs())
    } else {
        format!("{:+.2}", f64::from(s) / 100.0)
    }
}

/// `H2-E2` from `h2e2`.
fn iccs(m: &str) -> String {
    match m.parse::<Move>() {
        Ok(m) => format!("{}-{}", m.from(), m.to()).to_uppercase(),
        Err(_) => m.to_uppercase(),
    }
}

/// `2026.11.30` of a second since 1970, by the civil calendar.
pub fn date(second: u64) -> String {
    if second == 0 {
        return "????.??.??".into();
    }
    // Days are counted from 1 March of year 0, so that leap days end a year.
    let days = (second / 86_400) as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::START_FEN;

    fn sample() -> GameRecord {
        let mv = |m: &str, s| MoveRecord {
            m: m.into(),
            s: Some(s),
            d: Some(12),
            t: Some(1234),
            n: Some(51),
        };
        GameRecord {
            game: 3,
            pair: 1,
            round: 1,
            red: 0,
            black: 1,
            result: Outcome::Draw,
            termination: "agreement".into(),
            reason: "both sides agree to a draw".into(),
            forfeit: false,
            fouls: [0, 0],
            start: START_FEN.into(),
            book: 1,
            moves: vec![
                MoveRecord {
                    m: "h2e2".into(),
                    ..MoveRecord::default()
                },
                mv("h7e7", 34),
                mv("b0c2", -29_996),
            ],
            began: 1_796_000_000,
            took: 10,
        }
    }

    #[test]
    fn pgn_is_complete() {
        let pgn = sample().pgn(&PgnContext {
            event: "a \"test\"",
            red: "A",
            black: "B",
            time_control: "2+0.02",
            rules: "cxa1999",
        });
        assert!(pgn.contains("[Event \"a \\\"test\\\"\"]"), "{pgn}");
        assert!(pgn.contains("1. H2-E2 H7-E7 {+0.34/12 1.234s 51n} 2. B0-C2"));
        assert!(pgn.contains("{-M4/12 1.234s 51n}"), "{pgn}");
        assert!(pgn.trim_end().ends_with("1/2-1/2"));
        assert!(pgn.contains("[Date \"2026.11.30\"]"), "{pgn}");
        assert!(pgn.lines().all(|l| l.chars().count() <= 90));
    }

    #[test]
    fn records_survive_json() {
        let text = serde_json::to_string(&sample()).unwrap();
        assert!(!text.contains('\n'));
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), sample());
    }
}
