//! Mates proved or disproved: every attacking move and every defence within a number of plies,
//! nothing pruned. For `go mate` and to complete principal variations that end in a mate.
//!
//! Depth-first proof-number search (A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002): it goes where the fewest moves are left to be proved, so that a line of
//! checks with few answers is followed to its end however long it is. The number of plies left is
//! part of a node, which leaves no cycles.
//!
//! A shortest mate never repeats a position, so the rules of repetition have no say here. Being
//! without a move is being mated.

use super::tt::prefetch;
use super::worker::Worker;
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, MAX_MOVES, Move, PieceType, Score, score};
use arrayvec::ArrayVec;

/// What the solver found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The attacker mates within so many plies, whatever is played.
    Mate,
    /// He does not.
    NoMate,
    /// The nodes allowed were not enough.
    Unknown,
}

/// How many positions have at least to be settled for the side to move to reach its goal (the
/// attacker: a mate, the defender: none in so many plies), and for the other side to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Numbers {
    own: u32,
    other: u32,
}

/// More than any number of positions.
const NEVER: u32 = u32::MAX / 4;

impl Numbers {
    /// The goal is reached.
    const WON: Numbers = Numbers {
        own: 0,
        other: NEVER,
    };
    const LOST: Numbers = Numbers {
        own: NEVER,
        other: 0,
    };
    /// Before anything is known of a position with the attacker to move: disproving takes more,
    /// each of his checks. (Found by play: the mates of a suite, and their disproofs.)
    const NEW: Numbers = Numbers { own: 1, other: 3 };
    /// The same with the defender to move and not in check: about so many answers are likely to
    /// need a proof.
    const QUIET: Numbers = Numbers { own: 1, other: 20 };

    /// A mate, or none, for a search of so many plies.
    fn settled(mate: bool, plies: usize) -> Numbers {
        if mate == attacks_with(plies) {
            Numbers::WON
        } else {
            Numbers::LOST
        }
    }

    fn is_settled(self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// In two halves, so that three of these fit into a cache line.
    key: [u32; 2],
    /// For a search of `plies` plies.
    numbers: Numbers,
    plies: u8,
    /// No mate within so many plies.
    refuted: u8,
    /// One more than the plies within which it is mate, 0 if no mate is known.
    proved: u8,
    /// Nodes spent on it, as a power of two.
    work: u8,
}

/// A cache line; the position with the least work gives way.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([Known; 3]);

/// Remembers positions that were looked at. Empty until it is needed; the number of buckets is a
/// power of two.
#[derive(Debug, Default)]
pub(super) struct MateTable {
    buckets: Vec<Bucket>,
}

/// Buckets to complete a line, a quarter of a MiB, made without a delay in a game.
const FEW: usize = 1 << 12;
/// Buckets to look for a mate, 16 MiB.
const MANY: usize = 1 << 18;

/// Whether the side to move is the attacker: it makes the last of the plies left.
fn attacks_with(plies: usize) -> bool {
    plies % 2 == 1
}

/// A key in halves. The side to move attacks or defends, by the parity of the plies left: these
/// are two different questions.
fn halves(key: u64, plies: usize) -> [u32; 2] {
    [key as u32 ^ (plies as u32 & 1), (key >> 32) as u32]
}

impl MateTable {
    fn with_buckets(n: usize) -> MateTable {
        MateTable {
            buckets: vec![Bucket::default(); n],
        }
    }

    /// Only for a table that is not empty.
    fn index(&self, key: u64) -> usize {
        (key >> 40) as usize & (self.buckets.len() - 1)
    }

    /// Fetches what is known of a position ahead of its use.
    fn prefetch(&self, key: u64) {
        prefetch(&self.buckets[self.index(key)]);
    }

    /// What is known of a position for a search of so many plies.
    fn get(&self, key: u64, plies: usize) -> Option<Numbers> {
        let bucket = &self.buckets[self.index(key)];
        let k = bucket.0.iter().find(|k| k.key == halves(key, plies))?;
        if k.proved > 0 && usize::from(k.proved) <= plies + 1 {
            Some(Numbers::settled(true, plies))
        } else if k.refuted > 0 && usize::from(k.refuted) >= plies {
            Some(Numbers::settled(false, plies))
        } else {
            (plies > 0 && usize::from(k.plies) == plies).then_some(k.numbers)
        }
    }

