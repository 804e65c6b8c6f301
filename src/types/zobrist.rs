//! Zobrist keys, made at compile time by SplitMix64 (Steele, Lea, Flood 2014), so that files
//! that hold keys stay valid for ever.

use super::{Color, Piece, SQUARES, Square};

const SEED: u64 = 0x6368_7568_6520_3930; // "chuhe 90"

const fn split_mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

static PIECES: [[u64; SQUARES]; 14] = {
    let mut keys = [[0; SQUARES]; 14];
    let mut state = SEED;
    let mut p = 0;
    while p < 14 {
        let mut s = 0;
        while s < SQUARES {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            keys[p][s] = split_mix(state);
            s += 1;
        }
        p += 1;
    }
    keys
};

const BLACK_TO_MOVE: u64 = split_mix(SEED ^ 0x5bd1_e995);

/// The key of a piece on a point.
#[inline(always)]
pub fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// What giving the turn to the other side changes in a key.
pub const TURN: u64 = side(Color::Red) ^ side(Color::Black);

/// The key of the side to move: 0 for Red.
#[inline(always)]
pub const fn side(color: Color) -> u64 {
    match color {
        Color::Red => 0,
        Color::Black => BLACK_TO_MOVE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ() {
        let mut all: Vec<u64> = PIECES.iter().flatten().copied().collect();
        all.push(BLACK_TO_MOVE);
        all.sort_unstable();
        assert!(all.windows(2).all(|w| w[0] != w[1]));
    }
}
