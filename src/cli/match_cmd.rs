//! `chuhe match`: plays engines against each other.

use super::match_args::EventArgs;
use super::{CliError, CliResult, check_writable, file_error};
use crate::notation::Notation;
use crate::tournament::{
    Finished, GameRecord, Header, Observer, Progress, RunOptions, SprtState, State, StateFile,
    cpu_seconds, make_openings, merge, pgn_of, processors, report_json, report_page, report_text,
    run as play, short_summary,
};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Play engines against each other: matches, tournaments, sequential tests
///
/// Games are judged by chuhe's arbiter; each opening is played twice with colours swapped. With
/// --state an event that was interrupted or killed goes on with --resume.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
    chuhe match --engine name=new cmd=./new --engine name=old cmd=./old --tc 2+0.02 \\\n      \
    --openings random:6 --sprt elo0=0 elo1=5 --concurrency 2 --state test.state\n  \
    chuhe match --engine cmd=./chuhe proto=ucci option.hashsize=64 \\\n      \
    --engine cmd=./pikafish proto=uci --tc 40/90:00,10/15:00 --games 100 --pgn games.pgn\n  \
    chuhe match --config event.toml --shard 2/8 --state part2.state\n  \
    chuhe match --resume test.state\n  \
    chuhe match merge part*.state"
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    event: EventArgs,
    /// Remember every game here, to go on after any end
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    state: Option<PathBuf>,
    /// Go on with the event of this state file; what is played is as it was
    #[arg(long, value_name = "FILE", conflicts_with_all = ["state", "engine", "config"],
          help_heading = "Running")]
    resume: Option<PathBuf>,
    /// Play the i-th of n disjoint parts of the event
    #[arg(long, value_name = "I/N", value_parser = parse_shard, help_heading = "Running")]
    shard: Option<(usize, usize)>,
    /// With --resume: this engine withdraws; what it has not played is forfeited
    #[arg(
        long,
        value_name = "NAME",
        requires = "resume",
        help_heading = "Running"
    )]
    withdraw: Vec<String>,
    /// Games at a time
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    concurrency: u16,
    /// Bind the engines of each game to one processor: of this list, or of all
    #[arg(long, value_name = "CPUS", num_args = 0..=1, default_missing_value = "all",
          require_equals = true, help_heading = "Running")]
    pin: Option<String>,
    /// On Ctrl-C drop running games instead of finishing them (a second Ctrl-C always does)
    #[arg(long, help_heading = "Running")]
    drop_games: bool,
    /// Start engines afresh for each game
    #[arg(long, help_heading = "Running")]
    restart: bool,
    /// End this run after so many games
    #[arg(long, value_name = "N", help_heading = "Running")]
    stop_after: Option<usize>,
    /// Write games as PGN
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    pgn: Option<PathBuf>,
    /// How PGN writes moves: iccs (default), wxf, chinese, chinese-traditional
    #[arg(long, value_name = "NOTATION", help_heading = "Records")]
    notation: Option<Notation>,
    /// Write one JSON object a game
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    jsonl: Option<PathBuf>,
    /// Write report, cross-table and games to replay as one HTML file at the end
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    html: Option<PathBuf>,
    /// Write the dialogue with each engine into this folder
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    engine_log: Option<PathBuf>,
    /// Print one JSON object at the end and nothing else
    #[arg(long, help_heading = "Records")]
    json: bool,
    /// Print no line for each game
    #[arg(long, short, help_heading = "Records")]
    quiet: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Merge(MergeArgs),
}

/// Join the states of an event's shards, or of one event, into its report
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// State files
    #[arg(required = true, value_name = "STATE")]
    states: Vec<PathBuf>,
    /// Write all games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// How PGN writes moves: iccs, wxf, chinese, chinese-traditional
    #[arg(long, default_value = "iccs")]
    notation: Notation,
    /// Write report, cross-table and games to replay as one HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/');
    match parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?))) {
        Some((i, n)) if i >= 1 && i <= n => Ok((i, n)),
        _ => Err("I/N with I from 1 to N is needed, such as 2/8".into()),
    }
}

pub(super) fn run(args: &Args) -> CliResult {
    match &args.command {
        Some(Command::Merge(args)) => join(args),
        None => event(args),
    }
}

fn join(args: &MergeArgs) -> CliResult {
    let states = args.states.iter().map(|path| {
        let state = State::read(path).map_err(CliError::Input)?;
        Ok((path.display().to_string(), state))
    });
    let states: Result<Vec<(String, State)>, CliError> = states.collect();
    let state = merge(states?).map_err(CliError::Input)?;
    if let Some(path) = &args.pgn {
        let games = state.records.iter().filter(|r| !r.forfeit);
        let text: String = games
            .map(|r| pgn_of(&state.header.config, r, args.notation))
            .collect();
        std::fs::write(path, text).map_err(|e| file_error(path, &e))?;
    }
    write_page(&state, args.html.as_deref())?;
    print_report(&state, args.json, None)?;
    Ok(ExitCode::SUCCESS)
}

