//! A position in 32 bytes.
//!
//! Bytes 0–11: the occupied points as a little-endian number, bit 95 set if Black is to move.
//! Bytes 12–27: the pieces of these points in their order, four bits each ([`Piece::index`]), the
//! low half first. Bytes 28–29: plies since the last capture. Bytes 30–31: full move number.

use crate::position::{Position, Setup, SetupError};
use crate::types::{Bitboard, Color, Piece, Square};
use core::fmt;

/// Bytes of a packed position.
pub const PACKED_LEN: usize = 32;

const BLACK_TO_MOVE: u128 = 1 << 95;

/// Why 32 bytes are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackError {
    /// More than 32 points, points off the board, or a number that stands for no piece.
    Damaged,
    /// The arrangement is not legal.
    Setup(SetupError),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::Damaged => f.write_str("the bytes of the start position are damaged"),
            PackError::Setup(e) => write!(f, "the start position is not legal: {e}"),
        }
    }
}

impl std::error::Error for PackError {}

/// Packs a position; its history is left out.
pub fn pack(p: &Position) -> [u8; PACKED_LEN] {
    let mut bytes = [0; PACKED_LEN];
    let black = if p.stm() == Color::Black {
        BLACK_TO_MOVE
    } else {
        0
    };
    bytes[..12].copy_from_slice(&(p.occupied().0 | black).to_le_bytes()[..12]);
    // A legal position has at most 32 pieces.
    for (i, s) in p.occupied().enumerate().take(32) {
        if let Some(piece) = p.piece_on(s) {
            bytes[12 + i / 2] |= (piece.index() as u8) << (4 * (i % 2));
        }
    }
    let quiet = p.quiet_plies().min(usize::from(u16::MAX)) as u16;
    let fullmove = p.fullmove().min(u32::from(u16::MAX)) as u16;
    bytes[28..30].copy_from_slice(&quiet.to_le_bytes());
    bytes[30..].copy_from_slice(&fullmove.to_le_bytes());
    bytes
}

/// Reads a packed position, checking that it is one.
///
/// # Errors
/// [`PackError`] tells whether the bytes or the arrangement are at fault.
pub fn unpack(bytes: &[u8; PACKED_LEN]) -> Result<Position, PackError> {
    let mut wide = [0; 16];
    wide[..12].copy_from_slice(&bytes[..12]);
    let bits = u128::from_le_bytes(wide);
    let occupied = Bitboard(bits & !BLACK_TO_MOVE);
    if occupied.0 & !Bitboard::ALL.0 != 0 || occupied.count() > 32 {
        return Err(PackError::Damaged);
    }
    let mut setup = Setup::empty();
    if bits & BLACK_TO_MOVE != 0 {
        setup.stm = Color::Black;
    }
    for (i, s) in occupied.enumerate() {
        let piece = bytes[12 + i / 2] >> (4 * (i % 2)) & 15;
        let piece = Piece::ALL.get(usize::from(piece)).copied();
        setup.board[Square::index(s)] = Some(piece.ok_or(PackError::Damaged)?);
    }
    setup.quiet_plies = u16::from_le_bytes([bytes[28], bytes[29]]);
    setup.fullmove = u32::from(u16::from_le_bytes([bytes[30], bytes[31]]));
    Position::from_setup(&setup).map_err(PackError::Setup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::SplitMix;

    #[test]
    fn random_positions_round_trip() {
        let mut rng = SplitMix::new(7, 0);
        for _ in 0..40 {
            let mut p = Position::startpos();
            for _ in 0..150 {
                let moves = p.legal_moves();
                if moves.is_empty() {
                    break;
                }
                p.make(moves[rng.below(moves.len())]);
                assert_eq!(unpack(&pack(&p)).unwrap().fen(), p.fen());
            }
        }
    }

    #[test]
    fn damage_is_refused() {
        let good = pack(&Position::startpos());
        let mut off_board = good;
        off_board[11] |= 0x04; // bit 90
        assert_eq!(unpack(&off_board), Err(PackError::Damaged));
        let mut no_piece = good;
        no_piece[12] = 0xff;
        assert_eq!(unpack(&no_piece), Err(PackError::Damaged));
        assert!(matches!(
            unpack(&[0; PACKED_LEN]),
            Err(PackError::Setup(SetupError::NoKing(_)))
        ));
    }
}
