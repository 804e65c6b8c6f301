//! The façade over board and search: one position, one set of options, one pool of threads.
//! Whoever wants a move found (protocol, command line, matches) does it through [`Engine`];
//! [`Engine::go`] returns at once and the answer comes through a
//! [`Reporter`]. Where the opening is in a book and books are to be used, the move comes from there
//! without a search ([`own_book`]). Imports `search`, `rules`, `eval`, `opening_book`, `position`,
//! `util`, `types`.
//!
//! The pool with its table is made when it is first needed, so that a program greets at once
//! and a client that sets the size of the table first pays for one table only.

pub mod bench;
pub mod ladder;
mod memory;
mod option_table;
pub mod options;
pub mod own_book;

use crate::eval;
use crate::nnue::Network;
use crate::position::{FenError, Position};
use crate::rules::RuleSet;
use crate::search::{HashError, Limits, Outcome, Pool, ProbeResult, Reporter, Settings, Signals};
use crate::types::{Color, Move, Score};
use options::{OptionError, OptionId, Options, Spec, Value};
use own_book::{Answer, OwnBook, Question};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use memory::available_mib;

/// Why a position was not taken over as described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// The FEN describes no playable position: there is none now.
    Fen(FenError),
    /// A move cannot be played: the position before it stands.
    Move {
        /// Number of the move in the list, from 1.
        ply: usize,
        /// The text of the move.
        text: String,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Fen(e) => write!(f, "no position: {e}"),
            PositionError::Move { ply, text, why } => write!(
                f,
                "ply {ply} ({text}) is not played: {why}; the position before it stands"
            ),
        }
    }
}

impl std::error::Error for PositionError {}

/// Stands for a network file where the pieces are to be counted instead.
pub const MATERIAL: &str = "material";

/// One engine: position, options, search threads.
#[derive(Debug)]
pub struct Engine {
    pool: Option<Pool>,
    signals: Option<Arc<Signals>>,
    options: Options,
    position: Option<Position>,
    bans: Vec<Move>,
    network: Option<Arc<Network>>,
    /// Open when it was first needed.
    own_book: Option<OwnBook>,
    /// What the lot among a book's moves is drawn by in this game if no seed is set.
    game_seed: u64,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine at the start position with all options at their defaults. Cheap: threads and
    /// table come with the first need.
    pub fn new() -> Engine {
        Engine {
            pool: None,
            signals: None,
            options: Options::default(),
            position: Some(Position::startpos()),
            bans: Vec::new(),
            network: Some(Arc::new(Network::embedded())),
            own_book: None,
            game_seed: seed_of_the_moment(),
        }
    }

    /// The values of the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The position to think about; `None` after an unplayable FEN.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// Forgets the position: until the next good one there is nothing to think about.
    pub fn clear_position(&mut self) {
        self.position = None;
        self.bans.clear();
    }

    /// Takes over a position: a FEN (`None`: the start) and the moves played from it. Bans of
    /// root moves end with it.
    ///
    /// # Errors
    /// [`PositionError`]: after a bad FEN there is no position, after a bad move the position
    /// before it stands.
    pub fn set_position<S: AsRef<str>>(
        &mut self,
        fen: Option<&str>,
        moves: &[S],
    ) -> Result<(), PositionError> {
        self.clear_position();
        let (position, error) = replay(fen, moves);
        self.position = position;
        error.map_or(Ok(()), Err)
    }

    /// Takes over a position with its history as it is.
    pub fn put_position(&mut self, position: Position) {
        self.clear_position();
        self.position = Some(position);
    }

    /// Root moves that must not be played, until the next position; replaces earlier ones. What
    /// is no legal move is left out.
    pub fn set_bans<S: AsRef<str>>(&mut self, moves: &[S]) {
        self.bans = self.legal_of(moves);
    }

