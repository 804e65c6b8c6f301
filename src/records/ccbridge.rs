//! CBR and CBL, the records and libraries of CCBridge (象棋桥): fixed fields in UTF-16 and a
//! stream of moves, nothing masked.

use super::cursor::{Cursor, points};
use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{NodeId, Outcome};
use crate::position::Setup;
use crate::types::{Color, Move, Piece, PieceType, Square};

pub(super) const RECORD: &[u8] = b"CCBridge Record\0";
pub(super) const LIBRARY: &[u8] = b"CCBridgeLibrary\0";
/// Where the part with side to move, board and moves starts, by the version of the record.
pub(super) const PART: [usize; 2] = [1856, 2112];
/// Where that part's board and moves start.
pub(super) const BOARD: usize = 8;
pub(super) const MOVES: usize = 102;
/// Records of a library start at multiples of this from the first.
pub(super) const SLOT: usize = 4096;
/// Where a library's index starts, and the size of an entry.
pub(super) const INDEX: usize = 66_624;
pub(super) const INDEX_ENTRY: usize = 276;

/// Kinds of pieces by their code from 1; 16 more for Red's, 32 for Black's.
pub(super) const PIECES: [PieceType; 7] = [
    PieceType::Rook,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Advisor,
    PieceType::King,
    PieceType::Cannon,
    PieceType::Pawn,
];

/// Text fields of a record of version 2: tag, offset, bytes.
pub(super) const FIELDS: [(&str, usize, usize); 18] = [
    ("Title", 180, 128),
    ("Category", 308, 256),
    ("Source", 564, 64),
    ("EventType", 628, 64),
    ("Event", 692, 64),
    ("Round", 756, 64),
    ("Board", 852, 32),
    ("Date", 884, 64),
    ("Site", 948, 64),
    ("TimeControl", 1012, 64),
    ("Red", 1076, 64),
    ("RedTeam", 1140, 64),
    ("RedTime", 1204, 64),
    ("Black", 1300, 64),
    ("BlackTeam", 1364, 64),
    ("BlackTime", 1428, 64),
    ("Annotator", 1652, 64),
    ("Termination", 2080, 32),
];

pub(super) fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD)
}

pub(super) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(LIBRARY)
}

/// The libraries of older versions, which are compressed.
pub(super) fn is_old_library(bytes: &[u8]) -> bool {
    bytes.starts_with(b"CCBridge") && !is_record(bytes) && !is_library(bytes)
}

/// Reads a file of one game.
pub(super) fn read_record(bytes: &[u8], source: &mut Source) {
    record(bytes, 0, source);
}

/// Reads all games of a library. A long game fills several slots, of which only the first starts
/// like a record.
pub(super) fn read_library(bytes: &[u8], source: &mut Source) {
    let slots = match bytes.get(60..64) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => 0,
    };
    let first = slots.saturating_mul(INDEX_ENTRY).saturating_add(INDEX);
    let is_start = |at: usize| bytes.get(at..).is_some_and(is_record);
    let first = if is_start(first) {
        first
    } else {
        // The index is not as large as it says.
        match bytes.windows(RECORD.len()).position(|w| w == RECORD) {
            Some(at) => at,
            None => {
                return source.problem(Place::File, 0, ProblemKind::Empty);
            }
        }
    };
    let starts: Vec<usize> = (first..bytes.len())
        .step_by(SLOT)
        .filter(|&at| is_start(at))
        .collect();
    for (i, &at) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(bytes.len());
        record(&bytes[at..end], at, source);
    }
}

