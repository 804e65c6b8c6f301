//! What one search thread owns: its position, histories and place in the tree.

use super::history::{Histories, NO_MOVE, TRAIL_PLIES, Trail, piece_to};
use super::mate::MateTable;
use super::params::Params;
use super::pool::{Shared, Signals};
use super::report::Bound;
use super::skill::SAFE_DEPTH;
use super::time::TimeBounds;
use super::{Limits, Reporter, Settings};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::{Repetition, RuleSet};
use crate::types::{Color, Move, PieceType, Score, score};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Deepest ply of a line.
pub(super) const MAX_PLY: usize = score::MAX_PLY;
/// Nodes between two looks at the clock.
const POLL: u64 = 1_024;
/// Nodes that the first iteration may take whatever the limits say.
const FIRST_NODES: u64 = 20_000;
/// No current-move lines before this much time.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// What is known of a ply of the line being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Static evaluation, `score::NONE` in check.
    pub eval: Score,
    /// Two quiet moves that cut at this ply.
    pub killers: [Move; 2],
    /// Not to be searched here (singular extension).
    pub excluded: Move,
    /// The move being searched, as a `piece_to` index or `NO_MOVE`.
    pub moved: u16,
    /// Beta cuts among the children.
    pub cutoffs: u32,
    /// [`Worker::history_verdicts`] when the node was entered.
    pub history_verdicts: u64,
}

const EMPTY_FRAME: Frame = Frame {
    eval: score::NONE,
    killers: [Move::NONE; 2],
    excluded: Move::NONE,
    moved: NO_MOVE,
    cutoffs: 0,
    history_verdicts: 0,
};

/// Frames before the root, so that looking back needs no test.
pub(super) const BEFORE_ROOT: usize = 6;

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of this iteration, `-INFINITE` if not searched to an exact score.
    pub score: Score,
    /// Score of the last iteration.
    pub previous: Score,
    pub bound: Bound,
    pub seldepth: usize,
    pub pv: Vec<Move>,
    /// Nodes spent on it in this search.
    pub nodes: u64,
}

/// One search thread's own data.
pub(super) struct Worker {
    pub id: usize,
    pub pos: Position,
    pub eval: Evaluator,
    pub shared: Arc<Shared>,
    pub histories: Histories,
    /// Judges repetitions by the rules of the settings.
    pub repetition: Repetition,
    /// Verdicts given so far in this search that rest on moves before the root. A node below
    /// which one was given says nothing about its position under another history.
    pub history_verdicts: u64,
    pub frames: Box<[Frame]>,
    /// `pv[ply]` is the best line from that ply.
    pub pv: Vec<Vec<Move>>,
    pub root_moves: Vec<RootMove>,
    /// Index of the first root move that is not fixed by an earlier MultiPV line.
    pub pv_index: usize,
    pub root_depth: i32,
    pub completed_depth: i32,
    pub seldepth: usize,
    pub nodes: u64,
    /// Node count at which to look at the clock again.
    poll_at: u64,
    pub stopped: bool,
    /// No null move before this ply: a null move is being verified.
    pub null_from: usize,
    /// What the mate solver knows.
    pub mates: MateTable,
    /// Depth that is finished in any case.
    least_depth: i32,
    /// No mate in so many moves at the root: proved.
    pub no_mate_in: u32,
    pub limits: Limits,
    pub settings: Settings,
    pub bounds: TimeBounds,
    pub received: Instant,
    /// When time began to count, `received` or the ponder hit, and the nodes of all threads then.
    clock_start: (Instant, u64),
    pub pondering: bool,
    /// The leading thread's: where to tell what was found.
    pub reporter: Option<Box<dyn Reporter>>,
}

impl Worker {
    pub fn new(id: usize, shared: Arc<Shared>) -> Worker {
        let pos = Position::startpos();
        let now = Instant::now();
        Worker {
            id,
            eval: Evaluator::default(),
            pos,
            shared,
            histories: Histories::default(),
            repetition: Repetition::new(RuleSet::default()),
            history_verdicts: 0,
            frames: vec![EMPTY_FRAME; BEFORE_ROOT + MAX_PLY + 8].into_boxed_slice(),
            pv: (0..MAX_PLY + 2)
                .map(|_| Vec::with_capacity(MAX_PLY + 2))
                .collect(),
            root_moves: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            seldepth: 0,
            nodes: 0,
            poll_at: 0,
            stopped: false,
            null_from: 0,
            mates: MateTable::default(),
            least_depth: 1,
            no_mate_in: 0,
            limits: Limits::default(),
            settings: Settings::default(),
            bounds: TimeBounds {
                soft: None,
                hard: None,
            },
            received: now,
            clock_start: (now, 0),
            pondering: false,
            reporter: None,
        }
    }

    /// Forgets what earlier games taught.
    pub fn clear(&mut self) {
        self.histories = Histories::default();
        self.mates.clear();
    }

    /// Takes a new task.
    pub fn prepare(
        &mut self,
        position: Position,
        limits: Limits,
        settings: Settings,
        received: Instant,
        root: &[Move],
        shared: Arc<Shared>,
    ) {
        self.shared = shared;
        self.eval.use_network(settings.network.as_ref());
        self.eval.reset();
        self.pos = position;
        self.bounds = TimeBounds::new(&limits, &settings);
        self.pondering = limits.ponder;
        self.limits = limits;
        self.least_depth = 1;
        if let Some(skill) = settings.skill {
            let nodes = self.limits.nodes.unwrap_or(u64::MAX);
            self.limits.nodes = Some(nodes.min(skill.nodes()));
            self.least_depth = SAFE_DEPTH;
        }
        if self.settings.rules != settings.rules {
            self.repetition = Repetition::new(settings.rules);
        }
        self.settings = settings;
        self.received = received;
        self.clock_start = (received, 0);
        self.nodes = 0;
        self.poll_at = 1;
        self.stopped = false;
        self.null_from = 0;
        self.history_verdicts = 0;
        self.no_mate_in = 0;
        self.root_depth = 0;
        self.completed_depth = 0;
        self.frames.fill(EMPTY_FRAME);
        self.root_moves = root
            .iter()
            .map(|&mv| RootMove {
                mv,
                score: -score::INFINITE,
                previous: -score::INFINITE,
                bound: Bound::Exact,
                seldepth: 0,
                pv: vec![mv],
                nodes: 0,
            })
            .collect();
    }

