//! The threads that search. They live from one search to the next and wait for work without
//! using the processor.

use super::alphabeta::Reductions;
use super::cuckoo::Cuckoo;
use super::params::Params;
use super::tt::Table;
use super::worker::Worker;
use super::{Limits, Outcome, Reporter, Settings};
use crate::position::Position;
use crate::rules::{Arbiter, Lang, RuleSet};
use crate::types::{Move, Score, score};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// Flags by which a running search is steered from any thread.
#[derive(Debug, Default)]
pub struct Signals {
    /// Threads leave the tree.
    stop: AtomicBool,
    /// The client wants the answer: set by [`Signals::stop`] only.
    stop_asked: AtomicBool,
    pondering: AtomicBool,
    /// Wakes a search that has nothing left to do but must not answer yet.
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// Asks the search to end. Without one, nothing happens.
    pub fn stop(&self) {
        self.stop_asked.store(true, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// The expected move was played: from now on the search counts its time.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }

    #[inline(always)]
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn pondering(&self) -> bool {
        self.pondering.load(Ordering::SeqCst)
    }

    /// Ends the thinking, not the waiting for the client.
    pub(super) fn stop_workers(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    fn begin(&self, ponder: bool) {
        self.stop_asked.store(false, Ordering::SeqCst);
        self.stop.store(false, Ordering::SeqCst);
        self.pondering.store(ponder, Ordering::SeqCst);
    }

    /// Sleeps until an answer may be given.
    fn wait_for_leave(&self, infinite: bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stop_asked.load(Ordering::SeqCst) && (infinite || self.pondering()) {
            guard = self
                .changed
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The table could not be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashError {
    /// What was asked for, in MiB.
    pub mib: usize,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a table of {} MB", self.mib)
    }
}

impl std::error::Error for HashError {}

/// What all threads of a search share.
#[derive(Debug)]
pub(super) struct Shared {
    pub table: Arc<Table>,
    pub signals: Arc<Signals>,
    /// Nodes of each thread, published now and then.
    pub nodes: Vec<AtomicU64>,
    pub reductions: Arc<Reductions>,
    pub cuckoo: Arc<Cuckoo>,
}

impl Shared {
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
}

/// One search, as each thread gets it.
#[derive(Clone)]
struct Task {
    position: Position,
    limits: Limits,
    settings: Settings,
    received: Instant,
    root: Vec<Move>,
    shared: Arc<Shared>,
}

enum Job {
    /// Search and report; `done` of the other threads is waited for.
    Lead(Task, Box<dyn Reporter>),
    /// Search along.
    Help(Task),
    /// Forget what was learnt.
    Clear,
}

/// A helper's opinion at the end of a search.
struct Vote {
    best: Move,
    score: Score,
    depth: i32,
    pv: Vec<Move>,
}

struct Thread {
    jobs: Sender<Job>,
    handle: Option<JoinHandle<()>>,
}

/// Search threads and what they share. Dropping it stops a running search.
pub struct Pool {
    signals: Arc<Signals>,
    reductions: Arc<Reductions>,
    cuckoo: Arc<Cuckoo>,
    table: Arc<Table>,
    threads: Vec<Thread>,
    /// One message for each finished `Lead` or `Clear`.
    done: (Sender<()>, Receiver<()>),
    votes: (Sender<Vote>, Receiver<Vote>),
    /// Messages still to come on `done`.
    pending: usize,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("threads", &self.threads.len())
            .finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool of this many threads (at least 1) and a table of this many MiB (at least 1).
    ///
    /// # Errors
    /// [`HashError`] if the memory is not to be had.
    pub fn new(threads: usize, hash_mib: usize) -> Result<Pool, HashError> {
        let mut pool = Pool {
            signals: Arc::default(),
            reductions: Arc::new(Reductions::new(&Params::DEFAULT)),
            cuckoo: Arc::new(Cuckoo::new()),
            table: Arc::new(Table::new(hash_mib)?),
            threads: Vec::new(),
            done: unbounded(),
            votes: unbounded(),
            pending: 0,
        };
        pool.set_threads(threads);
        Ok(pool)
    }

    /// The flags that steer the running search; the same for the life of the pool.
    pub fn signals(&self) -> Arc<Signals> {
        Arc::clone(&self.signals)
    }

    /// Waits for a running search, then changes the size of the table, which is emptied.
    ///
    /// # Errors
    /// [`HashError`]; the old table is kept.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        self.wait();
        self.table = Arc::new(Table::new(mib)?);
        Ok(())
    }

    /// Waits for a running search, then changes the number of threads (at least 1).
    pub fn set_threads(&mut self, threads: usize) {
        self.wait();
        let threads = threads.max(1);
        while self.threads.len() > threads {
            if let Some(t) = self.threads.pop() {
                t.join();
            }
        }
        while self.threads.len() < threads {
            let id = self.threads.len();
            let (jobs, inbox) = bounded(1);
            let done = self.done.0.clone();
            let votes = self.votes.clone();
            let shared = self.shared(1);
            let spawned = std::thread::Builder::new()
                .name(format!("search {id}"))
                .stack_size(8 << 20)
                .spawn(move || run_thread(id, shared, &inbox, &done, &votes));
            match spawned {
                Ok(handle) => self.threads.push(Thread {
                    jobs,
                    handle: Some(handle),
                }),
                // The system has no more threads: go on with those there are.
                Err(_) if id > 0 => break,
                Err(e) => panic!("the system gives no thread to search on: {e}"),
            }
        }
    }

    /// Number of threads in use.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Waits for a running search, then forgets all that was learnt: a new game begins.
    pub fn clear(&mut self) {
        self.wait();
        for t in &self.threads {
            if t.jobs.send(Job::Clear).is_ok() {
                self.pending += 1;
            }
        }
        self.table.clear(self.threads.len());
        self.wait();
    }

    pub(super) fn shared(&self, threads: usize) -> Arc<Shared> {
        Arc::new(Shared {
            table: Arc::clone(&self.table),
            signals: Arc::clone(&self.signals),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            reductions: Arc::clone(&self.reductions),
            cuckoo: Arc::clone(&self.cuckoo),
        })
    }

    /// Starts a search and returns at once. `received` is when the command arrived: clocks run
    /// from there. A search still running is stopped and waited for.
    pub fn start(
        &mut self,
        position: Position,
        limits: Limits,
        settings: Settings,
        received: Instant,
        reporter: Box<dyn Reporter>,
    ) {
        self.signals.stop();
        self.wait();
        self.signals.begin(limits.ponder);
        self.table.new_search();
        #[cfg(feature = "tune")]
        {
            self.reductions = Arc::new(Reductions::new(&settings.params));
        }
        let root = root_moves(&position, &limits);
        let shared = self.shared(self.threads.len());
        let task = Task {
            position,
            limits,
            settings,
            received,
            root,
            shared,
        };
        for t in &self.threads[1..] {
            let _ = t.jobs.send(Job::Help(task.clone()));
        }
        if self.threads[0].jobs.send(Job::Lead(task, reporter)).is_ok() {
            self.pending += 1;
        }
    }

    /// Waits for the running search to end.
    pub fn wait(&mut self) {
        while self.pending > 0 {
            let _ = self.done.1.recv();
            self.pending -= 1;
        }
    }

    /// What the table knows of a position: move, lower and upper bound with their depth.
    pub fn probe(&self, position: &Position) -> Option<ProbeResult> {
        let mut r = self.table.probe_result(position.key())?;
        r.best = r.best.filter(|&m| position.is_legal(m));
        Some(r)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.signals.stop();
        self.wait();
        for t in self.threads.drain(..) {
            t.join();
        }
    }
}

impl Thread {
    fn join(self) {
        drop(self.jobs); // ends its loop
        if let Some(handle) = self.handle {
            let _ = handle.join();
        }
    }
}

/// The root moves the limits leave, checks first, then captures: of two mates at the same
/// distance the first searched is kept, and people expect the check rather than a stalemate.
/// Bans that would leave no move are disregarded.
fn root_moves(position: &Position, limits: &Limits) -> Vec<Move> {
    let mut legal = position.legal_moves();
    let wanted = |m: &Move| limits.search_moves.contains(m);
    if legal.iter().any(wanted) {
        legal.retain(|m| wanted(m));
    }
    let allowed = |m: &Move| !limits.ban_moves.contains(m);
    if legal.iter().any(allowed) {
        legal.retain(|m| allowed(m));
    }
    let mut moves = legal.to_vec();
    moves.sort_by_key(|&m| (!position.gives_check(m), !position.is_capture(m)));
    moves
}

fn run_thread(
    id: usize,
    shared: Arc<Shared>,
    inbox: &Receiver<Job>,
    done: &Sender<()>,
    votes: &(Sender<Vote>, Receiver<Vote>),
) {
    let mut worker = Worker::new(id, shared);
    while let Ok(job) = inbox.recv() {
        match job {
            Job::Clear => {
                worker.clear();
                let _ = done.send(());
            }
            Job::Help(task) => {
                take(&mut worker, task);
                if !worker.root_moves.is_empty() {
                    worker.iterate();
                }
                let _ = votes.0.send(vote(&worker));
            }
            Job::Lead(task, reporter) => {
                lead(&mut worker, task, reporter, &votes.1);
                let _ = done.send(());
            }
        }
    }
}

fn take(worker: &mut Worker, task: Task) {
    let Task {
        position,
        limits,
        settings,
        received,
        root,
        shared,
    } = task;
    worker.prepare(position, limits, settings, received, &root, shared);
}

fn vote(worker: &Worker) -> Vote {
    match worker.root_moves.first() {
        Some(r) => Vote {
            best: r.mv,
            score: if r.score == -score::INFINITE {
                r.previous
            } else {
                r.score
            },
            depth: worker.completed_depth,
            pv: r.pv.clone(),
        },
        None => Vote {
            best: Move::NONE,
            score: 0,
            depth: 0,
            pv: Vec::new(),
        },
    }
}

fn lead(worker: &mut Worker, task: Task, reporter: Box<dyn Reporter>, votes: &Receiver<Vote>) {
    let helpers = task.shared.nodes.len() - 1;
    let shared = Arc::clone(&task.shared);
    let signals = Arc::clone(&shared.signals);
    let infinite = task.limits.infinite;
    let single_line = task.settings.multipv <= 1 && task.settings.skill.is_none();
    let position = task.position.clone();
    let received = task.received;
    take(worker, task);
    worker.reporter = Some(reporter);
    if !worker.root_moves.is_empty() {
        worker.iterate();
    }
    signals.wait_for_leave(infinite);
    signals.stop_workers();
    shared.nodes[0].store(worker.nodes, Ordering::Relaxed);
    let mut chosen = vote(worker);
    let skill = worker.settings.skill;
    if let Some(skill) = skill {
        let i = skill.choose(&worker.root_moves, &mut rand::rng());
        worker.root_moves.swap(0, i);
        chosen = vote(worker);
    }
    for _ in 0..helpers {
        // A helper that found more, deeper, is believed.
        if let Ok(v) = votes.recv()
            && single_line
            && v.best.is_some()
            && (v.depth > chosen.depth && v.score >= chosen.score
                || v.depth == chosen.depth && v.score > chosen.score + 20
                || score::is_mate(v.score) && v.score > chosen.score && v.depth > 0)
        {
            chosen = v;
        }
    }
    let (best, ponder) = if worker.root_moves.is_empty() {
        (None, None)
    } else {
        (Some(chosen.best), reply(&position, &chosen, &shared.table))
    };
    let mated = score::mated_in(0);
    let Some(mut reporter) = worker.reporter.take() else {
        return;
    };
    if score::is_decided(chosen.score) && !score::is_mate(chosen.score) {
        reporter.message(&by_rule(&position, &chosen.pv, worker.settings.rules));
    }
    reporter.finished(&Outcome {
        best,
        ponder,
        score: if best.is_some() { chosen.score } else { mated },
        no_mate_in: worker.no_mate_in,
        depth: chosen.depth as u32,
        nodes: shared.total_nodes(),
        time: received.elapsed(),
    });
}

/// Why a score rests on a rule: the verdict on the repetition at the end of the line, as the
/// arbiter explains it.
fn by_rule(position: &Position, pv: &[Move], rules: RuleSet) -> String {
    let mut p = position.clone();
    let played = pv.iter().take_while(|&&m| p.play(m).is_ok()).count();
    // The search judges a repetition when it first closes.
    let at_once = RuleSet {
        trigger: 2,
        strict: true,
        ..rules
    };
    let judgement = Arbiter::new(at_once).judge(&p);
    let line: Vec<String> = pv[..played].iter().map(Move::to_string).collect();
    let why = judgement.explain(&at_once, Lang::English);
    format!("rules {}: after {} {why}", rules.name, line.join(" "))
}

/// The expected reply to the chosen move: from its line, else from the table.
fn reply(position: &Position, chosen: &Vote, table: &Table) -> Option<Move> {
    let mut p = position.clone();
    p.play(chosen.best).ok()?;
    let from_line = chosen.pv.get(1).copied();
    let candidate = from_line.or_else(|| table.probe(p.key()).map(|e| e.mv))?;
    (candidate.is_some() && p.is_legal(candidate)).then_some(candidate)
}

/// An entry of the table, for the UCCI command `probe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// The best move, if one is stored and legal.
    pub best: Option<Move>,
    /// The score is at least this.
    pub lower: Option<Score>,
    /// The score is at most this.
    pub upper: Option<Score>,
    /// Depth of the entry in plies.
    pub depth: u32,
}
