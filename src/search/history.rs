//! What moves did well before: tables with gravity, which pulls each entry back in proportion to
//! its size so that it stays bounded and forgets.

use crate::types::{Color, Move, Piece, PieceType, SQUARES, Square};

const LIMIT: i32 = 16_384;

/// Pieces times squares: index of "this piece went there".
pub(super) const PIECE_TO: usize = 14 * SQUARES;

/// "This piece went there" as an index below [`PIECE_TO`].
#[inline(always)]
pub(super) fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * SQUARES + to.index()
}

#[inline(always)]
fn nudge(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// All histories of one thread.
pub(super) struct Histories {
    /// Quiet moves by side, from and to.
    quiet: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    /// Captures by moved piece, target and taken kind.
    capture: Box<[[i16; 7]; PIECE_TO]>,
    /// Quiet moves after an earlier move, both as piece-and-target.
    continuation: Box<[[i16; PIECE_TO]]>,
    /// The reply that last refuted a move.
    counter: Box<[Move; PIECE_TO]>,
    /// How far search results lie from the static evaluation, by material and structure keys.
    correction: Box<[[i16; CORRECTION_SIZE]; 2]>,
}

const CORRECTION_SIZE: usize = 16_384;
const CORRECTION_GRAIN: i32 = 256;
const CORRECTION_LIMIT: i32 = CORRECTION_GRAIN * 32;

fn zeroed<T: Copy + Default, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(b) => b,
        Err(_) => unreachable!("the vector has N elements"),
    }
}

impl Default for Histories {
    fn default() -> Histories {
        let rows: Box<[[[i16; SQUARES]; SQUARES]; 2]> = match vec![[[0; SQUARES]; SQUARES]; 2]
            .into_boxed_slice()
            .try_into()
        {
            Ok(b) => b,
            Err(_) => unreachable!("two sides"),
        };
        Histories {
            quiet: rows,
            capture: zeroed([0; 7]),
            continuation: vec![[0; PIECE_TO]; PIECE_TO].into_boxed_slice(),
            counter: zeroed(Move::NONE),
            correction: match vec![[0; CORRECTION_SIZE]; 2].into_boxed_slice().try_into() {
                Ok(b) => b,
                Err(_) => unreachable!("two sides"),
            },
        }
    }
}

impl Histories {
    #[inline(always)]
    pub fn quiet(&self, side: Color, m: Move) -> i32 {
        i32::from(self.quiet[side.index()][m.from().index()][m.to().index()])
    }

    #[inline(always)]
    pub fn capture(&self, piece: Piece, to: Square, taken: PieceType) -> i32 {
        i32::from(self.capture[piece_to(piece, to)][taken.index()])
    }

    /// History of `now` after `before`, both [`piece_to`] indices; 0 if there was no move.
    #[inline(always)]
    pub fn continuation(&self, before: Option<u16>, now: usize) -> i32 {
        before.map_or(0, |b| i32::from(self.continuation[usize::from(b)][now]))
    }

    #[inline(always)]
    pub fn counter(&self, before: Option<u16>) -> Move {
        before.map_or(Move::NONE, |b| self.counter[usize::from(b)])
    }

    pub fn update_quiet(&mut self, side: Color, m: Move, bonus: i32) {
        nudge(
            &mut self.quiet[side.index()][m.from().index()][m.to().index()],
            bonus,
        );
    }

    pub fn update_capture(&mut self, piece: Piece, to: Square, taken: PieceType, bonus: i32) {
        nudge(&mut self.capture[piece_to(piece, to)][taken.index()], bonus);
    }

    pub fn update_continuation(&mut self, before: Option<u16>, now: usize, bonus: i32) {
        if let Some(b) = before {
            nudge(&mut self.continuation[usize::from(b)][now], bonus);
        }
    }

    pub fn set_counter(&mut self, before: Option<u16>, m: Move) {
        if let Some(b) = before {
            self.counter[usize::from(b)] = m;
        }
    }

    /// What to add to the static evaluation of a position with this structure key.
    #[inline(always)]
    pub fn correction(&self, side: Color, key: u64) -> i32 {
        i32::from(self.correction[side.index()][key as usize % CORRECTION_SIZE]) / CORRECTION_GRAIN
    }

    /// Learns that a search of this depth found `diff` more than the static evaluation.
    pub fn update_correction(&mut self, side: Color, key: u64, diff: i32, depth: i32) {
        let entry = &mut self.correction[side.index()][key as usize % CORRECTION_SIZE];
        let weight = (depth + 1).min(16);
        let target = (diff * CORRECTION_GRAIN).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT);
        let mixed = (i32::from(*entry) * (256 - weight) + target * weight) / 256;
        *entry = mixed.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16;
    }
}

/// Bonus for the move that cut at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).min(1_800)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_bounded_and_forget() {
        let mut x = 0;
        for _ in 0..10_000 {
            nudge(&mut x, 1_800);
        }
        assert!(i32::from(x) <= LIMIT && x > 15_000);
        for _ in 0..60 {
            nudge(&mut x, -1_800);
        }
        assert!(x < 0);
    }
}
