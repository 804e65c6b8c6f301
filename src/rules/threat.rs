//! What a side could win if it were its turn (Art. 28.3, 29): direct captures that gain, captures
//! through a series of checks, gain through a complete exchange.

use super::board::Board;
use super::kill::{Budget, can_mate};
use super::point::{Cost, Pairs, cost_elsewhere, hangs_elsewhere, holds, wins};
use super::ruleset::RuleSet;
use super::value::{Haul, is_gain};
use crate::types::{Bitboard, Move, Piece, PieceType, Square};

/// How a threat would be carried out (Art. 29.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreatForm {
    /// A direct capture.
    Direct,
    /// A series of checks that ends in a capture.
    Checks,
    /// A complete exchange.
    Exchange,
}

/// One thing a side threatens to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The piece that would take, or give the first check.
    pub captor: Square,
    /// The piece that would be taken.
    pub target: Square,
    /// What stands on `captor`.
    pub captor_piece: Option<Piece>,
    /// What stands on `target`.
    pub target_piece: Option<Piece>,
    /// How.
    pub form: ThreatForm,
    /// The moves, the threatening side's first, the other side having passed.
    pub line: Vec<Move>,
}

impl Threat {
    /// A threat on a board.
    pub(super) fn new(b: &Board, first: Move, target: Square, form: ThreatForm) -> Threat {
        Threat {
            captor: first.from(),
            target,
            captor_piece: b.piece_on(first.from()),
            target_piece: b.piece_on(target),
            form,
            line: vec![first],
        }
    }
}

/// What a direct capture brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// Nothing: the target is rooted, worthless, or it is an exchange of equals.
    No,
    /// Mate of the taker (29.4).
    Mated,
    /// A gain on the point that costs as much elsewhere, or more.
    Costs(Cost),
    /// A gain.
    Wins,
}

/// Finds the threats of the side to move on one board.
pub(super) struct Finder<'a> {
    rules: &'a RuleSet,
    b: Board,
    pairs: Pairs,
    /// Targets not to be looked at, because they could be won before.
    old: Bitboard,
    /// If set, the only target that counts at the end of a series of checks.
    only: Option<Square>,
    /// Answers to check on the way to the board at hand: they tell where a piece stood at first.
    answers: Vec<Move>,
    budget: Budget,
}

impl<'a> Finder<'a> {
    pub fn new(b: &Board, rules: &'a RuleSet) -> Finder<'a> {
        Finder {
            rules,
            b: *b,
            pairs: Pairs::new(b, rules),
            old: Bitboard::EMPTY,
            only: None,
            answers: Vec::new(),
            budget: Budget(rules.nodes),
        }
    }

    /// The same, but these targets are overlooked.
    pub fn without(mut self, old: Bitboard) -> Finder<'a> {
        self.old = old;
        self
    }

    /// Captures by pieces whose own attack counts (27.1, 27.2: not king, not pawn).
    pub fn captures(&self) -> impl Iterator<Item = Move> + use<> {
        let (b, old) = (self.b, self.old);
        let counts = move |m: &Move| !old.has(m.to()) && !is_low(&b, m.from());
        b.captures().into_iter().filter(counts)
    }

    /// What a direct capture brings, with the recaptures on the point played out.
    pub fn capture(&mut self, m: Move) -> Capture {
        let b = &self.b;
        if self.pairs.has(m) || !wins(b, m, &self.pairs) {
            return Capture::No;
        }
        if self.is_mated_after(&b.after(m)) {
            return Capture::Mated;
        }
        match cost_elsewhere(b, m, self.rules) {
            Cost::Less => Capture::Wins,
            cost => Capture::Costs(cost),
        }
    }

    /// Whether the side that just took is mated by a series of checks (29.4).
    fn is_mated_after(&self, after: &Board) -> bool {
        can_mate(after, self.rules.kill_depth, &mut Budget(self.rules.nodes))
    }

