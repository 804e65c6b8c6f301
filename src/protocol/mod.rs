//! Text to engine and back: UCCI 3.0 and UCI as spoken for xiangqi, over stdin and stdout.
//! Imports `engine`, what `search` reports, `position` and `types`.
//!
//! Three threads, none of which waits for another that could wait for it: the *reader* stamps
//! each line with its time of arrival ([`io`]), the *session* handles lines and search reports
//! in turn and never blocks ([`session`]), the *writer* puts lines out ([`io`]). What is heard is
//! taken tolerantly and in the words of either protocol ([`command`]); what is said keeps
//! strictly to the one that the first hello chose ([`uci`], [`ucci`]).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod command;
pub mod go;
pub mod io;
mod jobs;
mod report;
pub mod session;
mod task;
pub mod ucci;
pub mod uci;

use crate::engine::options::{Choice, Kind, Spec};
use crate::position::Position;
use crate::search::Outcome;
use crate::types::{Score, score};
use report::Line;

/// Converses over stdin and stdout until the client leaves.
///
/// # Errors
/// If the system gives no threads.
pub fn converse() -> std::io::Result<()> {
    let out = io::Output::to_stdout()?;
    session::Session::new(io::read_stdin()?, out).run();
    Ok(())
}

/// The protocol spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Universal Chess Interface, with squares a0 to i9.
    Uci,
    /// Universal Chinese Chess Interface 3.0.
    Ucci,
}

impl Dialect {
    /// The lines that answer the hello, the last one being the ok.
    fn hello(self) -> Vec<String> {
        match self {
            Dialect::Uci => uci::hello(),
            Dialect::Ucci => ucci::hello(),
        }
    }

    /// A line of thought; `None` if the protocol has no words for it.
    fn line(self, line: &Line, context: &Context) -> Option<String> {
        match self {
            Dialect::Uci => uci::line(line, context),
            Dialect::Ucci => ucci::line(line, context),
        }
    }

    /// Something for the user to read.
    fn message(self, text: &str) -> String {
        let word = match self {
            Dialect::Uci => "string",
            Dialect::Ucci => "message",
        };
        format!("info {word} {}", plain(text))
    }

    /// The answer to a `go`. `draw` accepts a draw that was offered.
    fn answer(self, outcome: &Outcome, draw: bool) -> String {
        match self {
            Dialect::Uci => uci::answer(outcome),
            Dialect::Ucci => ucci::answer(outcome, draw),
        }
    }

    /// The answer where there is no move.
    fn no_move(self) -> &'static str {
        match self {
            Dialect::Uci => "bestmove (none)",
            Dialect::Ucci => "nobestmove",
        }
    }

    /// What is said of a position without a move: the side to move has lost.
    fn lost(self) -> &'static str {
        match self {
            Dialect::Uci => "info depth 0 score mate 0",
            Dialect::Ucci => "info depth 0 score -10000",
        }
    }
}

/// What a printer may want to know besides the line itself.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    /// More than one line is shown.
    multipv: bool,
    /// The user wants to see more.
    debug: bool,
    /// Chances of win, draw and loss are shown.
    wdl: bool,
}

/// ` wdl W D L`, in thousandths.
fn wdl_text(s: Score) -> String {
    let [win, draw, loss] = score::win_draw_loss(s);
    format!(" wdl {win} {draw} {loss}")
}

/// One line of printable ASCII: replies must not be broken by what a client sent.
fn plain(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut out = String::new();
    for c in text.chars() {
        if out.len() >= LONGEST {
            out.push_str("...");
            break;
        }
        match c {
            ' '..='~' => out.push(c),
            _ => out.extend(c.escape_default()),
        }
    }
    out
}

/// Type, range and default of an option, in the order common to both protocols; `word` picks the
/// protocol's own name of a choice.
fn option_text(spec: &Spec, word: fn(&Choice) -> &'static str) -> String {
    match spec.kind {
        Kind::Check { default } => format!("type check default {default}"),
        Kind::Spin {
            default, min, max, ..
        } => format!("type spin default {default} min {min} max {max}"),
        Kind::Combo { choices } => {
            let mut text = String::from("type combo");
            if let Some(first) = choices.first() {
                text.push_str(&format!(" default {}", word(first)));
            }
            for choice in choices {
                text.push_str(&format!(" var {}", word(choice)));
            }
            text
        }
        Kind::Text { default } => format!("type string default {default}"),
        Kind::Button => "type button".to_owned(),
    }
}

/// Nodes a second, for a time that may be nothing.
fn nps(nodes: u64, time: std::time::Duration) -> u64 {
    let micros = time.as_micros().max(1_000);
    (u128::from(nodes) * 1_000_000 / micros) as u64
}

/// The board in FEN letters with coordinates, the FEN, the key and the checkers, for people at
/// a terminal. ASCII only.
fn display(position: &Position) -> Vec<String> {
    let fen = position.fen();
    let mut lines = Vec::new();
    for (row, rank) in fen.split([' ', '/']).take(10).enumerate() {
        let mut line = format!("{} ", 9 - row);
        for c in rank.chars() {
            match c.to_digit(10) {
                Some(n) => (0..n).for_each(|_| line.push_str(" .")),
                None => {
                    line.push(' ');
                    line.push(c);
                }
            }
        }
        lines.push(line);
    }
    lines.push("   a b c d e f g h i".to_owned());
    lines.push(format!("Fen: {fen}"));
    lines.push(format!("Key: {:016X}", position.key()));
    let checkers: Vec<String> = position.checkers().map(|s| s.to_string()).collect();
    lines.push(
        format!("Checkers: {}", checkers.join(" "))
            .trim_end()
            .to_owned(),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn messages_are_one_line_of_ascii() {
        assert_eq!(
            Dialect::Uci.message("a\nbestmove 炮"),
            "info string a\\nbestmove \\u{70ae}"
        );
        assert!(Dialect::Ucci.message(&"x".repeat(5000)).len() < 450);
    }

    #[test]
    fn nps_of_no_time_is_not_absurd() {
        assert_eq!(nps(44, Duration::ZERO), 44_000);
        assert_eq!(nps(5_000, Duration::from_secs(2)), 2_500);
    }

    #[test]
    fn the_board_has_ten_ranks_and_nine_files() {
        let lines = display(&Position::startpos());
        assert_eq!(lines[0], "9  r n b a k a b n r");
        assert_eq!(lines[2], "7  . c . . . . . c .");
        assert_eq!(lines[9], "0  R N B A K A B N R");
        assert_eq!(lines[10], "   a b c d e f g h i");
    }
}
