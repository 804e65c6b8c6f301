//! Chuhe's own format; all numbers little-endian, as `docs/book.md` tells.

use super::{BookError, BookMove, Symmetry};
use crate::position::Position;
use crate::types::Move;
use memmap2::Mmap;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

/// First bytes of a book. The last one ends the file for programs that show it as text.
const MAGIC: &[u8; 8] = b"chuhebk\x1a";
const VERSION: u32 = 1;
/// How positions are named: Zobrist key by `types::zobrist`, the smaller one of both mirror images.
const KEY_SCHEME: u32 = 1;
const HEAD: usize = 64;
const CHECKSUM_AT: usize = 32;
/// Bytes of a move.
const MOVE: usize = 24;
const BANNED: u16 = 1;
const BY_HAND: u16 = 2;
/// Stands for a score that is not known.
const NO_SCORE: i16 = i16::MIN;

/// Longest file that is taken for a book: 1 GiB, far beyond all that are known.
pub const LONGEST: u64 = 1 << 30;

/// What the head of a book tells of how it was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Nodes of the search by which each of its positions was looked at; 0: none was.
    pub nodes: u64,
    /// The most that a move loses against the best one, in hundredths of a pawn; 0: not looked at.
    pub max_loss: u32,
}

/// Where the bytes of a book lie.
#[derive(Debug)]
pub(super) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
    Static(&'static [u8]),
}

impl Bytes {
    pub(super) fn map(path: &Path) -> Result<Bytes, BookError> {
        let failed = |e: std::io::Error| BookError::Io(e.to_string());
        let file = File::open(path).map_err(failed)?;
        let meta = file.metadata().map_err(failed)?;
        if !meta.is_file() {
            return Err(BookError::Io("it is not a file".into()));
        }
        if meta.len() == 0 {
            return Err(BookError::Empty);
        }
        if meta.len() > LONGEST {
            return Err(BookError::Foreign("a file of more than 1 GiB"));
        }
        // SAFETY: the map is only read, as bytes and within its bounds, so no content can break
        // a promise of the language; books are replaced by renaming, never written in place.
        let map = unsafe { Mmap::map(&file) };
        map.map(Bytes::Mapped).map_err(failed)
    }

    pub(super) fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
            Bytes::Static(bytes) => bytes,
        }
    }
}

pub(super) fn is_native(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// FNV-1a with 64 bits over words of eight bytes, the checksum itself left out.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |part: &[u8]| {
        for word in part.chunks(8) {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            hash = (hash ^ u64::from_le_bytes(padded)).wrapping_mul(0x0100_0000_01b3);
            // Plain FNV never moves high bits down.
            hash ^= hash >> 32;
        }
    };
    add(&bytes[..CHECKSUM_AT]);
    add(&bytes[CHECKSUM_AT + 8..]);
    hash
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

/// Writes a book: moves by the key of their position, turned as [`Symmetry`] tells. Positions
/// without moves are left out.
pub fn encode(table: &BTreeMap<u64, Vec<BookMove>>, details: Details) -> Vec<u8> {
    let filled = || table.iter().filter(|(_, moves)| !moves.is_empty());
    let positions = filled().count();
    let moves: usize = filled().map(|(_, moves)| moves.len()).sum();
    let mut out = Vec::with_capacity(HEAD + 12 * positions + MOVE * moves);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&KEY_SCHEME.to_le_bytes());
    out.extend_from_slice(&start_key().to_le_bytes());
    out.extend_from_slice(&(positions as u32).to_le_bytes());
    out.extend_from_slice(&(moves as u32).to_le_bytes());
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&details.nodes.to_le_bytes());
    out.extend_from_slice(&details.max_loss.to_le_bytes());
    out.resize(HEAD, 0);
    for (key, _) in filled() {
        out.extend_from_slice(&key.to_le_bytes());
    }
    let mut first = 0_u32;
    for (_, moves) in filled() {
        out.extend_from_slice(&first.to_le_bytes());
        first += moves.len() as u32;
    }
    for m in filled().flat_map(|(_, moves)| moves) {
        let flags = u16::from(m.banned) * BANNED + u16::from(m.by_hand) * BY_HAND;
        let score = m.score.unwrap_or(NO_SCORE) as u16;
        for half in [m.mv.to_bits(), m.weight, score, flags] {
            out.extend_from_slice(&half.to_le_bytes());
        }
        for count in [m.games, m.wins, m.draws, m.losses] {
            out.extend_from_slice(&count.to_le_bytes());
        }
    }
    let sum = checksum(&out);
    out[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
    out
}

