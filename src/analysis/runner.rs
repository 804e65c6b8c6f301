//! All positions of all games, given to several thinkers; games are handed over in order.

use super::assess::{ONLY_MOVE, win_probability};
use super::game::GameReport;
use super::state::{Entry, Head, StateFile};
use super::thinker::Thinker;
use crate::position::Position;
use crate::records::Game;
use crate::rules::{Arbiter, RuleSet, Verdict};
use crate::search::Limits;
use crate::types::{Move, Score, score};
use crossbeam_channel::Sender;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How games are analysed.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What ends the search of a position.
    pub limits: Limits,
    /// Thinkers at work at once.
    pub threads: usize,
    /// Table of each, in MiB.
    pub hash_mib: usize,
    /// The rules.
    pub rules: RuleSet,
    /// Where results are kept for a run that goes on after a kill.
    pub state: Option<PathBuf>,
}

/// Hears how the work goes on.
pub trait Observer {
    /// So many positions of all are done.
    fn progress(&mut self, done: usize, all: usize);

    /// A game is done; they come in order. An error ends the run.
    fn game(&mut self, index: usize, report: GameReport) -> std::io::Result<()>;
}

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError {
    /// The state file cannot be used, or the engine not be started.
    Failed(String),
    /// The observer could not write.
    Io(std::io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Failed(text) => f.write_str(text),
            RunError::Io(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

/// What was found out about a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    /// Score for the side to move.
    pub score: Score,
    /// The best line in coordinates, parted by blanks.
    pub pv: String,
    pub depth: u32,
    pub nodes: u64,
    /// Where the best move was played and others were possible: the score of the best of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Score>,
}

impl Found {
    fn ended(score: Score) -> Found {
        Found {
            score,
            pv: String::new(),
            depth: 0,
            nodes: 0,
            second: None,
        }
    }

    pub(super) fn line(&self) -> Vec<Move> {
        let moves = self.pv.split_whitespace();
        moves.map_while(|m| m.parse().ok()).collect()
    }
}

/// The positions of the games, numbered through.
struct Plan<'a> {
    games: &'a [Game],
    /// Number of the first position of each game, and of all at the end.
    starts: Vec<usize>,
    moves: Vec<Vec<Move>>,
}

impl Plan<'_> {
    fn new(games: &[Game]) -> Plan<'_> {
        let moves: Vec<Vec<Move>> = games.iter().map(Game::moves).collect();
        let mut starts = vec![0];
        for m in &moves {
            starts.push(starts[starts.len() - 1] + m.len() + 1);
        }
        Plan {
            games,
            starts,
            moves,
        }
    }

    fn len(&self) -> usize {
        self.starts[self.games.len()]
    }

    /// Game and ply of a position.
    fn place(&self, number: usize) -> (usize, usize) {
        let game = self.starts.partition_point(|&s| s <= number) - 1;
        (game, number - self.starts[game])
    }

    /// The number of a game's position, if there is such a one.
    fn number(&self, game: usize, ply: usize) -> Option<usize> {
        let known = game < self.games.len() && ply <= self.moves[game].len();
        known.then(|| self.starts[game] + ply)
    }

    /// FNV-1a over starts and moves.
    fn fingerprint(&self) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for game in self.games {
            for byte in game.to_uci_line().bytes().chain([b'\n']) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        format!("{hash:016x}")
    }
}

/// Analyses games. Returns whether all was done; not so if `stop` was set.
pub fn run_games(
    games: &[Game],
    setup: &Setup,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<bool, RunError> {
    let plan = Plan::new(games);
    let mut found: Vec<Option<Found>> = vec![None; plan.len()];
    let mut state = open_state(&plan, setup, &mut found)?;
    let mut done = found.iter().flatten().count();
    let known: Vec<bool> = found.iter().map(Option::is_some).collect();
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let mut reported = 0;
    let (sender, answers) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        let work = || {
            observer.progress(done, plan.len());
            report_whole(&plan, setup, &mut found, &mut reported, observer)?;
            for _ in 0..setup.threads.clamp(1, plan.len().max(1)) {
                let sender = sender.clone();
                let (plan, known, next, halt) = (&plan, &known, &next, &halt);
                scope.spawn(move || labour(plan, setup, known, next, halt, stop, &sender));
            }
            // The loop below ends when the last worker drops its sender.
            drop(sender);
            for answer in &answers {
                let (number, one) = answer.map_err(RunError::Failed)?;
                if let Some(state) = &mut state {
                    let (game, ply) = plan.place(number);
                    let found = one.clone();
                    let entry = Entry { game, ply, found };
                    state.append(&entry).map_err(RunError::Failed)?;
                }
                found[number] = Some(one);
                done += 1;
                observer.progress(done, plan.len());
                report_whole(&plan, setup, &mut found, &mut reported, observer)?;
            }
            Ok(done == plan.len())
        };
        let result = work();
        halt.store(true, Ordering::Relaxed);
        result
    })
}

