//! Why a book is not read.

use core::fmt;

/// Why a book is not read; the text says what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookError {
    /// The file cannot be opened or read: what the system says.
    Io(String),
    /// There is nothing in it.
    Empty,
    /// It is something else, as told.
    Foreign(&'static str),
    /// It ends in its head.
    ShortHead,
    /// A version of the format that is not known.
    Version(u32),
    /// Its positions are named by other keys.
    Keys,
    /// Its length is not what its head tells.
    Length {
        /// Bytes there should be.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// Its bytes are not those that were written.
    Checksum,
    /// Its bytes make no sense, as told.
    Content(&'static str),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Io(why) => write!(f, "cannot be read: {why}"),
            BookError::Empty => f.write_str("the file is empty"),
            BookError::Foreign(what) => write!(
                f,
                "{what}, not a book that is known (chuhe's own and ElephantEye's BOOK.DAT are; \
                 chuhe book build makes one from game files)"
            ),
            BookError::ShortHead => f.write_str("cut off: it ends within its head; copy it again"),
            BookError::Version(v) => write!(
                f,
                "version {v} of the format, which this program does not know; build the book anew"
            ),
            BookError::Keys => f.write_str(
                "its positions are named by other keys than this program's; build the book anew",
            ),
            BookError::Length { expected, found } => write!(
                f,
                "cut off or spoilt: {found} bytes where {expected} should be; copy it again"
            ),
            BookError::Checksum => {
                f.write_str("damaged: its checksum does not agree; copy it again")
            }
            BookError::Content(what) => write!(f, "damaged: {what}; build the book anew"),
        }
    }
}

impl std::error::Error for BookError {}