    fn put(&mut self, key: u64, plies: usize, numbers: Numbers, nodes: u64) {
        let index = self.index(key);
        let bucket = &mut self.buckets[index].0;
        let key = halves(key, plies);
        let i = bucket.iter().position(|k| k.key == key).unwrap_or_else(|| {
            let least = bucket.iter().enumerate().min_by_key(|(_, k)| k.work);
            let i = least.map_or(0, |(i, _)| i);
            bucket[i] = Known {
                key,
                ..Known::default()
            };
            i
        });
        let k = &mut bucket[i];
        let n = plies as u8;
        if !numbers.is_settled() {
            (k.plies, k.numbers) = (n, numbers);
        } else if numbers != Numbers::settled(true, plies) {
            k.refuted = k.refuted.max(n);
        } else if k.proved == 0 || k.proved > n + 1 {
            k.proved = n + 1;
        }
        k.work = k.work.max(nodes.max(1).ilog2() as u8);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = MateTable::default();
    }
}

/// Nodes spent on whether a defence loses sooner than another: to prove that it does not may take
/// longer than the mate took to find.
const EFFORT: u64 = 20_000;

/// A move and what is known of the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    numbers: Numbers,
}

impl Worker {
    /// Whether the attacker mates within `plies` plies, using at most so many nodes. He is to
    /// move if that number is odd.
    pub(super) fn solve_mate(&mut self, plies: usize, nodes: u64) -> Proof {
        if self.mates.buckets.len() < MANY {
            self.mates = MateTable::with_buckets(MANY);
        }
        let end = self.nodes.saturating_add(nodes);
        self.prove(plies, end)
    }

    fn prove(&mut self, plies: usize, end: u64) -> Proof {
        if self.mates.buckets.is_empty() {
            self.mates = MateTable::with_buckets(FEW);
        }
        // Where the natural limit may end the game before, that is not for the solver to say.
        if self.pos.quiet_plies() + plies + 20 >= self.limit_plies() {
            return Proof::Unknown;
        }
        let known = self.mates.get(self.pos.key(), plies);
        let mut numbers = known.unwrap_or_else(|| self.first_numbers(plies));
        if !numbers.is_settled() && !self.stopped {
            let all = Numbers {
                own: NEVER,
                other: NEVER,
            };
            numbers = self.expand(plies, all, end);
        }
        if !numbers.is_settled() {
            Proof::Unknown
        } else if numbers == Numbers::settled(true, plies) {
            Proof::Mate
        } else {
            Proof::NoMate
        }
    }

    /// What a position is worth before it is searched, of which the table knows nothing.
    fn first_numbers(&mut self, plies: usize) -> Numbers {
        match plies {
            1 => {
                let numbers = Numbers::settled(self.mates_at_once(), 1);
                self.mates.put(self.pos.key(), 1, numbers, 1);
                numbers
            }
            _ if attacks_with(plies) => Numbers::NEW,
            _ if !self.pos.has_legal_move() => Numbers::LOST,
            0 => Numbers::WON,
            _ if self.pos.in_check() => Numbers {
                own: 1,
                other: self.pos.count_legal() as u32,
            },
            _ => Numbers::QUIET,
        }
    }

    /// Whether the side to move has a move that leaves the other none.
    fn mates_at_once(&mut self) -> bool {
        let moves = self.pos.legal_moves();
        let sure = sure_answer(&self.pos);
        for checks in [true, false] {
            for &m in moves.iter() {
                if self.pos.gives_check(m) != checks || !checks && leaves(m, sure) {
                    continue;
                }
                self.count_node();
                self.pos.make(m);
                let mates = !self.pos.has_legal_move();
                self.pos.unmake();
                if mates {
                    return true;
                }
            }
        }
        false
    }