    /// The legal moves among these texts.
    pub fn legal_of<S: AsRef<str>>(&self, moves: &[S]) -> Vec<Move> {
        let Some(position) = &self.position else {
            return Vec::new();
        };
        moves
            .iter()
            .filter_map(|m| m.as_ref().parse::<Move>().ok())
            .filter(|&m| position.is_legal(m))
            .collect()
    }

    /// Sets an option from text. Waits for a running search where the option concerns it.
    /// Returns what the user should know, if anything.
    ///
    /// # Errors
    /// [`OptionError`]: the value cannot be used and the old one stays.
    pub fn set_option(
        &mut self,
        spec: &'static Spec,
        value: Option<&str>,
    ) -> Result<Option<String>, OptionError> {
        match (spec.id, spec.read(value)?) {
            (OptionId::Hash, Value::Spin(n)) => self.set_hash(spec, n as usize),
            (OptionId::Threads, Value::Spin(n)) => Ok(self.set_threads(n as usize)),
            (OptionId::EvalFile, _) => self.set_eval_file(spec, value.unwrap_or("").trim()),
            (OptionId::ClearHash | OptionId::NewGame, _) => {
                self.new_game();
                Ok(None)
            }
            (OptionId::BookFiles, value) => {
                self.options.put(OptionId::BookFiles, value);
                self.own_book = None;
                Ok(self.open_books())
            }
            (id, value) => {
                self.options.put(id, value);
                Ok(None)
            }
        }
    }

    fn set_hash(&mut self, spec: &'static Spec, mib: usize) -> Result<Option<String>, OptionError> {
        let old = self.options.hash_mib;
        if mib == old {
            return Ok(None);
        }
        let refused = |free: Option<usize>| OptionError::NoMemory {
            spec,
            mib,
            free,
            kept: old,
        };
        // The kernel promises more than it has, so a table that could be mapped may still kill
        // the process when it fills up.
        if mib > old {
            let free = available_mib();
            if free.is_some_and(|free| mib > free) {
                return Err(refused(free));
            }
        }
        if let Some(pool) = &mut self.pool {
            pool.set_hash(mib).map_err(|_| refused(available_mib()))?;
        }
        self.options.hash_mib = mib;
        Ok(None)
    }

    /// Takes the network of a file into use, without a name the one that is part of the program;
    /// [`MATERIAL`] is for none.
    fn set_eval_file(
        &mut self,
        spec: &'static Spec,
        file: &str,
    ) -> Result<Option<String>, OptionError> {
        let network = match file {
            MATERIAL => None,
            "" | "<empty>" => Some(Network::embedded()),
            file => {
                let read = Network::read(Path::new(file));
                Some(read.map_err(|e| OptionError::NoFile {
                    spec,
                    text: file.to_owned(),
                    why: e.to_string(),
                })?)
            }
        };
        let note = network.as_ref().map_or_else(
            || "evaluation by material".to_owned(),
            |network| {
                format!(
                    "network {:08x} of {} lanes, evaluated with {}",
                    network.checksum(),
                    network.lanes(),
                    network.level()
                )
            },
        );
        self.network = network.map(Arc::new);
        // The table's scores are the old evaluation's.
        self.new_game();
        Ok(Some(note))
    }

    fn set_threads(&mut self, wanted: usize) -> Option<String> {
        let most = machine_threads();
        let threads = wanted.min(most);
        if let Some(pool) = &mut self.pool
            && threads != self.options.threads
        {
            pool.set_threads(threads);
        }
        self.options.threads = threads;
        (threads < wanted)
            .then(|| format!("{wanted} threads asked for, {threads} used: the machine has no more"))
    }

    /// Whether moves of opening books are played: a client that has said nothing of it expects
    /// what is usual in its protocol.
    pub fn use_book(&mut self, on: bool) {
        self.options.own_book = on;
    }

    /// Opens the books if that was not done yet. Returns what the user should know.
    fn open_books(&mut self) -> Option<String> {
        if self.own_book.is_some() {
            return None;
        }
        let (own_book, problems) = OwnBook::open(&self.options.book_files);
        self.own_book = Some(own_book);
        (!problems.is_empty()).then(|| problems.join("; "))
    }

