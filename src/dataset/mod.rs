//! Files of self-play games with scores, from which networks are trained: a start position, the
//! moves with what the search said of each position, the result. About four bytes a position;
//! the layout is described in docs/network.md. Imports `position`, `types`, `util`.
//!
//! A file is a header and games one after another, each with a checksum, so that it can be
//! written by appending, read as a stream, and continued after any end of the writer.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod game;
mod packed;
mod reader;
mod writer;

pub use game::{End, GameRecord, MAX_PLIES, Outcome, Ply};
pub use packed::{PACKED_LEN, PackError, pack, unpack};
pub use reader::{DataError, DataErrorKind, Reader};
pub use writer::{Resumed, Writer};

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"chuhedat";
/// Version of the layout that is written, and the only one that is read.
pub const VERSION: u16 = 1;
