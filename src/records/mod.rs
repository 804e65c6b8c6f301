//! Game files: read in every format met, written in most of them.
//!
//! [`read`] finds format and encoding by the bytes, reads all games with their variations,
//! comments and tags into [`Game`] trees, and lists what it could not read as [`Problem`]s with
//! file, line and token; whatever else is in the file is read all the same. [`Game`] has a method
//! `to_…` for each format that is written, and [`LeftOut`] tells what a form has no place for.
//! Imports `notation`, `position` and `types`.
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

mod cbf_writer;
mod ccbridge;
mod ccbridge_writer;
mod cursor;
mod detect;
mod dhtmlxq;
mod dhtmlxq_writer;
mod encoding;
mod json;
mod left_out;
mod lists;
mod pgn_body;
mod pgn_lexer;
mod pgn_reader;
mod pgn_writer;
mod problem;
mod remarks;
mod source;
mod start;
mod tree;
mod xml;
mod xqf;
mod xqf_writer;

pub use ccbridge_writer::to_cbl;
pub use encoding::{TextEncoding, decode, encode};
pub use left_out::LeftOut;
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
    /// Moves without tags, in any notation.
    Moves,
    /// A FEN, EPD or UCI `position` a line.
    List,
    /// A table with tabs of which a column is called `fen`.
    Table,
    /// XQStudio, 1.0 to 1.8.
    Xqf,
    /// A record of CCBridge.
    Cbr,
    /// A library of CCBridge.
    Cbl,
    /// CCBridge's XML.
    Cbf,
    /// XML of 鹏飞象棋.
    Pfc,
    /// DhtmlXQ, in forum posts and pages.
    DhtmlXq,
    /// The digits of a DhtmlXQ move list alone.
    Ubb,
    /// What chuhe writes as JSON.
    Json,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Pgn => "PGN",
            Format::Moves => "move list",
            Format::List => "FEN/EPD/UCI list",
            Format::Table => "table of FENs",
            Format::Xqf => "XQF",
            Format::Cbr => "CBR",
            Format::Cbl => "CBL",
            Format::Cbf => "CBF",
            Format::Pfc => "PFC",
            Format::DhtmlXq => "DhtmlXQ",
            Format::Ubb => "UBB digits",
            Format::Json => "JSON",
        })
    }
}

/// What was found in a file.
#[derive(Clone, Debug)]
pub struct Records {
    /// Its format; `None` if it is not known or cannot be read.
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

/// Reads the games of a file. `name` is used in messages, and to name formats that cannot be read.
pub fn read(name: &str, bytes: &[u8]) -> Records {
    let mut source = Source::new(name);
    let mut encoding = None;
    let format = match detect::of_bytes(name, bytes) {
        detect::Kind::Binary(format) => {
            match format {
                Format::Xqf => xqf::read(bytes, &mut source),
                Format::Cbl => ccbridge::read_library(bytes, &mut source),
                _ => ccbridge::read_record(bytes, &mut source),
            }
            Some(format)
        }
        detect::Kind::Text => {
            let (text, found) = decode(bytes);
            encoding = Some(found);
            read_text(&text, &mut source)
        }
        detect::Kind::Unsupported(program) => {
            source.problem(Place::File, 0, ProblemKind::Unsupported(program));
            None
        }
        detect::Kind::Unknown => {
            source.problem(Place::File, 0, ProblemKind::UnknownFormat);
            None
        }
    };
    if source.games.is_empty() && source.problems.is_empty() {
        source.problem(Place::File, 0, ProblemKind::Empty);
    }
    Records {
        format,
        encoding,
        games: source.games,
        problems: source.problems,
    }
}

fn read_text(text: &str, source: &mut Source) -> Option<Format> {
    let format = match detect::of_text(text) {
        Ok(format) => format,
        Err(program) => {
            source.problem(Place::File, 0, ProblemKind::Unsupported(program));
            return None;
        }
    };
    match format {
        Format::Json => json::read(text, source),
        Format::Cbf => xml::read_cbf(text, source),
        Format::Pfc => xml::read_pfc(text, source),
        Format::DhtmlXq => dhtmlxq::read(text, source),
        Format::Ubb => dhtmlxq::read_digits(text, source),
        Format::List => lists::read(text, source),
        Format::Table => lists::read_table(text, source),
        _ => {
            pgn_reader::read(text, source);
            if let Some(why) = prose(source) {
                source.games.clear();
                source.problems.clear();
                source.game = 0;
                source.problem(Place::File, 0, why);
                return None;
            }
        }
    }
    Some(format)
}

/// So many words without a meaning for each move make a text that is no record.
const WORDS_A_MOVE: usize = 10;
/// Tags of which a record has one.
const USUAL_TAGS: [&str; 9] = [
    "Game", "Event", "Site", "Date", "Round", "Red", "Black", "Result", "FEN",
];

/// What was read as PGN or moves and is some other text, in which words such as `b2e2` or a
/// remark in brackets occur by chance.
fn prose(source: &Source) -> Option<ProblemKind> {
    let mut first = None;
    let mut words = 0;
    for problem in &source.problems {
        if let ProblemKind::UnknownText { token, more }
        | ProblemKind::TextAfterGame { token, more } = &problem.kind
        {
            first.get_or_insert_with(|| token.clone());
            words += 1 + more;
        }
    }
    let moves: usize = source.games.iter().map(Game::node_count).sum();
    let tagged = source.games.iter().flat_map(|g| &g.tags).any(|(name, _)| {
        let mut usual = USUAL_TAGS.iter();
        usual.any(|t| t.eq_ignore_ascii_case(name))
    });
    let token = first.filter(|_| !tagged && words > WORDS_A_MOVE * moves)?;
    Some(ProblemKind::NoGame {
        token,
        more: words - 1,
    })
}
