//! Geometry alone: where a piece on a point reaches, given the occupied points. All tables are
//! made at compile time (about 160 KB) and tested against slow step-by-step versions.
//! Imports `types` only.

mod leapers;
mod lines;
mod sliders;

pub use leapers::{
    advisor, bishop, bishop_points, king, knight, knight_leg, knight_near, knight_to, pawn,
    pawn_to, pawns, places,
};
pub use lines::{between, cross, may_attack, openers};
pub use sliders::{cannon, cannon_targets, rook, rook_and_cannon};
