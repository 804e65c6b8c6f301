//! ElephantEye's `BOOK.DAT`, from version 2.0 of that program on.
//!
//! Its documentation (`eleeye_book.htm`) describes entries of eight bytes, sorted by key: four of
//! a Zobrist key, two of a move, two of a weight; a position stands for its mirror image too, and
//! colliding keys are told apart by the moves that are not legal. What it leaves open was found
//! by trying on such a file: numbers are little-endian; a move is its start and its end on a
//! board of 16 × 16 points whose third rank from above begins with a9 (0x33); keys are the third
//! of every three words that RC4 with an empty key produces, first for the side to move (counted
//! when Black is), then for Red's king, advisor, bishop, knight, rook, cannon and pawn and then
//! Black's, each on the 256 points. With it the start position and those after its moves are
//! found; with anything else none is.

use super::{BookError, BookMove};
use crate::position::Position;
use crate::types::{Color, Move, PieceType, SQUARES, Square};

/// Bytes of an entry.
const ENTRY: usize = 8;
/// A book that begins so is of another program.
const OTHERS: [(&[u8], &str); 4] = [
    (b"SQLite format 3\0", "a SQLite database (obk, obs, xqb)"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"XQ", "an XQF game"),
    (b"\x1f\x8b", "a gzip archive"),
];

/// Key of each piece, by [`PieceKeys::index`], and of Black to move.
#[derive(Debug)]
struct PieceKeys {
    pieces: Vec<u32>,
    black_to_move: u32,
}

/// RC4 with an empty key.
struct Stream {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Stream {
    fn new() -> Stream {
        let mut state: [u8; 256] = std::array::from_fn(|i| i as u8);
        let mut j = 0_u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]);
            state.swap(i, usize::from(j));
        }
        Stream { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        let a = self.state[usize::from(self.x)];
        self.y = self.y.wrapping_add(a);
        let b = self.state[usize::from(self.y)];
        self.state.swap(usize::from(self.x), usize::from(self.y));
        self.state[usize::from(a.wrapping_add(b))]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// The third of three words.
    fn key(&mut self) -> u32 {
        self.word();
        self.word();
        self.word()
    }
}

impl PieceKeys {
    const ORDER: [PieceType; 7] = [
        PieceType::King,
        PieceType::Advisor,
        PieceType::Bishop,
        PieceType::Knight,
        PieceType::Rook,
        PieceType::Cannon,
        PieceType::Pawn,
    ];

    fn new() -> PieceKeys {
        let mut stream = Stream::new();
        let black_to_move = stream.key();
        let mut pieces = vec![0; 14 * SQUARES];
        for color in Color::ALL {
            for kind in PieceKeys::ORDER {
                for point in 0..=255 {
                    let key = stream.key();
                    if let Some(square) = square_of(point) {
                        pieces[PieceKeys::index(color, kind, square)] = key;
                    }
                }
            }
        }
        PieceKeys {
            pieces,
            black_to_move,
        }
    }

    fn index(color: Color, kind: PieceType, square: Square) -> usize {
        (color.index() * 7 + kind.index()) * SQUARES + square.index()
    }

    /// The key of a position, or of its mirror image.
    fn of(&self, position: &Position, mirrored: bool) -> u32 {
        let side = match position.stm() {
            Color::Red => 0,
            Color::Black => self.black_to_move,
        };
        position.occupied().fold(side, |key, s| {
            let at = if mirrored { s.mirror() } else { s };
            position.piece_on(s).map_or(key, |p| {
                key ^ self.pieces[PieceKeys::index(p.color(), p.kind(), at)]
            })
        })
    }
}

/// The point of a board of 16 × 16.
fn square_of(point: u8) -> Option<Square> {
    let (rank, file) = (i32::from(point >> 4) - 3, i32::from(point & 15) - 3);
    Square::from_file_rank(file, 9 - rank)
}

fn move_of(entry: &[u8]) -> Option<Move> {
    let (from, to) = (square_of(entry[4])?, square_of(entry[5])?);
    (from != to).then(|| Move::new(from, to))
}

fn key_of(entry: &[u8]) -> u32 {
    u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]])
}

/// A book of ElephantEye.
#[derive(Debug)]
pub(super) struct EleEyeBook {
    keys: PieceKeys,
    /// Sorted by key.
    entries: Vec<(u32, Move, u16)>,
    positions: usize,
}

