//! Pieces counted by what they are worth in exchanges: the evaluation from which the first network
//! of all can be made.

use crate::position::Position;
use crate::types::{PieceType, Score};

/// The difference of the two sides' pieces, from the side to move in centipawns.
pub(super) fn evaluate(p: &Position) -> Score {
    let us = p.stm();
    PieceType::ALL
        .into_iter()
        .filter(|&kind| kind != PieceType::King)
        .map(|kind| {
            let difference =
                p.pieces(us, kind).count() as Score - p.pieces(!us, kind).count() as Score;
            Position::exchange_value(kind) * difference
        })
        .sum()
}
