//! `chuhe book show` and `probe`.

use super::super::position_args::PositionArgs;
use super::super::{CliError, CliResult};
use super::open_all;
use crate::engine::own_book::{BUILTIN, Question};
use crate::notation::{self, ChineseStyle};
use crate::opening_book::{BookMove, OpeningBook, Selection};
use crate::position::Position;
use std::io::Write;
use std::process::ExitCode;

/// Show what books know of a position
///
/// For each move its Chinese and ICCS text, weight, games, what its player scored in percent, wins,
/// draws and losses, and the score by search for the side to move.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 something is known, 1 nothing is, 2 error.\n\nExamples:\n  \
    chuhe book show\n  chuhe book show --book 'my.book;BOOK.DAT' --moves 'h2e2 h9g7' --json"
)]
pub(super) struct ShowArgs {
    /// Books, parted by `;`: files, or builtin
    #[arg(long, value_name = "FILES", default_value = BUILTIN)]
    book: String,
    #[command(flatten)]
    position: PositionArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print the move that the engine would play from books
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 a move, 1 none, 2 error.\n\nExample:\n  \
    chuhe book probe --moves 'h2e2' --selection random --seed 7")]
pub(super) struct ProbeArgs {
    /// Books, parted by `;`: files, or builtin
    #[arg(long, value_name = "FILES", default_value = BUILTIN)]
    book: String,
    #[command(flatten)]
    position: PositionArgs,
    /// How the move is chosen
    #[arg(long, value_enum, default_value_t = How::Best)]
    selection: How,
    /// For the lot of `random`
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum How {
    /// The heaviest move
    Best,
    /// By lot, in proportion to the weights
    Random,
}

pub(super) fn show(args: &ShowArgs) -> CliResult {
    let own = open_all(&args.book)?;
    let position = args.position.position()?;
    let mut known = false;
    let mut out = std::io::stdout().lock();
    for book in own.books() {
        let moves = book.moves(&position);
        known |= !moves.is_empty();
        if args.json {
            writeln!(out, "{}", json(book, &position, &moves))?;
        } else {
            write!(out, "{}", text(book, &position, &moves))?;
        }
    }
    Ok(ExitCode::from(u8::from(!known)))
}

fn text(book: &OpeningBook, position: &Position, moves: &[BookMove]) -> String {
    let details = book.details();
    let mut out = format!("{}: {} positions", book.name(), book.positions());
    if details.nodes > 0 {
        out += &format!(
            ", no move loses more than {} at {} nodes",
            details.max_loss, details.nodes
        );
    }
    out += "\n";
    if moves.is_empty() {
        return out + "nothing is known of this position\n";
    }
    out += "move      ICCS   weight   games    won  drawn   lost  points   score\n";
    for m in moves {
        // Chinese letters are two columns wide.
        let chinese = notation::to_chinese(position, m.mv, ChineseStyle::default());
        let width: usize = chinese
            .chars()
            .map(|c| 1 + usize::from(!c.is_ascii()))
            .sum();
        let pad = " ".repeat(10_usize.saturating_sub(width));
        let percent = m.percent().map_or("-".to_owned(), |p| format!("{p:.1}%"));
        let score = m
            .score
            .map_or("-".to_owned(), |s| format!("{:+.2}", f64::from(s) / 100.0));
        let hand = match (m.banned, m.by_hand) {
            (true, _) => "  banned",
            (false, true) => "  set by hand",
            _ => "",
        };
        out += &format!(
            "{chinese}{pad}{}  {:>6}  {:>6} {:>6} {:>6} {:>6}  {percent:>6}  {score:>6}{hand}\n",
            notation::to_iccs(m.mv),
            m.weight,
            m.games,
            m.wins,
            m.draws,
            m.losses
        );
    }
    out
}

fn json(book: &OpeningBook, position: &Position, moves: &[BookMove]) -> serde_json::Value {
    let details = book.details();
    serde_json::json!({
        "book": book.name(), "positions": book.positions(), "nodes": details.nodes,
        "max_loss": details.max_loss, "fen": position.fen(),
        "moves": moves.iter().map(|m| move_json(position, m)).collect::<Vec<_>>(),
    })
}

fn move_json(position: &Position, m: &BookMove) -> serde_json::Value {
    serde_json::json!({
        "uci": m.mv.to_string(),
        "iccs": notation::to_iccs(m.mv),
        "chinese": notation::to_chinese(position, m.mv, ChineseStyle::default()),
        "weight": m.weight, "banned": m.banned, "by_hand": m.by_hand, "games": m.games,
        "wins": m.wins, "draws": m.draws, "losses": m.losses, "percent": m.percent(),
        "score": m.score,
    })
}

pub(super) fn probe(args: &ProbeArgs) -> CliResult {
    let own = open_all(&args.book)?;
    let position = args.position.position()?;
    let question = Question {
        position: &position,
        only: &[],
        banned: &[],
        selection: match args.selection {
            How::Best => Selection::Best,
            How::Random => Selection::Random,
        },
        seed: args.seed,
    };
    let answer = own.ask(&question);
    let failed = |e: std::io::Error| CliError::Io(e);
    let mut out = std::io::stdout().lock();
    match &answer {
        _ if args.json => {
            let chosen = answer.as_ref().map(|a| move_json(&position, &a.chosen));
            let book = answer.as_ref().map(|a| a.book.as_str());
            let object = serde_json::json!({"book": book, "move": chosen});
            writeln!(out, "{object}").map_err(failed)?;
        }
        Some(answer) => writeln!(out, "{}", answer.text()).map_err(failed)?,
        None => writeln!(out, "no book move").map_err(failed)?,
    }
    Ok(ExitCode::from(u8::from(answer.is_none())))
}
