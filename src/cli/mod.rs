//! The command line: one file a subcommand, each turning arguments into one call below.
//!
//! Exit status: 0 done, 1 a negative answer, 2 bad usage or input. An error is one line on
//! stderr that says what and where; a broken pipe is no error.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analyze;
#[cfg(feature = "tools")]
mod analyze_games;
mod bench;
#[cfg(feature = "tools")]
mod bench_suite;
#[cfg(feature = "tools")]
mod book;
#[cfg(feature = "tools")]
mod convert;
#[cfg(feature = "tools")]
mod datagen;
mod interrupt;
mod judge;
mod legal_moves;
#[cfg(feature = "tools")]
mod match_args;
#[cfg(feature = "tools")]
mod match_cmd;
#[cfg(feature = "tools")]
mod mock_engine;
mod net;
mod perft;
mod position_args;
#[cfg(feature = "tools")]
mod shell;
mod show;
#[cfg(feature = "tools")]
mod train;
#[cfg(feature = "tools")]
mod tune;

use clap::{Parser, Subcommand};
use position_args::PositionArgs;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// Chuhe (楚河), a xiangqi engine. Without a command it speaks UCCI or UCI on stdin and stdout,
/// chosen by the first line.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "Examples:\n  chuhe                                speak UCCI or UCI with a GUI\n  \
    chuhe analyze --movetime 3000        the best move in the start position\n  \
    chuhe show --moves 'h2e2 h9g7'       draw the board after two moves"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(Box<analyze::Args>),
    Show(show::Args),
    Bench(bench::Args),
    #[cfg(feature = "tools")]
    Book(book::Args),
    #[cfg(feature = "tools")]
    Convert(convert::Args),
    Judge(judge::Args),
    Perft(perft::Args),
    #[cfg(feature = "tools")]
    Match(Box<match_cmd::Args>),
    #[cfg(feature = "tools")]
    Tune(Box<tune::Args>),
    #[cfg(feature = "tools")]
    Datagen(Box<datagen::Args>),
    #[cfg(feature = "tools")]
    Train(Box<train::Args>),
    Net(net::Args),
    #[cfg(feature = "tools")]
    #[command(hide = true)]
    MockEngine(mock_engine::Args),
    #[cfg(feature = "tools")]
    Completions(shell::CompletionsArgs),
    #[cfg(feature = "tools")]
    Man(shell::ManArgs),
    #[command(hide = true)]
    LegalMoves(legal_moves::Args),
}

/// Why a command ended without success.
#[derive(Debug)]
enum CliError {
    /// Bad usage or input: one line for stderr.
    Input(String),
    /// Writing or reading failed; a broken pipe is no failure.
    Io(io::Error),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Input(text) => f.write_str(text),
            CliError::Io(e) => write!(f, "cannot read or write: {e}"),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(e: io::Error) -> CliError {
        CliError::Io(e)
    }
}

type CliResult = Result<ExitCode, CliError>;

/// What `--json` answers in a build without the tools.
#[cfg(not(feature = "tools"))]
fn no_json() -> CliError {
    CliError::Input("--json needs a build with the feature \"tools\"".into())
}

/// Writes a picture of the board to a file.
#[cfg(feature = "tools")]
fn write_svg(
    file: &std::path::Path,
    position: &crate::position::Position,
    arrows: &[crate::types::Move],
    notation: crate::notation::Notation,
) -> Result<(), CliError> {
    let svg = crate::analysis::board_svg(position, arrows, Some(notation));
    std::fs::write(file, svg).map_err(|e| CliError::Input(format!("--svg {}: {e}", file.display())))
}

/// Whether a file can be written, without changing it.
#[cfg(feature = "tools")]
fn check_writable(path: &std::path::Path) -> Result<(), CliError> {
    let is_new = std::fs::symlink_metadata(path).is_err();
    // A pipe without a reader would keep us waiting.
    if is_new || path.is_file() || path.is_dir() {
        let mut options = std::fs::OpenOptions::new();
        let opened = options.append(true).create(true).open(path);
        opened.map_err(|e| file_error(path, &e))?;
    }
    if is_new {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

#[cfg(feature = "tools")]
fn file_error(path: &std::path::Path, e: &io::Error) -> CliError {
    CliError::Input(format!("{}: {e}", path.display()))
}

/// The parser's complaint in one line: its first paragraph and the tips, without the usage.
fn one_line(text: &str) -> String {
    let paragraphs = text
        .split("\n\n")
        .map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
    let kept: Vec<String> = paragraphs
        .filter(|p| !p.is_empty() && !p.starts_with("Usage:") && !p.starts_with("For more"))
        .collect();
    let line = kept.join("; ");
    format!("{} (--help tells more)", line.trim_start_matches("error: "))
}

/// Parses the arguments and runs the command.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version are no errors.
        Err(e) if !e.use_stderr() => e.exit(),
        Err(e) => {
            eprintln!("chuhe: {}", one_line(&e.to_string()));
            return ExitCode::from(2);
        }
    };
    let result = match cli.command {
        None => crate::protocol::converse()
            .map(|()| ExitCode::SUCCESS)
            .map_err(CliError::Io),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::Book(args)) => book::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Judge(args)) => judge::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::Match(args)) => match_cmd::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::Tune(args)) => tune::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::Datagen(args)) => datagen::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Net(args)) => net::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::MockEngine(args)) => mock_engine::run(&args),
        #[cfg(feature = "tools")]
        Some(Command::Completions(args)) => shell::completions(&args),
        #[cfg(feature = "tools")]
        Some(Command::Man(args)) => shell::man(&args),
        Some(Command::LegalMoves(args)) => legal_moves::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(CliError::Io(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("chuhe: {e}");
            ExitCode::from(2)
        }
    }
}
