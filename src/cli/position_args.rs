//! `--fen` and `--moves`, which several commands share.

use super::CliError;
use crate::notation::parse_move;
use crate::position::{Position, START_FEN};

/// A position given by a FEN and moves played from it.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    /// Position as FEN [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves played from there in any notation, parted by blanks: h2e2, C2=5, 炮二平五
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
            let m = parse_move(&position, text)
                .map_err(|e| CliError::Input(format!("--moves: ply {}: {e}", i + 1)))?;
            position.make(m);
        }
        Ok(position)
    }
}
