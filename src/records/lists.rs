//! Files of one position or game a line: FEN, EPD, UCI's `position` arguments, and tables with
//! a column of FENs.

use super::cursor::Cursor;
use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{Game, NodeId};
use crate::notation::{Notation, parse_move};
use crate::position::START_FEN;
use std::fmt::Write;

impl Game {
    /// The main line as UCI's `position` command takes it: `startpos moves h2e2 …` or
    /// `fen FEN moves …`.
    pub fn to_uci_line(&self) -> String {
        let fen = self.start().fen();
        let mut out = if fen == START_FEN {
            "startpos".to_owned()
        } else {
            format!("fen {fen}")
        };
        for (i, m) in self.moves().into_iter().enumerate() {
            let _ = write!(out, "{} {m}", if i == 0 { " moves" } else { "" });
        }
        out
    }
}

impl Game {
    /// The start position with the tags as operations of EPD.
    pub fn to_epd_line(&self) -> String {
        let fen = self.start().fen();
        // EPD leaves the counters out.
        let mut out = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        for (name, value) in self.tags.iter().filter(|(_, value)| !value.is_empty()) {
            let value = value.replace(['"', ';', '\n', '\r'], " ");
            let _ = match &**name {
                "bm" | "am" | "dm" => write!(out, " {name} {value};"),
                _ => write!(out, " {name} \"{value}\";"),
            };
        }
        out
    }
}

impl Game {
    /// The main line in a notation with the result at its end, on one line: `炮二平五 马8进7 1-0`.
    /// A start other than the usual one stands before it as the tag `FEN`.
    pub fn to_moves_line(&self, notation: Notation) -> String {
        let fen = self.start().fen();
        let moves = notation.line(self.start(), &self.moves());
        // Without either the reader would see no game.
        let tag = if fen != START_FEN || moves.is_empty() {
            format!("[FEN \"{fen}\"] ")
        } else {
            String::new()
        };
        let blank = if moves.is_empty() { "" } else { " " };
        format!("{tag}{moves}{blank}{}", self.result)
    }

    /// The positions of the main line from the start to the end as FENs, one a line.
    pub fn to_fen_lines(&self) -> String {
        let mut position = self.start().clone();
        let mut out = position.fen() + "\n";
        for m in self.moves() {
            position.make(m);
            out += &position.fen();
            out.push('\n');
        }
        out
    }

    /// The main line alone: start, moves and nothing said about them.
    pub fn main_line_only(&self) -> Game {
        let mut game = Game::new(self.start().clone());
        let mut node = NodeId::ROOT;
        for m in self.moves() {
            node = game.add(node, m);
        }
        game
    }
}

/// Whether a line is the argument of `position`.
fn is_uci_line(line: &str) -> bool {
    let line = line.strip_prefix("position ").unwrap_or(line);
    line == "startpos" || line.starts_with("startpos ") || line.starts_with("fen ")
}

/// Whether the first word has the shape of a FEN's board.
fn is_fen_line(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or_default();
    board.bytes().filter(|&b| b == b'/').count() >= 8
        && board
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'/')
}

/// Whether a text is such a file: its first line with content decides.
pub(super) fn is_list(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|l| !l.is_empty() && !l.starts_with('#'));
    first.is_some_and(|l| is_uci_line(l) || is_fen_line(l))
}

/// Whether a text is a table whose head names a column `fen`.
pub(super) fn is_table(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    head.contains('\t') && fen_column(head).is_some()
}

fn fen_column(head: &str) -> Option<usize> {
    head.split('\t')
        .position(|name| name.trim().eq_ignore_ascii_case("fen"))
}