    /// The book's move for the position, if books are to be used for such a search: not for
    /// analysis without end, on the opponent's time, of several lines, or for a mate.
    fn book_move(&self, limits: &Limits) -> Option<Answer> {
        let options = &self.options;
        let position = self.position.as_ref()?;
        let analysis = limits.infinite || limits.ponder || limits.mate.is_some();
        let black = usize::from(position.stm() == Color::Black);
        let ply = 2 * (position.fullmove() as usize).saturating_sub(1) + black;
        let ply = ply.max(position.ply_count());
        if !options.own_book || analysis || options.multipv > 1 || ply >= options.book_depth {
            return None;
        }
        self.own_book.as_ref()?.ask(&Question {
            position,
            only: &limits.search_moves,
            banned: &limits.ban_moves,
            selection: options.book_selection,
            seed: match options.book_seed {
                0 => self.game_seed,
                seed => seed,
            },
        })
    }

    /// A new game begins: all that was learnt is forgotten, and books are opened anew.
    pub fn new_game(&mut self) {
        self.own_book = None;
        self.game_seed = self.game_seed.wrapping_add(1);
        if let Some(pool) = &mut self.pool {
            pool.clear();
        }
    }

    /// Makes threads and table if they are not there yet. Returns what the user should know.
    ///
    /// # Errors
    /// [`HashError`] if there is no memory even for a small table.
    pub fn prepare(&mut self) -> Result<Option<String>, HashError> {
        let mut note = None;
        if self.pool.is_none() {
            let wanted = self.options.hash_mib;
            let threads = self.options.threads;
            let pool = match Pool::new(threads, wanted) {
                Ok(pool) => pool,
                Err(e) => {
                    let pool = Pool::new(threads, 1)?;
                    self.options.hash_mib = 1;
                    note = Some(format!("{e}; 1 MB is used"));
                    pool
                }
            };
            self.signals = Some(pool.signals());
            self.pool = Some(pool);
        }
        Ok(note)
    }

    /// Starts to think about the position and returns at once; without a position nothing
    /// happens. `received` is when the wish arrived: clocks run from there. The bans set before
    /// are added to the limits.
    ///
    /// # Errors
    /// [`HashError`] as from [`Engine::prepare`].
    pub fn go(
        &mut self,
        mut limits: Limits,
        received: Instant,
        mut reporter: Box<dyn Reporter>,
    ) -> Result<(), HashError> {
        if let Some(note) = self.prepare()? {
            reporter.message(&note);
        }
        limits.ban_moves.extend_from_slice(&self.bans);
        if self.options.own_book
            && let Some(note) = self.open_books()
        {
            reporter.message(&note);
        }
        if let Some(answer) = self.book_move(&limits) {
            reporter.message(&answer.text());
            reporter.finished(&Outcome {
                best: Some(answer.chosen.mv),
                ponder: None,
                score: answer.chosen.score.map_or(0, Score::from),
                no_mate_in: 0,
                depth: 0,
                nodes: 0,
                time: received.elapsed(),
            });
            return Ok(());
        }
        let settings = self.settings();
        if let (Some(pool), Some(position)) = (&mut self.pool, &self.position) {
            pool.start(position.clone(), limits, settings, received, reporter);
        }
        Ok(())
    }

    /// Asks the running search to end.
    pub fn stop(&self) {
        if let Some(signals) = &self.signals {
            signals.stop();
        }
    }

    /// Tells the running search that the expected move was played.
    pub fn ponder_hit(&self) {
        if let Some(signals) = &self.signals {
            signals.ponder_hit();
        }
    }

