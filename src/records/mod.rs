//! Game files: read in every format met, written as PGN and move lists.
//!
//! [`read`] finds format and encoding by the bytes, reads all games with their variations,
//! comments and tags into [`Game`] trees, and lists what it could not read as [`Problem`]s with
//! file, line and token; whatever else is in the file is read all the same. Imports `notation`,
//! `position` and `types`.
//!
//! ```
//! use chuhe::records::{self, Outcome};
//! let pgn = "[Red \"甲\"]\n\n1. 炮二平五 {中炮} 马8进7 (1... 炮8平5) 2. 马二进三 1-0\n";
//! let records = records::read("game.pgn", pgn.as_bytes());
//! assert!(records.problems.is_empty());
//! let game = &records.games[0];
//! assert_eq!((game.red(), game.result, game.plies()), (Some("甲"), Outcome::RedWins, 3));
//! assert_eq!(game.variation_count(), 1);
//! ```

mod encoding;
mod json;
mod lists;
mod pgn_body;
mod pgn_lexer;
mod pgn_reader;
mod pgn_writer;
mod problem;
mod source;
mod start;
mod tree;

pub use encoding::{TextEncoding, decode, encode};
pub use pgn_writer::PgnStyle;
pub use problem::{Place, Problem, ProblemKind};
pub use tree::{Game, NodeId, Notes, Outcome};

use core::fmt;
use source::Source;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// PGN with any notation in the body.
    Pgn,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Pgn => "PGN",
        })
    }
}

/// What was found in a file.
#[derive(Clone, Debug)]
pub struct Records {
    /// Its format; `None` if it is not known.
    pub format: Option<Format>,
    /// The encoding of a text file.
    pub encoding: Option<TextEncoding>,
    /// The games, in order. One whose moves fail in the middle is here up to that move.
    pub games: Vec<Game>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Records {
    /// Whether anything is missing, see [`Problem::is_error`].
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }
}

/// Reads the games of a file. `name` is used in messages only.
pub fn read(name: &str, bytes: &[u8]) -> Records {
    let mut source = Source::new(name);
    let (text, encoding) = decode(bytes);
    pgn_reader::read(&text, &mut source);
    if source.games.is_empty() && source.problems.is_empty() {
        source.problem(Place::File, 0, ProblemKind::Empty);
    }
    Records {
        format: Some(Format::Pgn),
        encoding: Some(encoding),
        games: source.games,
        problems: source.problems,
    }
}
