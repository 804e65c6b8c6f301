//! Plays an event: workers with their engines, one thread that plans, records and decides when it
//! is over. What is recorded is the only memory, so a resumed event goes on as if nothing had
//! happened.

use super::client::{Client, Failure};
use super::engine_config::Limits;
use super::game::{GameRules, Lag, failure_word, play};
use super::log::EngineLog;
use super::openings::Opening;
use super::record::{GameRecord, Outcome};
use super::schedule::{Pair, plan};
use super::sprt::SprtState;
use super::state::{Header, State, StateFile};
use super::tally::Tally;
use super::writers::Writers;
use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How an event is run, which does not change what is played.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Games at a time.
    pub concurrency: usize,
    /// Processors to bind engines to, one for each game at a time; empty: none.
    pub pin: Vec<usize>,
    /// On the first interrupt running games are dropped, not finished.
    pub drop_games: bool,
    /// Engines are started afresh for each game.
    pub restart: bool,
    /// Folder for engine logs.
    pub logs: Option<PathBuf>,
    /// Stop after so many games of this run; for tests.
    pub stop_after: Option<usize>,
}

/// Where an event stands.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Games recorded.
    pub done: usize,
    /// Games known to be played in all.
    pub total: usize,
    /// Results so far.
    pub tally: &'a Tally,
}

/// Hears of what happens.
pub trait Observer {
    /// A game was recorded.
    fn game(&mut self, record: &GameRecord, progress: &Progress<'_>);
    /// Something the user should know.
    fn warning(&mut self, text: &str);
    /// An interrupt was heeded.
    fn interrupted(&mut self, running: usize, dropped: bool);
}

/// How an event ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// It was interrupted.
    pub interrupted: bool,
    /// What the sequential test says, if there is one.
    pub sprt: Option<SprtState>,
    /// Time accounts of the engines against ours.
    pub lag: Lag,
    /// Games of this run.
    pub games: usize,
}

#[derive(Clone, Debug)]
struct Job {
    pair: Pair,
    /// 0 or 1: which game of the pair.
    leg: usize,
}

impl Job {
    fn number(&self) -> usize {
        2 * self.pair.number + self.leg
    }

    fn sides(&self) -> (usize, usize) {
        if self.leg == 0 {
            (self.pair.first, self.pair.second)
        } else {
            (self.pair.second, self.pair.first)
        }
    }
}

struct Done {
    record: Option<GameRecord>,
    lag: Lag,
    warnings: Vec<String>,
}

/// What the workers share.
struct Shared<'a> {
    header: &'a Header,
    limits: Vec<Limits>,
    rules: GameRules,
    options: &'a RunOptions,
    abort: AtomicBool,
}

/// Runs the event from where `state` stands.
///
/// # Errors
/// Records cannot be written.
pub fn run(
    state: &mut State,
    mut file: Option<StateFile>,
    options: &RunOptions,
    interrupts: &Receiver<()>,
    observer: &mut dyn Observer,
) -> Result<Finished, String> {
    let header = state.header.clone();
    let shared = Shared {
        limits: header.config.limits()?,
        rules: header.config.game_rules(),
        header: &header,
        options,
        abort: AtomicBool::new(false),
    };
    let mut writers = Writers::open(&header, &state.records)?;
    if let Some(folder) = &options.logs {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let (job_out, jobs) = bounded::<Job>(0);
    let (done_out, done) = bounded::<Done>(options.concurrency);
    std::thread::scope(|scope| {
        for worker in 0..options.concurrency {
            let (shared, jobs, done) = (&shared, jobs.clone(), done_out.clone());
            scope.spawn(move || Worker::new(worker, shared).serve(&jobs, &done));
        }
        drop(done_out);
        let mut conductor = Conductor {
            shared: &shared,
            state,
            file: &mut file,
            writers: &mut writers,
            observer,
            tally: Tally::new(&header.config),
            pending: VecDeque::new(),
            running: 0,
            total: 0,
            stop: false,
            finished: Finished {
                interrupted: false,
                sprt: None,
                lag: Lag::default(),
                games: 0,
            },
        };
        let result = conductor.conduct(job_out, &done, interrupts);
        if result.is_err() {
            shared.abort.store(true, Ordering::SeqCst);
        }
        result.map(|()| conductor.finished)
    })
}

struct Conductor<'a> {
    shared: &'a Shared<'a>,
    state: &'a mut State,
    file: &'a mut Option<StateFile>,
    writers: &'a mut Writers,
    observer: &'a mut dyn Observer,
    tally: Tally,
    pending: VecDeque<Job>,
    running: usize,
    total: usize,
    stop: bool,
    finished: Finished,
}