impl EleEyeBook {
    /// Reads a book. The format has no mark of its own, so everything that can be wrong with
    /// one is held against it.
    pub(super) fn new(bytes: &[u8]) -> Result<EleEyeBook, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        for (start, what) in OTHERS {
            if bytes.starts_with(start) {
                return Err(BookError::Foreign(what));
            }
        }
        let head = &bytes[..bytes.len().min(4096)];
        if !head.contains(&0) && head.iter().all(|&b| b >= b' ' || b.is_ascii_whitespace()) {
            return Err(BookError::Foreign("a text"));
        }
        let mut entries: Vec<(u32, Move, u16)> = Vec::with_capacity(bytes.len() / ENTRY);
        let mut positions = 0;
        let unknown = BookError::Foreign("a file of an unknown format, or a cut-off BOOK.DAT");
        if bytes.len() % ENTRY != 0 {
            return Err(unknown);
        }
        for entry in bytes.chunks_exact(ENTRY) {
            let (key, last) = (key_of(entry), entries.last().map(|e| e.0));
            let Some(m) = move_of(entry).filter(|_| last.is_none_or(|last| last <= key)) else {
                return Err(unknown);
            };
            positions += usize::from(last != Some(key));
            let weight = u16::from_le_bytes([entry[6], entry[7]]);
            entries.push((key, m, weight));
        }
        Ok(EleEyeBook {
            keys: PieceKeys::new(),
            entries,
            positions,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.positions
    }

    /// The moves under the key of the position, or else, turned, those under its mirror image's.
    pub(super) fn moves(&self, position: &Position) -> Vec<BookMove> {
        for mirrored in [false, true] {
            let key = self.keys.of(position, mirrored);
            let first = self.entries.partition_point(|e| e.0 < key);
            let found = self.entries[first..].iter().take_while(|e| e.0 == key);
            let moves: Vec<BookMove> = found
                .map(|&(_, m, weight)| BookMove::new(if mirrored { m.mirror() } else { m }, weight))
                .filter(|m| position.is_legal(m.mv))
                .collect();
            if !moves.is_empty() {
                return moves;
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(keys: &PieceKeys, position: &Position, bytes: [u8; 2], weight: u16) -> Vec<u8> {
        let mut out = keys.of(position, false).to_le_bytes().to_vec();
        out.extend(bytes);
        out.extend(weight.to_le_bytes());
        out
    }

    #[test]
    fn the_start_position_has_the_key_of_the_real_book() {
        // Seen in the book that ElephantEye 3.15 brings: its moves are those of the start.
        let keys = PieceKeys::new();
        assert_eq!(keys.of(&Position::startpos(), false), 0x0526_56d5);
    }

    #[test]
    fn entries_are_found_from_both_sides() {
        let keys = PieceKeys::new();
        let mut right = Position::startpos();
        right.play("h2e2".parse().unwrap()).unwrap();
        // 0x3a is h9, 0x59 is g7.
        let book = EleEyeBook::new(&entry(&keys, &right, [0x3a, 0x59], 7)).unwrap();
        let text = |p: &Position| {
            let moves = book.moves(p);
            moves.iter().map(|m| m.mv.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(text(&right), ["h9g7"]);
        let mut left = Position::startpos();
        left.play("b2e2".parse().unwrap()).unwrap();
        assert_eq!(text(&left), ["b9c7"]);
        assert_eq!(text(&Position::startpos()), Vec::<String>::new());
        assert_eq!((book.len(), book.moves(&left)[0].weight), (1, 7));
    }

    #[test]
    fn what_is_no_book_is_refused() {
        for bad in [
            &b""[..],
            b"hello, I am no book",
            b"SQLite format 3\0 and so on",
            &[0; 8],
            &[1, 0, 0, 0, 0x3a, 0x59, 1],
        ] {
            assert!(EleEyeBook::new(bad).is_err(), "{bad:?}");
        }
        let mut two = vec![2, 0, 0, 0, 0x3a, 0x59, 1, 0];
        two.extend([1, 0, 0, 0, 0x3a, 0x59, 1, 0]);
        assert!(EleEyeBook::new(&two).is_err());
    }
}
