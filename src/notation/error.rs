//! Why a text is no move.

use crate::types::{Color, Move, PieceType};
use core::fmt;

/// A move that an ambiguous text could mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// How it would be written in full in Chinese.
    pub chinese: String,
}

/// Why a text is no legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveTextError {
    /// Not the text of a move at all.
    Unknown(String),
    /// No such piece stands there.
    NoPiece {
        /// The text.
        text: String,
        /// The side to move.
        color: Color,
        /// The kind of piece that the text names.
        kind: PieceType,
    },
    /// A piece is there, but cannot move so.
    Illegal {
        /// The text.
        text: String,
        /// The move, where only one is meant.
        mv: Option<Move>,
        /// Why not.
        why: &'static str,
    },
    /// Several legal moves fit.
    Ambiguous {
        /// The text.
        text: String,
        /// What it could mean.
        candidates: Vec<Candidate>,
    },
}

impl MoveTextError {
    /// The text that was read.
    pub fn text(&self) -> &str {
        match self {
            MoveTextError::Unknown(text)
            | MoveTextError::NoPiece { text, .. }
            | MoveTextError::Illegal { text, .. }
            | MoveTextError::Ambiguous { text, .. } => text,
        }
    }
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveTextError::Unknown(text) => {
                write!(f, "{text:?} is no move: h2e2, H2-E2, C2=5 and 炮二平五 are")
            }
            MoveTextError::NoPiece { text, color, kind } => write!(
                f,
                "{text}: no {color} {} stands where the text says",
                kind.name()
            ),
            MoveTextError::Illegal { text, mv, why } => match mv {
                Some(m) if m.to_string() != *text => write!(f, "{text} ({m}) is illegal: {why}"),
                _ => write!(f, "{text} is illegal: {why}"),
            },
            MoveTextError::Ambiguous { text, candidates } => {
                write!(f, "{text} can mean ")?;
                for (i, c) in candidates.iter().enumerate() {
                    let sep = match i {
                        0 => "",
                        _ if i + 1 == candidates.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{sep}{} ({})", c.mv, c.chinese)?;
                }
                f.write_str("; write one of these")
            }
        }
    }
}

impl std::error::Error for MoveTextError {}
