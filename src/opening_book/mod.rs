//! Opening books: reading a file, looking a position up, choosing among the moves found.
//!
//! A book knows positions by key, not by line, so transpositions meet in it. A position and its
//! mirror image (left and right exchanged) are one: see [`Symmetry`]. The format is told in
//! `docs/book.md` and written by [`encode`]; ElephantEye's `BOOK.DAT` is read too. Making books
//! is the matter of `book_making`. Imports `position`, `util` and `types`.
//!
//! ```
//! use chuhe::opening_book::{BookMove, Details, encode, OpeningBook, Symmetry};
//! use chuhe::position::Position;
//! use std::collections::BTreeMap;
//!
//! let start = Position::startpos();
//! let here = Symmetry::of(&start);
//! let cannon = BookMove::new(here.to_book("b2e2".parse().unwrap()), 10);
//! let bytes = encode(&BTreeMap::from([(here.key, vec![cannon])]), Details::default());
//! let book = OpeningBook::from_bytes("small", bytes).unwrap();
//! // In the start position left and right are the same.
//! assert_eq!(book.moves(&start)[0].mv.to_string(), "h2e2");
//! ```

mod choice;
mod eleeye;
mod error;
mod format;
mod symmetry;

pub use choice::{Selection, choose};
pub use error::BookError;
pub use format::{Details, LONGEST, encode};
pub use symmetry::Symmetry;

use crate::position::Position;
use crate::types::Move;
use eleeye::EleEyeBook;
use format::{Bytes, NativeBook};
use std::collections::BTreeMap;
use std::path::Path;

/// The book that comes with the program, made by `chuhe book build` (see `book/README.md`).
static BUILTIN: &[u8] = include_bytes!("../../book/chuhe.book");

/// What a book knows of a move. Results are told from the side of the player who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often it is to be played, relative to the other moves; 0: never.
    pub weight: u16,
    /// It is not to be played, and not to come back when books are made or joined.
    pub banned: bool,
    /// Weight or ban were set by hand.
    pub by_hand: bool,
    /// Score by search in hundredths of a pawn, if it was looked at.
    pub score: Option<i16>,
    /// Games it was played in.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost; the results of the rest are not known.
    pub losses: u32,
}

impl BookMove {
    /// A move of which nothing but its weight is known.
    pub fn new(mv: Move, weight: u16) -> BookMove {
        BookMove {
            mv,
            weight,
            banned: false,
            by_hand: false,
            score: None,
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
        }
    }

    /// Whether it may be played.
    pub fn is_playable(&self) -> bool {
        self.weight > 0 && !self.banned
    }

    /// Points of its player in percent of the games with a result; `None` without any.
    pub fn percent(&self) -> Option<f64> {
        let (wins, draws) = (f64::from(self.wins), f64::from(self.draws));
        let known = wins + draws + f64::from(self.losses);
        (known > 0.0).then(|| 100.0 * (wins + draws / 2.0) / known)
    }
}

#[derive(Debug)]
enum Content {
    Native(NativeBook),
    EleEye(EleEyeBook),
}

/// An opening book, open for reading.
#[derive(Debug)]
pub struct OpeningBook {
    name: String,
    content: Content,
}

impl OpeningBook {
    /// Opens a file through a memory map. It is looked through once, so that a book that opens
    /// is sound to its last byte. It must not be written in place while it is open: `chuhe book`
    /// never does, it puts a new file in the place of the old one.
    ///
    /// # Errors
    /// [`BookError`]: it cannot be read, is damaged, or is no book that is known.
    pub fn open(path: &Path) -> Result<OpeningBook, BookError> {
        let bytes = Bytes::map(path)?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        OpeningBook::from_content(&name.to_string_lossy(), bytes)
    }

    /// A book in memory.
    ///
    /// # Errors
    /// As [`OpeningBook::open`].
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<OpeningBook, BookError> {
        OpeningBook::from_content(name, Bytes::Owned(bytes))
    }

    /// The book that comes with the program.
    ///
    /// # Errors
    /// Never, unless the program was built with a damaged one.
    pub fn builtin() -> Result<OpeningBook, BookError> {
        OpeningBook::from_content("builtin", Bytes::Static(BUILTIN))
    }

    fn from_content(name: &str, bytes: Bytes) -> Result<OpeningBook, BookError> {
        let content = if format::is_native(bytes.get()) {
            Content::Native(NativeBook::new(bytes)?)
        } else {
            Content::EleEye(EleEyeBook::new(bytes.get())?)
        };
        Ok(OpeningBook {
            name: name.to_owned(),
            content,
        })
    }

    /// Its name: that of the file, or `builtin`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The legal moves it has for a position, as they are on this board, the heaviest first;
    /// banned ones too.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut moves = match &self.content {
            Content::Native(book) => book.moves(position),
            Content::EleEye(book) => book.moves(position),
        };
        // Keys of different positions may collide.
        moves.retain(|m| position.is_legal(m.mv));
        moves.sort_by_key(|m| (std::cmp::Reverse(m.weight), m.mv.to_bits()));
        moves
    }

    /// How many positions it has.
    pub fn positions(&self) -> usize {
        match &self.content {
            Content::Native(book) => book.len(),
            Content::EleEye(book) => book.len(),
        }
    }

    /// What its head tells of how it was checked; nothing for books of other programs.
    pub fn details(&self) -> Details {
        match &self.content {
            Content::Native(book) => book.details(),
            Content::EleEye(_) => Details::default(),
        }
    }

    /// Everything in it, to work on: moves by the key of their position, turned as
    /// [`Symmetry`] tells. `None` for books of other programs, whose keys are not ours.
    pub fn table(&self) -> Option<BTreeMap<u64, Vec<BookMove>>> {
        match &self.content {
            Content::Native(book) => Some(book.table()),
            Content::EleEye(_) => None,
        }
    }
}
