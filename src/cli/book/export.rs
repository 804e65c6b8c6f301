//! `chuhe book export`: a book for people and programs, and lines for tests of engines.

use super::super::{CliError, CliResult, interrupt};
use super::{JudgeArgs, Progress, table};
use crate::book_making::{Graph, Suite, SuiteRules, Table, line_games, suite, tree_text};
use crate::engine::own_book::BUILTIN;
use crate::notation::{ChineseStyle, Notation};
use crate::records::PgnStyle;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a book as a readable tree or as PGN, or balanced opening lines for tests
///
/// With --openings: lines from the start, all different and none the mirror image of another,
/// first those of the book, then such that leave it with moves drawn by lot; each looked at by
/// search and within --max-score.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    chuhe book export my.book\n  \
    chuhe book export my.book --format pgn --out my.pgn\n  \
    chuhe book export my.book --openings 2000 --plies 8 --max-score 60 --out openings.txt")]
pub(super) struct Args {
    /// The book
    #[arg(default_value = BUILTIN)]
    book: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t = To::Tree)]
    format: To,
    /// Plies from the start at most [default: all; of openings 8]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// How moves are written: chinese, chinese-traditional, wxf, iccs, uci
    #[arg(long, value_name = "NOTATION", default_value = "chinese")]
    notation: Notation,
    /// File to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write so many opening lines instead
    #[arg(long, value_name = "N", help_heading = "Openings")]
    openings: Option<usize>,
    /// Greatest score of a line for either side, in hundredths of a pawn
    #[arg(
        long,
        value_name = "CP",
        default_value_t = 60,
        help_heading = "Openings"
    )]
    max_score: u16,
    /// Nodes by which each is looked at
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Openings")]
    nodes: u64,
    /// For what is drawn by lot
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    seed: u64,
    #[command(flatten, next_help_heading = "Openings")]
    judge: JudgeArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum To {
    /// An indented tree with statistics
    Tree,
    /// A game for each line
    Pgn,
}

pub(super) fn run(args: &Args) -> CliResult {
    let (table, _) = table(&args.book)?;
    let text = match args.openings {
        Some(count) => match openings(args, &table, count)? {
            Some(text) => text,
            None => {
                eprintln!("chuhe: {}", args.judge.hint());
                return Ok(ExitCode::from(1));
            }
        },
        None => book_text(args, &table),
    };
    match &args.out {
        None => std::io::stdout().lock().write_all(text.as_bytes())?,
        Some(path) => std::fs::write(path, text)
            .map_err(|e| CliError::Input(format!("{}: {e}", path.display())))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn book_text(args: &Args, table: &Table) -> String {
    let graph = Graph::new(table, args.plies.unwrap_or(usize::MAX));
    match args.format {
        To::Tree => tree_text(&graph, args.notation),
        To::Pgn => {
            let notation = match args.notation {
                Notation::Chinese(style) => Notation::Chinese(ChineseStyle {
                    script: style.script,
                    ..ChineseStyle::FILES
                }),
                other => other,
            };
            let style = PgnStyle {
                notation,
                crlf: false,
            };
            let mut text = String::new();
            for game in line_games(&graph) {
                game.push_pgn(style, &mut text);
            }
            text
        }
    }
}

/// The lines as `chuhe match` reads them; `None` if interrupted.
fn openings(args: &Args, table: &Table, count: usize) -> Result<Option<String>, CliError> {
    let rules = SuiteRules {
        count,
        plies: args.plies.unwrap_or(8),
        max_score: i32::from(args.max_score),
        seed: args.seed,
    };
    if rules.plies == 0 || count == 0 {
        let text = "--openings and --plies: at least 1 is needed";
        return Err(CliError::Input(text.into()));
    }
    let stop = interrupt::flag();
    let progress = Progress::new("lines");
    let mut report = |done, all| progress.show(done, all);
    let judge = args.judge.judge(args.nodes);
    let found = suite(table, &rules, &judge, &stop, &mut report).map_err(CliError::Input)?;
    Ok(found.map(|suite| suite_text(args, &rules, &suite)))
}

fn suite_text(args: &Args, rules: &SuiteRules, suite: &Suite) -> String {
    let mut text = format!(
        "# {} opening lines of {} plies, no two alike or mirror images; score within {} at {} \
         nodes.\n# {} are lines of the book, {} leave it. Behind each line its score for Red.\n",
        suite.lines.len(),
        rules.plies,
        rules.max_score,
        args.nodes,
        suite.lines.len() - suite.random,
        suite.random
    );
    for (moves, score) in &suite.lines {
        text.push_str("startpos moves");
        for m in moves {
            let _ = write!(text, " {m}");
        }
        let _ = writeln!(text, " # {score:+}");
    }
    text
}
