//! CBR and CBL out, in version 2 of the record.

use super::ccbridge::{
    BOARD, FIELDS, INDEX, INDEX_ENTRY, LIBRARY, MOVES, PART, PIECES, RECORD, SLOT,
};
use super::tree::{Game, NodeId};
use crate::types::{Color, Square};

const VERSION: u8 = 2;
/// Where the part with board and moves starts in this version.
const START: usize = PART[1];

impl Game {
    /// The game as a CBR file: its start, all lines with their comments, the result, and the tags
    /// that CBR has fields for, cut where those are short.
    pub fn to_cbr(&self) -> Vec<u8> {
        let mut file = vec![0_u8; START + MOVES];
        file[..RECORD.len()].copy_from_slice(RECORD);
        file[19] = VERSION;
        for (tag, at, room) in FIELDS {
            // A zero ends the text.
            let text = cut(self.field(tag), room - 2);
            file[at..at + text.len()].copy_from_slice(&text);
        }
        file[START - 36] = self.result.figure();
        self.put_board(&mut file[START..]);
        for node in self.walk() {
            self.push_cbr_move(node, &mut file);
        }
        file
    }

    fn put_board(&self, part: &mut [u8]) {
        let start = self.start();
        part[0] = match start.stm() {
            Color::Red => 1,
            Color::Black => 2,
        };
        // As in every file seen; what they mean is not known.
        part[4] = 1;
        part[MOVES - 4..].fill(0xff);
        for s in start.occupied() {
            let Some(piece) = start.piece_on(s) else {
                continue;
            };
            let kind = PIECES.iter().position(|&k| k == piece.kind()).unwrap_or(0) as u8 + 1;
            part[BOARD + usize::from(point(s))] = match piece.color() {
                Color::Red => 16 + kind,
                Color::Black => 32 + kind,
            };
        }
    }

    fn push_cbr_move(&self, node: NodeId, file: &mut Vec<u8>) {
        let (from, to) = match node {
            NodeId::ROOT => (0, 0),
            _ => (point(self.mv(node).from()), point(self.mv(node).to())),
        };
        let text = cut(&self.remarks(node).replace('\n', "\r\n"), usize::MAX);
        let flags = u8::from(self.next(node).is_none())
            | u8::from(self.sibling(node).is_some()) << 1
            | u8::from(!text.is_empty()) << 2;
        file.extend([flags, 0, from, to]);
        if !text.is_empty() {
            file.extend((text.len() as u32).to_le_bytes());
            file.extend(text);
        }
    }
}

/// The games as a CBL file, in order. The entries of its index, of which no description is known,
/// are left empty: readers that go through the records, as chuhe does, need none.
pub fn to_cbl(games: &[&Game]) -> Vec<u8> {
    let first = INDEX + games.len() * INDEX_ENTRY;
    let mut file = vec![0_u8; first];
    file[..LIBRARY.len()].copy_from_slice(LIBRARY);
    file[60..64].copy_from_slice(&(games.len() as u32).to_le_bytes());
    for game in games {
        file.extend(game.to_cbr());
        let used = (file.len() - first).next_multiple_of(SLOT);
        file.resize(first + used, 0);
    }
    file
}

/// Points counted from Black's left corner.
fn point(s: Square) -> u8 {
    ((9 - s.rank()) * 9 + s.file()) as u8
}

/// A text in UTF-16, cut to so many bytes between two letters.
fn cut(text: &str, room: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for letter in text.chars() {
        let units = letter.encode_utf16(&mut [0; 2]).to_vec();
        if out.len() + 2 * units.len() > room {
            break;
        }
        out.extend(units.into_iter().flat_map(u16::to_le_bytes));
    }
    out
}
