//! Static exchange evaluation that knows cannons: after each capture screens, legs and eyes are
//! looked at anew, so a cannon joins when a screen appears and drops out when it goes.

use super::Position;
use super::danger::exposed;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Score, Square};

/// Exchange values in centipawns by [`PieceType::index`]; the king's is beyond any exchange.
pub const SEE_VALUES: [Score; 7] = [10_000, 200, 200, 420, 900, 450, 120];

/// Order in which pieces recapture, cheapest first.
const ORDER: [PieceType; 7] = [
    PieceType::Pawn,
    PieceType::Advisor,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Cannon,
    PieceType::Rook,
    PieceType::King,
];

impl Position {
    /// Value of a kind of piece in exchanges, in centipawns.
    #[inline(always)]
    pub const fn exchange_value(kind: PieceType) -> Score {
        SEE_VALUES[kind.index()]
    }

    /// Whether the exchanges that start with this move on its target win at least `threshold`
    /// centipawns for the mover, both sides taking with the cheapest piece first and stopping
    /// when that is better. A piece takes back only if its king is safe then: a king may not take
    /// what is protected or stand open to the other king, a pinned piece may not leave.
    pub fn see_ge(&self, m: Move, threshold: Score) -> bool {
        let (from, to) = (m.from(), m.to());
        let Some(mover) = self.piece_on(from) else {
            return threshold <= 0;
        };
        let gain = self
            .piece_on(to)
            .map_or(0, |p| SEE_VALUES[p.kind().index()]);
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= SEE_VALUES[mover.kind().index()];
        if balance >= 0 {
            return true;
        }
        // From here on `balance` is what the side to take stands at if the other could stop now.
        let mut occupied = self.occupied().without(from).with(to);
        let mut side = !mover.color();
        let mut mover_wins = true;
        // `to` is taken again and again; whatever stands there is no attacker of itself.
        loop {
            let attackers = self.attackers(to, side, occupied);
            let Some((kind, at)) = self.cheapest_legal(attackers, side, occupied, to) else {
                break;
            };
            mover_wins = !mover_wins;
            balance = -balance - 1 - SEE_VALUES[kind.index()];
            if balance >= 0 {
                break;
            }
            occupied = occupied.without(at);
            side = !side;
        }
        mover_wins
    }

    /// The cheapest of the attackers that may take on `to` without leaving the king attacked or
    /// facing the other.
    fn cheapest_legal(
        &self,
        mut attackers: Bitboard,
        side: Color,
        occupied: Bitboard,
        to: Square,
    ) -> Option<(PieceType, Square)> {
        loop {
            let (kind, at) = cheapest(self, attackers)?;
            let king = if kind == PieceType::King {
                to
            } else {
                self.king(side)
            };
            // What has changed since the exchange began cannot concern a king it is nowhere near.
            let changed = (self.occupied() ^ occupied).with(at).with(to);
            let far = kind != PieceType::King && (changed & attacks::openers(king)).is_empty();
            if far || !exposed(self, !side, king, occupied.without(at), to) {
                return Some((kind, at));
            }
            attackers = attackers.without(at);
        }
    }

    /// Value of the exchanges that start with this move, in centipawns, by bisection over
    /// [`Position::see_ge`]; for tests and display, not for the search.
    pub fn see(&self, m: Move) -> Score {
        let (mut lo, mut hi) = (-SEE_VALUES[0], SEE_VALUES[0]);
        while lo < hi {
            let mid = (lo + hi + 1).div_euclid(2);
            if self.see_ge(m, mid) {
                lo = mid
            } else {
                hi = mid - 1
            }
        }
        lo
    }
}

/// The cheapest of the attackers.
fn cheapest(p: &Position, attackers: Bitboard) -> Option<(PieceType, Square)> {
    if attackers.is_empty() {
        return None;
    }
    ORDER
        .into_iter()
        .find_map(|k| (attackers & p.kind(k)).first().map(|s| (k, s)))
}