    /// Searches a position with at least two plies left until its numbers reach the bounds or the
    /// nodes are used up.
    fn expand(&mut self, plies: usize, bounds: Numbers, end: u64) -> Numbers {
        let (key, before) = (self.pos.key(), self.nodes);
        // Even where no move has to be made the clock is looked at.
        self.count_node();
        let attacks = attacks_with(plies);
        let mut children: ArrayVec<Child, MAX_MOVES> = ArrayVec::new();
        let mut moves = self.pos.legal_moves();
        // What takes something is the likeliest to refute.
        moves.sort_by_key(|&m| !self.pos.is_capture(m));
        let sure = sure_answer(&self.pos);
        for &mv in &moves {
            self.mates.prefetch(self.pos.key_after(mv));
        }
        for &mv in &moves {
            let numbers = match self.mates.get(self.pos.key_after(mv), plies - 1) {
                Some(known) => known,
                None if !attacks && plies > 2 => Numbers::NEW,
                None if attacks && leaves(mv, sure) && !self.pos.gives_check(mv) => Numbers::QUIET,
                None => {
                    self.count_node();
                    self.pos.make(mv);
                    let numbers = self.first_numbers(plies - 1);
                    self.pos.unmake();
                    numbers
                }
            };
            children.push(Child { mv, numbers });
            if numbers.other == 0 {
                break;
            }
        }
        let numbers = loop {
            let (numbers, best, second) = combine(&children);
            if numbers.own >= bounds.own
                || numbers.other >= bounds.other
                || numbers.is_settled()
                || self.stopped
                || self.nodes >= end
            {
                break numbers;
            }
            let child = children[best];
            // A child is left when another becomes clearly better than it.
            let next = second.saturating_add(second / 4 + 1);
            let bounds = Numbers {
                own: bounds
                    .other
                    .saturating_sub(numbers.other - child.numbers.own),
                other: bounds.own.min(next),
            };
            self.pos.make(child.mv);
            children[best].numbers = self.expand(plies - 1, bounds, end);
            self.pos.unmake();
        };
        let spent = self.nodes - before;
        self.mates.put(key, plies, numbers, spent);
        numbers
    }

    /// Lengthens a line that announces a mate to the mate itself, as far as the nodes allow.
    pub(super) fn complete_mate(&mut self, pv: &mut Vec<Move>, value: Score, nodes: u64) {
        let Some(total) = score::is_mate(value).then(|| (score::MATE - value.abs()) as usize)
        else {
            return;
        };
        if pv.len() >= total {
            pv.truncate(total);
            return;
        }
        let end = self.nodes.saturating_add(nodes);
        let mut made = 0;
        for &m in pv.iter() {
            self.pos.make(m);
            made += 1;
        }
        while pv.len() < total {
            let left = total - pv.len();
            // The side that mates is to move when an odd number of plies is left.
            let next = if left % 2 == 1 {
                self.mating_move(left, end)
            } else {
                self.longest_defence(left, end)
            };
            let Some(m) = next else { break };
            pv.push(m);
            self.pos.make(m);
            made += 1;
        }
        for _ in 0..made {
            self.pos.unmake();
        }
    }

    /// A move that mates within `plies`.
    fn mating_move(&mut self, plies: usize, end: u64) -> Option<Move> {
        if self.prove(plies, end) != Proof::Mate {
            return None;
        }
        // The proof went through one of the moves, which the table knows first.
        let moves = self.pos.legal_moves();
        for effort in [0, u64::MAX] {
            for &m in &moves {
                self.pos.make(m);
                let proof = self.prove(plies - 1, end.min(effort));
                self.pos.unmake();
                if proof == Proof::Mate {
                    return Some(m);
                }
            }
        }
        None
    }

    /// The move after which the mate takes longest, within `plies`, as far as [`EFFORT`] shows.
    fn longest_defence(&mut self, plies: usize, end: u64) -> Option<Move> {
        let moves = self.pos.legal_moves();
        let mut best = None;
        for m in moves {
            self.pos.make(m);
            let distance = (1..plies).step_by(2).find(|&n| {
                let shorter = n < plies - 1;
                let effort = if shorter { EFFORT } else { u64::MAX };
                let end = end.min(self.nodes.saturating_add(effort));
                self.prove(n, end) == Proof::Mate
            });
            self.pos.unmake();
            if let Some(n) = distance
                && best.is_none_or(|(longest, _)| n > longest)
            {
                best = Some((n, m));
            }
        }
        best.map(|(_, m)| m)
    }
}

