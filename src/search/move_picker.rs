//! Moves of a node, best first, generated as late as possible: table move, winning captures,
//! refutations, quiets, losing captures. In check: evasions.

use super::history::{Histories, Trail};
use super::threats::Threats;
use crate::position::Position;
use crate::types::{Bitboard, MAX_MOVES, Move, PieceType};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Refutations,
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeEvasions,
    Evasions,
    Done,
}

/// A move with its score above it and its place in the order of generation between, so that the
/// greatest number is the move to give next and equals come in the order they were generated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(i64);

impl Scored {
    #[inline(always)]
    fn new(m: Move, score: i32, place: usize) -> Scored {
        Scored(i64::from(score) << 32 | ((MAX_MOVES - place) << 16) as i64 | i64::from(m.to_bits()))
    }

    #[inline(always)]
    fn mv(self) -> Move {
        Move::from_bits(self.0 as u16).unwrap_or(Move::NONE)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

/// Keeps captures above quiet moves where both are in one list.
const CAPTURES_FIRST: i32 = 1_000_000;

/// Hands out moves one by one.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Move,
    refutations: [Move; 3],
    next_refutation: usize,
    trail: Trail,
    /// Known from the stage of the quiet moves on; none among evasions.
    threats: Threats,
    list: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    /// Of the quiet move given last, if it was scored.
    quiet_score: Option<i32>,
    bad: ArrayVec<Move, 64>,
    next_bad: usize,
    captures_only: bool,
    see_threshold: i32,
    skip_quiets: bool,
}

impl MovePicker {
    /// For a node of the main search. Refutations: two killers and the counter move.
    pub fn new(p: &Position, tt_move: Move, refutations: [Move; 3], trail: Trail) -> MovePicker {
        let valid = tt_move.is_some() && p.is_legal(tt_move);
        let start = if p.in_check() {
            Stage::MakeEvasions
        } else {
            Stage::MakeCaptures
        };
        MovePicker {
            stage: if valid { Stage::Table } else { start },
            tt_move: if valid { tt_move } else { Move::NONE },
            refutations,
            next_refutation: 0,
            trail,
            threats: Threats::NONE,
            list: ArrayVec::new(),
            next: 0,
            quiet_score: None,
            bad: ArrayVec::new(),
            next_bad: 0,
            captures_only: false,
            see_threshold: 0,
            skip_quiets: false,
        }
    }

    /// For quiescence: captures that do not lose material, and in check all evasions.
    pub fn captures(p: &Position, tt_move: Move, trail: Trail, see_threshold: i32) -> MovePicker {
        let tt_move = if p.in_check() || (tt_move.is_some() && p.is_capture(tt_move)) {
            tt_move
        } else {
            Move::NONE
        };
        MovePicker {
            captures_only: true,
            see_threshold,
            ..MovePicker::new(p, tt_move, [Move::NONE; 3], trail)
        }
    }

    /// No more quiet moves are wanted.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// What the histories say of the quiet move given last.
    #[inline]
    pub fn history(&self, p: &Position, h: &Histories, m: Move) -> i32 {
        self.quiet_score
            .unwrap_or_else(|| quiet_score(p, h, m, &self.trail))
    }

