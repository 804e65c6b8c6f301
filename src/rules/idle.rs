//! The idle kinds (Art. 28.5–28.9). All are equal in every decision; they serve explanations.

use super::board::Board;
use super::kill::{Budget, can_mate};
use super::label::{Label, Note};
use super::point::Pairs;
use super::ruleset::{ChaseForm, RuleSet};
use super::threat::{Capture, Finder};
use super::value::Haul;
use crate::attacks;
use crate::types::{Bitboard, Move, PieceType, Square};

/// What an idle move does. `ours` is the board after it with the turn given back.
pub(super) fn describe(before: &Board, m: Move, ours: &Board, rules: &RuleSet) -> (Label, Note) {
    if let Some(c) = new_exchange(before, m, ours, rules) {
        return (Label::Exchange, Note::Exchange(c.from(), c.to()));
    }
    if let Some(note) = attack_that_does_not_count(before, m, ours, rules) {
        return (Label::Idle, note);
    }
    if let Some(taker) = offered_to(ours, m.to()) {
        (Label::Offer, Note::Offer(taker))
    } else if let Some(s) = blocked(before, m, ours) {
        (Label::Block, Note::Block(s))
    } else if let Some(s) = followed(before, m, ours) {
        (Label::Follow, Note::Follow(s))
    } else {
        (Label::Idle, Note::Plain)
    }
}

/// 兑: two pieces of one kind that attack each other only since this move.
fn new_exchange(before: &Board, m: Move, ours: &Board, rules: &RuleSet) -> Option<Move> {
    let was = Pairs::new(before, rules);
    let here = Pairs::new(ours, rules);
    let new = |c: &&Move| {
        let from = if c.from() == m.to() {
            m.from()
        } else {
            c.from()
        };
        from == m.from() || !was.has(Move::new(from, c.to()))
    };
    here.moves().iter().find(new).copied()
}

fn attack_that_does_not_count(
    before: &Board,
    m: Move,
    ours: &Board,
    rules: &RuleSet,
) -> Option<Note> {
    let worth = |c: &Move| {
        let at = Bitboard::square(c.to());
        Haul::default().with_piece_on(ours, c.to()) != Haul::default()
            && ours.after(*c).legal_to(at).is_empty()
    };
    let low = ours.captures().into_iter().filter(worth).find_map(|c| {
        match ours.piece_on(c.from())?.kind() {
            PieceType::King => Some(Note::KingAttacks(c.to())),
            PieceType::Pawn => Some(Note::PawnAttacks(c.to())),
            _ => None,
        }
    });
    if low.is_some() || rules.chase != ChaseForm::Full {
        return low;
    }
    let mut finder = Finder::new(ours, rules);
    let moved = |c: &Move| c.from() == m.to();
    let (first, rest): (Vec<Move>, Vec<Move>) = finder.captures().partition(moved);
    first
        .into_iter()
        .chain(rest)
        .find_map(|c| match finder.capture(c) {
            Capture::Mated => Some(Note::TakingMated(c.to())),
            Capture::Wins if before.piece_on(c.to()).is_some() => Some(Note::Known(c.to())),
            _ => None,
        })
}

/// 献: a piece of one kind that may take the rootless piece on `s` without being mated for it.
fn offered_to(ours: &Board, s: Square) -> Option<Square> {
    let piece = ours.piece_on(s)?;
    if Haul::default().with_piece_on(ours, s) == Haul::default() {
        return None;
    }
    let theirs = ours.passed();
    let takers = theirs.legal_to(Bitboard::square(s)).into_iter();
    takers
        .filter(|c| {
            theirs
                .piece_on(c.from())
                .is_some_and(|p| p.kind() == piece.kind())
        })
        .find(|&c| {
            let after = theirs.after(c);
            after.legal_to(Bitboard::square(s)).is_empty()
                && !can_mate(&after, 2, &mut Budget(2_000))
        })
        .map(|c| c.from())
}

/// 拦: an enemy piece that reaches less because of the moved piece's new place.
fn blocked(before: &Board, m: Move, ours: &Board) -> Option<Square> {
    let them = !ours.stm();
    let own = ours.side(ours.stm());
    let lines = ours.kind(PieceType::Rook) | ours.kind(PieceType::Cannon);
    let mut theirs = ours.side(them) & lines;
    Iterator::find(&mut theirs, |&s| {
        let mut lost = before.reach(s) & own.without(m.to()) & !ours.reach(s);
        Iterator::any(&mut lost, |t| attacks::between(s, t).has(m.to()))
    })
}

/// 跟: a piece of value, protected, that the moved piece newly attacks.
fn followed(before: &Board, m: Move, ours: &Board) -> Option<Square> {
    let mut attacked = ours.reach(m.to()) & ours.side(!ours.stm()) & !before.reach(m.from());
    Iterator::find(&mut attacked, |&s| {
        let c = Move::new(m.to(), s);
        Haul::default().with_piece_on(ours, s) != Haul::default() && ours.is_safe(c)
    })
}
