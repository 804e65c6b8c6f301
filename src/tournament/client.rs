//! An engine at work: handshake, options, new games, searches with deadlines. Whatever the engine
//! does ends in an answer or a [`Failure`] in bounded time.

use super::dialect::{
    Answer, Dialect, GameText, Go, OptionDecl, Thought, go_lines, position_line, read_answer,
    read_option,
};
use super::engine_config::{EngineConfig, Protocol};
use super::log::EngineLog;
use super::process::{Event, Process};
use super::words::nearest;
use crate::types::Move;
use std::fmt;
use std::time::{Duration, Instant};

/// How patient we are, and how much we put up with.
#[derive(Clone, Debug)]
pub struct Patience {
    /// For `uciok`/`ucciok`.
    pub handshake: Duration,
    /// For `readyok`.
    pub ready: Duration,
    /// For an answer to a search without a clock.
    pub search: Duration,
    /// For the answer to `stop`, beyond which the engine counts as hung.
    pub stop: Duration,
    /// For the end after `quit`.
    pub quit: Duration,
    /// Bytes on standard error in the life of a process.
    pub stderr_bytes: u64,
    /// Bytes on standard output in one search.
    pub stdout_bytes: usize,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            handshake: Duration::from_secs(10),
            ready: Duration::from_secs(30),
            search: Duration::from_secs(120),
            stop: Duration::from_secs(2),
            quit: Duration::from_secs(1),
            stderr_bytes: 64 << 20,
            stdout_bytes: 64 << 20,
        }
    }
}

/// What an engine can do wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program cannot be started.
    NoStart(String),
    /// It does not say `uciok` or `ucciok`, or does not become ready after it.
    NoHandshake(String),
    /// The process ended.
    Crash(String),
    /// It closed its pipes but lives on.
    Disconnect,
    /// No answer, not even to `stop`.
    Stall,
    /// An answer that cannot be read, or more than can be.
    Garbage(String),
    /// A flood on standard error.
    StderrFlood,
    /// The event was given up while the engine was waited for.
    Aborted,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoStart(e) => write!(f, "cannot be started: {e}"),
            Failure::NoHandshake(e) => write!(f, "no handshake{e}"),
            Failure::Crash(how) => write!(f, "the process ended ({how})"),
            Failure::Disconnect => f.write_str("closed its pipes"),
            Failure::Stall => f.write_str("does not answer"),
            Failure::Garbage(text) => write!(f, "unreadable output: {text}"),
            Failure::StderrFlood => f.write_str("floods standard error"),
            Failure::Aborted => f.write_str("given up"),
        }
    }
}

impl std::error::Error for Failure {}

/// The answer to a search.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What was answered.
    pub answer: Answer,
    /// Time from the `go` written to the line read.
    pub elapsed: Duration,
    /// What the engine said of it.
    pub thought: Thought,
    /// It came only after the deadline.
    pub late: bool,
}

/// A search begun on the opponent's time.
#[derive(Clone, Debug)]
struct Pondering {
    expected: Move,
    thought: Thought,
    early: Option<Answer>,
}

/// A started engine.
#[derive(Debug)]
pub struct Client {
    /// Its name in the event.
    pub name: String,
    process: Process,
    dialect: Dialect,
    options: Vec<OptionDecl>,
    millis: bool,
    answers_ready: bool,
    patience: Patience,
    pondering: Option<Pondering>,
    warnings: Vec<String>,
}

/// Options by which engines play from books of their own.
const OWN_BOOKS: [&str; 2] = ["usebook", "OwnBook"];

/// Waiting is done in slices, so that a given-up event is noticed.
const SLICE: Duration = Duration::from_millis(200);

/// Tells that the event is given up.
pub type Abort<'a> = &'a (dyn Fn() -> bool + Sync);

