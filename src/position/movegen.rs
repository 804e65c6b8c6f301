//! Fully legal moves as sets of targets, without trying a move except for king steps and
//! answers to check.

use super::Position;
use super::danger::{king_attacked, pin_mask};
use crate::attacks;
use crate::types::{Bitboard, Move, MoveList, PieceType, Square};

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate_into(Bitboard::ALL, &mut list);
        list
    }

    /// Appends the legal captures.
    pub fn generate_captures(&self, list: &mut MoveList) {
        self.generate_into(self.side(!self.stm), list);
    }

    /// Appends the legal moves that take nothing.
    pub fn generate_quiets(&self, list: &mut MoveList) {
        self.generate_into(!self.occupied(), list);
    }

    /// Appends all legal moves; in check those are the evasions.
    pub fn generate_all(&self, list: &mut MoveList) {
        self.generate_into(Bitboard::ALL, list);
    }

    /// Number of legal moves, counted by sets.
    pub fn count_legal(&self) -> u64 {
        let mut n = 0;
        self.for_each_target_set(Bitboard::ALL, |_, to| {
            n += u64::from(to.count());
            true
        });
        n
    }

    /// Whether the side to move has a legal move. Without one it has lost, in check or not.
    pub fn has_legal_move(&self) -> bool {
        !self.for_each_target_set(Bitboard::ALL, |_, to| to.is_empty())
    }

    #[inline]
    fn generate_into(&self, targets: Bitboard, list: &mut MoveList) {
        self.for_each_target_set(targets, |from, to| {
            for to in to {
                list.push(Move::new(from, to));
            }
            true
        });
    }

    /// Calls `f` with each own piece and the set of its legal targets (which may be empty) inside
    /// `targets`, until `f` says false. Returns whether `f` never did.
    #[inline(always)]
    pub fn for_each_target_set(
        &self,
        targets: Bitboard,
        mut f: impl FnMut(Square, Bitboard) -> bool,
    ) -> bool {
        let targets = targets & !self.side(self.stm);
        if self.in_check() {
            self.evasions(targets, f)
        } else {
            self.free_moves(targets, &mut f)
        }
    }

    #[inline(always)]
    fn free_moves(&self, targets: Bitboard, f: &mut impl FnMut(Square, Bitboard) -> bool) -> bool {
        let us = self.stm;
        let occupied = self.occupied();
        let own = self.side(us);
        let danger = &self.state.danger;
        // Hollow points are empty, so captures are not touched by them.
        let safe = targets & !danger.hollow;
        let mut emit = |from: Square, to: Bitboard| {
            let to = if danger.pinned.has(from) {
                to & pin_mask(self, from)
            } else {
                to
            };
            f(from, to & safe)
        };
        for from in own & self.kind(PieceType::Rook) {
            if !emit(from, attacks::rook(from, occupied)) {
                return false;
            }
        }
        for from in own & self.kind(PieceType::Cannon) {
            if !emit(from, attacks::cannon_targets(from, occupied)) {
                return false;
            }
        }
        for from in own & self.kind(PieceType::Knight) {
            if !emit(from, attacks::knight(from, occupied)) {
                return false;
            }
        }
        for from in own & self.kind(PieceType::Pawn) {
            if !emit(from, attacks::pawn(us, from)) {
                return false;
            }
        }
        for from in own & self.kind(PieceType::Bishop) {
            if !emit(from, attacks::bishop(from, occupied)) {
                return false;
            }
        }
        for from in own & self.kind(PieceType::Advisor) {
            if !emit(from, attacks::advisor(from)) {
                return false;
            }
        }
        let king = self.king(us);
        f(king, self.king_targets(king, targets))
    }

    /// Steps of the king to points that are not attacked once it stands there.
    #[inline]
    fn king_targets(&self, king: Square, targets: Bitboard) -> Bitboard {
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king) & targets {
            if !king_attacked(self, to, self.occupied().without(king).with(to), to) {
                safe = safe.with(to);
            }
        }
        safe
    }

    /// Answers to check: the king steps away, a checker is taken, its line or leg is blocked, a
    /// cannon is given a second screen, or an own screen leaves. Candidates by these sets, then
    /// each is tried, since a move can open another line.
    fn evasions(&self, targets: Bitboard, mut f: impl FnMut(Square, Bitboard) -> bool) -> bool {
        let us = self.stm;
        let king = self.king(us);
        let occupied = self.occupied();
        let own = self.side(us);
        let mut answers = Bitboard::ALL;
        let mut own_screens = Bitboard::EMPTY;
        for checker in self.checkers() {
            let mut answer = Bitboard::square(checker);
            match self.piece_on(checker).map(|p| p.kind()) {
                Some(PieceType::Rook | PieceType::King) => {
                    answer |= attacks::between(king, checker);
                }
                Some(PieceType::Cannon) => {
                    let between = attacks::between(king, checker);
                    answer |= between;
                    own_screens |= between & own;
                }
                Some(PieceType::Knight) => {
                    answer = answer.with(attacks::knight_leg(checker, king));
                }
                _ => {}
            }
            answers &= answer;
        }
        if !f(king, self.king_targets(king, targets)) {
            return false;
        }
        for from in own.without(king) {
            let mut to = self.pseudo_targets(from) & targets;
            if !own_screens.has(from) {
                to &= answers;
            }
            let mut safe = Bitboard::EMPTY;
            for to in to {
                if !king_attacked(self, king, occupied.without(from).with(to), to) {
                    safe = safe.with(to);
                }
            }
            if safe.any() && !f(from, safe) {
                return false;
            }
        }
        true
    }
}
