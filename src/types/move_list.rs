//! A list of moves without allocation.

use super::Move;
use arrayvec::ArrayVec;

/// Room in a [`MoveList`]. Two rooks (17 each), two cannons (17), two knights (8), five pawns
/// (3), two bishops (4), two advisors (4) and a king (4) have at most 119 moves together.
pub const MAX_MOVES: usize = 128;

const _: () = assert!(MAX_MOVES >= 2 * 17 + 2 * 17 + 2 * 8 + 5 * 3 + 2 * 4 + 2 * 4 + 4);

/// Moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