    /// The search's numbers: constants, but for builds that tune them.
    #[inline(always)]
    pub fn params(&self) -> Params {
        #[cfg(feature = "tune")]
        return self.settings.params;
        #[cfg(not(feature = "tune"))]
        Params::DEFAULT
    }

    pub fn signals(&self) -> &Signals {
        &self.shared.signals
    }

    #[inline(always)]
    pub fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT]
    }

    #[inline(always)]
    pub fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The moves that led to this ply.
    #[inline(always)]
    pub fn trail(&self, ply: usize) -> Trail {
        let end = ply + BEFORE_ROOT;
        let Some(frames) = self.frames[..end].last_chunk::<BEFORE_ROOT>() else {
            return [NO_MOVE; TRAIL_PLIES.len()];
        };
        let mut trail = [NO_MOVE; TRAIL_PLIES.len()];
        for (moved, back) in trail.iter_mut().zip(TRAIL_PLIES) {
            *moved = frames[BEFORE_ROOT - back].moved;
        }
        trail
    }

    /// Makes a move in the search.
    #[inline]
    pub fn make(&mut self, ply: usize, m: Move) {
        let moved = self
            .pos
            .moved_piece(m)
            .map_or(NO_MOVE, |p| piece_to(p, m.to()) as u16);
        self.frame_mut(ply).moved = moved;
        // Early, so that the line is there when the child asks for it.
        self.shared.table.prefetch(self.pos.key_after(m));
        self.eval.push(&self.pos, m);
        self.pos.make(m);
        self.count_node();
    }

    /// Counts a node and looks at the clock now and then.
    #[inline(always)]
    pub fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.poll_at {
            self.poll();
            self.poll_at = self.next_poll();
        }
    }

    #[inline]
    pub fn unmake(&mut self) {
        self.pos.unmake();
        self.eval.pop();
    }

    /// Publishes the node count and looks whether to stop.
    fn poll(&mut self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        // The first iteration takes less than a millisecond, and without it the move would be
        // a guess.
        if self.completed_depth < self.least_depth && self.nodes < FIRST_NODES {
            return;
        }
        if self.signals().stopped() {
            self.stopped = true;
            return;
        }
        if self.id != 0 {
            return;
        }
        if self.pondering && !self.signals().pondering() {
            self.pondering = false;
            self.clock_start = (Instant::now(), self.shared.total_nodes());
        }
        if self.pondering || self.limits.infinite {
            return;
        }
        let total = self.shared.total_nodes();
        let out_of_nodes = self.limits.nodes.is_some_and(|n| total >= n);
        if out_of_nodes || self.hard_bound_passed() {
            self.signals().stop_workers();
            self.stopped = true;
        }
    }

    /// Nodes until the next look at the clock: few enough that a node limit is kept exactly by
    /// one thread.
    fn next_poll(&self) -> u64 {
        let left = self
            .limits
            .nodes
            .map_or(POLL, |n| n.saturating_sub(self.shared.total_nodes()));
        self.nodes + left.clamp(1, POLL)
    }

    fn hard_bound_passed(&self) -> bool {
        self.bounds.hard.is_some_and(|h| self.elapsed() >= h)
    }

    /// Time since the clock began to run, or what the nodes since then stand for.
    pub fn elapsed(&self) -> Duration {
        let (start, nodes) = self.clock_start;
        match self.settings.nodes_per_ms {
            None => start.elapsed(),
            Some(n) => Duration::from_micros((self.shared.total_nodes() - nodes) * 1_000 / n),
        }
    }

    /// What the correction history goes by: the pawns.
    #[inline]
    pub fn correction_key(&self) -> u64 {
        let p = &self.pos;
        let pawns = p.kind(PieceType::Pawn);
        // Turned, one side's set can be folded into that of both.
        let set = pawns.0 ^ (pawns.0 & p.side(Color::Red).0).rotate_left(43);
        let h = (set as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ ((set >> 64) as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        h ^ h >> 32
    }

    /// Says which root move is looked at.
    pub fn say_current(&mut self, m: Move, number: usize) {
        let depth = self.root_depth as u32;
        if let Some(r) = &mut self.reporter {
            r.current_move(depth, m, number);
        }
    }

    /// Whether current-move lines are wanted by now.
    pub fn chatty(&self) -> bool {
        self.id == 0 && self.received.elapsed() > QUIET_TIME
    }

    /// Plies without capture that end the game; beyond any game if there is no limit.
    #[inline(always)]
    pub fn limit_plies(&self) -> usize {
        self.settings
            .rules
            .natural_limit
            .map_or(usize::MAX / 2, |rounds| 2 * usize::from(rounds))
    }

    /// Whether the natural limit is so near that what is known of the position without regard to
    /// it means little.
    #[inline(always)]
    pub fn near_limit(&self) -> bool {
        self.pos.quiet_plies() + 20 >= self.limit_plies()
    }

    /// Whether no root move was excluded by the limits, so that the root may enter the table.
    pub fn limits_all_moves(&self) -> bool {
        self.limits.search_moves.is_empty() && self.limits.ban_moves.is_empty()
    }
}