/// Reads the record in these bytes, which lie at `offset` in the file.
fn record(bytes: &[u8], offset: usize, source: &mut Source) {
    source.game += 1;
    // Version 1 lacks a field of 128 bytes at the start and as much further down, and writes
    // points otherwise.
    let old = bytes.get(19) == Some(&1);
    let part = PART[usize::from(!old)];
    let shift = if old { 128 } else { 0 };
    if bytes.len() < part + MOVES {
        return source.problem(Place::Byte(offset + bytes.len()), 0, ProblemKind::Truncated);
    }
    let mut setup = Setup::empty();
    for (i, &code) in bytes[part + BOARD..part + BOARD + 90].iter().enumerate() {
        let rank_9_first = Square::from_file_rank(i as i32 % 9, 9 - i as i32 / 9);
        if let (Some(square), Some(piece)) = (rank_9_first, piece(code)) {
            setup.board[square.index()] = Some(piece);
        }
    }
    setup.stm = match bytes[part] {
        2 => Color::Black,
        _ => Color::Red,
    };
    let start = match Start::from_setup(&setup, false) {
        Ok(start) => start,
        Err(why) => {
            let fen = String::new();
            let place = Place::Byte(offset + part + BOARD);
            return source.problem(place, 0, ProblemKind::Start { fen, why });
        }
    };
    let mut cursor = Cursor::new(start);
    for (name, at, len) in FIELDS {
        cursor
            .game
            .add_tag(name, &utf16(&bytes[at - shift..at - shift + len]));
    }
    cursor.game.result = match bytes[part - 36] {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let mut moves = Moves {
        bytes,
        at: part + MOVES,
        offset,
        old,
    };
    moves.read(&mut cursor, source);
    source.games.push(cursor.game);
}

fn piece(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kind = usize::from(code & 15).checked_sub(1)?;
    Some(Piece::new(color, *PIECES.get(kind)?))
}

/// UTF-16 up to the first zero; what follows is whatever lay in memory.
fn utf16(bytes: &[u8]) -> String {
    let units = bytes
        .chunks_exact(2)
        .map(|c| u16::from_le_bytes([c[0], c[1]]));
    char::decode_utf16(units.take_while(|&u| u != 0))
        .map(|c| c.unwrap_or('\u{fffd}'))
        .collect()
}

/// The moves of a record, four bytes each: flags (1 the line ends, 2 a variation is announced, 4
/// a comment follows), nothing, from, to.
struct Moves<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the record lies in the file.
    offset: usize,
    old: bool,
}

impl Moves<'_> {
    fn read(&mut self, cursor: &mut Cursor, source: &mut Source) {
        let mut parent = Some(NodeId::ROOT);
        let mut announced: Vec<Option<NodeId>> = Vec::new();
        let mut first = true;
        loop {
            let place = Place::Byte(self.offset + self.at);
            let Some(&[flags, _, from, to]) = self.bytes.get(self.at..self.at + 4) else {
                if !first {
                    source.problem(place, 0, ProblemKind::Truncated);
                }
                return;
            };
            self.at += 4;
            let comment = if flags & 4 == 0 {
                String::new()
            } else {
                match self.comment() {
                    Some(comment) => comment,
                    None => return source.problem(place, 0, ProblemKind::Truncated),
                }
            };
            // The first is no move but carries the comment on the start.
            let node = if std::mem::take(&mut first) {
                Some(NodeId::ROOT)
            } else {
                if flags & 2 != 0 {
                    announced.push(parent);
                }
                parent.and_then(|p| cursor.play(p, self.points(from, to), place, source))
            };
            if let Some(node) = node {
                cursor.game.comment(node, &comment);
            }
            parent = if flags & 1 == 0 {
                node
            } else {
                match announced.pop() {
                    Some(parent) => parent,
                    None => return,
                }
            };
        }
    }

    /// A length in bytes and so much UTF-16.
    fn comment(&mut self) -> Option<String> {
        let &[a, b, c, d] = self.bytes.get(self.at..self.at + 4)? else {
            return None;
        };
        let start = self.at + 4;
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        self.at = start.saturating_add(len).min(self.bytes.len());
        Some(utf16(&self.bytes[start..self.at]))
    }

    /// Points are counted from Black's left corner; in version 1 with a nibble each for
    /// file and rank.
    fn points(&self, from: u8, to: u8) -> Option<Move> {
        let xy = |n: u8| {
            if self.old {
                (i32::from(n >> 4), 9 - i32::from(n & 15))
            } else {
                (i32::from(n) % 9, 9 - i32::from(n) / 9)
            }
        };
        points(xy(from), xy(to))
    }
}
