//! XQF out, in the form every program reads: version 1.0, which masks nothing.

use super::cursor::slots;
use super::encoding::{TextEncoding, encode};
use super::tree::{Game, NodeId};
use super::xqf::{FIELDS, HEADER, PLAY_TYPE, PLAY_TYPES};
use crate::types::{Color, Square};

const VERSION: u8 = 10;

impl Game {
    /// The game as an XQF file: its start, all lines with their comments, the result, and the tags
    /// that XQF has fields for, cut where those are short. Marks such as `!?` stand before the
    /// comment; [`super::LeftOut`] tells what had no place.
    pub fn to_xqf(&self) -> Vec<u8> {
        let mut file = vec![0_u8; HEADER];
        file[..3].copy_from_slice(&[b'X', b'Q', VERSION]);
        self.put_start(&mut file);
        file[51] = self.result.figure();
        let kind = self.field("PlayType");
        file[PLAY_TYPE] = PLAY_TYPES.iter().position(|k| *k == kind).unwrap_or(0) as u8;
        for (tag, at, room) in FIELDS {
            let text = cut(self.field(tag), room);
            file[at] = text.len() as u8;
            file[at + 1..at + 1 + text.len()].copy_from_slice(&text);
        }
        for node in self.walk() {
            self.push_node(node, &mut file);
        }
        file
    }

    fn put_start(&self, file: &mut [u8]) {
        let start = self.start();
        for (slot, square) in slots(start).into_iter().enumerate() {
            // Beyond the board for pieces that are not on it.
            file[16 + slot] = square.map_or(255, place);
        }
        let red = start.stm() == Color::Red;
        let ply = 2 * (start.fullmove() - 1) + u32::from(!red);
        let ply = u16::try_from(ply).unwrap_or(0);
        file[48..50].copy_from_slice(&ply.to_le_bytes());
        file[50] = u8::from(!red);
    }

    fn push_node(&self, node: NodeId, file: &mut Vec<u8>) {
        let (from, to) = match node {
            NodeId::ROOT => (0, 0),
            _ => (place(self.mv(node).from()), place(self.mv(node).to())),
        };
        let next = if self.next(node).is_some() { 0xf0 } else { 0 };
        let other = if self.sibling(node).is_some() {
            0x0f
        } else {
            0
        };
        let text = gbk(&self.remarks(node).replace('\n', "\r\n"));
        file.extend([from + 24, to + 32, next | other, 0]);
        file.extend((text.len() as u32).to_le_bytes());
        file.extend(text);
    }
}

fn place(s: Square) -> u8 {
    (s.file() * 10 + s.rank()) as u8
}

/// GB 18030 has every letter.
fn gbk(text: &str) -> Vec<u8> {
    encode(text, TextEncoding::Gb18030).map_or_else(|_| Vec::new(), |bytes| bytes.into_owned())
}

/// A text cut to so many bytes between two letters.
fn cut(text: &str, room: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for letter in text.chars() {
        let bytes = gbk(letter.encode_utf8(&mut [0; 4]));
        if out.len() + bytes.len() > room {
            break;
        }
        out.extend(bytes);
    }
    out
}