/// A position a row; the other columns become tags with the names in the head.
pub(super) fn read_table(text: &str, source: &mut Source) {
    let mut lines = text.lines().enumerate();
    let Some((_, head)) = lines.next() else {
        return;
    };
    let Some(column) = fen_column(head) else {
        return;
    };
    let names: Vec<&str> = head.split('\t').map(str::trim).collect();
    for (i, line) in lines.filter(|(_, l)| !l.trim().is_empty()) {
        source.game += 1;
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let fen = cells.get(column).copied().unwrap_or_default();
        match Start::from_fen(fen) {
            Ok(start) => {
                let mut game = Cursor::new(start).game;
                let named = names.iter().zip(&cells).enumerate();
                let others = named.filter(|(at, (name, cell))| {
                    *at != column && !name.is_empty() && !cell.is_empty()
                });
                let tags = others.map(|(_, (name, cell))| ((*name).to_owned(), (*cell).to_owned()));
                game.tags.extend(tags);
                source.games.push(game);
            }
            Err(why) => {
                let fen = fen.to_owned();
                source.problem(Place::Line(i + 1), 0, ProblemKind::Start { fen, why });
            }
        }
    }
}

pub(super) fn read(text: &str, source: &mut Source) {
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        source.game += 1;
        let place = Place::Line(i + 1);
        if is_uci_line(line) {
            read_uci_line(line, place, source);
        } else if is_fen_line(line) {
            read_fen_line(line, place, source);
        } else {
            let token: String = line.chars().take(40).collect();
            source.problem(place, 0, ProblemKind::UnknownText { token, more: 0 });
        }
    }
}

/// `startpos moves …`, `fen FEN moves …`; moves in any notation.
fn read_uci_line(line: &str, place: Place, source: &mut Source) {
    let line = line.strip_prefix("position ").unwrap_or(line);
    let (start, moves) = line.split_once("moves").unwrap_or((line, ""));
    let fen = start.trim().strip_prefix("fen ").unwrap_or(START_FEN);
    let start = match Start::from_fen(fen) {
        Ok(start) => start,
        Err(why) => {
            let fen = fen.to_owned();
            return source.problem(place, 0, ProblemKind::Start { fen, why });
        }
    };
    play(Game::new(start.position), moves, place, source);
}

/// Adds the moves of a text to a game that has none yet, and the game to the source.
fn play(mut game: Game, moves: &str, place: Place, source: &mut Source) {
    let mut position = game.start().clone();
    let mut node = NodeId::ROOT;
    for text in moves.split_whitespace() {
        match parse_move(&position, text) {
            Ok(m) => {
                node = game.add(node, m);
                position.make(m);
            }
            Err(e) => {
                let ply = position.ply_count() + 1;
                source.problem(place, ply, ProblemKind::Move(e));
                break;
            }
        }
    }
    source.games.push(game);
}

/// A FEN with or without counters, and after it moves, or EPD operations (`bm h2e2; id "x";`), which
/// become tags. What stands there else becomes a comment.
fn read_fen_line(line: &str, place: Place, source: &mut Source) {
    // The FEN ends before the first word that cannot belong to it.
    let mut end = 0;
    for (field, word) in line.split_whitespace().enumerate().take(6) {
        let fits = match field {
            0 => true,
            1 => matches!(word, "w" | "b" | "r" | "W" | "B" | "R" | "-b" | "-r" | "-w"),
            2 | 3 => word == "-",
            _ => word.bytes().all(|b| b.is_ascii_digit()),
        };
        if !fits {
            break;
        }
        end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
    }
    let (fen, rest) = line.split_at(end);
    let start = match Start::from_fen(fen) {
        Ok(start) => start,
        Err(why) => {
            let fen = fen.to_owned();
            return source.problem(place, 0, ProblemKind::Start { fen, why });
        }
    };
    let mut game = Cursor::new(start).game;
    let first = rest.split_whitespace().next().unwrap_or("");
    if parse_move(game.start(), first).is_ok() {
        // What `chuhe judge` reads: a FEN and moves.
        return play(game, rest, place, source);
    }
    if rest.contains(';') {
        for operation in rest.split(';') {
            let operation = operation.trim();
            let (code, value) = operation.split_once(' ').unwrap_or((operation, ""));
            if !code.is_empty() {
                let value = value.trim().trim_matches('"');
                game.tags.push((code.to_owned(), value.to_owned()));
            }
        }
    } else {
        game.comment(NodeId::ROOT, rest);
    }
    source.games.push(game);
}