impl Client {
    /// Starts the engine and brings it to `readyok`.
    ///
    /// # Errors
    /// [`Failure::NoStart`] or [`Failure::NoHandshake`].
    pub fn start(
        config: &EngineConfig,
        patience: &Patience,
        cpus: &[usize],
        log: &EngineLog,
        abort: Abort<'_>,
    ) -> Result<Client, Failure> {
        let spawn = || -> Result<Client, Failure> {
            let command = config.command().map_err(Failure::NoStart)?;
            let process = Process::spawn(command, patience.stderr_bytes, cpus, log.clone())
                .map_err(|e| Failure::NoStart(format!("{}: {e}", config.cmd)))?;
            Ok(Client {
                name: config.name.clone(),
                process,
                dialect: Dialect::Uci,
                options: Vec::new(),
                millis: true,
                answers_ready: true,
                patience: patience.clone(),
                pondering: None,
                warnings: Vec::new(),
            })
        };
        let full = patience.handshake;
        let mut client = match config.proto {
            Protocol::Ucci => spawn()?.greeted("ucci", full, abort)?,
            Protocol::Uci | Protocol::Fsf => spawn()?.greeted("uci", full, abort)?,
            // A pure UCCI engine ignores `uci` or leaves; it is then started afresh.
            Protocol::Auto => match spawn()?.greeted("uci", full.min(3 * SLICE * 5), abort) {
                Ok(client) => client,
                Err(Failure::Aborted) => return Err(Failure::Aborted),
                Err(_) => spawn()?.greeted("ucci", full, abort)?,
            },
        };
        client.set_up(config, abort).map_err(|e| match e {
            Failure::Stall => Failure::NoHandshake(": no readyok".into()),
            e => e,
        })?;
        Ok(client)
    }

    /// Says hello and reads what the engine tells of itself.
    fn greeted(
        mut self,
        hello: &str,
        patience: Duration,
        abort: Abort<'_>,
    ) -> Result<Client, Failure> {
        let done = format!("{hello}ok");
        if hello == "ucci" {
            self.dialect = Dialect::Ucci;
        }
        self.process.send(hello);
        let mut options = Vec::new();
        let greeted = self.wait_for(patience, abort, |line| {
            options.extend(read_option(line));
            line == done
        });
        self.options = options;
        let why = match greeted {
            Ok(()) => return Ok(self),
            Err(Failure::Stall) => {
                let tail = self.process.stderr_tail();
                if tail.is_empty() {
                    format!("no {done}")
                } else {
                    format!("no {done}; standard error: {tail}")
                }
            }
            Err(Failure::Crash(how)) => format!("the process ended ({how})"),
            Err(Failure::Disconnect) => "closed its pipes".into(),
            Err(e) => return Err(e),
        };
        Err(Failure::NoHandshake(format!(": {why}")))
    }

    fn set_up(&mut self, config: &EngineConfig, abort: Abort<'_>) -> Result<(), Failure> {
        if self.dialect == Dialect::Ucci {
            self.millis = self.declared("usemillisec").is_some();
            if self.millis {
                self.set_option("usemillisec", "true");
            }
        } else if self
            .declared("UCI_Variant")
            .is_some_and(|o| o.vars.iter().any(|v| v == "xiangqi"))
            || config.proto == Protocol::Fsf
        {
            self.dialect = Dialect::Fsf;
            self.set_option("UCI_Variant", "xiangqi");
        }
        if config.ponder && self.declared("Ponder").is_some() {
            self.set_option("Ponder", "true");
        }
        let told = config.option_texts();
        // Openings come from the event: an engine's own book would undo them.
        for name in OWN_BOOKS {
            let wanted = told.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
            if !wanted && let Some(declared) = self.declared(name) {
                let name = declared.name.clone();
                self.set_option(&name, "false");
            }
        }
        for (name, value) in told {
            self.check_option(&name, &value);
            self.set_option(&name, &value);
        }
        match self.ready(abort) {
            // The league's minimum knows no isready.
            Err(Failure::Stall) if self.dialect == Dialect::Ucci => {
                self.answers_ready = false;
                self.warnings.push("does not answer isready".into());
                Ok(())
            }
            other => other,
        }
    }

    fn declared(&self, name: &str) -> Option<&OptionDecl> {
        self.options
            .iter()
            .find(|o| o.name.eq_ignore_ascii_case(name))
    }

    /// How it is spoken to.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The options the engine declares.
    pub fn options(&self) -> &[OptionDecl] {
        &self.options
    }

