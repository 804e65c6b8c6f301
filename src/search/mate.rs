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

/// How many positions have at least to be proved (to be mates), and to be disproved, to settle a
/// node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// More than any number of positions.
const NEVER: u32 = u32::MAX / 4;

impl Numbers {
    const MATE: Numbers = Numbers {
        proof: 0,
        disproof: NEVER,
    };
    const NO_MATE: Numbers = Numbers {
        proof: NEVER,
        disproof: 0,
    };
    /// Before anything is known of a position with the attacker to move: disproving takes more,
    /// each of his checks. (Found by play: the mates of a suite, and their disproofs.)
    const NEW: Numbers = Numbers {
        proof: 1,
        disproof: 3,
    };
    /// The same with the defender to move and not in check: about so many answers are likely to
    /// need a proof.
    const QUIET: Numbers = Numbers {
        proof: 20,
        disproof: 1,
    };

    fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
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
            Some(Numbers::MATE)
        } else if k.refuted > 0 && usize::from(k.refuted) >= plies {
            Some(Numbers::NO_MATE)
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
        let plies = plies as u8;
        if numbers.proof == 0 {
            if k.proved == 0 || k.proved > plies + 1 {
                k.proved = plies + 1;
            }
        } else if numbers.disproof == 0 {
            k.refuted = k.refuted.max(plies);
        } else {
            (k.plies, k.numbers) = (plies, numbers);
        }
        k.work = k.work.max(nodes.max(1).ilog2() as u8);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = MateTable::default();
    }
}

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
                proof: NEVER,
                disproof: NEVER,
            };
            numbers = self.expand(plies, all, end);
        }
        match numbers {
            Numbers { proof: 0, .. } => Proof::Mate,
            Numbers { disproof: 0, .. } => Proof::NoMate,
            _ => Proof::Unknown,
        }
    }

    /// What a position is worth before it is searched, of which the table knows nothing.
    fn first_numbers(&mut self, plies: usize) -> Numbers {
        match plies {
            1 => {
                let numbers = if self.mates_at_once() {
                    Numbers::MATE
                } else {
                    Numbers::NO_MATE
                };
                self.mates.put(self.pos.key(), 1, numbers, 1);
                numbers
            }
            _ if plies % 2 == 1 => Numbers::NEW,
            _ if !self.pos.has_legal_move() => Numbers::MATE,
            0 => Numbers::NO_MATE,
            _ if self.pos.in_check() => Numbers {
                proof: self.pos.count_legal() as u32,
                disproof: 1,
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

    /// Searches a position with at least one ply left until its numbers reach the bounds or the
    /// nodes are used up.
    fn expand(&mut self, plies: usize, bounds: Numbers, end: u64) -> Numbers {
        let (key, before) = (self.pos.key(), self.nodes);
        let attacks = plies % 2 == 1;
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
                None if attacks && leaves(mv, sure) && !self.pos.gives_check(mv) => {
                    if plies == 1 {
                        Numbers::NO_MATE
                    } else {
                        Numbers::QUIET
                    }
                }
                None => {
                    self.count_node();
                    self.pos.make(mv);
                    let numbers = self.first_numbers(plies - 1);
                    self.pos.unmake();
                    numbers
                }
            };
            children.push(Child { mv, numbers });
            let decides = if attacks {
                numbers.proof == 0
            } else {
                numbers.disproof == 0
            };
            if decides {
                break;
            }
        }
        let numbers = loop {
            let (numbers, best, second) = combine(&children, attacks);
            if numbers.proof >= bounds.proof
                || numbers.disproof >= bounds.disproof
                || numbers.is_settled()
                || self.stopped
                || self.nodes >= end
            {
                break numbers;
            }
            let child = children[best];
            // A child is left when another becomes clearly better than it.
            let next = second.saturating_add(second / 4 + 1);
            let bounds = if attacks {
                Numbers {
                    proof: bounds.proof.min(next),
                    disproof: bounds
                        .disproof
                        .saturating_sub(numbers.disproof - child.numbers.disproof),
                }
            } else {
                Numbers {
                    proof: bounds
                        .proof
                        .saturating_sub(numbers.proof - child.numbers.proof),
                    disproof: bounds.disproof.min(next),
                }
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

    /// The move after which the mate takes longest, within `plies`.
    fn longest_defence(&mut self, plies: usize, end: u64) -> Option<Move> {
        let moves = self.pos.legal_moves();
        let mut best = None;
        for m in moves {
            self.pos.make(m);
            let distance = (1..plies)
                .step_by(2)
                .find(|&n| self.prove(n, end) == Proof::Mate);
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
fn combine(children: &[Child], attacks: bool) -> (Numbers, usize, u32) {
    let (mut least, mut second, mut best, mut sum) = (NEVER, NEVER, 0, 0_u32);
    for (i, child) in children.iter().enumerate() {
        let Numbers { proof, disproof } = child.numbers;
        let (one, all) = if attacks {
            (proof, disproof)
        } else {
            (disproof, proof)
        };
        if one < least {
            (least, second, best) = (one, least, i);
        } else {
            second = second.min(one);
        }
        sum = sum.saturating_add(all).min(NEVER);
    }
    if least == 0 {
        sum = NEVER;
    } else if least < NEVER {
        // Undecided: a sum of undecided numbers is no decision.
        sum = sum.min(NEVER - 1);
    }
    let numbers = if attacks {
        Numbers {
            proof: least,
            disproof: sum,
        }
    } else {
        Numbers {
            proof: sum,
            disproof: least,
        }
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