impl Conductor<'_> {
    fn conduct(
        &mut self,
        job_out: Sender<Job>,
        done: &Receiver<Done>,
        interrupts: &Receiver<()>,
    ) -> Result<(), String> {
        for record in &self.state.records {
            self.tally.add(record);
        }
        self.refill();
        self.test();
        let idle = never::<()>();
        let mut interrupts = interrupts;
        loop {
            self.forfeit_withdrawn()?;
            if self.running == 0 && (self.stop || self.pending.is_empty()) {
                if self.stop || !self.refill() {
                    return Ok(());
                }
                continue;
            }
            let next = if self.stop {
                None
            } else {
                self.pending.front()
            };
            // `select!` cannot leave an arm out; a channel that never takes stands in.
            if let Some(job) = next.cloned() {
                select! {
                    recv(done) -> d => self.finish(d.ok())?,
                    recv(interrupts) -> i => if i.is_ok() { self.interrupt() } else { interrupts = &idle },
                    send(job_out, job) -> sent => if sent.is_ok() {
                        self.pending.pop_front();
                        self.running += 1;
                    },
                }
            } else {
                select! {
                    recv(done) -> d => self.finish(d.ok())?,
                    recv(interrupts) -> i => if i.is_ok() { self.interrupt() } else { interrupts = &idle },
                }
            }
        }
    }

    /// Takes up what the plan knows beyond what is recorded. False if that is nothing.
    fn refill(&mut self) -> bool {
        let plan = plan(&self.shared.header.config, &self.state.records);
        let recorded: HashSet<usize> = self.state.records.iter().map(|r| r.game).collect();
        let ours = |number: usize| match self.shared.header.shard {
            Some((i, n)) => number % n == i - 1,
            None => true,
        };
        self.total = 0;
        self.pending.clear();
        for pair in plan.pairs.iter().filter(|p| ours(p.number)) {
            for leg in 0..2 {
                self.total += 1;
                let job = Job { pair: *pair, leg };
                if !recorded.contains(&job.number()) {
                    self.pending.push_back(job);
                }
            }
        }
        !self.pending.is_empty()
    }

    fn interrupt(&mut self) {
        let again = self.finished.interrupted;
        self.finished.interrupted = true;
        self.stop = true;
        let dropped = again || self.shared.options.drop_games;
        if dropped {
            self.shared.abort.store(true, Ordering::SeqCst);
        }
        self.observer.interrupted(self.running, dropped);
    }

    fn finish(&mut self, done: Option<Done>) -> Result<(), String> {
        self.running -= 1;
        let Some(done) = done else { return Ok(()) };
        for warning in done.warnings {
            self.observer.warning(&warning);
        }
        self.finished.lag.add(&done.lag);
        match done.record {
            Some(record) => self.record(record),
            None => Ok(()),
        }
    }

    fn record(&mut self, record: GameRecord) -> Result<(), String> {
        if let Some(file) = self.file.as_mut() {
            file.append(&record)?;
        }
        self.writers.game(&self.shared.header.config, &record)?;
        self.tally.add(&record);
        self.state.records.push(record);
        self.finished.games += 1;
        self.test();
        if let Some(record) = self.state.records.last() {
            self.observer.game(
                record,
                &Progress {
                    done: self.state.records.len(),
                    total: self.total,
                    tally: &self.tally,
                },
            );
        }
        if self.shared.options.stop_after == Some(self.finished.games) {
            self.stop = true;
            self.shared.abort.store(true, Ordering::SeqCst);
        }
        Ok(())
    }

    /// Ends the event when the sequential test has decided; a shard plays on, for the whole
    /// decides.
    fn test(&mut self) {
        let Some(sprt) = &self.shared.header.config.sprt else {
            return;
        };
        let state = sprt.state(sprt.llr(&self.tally.pairs()));
        self.finished.sprt = Some(state);
        if state != SprtState::Running && self.shared.header.shard.is_none() && !self.stop {
            self.stop = true;
            self.shared.abort.store(true, Ordering::SeqCst);
        }
    }

    /// Games of engines that have withdrawn are decided without play.
    fn forfeit_withdrawn(&mut self) -> Result<(), String> {
        if self.stop {
            return Ok(());
        }
        let gone = self
            .tally
            .withdrawn(&self.state.withdrawn, &self.shared.header.config);
        if gone.is_empty() {
            return Ok(());
        }
        let (out, keep): (VecDeque<Job>, VecDeque<Job>) = self.pending.drain(..).partition(|job| {
            let (red, black) = job.sides();
            gone.contains(&red) || gone.contains(&black)
        });
        self.pending = keep;
        for job in out {
            let (red, black) = job.sides();
            let failed = [gone.contains(&red), gone.contains(&black)];
            let record = forfeit(&job, failed, "withdrawn", "has withdrawn".into());
            self.record(record)?;
        }
        Ok(())
    }
}

fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs())
}

/// A game decided without play: + and − (Art. 21.4).
fn forfeit(job: &Job, failed: [bool; 2], word: &str, why: String) -> GameRecord {
    let (red, black) = job.sides();
    let (result, who) = match failed {
        [true, true] => (Outcome::BothLost, "both sides"),
        [true, false] => (Outcome::Black, "red"),
        _ => (Outcome::Red, "black"),
    };
    GameRecord {
        game: job.number(),
        pair: job.pair.number,
        round: job.pair.round,
        red,
        black,
        result,
        termination: word.into(),
        reason: format!("{who} {why}"),
        forfeit: true,
        fouls: failed.map(u32::from),
        start: String::new(),
        book: 0,
        moves: Vec::new(),
        began: now(),
        took: 0,
    }
}