    /// The same at the end of a longer line, at its cost and with less effort.
    fn is_mated_in_passing(&mut self, after: &Board) -> bool {
        let nodes = self.rules.root_nodes;
        let mut budget = Budget(nodes);
        let mated = can_mate(after, self.rules.kill_depth, &mut budget);
        self.budget.0 = self.budget.0.saturating_sub(nodes - budget.0);
        mated
    }

    /// Gains through captures on several points. Those which direct captures of `direct` bring
    /// are not counted again.
    pub fn exchanges(&mut self, direct: Bitboard) -> Vec<Threat> {
        let old = self.old;
        self.old |= direct;
        let mut found = Vec::new();
        for m in self.captures() {
            self.budget = Budget(self.rules.nodes);
            if let Some(line) = self.exchange(m) {
                let threat = Threat::new(&self.b, m, m.to(), ThreatForm::Exchange);
                found.push(Threat { line, ..threat });
            }
        }
        self.old = old;
        found
    }

    fn exchange(&mut self, m: Move) -> Option<Vec<Move>> {
        let b = self.b;
        let taken = Haul::default().with_piece_on(&b, m.to());
        if self.pairs.has(m) || taken == Haul::default() {
            return None;
        }
        let after = b.after(m);
        let plies = self.rules.exchange_plies.saturating_sub(1);
        let mut line = vec![m];
        let gains = self.gains_against(&after, taken, Haul::default(), plies, &mut line)
            && !self.is_mated_in_passing(&after);
        gains.then_some(line)
    }

    /// Whether the side that just took gains whatever the side to move takes.
    fn gains_against(
        &mut self,
        b: &Board,
        taken: Haul,
        lost: Haul,
        plies: u8,
        line: &mut Vec<Move>,
    ) -> bool {
        if !self.budget.spend() {
            return false;
        }
        let checked = b.in_check(b.stm());
        let gain = is_gain(taken, lost);
        if plies == 0 || !checked && !gain {
            return gain;
        }
        let replies = if checked { b.legal() } else { b.captures() };
        let base = line.len();
        let mut longest = line.clone();
        for r in replies {
            line.truncate(base);
            line.push(r);
            let lost = lost.with_piece_on(b, r.to());
            if !self.gains_with(&b.after(r), r.to(), taken, lost, plies - 1, line) {
                line.truncate(base);
                return false;
            }
            if line.len() > longest.len() {
                longest.clone_from(line);
            }
        }
        *line = longest;
        true
    }

    /// Whether the side to move has gained, or can take on so that it does.
    fn gains_with(
        &mut self,
        b: &Board,
        at: Square,
        taken: Haul,
        lost: Haul,
        plies: u8,
        line: &mut Vec<Move>,
    ) -> bool {
        if is_gain(taken, lost) {
            return true;
        }
        if plies == 0 || !self.budget.spend() {
            return false;
        }
        let base = line.len();
        for m in b.captures() {
            let elsewhere = m.to() != at;
            if self.pairs.has(m) || elsewhere && (is_low(b, m.from()) || self.old.has(m.to())) {
                continue;
            }
            line.truncate(base);
            line.push(m);
            let taken = taken.with_piece_on(b, m.to());
            if self.gains_against(&b.after(m), taken, lost, plies - 1, line) {
                return true;
            }
        }
        line.truncate(base);
        false
    }

    /// Captures through series of checks: for each first check that wins something whatever the
    /// answers, all that it may win.
    pub fn series(&mut self) -> Vec<(Bitboard, Threat)> {
        let b = self.b;
        let none = Haul::default();
        let mut found = Vec::new();
        for c in b.checks() {
            if self.pairs.has(c) {
                continue;
            }
            // Each first move has its own budget, so that their order does not matter.
            self.budget = Budget(self.rules.nodes);
            let mut line = Vec::new();
            let won = (1..=self.rules.series_depth)
                .find_map(|d| self.check_wins(&b, c, none, none, d, &mut line));
            if let Some(targets) = won {
                let target = targets.first().unwrap_or(c.to());
                let threat = Threat::new(&b, c, target, ThreatForm::Checks);
                found.push((targets, Threat { line, ..threat }));
            }
        }
        found
    }