    fn check_option(&mut self, name: &str, value: &str) {
        let warning = match self.declared(name) {
            None => {
                let names = self.options.iter().map(|o| o.name.as_str());
                let hint = nearest(name, names)
                    .map_or(String::new(), |n| format!("; did you mean {n:?}?"));
                Some(format!("does not declare an option {name:?}{hint}"))
            }
            Some(o) if o.kind == "spin" => match value.parse::<i64>() {
                Ok(v) if o.min.is_some_and(|m| v < m) || o.max.is_some_and(|m| v > m) => {
                    Some(format!(
                        "option {name}={value} is out of range {}..{}",
                        o.min.unwrap_or(i64::MIN),
                        o.max.unwrap_or(i64::MAX)
                    ))
                }
                Ok(_) => None,
                Err(_) => Some(format!("option {name}={value}: a number is wanted")),
            },
            Some(o) if o.kind == "combo" && !o.vars.iter().any(|v| v == value) => Some(format!(
                "option {name}={value}: known are {}",
                o.vars.join(" ")
            )),
            Some(_) => None,
        };
        self.warnings.extend(warning);
    }

    /// What is worth telling the user of this engine; emptied.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Sets an option.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let line = match (self.dialect, value) {
            (Dialect::Ucci, "") => format!("setoption {name}"),
            (Dialect::Ucci, v) => format!("setoption {name} {v}"),
            (_, "") => format!("setoption name {name}"),
            (_, v) => format!("setoption name {name} value {v}"),
        };
        self.process.send(&line);
    }

    /// The next line, or why there is none before the deadline.
    fn line(&mut self, deadline: Instant, abort: Abort<'_>) -> Result<(Instant, String), Failure> {
        loop {
            let slice = deadline.min(Instant::now() + SLICE);
            match self.process.next(slice) {
                Some(Event::Line(at, text)) => return Ok((at, text)),
                Some(Event::Overlong) => {
                    return Err(Failure::Garbage("a line without end".into()));
                }
                Some(Event::StderrFlood) => return Err(Failure::StderrFlood),
                Some(Event::Eof | Event::WriteFailed) => return Err(self.gone()),
                None if abort() => return Err(Failure::Aborted),
                None if Instant::now() >= deadline => return Err(Failure::Stall),
                None => {}
            }
        }
    }

    /// Reads up to the line that is waited for. What an engine says besides must not keep
    /// the deadline from us.
    fn wait_for(
        &mut self,
        patience: Duration,
        abort: Abort<'_>,
        mut is_it: impl FnMut(&str) -> bool,
    ) -> Result<(), Failure> {
        let deadline = Instant::now() + patience;
        let mut bytes = 0;
        loop {
            let (_, line) = self.line(deadline, abort)?;
            if is_it(&line) {
                return Ok(());
            }
            bytes += line.len() + 1;
            if bytes > self.patience.stdout_bytes {
                return Err(Failure::Garbage("a flood on standard output".into()));
            }
            if abort() {
                return Err(Failure::Aborted);
            }
            if Instant::now() >= deadline {
                return Err(Failure::Stall);
            }
        }
    }

    /// A pipe is closed: did the process end?
    fn gone(&mut self) -> Failure {
        match self.process.wait(Duration::from_millis(300)) {
            Some(status) => {
                let tail = self.process.stderr_tail();
                let tail = if tail.is_empty() {
                    tail
                } else {
                    format!("; standard error: {tail}")
                };
                Failure::Crash(format!("{status}{tail}"))
            }
            None => Failure::Disconnect,
        }
    }

    fn ready(&mut self, abort: Abort<'_>) -> Result<(), Failure> {
        if !self.answers_ready {
            return Ok(());
        }
        self.process.send("isready");
        self.wait_for(self.patience.ready, abort, |line| line == "readyok")
    }

    /// A new game begins.
    ///
    /// # Errors
    /// Any [`Failure`].
    pub fn new_game(&mut self, abort: Abort<'_>) -> Result<(), Failure> {
        self.stop_pondering(abort)?;
        let line = match self.dialect {
            Dialect::Ucci => "setoption newgame",
            _ => "ucinewgame",
        };
        self.process.send(line);
        self.ready(abort)
    }

    /// Lets the engine think, until the deadline `limit` from now; then it is told to stop and
    /// has the patience for stopping to answer late.
    ///
    /// # Errors
    /// Any [`Failure`].
    pub fn go(
        &mut self,
        game: &GameText,
        go: &Go,
        limit: Duration,
        abort: Abort<'_>,
    ) -> Result<Reply, Failure> {
        if let Some(pondering) = self.pondering.take() {
            // Whoever ponders has not heard of moves that are forbidden by now.
            if game.moves.last() == Some(&pondering.expected) && go.banned.0.is_empty() {
                return self.ponder_hit(pondering, go, limit, abort);
            }
            self.pondering = Some(pondering);
            self.stop_pondering(abort)?;
        }
        // What was said between the moves is no answer.
        while let Some(event) = self.process.poll() {
            match event {
                Event::Line(..) => {}
                Event::Overlong => return Err(Failure::Garbage("a line without end".into())),
                Event::StderrFlood => return Err(Failure::StderrFlood),
                Event::Eof | Event::WriteFailed => return Err(self.gone()),
            }
        }
        self.process.send(&position_line(self.dialect, game));
        let lines = go_lines(self.dialect, go, self.millis);
        let start = Instant::now();
        for line in lines {
            self.process.send(&line);
        }
        self.answer(start, limit, Thought::default(), abort)
    }

    fn ponder_hit(
        &mut self,
        pondering: Pondering,
        go: &Go,
        limit: Duration,
        abort: Abort<'_>,
    ) -> Result<Reply, Failure> {
        let start = Instant::now();
        if let Some(answer) = pondering.early {
            return Ok(Reply {
                answer,
                elapsed: Duration::ZERO,
                thought: pondering.thought,
                late: false,
            });
        }
        self.process
            .send(if go.draw && self.dialect == Dialect::Ucci {
                "ponderhit draw"
            } else {
                "ponderhit"
            });
        self.answer(start, limit, pondering.thought, abort)
    }

    fn answer(
        &mut self,
        start: Instant,
        limit: Duration,
        mut thought: Thought,
        abort: Abort<'_>,
    ) -> Result<Reply, Failure> {
        let (mut deadline, mut stopped, mut bytes) = (start + limit, false, 0);
        loop {
            match self.line(deadline, abort) {
                Ok((at, line)) => {
                    if let Some(answer) = read_answer(self.dialect, &line) {
                        let elapsed = at.saturating_duration_since(start);
                        let late = elapsed > limit;
                        return Ok(Reply {
                            answer,
                            elapsed,
                            thought,
                            late,
                        });
                    }
                    thought.read(self.dialect, &line);
                    bytes += line.len() + 1;
                    if bytes > self.patience.stdout_bytes {
                        return Err(Failure::Garbage("a flood on standard output".into()));
                    }
                    // A chatterer must not keep the deadline from us.
                    if Instant::now() >= deadline {
                        if stopped {
                            return Err(Failure::Stall);
                        }
                        stopped = true;
                        self.process.send("stop");
                        deadline = Instant::now() + self.patience.stop;
                    }
                }
                Err(Failure::Stall) if !stopped => {
                    stopped = true;
                    self.process.send("stop");
                    deadline = Instant::now() + self.patience.stop;
                }
                Err(e) => return Err(e),
            }
        }
    }

    /// Lets the engine think on the opponent's time, in the position after its own move and the
    /// reply it expects (the last of `game.moves`).
    pub fn ponder(&mut self, game: &GameText, go: &Go) {
        let Some(&expected) = game.moves.last() else {
            return;
        };
        self.process.send(&position_line(self.dialect, game));
        for line in go_lines(self.dialect, go, self.millis) {
            self.process.send(&line);
        }
        self.pondering = Some(Pondering {
            expected,
            thought: Thought::default(),
            early: None,
        });
    }

    /// The opponent moved: looks whether the pondering engine has spoken already, which it should
    /// not have.
    pub fn hear_pondering(&mut self) {
        let Some(pondering) = &mut self.pondering else {
            return;
        };
        while pondering.early.is_none() {
            match self.process.poll() {
                Some(Event::Line(_, line)) => {
                    pondering.early = read_answer(self.dialect, &line);
                    pondering.thought.read(self.dialect, &line);
                    if pondering.early.is_some() {
                        self.warnings.push("answers while pondering".into());
                    }
                }
                _ => return,
            }
        }
    }

    /// Ends pondering; the answer is thrown away.
    ///
    /// # Errors
    /// Any [`Failure`].
    pub fn stop_pondering(&mut self, abort: Abort<'_>) -> Result<(), Failure> {
        self.hear_pondering();
        let Some(pondering) = self.pondering.take() else {
            return Ok(());
        };
        if pondering.early.is_none() {
            self.process.send("stop");
            let dialect = self.dialect;
            self.wait_for(self.patience.stop, abort, |line| {
                read_answer(dialect, line).is_some()
            })?;
        }
        Ok(())
    }

    /// Says goodbye; whoever does not leave is killed.
    pub fn quit(mut self) {
        self.process.quit(self.patience.quit);
    }
}
