//! Start positions as game files tell them, side to move included, which they often get wrong.

use crate::position::{FenError, Position, Setup};
use crate::types::Color;

/// A start position and how sure its side to move is.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub position: Position,
    /// Whether the file names the side to move.
    pub side_given: bool,
}

impl Start {
    /// The start of a game without a set-up.
    pub fn initial() -> Start {
        Start {
            position: Position::startpos(),
            side_given: false,
        }
    }

    /// Reads a FEN. A side written `-b` or `-r` (some programs note so who sits below) says
    /// nothing of the side to move.
    pub fn from_fen(text: &str) -> Result<Start, FenError> {
        let mut fields = text.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let side = fields.next().unwrap_or("-");
        let side_given = !side.starts_with('-');
        let given = if side_given { side } else { "w" };
        let rest: Vec<&str> = fields.collect();
        let mut setup: Setup = format!("{board} {given} {}", rest.join(" ")).parse()?;
        // A number of plies far beyond any game is a fault of the writer.
        setup.fullmove = setup.fullmove.min(9_999);
        Start::from_setup(&setup, side_given)
    }

    /// A set-up whose side to move may be unknown: if the other side cannot be to move, it is
    /// this one's turn.
    pub fn from_setup(setup: &Setup, side_given: bool) -> Result<Start, FenError> {
        let position = match Position::from_setup(setup) {
            Ok(position) => position,
            Err(e) if side_given => return Err(e.into()),
            Err(e) => Position::from_setup(&with_other_side(setup)).map_err(|_| e)?,
        };
        Ok(Start {
            position,
            side_given,
        })
    }

    /// The same board with the other side to move, if that can be.
    pub fn other_side(&self) -> Option<Position> {
        let setup = with_other_side(&Setup::from(&self.position));
        Position::from_setup(&setup).ok()
    }
}

fn with_other_side(setup: &Setup) -> Setup {
    let stm: Color = !setup.stm;
    Setup {
        stm,
        ..setup.clone()
    }
}
