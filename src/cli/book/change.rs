//! `chuhe book merge`, `set`, `ban`.

use super::super::position_args::PositionArgs;
use super::super::{CliError, CliResult};
use super::{say, table, write};
use crate::book_making::{Graph, edit, merge};
use crate::notation::parse_move;
use crate::opening_book::Details;
use std::path::PathBuf;
use std::process::ExitCode;

/// Join books into one
///
/// Games and results are added up; what was set or banned by hand in any of them stays so. What
/// comes out counts as not checked by search (chuhe book verify).
#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    /// The books; builtin is the one that comes with chuhe
    #[arg(required = true, num_args = 1..)]
    books: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Set the weight of a move by hand
///
/// The move is added if the book does not have it. Weights are relative to those of the other
/// moves of the position, of which the heaviest usually has 1000; 0 is never played.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  chuhe book set my.book --moves '炮二平五 马8进7' 马二进三 --weight 1000"
)]
pub(super) struct SetArgs {
    /// The book
    book: PathBuf,
    /// The move, in any notation
    #[arg(value_name = "MOVE")]
    mv: String,
    /// Its weight
    #[arg(long)]
    weight: u16,
    #[command(flatten)]
    position: PositionArgs,
}

/// Ban a move by hand: it is not played, and does not come back when books are joined
///
/// `chuhe book set` takes the ban back.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  chuhe book ban my.book --moves '炮二平五' 马2进3")]
pub(super) struct BanArgs {
    /// The book
    book: PathBuf,
    /// The move, in any notation
    #[arg(value_name = "MOVE")]
    mv: String,
    #[command(flatten)]
    position: PositionArgs,
}

pub(super) fn merge_books(args: &MergeArgs) -> CliResult {
    let mut tables = Vec::new();
    for path in &args.books {
        tables.push(table(path)?.0);
    }
    let joined = merge(&tables);
    write(&args.out, &joined, Details::default())?;
    let graph = Graph::new(&joined, usize::MAX);
    say(&format!(
        "{} positions, {} moves",
        graph.positions(),
        graph.moves()
    ))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn set(args: &SetArgs) -> CliResult {
    change(&args.book, &args.mv, &args.position, Some(args.weight))
}

pub(super) fn ban(args: &BanArgs) -> CliResult {
    change(&args.book, &args.mv, &args.position, None)
}

fn change(path: &PathBuf, text: &str, position: &PositionArgs, weight: Option<u16>) -> CliResult {
    let position = position.position()?;
    let m = parse_move(&position, text).map_err(|e| CliError::Input(format!("{text}: {e}")))?;
    let (mut book, details) = table(path)?;
    edit(&mut book, &position, m, weight);
    write(path, &book, details)?;
    Ok(ExitCode::SUCCESS)
}
