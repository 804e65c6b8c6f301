//! `--fen` and `--moves`, which several commands share.

use super::CliError;
use crate::notation;
use crate::position::{Position, START_FEN};

/// A position given by a FEN and moves played from it.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    /// Position as FEN [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves played from there, parted by blanks: h2e2, H2-E2, C2=5 or 炮二平五
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
}

impl PositionArgs {
    /// The position after the moves, with its history.
    pub fn position(&self) -> Result<Position, CliError> {
        let fen = self.fen.as_deref().unwrap_or(START_FEN);
        let mut position =
            Position::from_fen(fen).map_err(|e| CliError::Input(format!("--fen: {e}")))?;
        for (i, text) in self
            .moves
            .iter()
            .flat_map(|m| m.split_whitespace())
            .enumerate()
        {
            let failed = |e: &dyn std::fmt::Display| {
                CliError::Input(format!("--moves: ply {} ({text}): {e}", i + 1))
            };
            let m = notation::parse_move(&position, text).map_err(|e| failed(&e))?;
            position.play(m).map_err(|e| failed(&e))?;
        }
        Ok(position)
    }
}
