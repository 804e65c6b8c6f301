//! Repetitions inside a search: the same labels and the same decision table, asked only when a
//! repetition closes, with little looking ahead and with remembered labels.

use super::board::Board;
use super::classify::SideClass;
use super::label::{Label, label_move};
use super::ruleset::{BothForbidden, RuleSet};
use crate::position::Position;
use crate::types::{Bitboard, Move, Square};

/// What a repetition is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleScore {
    /// A draw.
    Draw,
    /// The other side must vary or loses.
    Win,
    /// The side to move must vary or loses.
    Loss,
}

/// Slots of the table of labels, a power of two.
const SLOTS: usize = 16_384;

/// What a search needs of a label.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    mv: Move,
    label: Label,
    strong: bool,
    targets: Bitboard,
}

const EMPTY: Slot = Slot {
    key: 0,
    mv: Move::NONE,
    label: Label::Idle,
    strong: false,
    targets: Bitboard::EMPTY,
};

/// Judges repetitions for one search thread.
#[derive(Debug)]
pub struct Repetition {
    rules: RuleSet,
    slots: Vec<Slot>,
    /// Verdicts on whole cycles, by a hash of the keys they go through: a search meets the same
    /// shuffling over and over.
    cycles: Vec<(u64, RuleScore)>,
}

impl Repetition {
    /// A judge with an empty table.
    pub fn new(rules: RuleSet) -> Repetition {
        Repetition {
            rules: rules.hasty(),
            slots: vec![EMPTY; SLOTS],
            cycles: vec![(0, RuleScore::Draw); SLOTS],
        }
    }

    /// The rules as they are asked here.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// What the position is worth if it repeats an earlier one, and how many plies back that
    /// lies: one inside the search, `ply` plies deep, or two before it. `None` if it does not,
    /// which costs a scan of the keys since the last capture.
    #[inline]
    pub fn judge(&mut self, p: &Position, ply: usize) -> Option<(RuleScore, usize)> {
        let reach = p.reversible_plies();
        if reach < 4 {
            return None;
        }
        let key = p.key();
        let mut seen = false;
        let mut back = 4;
        while back <= reach {
            if p.key_back(back) == key {
                if back <= ply || seen {
                    return Some((self.cycle(p, back), back));
                }
                seen = true;
            }
            back += 2;
        }
        None
    }

    /// What the cycle of the last `back` plies is worth to the side to move.
    #[cold]
    pub fn cycle(&mut self, p: &Position, back: usize) -> RuleScore {
        if !self.rules.judges {
            return RuleScore::Draw;
        }
        // Whether every move of the side that just moved (0) or of the other (1) was a check.
        let checks = |side: usize| {
            (side..back)
                .step_by(2)
                .all(|i| p.state_back(i).is_some_and(|s| s.checkers().any()))
        };
        match (checks(0), checks(1)) {
            (true, true) => return RuleScore::Draw,
            (true, false) => return RuleScore::Win,
            (false, true) => return RuleScore::Loss,
            (false, false) => {}
        }
        let hash = cycle_hash(p, back);
        let index = (hash >> 20) as usize & (SLOTS - 1);
        let (known, verdict) = self.cycles[index];
        if known == hash {
            return verdict;
        }
        let verdict = self.weigh(p, back);
        self.cycles[index] = (hash, verdict);
        verdict
    }

    /// The verdict on a cycle in which neither side gave check with every move.
    fn weigh(&mut self, p: &Position, back: usize) -> RuleScore {
        let [them, ours] = self.classes(p, back);
        match (ours.0.is_forbidden(), them.0.is_forbidden()) {
            (true, false) => RuleScore::Loss,
            (false, true) => RuleScore::Win,
            (false, false) => RuleScore::Draw,
            (true, true) => {
                let chases = ours.0 == SideClass::PerpetualChase && them.0 == ours.0;
                let ranked = self.rules.both_forbidden == BothForbidden::Ranked && chases;
                match (ranked && ours.1, ranked && them.1) {
                    (true, false) => RuleScore::Loss,
                    (false, true) => RuleScore::Win,
                    _ => RuleScore::Draw,
                }
            }
        }
    }

    /// Class and strength of the side that just moved, and of the side to move. A side is given
    /// up as permitted at its first idle move.
    fn classes(&mut self, p: &Position, back: usize) -> [(SideClass, bool); 2] {
        let mut start = p.clone();
        for _ in 0..back {
            start.unmake();
        }
        let mut board = Board::new(&start);
        let mut origin: [Option<Square>; 90] = std::array::from_fn(Square::from_index);
        // For each side: labels seen, whether idle, whether all strong, common victims.
        let mut seen = [[false; 3]; 2];
        let mut idle = [false; 2];
        let mut strong = [true; 2];
        let mut victims = [None; 2];
        for i in (0..back).rev() {
            let (Some(state), Some(before)) = (p.state_back(i), p.state_back(i + 1)) else {
                break;
            };
            let m = state.last_move();
            let side = i % 2;
            let after = board.after(m);
            let slot = (!idle[side]).then(|| self.label(&board, before.key(), m));
            origin[m.to().index()] = origin[m.from().index()].take();
            board = after;
            let Some(slot) = slot else {
                if idle[0] && idle[1] {
                    break;
                }
                continue;
            };
            match slot.label {
                Label::Check => seen[side][0] = true,
                Label::Kill => seen[side][1] = true,
                Label::Chase => seen[side][2] = true,
                _ => idle[side] = true,
            }
            strong[side] &= slot.strong;
            let mut hit = Bitboard::EMPTY;
            for s in slot.targets {
                if let Some(s) = origin[s.index()] {
                    hit = hit.with(s);
                }
            }
            victims[side] = Some(victims[side].map_or(hit, |v: Bitboard| v & hit));
        }
        [0, 1].map(|side| {
            let same = victims[side].is_some_and(|v| v.any());
            let class = SideClass::of(idle[side], seen[side], same, &self.rules);
            (class, strong[side])
        })
    }

    fn label(&mut self, b: &Board, key: u64, m: Move) -> Slot {
        let hash = key ^ u64::from(m.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (hash >> 20) as usize & (SLOTS - 1);
        let slot = self.slots[index];
        if slot.key == key && slot.mv == m {
            return slot;
        }
        let labelled = label_move(b, m, &self.rules, false);
        let slot = Slot {
            key,
            mv: m,
            label: labelled.label,
            strong: labelled.strong,
            targets: labelled.targets.iter().copied().collect(),
        };
        self.slots[index] = slot;
        slot
    }
}

/// Tells cycles apart by the positions they go through and their order.
fn cycle_hash(p: &Position, back: usize) -> u64 {
    (0..back).fold(0x2545_f491_4f6c_dd1d, |h: u64, i| {
        (h ^ p.key_back(i))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}