fn start_key() -> u64 {
    Symmetry::of(&Position::startpos()).key
}

/// A book in our format, found sound.
#[derive(Debug)]
pub(super) struct NativeBook {
    bytes: Bytes,
    positions: usize,
    moves: usize,
}

impl NativeBook {
    pub(super) fn new(bytes: Bytes) -> Result<NativeBook, BookError> {
        let b = bytes.get();
        if b.len() < HEAD {
            return Err(BookError::ShortHead);
        }
        match u32_at(b, 8) {
            VERSION => {}
            other => return Err(BookError::Version(other)),
        }
        if u32_at(b, 12) != KEY_SCHEME || u64_at(b, 16) != start_key() {
            return Err(BookError::Keys);
        }
        let (positions, moves) = (u32_at(b, 24), u32_at(b, 28));
        let expected = HEAD as u64 + 12 * u64::from(positions) + MOVE as u64 * u64::from(moves);
        if b.len() as u64 != expected {
            let found = b.len() as u64;
            return Err(BookError::Length { expected, found });
        }
        if u64_at(b, CHECKSUM_AT) != checksum(b) {
            return Err(BookError::Checksum);
        }
        let book = NativeBook {
            positions: positions as usize,
            moves: moves as usize,
            bytes,
        };
        book.check()?;
        Ok(book)
    }

    /// What a checksum cannot tell: a faulty writer.
    fn check(&self) -> Result<(), BookError> {
        for i in 1..self.positions {
            if self.key(i - 1) >= self.key(i) {
                return Err(BookError::Content("its positions are out of order"));
            }
        }
        for i in 0..self.positions {
            if self.first(i) >= self.first(i + 1) || (i == 0 && self.first(0) != 0) {
                return Err(BookError::Content(
                    "its moves do not belong to its positions",
                ));
            }
        }
        if self.positions == 0 && self.moves > 0 {
            return Err(BookError::Content("moves without a position"));
        }
        if (0..self.moves).any(|i| self.stored(i).is_none()) {
            return Err(BookError::Content("a move leads off the board"));
        }
        Ok(())
    }

    fn key(&self, i: usize) -> u64 {
        u64_at(self.bytes.get(), HEAD + 8 * i)
    }

    /// The first move of a position; behind the last position, the number of all moves.
    fn first(&self, i: usize) -> usize {
        if i >= self.positions {
            return self.moves;
        }
        u32_at(self.bytes.get(), HEAD + 8 * self.positions + 4 * i) as usize
    }

    fn stored(&self, i: usize) -> Option<BookMove> {
        let b = self.bytes.get();
        let at = HEAD + 12 * self.positions + MOVE * i;
        let mv = Move::from_bits(u16_at(b, at)).filter(|m| m.from() != m.to())?;
        let score = u16_at(b, at + 4) as i16;
        let flags = u16_at(b, at + 6);
        Some(BookMove {
            mv,
            weight: u16_at(b, at + 2),
            banned: flags & BANNED != 0,
            by_hand: flags & BY_HAND != 0,
            score: (score != NO_SCORE).then_some(score),
            games: u32_at(b, at + 8),
            wins: u32_at(b, at + 12),
            draws: u32_at(b, at + 16),
            losses: u32_at(b, at + 20),
        })
    }

    fn of(&self, i: usize) -> impl Iterator<Item = BookMove> + '_ {
        (self.first(i)..self.first(i + 1)).filter_map(|k| self.stored(k))
    }

    pub(super) fn len(&self) -> usize {
        self.positions
    }

    pub(super) fn details(&self) -> Details {
        let b = self.bytes.get();
        Details {
            nodes: u64_at(b, 40),
            max_loss: u32_at(b, 48),
        }
    }

    pub(super) fn moves(&self, position: &Position) -> Vec<BookMove> {
        let here = Symmetry::of(position);
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.key(middle) < here.key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low == self.positions || self.key(low) != here.key {
            return Vec::new();
        }
        let turned = |m: BookMove| BookMove {
            mv: here.to_board(m.mv),
            ..m
        };
        self.of(low).map(turned).collect()
    }

    pub(super) fn table(&self) -> BTreeMap<u64, Vec<BookMove>> {
        (0..self.positions)
            .map(|i| (self.key(i), self.of(i).collect()))
            .collect()
    }
}