    /// Waits for the running search to end.
    pub fn wait(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.wait();
        }
    }

    /// The evaluation of the position without any search, for the side to move; `None` without
    /// a position.
    pub fn static_value(&self) -> Option<Score> {
        let p = self.position.as_ref()?;
        Some(eval::evaluate(p, self.network.as_ref()))
    }

    /// What the table knows of a position.
    pub fn probe(&self, position: &Position) -> Option<ProbeResult> {
        self.pool.as_ref()?.probe(position)
    }

    fn settings(&self) -> Settings {
        Settings {
            multipv: self.options.multipv,
            move_overhead: Duration::from_millis(self.options.move_overhead_ms),
            slow_mover: self.options.slow_mover,
            can_ponder: self.options.ponder,
            nodes_per_ms: (self.options.nodes_per_ms > 0).then_some(self.options.nodes_per_ms),
            skill: self.options.skill(),
            rules: RuleSet {
                natural_limit: (self.options.natural_limit > 0)
                    .then_some(self.options.natural_limit),
                ..self.options.rules
            },
            network: self.network.clone(),
            #[cfg(feature = "tune")]
            params: self.options.params,
        }
    }
}

/// Another number each time.
fn seed_of_the_moment() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}

/// The most threads that run at once on this machine.
pub fn machine_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The position after the moves; with the error the one before the move that failed, if any.
pub fn replay<S: AsRef<str>>(
    fen: Option<&str>,
    moves: &[S],
) -> (Option<Position>, Option<PositionError>) {
    let mut position = match fen.map_or_else(|| Ok(Position::startpos()), Position::from_fen) {
        Ok(position) => position,
        Err(e) => return (None, Some(PositionError::Fen(e))),
    };
    for (i, text) in moves.iter().enumerate() {
        let text = text.as_ref();
        let played = match text.parse::<Move>() {
            Ok(m) => position.play(m).map_err(|e| e.why.to_owned()),
            Err(e) => Err(e.to_string()),
        };
        if let Err(why) = played {
            let (ply, text) = (i + 1, text.to_owned());
            return (Some(position), Some(PositionError::Move { ply, text, why }));
        }
    }
    (Some(position), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_move_keeps_the_prefix_and_a_bad_fen_nothing() {
        let mut engine = Engine::new();
        let error = engine.set_position(None, &["h2e2", "a0a9", "h9g7"]);
        match error {
            Err(PositionError::Move { ply, text, .. }) => assert_eq!((ply, &*text), (2, "a0a9")),
            other => panic!("{other:?}"),
        }
        assert_eq!(engine.position().map(Position::ply_count), Some(1));
        assert!(matches!(
            engine.set_position(Some("9/9 w"), &["h2e2"]),
            Err(PositionError::Fen(_))
        ));
        assert!(engine.position().is_none());
        assert_eq!(engine.set_position(None, &["H2-E2"]), Ok(()));
        assert!(engine.position().is_some());
    }

    #[test]
    fn bans_are_replaced_and_end_with_the_position() {
        let mut engine = Engine::new();
        engine.set_bans(&["h2e2", "a9a8", "zzzz"]);
        assert_eq!(engine.bans.len(), 1);
        engine.set_bans(&["b2e2", "b0c2"]);
        assert_eq!(engine.bans.len(), 2);
        engine.set_position(None, &["h2e2"]).unwrap();
        assert!(engine.bans.is_empty());
    }

    #[test]
    fn a_table_beyond_the_memory_keeps_the_old_one() {
        if available_mib().is_none() {
            return;
        }
        let mut engine = Engine::new();
        let spec = options::find("Hash").unwrap();
        let old = engine.options.hash_mib;
        assert!(engine.set_option(spec, Some("30000000")).is_err());
        assert_eq!(engine.options.hash_mib, old);
        assert_eq!(engine.set_option(spec, Some("8")), Ok(None));
        assert_eq!(engine.options.hash_mib, 8);
    }

    #[test]
    fn threads_are_capped() {
        let mut engine = Engine::new();
        let spec = options::find("threads").unwrap();
        let note = engine.set_option(spec, Some("1024")).unwrap();
        assert_eq!(note.is_some(), machine_threads() < 1024);
        assert!(engine.options.threads <= machine_threads());
    }
}
