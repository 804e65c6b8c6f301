//! The command line: one file a subcommand, each turning arguments into one call below.
//!
//! Exit status: 0 done, 1 a negative answer, 2 bad usage or input. An error is one line on
//! stderr that says what and where; a broken pipe is no error.

#[cfg(feature = "tools")]
mod convert;
mod perft;
mod position_args;

use clap::{Parser, Subcommand};
use position_args::PositionArgs;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// Chuhe (楚河), a xiangqi engine. Without a command it speaks UCCI or UCI on stdin and stdout,
/// chosen by the first line.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "tools")]
    Convert(convert::Args),
    Perft(perft::Args),
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
            CliError::Io(e) => write!(f, "cannot write the output: {e}"),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(e: io::Error) -> CliError {
        CliError::Io(e)
    }
}

type CliResult = Result<ExitCode, CliError>;

/// Parses the arguments and runs the command.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        None => Ok(ExitCode::SUCCESS),
        #[cfg(feature = "tools")]
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
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