    /// Pieces that some series of checks wins for certain, whatever the answers.
    pub fn certain(&mut self) -> Bitboard {
        let theirs = self.b.side(!self.b.stm()) & !self.old;
        let mut won = Bitboard::EMPTY;
        for s in theirs {
            self.only = Some(s);
            if !self.series().is_empty() {
                won = won.with(s);
            }
        }
        self.only = None;
        won
    }

    /// Where the enemy piece that stands here now stood before it answered checks.
    fn origin(&self, s: Square) -> Square {
        self.answers
            .iter()
            .rev()
            .fold(s, |s, m| if m.to() == s { m.from() } else { s })
    }

    fn check_wins(
        &mut self,
        b: &Board,
        c: Move,
        taken: Haul,
        lost: Haul,
        depth: u8,
        line: &mut Vec<Move>,
    ) -> Option<Bitboard> {
        let takes = b.piece_on(c.to()).is_some();
        let first = self.origin(c.to());
        if !self.budget.spend() || takes && self.old.has(first) {
            return None;
        }
        let mut targets = Bitboard::EMPTY;
        if takes {
            targets = targets.with(first);
        }
        let taken = taken.with_piece_on(b, c.to());
        let after = b.after(c);
        let replies = after.legal();
        if replies.is_empty() {
            return None;
        }
        let base = line.len();
        let mut longest = Vec::new();
        for r in replies {
            line.truncate(base);
            line.extend([c, r]);
            let lost = lost.with_piece_on(&after, r.to());
            self.answers.push(r);
            let won = self.follow_up(&after.after(r), taken, lost, depth, line);
            self.answers.pop();
            match won {
                Some(more) => targets |= more,
                None => {
                    line.truncate(base);
                    return None;
                }
            }
            if line.len() > longest.len() {
                longest.clone_from(line);
            }
        }
        *line = longest;
        Some(targets)
    }

    fn follow_up(
        &mut self,
        b: &Board,
        taken: Haul,
        lost: Haul,
        depth: u8,
        line: &mut Vec<Move>,
    ) -> Option<Bitboard> {
        for m in b.captures() {
            let worthless = Haul::default().with_piece_on(b, m.to()) == Haul::default();
            let first = self.origin(m.to());
            let other = self.old.has(first) || self.only.is_some_and(|s| s != first);
            if worthless || other || self.pairs.has(m) || is_low(b, m.from()) {
                continue;
            }
            let after = b.after(m);
            if holds(
                &after,
                m.to(),
                taken.with_piece_on(b, m.to()),
                lost,
                &self.pairs,
            ) && !self.is_mated_in_passing(&after)
            {
                line.push(m);
                return Some(Bitboard::square(first));
            }
        }
        if depth <= 1 {
            return None;
        }
        let base = line.len();
        for c in b.checks() {
            line.truncate(base);
            let won = self.check_wins(b, c, taken, lost, depth - 1, line);
            if won.is_some() {
                return won;
            }
        }
        line.truncate(base);
        None
    }

    /// Targets of direct captures that stand as threats in a position before a move: they gain,
    /// and neither something that hangs nor a series of checks makes up for it.
    pub fn standing(&mut self) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for m in self.captures() {
            if !found.has(m.to())
                && self.capture(m) == Capture::Wins
                && !hangs_elsewhere(&self.b, m, self.rules)
                && Finder::new(&self.b.after(m), self.rules)
                    .series()
                    .is_empty()
            {
                found = found.with(m.to());
            }
        }
        found
    }
}

/// King and pawn: their own attack is idle (27.1, 27.2).
fn is_low(b: &Board, s: Square) -> bool {
    b.piece_on(s)
        .is_none_or(|p| matches!(p.kind(), PieceType::King | PieceType::Pawn))
}
