//! The conversation: lines and search reports in, replies out, one after the other, never
//! waiting for a search.
//!
//! Lines are handled in the order they came, so a `stop` ends every `go` before it on the wire
//! and none after it. While a search runs, `isready`, `stop`, `ponderhit`, `probe` and `quit` are
//! served at once. Settings wait until it is over. So does whatever else comes while a search
//! will end by itself or has been stopped: every `go` then gets its answer, and clients that
//! send `stop`, `position`, `go` in one burst are served. While nothing but `stop` would end the
//! search, `position` and `go` are refused with a message.

use super::command::{Command, PositionText, Start};
use super::go::GoWords;
use super::io::{Input, Output};
use super::report::{Event, ToSession};
use super::task::{Running, Task, Waiting};
use super::{Context, Dialect, display, jobs, ucci};
use crate::engine::{self, Engine, PositionError, options};
use crate::search::{Limits, Outcome};
use crate::types::score;
use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a search may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);
/// How long the last lines may take to be written.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);
/// For people at a terminal.
const HELP: &str = "uci or ucci first; then position, go, stop, isready, setoption, ucinewgame, \
                    d, eval, go perft N, bench, quit; chuhe --help tells of the other commands";
/// Commands that may wait for the end of a search; further ones wait in the pipe.
const LONGEST_QUEUE: usize = 10_000;

/// One conversation.
#[derive(Debug)]
pub struct Session {
    engine: Engine,
    out: Output,
    input: Receiver<Input>,
    sender: Sender<Event>,
    events: Receiver<Event>,
    dialect: Option<Dialect>,
    /// A position or a search was asked for since the hello.
    in_use: bool,
    running: Option<Running>,
    waiting: VecDeque<Waiting>,
    /// An answer was given and nothing was asked since: a `stop` may have crossed it.
    answered: bool,
    /// Nothing more will be read.
    ended: bool,
    /// `quit` came: leave when the search has ended, at the latest now.
    leaving: Option<Instant>,
}

impl Session {
    /// A conversation over these channels.
    pub fn new(input: Receiver<Input>, out: Output) -> Session {
        let (sender, events) = unbounded();
        Session {
            engine: Engine::new(),
            out,
            input,
            sender,
            events,
            dialect: None,
            in_use: false,
            running: None,
            waiting: VecDeque::new(),
            answered: false,
            ended: false,
            leaving: None,
        }
    }

    /// Converses until `quit`, until the input has ended and the last search is answered, or
    /// until nobody hears the answers.
    pub fn run(mut self) {
        while !self.is_over() {
            let input = if self.reads() {
                self.input.clone()
            } else {
                never()
            };
            let deadline = self.leaving.map_or_else(never, |at| {
                after(at.saturating_duration_since(Instant::now()))
            });
            select! {
                recv(input) -> got => self.hear(got.unwrap_or(Input::End)),
                recv(self.events) -> got => if let Ok(event) = got {
                    self.report(event);
                },
                recv(self.out.ended()) -> _ => break,
                recv(deadline) -> _ => break,
            }
            self.take_turns();
        }
        let finished = self.running.is_none();
        self.signal_stop();
        if self.leaving.is_some() && self.dialect() == Dialect::Ucci {
            self.out.say("bye");
        }
        self.out.close(CLOSE_PATIENCE);
        if !finished {
            // Its threads might keep us; they end with the process.
            std::mem::forget(self.engine);
        }
    }

    fn is_over(&self) -> bool {
        let idle = self.running.is_none();
        idle && (self.leaving.is_some() || self.ended && self.waiting.is_empty())
    }

    /// Whether lines are read now: not after the end, and during a search that ends by itself
    /// neither in batch mode nor while too many commands wait for that.
    fn reads(&self) -> bool {
        let patient = self.engine.options().batch || self.waiting.len() >= LONGEST_QUEUE;
        let held_up = patient && self.running.as_ref().is_some_and(Running::will_end);
        !self.ended && !held_up
    }

