//! The three ways of speaking: UCI with ranks 0–9, UCI with ranks 1–10, UCCI. Only text; no pipes.

use crate::types::Move;
use std::fmt::Write;
use std::time::Duration;

/// How an engine is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// UCI, ranks 0–9.
    Uci,
    /// UCI, ranks 1–10.
    Fsf,
    /// UCCI 3.0.
    Ucci,
}

/// A game as the engines are told of it.
#[derive(Clone, Debug)]
pub struct GameText {
    /// FEN of the start.
    pub start: String,
    /// All moves since.
    pub moves: Vec<Move>,
    /// FEN after the last capture (or of the start), and how many moves led there.
    pub base: (String, usize),
}

/// A side's clock as told to engines.
#[derive(Clone, Copy, Debug)]
pub struct ClockText {
    /// Time left.
    pub remaining: Duration,
    /// What a move adds.
    pub increment: Duration,
    /// Moves to the next session.
    pub moves_to_go: Option<u32>,
}

/// What to say with `go`.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// Clocks of Red and Black, if the side to move has one.
    pub clocks: Option<[ClockText; 2]>,
    /// Red is to move.
    pub red: bool,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Depth limit.
    pub depth: Option<u32>,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Moves not to be played, and all others that are legal.
    pub banned: (Vec<Move>, Vec<Move>),
}

/// A move as the engine writes it.
pub fn write_move(dialect: Dialect, m: Move) -> String {
    match dialect {
        Dialect::Fsf => {
            let part = |s: String| match s.get(1..).and_then(|r| r.parse::<u32>().ok()) {
                Some(rank) => format!("{}{}", &s[..1], rank + 1),
                None => s,
            };
            part(m.from().to_string()) + &part(m.to().to_string())
        }
        _ => m.to_string(),
    }
}

/// Reads a move as the engine writes it.
pub fn read_move(dialect: Dialect, text: &str) -> Option<Move> {
    let text = text.to_ascii_lowercase();
    if dialect != Dialect::Fsf {
        return text.parse().ok();
    }
    let mut zero_based = String::new();
    let mut chars = text.chars().peekable();
    for _ in 0..2 {
        zero_based.push(chars.next()?);
        let mut rank = 0;
        while let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) {
            rank = rank * 10 + d;
            if rank > 10 {
                return None;
            }
            chars.next();
        }
        let _ = write!(zero_based, "{}", rank.checked_sub(1)?);
    }
    if chars.next().is_some() {
        return None;
    }
    zero_based.parse().ok()
}

/// The `position` line. UCCI engines get the FEN after the last capture and the moves since.
pub fn position_line(dialect: Dialect, game: &GameText) -> String {
    let (fen, moves) = match dialect {
        Dialect::Ucci => (&game.base.0, game.moves.get(game.base.1..).unwrap_or(&[])),
        _ => (&game.start, &game.moves[..]),
    };
    let mut line = format!("position fen {fen}");
    if !moves.is_empty() {
        line.push_str(" moves");
        for &m in moves {
            line.push(' ');
            line.push_str(&write_move(dialect, m));
        }
    }
    line
}

/// The lines that start a search; `millis` tells the unit a UCCI engine wants.
pub fn go_lines(dialect: Dialect, go: &Go, millis: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from("go");
    if dialect == Dialect::Ucci {
        if !go.banned.0.is_empty() {
            lines.push(banmoves(dialect, &go.banned.0));
        }
        if go.ponder {
            line.push_str(" ponder");
        } else if go.draw {
            line.push_str(" draw");
        }
        ucci_limits(&mut line, go, millis);
    } else {
        if go.ponder {
            line.push_str(" ponder");
        }
        uci_limits(&mut line, go);
        if !go.banned.0.is_empty() && !go.banned.1.is_empty() {
            line.push_str(" searchmoves");
            for &m in &go.banned.1 {
                let _ = write!(line, " {}", write_move(dialect, m));
            }
        }
    }
    lines.push(line);
    lines
}

