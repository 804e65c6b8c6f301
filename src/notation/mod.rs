//! People's move text: coordinates (`h2e2`, `H2-E2`), WXF (`C2=5`), Chinese (`炮二平五`), and on
//! the reading side algebraic (`Che2`), each in the dialects that occur.
//!
//! Writing needs the position, because the text of a move depends on what else stands on its
//! file; reading needs it, because the text names no start point. Text that fits several legal
//! moves is refused with the candidates named, never guessed. Imports `position` and `types`.
//!
//! ```
//! use chuhe::notation::{self, ChineseStyle};
//! use chuhe::position::Position;
//!
//! let p = Position::startpos();
//! let m = notation::parse_move(&p, "炮二平五").unwrap();
//! assert_eq!(m.to_string(), "h2e2");
//! assert_eq!(notation::to_iccs(m), "H2-E2");
//! assert_eq!(notation::to_wxf(&p, m), "C2=5");
//! assert_eq!(notation::to_chinese(&p, m, ChineseStyle::default()), "炮二平五");
//! assert_eq!(notation::parse_move(&p, "Ｃ２．５"), Ok(m));
//! ```
//!
//! # How pieces on one file are told apart
//!
//! | on the file | Chinese | WXF |
//! |---|---|---|
//! | two of a kind, no advisors or elephants | 前车 后车 | `R+` `R-` |
//! | three pawns | 前兵 中兵 后兵 | `15` `25` `35` (ordinal from the front, file) |
//! | four or five pawns | 一兵 … 五兵 | `15` … `55` |
//! | pawns on two files at once | 前五 后七 (order and file), or 一兵 … from right to left, from front to back | `15` `23` |
//! | advisors, elephants | always by file: the one that advances is the rear one | by file |
//!
//! Written WXF is that of Fairy-Stockfish, which names the file also where only one of two
//! pieces could make the move without leaving the board.

mod algebraic;
mod chinese;
mod error;
mod parse;
mod standing;
mod symbols;
mod wxf;

pub use chinese::{ChineseStyle, Digits, PawnColumns, Script};
pub use error::{Candidate, MoveTextError};
pub use parse::{move_prefix, parse_move};

use crate::position::Position;
use crate::types::Move;
use core::fmt;
use core::str::FromStr;

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `h2e2`, as in UCI and UCCI.
    Coordinate,
    /// `H2-E2`.
    Iccs,
    /// `C2=5`.
    Wxf,
    /// `炮二平五`.
    Chinese(ChineseStyle),
}

impl Notation {
    /// Appends the text of a legal move of the position.
    pub fn push(self, position: &Position, m: Move, out: &mut String) {
        match self {
            Notation::Coordinate => push_coordinate(m, out),
            Notation::Iccs => push_iccs(m, out),
            Notation::Wxf => wxf::push(position, m, out),
            Notation::Chinese(style) => chinese::push(position, m, style, out),
        }
    }

    /// The text of a legal move of the position.
    pub fn text(self, position: &Position, m: Move) -> String {
        let mut out = String::with_capacity(12);
        self.push(position, m, &mut out);
        out
    }

    /// The texts of moves played one after the other from the position, parted by blanks; ends
    /// before the first move that is not legal.
    pub fn line(self, position: &Position, moves: &[Move]) -> String {
        let mut p = position.clone();
        let mut out = String::with_capacity(13 * moves.len());
        for &m in moves {
            if !p.is_legal(m) {
                break;
            }
            if !out.is_empty() {
                out.push(' ');
            }
            self.push(&p, m, &mut out);
            p.make(m);
        }
        out
    }
}

/// The name [`Notation::from_str`] reads; styles of Chinese other than the script are left out.
impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notation::Coordinate => "uci",
            Notation::Iccs => "iccs",
            Notation::Wxf => "wxf",
            Notation::Chinese(s) if s.script == Script::Traditional => "chinese-traditional",
            Notation::Chinese(_) => "chinese",
        })
    }
}

/// A name that stands for no notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNotation(String);

impl fmt::Display for UnknownNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is no notation: uci, iccs, wxf, chinese and chinese-traditional are",
            self.0
        )
    }
}

impl std::error::Error for UnknownNotation {}

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(s: &str) -> Result<Notation, UnknownNotation> {
        Ok(match s.to_ascii_lowercase().as_str() {
            "uci" | "ucci" | "coordinate" => Notation::Coordinate,
            "iccs" => Notation::Iccs,
            "wxf" => Notation::Wxf,
            "chinese" | "zh" | "chinese-simplified" => Notation::Chinese(ChineseStyle::default()),
            "chinese-traditional" | "zh-hant" => Notation::Chinese(ChineseStyle {
                script: Script::Traditional,
                ..ChineseStyle::default()
            }),
            _ => return Err(UnknownNotation(s.to_owned())),
        })
    }
}

/// `H2-E2`.
pub fn to_iccs(m: Move) -> String {
    let mut out = String::with_capacity(5);
    push_iccs(m, &mut out);
    out
}

/// `C2=5`, as pyffish's `NOTATION_XIANGQI_WXF` writes it. The move is to be legal in the
/// position; without a piece on its start point its coordinates are written.
pub fn to_wxf(position: &Position, m: Move) -> String {
    Notation::Wxf.text(position, m)
}

/// `炮二平五`. The move is to be legal in the position; without a piece on its start point its
/// coordinates are written.
pub fn to_chinese(position: &Position, m: Move, style: ChineseStyle) -> String {
    Notation::Chinese(style).text(position, m)
}

fn push_coordinate(m: Move, out: &mut String) {
    if m.is_none() {
        out.push_str("0000");
        return;
    }
    for s in [m.from(), m.to()] {
        out.push((b'a' + s.file() as u8) as char);
        out.push((b'0' + s.rank() as u8) as char);
    }
}

fn push_iccs(m: Move, out: &mut String) {
    for (i, s) in [m.from(), m.to()].into_iter().enumerate() {
        if i == 1 {
            out.push('-');
        }
        out.push((b'A' + s.file() as u8) as char);
        out.push((b'0' + s.rank() as u8) as char);
    }
}
