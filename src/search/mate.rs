//! Mates by brute force: every attacking move against every defence, nothing pruned, so that
//! "no mate in n" is proved as well as "mate". For `go mate` and to complete principal
//! variations that end in a mate.
//!
//! Plies count down; a shortest mate never repeats a position, so the rules of repetition have no
//! say here. Being without a move is being mated.

use super::worker::Worker;
use crate::types::{Move, MoveList, Score, score};

/// What the solver found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The side to move mates within so many plies, whatever is played.
    Mate,
    /// It does not.
    NoMate,
    /// The nodes allowed were not enough.
    Unknown,
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: u64,
    /// No mate within so many plies.
    refuted: u8,
    /// Mate within so many plies, 0 if none is known.
    proved: u8,
}

/// Remembers positions that were solved; a power of two of slots, always replaced.
#[derive(Debug, Default)]
pub(super) struct MateTable {
    slots: Vec<Known>,
}

const SLOTS: usize = 1 << 18;

impl MateTable {
    fn get(&self, key: u64) -> Known {
        match self.slots.get(key as usize % SLOTS) {
            Some(k) if k.key == key => *k,
            _ => Known {
                key,
                ..Known::default()
            },
        }
    }

    fn put(&mut self, known: Known) {
        if self.slots.is_empty() {
            self.slots = vec![Known::default(); SLOTS];
        }
        self.slots[known.key as usize % SLOTS] = known;
    }
}

impl Worker {
    /// Whether the side to move mates within `plies` plies (an odd number), using at most so many
    /// nodes.
    pub(super) fn solve_mate(&mut self, plies: usize, nodes: u64) -> Proof {
        let end = self.nodes + nodes;
        self.attack(plies, end)
    }

    /// The side to move is to mate within `plies`.
    fn attack(&mut self, plies: usize, end: u64) -> Proof {
        let key = self.pos.key();
        let known = self.mates.get(key);
        if known.proved > 0 && usize::from(known.proved) <= plies {
            return Proof::Mate;
        }
        if usize::from(known.refuted) >= plies {
            return Proof::NoMate;
        }
        let mut moves = self.pos.legal_moves();
        order_attack(self, &mut moves);
        let mut result = Proof::NoMate;
        for &m in &moves {
            if self.out_of(end) {
                return Proof::Unknown;
            }
            self.pos.make(m);
            let proof = if self.near_limit() {
                // The game may end before: not for the solver to say.
                Proof::Unknown
            } else if !self.pos.has_legal_move() {
                Proof::Mate
            } else if plies < 3 {
                Proof::NoMate
            } else {
                self.defend(plies - 1, end)
            };
            self.pos.unmake();
            match proof {
                Proof::Mate => {
                    result = Proof::Mate;
                    break;
                }
                Proof::Unknown => result = Proof::Unknown,
                Proof::NoMate => {}
            }
        }
        let mut known = self.mates.get(key);
        match result {
            Proof::Mate if known.proved == 0 || usize::from(known.proved) > plies => {
                known.proved = plies as u8;
            }
            Proof::NoMate => known.refuted = known.refuted.max(plies as u8),
            _ => {}
        }
        self.mates.put(known);
        result
    }

    /// The side to move, which has a move, is to avoid being mated within `plies`.
    fn defend(&mut self, plies: usize, end: u64) -> Proof {
        let mut moves = self.pos.legal_moves();
        // What takes something is the likeliest to refute.
        moves.sort_by_key(|&m| !self.pos.is_capture(m));
        let mut result = Proof::Mate;
        for &m in &moves {
            if self.out_of(end) {
                return Proof::Unknown;
            }
            self.pos.make(m);
            let proof = self.attack(plies - 1, end);
            self.pos.unmake();
            match proof {
                Proof::NoMate => return Proof::NoMate,
                Proof::Unknown => result = Proof::Unknown,
                Proof::Mate => {}
            }
        }
        result
    }

    /// Counts a node and tells whether the solver has to give up.
    fn out_of(&mut self, end: u64) -> bool {
        self.count_node();
        self.stopped || self.nodes >= end
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
        let end = self.nodes + nodes;
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
        let mut moves = self.pos.legal_moves();
        order_attack(self, &mut moves);
        moves.into_iter().find(|&m| {
            self.pos.make(m);
            let mates = !self.pos.has_legal_move()
                || plies >= 3 && self.defend(plies - 1, end) == Proof::Mate;
            self.pos.unmake();
            mates
        })
    }

    /// The move after which the mate takes longest, within `plies`.
    fn longest_defence(&mut self, plies: usize, end: u64) -> Option<Move> {
        let moves = self.pos.legal_moves();
        let mut best = None;
        for m in moves {
            self.pos.make(m);
            let distance = (1..plies)
                .step_by(2)
                .find(|&n| self.attack(n, end) == Proof::Mate);
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

/// Checks first, then captures.
fn order_attack(w: &Worker, moves: &mut MoveList) {
    moves.sort_by_cached_key(|&m| (!w.pos.gives_check(m), !w.pos.is_capture(m)));
}
