//! PGN out: tags in order, moves in any notation with comments, marks and variations, lines of
//! at most 80 columns.

use super::tree::{Game, NodeId, Notes};
use crate::notation::{ChineseStyle, Notation};
use crate::position::{Position, START_FEN};
use crate::types::Color;
use core::fmt::Write;

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgnStyle {
    /// The notation of the moves.
    pub notation: Notation,
    /// `\r\n` between lines, which old Windows programs need.
    pub crlf: bool,
}

impl Default for PgnStyle {
    fn default() -> PgnStyle {
        PgnStyle {
            notation: Notation::Chinese(ChineseStyle::FILES),
            crlf: false,
        }
    }
}

/// Columns of a line of moves.
const WIDTH: usize = 80;

impl Game {
    /// The game as PGN, with a blank line at its end.
    pub fn to_pgn(&self, style: PgnStyle) -> String {
        let mut out = String::new();
        self.push_pgn(style, &mut out);
        out
    }

    /// Appends the game as PGN to a text of games.
    pub fn push_pgn(&self, style: PgnStyle, out: &mut String) {
        let from = out.len();
        write_tags(self, style, out);
        out.push('\n');
        let mut writer = Writer {
            game: self,
            notation: style.notation,
            out,
            column: 0,
            numbered: false,
            text: String::new(),
        };
        writer.body();
        writer.token(self.result.text());
        out.push_str("\n\n");
        if style.crlf {
            let crlf = out[from..].replace('\n', "\r\n");
            out.replace_range(from.., &crlf);
        }
    }
}

fn write_tags(game: &Game, style: PgnStyle, out: &mut String) {
    let start = game.start();
    let fen = start.fen();
    let mut fen_written = fen == START_FEN;
    for (name, value) in &game.tags {
        let value = if name.eq_ignore_ascii_case("FEN") {
            // The source's own writing is kept if it says the same.
            let same = Position::from_fen(value)
                .is_ok_and(|p| p == *start && p.fullmove() == start.fullmove());
            fen_written = true;
            if same { value } else { &fen }
        } else if name.eq_ignore_ascii_case("Format") {
            format_tag(style.notation)
        } else {
            value
        };
        write_tag(name, value, out);
    }
    if !fen_written {
        write_tag("SetUp", "1", out);
        write_tag("FEN", &fen, out);
    }
}

fn write_tag(name: &str, value: &str, out: &mut String) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let value = value.replace(['\r', '\n'], " ");
    let _ = writeln!(out, "[{name} \"{value}\"]");
}

fn format_tag(notation: Notation) -> &'static str {
    match notation {
        Notation::Coordinate => "UCI",
        Notation::Iccs => "ICCS",
        Notation::Wxf => "WXF",
        Notation::Chinese(_) => "Chinese",
    }
}

struct Writer<'a> {
    game: &'a Game,
    notation: Notation,
    out: &'a mut String,
    /// Columns of the line used; 0 at its start.
    column: usize,
    /// The next move of Black needs no number, because the move before it stands just there.
    numbered: bool,
    /// For texts that are put together.
    text: String,
}

/// What is left to do, on a stack, so that trees may be as deep as they like.
enum Task {
    /// Write a move and what follows it in its line.
    Line(NodeId),
    /// Write a variation that starts with this move, then go back.
    Variation(NodeId),
    /// Close a bracket.
    Close,
    /// Play this move again after its variations, and go on with its line.
    Resume(NodeId),
    /// Take moves back until so many are played.
    Back(usize),
}

impl Writer<'_> {
    fn body(&mut self) {
        let game = self.game;
        let mut position = game.start().clone();
        if let Some(notes) = game.notes(NodeId::ROOT) {
            self.nags(notes);
            for text in &notes.after {
                self.comment(text);
            }
        }
        let mut tasks: Vec<Task> = game
            .next(NodeId::ROOT)
            .map(Task::Line)
            .into_iter()
            .collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Line(node) => {
                    self.one_move(&position, node);
                    let is_main = game
                        .parent(node)
                        .is_none_or(|parent| game.next(parent) == Some(node));
                    tasks.push(Task::Resume(node));
                    if is_main {
                        // Variations stand after the move they replace; last pushed, first done.
                        let mut others: Vec<Task> = Vec::new();
                        let mut other = game.sibling(node);
                        while let Some(n) = other {
                            others.push(Task::Variation(n));
                            other = game.sibling(n);
                        }
                        tasks.extend(others.into_iter().rev());
                    }
                }
                Task::Resume(node) => {
                    position.make(game.mv(node));
                    tasks.extend(game.next(node).map(Task::Line));
                }
                Task::Variation(node) => {
                    self.token("(");
                    self.numbered = false;
                    tasks.push(Task::Close);
                    tasks.push(Task::Back(position.ply_count()));
                    tasks.push(Task::Line(node));
                }
                Task::Back(plies) => {
                    while position.ply_count() > plies {
                        position.unmake();
                    }
                }
                Task::Close => {
                    self.out.push(')');
                    self.column += 1;
                    self.numbered = false;
                }
            }
        }
    }

    fn one_move(&mut self, position: &Position, node: NodeId) {
        let notes = self.game.notes(node);
        for text in notes.iter().flat_map(|n| &n.before) {
            self.comment(text);
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let number = position.fullmove();
        match position.stm() {
            Color::Red => {
                let _ = write!(text, "{number}.");
            }
            Color::Black if !self.numbered => {
                let _ = write!(text, "{number}...");
            }
            Color::Black => {}
        }
        if !text.is_empty() {
            self.token(&text);
            text.clear();
        }
        self.notation.push(position, self.game.mv(node), &mut text);
        self.token(&text);
        self.text = text;
        self.numbered = true;
        if let Some(notes) = notes {
            self.nags(notes);
            for text in &notes.after {
                self.comment(text);
            }
        }
    }

    fn nags(&mut self, notes: &Notes) {
        for &nag in &notes.nags {
            let text = format!("${nag}");
            self.token(&text);
        }
    }

    /// Appends a token, on a new line if this one is full.
    fn token(&mut self, text: &str) {
        let width = columns(text);
        if self.column > 0 {
            if self.column + 1 + width > WIDTH {
                self.out.push('\n');
                self.column = 0;
            } else if !self.out.ends_with('(') {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(text);
        self.column += width;
    }

    /// Appends a comment as it is, since its line breaks are its author's. With a `}` in it, each
    /// line becomes a comment of its own up to the end of the line.
    fn comment(&mut self, text: &str) {
        self.numbered = false;
        if !text.contains('}') {
            let first = columns(text.split('\n').next().unwrap_or(text));
            if self.column > 0 && !self.out.ends_with('(') {
                let full = self.column + 2 + first > WIDTH;
                self.out.push(if full { '\n' } else { ' ' });
                self.column = if full { 0 } else { self.column + 1 };
            }
            self.out.push('{');
            self.out.push_str(text);
            self.out.push('}');
            self.column = match text.rsplit_once('\n') {
                Some((_, last)) => columns(last) + 1,
                None => self.column + first + 2,
            };
            return;
        }
        for line in text.lines() {
            if self.column > 0 {
                self.out.push(' ');
            }
            self.out.push(';');
            self.out.push_str(line);
            self.out.push('\n');
            self.column = 0;
        }
    }
}

/// Columns a text takes in a terminal, Chinese letters being two wide.
fn columns(text: &str) -> usize {
    text.chars()
        .map(|c| if c < '\u{1100}' { 1 } else { 2 })
        .sum()
}
