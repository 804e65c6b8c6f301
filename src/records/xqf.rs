//! XQF, the files of XQStudio (象棋演播室), versions 1.0 to 1.8.
//!
//! A header of 1024 bytes (text in GBK, each field led by its length) and the tree of moves, each
//! node before its continuation, that before the node's variations. From version 1.1 on points,
//! comments and their lengths are masked by keys that the header gives; up to 1.0 nothing is.

use super::cursor::{Cursor, PIECE_ORDER, points};
use super::encoding::decode_gbk;
use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{NodeId, Outcome};
use crate::position::Setup;
use crate::types::{Color, Move, Piece, Square};

/// Bytes before the tree.
pub(super) const HEADER: usize = 1024;
/// What the keys of the move bytes are cut from.
const MASK_TEXT: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// Text fields: tag, offset, and room after the length byte.
pub(super) const FIELDS: [(&str, usize, usize); 12] = [
    ("Title", 80, 63),
    ("Title2", 144, 63),
    ("Event", 208, 63),
    ("Date", 272, 15),
    ("Site", 288, 15),
    ("Red", 304, 15),
    ("Black", 320, 15),
    ("TimeControl", 336, 63),
    ("RedTime", 400, 15),
    ("BlackTime", 416, 15),
    ("Annotator", 464, 15),
    ("Author", 480, 15),
];

/// Kinds of records by the figure at [`PLAY_TYPE`], the tag `PlayType`.
pub(super) const PLAY_TYPES: [&str; 4] = ["全局", "开局", "中局", "残局"];
/// Where that figure stands.
pub(super) const PLAY_TYPE: usize = 64;

/// Whether the bytes start like an XQF file.
pub(super) fn is_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ") && bytes.len() >= HEADER
}

/// What unmasks a file.
#[derive(Debug, Default)]
struct Keys {
    version: u8,
    piece: u8,
    from: u8,
    to: u8,
    comment: u32,
    stream: [u8; 32],
}

impl Keys {
    fn of(header: &[u8]) -> Keys {
        let version = header[2];
        if version <= 10 {
            return Keys {
                version,
                ..Keys::default()
            };
        }
        let (mask, or) = (header[3], &header[8..12]);
        let (sum, piece, from, to) = (header[12], header[13], header[14], header[15]);
        let stir = |key: u8, with: u8| -> u8 {
            let k = u32::from(key);
            ((k * k * 54 + 221) * u32::from(with)) as u8
        };
        let piece_key = stir(piece, piece);
        let from_key = stir(from, piece_key);
        let to_key = stir(to, from_key);
        let mut stream = *MASK_TEXT;
        for (i, byte) in stream.iter_mut().enumerate() {
            *byte &= ([sum, piece, from, to][i % 4] & mask) | or[i % 4];
        }
        Keys {
            version,
            piece: piece_key,
            from: from_key,
            to: to_key,
            comment: (u32::from(sum) * 256 + u32::from(piece)) % 32_000 + 767,
            stream,
        }
    }

    /// A byte of the tree at this offset in the file.
    fn open(&self, bytes: &[u8], at: usize) -> u8 {
        bytes[at].wrapping_sub(self.stream[at % 32])
    }
}

pub(super) fn read(bytes: &[u8], source: &mut Source) {
    source.game = 1;
    let keys = Keys::of(bytes);
    let setup = read_setup(bytes, &keys);
    // The field is often wrong; the first move knows better.
    let start = match Start::from_setup(&setup, false) {
        Ok(start) => start,
        Err(why) => {
            let fen = String::new();
            return source.problem(Place::Byte(16), 0, ProblemKind::Start { fen, why });
        }
    };
    let mut cursor = Cursor::new(start);
    let game = &mut cursor.game;
    for (name, at, room) in FIELDS {
        let len = usize::from(bytes[at]).min(room);
        let text = decode_gbk(&bytes[at + 1..at + 1 + len]);
        game.add_tag(name, text.trim_matches('\0'));
    }
    game.result = match bytes[51] {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 | 4 => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let kind = PLAY_TYPES.get(usize::from(bytes[PLAY_TYPE]));
    game.add_tag("PlayType", kind.unwrap_or(&""));
    game.add_tag(
        "XQFVersion",
        &format!("1.{}", keys.version.saturating_sub(10)),
    );
    read_tree(bytes, &keys, &mut cursor, source);
    source.games.push(cursor.game);
}

fn read_setup(bytes: &[u8], keys: &Keys) -> Setup {
    let stored = &bytes[16..48];
    let mut setup = Setup::empty();
    for (i, &place) in stored.iter().enumerate() {
        // From 1.2 on the list is turned by the key.
        let slot = match keys.version {
            0..=11 => i,
            _ => (i + usize::from(keys.piece) + 1) % 32,
        };
        let place = i32::from(place.wrapping_sub(keys.piece));
        let color = if slot < 16 { Color::Red } else { Color::Black };
        let letter = char::from(PIECE_ORDER[slot % 16]);
        let square = Square::from_file_rank(place / 10, place % 10);
        if let (Some(square), Some(piece)) = (square, Piece::from_fen_char(letter)) {
            setup.board[square.index()] = Some(Piece::new(color, piece.kind()));
        }
    }
    setup.stm = match bytes[50] {
        1 => Color::Black,
        _ => Color::Red,
    };
    let ply = u32::from(u16::from_le_bytes([bytes[48], bytes[49]]));
    setup.fullmove = if ply < 1_000 { ply / 2 + 1 } else { 1 };
    setup
}

/// A node as it lies in the file.
struct RawNode {
    at: usize,
    from: u8,
    to: u8,
    has_next: bool,
    has_other: bool,
    comment: String,
}

struct Nodes<'a> {
    bytes: &'a [u8],
    keys: &'a Keys,
    at: usize,
    /// A comment was to be longer than the file.
    cut: bool,
}

