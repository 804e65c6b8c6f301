//! Exchanges on one point: roots and rootless pieces (Art. 28.16), 兑 between pieces of one kind
//! (28.5), and what a capture exposes elsewhere (detail 4, 得不偿失).

use super::board::Board;
use super::kill::{Budget, can_mate, mate_by_checks};
use super::ruleset::RuleSet;
use super::value::{Haul, is_gain};
use crate::types::{Bitboard, Move, Square};

/// Own checks looked ahead when a recapture is asked whether it only leads to mate.
const ROOT_DEPTH: u8 = 3;
/// What exchanges on a board have to mind: the captures between pieces of one kind that can take
/// each other, which are 兑 and no threat (28.5), and how long to look for mates.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    moves: Vec<Move>,
    nodes: u32,
}

impl Pairs {
    /// All such captures of the side to move.
    pub fn new(b: &Board, rules: &RuleSet) -> Pairs {
        let nodes = rules.root_nodes;
        let moves = b
            .captures()
            .into_iter()
            .filter(|&m| is_mutual(b, m, nodes))
            .collect();
        Pairs { moves, nodes }
    }

    /// No such captures.
    pub fn none(rules: &RuleSet) -> Pairs {
        Pairs {
            moves: Vec::new(),
            nodes: rules.root_nodes,
        }
    }

    /// Whether a move is such a capture.
    pub fn has(&self, m: Move) -> bool {
        self.moves.contains(&m)
    }

    /// The captures.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// Whether captor and target are of one kind and each can take the other. A counter-capture after
/// which that side is mated by checks does not count: it exists in form only.
fn is_mutual(b: &Board, m: Move, nodes: u32) -> bool {
    let (Some(a), Some(t)) = (b.piece_on(m.from()), b.piece_on(m.to())) else {
        return false;
    };
    let back = Move::new(m.to(), m.from());
    let theirs = b.passed();
    a.kind() == t.kind()
        && b.reach(m.to()).has(m.from())
        && theirs.is_safe(back)
        && !can_mate(&theirs.after(back), ROOT_DEPTH, &mut Budget(nodes))
}

/// Whether a capture gains on its point whatever is recaptured there.
pub(super) fn wins(b: &Board, m: Move, pairs: &Pairs) -> bool {
    let taken = Haul::default().with_piece_on(b, m.to());
    holds(&b.after(m), m.to(), taken, Haul::default(), pairs)
}

/// Whether the side that stands on the point, having taken and lost so much, still gains whatever
/// the side to move recaptures there, both sides being free to stop (28.16). A recapture that is
/// answered by mate is no protection (假根).
pub(super) fn holds(b: &Board, at: Square, taken: Haul, lost: Haul, pairs: &Pairs) -> bool {
    if !is_gain(taken, lost) {
        return false;
    }
    let lost = lost.with_piece_on(b, at);
    if is_gain(taken, lost) {
        return true;
    }
    let here = Bitboard::square(at);
    b.legal_to(here).into_iter().all(|r| {
        let after = b.after(r);
        let mut budget = Budget(pairs.nodes);
        if mate_by_checks(&after, pairs.moves(), ROOT_DEPTH, &mut budget).is_some() {
            return true;
        }
        let taken = taken.with_piece_on(&after, at);
        after
            .legal_to(here)
            .into_iter()
            .any(|c| !pairs.has(c) && holds(&after.after(c), at, taken, lost, pairs))
    })
}

/// What a capture costs elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cost {
    /// Less than it wins.
    Less,
    /// As much as it wins.
    Equal,
    /// More than it wins.
    More,
}

/// What the capture makes it possible to lose elsewhere: a piece that the captor protected, or
/// shielded. What hung already is not counted.
pub(super) fn cost_elsewhere(b: &Board, m: Move, rules: &RuleSet) -> Cost {
    let before = b.passed();
    let none = Pairs::none(rules);
    let fresh = |r: Move| {
        !(before.reach(r.from()).has(r.to()) && before.is_safe(r) && wins(&before, r, &none))
    };
    worst_loss(b, m, &b.after(m), fresh, rules)
}

/// Whether something that hangs already would be lost after the capture and make up for it. A
/// check that the capture may give only delays that.
pub(super) fn hangs_elsewhere(b: &Board, m: Move, rules: &RuleSet) -> bool {
    worst_loss(b, m, &b.after(m).overlooking_checks(), |_| true, rules) != Cost::Less
}

fn worst_loss(
    b: &Board,
    m: Move,
    after: &Board,
    counts: impl Fn(Move) -> bool,
    rules: &RuleSet,
) -> Cost {
    let none = Pairs::none(rules);
    let taken = Haul::default().with_piece_on(b, m.to());
    let cost = |r: Move| {
        let spoil = Haul::default().with_piece_on(after, r.to());
        let cost = if is_gain(spoil, taken) || spoil.pieces() && !taken.pieces() {
            Cost::More
        } else if is_gain(taken, spoil) {
            return Cost::Less;
        } else {
            Cost::Equal
        };
        if holds(&after.after(r), r.to(), spoil, Haul::default(), &none) && counts(r) {
            cost
        } else {
            Cost::Less
        }
    };
    let elsewhere = after.captures().into_iter().filter(|r| r.to() != m.to());
    elsewhere.map(cost).max().unwrap_or(Cost::Less)
}
