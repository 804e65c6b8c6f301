//! What is wrong with a game file: where, what, and whether anything was lost by it.

use crate::notation::MoveTextError;
use crate::position::FenError;
use core::fmt;
use std::sync::Arc;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a binary file, from 0.
    Byte(usize),
    /// The file as a whole.
    File,
}

/// One fault of a file. The rest of the file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: Arc<str>,
    /// Where in it.
    pub place: Place,
    /// In which game, from 1; 0 outside of games.
    pub game: usize,
    /// At which ply of its line, from 1; 0 where no move is concerned.
    pub ply: usize,
    /// What it is.
    pub kind: ProblemKind,
}

/// Kinds of faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Text among the moves that means nothing; it was skipped.
    UnknownText {
        /// The first word.
        token: String,
        /// How many unknown words followed it at once.
        more: usize,
    },
    /// Text after the end of a game that starts no new one; it was skipped.
    TextAfterGame {
        /// The first word.
        token: String,
        /// How many words followed it.
        more: usize,
    },
    /// A move that cannot be read or played; the line ends before it.
    Move(MoveTextError),
    /// A start position that is none; the game was skipped.
    Start {
        /// The text, where there is one.
        fen: String,
        /// Why.
        why: FenError,
    },
    /// The first move belongs to the side that is not to move by the file; the move was believed.
    SideToMove,
    /// A tag that cannot be read; it was skipped.
    Tag(String),
    /// `{` without `}`; what followed up to the next tags or the end was taken as the comment.
    OpenComment,
    /// `(` without `)`.
    OpenVariation,
    /// `)` without `(`, or `(` before any move.
    StrayBracket(char),
    /// The file ends in the middle.
    Truncated,
    /// Something else is wrong with the file's structure.
    Malformed(String),
    /// A format that is known and cannot be read.
    Unsupported(&'static str),
    /// A format that is not known.
    UnknownFormat,
    /// A text of which next to nothing is a move; nothing was read.
    NoGame {
        /// The first word that means nothing.
        token: String,
        /// How many such words followed in all.
        more: usize,
    },
    /// Nothing in it.
    Empty,
    /// Too many faults to list.
    TooMany,
}

impl Problem {
    /// Whether something of the file is missing in what was read. Advertising after the end of a
    /// game and a wrong side to move are no loss.
    pub fn is_error(&self) -> bool {
        !matches!(
            self.kind,
            ProblemKind::TextAfterGame { .. } | ProblemKind::SideToMove
        )
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.place {
            Place::Line(n) => write!(f, ":{n}: ")?,
            Place::Byte(n) => write!(f, ": byte {n}: ")?,
            Place::File => f.write_str(": ")?,
        }
        if self.game > 1 {
            write!(f, "game {}: ", self.game)?;
        }
        if self.ply > 0 {
            write!(f, "ply {}: ", self.ply)?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemKind::UnknownText { token, more } => {
                write!(f, "{token:?} is no move, comment or result; it was skipped")?;
                and_more(f, *more)
            }
            ProblemKind::TextAfterGame { token, more } => {
                write!(f, "text after the end of the game was skipped: {token:?}")?;
                and_more(f, *more)
            }
            ProblemKind::Move(e) => write!(f, "{e}; the line ends before it"),
            ProblemKind::Start { fen, why } if fen.is_empty() => {
                write!(f, "the start is no position: {why}; the game was skipped")
            }
            ProblemKind::Start { fen, why } => {
                write!(
                    f,
                    "the start {fen:?} is no position: {why}; the game was skipped"
                )
            }
            ProblemKind::SideToMove => {
                f.write_str("the first move is not that of the side to move; the move was believed")
            }
            ProblemKind::Tag(text) => {
                write!(f, "{text:?} is no tag: [Name \"value\"] is; it was skipped")
            }
            ProblemKind::OpenComment => f.write_str("a comment opened by { is not closed by }"),
            ProblemKind::OpenVariation => f.write_str("a variation opened by ( is not closed by )"),
            ProblemKind::StrayBracket(c) => write!(f, "{c:?} out of place was skipped"),
            ProblemKind::Truncated => f.write_str("the file ends in the middle"),
            ProblemKind::Malformed(what) => f.write_str(what),
            ProblemKind::Unsupported(name) => write!(
                f,
                "this is a file of {name}, which chuhe cannot read; export it as PGN or XQF there"
            ),
            ProblemKind::UnknownFormat => f.write_str(
                "no format chuhe knows: PGN, XQF, CBR, CBL, CBF, DhtmlXQ, UBB, FEN, EPD and move \
                 lists are",
            ),
            ProblemKind::NoGame { token, more } => {
                write!(f, "there is no game in it: {token:?}")?;
                and_more(f, *more)?;
                f.write_str(" is no move, tag or comment")
            }
            ProblemKind::Empty => f.write_str("there is no game in it"),
            ProblemKind::TooMany => f.write_str("too many faults; the rest are not listed"),
        }
    }
}

fn and_more(f: &mut fmt::Formatter<'_>, more: usize) -> fmt::Result {
    if more > 0 {
        write!(f, " with {more} more")?;
    }
    Ok(())
}