fn banmoves(dialect: Dialect, moves: &[Move]) -> String {
    moves.iter().fold("banmoves".into(), |mut line, &m| {
        let _ = write!(line, " {}", write_move(dialect, m));
        line
    })
}

fn uci_limits(line: &mut String, go: &Go) {
    if let Some([red, black]) = go.clocks {
        let _ = write!(
            line,
            " wtime {} btime {} winc {} binc {}",
            red.remaining.as_millis(),
            black.remaining.as_millis(),
            red.increment.as_millis(),
            black.increment.as_millis()
        );
        let own = if go.red { red } else { black };
        if let Some(n) = own.moves_to_go {
            let _ = write!(line, " movestogo {n}");
        }
    }
    if let Some(t) = go.movetime {
        let _ = write!(line, " movetime {}", t.as_millis());
    }
    if let Some(n) = go.nodes {
        let _ = write!(line, " nodes {n}");
    }
    if let Some(d) = go.depth {
        let _ = write!(line, " depth {d}");
    }
}

fn ucci_limits(line: &mut String, go: &Go, millis: bool) {
    let unit = |t: Duration| {
        if millis {
            t.as_millis()
        } else {
            u128::from(t.as_secs())
        }
    };
    if let Some([red, black]) = go.clocks {
        let (own, other) = if go.red { (red, black) } else { (black, red) };
        let _ = write!(line, " time {}", unit(own.remaining));
        let _ = match own.moves_to_go {
            Some(n) => write!(line, " movestogo {n}"),
            None => write!(line, " increment {}", unit(own.increment)),
        };
        let _ = write!(line, " opptime {}", unit(other.remaining));
        let _ = match other.moves_to_go {
            Some(n) => write!(line, " oppmovestogo {n}"),
            None => write!(line, " oppincrement {}", unit(other.increment)),
        };
    } else if let Some(t) = go.movetime {
        // UCCI has no fixed time; all of it for one move comes nearest.
        let _ = write!(line, " time {} movestogo 1", unit(t).max(1));
    } else if let Some(n) = go.nodes {
        let _ = write!(line, " nodes {n}");
    } else if let Some(d) = go.depth {
        let _ = write!(line, " depth {d}");
    }
}

/// What an engine said while it thought, from its `info` lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Hundredths of a pawn, or a mate as ±(30000 − plies).
    pub score: Option<i32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Its own account of the time, in milliseconds.
    pub time: Option<u64>,
    /// First move of its line that is told, as text.
    pub pv: Option<String>,
}

/// Scores beyond this tell a mate.
pub const MATE_SCORE: i32 = 30_000;

impl Thought {
    /// Takes in an `info` line; lines of a second or later variation are left out.
    pub fn read(&mut self, dialect: Dialect, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"info") {
            return;
        }
        let after = |key: &str| {
            words
                .iter()
                .position(|w| *w == key)
                .and_then(|i| words.get(i + 1))
        };
        if words
            .get(1)
            .is_some_and(|w| *w == "string" || *w == "message")
            || after("multipv").is_some_and(|k| *k != "1")
        {
            return;
        }
        let number = |key: &str| after(key).and_then(|w| w.parse::<u64>().ok());
        if let Some(n) = number("nodes") {
            self.nodes = Some(n);
        }
        if let Some(t) = number("time") {
            self.time = Some(t);
        }
        let Some(i) = words.iter().position(|w| *w == "score") else {
            return;
        };
        // A bound is no score, unless nothing better is known.
        let bound = words
            .iter()
            .any(|w| *w == "lowerbound" || *w == "upperbound");
        if bound && self.score.is_some() && dialect != Dialect::Ucci {
            return;
        }
        let value = |k: usize| words.get(i + k).and_then(|w| w.parse::<i32>().ok());
        let score = match words.get(i + 1) {
            Some(&"cp") => value(2),
            Some(&"mate") => value(2).map(|m| match m {
                m if m > 0 => MATE_SCORE - (2 * m - 1).min(1000),
                m => -MATE_SCORE + (-2 * m.max(-1000)).min(1000),
            }),
            // Mates of UCCI engines are 10,000 less the plies.
            Some(_) => value(1).map(|s| match s {
                9_001..=10_000 => s + MATE_SCORE - 10_000,
                -10_000..=-9_001 => s - MATE_SCORE + 10_000,
                s => s.clamp(-MATE_SCORE, MATE_SCORE),
            }),
            None => None,
        };
        if score.is_some() {
            self.score = score;
            self.depth = number("depth").and_then(|d| u32::try_from(d).ok());
            self.pv = after("pv").map(|w| (*w).to_string());
        }
    }
}