/// The points of a step by which the side that waits can answer every move that gives no check
/// and touches neither: to an empty point, far from the lines to its own king.
fn sure_answer(p: &Position) -> Option<Bitboard> {
    let side = !p.stm();
    let king = p.king(side);
    let kinds = p.kind(PieceType::Rook) | p.kind(PieceType::Cannon) | p.kind(PieceType::Pawn);
    for from in kinds & p.side(side) {
        let steps = if p.pieces(side, PieceType::Pawn).has(from) {
            attacks::pawn(side, from)
        } else {
            // Among pieces everywhere a rook reaches the points beside it.
            attacks::rook(from, Bitboard::ALL)
        };
        for to in steps & !p.occupied() {
            if !attacks::may_attack(king, from, to) {
                return Some(Bitboard::square(from) | Bitboard::square(to));
            }
        }
    }
    None
}

/// Whether the answer on these points remains after this move, if that gives no check.
fn leaves(m: Move, sure: Option<Bitboard>) -> bool {
    sure.is_some_and(|points| !points.has(m.to()))
}

/// The numbers of a node by those of its moves, the move to look at next, and what the next best
/// one asks of it.
fn combine(children: &[Child]) -> (Numbers, usize, u32) {
    let (mut least, mut second, mut best, mut sum) = (NEVER, NEVER, 0, 0_u32);
    for (i, child) in children.iter().enumerate() {
        // What is the other side's to it, after the move, is this side's.
        let Numbers { own, other } = child.numbers;
        if other < least {
            (least, second, best) = (other, least, i);
        } else {
            second = second.min(other);
        }
        sum = sum.saturating_add(own).min(NEVER);
    }
    if least == 0 {
        sum = NEVER;
    } else if least < NEVER {
        // Undecided: a sum of undecided numbers is no decision.
        sum = sum.min(NEVER - 1);
    }
    let numbers = Numbers {
        own: least,
        other: sum,
    };
    (numbers, best, second)
}

#[cfg(test)]
mod tests {
    use super::super::pool::Pool;
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    /// Every move against every defence, as the rules say it.
    fn mates_within(p: &mut Position, plies: usize) -> bool {
        p.legal_moves().into_iter().any(|m| {
            p.make(m);
            let replies = p.legal_moves();
            let mates = replies.is_empty()
                || plies >= 3
                    && replies.into_iter().all(|r| {
                        p.make(r);
                        let mates = mates_within(p, plies - 2);
                        p.unmake();
                        mates
                    });
            p.unmake();
            mates
        })
    }

    /// Random positions near a mate: what is proved and disproved agrees with trying everything,
    /// whatever the table holds from the positions before.
    #[test]
    fn proofs_agree_with_trying_everything() {
        let pool = Pool::new(1, 1).unwrap();
        let mut w = Worker::new(0, pool.shared(1));
        w.settings.rules.natural_limit = None;
        let mut rng = StdRng::seed_from_u64(5);
        let mut seen = [0; 2];
        for (fen, deepest) in [
            ("3a1k3/9/9/9/9/9/9/4C4/R8/4K4 w - - 0 1", 5),
            ("4k4/9/3P1P3/9/9/9/9/4p4/9/4K4 w - - 0 1", 5),
            ("5a3/4a4/3kb2NC/9/9/9/9/3C5/5p1n1/3AK1c2 w - - 0 1", 3),
            ("4k4/4a4/2P5n/5N3/9/5R3/9/9/2p2p2r/C3K4 w - - 0 1", 3),
            ("2bak4/9/4b4/2R6/9/9/4p4/9/4A1p2/3K1AB2 w - - 0 1", 3),
        ] {
            for _ in 0..40 {
                let mut p: Position = fen.parse().unwrap();
                for _ in 0..rng.random_range(0..7) {
                    let moves = p.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    p.make(moves[rng.random_range(0..moves.len())]);
                }
                for plies in (1..=deepest).step_by(2) {
                    let mates = mates_within(&mut p, plies);
                    w.pos = p.clone();
                    let proof = w.solve_mate(plies, u64::MAX);
                    let expected = if mates { Proof::Mate } else { Proof::NoMate };
                    assert_eq!(proof, expected, "{} in {plies} plies", p.fen());
                    seen[usize::from(mates)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
    }
}