struct Worker<'a> {
    number: usize,
    shared: &'a Shared<'a>,
    clients: HashMap<usize, Client>,
    started: usize,
}

impl<'a> Worker<'a> {
    fn new(number: usize, shared: &'a Shared<'a>) -> Worker<'a> {
        Worker {
            number,
            shared,
            clients: HashMap::new(),
            started: 0,
        }
    }

    fn serve(mut self, jobs: &Receiver<Job>, done: &Sender<Done>) {
        while let Ok(job) = jobs.recv() {
            let result = self.play(&job);
            if done.send(result).is_err() {
                break;
            }
        }
        for (_, client) in self.clients.drain() {
            client.quit();
        }
    }

    /// The engine, running.
    fn client(&mut self, engine: usize) -> Result<Client, Failure> {
        if let Some(client) = self.clients.remove(&engine) {
            return Ok(client);
        }
        let config = &self.shared.header.config;
        let Some(engine_config) = config.engine.get(engine) else {
            return Err(Failure::NoStart("no such engine".into()));
        };
        self.started += 1;
        let log = match &self.shared.options.logs {
            Some(folder) => {
                let name: String = engine_config
                    .name
                    .chars()
                    .map(|c| if c.is_alphanumeric() { c } else { '_' })
                    .collect();
                let file = format!(
                    "{name}-{}-{}-{}.log",
                    std::process::id(),
                    self.number + 1,
                    self.started
                );
                EngineLog::create(&folder.join(file)).unwrap_or_default()
            }
            None => EngineLog::default(),
        };
        let pin = &self.shared.options.pin;
        let cpu = (!pin.is_empty()).then(|| pin[self.number % pin.len()]);
        Client::start(
            engine_config,
            &config.patience(),
            cpu.as_slice(),
            &log,
            &|| self.shared.abort.load(Ordering::Relaxed),
        )
    }

    fn play(&mut self, job: &Job) -> Done {
        let (red, black) = job.sides();
        let others: Vec<usize> = self
            .clients
            .keys()
            .copied()
            .filter(|&e| e != red && e != black)
            .collect();
        for engine in others {
            if let Some(client) = self.clients.remove(&engine) {
                client.quit();
            }
        }
        let mut done = Done {
            record: None,
            lag: Lag::default(),
            warnings: Vec::new(),
        };
        let clients = [self.client(red), self.client(black)];
        let clients = match clients {
            [Ok(a), Ok(b)] => [a, b],
            other => {
                self.no_start(job, other, &mut done);
                return done;
            }
        };
        self.play_with(job, clients, &mut done);
        done
    }

    /// At least one engine did not come to the board.
    fn no_start(&mut self, job: &Job, clients: [Result<Client, Failure>; 2], done: &mut Done) {
        let (red, black) = job.sides();
        let mut failed = [false, false];
        let (mut word, mut why) = ("no_handshake", Vec::new());
        for (side, (client, engine)) in clients.into_iter().zip([red, black]).enumerate() {
            match client {
                Ok(client) => {
                    self.clients.insert(engine, client);
                }
                Err(Failure::Aborted) => return,
                Err(failure) => {
                    let name = &self.shared.header.config.engine[engine].name;
                    done.warnings.push(format!("{name}: {failure}"));
                    failed[side] = true;
                    word = failure_word(&failure);
                    why.push(failure.to_string());
                }
            }
        }
        done.record = Some(forfeit(job, failed, word, why.join("; ")));
    }

    fn play_with(&mut self, job: &Job, mut clients: [Client; 2], done: &mut Done) {
        let (red, black) = job.sides();
        let header = self.shared.header;
        let opening = match header.openings.len() {
            0 => Opening::default(),
            n => header.openings[job.pair.number % n].clone(),
        };
        let began = now();
        let start = Instant::now();
        let engines = [red, black];
        let played = play(
            &opening,
            &mut clients,
            engines.map(|e| &self.shared.limits[e]),
            engines.map(|e| header.config.engine[e].ponder),
            &self.shared.rules,
            &|| self.shared.abort.load(Ordering::Relaxed),
        );
        for client in &mut clients {
            let warnings = client.take_warnings();
            done.warnings
                .extend(warnings.iter().map(|w| format!("{}: {w}", client.name)));
        }
        done.lag = played.lag;
        for (side, client) in clients.into_iter().enumerate() {
            if played.broken[side] {
                drop(client);
            } else if self.shared.options.restart {
                client.quit();
            } else {
                self.clients.insert(engines[side], client);
            }
        }
        if let Some(result) = played.result {
            done.record = Some(GameRecord {
                game: job.number(),
                pair: job.pair.number,
                round: job.pair.round,
                red,
                black,
                result,
                termination: played.termination.into(),
                reason: played.reason,
                forfeit: false,
                fouls: played.fouls,
                start: opening.fen,
                book: opening.moves.len(),
                moves: played.moves,
                began,
                took: start.elapsed().as_millis() as u64,
            });
        }
    }
}