    /// The next move, or `None` when all were given.
    pub fn next(&mut self, p: &Position, h: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = if p.in_check() {
                        Stage::MakeEvasions
                    } else {
                        Stage::MakeCaptures
                    };
                    return Some(self.tt_move);
                }
                Stage::MakeCaptures => {
                    self.add(p, h, p.side(!p.stm()));
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some((m, s)) = self.best() else {
                        self.stage = if self.captures_only {
                            Stage::Done
                        } else {
                            Stage::Refutations
                        };
                        continue;
                    };
                    if m == self.tt_move {
                        continue;
                    }
                    // A capture with a good record may lose a little by exchange values.
                    let threshold = if self.captures_only {
                        self.see_threshold
                    } else {
                        -(s - CAPTURES_FIRST) / 64
                    };
                    if p.see_ge(m, threshold) {
                        return Some(m);
                    }
                    if !self.captures_only {
                        // 64 captures in one position do not occur; if they did, the rest
                        // would be searched first instead of last.
                        if self.bad.try_push(m).is_err() {
                            return Some(m);
                        }
                    }
                }
                Stage::Refutations => {
                    let Some(&m) = self.refutations.get(self.next_refutation) else {
                        self.stage = Stage::MakeQuiets;
                        continue;
                    };
                    self.next_refutation += 1;
                    let seen = self.refutations[..self.next_refutation - 1].contains(&m);
                    if m.is_some()
                        && !seen
                        && m != self.tt_move
                        && !self.skip_quiets
                        && !p.is_capture(m)
                        && p.is_legal(m)
                    {
                        return Some(m);
                    }
                }
                Stage::MakeQuiets => {
                    self.list.clear();
                    self.next = 0;
                    if !self.skip_quiets {
                        self.threats = Threats::new(p);
                        self.add(p, h, !p.occupied());
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let best = if self.skip_quiets { None } else { self.best() };
                    let Some((m, s)) = best else {
                        self.stage = Stage::BadCaptures;
                        continue;
                    };
                    if m != self.tt_move && !self.refutations.contains(&m) {
                        // Threats order the moves; what is expected of them is history alone.
                        let kind = p.moved_piece(m).map_or(PieceType::King, |x| x.kind());
                        let threats = self.threats.of(kind, m.from());
                        self.quiet_score = Some(s - threats.score(m.to()));
                        return Some(m);
                    }
                }
                Stage::BadCaptures => {
                    let Some(&m) = self.bad.get(self.next_bad) else {
                        self.stage = Stage::Done;
                        continue;
                    };
                    self.next_bad += 1;
                    return Some(m);
                }
                Stage::MakeEvasions => {
                    self.add(p, h, Bitboard::ALL);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => {
                    let Some((m, s)) = self.best() else {
                        self.stage = Stage::Done;
                        continue;
                    };
                    if m != self.tt_move {
                        self.quiet_score = Some(s);
                        return Some(m);
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    /// The highest scored move not given yet.
    #[inline]
    fn best(&mut self) -> Option<(Move, i32)> {
        let rest = self.list.get_mut(self.next..)?;
        let (mut at, mut top) = (0, *rest.first()?);
        for (i, &other) in rest.iter().enumerate().skip(1) {
            if other > top {
                (at, top) = (i, other);
            }
        }
        rest.swap(0, at);
        self.next += 1;
        Some((top.mv(), top.score()))
    }

    /// Adds the legal moves to these targets with their scores; captures stand before quiet
    /// moves. Not inlined: three copies of the generator crowd the instruction cache.
    #[inline(never)]
    fn add(&mut self, p: &Position, h: &Histories, targets: Bitboard) {
        let enemies = p.side(!p.stm());
        p.for_each_target_set(targets, |from, to| {
            for to in to & enemies {
                let m = Move::new(from, to);
                let score = capture_score(p, h, m) + CAPTURES_FIRST;
                self.list.push(Scored::new(m, score, self.list.len()));
            }
            let quiet = to & !enemies;
            if quiet.any()
                && let Some(piece) = p.piece_on(from)
            {
                let known = h.quiets_of(p.stm(), piece, from, &self.trail);
                let threats = self.threats.of(piece.kind(), from);
                let mut give = |to, gain| {
                    let score = known.score(to) + gain;
                    let scored = Scored::new(Move::new(from, to), score, self.list.len());
                    self.list.push(scored);
                };
                if threats.touch(quiet) {
                    quiet.into_iter().for_each(|to| give(to, threats.score(to)));
                } else {
                    quiet.into_iter().for_each(|to| give(to, threats.leaving));
                }
            }
            true
        });
    }
}

fn capture_score(p: &Position, h: &Histories, m: Move) -> i32 {
    match (p.moved_piece(m), p.captured_by(m)) {
        (Some(piece), Some(taken)) => {
            let value = match taken.kind() {
                // A pawn before the river is worth little.
                PieceType::Pawn if !m.to().crossed(taken.color()) => 60,
                kind => Position::exchange_value(kind),
            };
            7 * value + h.capture(piece, m.to(), taken.kind()) / 4
        }
        _ => 0,
    }
}

/// What the histories say of a quiet move.
pub(super) fn quiet_score(p: &Position, h: &Histories, m: Move, trail: &Trail) -> i32 {
    p.moved_piece(m).map_or(0, |piece| {
        h.quiets_of(p.stm(), piece, m.from(), trail).score(m.to())
    })
}
