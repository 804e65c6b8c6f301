//! Which points are dangerous to which pieces: what the other side's cheaper pieces attack, and
//! where a quiet move would take the leg of a horse that attacks something dear.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, PieceType, Square};

/// Bonus for a rook that leaves, and malus for one that enters, what a cheaper piece attacks;
/// in units of history.
const ROOK: i32 = 6_000;
/// The same for horses and cannons, against pawns and guards.
const MINOR: i32 = 4_000;
/// Bonus for taking the leg of a horse that attacks a rook.
const LEG: i32 = 3_000;

/// Threats of the side that is not to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats {
    /// Attacked by something cheaper than a rook.
    rook: Bitboard,
    /// Attacked by something cheaper than a horse or cannon.
    minor: Bitboard,
    /// Empty points that are the leg of a horse which attacks a rook of the side to move.
    legs: Bitboard,
}

impl Threats {
    /// Threats against the side to move.
    pub fn new(p: &Position) -> Threats {
        let them = !p.stm();
        let occupied = p.occupied();
        let rooks = p.pieces(p.stm(), PieceType::Rook);
        let mut minor = attacks::pawns(them, p.pieces(them, PieceType::Pawn));
        for s in p.pieces(them, PieceType::Advisor) {
            minor |= attacks::advisor(s);
        }
        for s in p.pieces(them, PieceType::Bishop) {
            minor |= attacks::bishop(s, occupied);
        }
        let mut rook = minor;
        let mut legs = Bitboard::EMPTY;
        for s in p.pieces(them, PieceType::Knight) {
            let to = attacks::knight(s, occupied);
            rook |= to;
            for target in to & rooks {
                legs = legs.with(attacks::knight_leg(s, target));
            }
        }
        for s in p.pieces(them, PieceType::Cannon) {
            rook |= attacks::cannon(s, occupied);
        }
        Threats { rook, minor, legs }
    }

    /// None known.
    pub const NONE: Threats = Threats {
        rook: Bitboard::EMPTY,
        minor: Bitboard::EMPTY,
        legs: Bitboard::EMPTY,
    };

    /// What they mean for the quiet moves of a piece of this kind.
    #[inline(always)]
    pub fn of(&self, kind: PieceType, from: Square) -> ThreatsTo {
        let (danger, worth) = match kind {
            PieceType::Rook => (self.rook, ROOK),
            PieceType::Knight | PieceType::Cannon => (self.minor, MINOR),
            _ => (Bitboard::EMPTY, 0),
        };
        ThreatsTo {
            danger,
            legs: self.legs,
            worth,
            leaving: worth * i32::from(danger.has(from)),
        }
    }
}

/// Threats to one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreatsTo {
    danger: Bitboard,
    legs: Bitboard,
    worth: i32,
    /// What a move gains that only leaves its point.
    pub leaving: i32,
}

impl ThreatsTo {
    /// Whether they say more of a move to one of these points.
    #[inline(always)]
    pub fn touch(&self, to: Bitboard) -> bool {
        (to & (self.danger | self.legs)).any()
    }

    /// What a quiet move to this point gains, in units of history.
    #[inline(always)]
    pub fn score(&self, to: Square) -> i32 {
        self.leaving - self.worth * i32::from(self.danger.has(to))
            + LEG * i32::from(self.legs.has(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn dear_pieces_leave_what_cheaper_ones_attack() {
        // Red's rook stands before a horse's jump, with the leg at d7 free.
        let p: Position = "5k3/9/3n5/9/4R4/9/9/9/9/3K5 w - - 0 1".parse().unwrap();
        let t = Threats::new(&p);
        let (rook, away, leg) = (square("e5"), square("a5"), square("d6"));
        assert_eq!(t.of(PieceType::Rook, rook).score(away), ROOK);
        assert_eq!(t.of(PieceType::Rook, away).score(rook), -ROOK);
        assert_eq!(t.of(PieceType::Rook, rook).score(leg), ROOK + LEG);
        // A horse is no threat to a cannon: the exchange is even.
        assert_eq!(t.of(PieceType::Cannon, rook).score(away), 0);
        assert_eq!(t.of(PieceType::Pawn, rook).score(away), 0);
    }

    #[test]
    fn pawns_and_guards_threaten_all_that_is_dearer() {
        let p: Position = "4k4/4a4/9/9/4p4/9/9/9/9/3K5 w - - 0 1".parse().unwrap();
        let t = Threats::new(&p);
        for (to, danger) in [("e4", true), ("d7", true), ("d5", false)] {
            let danger = i32::from(danger);
            let from = square("a4");
            assert_eq!(
                t.of(PieceType::Knight, from).score(square(to)),
                -MINOR * danger,
                "{to}"
            );
            assert_eq!(
                t.of(PieceType::Rook, from).score(square(to)),
                -ROOK * danger,
                "{to}"
            );
        }
    }
}
