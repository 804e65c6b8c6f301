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
    ///
    /// Moves may also stand behind the FEN, as in the protocols: `FEN moves h2e2 h9g7`.
    pub fn position(&self) -> Result<Position, CliError> {
        let text = self.fen.as_deref().unwrap_or(START_FEN);
        let (fen, behind) = text.split_once(" moves").unwrap_or((text, ""));
        let mut position =
            Position::from_fen(fen).map_err(|e| CliError::Input(format!("--fen: {e}")))?;
        let moves = self.moves.as_deref().unwrap_or("");
        let moves = behind.split_whitespace().chain(moves.split_whitespace());
        for (i, text) in moves.enumerate() {
            let failed = |e: &dyn std::fmt::Display| {
                CliError::Input(format!("--moves: ply {} ({text}): {e}", i + 1))
            };
            let m = notation::parse_move(&position, text).map_err(|e| failed(&e))?;
            position.play(m).map_err(|e| failed(&e))?;
        }
        Ok(position)
    }
}
