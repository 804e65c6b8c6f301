//! Moves that can be taken back, by the difference they make to the key (Marcel van Kervinck,
//! "The design and implementation of the Rookie 2.0 chess playing program", 2002): tells from two
//! keys which single move lies between their positions. In xiangqi all moves of kings, advisors,
//! elephants, horses, rooks and cannons can be taken back, only pawns go forward alone.

use crate::attacks;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square, zobrist};

/// Slots, a power of two about twice the number of moves.
const SLOTS: usize = 16_384;

/// A cuckoo table: each key stands in one of two slots.
#[derive(Debug)]
pub(super) struct Cuckoo {
    slots: Box<[(u64, Move)]>,
}

const fn first(key: u64) -> usize {
    key as usize & (SLOTS - 1)
}

const fn second(key: u64) -> usize {
    (key >> 32) as usize & (SLOTS - 1)
}

impl Cuckoo {
    pub fn new() -> Cuckoo {
        let mut table = Cuckoo {
            slots: vec![(0, Move::NONE); SLOTS].into_boxed_slice(),
        };
        for (piece, from, to) in reversible() {
            let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::TURN;
            table.insert(key, Move::new(from, to));
        }
        table
    }

    fn insert(&mut self, key: u64, m: Move) {
        let mut entry = (key, m);
        let mut at = first(key);
        loop {
            core::mem::swap(&mut self.slots[at], &mut entry);
            if entry.1.is_none() {
                return;
            }
            // Who was thrown out goes to its other slot.
            at ^= first(entry.0) ^ second(entry.0);
        }
    }

    /// The move whose making or taking back changes the key by this, in one of its two
    /// directions.
    #[inline]
    pub fn find(&self, difference: u64) -> Option<Move> {
        [first(difference), second(difference)]
            .into_iter()
            .map(|i| self.slots[i])
            .find(|&(key, m)| key == difference && m.is_some())
            .map(|(_, m)| m)
    }
}

/// Every reversible move once, from the lower point to the higher.
fn reversible() -> impl Iterator<Item = (Piece, Square, Square)> {
    use PieceType::*;
    [King, Advisor, Bishop, Knight, Rook, Cannon]
        .into_iter()
        .flat_map(|kind| [Color::Red, Color::Black].map(|color| Piece::new(color, kind)))
        .flat_map(|piece| Square::all().map(move |s| (piece, s)))
        .filter(|&(piece, s)| attacks::places(piece.color(), piece.kind()).has(s))
        .flat_map(|(piece, from)| {
            let to = match piece.kind() {
                King => attacks::king(from),
                Advisor => attacks::advisor(from),
                Bishop => attacks::bishop(from, Bitboard::EMPTY),
                Knight => attacks::knight(from, Bitboard::EMPTY),
                _ => attacks::rook(from, Bitboard::EMPTY),
            };
            let to = to & attacks::places(piece.color(), piece.kind());
            to.into_iter().map(move |to| (piece, from, to))
        })
        .filter(|(_, from, to)| from.index() < to.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn finds_every_reversible_move_of_random_games() {
        use rand::{RngExt, SeedableRng, rngs::StdRng};
        let table = Cuckoo::new();
        let stored = table.slots.iter().filter(|s| s.1.is_some()).count();
        assert_eq!(stored, reversible().count());
        let mut rng = StdRng::seed_from_u64(3);
        for _ in 0..20 {
            let mut p = Position::startpos();
            for _ in 0..150 {
                let moves = p.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.random_range(0..moves.len())];
                let pawn = p.moved_piece(m).map(Piece::kind) == Some(PieceType::Pawn);
                let (key, quiet) = (p.key(), !p.is_capture(m));
                p.make(m);
                let found = table.find(key ^ p.key());
                if pawn || !quiet {
                    assert_eq!(found, None, "{}", p.fen());
                } else {
                    let back = Move::new(m.to(), m.from());
                    assert!(found == Some(m) || found == Some(back), "{}", p.fen());
                }
            }
        }
    }
}