fn write_page(state: &State, path: Option<&Path>) -> Result<(), CliError> {
    match path {
        Some(path) => std::fs::write(path, report_page(state)).map_err(|e| file_error(path, &e)),
        None => Ok(()),
    }
}

fn print_report(state: &State, json: bool, run: Option<serde_json::Value>) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    if json {
        let mut report = report_json(state);
        if let (Some(run), Some(object)) = (run, report.as_object_mut()) {
            object.insert("run".into(), run);
        }
        writeln!(out, "{report}")?;
    } else {
        write!(out, "{}", report_text(state))?;
    }
    Ok(())
}

/// The event that is asked for, and where it is remembered.
fn open(args: &Args) -> Result<(State, Option<StateFile>), CliError> {
    if let Some(path) = &args.resume {
        if args.shard.is_some() {
            return Err(CliError::Input(
                "--shard: a resumed event is the part it was".into(),
            ));
        }
        let (mut file, mut state) = StateFile::resume(path).map_err(CliError::Input)?;
        for name in &args.withdraw {
            let engines = &state.header.config.engine;
            let Some(engine) = engines.iter().position(|e| e.name == *name) else {
                return Err(CliError::Input(format!(
                    "--withdraw: no engine is called {name:?}"
                )));
            };
            file.withdraw(engine).map_err(CliError::Input)?;
            state.withdrawn.push(engine);
        }
        // Records go where they went, unless told otherwise.
        let header = &mut state.header;
        header.pgn = args.pgn.clone().or(header.pgn.take());
        header.notation = args
            .notation
            .map(|n| n.to_string())
            .or(header.notation.take());
        header.jsonl = args.jsonl.clone().or(header.jsonl.take());
        return Ok((state, Some(file)));
    }
    let config = args.event.event()?;
    if args.shard.is_some()
        && !matches!(
            config.format,
            crate::tournament::Format::RoundRobin | crate::tournament::Format::Gauntlet
        )
    {
        return Err(CliError::Input(
            "--shard: who meets whom in a Swiss or knock-out event hangs on all results; play it \
             on one machine"
                .into(),
        ));
    }
    let openings = make_openings(&config).map_err(CliError::Input)?;
    let absolute = |path: &Option<PathBuf>| -> Option<PathBuf> {
        path.as_ref()
            .map(|p| std::path::absolute(p).unwrap_or_else(|_| p.clone()))
    };
    let header = Header {
        shard: args.shard,
        pgn: absolute(&args.pgn),
        notation: args.notation.map(|n| n.to_string()),
        jsonl: absolute(&args.jsonl),
        ..Header::new(config, openings)
    };
    let file = match &args.state {
        Some(path) => Some(StateFile::create(path, &header).map_err(CliError::Input)?),
        None => None,
    };
    let state = State {
        header,
        records: Vec::new(),
        withdrawn: Vec::new(),
    };
    Ok((state, file))
}

fn event(args: &Args) -> CliResult {
    // Whatever cannot be done is found out before a state is begun and the first game played.
    let pin = pins(args.pin.as_deref())?;
    for path in [&args.pgn, &args.jsonl, &args.html].into_iter().flatten() {
        check_writable(path)?;
    }
    let (mut state, file) = open(args)?;
    let options = RunOptions {
        concurrency: usize::from(args.concurrency),
        pin,
        drop_games: args.drop_games,
        restart: args.restart,
        logs: args.engine_log.clone(),
        stop_after: args.stop_after,
    };
    let interrupts = interrupts();
    let start = Instant::now();
    let mut console = Console::new(args, &state);
    let finished =
        play(&mut state, file, &options, &interrupts, &mut console).map_err(CliError::Input)?;
    console.clear();
    write_page(&state, args.html.as_deref())?;
    let run = run_figures(&finished, start.elapsed().as_secs_f64());
    if !args.json {
        let text = run_text(&run);
        writeln!(std::io::stdout().lock(), "{text}")?;
    }
    print_report(&state, args.json, Some(run))?;
    let negative = finished.interrupted || finished.sprt == Some(SprtState::Rejected);
    Ok(ExitCode::from(u8::from(negative)))
}

/// Hears of Ctrl-C and of being asked to end.
pub(super) fn interrupts() -> crossbeam_channel::Receiver<()> {
    let (tell, interrupts) = crossbeam_channel::unbounded();
    let count = AtomicUsize::new(0);
    let handler = ctrlc::set_handler(move || {
        // Whoever insists a third time gets his way at once.
        if count.fetch_add(1, Ordering::SeqCst) >= 2 {
            std::process::exit(130);
        }
        let _ = tell.send(());
    });
    if let Err(e) = handler {
        eprintln!("chuhe: Ctrl-C will end the match at once: {e}");
    }
    interrupts
}

