//! Runs SPSA: pairs of games of an engine against itself under shifted options, a journal of what
//! came of them, and the way to go on from it.

use super::client::{Client, Failure};
use super::config::EventConfig;
use super::engine_config::Limits;
use super::event::RunOptions;
use super::game::play;
use super::log::EngineLog;
use super::openings::Opening;
use super::spsa::{Parameter, Spsa, SpsaConfig, Trial};
use crate::util::journal::{Journal, whole_lines};
use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many failed iterations in a row end the run.
const MOST_FAILURES: usize = 20;

/// The head of the state file of a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneHeader {
    /// Version of the format.
    pub chuhe_tune: u32,
    /// Engine (twice), time control, openings, adjudication.
    pub event: EventConfig,
    /// Openings.
    pub openings: Vec<Opening>,
    /// How far and how fast.
    pub spsa: SpsaConfig,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
}

/// An iteration that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    /// Its number.
    k: usize,
    /// Half points of the plus side less those of the minus side.
    d: i32,
}

/// A tuning run.
#[derive(Debug)]
pub struct TuneState {
    /// The head.
    pub header: TuneHeader,
    /// Where the parameters are.
    pub spsa: Spsa,
    /// Iterations done.
    pub done: Vec<usize>,
    journal: Option<Journal>,
}

/// Hears of what happens.
pub trait TuneObserver {
    /// An iteration is done.
    fn iteration(&mut self, done: usize, spsa: &Spsa);
    /// Something the user should know.
    fn warning(&mut self, text: &str);
}

impl TuneState {
    /// A new run, remembered in `path` if given.
    ///
    /// # Errors
    /// Senseless parameters, or a file that exists.
    pub fn create(header: TuneHeader, path: Option<&Path>) -> Result<TuneState, String> {
        if header.parameters.is_empty() {
            return Err("nothing to tune: give parameters".into());
        }
        for p in &header.parameters {
            p.check()?;
        }
        let journal = path.map(|p| Journal::create(p, &header)).transpose()?;
        Ok(TuneState {
            spsa: Spsa::new(header.spsa.clone(), header.parameters.clone()),
            header,
            done: Vec::new(),
            journal,
        })
    }

    /// The run of a state file.
    ///
    /// # Errors
    /// It cannot be read, is none, or is in use.
    pub fn resume(path: &Path) -> Result<TuneState, String> {
        let (mut journal, bytes) = Journal::resume(path)?;
        let bad = |i: usize, e: &dyn std::fmt::Display| {
            format!(
                "{}: line {}: not of a tuning run ({e})",
                path.display(),
                i + 1
            )
        };
        let lines = whole_lines(&bytes);
        let (head, rest) = lines
            .split_first()
            .ok_or_else(|| bad(0, &"the file is empty"))?;
        let header: TuneHeader = serde_json::from_slice(head).map_err(|e| bad(0, &e))?;
        let mut spsa = Spsa::new(header.spsa.clone(), header.parameters.clone());
        let mut done = Vec::new();
        for (i, line) in rest.iter().enumerate() {
            let line: Line = serde_json::from_slice(line).map_err(|e| bad(i + 1, &e))?;
            spsa.apply(line.k, line.d);
            done.push(line.k);
        }
        journal.cut(bytes.len())?;
        Ok(TuneState {
            header,
            spsa,
            done,
            journal: Some(journal),
        })
    }
}

/// The spin options an engine declares, as parameters: from their default, with a twentieth of
/// their range as step.
///
/// # Errors
/// The engine does not start.
pub fn declared_parameters(event: &EventConfig) -> Result<Vec<Parameter>, String> {
    let engine = event.engine.first().ok_or("no engine")?;
    let client = Client::start(
        engine,
        &event.patience(),
        &[],
        &EngineLog::default(),
        &|| false,
    )
    .map_err(|e| format!("{}: {e}", engine.name))?;
    let parameters = client
        .options()
        .iter()
        .filter(|o| o.kind == "spin")
        .filter_map(|o| {
            let (min, max) = (o.min? as f64, o.max? as f64);
            Some(Parameter {
                name: o.name.clone(),
                start: o.default.as_ref()?.parse().ok()?,
                min,
                max,
                step: ((max - min) / 20.0).max(0.5),
            })
        })
        .collect();
    client.quit();
    Ok(parameters)
}

/// The result of an iteration, or why there is none.
type Done = (usize, Result<i32, String>);

struct Shared<'a> {
    header: &'a TuneHeader,
    limits: Vec<Limits>,
    pin: &'a [usize],
    abort: AtomicBool,
}

/// Plays what is left of the run. True if it was interrupted.
///
/// # Errors
/// The state cannot be written, or the engine fails again and again.
pub fn tune(
    state: &mut TuneState,
    options: &RunOptions,
    interrupts: &Receiver<()>,
    observer: &mut dyn TuneObserver,
) -> Result<bool, String> {
    let header = state.header.clone();
    let shared = Shared {
        header: &header,
        limits: header.event.limits()?,
        pin: &options.pin,
        abort: AtomicBool::new(false),
    };
    let (job_out, jobs) = bounded::<Trial>(0);
    let (done_out, done) = bounded::<Done>(options.concurrency);
    std::thread::scope(|scope| {
        for worker in 0..options.concurrency {
            let (shared, jobs, done) = (&shared, jobs.clone(), done_out.clone());
            scope.spawn(move || serve(worker, shared, &jobs, &done));
        }
        drop(done_out);
        let result = conduct(
            state, &shared, job_out, &done, interrupts, options, observer,
        );
        shared.abort.store(true, Ordering::SeqCst);
        result
    })
}

