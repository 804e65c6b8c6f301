//! What the evaluation counts besides pieces on squares: mobility, attacks on the palace by the
//! guards it has lost, cannons on the king's lines, threats, pawns side by side.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, PieceType};

/// Squares a rook can go to, 0..=17.
const ROOK_MOBILITY: usize = 0;
/// Squares a cannon can go to without taking, 0..=17.
const CANNON_MOBILITY: usize = ROOK_MOBILITY + 18;
/// Squares a horse can go to, 0..=8.
const KNIGHT_MOBILITY: usize = CANNON_MOBILITY + 18;
/// A cannon that looks at the king along an empty file (空头炮).
const HOLLOW_CANNON: usize = KNIGHT_MOBILITY + 9;
/// A cannon with two pieces between it and the king on the file.
const CENTRAL_CANNON: usize = HOLLOW_CANNON + 1;
/// A cannon on the king's own back rank (沉底炮).
const BOTTOM_CANNON: usize = CENTRAL_CANNON + 1;
/// Points of the enemy palace attacked by rook, horse, cannon or pawn, for 0..=4 lost guards.
const PALACE: usize = BOTTOM_CANNON + 1;
/// Lost advisors (1, 2) against 0..=2 rooks.
const ADVISORS_LOST: usize = PALACE + 4 * 5;
/// Lost elephants (1, 2) against 0..=2 cannons.
const BISHOPS_LOST: usize = ADVISORS_LOST + 6;
/// Crossed pawns side by side.
const PAWN_PAIR: usize = BISHOPS_LOST + 6;
/// A rook attacked by a horse, a cannon, a pawn.
const THREAT_ROOK: usize = PAWN_PAIR + 1;
/// A horse or cannon attacked by a pawn.
const PAWN_THREAT: usize = THREAT_ROOK + 3;
/// A horse or cannon that is attacked by a rook and not defended.
const LOOSE_MINOR: usize = PAWN_THREAT + 1;
/// Horses whose own pieces take away all ways forward.
const KNIGHT_BLOCKED: usize = LOOSE_MINOR + 1;
/// The right to move.
pub(super) const TEMPO: usize = KNIGHT_BLOCKED + 1;
/// Number of terms.
pub const TERMS: usize = TEMPO + 1;

/// What one side attacks, gathered while its mobility is counted.
#[derive(Default)]
struct Attacks {
    rook: Bitboard,
    knight: Bitboard,
    cannon: Bitboard,
    pawn: Bitboard,
}

/// Calls `f` with the index and the signed count (Red minus Black) of each term that occurs;
/// the tempo term always comes with 1, for the side to move.
#[inline(always)]
pub fn visit(p: &Position, mut f: impl FnMut(usize, i32)) {
    let red = pieces(p, Color::Red, 1, &mut f);
    let black = pieces(p, Color::Black, -1, &mut f);
    relations(p, Color::Red, &red, &black, 1, &mut f);
    relations(p, Color::Black, &black, &red, -1, &mut f);
    f(TEMPO, 1);
}

/// Terms of single pieces of a side.
#[inline(always)]
fn pieces(p: &Position, us: Color, sign: i32, f: &mut impl FnMut(usize, i32)) -> Attacks {
    let them = !us;
    let occupied = p.occupied();
    let own = p.side(us);
    let king = p.king(them);
    let mut a = Attacks::default();
    for s in p.pieces(us, PieceType::Rook) {
        let to = attacks::rook(s, occupied);
        a.rook |= to;
        f(ROOK_MOBILITY + (to & !own).count() as usize, sign);
    }
    for s in p.pieces(us, PieceType::Knight) {
        let to = attacks::knight(s, occupied);
        a.knight |= to;
        let free = to & !own;
        f(KNIGHT_MOBILITY + free.count() as usize, sign);
        let ahead = match us {
            Color::Red => !((1u128 << ((s.rank() + 1) * 9)) - 1),
            Color::Black => (1u128 << (s.rank() * 9)) - 1,
        };
        if (free & Bitboard(ahead)).is_empty() {
            f(KNIGHT_BLOCKED, sign);
        }
    }
    for s in p.pieces(us, PieceType::Cannon) {
        let (rook, cannon) = attacks::rook_and_cannon(s, occupied);
        a.cannon |= cannon;
        f(CANNON_MOBILITY + (rook & !occupied).count() as usize, sign);
        if s.file() == king.file() {
            match (attacks::between(s, king) & occupied).count() {
                0 => f(HOLLOW_CANNON, sign),
                2 => f(CENTRAL_CANNON, sign),
                _ => {}
            }
        } else if s.relative_rank(them) == 0 && king.relative_rank(them) == 0 {
            f(BOTTOM_CANNON, sign);
        }
    }
    a.pawn = attacks::pawns(us, p.pieces(us, PieceType::Pawn));
    a
}

