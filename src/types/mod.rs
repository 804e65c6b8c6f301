//! Values without behaviour beyond arithmetic: colours, pieces, squares, sets of squares,
//! moves, scores, Zobrist keys. Imports nothing of the crate.

mod bitboard;
mod color;
mod move_list;
mod moves;
mod piece;
pub mod score;
mod square;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use color::Color;
pub use move_list::{MAX_MOVES, MoveList};
pub use moves::{Move, ParseMoveError};
pub use piece::{Piece, PieceType};
pub use score::Score;
pub use square::{FILES, RANKS, SQUARES, Square};
