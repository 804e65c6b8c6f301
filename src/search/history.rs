//! What moves did well before: tables with gravity, which pulls each entry back in proportion to
//! its size so that it stays bounded and forgets.

use crate::types::{Color, Move, Piece, PieceType, SQUARES, Square};

const LIMIT: i32 = 16_384;

const PIECES: usize = 14;

/// Pieces times squares: index of "this piece went there".
const PIECE_TO: usize = PIECES * SQUARES;

/// Stands for "no move" where a [`piece_to`] index is wanted: the start, a null move.
pub(super) const NO_MOVE: u16 = PIECE_TO as u16;

/// Earlier moves of a line as [`piece_to`] indices or [`NO_MOVE`], [`TRAIL_PLIES`] back.
pub(super) type Trail = [u16; TRAIL_PLIES.len()];

/// How many plies back the moves of a [`Trail`] lie.
pub(super) const TRAIL_PLIES: [usize; 3] = [1, 2, 4];

/// Parts in sixteen by which a move is judged, and learns, after each move of a [`Trail`].
const TRAIL_WEIGHT: [i32; TRAIL_PLIES.len()] = [32, 16, 12];
const TRAIL_LEARNS: [i32; TRAIL_PLIES.len()] = [16, 16, 10];

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
    /// Quiet moves by piece and target after an earlier move, a [`piece_to`] index; the last
    /// table, for no move, stays empty.
    continuation: Box<[[[i16; SQUARES]; PIECES]]>,
    /// The reply that last refuted a move.
    counter: Box<[Move; PIECE_TO]>,
    /// How far search results lie from the static evaluation, by side and key of the pawns.
    correction: Box<[[i16; CORRECTION_SIZE]; 2]>,
}

const CORRECTION_SIZE: usize = 16_384;
const CORRECTION_GRAIN: i32 = 256;
const CORRECTION_LIMIT: i32 = CORRECTION_GRAIN * 64;

fn zeroed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
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
            continuation: vec![[[0; SQUARES]; PIECES]; PIECE_TO + 1].into_boxed_slice(),
            counter: zeroed(Move::NONE),
            correction: zeroed([0; CORRECTION_SIZE]),
        }
    }
}

impl Histories {
    #[inline(always)]
    pub fn capture(&self, piece: Piece, to: Square, taken: PieceType) -> i32 {
        i32::from(self.capture[piece_to(piece, to)][taken.index()])
    }

    /// What is known of the quiet moves of a piece of `side` from a point, after the moves of the
    /// trail.
    #[inline(always)]
    pub fn quiets_of(&self, side: Color, piece: Piece, from: Square, trail: &Trail) -> Quiets<'_> {
        let after = |i: usize| &self.continuation[usize::from(trail[i])][piece.index()];
        Quiets {
            plain: &self.quiet[side.index()][from.index()],
            after: [after(0), after(1), after(2)],
        }
    }

    #[inline(always)]
    pub fn counter(&self, trail: &Trail) -> Move {
        let before = usize::from(trail[0]);
        self.counter.get(before).copied().unwrap_or(Move::NONE)
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

    /// `now` did well (or badly) after these moves.
    pub fn update_continuation(&mut self, trail: &Trail, now: usize, bonus: i32) {
        for (&before, part) in trail.iter().zip(TRAIL_LEARNS) {
            if before != NO_MOVE {
                let table = &mut self.continuation[usize::from(before)];
                nudge(&mut table[now / SQUARES][now % SQUARES], bonus * part / 16);
            }
        }
    }

    pub fn set_counter(&mut self, trail: &Trail, m: Move) {
        if let Some(place) = self.counter.get_mut(usize::from(trail[0])) {
            *place = m;
        }
    }

    /// What to add to the static evaluation of a position with this key, in centipawns, by a
    /// weight in 1/256.
    #[inline(always)]
    pub fn correction(&self, side: Color, key: u64, weight: i32) -> i32 {
        let known = self.correction[side.index()][key as usize % CORRECTION_SIZE];
        i32::from(known) * weight / (256 * CORRECTION_GRAIN)
    }

    /// Learns that a search of this depth found `diff` more than the static evaluation.
    pub fn update_correction(&mut self, side: Color, key: u64, diff: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        let target = (diff * CORRECTION_GRAIN).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT);
        let entry = &mut self.correction[side.index()][key as usize % CORRECTION_SIZE];
        let mixed = (i32::from(*entry) * (256 - weight) + target * weight) / 256;
        *entry = mixed.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16;
    }
}

/// The histories of one piece on one point; see [`Histories::quiets_of`].
pub(super) struct Quiets<'a> {
    plain: &'a [i16; SQUARES],
    after: [&'a [i16; SQUARES]; TRAIL_PLIES.len()],
}

impl Quiets<'_> {
    /// What they say of the move to this point.
    #[inline(always)]
    pub fn score(&self, to: Square) -> i32 {
        let to = to.index();
        let mut sum = 0;
        for (table, weight) in self.after.iter().zip(TRAIL_WEIGHT) {
            sum += i32::from(table[to]) * weight;
        }
        i32::from(self.plain[to]) + sum / 16
    }
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