/// The processors of `--pin`, all of which this process must be allowed to use.
pub(super) fn pins(text: Option<&str>) -> Result<Vec<usize>, CliError> {
    let list = match text {
        None => return Ok(Vec::new()),
        Some("all") => return Ok(processors()),
        Some(list) => list,
    };
    let pins: Result<Vec<usize>, _> = list.split(',').map(|c| c.trim().parse()).collect();
    let pins = pins
        .map_err(|_| CliError::Input(format!("--pin={list}: numbers of processors by commas")))?;
    let allowed = processors();
    if let Some(unknown) = pins.iter().find(|c| !allowed.contains(c)) {
        let allowed: Vec<String> = allowed.iter().map(usize::to_string).collect();
        let allowed = match allowed.is_empty() {
            true => "engines cannot be bound on this system".into(),
            false => format!("this process may use {}", allowed.join(",")),
        };
        return Err(CliError::Input(format!(
            "--pin={list}: no processor {unknown}; {allowed}"
        )));
    }
    Ok(pins)
}

/// What the run itself cost.
fn run_figures(finished: &Finished, seconds: f64) -> serde_json::Value {
    let lag = &finished.lag;
    let (own, engines) = cpu_seconds().unzip();
    serde_json::json!({
        "games": finished.games,
        "seconds": seconds,
        "interrupted": finished.interrupted,
        "runner_cpu_seconds": own,
        "engine_cpu_seconds": engines,
        "lag_mean_ms": lag.total_ms / (lag.moves as f64).max(1.0),
        "lag_max_ms": lag.max_ms,
    })
}

fn run_text(run: &serde_json::Value) -> String {
    let number = |key: &str| run[key].as_f64().unwrap_or(0.0);
    let (own, engines) = (number("runner_cpu_seconds"), number("engine_cpu_seconds"));
    format!(
        "run: {} games in {:.1} s; processor time of the runner {own:.2} s, of the engines \
         {engines:.2} s ({:.2}%); engines' own time differs by {:.1} ms on average, {:.1} ms at \
         most",
        run["games"],
        number("seconds"),
        100.0 * own / (own + engines).max(1e-9),
        number("lag_mean_ms"),
        number("lag_max_ms"),
    )
}

/// Tells what happens: a line a game, and on a terminal a bar.
struct Console {
    names: Vec<String>,
    sprt: Option<crate::tournament::Sprt>,
    lines: bool,
    bar: Option<ProgressBar>,
}

impl Console {
    fn new(args: &Args, state: &State) -> Console {
        let config = &state.header.config;
        let bar = (!args.json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(0);
            if let Ok(style) =
                ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed_precise} {wide_msg}")
            {
                bar.set_style(style);
            }
            bar
        });
        Console {
            names: config.engine.iter().map(|e| e.name.clone()).collect(),
            sprt: config.sprt.clone(),
            lines: !args.json && !args.quiet,
            bar,
        }
    }

    fn line(&self, text: &str) {
        // A closed pipe does not end the match; it is only not heard of any more.
        let print = || {
            let _ = writeln!(std::io::stdout().lock(), "{text}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn figures(&self, progress: &Progress<'_>) -> String {
        let mut text = progress
            .tally
            .summary()
            .map_or(String::new(), |s| short_summary(&s));
        if let Some(sprt) = &self.sprt {
            let (low, high) = sprt.bounds();
            let llr = progress.tally.llr(sprt);
            text.push_str(&format!(" | LLR {llr:.2} ({low:.2}, {high:.2})"));
        }
        text
    }
}

impl Observer for Console {
    fn game(&mut self, record: &GameRecord, progress: &Progress<'_>) {
        let figures = self.figures(progress);
        if self.lines {
            let separator = if figures.is_empty() { "" } else { " | " };
            self.line(&format!(
                "{}/{} game {}: {} - {} {} {} ({} plies){separator}{figures}",
                progress.done,
                progress.total,
                record.game + 1,
                self.names[record.red],
                self.names[record.black],
                record.result.text(),
                record.termination,
                record.moves.len(),
            ));
        }
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
            bar.set_message(figures);
        }
    }

    fn warning(&mut self, text: &str) {
        let print = || eprintln!("chuhe: warning: {text}");
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn interrupted(&mut self, running: usize, dropped: bool) {
        self.warning(&if dropped {
            format!("interrupted: {running} running games are dropped")
        } else {
            format!("interrupted: {running} running games are finished; again to drop them")
        });
    }
}