fn conduct(
    state: &mut TuneState,
    shared: &Shared<'_>,
    job_out: Sender<Trial>,
    done: &Receiver<Done>,
    interrupts: &Receiver<()>,
    options: &RunOptions,
    observer: &mut dyn TuneObserver,
) -> Result<bool, String> {
    let mut todo: Vec<usize> = (1..=shared.header.spsa.iterations)
        .filter(|k| !state.done.contains(k))
        .rev()
        .collect();
    let (mut running, mut stop, mut failures, mut played) = (0, false, 0, 0);
    let idle = never();
    let mut interrupts = interrupts;
    while running > 0 || (!stop && !todo.is_empty()) {
        let next = if stop { None } else { todo.last().copied() };
        let mut finished = None;
        // `select!` cannot leave an arm out.
        if let Some(k) = next {
            select! {
                recv(done) -> d => finished = d.ok(),
                recv(interrupts) -> i => if i.is_ok() { stop = true } else { interrupts = &idle },
                send(job_out, state.spsa.trial(k)) -> sent => if sent.is_ok() {
                    todo.pop();
                    running += 1;
                },
            }
        } else {
            select! {
                recv(done) -> d => finished = d.ok(),
                recv(interrupts) -> i => if i.is_ok() {
                    shared.abort.store(true, Ordering::SeqCst);
                } else {
                    interrupts = &idle;
                },
            }
        }
        let Some((k, result)) = finished else {
            continue;
        };
        running -= 1;
        match result {
            Ok(d) => {
                failures = 0;
                played += 1;
                if let Some(journal) = &mut state.journal {
                    journal.append(&Line { k, d })?;
                }
                state.spsa.apply(k, d);
                state.done.push(k);
                observer.iteration(state.done.len(), &state.spsa);
                stop |= options.stop_after == Some(played);
            }
            Err(_) if shared.abort.load(Ordering::SeqCst) => {}
            Err(why) => {
                failures += 1;
                observer.warning(&format!("iteration {k} is played again: {why}"));
                if failures >= MOST_FAILURES {
                    return Err(format!("{MOST_FAILURES} iterations in a row failed: {why}"));
                }
                todo.push(k);
            }
        }
    }
    Ok(!todo.is_empty())
}

fn serve(worker: usize, shared: &Shared<'_>, jobs: &Receiver<Trial>, done: &Sender<Done>) {
    let mut clients: Option<[Client; 2]> = None;
    while let Ok(trial) = jobs.recv() {
        let result = pair(worker, shared, &trial, &mut clients);
        if result.is_err() {
            clients = None;
        }
        if done.send((trial.iteration, result)).is_err() {
            break;
        }
    }
    for client in clients.into_iter().flatten() {
        client.quit();
    }
}

/// Plays the two games of a trial.
fn pair(
    worker: usize,
    shared: &Shared<'_>,
    trial: &Trial,
    clients: &mut Option<[Client; 2]>,
) -> Result<i32, String> {
    let event = &shared.header.event;
    let abort = || shared.abort.load(Ordering::Relaxed);
    if clients.is_none() {
        let cpu = (!shared.pin.is_empty()).then(|| shared.pin[worker % shared.pin.len()]);
        let start = |i: usize| -> Result<Client, Failure> {
            let engine = event
                .engine
                .get(i)
                .ok_or_else(|| Failure::NoStart("no such engine".into()))?;
            Client::start(
                engine,
                &event.patience(),
                cpu.as_slice(),
                &EngineLog::default(),
                &abort,
            )
        };
        *clients = Some([
            start(0).map_err(|e| e.to_string())?,
            start(1).map_err(|e| e.to_string())?,
        ]);
    }
    let Some(two) = clients.as_mut() else {
        return Err("no engines".into());
    };
    let n = shared.header.openings.len().max(1);
    let opening = shared.header.openings.get((trial.iteration - 1) % n);
    let opening = opening.cloned().unwrap_or_default();
    let rules = event.game_rules();
    let mut difference = 0;
    for leg in 0..2 {
        // Whoever sits first has Red; sides change seats between the games.
        let values = if leg == 0 {
            [&trial.plus, &trial.minus]
        } else {
            [&trial.minus, &trial.plus]
        };
        for (client, values) in two.iter_mut().zip(values) {
            for (p, value) in shared.header.parameters.iter().zip(values) {
                client.set_option(&p.name, &value.to_string());
            }
        }
        let limits = [&shared.limits[0], &shared.limits[1]];
        let played = play(&opening, two, limits, [false, false], &rules, &abort);
        if played.broken != [false, false] {
            return Err(played.reason);
        }
        let result = played.result.ok_or("given up")?;
        let [red, black] = result.half_points().map(|x| x as i32);
        difference += if leg == 0 { red - black } else { black - red };
    }
    Ok(difference)
}