/// An answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A move, with what follows it.
    Move {
        /// The move.
        mv: Move,
        /// The reply that is expected.
        ponder: Option<Move>,
        /// A draw is offered or accepted.
        draw: bool,
        /// The game is given up.
        resign: bool,
    },
    /// No move: `nobestmove`, `bestmove (none)`.
    None,
    /// A `bestmove` without a readable move.
    Garbled(String),
}

/// Reads a line that ends a search.
pub fn read_answer(dialect: Dialect, line: &str) -> Option<Answer> {
    let mut words = line.split_whitespace();
    match words.next()? {
        "nobestmove" => return Some(Answer::None),
        "bestmove" => {}
        _ => return None,
    }
    let rest: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    let said = |word: &str| rest.iter().any(|w| w == word);
    let text = rest.first().map_or("", String::as_str);
    if matches!(text, "(none)" | "none" | "0000" | "null" | "resign") {
        return Some(Answer::None);
    }
    let Some(mv) = read_move(dialect, text) else {
        return Some(Answer::Garbled(line.chars().take(80).collect()));
    };
    let ponder = rest
        .iter()
        .position(|w| w == "ponder")
        .and_then(|i| rest.get(i + 1))
        .and_then(|w| read_move(dialect, w));
    Some(Answer::Move {
        mv,
        ponder,
        draw: said("draw"),
        resign: said("resign"),
    })
}

/// An option an engine declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// Name.
    pub name: String,
    /// `spin`, `check`, `combo`, `string`, `button` or `label`.
    pub kind: String,
    /// Default as text.
    pub default: Option<String>,
    /// Least value of a spin.
    pub min: Option<i64>,
    /// Greatest value of a spin.
    pub max: Option<i64>,
    /// Values of a combo.
    pub vars: Vec<String>,
}