    /// The protocol; people who type without a hello are answered in UCI.
    fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or(Dialect::Uci)
    }

    fn message(&self, text: &str) {
        self.out.say(self.dialect().message(text));
    }

    // ---- lines ----

    fn hear(&mut self, input: Input) {
        match input {
            Input::Line { text, received } => {
                // In batch mode a line may have waited long: its clock starts now.
                let batch = self.engine.options().batch;
                let received = if batch { Instant::now() } else { received };
                self.handle(Command::parse(&text), received);
            }
            Input::TooLong => self.message("the line is too long and was dropped"),
            Input::End => {
                self.ended = true;
                if self.running.as_ref().is_some_and(|r| !r.will_end()) {
                    self.stop();
                }
            }
        }
    }

    fn handle(&mut self, command: Command, received: Instant) {
        if !matches!(command, Command::Stop | Command::Empty) {
            self.answered = false;
        }
        match command {
            Command::Empty => {}
            Command::Hello(dialect) => self.hello(dialect),
            Command::IsReady => {
                if self.running.is_none() {
                    self.prepare();
                }
                self.out.say("readyok");
            }
            Command::Stop => self.stop(),
            Command::PonderHit { draw } => self.ponder_hit(draw),
            Command::Probe(text) => self.probe(&text),
            Command::Quit => self.quit(),
            Command::Display => self.display(),
            Command::Help => self.message(HELP),
            Command::Unknown(word) => {
                // Before the hello nothing but its answer may be said.
                if self.dialect.is_some() {
                    self.message(&format!("unknown command {word:?}"));
                }
            }
            command => self.in_turn(command, received),
        }
    }

    /// What cannot be done during a search: done, queued or refused.
    fn in_turn(&mut self, command: Command, received: Instant) {
        let Some(running) = &self.running else {
            self.execute(command, Some(received));
            return;
        };
        let is_setting = matches!(command, Command::SetOption(_) | Command::NewGame);
        if !is_setting && !running.will_end() {
            self.message("refused while thinking: stop comes first");
        } else if self.waiting.len() >= LONGEST_QUEUE {
            // Settings during a search without end: `stop` must still be read behind them.
            self.message("refused: too many commands wait for the end of the search");
        } else {
            // Behind a search that was stopped the client counts its time from now; behind
            // one that goes on it cannot know when its turn comes.
            let received = running.stopped.then_some(received);
            self.waiting.push_back(Waiting {
                command,
                received,
                stopped: false,
                hit: None,
            });
        }
    }

    fn execute(&mut self, command: Command, received: Option<Instant>) {
        match command {
            Command::SetOption(text) => {
                let (name, value) = text.parts(|name| options::find(name).is_some());
                self.set_option(name, value);
            }
            Command::NewGame => self.engine.new_game(),
            Command::Position(text) => {
                self.in_use = true;
                self.set_position(&text);
            }
            Command::BanMoves(moves) => self.engine.set_bans(&moves),
            Command::Go(words) => {
                self.in_use = true;
                self.go(&words, received.unwrap_or_else(Instant::now));
            }
            Command::Eval => self.eval(),
            Command::Bench(depth) => {
                let job = jobs::start_bench(depth, self.sender.clone());
                self.start_job(job);
            }
            _ => {}
        }
    }

    fn hello(&mut self, dialect: Dialect) {
        match self.dialect {
            // The first hello decides. Clients that do not know what they talk to say both,
            // one after the other; a later change of mind is taken when nothing is going on.
            Some(old) if old != dialect && (!self.in_use || self.running.is_some()) => {
                self.message("the first hello has chosen the protocol");
            }
            _ => {
                self.dialect = Some(dialect);
                self.in_use = false;
                self.engine.use_book(dialect == Dialect::Ucci);
                for line in dialect.hello() {
                    self.out.say(line);
                }
            }
        }
    }

    fn prepare(&mut self) {
        match self.engine.prepare() {
            Ok(None) => {}
            Ok(Some(note)) => self.message(&note),
            Err(e) => self.message(&e.to_string()),
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(spec) = options::find(name) else {
            // Clients send options of other engines; that is no error.
            if self.engine.options().debug {
                self.message(&format!("unknown option {name:?}"));
            }
            return;
        };
        match self.engine.set_option(spec, value) {
            Ok(None) => {}
            Ok(Some(note)) => self.message(&note),
            Err(e) => self.message(&e.text(self.dialect() == Dialect::Ucci)),
        }
    }

    fn set_position(&mut self, text: &PositionText) {
        let fen = match &text.start {
            Start::Startpos => None,
            Start::Fen(fen) => Some(fen.as_str()),
            Start::Missing(found) => {
                self.engine.clear_position();
                self.message(&format!(
                    "no position: startpos or fen is expected, found {found:?}"
                ));
                return;
            }
        };
        if let Err(e) = self.engine.set_position(fen, &text.moves) {
            self.message(&e.to_string());
        }
    }

    fn probe(&mut self, text: &PositionText) {
        let (position, fault) = match &text.start {
            Start::Startpos => engine::replay(None, &text.moves),
            Start::Fen(fen) => engine::replay(Some(fen), &text.moves),
            Start::Missing(_) => (self.engine.position().cloned(), None),
        };
        if let Some(fault) = &fault {
            self.message(&fault.to_string());
        }
        // After a bad move it is not the position that was meant.
        let position = position.filter(|_| !matches!(fault, Some(PositionError::Move { .. })));
        let entry = position.and_then(|p| self.engine.probe(&p));
        self.out.say(ucci::pop_hash(entry.as_ref()));
    }

    fn display(&mut self) {
        match self.engine.position() {
            Some(position) => display(position).into_iter().for_each(|l| self.out.say(l)),
            None => self.message("no position"),
        }
    }

    // ---- searches ----

    fn go(&mut self, words: &GoWords, received: Instant) {
        for fault in &words.faults {
            self.message(fault);
        }
        let Some(position) = self.engine.position() else {
            self.message("no position to think about");
            let waits = words.infinite || words.ponder;
            if waits && !self.ended {
                self.running = Some(Running::new(Task::Nothing, words.infinite, words.ponder));
            } else {
                self.answer_nothing();
            }
            return;
        };
        if let Some(depth) = words.perft {
            let depth = depth.clamp(0, 30) as u32;
            let job = jobs::start_perft(position.clone(), depth, self.sender.clone());
            self.start_job(job);
            return;
        }
        if words.is_static() && self.dialect() == Dialect::Ucci {
            self.answer_static();
            return;
        }
        let mut limits = words.limits(position.stm(), !self.engine.options().use_millisec);
        limits.search_moves = self.engine.legal_of(&words.search_moves);
        if limits.search_moves.is_empty() && !words.search_moves.is_empty() {
            self.message("go searchmoves: none of the moves is legal, all are searched");
        }
        let mut running = Running::new(Task::Search, limits.infinite, limits.ponder);
        running.draw = words.draw;
        running.mate = limits.mate;
        self.start(running, limits, received);
    }

    /// The static value: the answer to `go depth 0` in UCCI, which holds no move.
    fn answer_static(&mut self) {
        if let Some(position) = self.engine.position()
            && let Some(value) = self.engine.static_value()
        {
            self.out.say(if position.has_legal_move() {
                format!("info depth 0 score {}", ucci::score_number(value))
            } else {
                self.dialect().lost().to_owned()
            });
        }
        self.answer_nothing();
    }

    fn eval(&self) {
        self.message(&match self.engine.static_value() {
            Some(value) => format!("static value {value} (hundredths of a pawn, side to move)"),
            None => "no position".to_owned(),
        });
    }

    fn start(&mut self, running: Running, limits: Limits, received: Instant) {
        let reporter = Box::new(ToSession(self.sender.clone()));
        self.running = Some(running);
        if let Err(e) = self.engine.go(limits, received, reporter) {
            self.message(&e.to_string());
            self.finish(&Outcome {
                best: None,
                ponder: None,
                score: 0,
                no_mate_in: 0,
                depth: 0,
                nodes: 0,
                time: Duration::ZERO,
            });
        } else if self.ended && self.running.as_ref().is_some_and(|r| !r.will_end()) {
            self.stop();
        }
    }

    fn start_job(&mut self, job: std::io::Result<Arc<AtomicBool>>) {
        match job {
            Ok(flag) => self.running = Some(Running::new(Task::Job(flag), false, false)),
            Err(e) => self.message(&format!("no thread for it: {e}")),
        }
    }

    /// Ends what runs, and every search that waits behind it.
    fn stop(&mut self) {
        for waiting in &mut self.waiting {
            waiting.stopped = true;
        }
        if let Some(running) = &mut self.running {
            running.stopped = true;
            self.signal_stop();
            self.release();
        } else if self.answered {
            // It crossed our answer on the wire and wants no other: one sent now would be
            // taken for the answer to the next `go`.
            self.answered = false;
        } else if self.dialect() == Dialect::Ucci {
            self.out.say("nobestmove");
        }
    }

    fn signal_stop(&self) {
        match &self.running {
            Some(Running {
                task: Task::Job(flag),
                ..
            }) => flag.store(true, Ordering::Relaxed),
            Some(_) => self.engine.stop(),
            None => {}
        }
    }

    fn ponder_hit(&mut self, draw: bool) {
        let is_ponder = |w: &&mut Waiting| matches!(&w.command, Command::Go(go) if go.ponder);
        if let Some(waiting) = self.waiting.iter_mut().rev().find(is_ponder) {
            waiting.hit = Some(draw);
        } else if let Some(running) = &mut self.running
            && running.ponder
        {
            running.ponder = false;
            running.draw |= draw;
            self.engine.ponder_hit();
            self.release();
        }
    }

    /// Lets an end out that was kept back, if it may be told now.
    fn release(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        if !running.will_end() {
            return;
        }
        if let Some(outcome) = running.held.take() {
            self.finish(&outcome);
        } else if matches!(running.task, Task::Nothing) {
            self.running = None;
            self.answer_nothing();
        }
    }

    fn quit(&mut self) {
        self.waiting.clear();
        self.ended = true;
        self.leaving = Some(Instant::now() + QUIT_PATIENCE);
        match &self.running {
            Some(Running {
                task: Task::Job(_), ..
            }) => {
                self.signal_stop();
                self.leaving = Some(Instant::now());
            }
            Some(_) => self.stop(),
            None => {}
        }
    }

    // ---- reports ----

    fn report(&mut self, event: Event) {
        let Some(running) = &mut self.running else {
            return;
        };
        match event {
            Event::Message(text) => self.message(&text),
            Event::JobLine(line) => self.out.say(line),
            Event::JobDone => {
                self.running = None;
                self.answered = true;
            }
            Event::Finished(outcome) => {
                if running.will_end() {
                    self.finish(&outcome);
                } else {
                    running.held = Some(outcome);
                }
            }
            Event::Line(line) => {
                let options = self.engine.options();
                let context = Context {
                    multipv: options.multipv > 1,
                    debug: options.debug,
                    wdl: options.show_wdl,
                };
                if let Some(text) = self.dialect().line(&line, &context) {
                    self.out.chat(text);
                }
            }
            Event::CurrentMove { depth, m, number } => {
                self.out.chat(format!(
                    "info depth {depth} currmove {m} currmovenumber {number}"
                ));
            }
        }
    }

    /// The search has ended and may say so.
    fn finish(&mut self, outcome: &Outcome) {
        let Some(running) = self.running.take() else {
            return;
        };
        let dialect = self.dialect();
        let mut outcome = *outcome;
        if let Some(position) = self.engine.position() {
            // A move is owed as long as there is one, whatever happened to the search.
            outcome.best = outcome
                .best
                .or_else(|| position.legal_moves().first().copied());
            if outcome.best.is_none() {
                self.out.say(dialect.lost());
                self.out.say(dialect.no_move());
            } else {
                // What is proved was said by the search.
                if let Some(wanted) = running.mate
                    && outcome.no_mate_in < wanted
                    && !score::mate_moves(outcome.score)
                        .is_some_and(|n| n > 0 && n <= wanted as i32)
                {
                    self.message(&format!("no mate in {wanted} found"));
                }
                let draw = running.draw && ucci::accepts_draw(&outcome, position);
                self.out.say(dialect.answer(&outcome, draw));
            }
        }
        self.answered = true;
    }

    fn answer_nothing(&mut self) {
        self.out.say(self.dialect().no_move());
        self.answered = true;
    }

    /// After a search: what waited for its end.
    fn take_turns(&mut self) {
        while self.running.is_none()
            && let Some(next) = self.waiting.pop_front()
        {
            self.execute(next.command, next.received);
            if self.running.is_none() {
                continue;
            }
            if let Some(draw) = next.hit {
                self.ponder_hit(draw);
            }
            if next.stopped {
                self.stop_running();
            }
        }
    }

    /// Ends what runs, and nothing else.
    fn stop_running(&mut self) {
        if let Some(running) = &mut self.running {
            running.stopped = true;
            self.signal_stop();
            self.release();
        }
    }
}