/// What king, advisors and elephants of a side attack.
fn guards(p: &Position, us: Color) -> Bitboard {
    let occupied = p.occupied();
    attacks::king(p.king(us))
        | p.pieces(us, PieceType::Advisor)
            .fold(Bitboard::EMPTY, |b, s| b | attacks::advisor(s))
        | p.pieces(us, PieceType::Bishop)
            .fold(Bitboard::EMPTY, |b, s| b | attacks::bishop(s, occupied))
}

/// Terms that need what both sides attack.
#[inline(always)]
fn relations(
    p: &Position,
    us: Color,
    own: &Attacks,
    enemy: &Attacks,
    sign: i32,
    f: &mut impl FnMut(usize, i32),
) {
    let them = !us;
    let count = |kind| p.pieces(them, kind).count() as usize;
    let advisors_lost = 2 - count(PieceType::Advisor).min(2);
    let bishops_lost = 2 - count(PieceType::Bishop).min(2);
    let lost = advisors_lost + bishops_lost;
    let palace = palace(them);
    for (i, set) in [own.rook, own.knight, own.cannon, own.pawn]
        .into_iter()
        .enumerate()
    {
        let n = (set & palace).count() as i32;
        if n > 0 {
            f(PALACE + i * 5 + lost, sign * n);
        }
    }
    let rooks = p.pieces(us, PieceType::Rook).count().min(2) as usize;
    let cannons = p.pieces(us, PieceType::Cannon).count().min(2) as usize;
    if advisors_lost > 0 {
        f(ADVISORS_LOST + (advisors_lost - 1) * 3 + rooks, sign);
    }
    if bishops_lost > 0 {
        f(BISHOPS_LOST + (bishops_lost - 1) * 3 + cannons, sign);
    }
    let enemy_rooks = p.pieces(them, PieceType::Rook);
    for (i, set) in [own.knight, own.cannon, own.pawn].into_iter().enumerate() {
        let n = (set & enemy_rooks).count() as i32;
        if n > 0 {
            f(THREAT_ROOK + i, sign * n);
        }
    }
    let minors = (p.kind(PieceType::Knight) | p.kind(PieceType::Cannon)) & p.side(them);
    let n = (own.pawn & minors).count() as i32;
    if n > 0 {
        f(PAWN_THREAT, sign * n);
    }
    let reached = own.rook & minors & !(enemy.rook | enemy.knight | enemy.cannon | enemy.pawn);
    if reached.any() {
        let n = (reached & !guards(p, them)).count() as i32;
        if n > 0 {
            f(LOOSE_MINOR, sign * n);
        }
    }
    let half = match them {
        Color::Red => Bitboard::RED_HALF,
        Color::Black => Bitboard::BLACK_HALF,
    };
    let crossed = p.pieces(us, PieceType::Pawn) & half;
    let right = Bitboard(crossed.0 << 1) & const { Bitboard(!Bitboard::file(0).0) };
    let n = (right & crossed).count() as i32;
    if n > 0 {
        f(PAWN_PAIR, sign * n);
    }
}

const fn palace(side: Color) -> Bitboard {
    attacks::places(side, PieceType::King)
}