fn open_state(
    plan: &Plan<'_>,
    setup: &Setup,
    found: &mut [Option<Found>],
) -> Result<Option<StateFile>, RunError> {
    let Some(path) = &setup.state else {
        return Ok(None);
    };
    let limits = &setup.limits;
    let head = Head {
        chuhe_analysis: 1,
        games: plan.fingerprint(),
        limits: format!(
            "depth {:?} nodes {:?} movetime {:?} hash {} rules {} version {}",
            limits.depth,
            limits.nodes,
            limits.movetime,
            setup.hash_mib,
            setup.rules.name,
            env!("CARGO_PKG_VERSION"),
        ),
    };
    let (state, entries) = StateFile::open(path, &head).map_err(RunError::Failed)?;
    for entry in entries {
        if let Some(number) = plan.number(entry.game, entry.ply) {
            found[number] = Some(entry.found);
        }
    }
    Ok(Some(state))
}

/// Hands over the games that are whole, in order, and forgets their positions.
fn report_whole(
    plan: &Plan<'_>,
    setup: &Setup,
    found: &mut [Option<Found>],
    reported: &mut usize,
    observer: &mut dyn Observer,
) -> Result<(), RunError> {
    while *reported < plan.games.len() {
        let own = &mut found[plan.starts[*reported]..plan.starts[*reported + 1]];
        if own.iter().any(Option::is_none) {
            break;
        }
        let own: Vec<Found> = own.iter_mut().filter_map(Option::take).collect();
        let report = GameReport::new(&plan.games[*reported], &own, &setup.rules);
        observer.game(*reported, report).map_err(RunError::Io)?;
        *reported += 1;
    }
    Ok(())
}

/// One worker: takes positions until there are none.
fn labour(
    plan: &Plan<'_>,
    setup: &Setup,
    known: &[bool],
    next: &AtomicUsize,
    halt: &AtomicBool,
    stop: &AtomicBool,
    answers: &Sender<Result<(usize, Found), String>>,
) {
    let mut thinker = match Thinker::new(setup.hash_mib, &setup.rules) {
        Ok(thinker) => thinker,
        Err(e) => {
            let _ = answers.send(Err(e));
            return;
        }
    };
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= plan.len() || halt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
            return;
        }
        if known[number] {
            continue;
        }
        let (game, ply) = plan.place(number);
        let mut position = plan.games[game].start().clone();
        for &m in &plan.moves[game][..ply] {
            position.make(m);
        }
        let played = plan.moves[game].get(ply).copied();
        let found = look(&mut thinker, &position, played, setup, stop);
        // A search cut short says less than it seems to.
        if stop.load(Ordering::Relaxed) {
            return;
        }
        if answers.send(found.map(|f| (number, f))).is_err() {
            return;
        }
    }
}

/// Looks at one position, from which this move was played.
fn look(
    thinker: &mut Thinker,
    position: &Position,
    played: Option<Move>,
    setup: &Setup,
    stop: &AtomicBool,
) -> Result<Found, String> {
    if played.is_none() {
        match Arbiter::brief(setup.rules).judge(position).verdict {
            Verdict::Loses(_) if !position.has_legal_move() => {
                return Ok(Found::ended(score::mated_in(0)));
            }
            Verdict::Loses(side) if side == position.stm() => {
                return Ok(Found::ended(-score::RULE_WIN));
            }
            Verdict::Loses(_) => return Ok(Found::ended(score::RULE_WIN)),
            Verdict::Draw => return Ok(Found::ended(score::DRAW)),
            Verdict::Ongoing => {}
        }
    }
    let thought = thinker.think(position, setup.limits.clone(), stop)?;
    let best = thought.best();
    let mut second = None;
    if best.is_some()
        && best == played
        && position.legal_moves().len() > 1
        && win_probability(thought.score) >= ONLY_MOVE
    {
        let limits = Limits {
            nodes: setup.limits.nodes.map(|n| (n / 2).max(1)),
            movetime: setup
                .limits
                .movetime
                .map(|t| t / 2 + Duration::from_millis(1)),
            ban_moves: best.into_iter().collect(),
            ..setup.limits.clone()
        };
        second = Some(thinker.think(position, limits, stop)?.score);
    }
    let pv: Vec<String> = thought.pv.iter().map(|m| m.to_string()).collect();
    Ok(Found {
        score: thought.score,
        pv: pv.join(" "),
        depth: thought.depth,
        nodes: thought.nodes,
        second,
    })
}