impl Nodes<'_> {
    /// The next node; `None` where the file ends.
    fn next(&mut self) -> Option<RawNode> {
        let (bytes, keys, at) = (self.bytes, self.keys, self.at);
        let end = at.checked_add(4).filter(|&e| e <= bytes.len())?;
        let flags = keys.open(bytes, at + 2);
        let old = keys.version <= 10;
        let (has_next, has_other, has_comment) = if old {
            (flags & 0xf0 != 0, flags & 0x0f != 0, true)
        } else {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        };
        self.at = end;
        let mut comment = String::new();
        if has_comment {
            let end = end.checked_add(4).filter(|&e| e <= bytes.len())?;
            let size: [u8; 4] = std::array::from_fn(|i| keys.open(bytes, at + 4 + i));
            let size = u32::from_le_bytes(size).wrapping_sub(keys.comment) as usize;
            // A length beyond the end of the file takes what there is.
            let stop = end.saturating_add(size).min(bytes.len());
            self.cut |= stop - end < size;
            let raw: Vec<u8> = (end..stop).map(|i| keys.open(bytes, i)).collect();
            comment = decode_gbk(&raw);
            self.at = stop;
        }
        Some(RawNode {
            at,
            from: keys
                .open(bytes, at)
                .wrapping_sub(24)
                .wrapping_sub(keys.from),
            to: keys
                .open(bytes, at + 1)
                .wrapping_sub(32)
                .wrapping_sub(keys.to),
            has_next,
            has_other,
            comment,
        })
    }
}

fn read_tree(bytes: &[u8], keys: &Keys, cursor: &mut Cursor, source: &mut Source) {
    let mut nodes = Nodes {
        bytes,
        keys,
        at: HEADER,
        cut: false,
    };
    let Some(root) = nodes.next() else {
        return; // a header alone is a position
    };
    cursor.game.comment(NodeId::ROOT, &root.comment);
    if !root.has_next {
        return;
    }
    // Where the next node goes, and where the variations that were announced go; `None` below a
    // move that could not be played.
    let mut parent = Some(NodeId::ROOT);
    let mut announced: Vec<Option<NodeId>> = Vec::new();
    loop {
        let Some(raw) = nodes.next() else {
            // Files of a position alone announce moves and have none.
            if cursor.game.node_count() == 0 && nodes.at == bytes.len() {
                return;
            }
            return source.problem(Place::Byte(nodes.at), 0, ProblemKind::Truncated);
        };
        if std::mem::take(&mut nodes.cut) {
            source.problem(Place::Byte(raw.at), 0, ProblemKind::Truncated);
        }
        if raw.has_other {
            announced.push(parent);
        }
        let node = parent
            .and_then(|parent| cursor.play(parent, raw.points(), Place::Byte(raw.at), source));
        if let Some(node) = node {
            cursor.game.comment(node, &raw.comment);
        }
        parent = if raw.has_next {
            node
        } else {
            match announced.pop() {
                Some(parent) => parent,
                None => return,
            }
        };
    }
}

impl RawNode {
    fn points(&self) -> Option<Move> {
        let xy = |n: u8| (i32::from(n) / 10, i32::from(n) % 10);
        points(xy(self.from), xy(self.to))
    }
}
