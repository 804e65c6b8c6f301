//! The label of one move (Art. 27.4, 28): check, kill, chase, or one of the idle kinds, with the
//! evidence for it.

use super::board::Board;
use super::chase::{is_strong, new_pawn_attacks, new_threats};
use super::direct::{is_fresh, new_attacks};
use super::idle::describe;
use super::kill::{Budget, mate_by_checks};
use super::point::Pairs;
use super::ruleset::{BothForbidden, ChaseForm, RuleSet};
use super::threat::Threat;
use crate::types::{Move, Piece, Square};

/// The label of a move, the heaviest that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// 闲, nothing of the others.
    Idle,
    /// 跟 follows a rooted piece.
    Follow,
    /// 拦 blocks.
    Block,
    /// 献 offers a piece.
    Offer,
    /// 兑 offers an exchange of equals.
    Exchange,
    /// 捉 threatens to win material.
    Chase,
    /// 杀 threatens mate by checks.
    Kill,
    /// 将 attacks the king.
    Check,
}

impl Label {
    /// Whether it is an attack (打, Art. 28.4).
    pub fn is_attack(self) -> bool {
        self >= Label::Chase
    }

    /// The word of the command-line contract.
    pub fn name(self) -> &'static str {
        match self {
            Label::Idle => "idle",
            Label::Follow => "follow",
            Label::Block => "block",
            Label::Offer => "offer",
            Label::Exchange => "exchange",
            Label::Chase => "chase",
            Label::Kill => "kill",
            Label::Check => "check",
        }
    }
}

/// Why a move is idle, or what is idle about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Nothing to say.
    Plain,
    /// A king answers a check; whatever it attacks by that is idle.
    KingEvades,
    /// The king itself attacks what stands there (27.1).
    KingAttacks(Square),
    /// A pawn itself attacks what stands there (27.2).
    PawnAttacks(Square),
    /// What stands there could be won before the move (29.2, detail 6).
    Known(Square),
    /// Taking there is answered by mate (29.4, detail 7).
    TakingMated(Square),
    /// These two pieces of one kind attack each other (28.5).
    Exchange(Square, Square),
    /// The piece can be taken from there (28.6).
    Offer(Square),
    /// It blocks the piece there (28.7).
    Block(Square),
    /// It attacks the protected piece there (28.8).
    Follow(Square),
}

/// A labelled move with its evidence.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The move.
    pub mv: Move,
    /// The piece that moved.
    pub piece: Option<Piece>,
    /// Its label.
    pub label: Label,
    /// Pieces attacked.
    pub targets: Vec<Square>,
    /// What would happen if the other side passed: the mate of a kill, the first threat of a
    /// chase.
    pub line: Vec<Move>,
    /// The threats that make it a chase.
    pub threats: Vec<Threat>,
    /// For idle moves, what they do.
    pub note: Note,
    /// Attacks of pawns, which count only in mutual attack (27.2).
    pub(super) pawn_attacks: Vec<Threat>,
    /// A chase of the heavier sort where the rules rank them.
    pub(super) strong: bool,
}

impl Labelled {
    fn new(b: &Board, mv: Move) -> Labelled {
        Labelled {
            mv,
            piece: b.piece_on(mv.from()),
            label: Label::Idle,
            targets: Vec::new(),
            line: Vec::new(),
            threats: Vec::new(),
            note: Note::Plain,
            pawn_attacks: Vec::new(),
            strong: false,
        }
    }

    fn set_chase(&mut self, threats: Vec<Threat>) {
        let Some(first) = threats.first() else {
            return;
        };
        self.label = Label::Chase;
        self.note = Note::Plain;
        self.line = first.line.clone();
        self.targets = threats.iter().map(|t| t.target).collect();
        self.targets.sort_unstable();
        self.targets.dedup();
        self.threats = threats;
    }

    /// Whether a pawn attacks.
    pub(super) fn by_pawn(&self) -> bool {
        !self.pawn_attacks.is_empty()
    }

    /// Makes the attacks of pawns count.
    pub(super) fn count_pawn_attack(&mut self) {
        let threats = std::mem::take(&mut self.pawn_attacks);
        self.set_chase(threats);
    }
}

/// Labels a move of the side to move. The idle kinds and notes, which no decision needs, are
/// found only if `detail` is asked for.
pub(super) fn label_move(before: &Board, m: Move, rules: &RuleSet, detail: bool) -> Labelled {
    let us = before.stm();
    let after = before.after(m);
    let mut out = Labelled::new(before, m);
    if after.in_check(!us) {
        out.label = Label::Check;
        out.targets.extend(after.king(!us));
        return out;
    }
    let ours = after.passed();
    if rules.king_evasion_idle && before.in_check(us) && before.king(us) == Some(m.from()) {
        out.note = Note::KingEvades;
        return out;
    }
    match rules.chase {
        ChaseForm::Never => {}
        ChaseForm::Direct | ChaseForm::MovedPiece => {
            out.set_chase(new_attacks(before, m, &ours, rules));
            out.strong = out.threats.iter().any(|t| is_fresh(before, m, t));
        }
        ChaseForm::Full => full_label(before, m, &ours, rules, &mut out),
    }
    if detail && out.label == Label::Idle {
        if rules.chase != ChaseForm::Full
            && let Some(line) = kill(&ours, rules)
        {
            out.label = Label::Kill;
            out.line = line;
        } else {
            (out.label, out.note) = describe(before, m, &ours, rules);
        }
    }
    out
}

fn full_label(before: &Board, m: Move, ours: &Board, rules: &RuleSet, out: &mut Labelled) {
    if let Some(line) = kill(ours, rules) {
        out.label = Label::Kill;
        out.line = line;
        return;
    }
    out.set_chase(new_threats(before, m, ours, rules));
    if out.label == Label::Chase {
        out.strong = rules.both_forbidden == BothForbidden::Ranked
            && out.threats.iter().any(|t| is_strong(ours, t, rules));
    } else if rules.pawn_counts_in_mutual_attack {
        out.pawn_attacks = new_pawn_attacks(before, m, ours, rules);
    }
}

fn kill(ours: &Board, rules: &RuleSet) -> Option<Vec<Move>> {
    let mut budget = Budget(rules.kill_nodes);
    mate_by_checks(
        ours,
        Pairs::new(ours, rules).moves(),
        rules.kill_depth,
        &mut budget,
    )
}
