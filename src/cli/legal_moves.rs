//! `chuhe legal-moves` (hidden): the legal moves of each FEN on standard input, for comparing
//! chuhe with other programs without starting it anew for every position.

use super::CliResult;
use crate::position::Position;
use std::io::{BufRead, Write};
use std::process::ExitCode;

/// Print the legal moves of each position read from standard input
///
/// Reads one FEN a line; prints one line for each: `+` if the side to move is in check, else `-`,
/// then the legal moves in alphabetical order. A FEN that is refused yields `error:` and why.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args) -> CliResult {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().split(b'\n') {
        // A line that is no text is a FEN that is refused; the lines after it still count.
        let line = line?;
        match Position::from_fen(&String::from_utf8_lossy(&line)) {
            Ok(p) => {
                let mut moves: Vec<String> =
                    p.legal_moves().iter().map(|m| m.to_string()).collect();
                moves.sort_unstable();
                let check = if p.in_check() { '+' } else { '-' };
                writeln!(out, "{}", format!("{check} {}", moves.join(" ")).trim_end())?;
            }
            Err(e) => writeln!(out, "error: {e}")?,
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
