//! 捉 as the Chinese rules see it: the threats that a move has made and that were not there before
//! (Art. 29.2, details 2, 6).

use super::board::Board;
use super::point::{Cost, Pairs, hangs_elsewhere, wins};
use super::ruleset::RuleSet;
use super::threat::{Capture, Finder, Threat, ThreatForm};
use crate::attacks;
use crate::types::{Bitboard, Move, PieceType, Square};

/// The threats that `m` makes. `ours` is the board after it with the turn given back.
pub(super) fn new_threats(before: &Board, m: Move, ours: &Board, rules: &RuleSet) -> Vec<Threat> {
    let (old, old_exchanges) = known(before, m, ours, rules);
    let mut finder = Finder::new(ours, rules).without(old);
    let mut found = Vec::new();
    let mut direct = Bitboard::EMPTY;
    for c in finder.captures() {
        if matches!(
            finder.capture(c),
            Capture::Wins | Capture::Costs(Cost::Equal)
        ) {
            direct = direct.with(c.to());
            found.push(Threat::new(ours, c, c.to(), ThreatForm::Direct));
        }
    }
    let more = finder.exchanges(direct);
    found.extend(more.into_iter().filter(|t| !old_exchanges.has(t.target)));
    let mut finder = finder.without(old | old_exchanges);
    for (targets, threat) in finder.series() {
        for target in targets {
            let target_piece = ours.piece_on(target);
            found.push(Threat {
                target,
                target_piece,
                ..threat.clone()
            });
        }
    }
    found
}

/// What could be won before the move, so that winning it is no new threat (29.2): targets for
/// every form of threat, and further targets of complete exchanges.
fn known(before: &Board, m: Move, ours: &Board, rules: &RuleSet) -> (Bitboard, Bitboard) {
    let was = before.overlooking_checks();
    let mut finder = Finder::new(&was, rules);
    let mut old = finder.standing();
    let mut held = old;
    for c in finder.captures() {
        if old.has(c.to()) {
            continue;
        }
        let what = finder.capture(c);
        if what != Capture::No {
            held = held.with(c.to());
        }
        let known = match what {
            // The same piece attacked the same target and only minded what it protected.
            Capture::Costs(_) => c.from() == m.from() && ours.reach(m.to()).has(c.to()),
            // The move saves what hung; the threat is new only if the moved piece takes part.
            Capture::Wins if hangs_elsewhere(&was, c, rules) => !takes_part(ours, m, c, rules),
            _ => false,
        };
        if known {
            old = old.with(c.to());
        }
    }
    let exchanges: Bitboard = finder.exchanges(held).iter().map(|t| t.target).collect();
    let series = finder.certain();
    (old | series, exchanges | old | series)
}

/// Whether the moved piece takes part in a capture: as captor, as screen, pin or support, or by
/// guarding a piece that the capture needs against its very target.
fn takes_part(ours: &Board, m: Move, c: Move, rules: &RuleSet) -> bool {
    if c.from() == m.from() {
        return true;
    }
    let without = ours.without(m.to());
    let pairs = Pairs::new(&without, rules);
    !(without.reach(c.from()).has(c.to()) && !pairs.has(c) && wins(&without, c, &pairs))
        || guards(ours, &without, c, rules)
}

fn guards(ours: &Board, without: &Board, c: Move, rules: &RuleSet) -> bool {
    let takes = |b: &Board, s: Square| {
        let theirs = b.passed();
        let back = Move::new(c.to(), s);
        theirs.reach(c.to()).has(s)
            && theirs.is_safe(back)
            && wins(&theirs, back, &Pairs::none(rules))
    };
    let line = attacks::between(c.from(), c.to()).with(c.from());
    let mut needed = line & ours.side(ours.stm());
    Iterator::any(&mut needed, |s| takes(without, s) && !takes(ours, s))
}

/// The attacks of pawns that `m` makes (27.2): idle, unless both sides attack on every move.
pub(super) fn new_pawn_attacks(
    before: &Board,
    m: Move,
    ours: &Board,
    rules: &RuleSet,
) -> Vec<Threat> {
    let attacks = |b: &Board, c: Move| {
        b.reach(c.from()).has(c.to())
            && b.is_safe(c)
            && b.piece_on(c.to())
                .is_some_and(|t| t.kind() != PieceType::Pawn)
            && wins(b, c, &Pairs::new(b, rules))
    };
    let is_new = |c: &Move| {
        let from = if c.from() == m.to() {
            m.from()
        } else {
            c.from()
        };
        attacks(ours, *c) && !attacks(&before.overlooking_checks(), Move::new(from, c.to()))
    };
    let by_pawn = |c: &Move| ours.kind(PieceType::Pawn).has(c.from());
    let threat = |c: Move| Threat::new(ours, c, c.to(), ThreatForm::Direct);
    ours.captures()
        .into_iter()
        .filter(by_pawn)
        .filter(is_new)
        .map(threat)
        .collect()
}

/// Whether a threat is of the heavier sort of CXA 2020 Art. 26.9: of a rook, or of a piece without
/// any root by one piece that needs no other for it (联合捉 otherwise; advisors and elephants that
/// merely serve as screens do not make it joint).
pub(super) fn is_strong(ours: &Board, t: &Threat, rules: &RuleSet) -> bool {
    let Some(&c) = t.line.first() else {
        return false;
    };
    let us = ours.side(ours.stm());
    let attackers = [
        PieceType::Rook,
        PieceType::Knight,
        PieceType::Cannon,
        PieceType::Pawn,
    ];
    let mut others = attackers
        .into_iter()
        .fold(Bitboard::EMPTY, |all, k| all | us & ours.kind(k))
        .without(t.captor);
    let rook = ours
        .piece_on(t.target)
        .is_some_and(|p| p.kind() == PieceType::Rook);
    if t.form != ThreatForm::Direct {
        let wins_too = |b: Board| {
            Finder::new(&b, rules)
                .series()
                .iter()
                .any(|(won, _)| won.has(t.target))
        };
        return rook || Iterator::all(&mut others, |s| wins_too(ours.without(s)));
    }
    let joint = Iterator::any(&mut others, |s| {
        let without = ours.without(s);
        !(without.reach(c.from()).has(c.to()) && wins(&without, c, &Pairs::new(&without, rules)))
    });
    !joint
        && (rook
            || ours
                .after(c)
                .legal_to(Bitboard::square(t.target))
                .is_empty())
}