/// Reads an `option` line of either protocol.
pub fn read_option(line: &str) -> Option<OptionDecl> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.first() != Some(&"option") {
        return None;
    }
    let kind_at = words.iter().position(|w| *w == "type")?;
    let start = if words.get(1) == Some(&"name") { 2 } else { 1 };
    let name = words.get(start..kind_at)?.join(" ");
    if name.is_empty() {
        return None;
    }
    let mut option = OptionDecl {
        name,
        kind: words.get(kind_at + 1)?.to_string(),
        default: None,
        min: None,
        max: None,
        vars: Vec::new(),
    };
    let keys = ["default", "min", "max", "var"];
    let mut i = kind_at + 2;
    while i < words.len() {
        let key = words[i];
        let end = words[i + 1..]
            .iter()
            .position(|w| keys.contains(w))
            .map_or(words.len(), |k| i + 1 + k);
        let value = words[i + 1..end].join(" ");
        match key {
            "default" => option.default = Some(value),
            "min" => option.min = value.parse().ok(),
            "max" => option.max = value.parse().ok(),
            "var" => option.vars.push(value),
            _ => {}
        }
        i = end;
    }
    Some(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_the_dialects() {
        let m: Move = "b9c7".parse().unwrap();
        assert_eq!(write_move(Dialect::Fsf, m), "b10c8");
        assert_eq!(read_move(Dialect::Fsf, "b10c8"), Some(m));
        assert_eq!(read_move(Dialect::Uci, "b9c7"), Some(m));
        assert_eq!(read_move(Dialect::Uci, "b10c8"), None);
        for bad in ["", "b0c8", "b11c8", "b10", "b10c8q", "b", "bbcc"] {
            assert_eq!(read_move(Dialect::Fsf, bad), None, "{bad}");
        }
    }

    #[test]
    fn ucci_hears_of_the_game_since_the_last_capture() {
        let moves: Vec<Move> = ["h2e2", "h7e7", "e2e6", "a9a8"]
            .iter()
            .map(|m| m.parse().unwrap())
            .collect();
        let game = GameText {
            start: "START".into(),
            moves,
            base: ("AFTER".into(), 3),
        };
        assert_eq!(
            position_line(Dialect::Ucci, &game),
            "position fen AFTER moves a9a8"
        );
        assert_eq!(
            position_line(Dialect::Fsf, &game),
            "position fen START moves h3e3 h8e8 e3e7 a10a9"
        );
    }

    #[test]
    fn go_in_three_tongues() {
        let clock = |s| ClockText {
            remaining: Duration::from_millis(s),
            increment: Duration::from_millis(20),
            moves_to_go: None,
        };
        let go = Go {
            clocks: Some([clock(2500), clock(1999)]),
            red: false,
            draw: true,
            ..Go::default()
        };
        assert_eq!(
            go_lines(Dialect::Uci, &go, true),
            ["go wtime 2500 btime 1999 winc 20 binc 20"]
        );
        assert_eq!(
            go_lines(Dialect::Ucci, &go, true),
            ["go draw time 1999 increment 20 opptime 2500 oppincrement 20"]
        );
        assert_eq!(
            go_lines(Dialect::Ucci, &go, false),
            ["go draw time 1 increment 0 opptime 2 oppincrement 0"]
        );
        let m = |t: &str| t.parse::<Move>().unwrap();
        let go = Go {
            nodes: Some(9),
            banned: (vec![m("a0a1")], vec![m("h2e2"), m("b2e2")]),
            ..Go::default()
        };
        assert_eq!(
            go_lines(Dialect::Ucci, &go, true),
            ["banmoves a0a1", "go nodes 9"]
        );
        assert_eq!(
            go_lines(Dialect::Uci, &go, true),
            ["go nodes 9 searchmoves h2e2 b2e2"]
        );
    }

    #[test]
    fn answers_and_scores() {
        let m: Move = "h2e2".parse().unwrap();
        assert_eq!(
            read_answer(Dialect::Ucci, "bestmove h2e2 ponder h7e7 draw"),
            Some(Answer::Move {
                mv: m,
                ponder: Some("h7e7".parse().unwrap()),
                draw: true,
                resign: false
            })
        );
        assert_eq!(
            read_answer(Dialect::Uci, "bestmove (none)"),
            Some(Answer::None)
        );
        assert!(matches!(
            read_answer(Dialect::Uci, "bestmove"),
            Some(Answer::Garbled(_))
        ));
        assert_eq!(read_answer(Dialect::Uci, "info depth 1"), None);
        let mut thought = Thought::default();
        thought.read(
            Dialect::Uci,
            "info depth 7 score cp -31 nodes 99 time 5 pv h2e2",
        );
        assert_eq!((thought.depth, thought.score), (Some(7), Some(-31)));
        thought.read(Dialect::Uci, "info depth 8 multipv 2 score cp 500 pv a0a1");
        assert_eq!(thought.score, Some(-31));
        thought.read(Dialect::Uci, "info depth 9 score mate -2 pv a0a1");
        assert_eq!(thought.score, Some(-MATE_SCORE + 4));
        thought.read(Dialect::Ucci, "info depth 3 score 9995 pv a0a1");
        assert_eq!(thought.score, Some(MATE_SCORE - 5));
    }

    #[test]
    fn options_of_both_protocols() {
        let o = read_option("option name Move Overhead type spin default 10 min 0 max 5000");
        let o = o.unwrap();
        assert_eq!((o.name.as_str(), o.max), ("Move Overhead", Some(5000)));
        let o = read_option("option style type combo var solid var normal default normal").unwrap();
        assert_eq!((o.vars.len(), o.default.as_deref()), (2, Some("normal")));
        assert_eq!(read_option("option name type spin"), None);
        assert!(read_option("option newgame type button").is_some());
    }
}
