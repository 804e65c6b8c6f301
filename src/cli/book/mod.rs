//! `chuhe book`: opening books made, looked at, changed and checked.

mod build;
mod change;
mod export;
mod look;
mod verify;

use super::{CliError, CliResult};
use crate::book_making::{Judge, Table};
use crate::engine::machine_threads;
use crate::engine::own_book::{BUILTIN, OwnBook};
use crate::opening_book::{Details, OpeningBook, encode};
use crate::rules::RuleSet;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Make, read and change opening books
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    chuhe book build games.pgn --out my.book --min-games 3 --nodes 20000\n  \
    chuhe book show --moves '炮二平五 马8进7'\n  \
    chuhe book ban my.book --moves '炮二平五' 马2进3\n  \
    chuhe book export my.book --format pgn\n\n\
    docs/book.md tells of the format and how books are made.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Build(Box<build::Args>),
    Verify(Box<verify::Args>),
    Merge(change::MergeArgs),
    Show(look::ShowArgs),
    Probe(look::ProbeArgs),
    Export(Box<export::Args>),
    Set(change::SetArgs),
    Ban(change::BanArgs),
}

pub(super) fn run(args: &Args) -> CliResult {
    match &args.command {
        Command::Build(args) => build::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Merge(args) => change::merge_books(args),
        Command::Show(args) => look::show(args),
        Command::Probe(args) => look::probe(args),
        Command::Export(args) => export::run(args),
        Command::Set(args) => change::set(args),
        Command::Ban(args) => change::ban(args),
    }
}

/// How the engine is asked, alike for several commands.
#[derive(Debug, clap::Args)]
struct JudgeArgs {
    /// Positions looked at at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Table of each search in MB
    #[arg(long, value_name = "MB", default_value_t = 32,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Rule set: cxa1999, cxa2020, axf, league, none
    #[arg(long, default_value = "cxa1999")]
    rules: RuleSet,
    /// File of answers: a run that was broken off goes on with it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

impl JudgeArgs {
    fn judge(&self, nodes: u64) -> Judge {
        let most = machine_threads();
        Judge {
            nodes,
            threads: self.threads.map_or(most, |n| usize::from(n).min(most)),
            hash_mib: self.hash as usize,
            rules: self.rules,
            state: self.state.clone(),
        }
    }

    /// What to say when the work was broken off.
    fn hint(&self) -> &'static str {
        match &self.state {
            Some(_) => "interrupted; the same command goes on from here",
            None => "interrupted; with --state FILE it could be taken up again",
        }
    }
}

/// A bar on a terminal, nothing else elsewhere.
struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(what: &str) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let look = "{msg} {bar:24} {pos}/{len} {elapsed_precise} (left {eta_precise})";
            if let Ok(style) = ProgressStyle::with_template(look) {
                bar.set_style(style);
            }
            bar.set_message(what.to_owned());
            bar
        });
        Progress { bar }
    }

    fn show(&self, done: usize, all: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A line for people on stdout; a broken pipe ends the command in order.
fn say(line: &str) -> Result<(), CliError> {
    Ok(writeln!(std::io::stdout().lock(), "{line}")?)
}

/// A book to look at: a file or `builtin`.
fn open(path: &Path) -> Result<OpeningBook, CliError> {
    let opened = if path == Path::new(BUILTIN) {
        OpeningBook::builtin()
    } else {
        OpeningBook::open(path)
    };
    opened.map_err(|e| CliError::Input(format!("{}: {e}", path.display())))
}

/// The books of `--book`, as the engine would open them.
fn open_all(names: &str) -> Result<OwnBook, CliError> {
    let (own, problems) = OwnBook::open(names);
    for problem in &problems {
        eprintln!("chuhe: {problem}");
    }
    if own.books().is_empty() {
        return Err(CliError::Input(format!("--book {names:?}: no book to ask")));
    }
    Ok(own)
}

/// A book of our own to work on.
fn table(path: &Path) -> Result<(Table, Details), CliError> {
    let book = open(path)?;
    let table = book.table().ok_or_else(|| {
        CliError::Input(format!(
            "{}: the positions of a BOOK.DAT cannot be listed, only looked up (chuhe book show)",
            path.display()
        ))
    })?;
    Ok((table, book.details()))
}

/// Writes a book in one step: whoever has the old one open keeps it whole.
fn write(path: &Path, table: &Table, details: Details) -> Result<(), CliError> {
    let failed = |e: std::io::Error| CliError::Input(format!("{}: {e}", path.display()));
    let bytes = encode(table, details);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    std::fs::write(&beside, bytes)
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|e| {
            let _ = std::fs::remove_file(&beside);
            failed(e)
        })
}
