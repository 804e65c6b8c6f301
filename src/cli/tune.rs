//! `chuhe tune`: finds better values for an engine's options by SPSA.

use super::match_args::{EventArgs, Words};
use super::match_cmd::{interrupts, pins};
use super::{CliError, CliResult};
use crate::tournament::{
    Parameter, RunOptions, Spsa, SpsaConfig, TuneHeader, TuneObserver, TuneState,
    declared_parameters, make_openings, tune,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Tune an engine's options by self-play (SPSA)
///
/// The engine plays pairs of games against itself, all parameters shifted at random one way on
/// one side and the other way on the other; they move towards the winner.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    chuhe tune --engine cmd=./chuhe --prefix tune_ --tc 2+0.02 --openings random:6 \\\n      \
    --iterations 20000 --concurrency 2 --state tune.state\n  \
    chuhe tune --engine cmd=./engine --param name=LmrBase start=80 min=0 max=200 step=8 \\\n      \
    --nodes 5000 --iterations 5000 --state tune.state\n  \
    chuhe tune --resume tune.state --concurrency 2")]
pub(super) struct Args {
    #[command(flatten)]
    event: EventArgs,
    /// Parameter: name=OPTION start=X min=X max=X step=X (the shift at the end); can be repeated
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = "Tuning")]
    param: Vec<String>,
    /// Parameters as [[param]] tables of a TOML file
    #[arg(long, value_name = "FILE", help_heading = "Tuning")]
    params: Option<PathBuf>,
    /// All spin options whose names begin so, with a twentieth of their range as step
    #[arg(long, value_name = "PREFIX", help_heading = "Tuning")]
    prefix: Option<String>,
    /// Iterations, each a pair of games
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        help_heading = "Tuning"
    )]
    iterations: usize,
    /// Rate at the end
    #[arg(
        long,
        value_name = "R",
        default_value_t = 0.002,
        help_heading = "Tuning"
    )]
    r_end: f64,
    /// Part of the iterations over which the rate is damped at the start
    #[arg(long, value_name = "A", default_value_t = 0.1, help_heading = "Tuning")]
    a_ratio: f64,
    /// Remember every iteration here, to go on after any end
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    state: Option<PathBuf>,
    /// Go on with the run of this state file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["state", "engine", "config"],
          help_heading = "Running")]
    resume: Option<PathBuf>,
    /// Iterations at a time
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    concurrency: u16,
    /// Bind the engines of each game to one processor: of this list, or of all
    #[arg(long, value_name = "CPUS", num_args = 0..=1, default_missing_value = "all",
          require_equals = true, help_heading = "Running")]
    pin: Option<String>,
    /// End this run after so many iterations
    #[arg(long, value_name = "N", help_heading = "Running")]
    stop_after: Option<usize>,
    /// Tell the values after every so many iterations
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        help_heading = "Running"
    )]
    interval: usize,
    /// Print one JSON object at the end and nothing else
    #[arg(long, help_heading = "Running")]
    json: bool,
}

/// A file of parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterFile {
    param: Vec<Parameter>,
}

pub(super) fn run(args: &Args) -> CliResult {
    let pin = pins(args.pin.as_deref())?;
    let mut state = match &args.resume {
        Some(path) => TuneState::resume(path),
        None => TuneState::create(header(args)?, args.state.as_deref()),
    }
    .map_err(CliError::Input)?;
    let options = RunOptions {
        concurrency: usize::from(args.concurrency),
        pin,
        drop_games: false,
        restart: false,
        logs: None,
        stop_after: args.stop_after,
    };
    let mut console = Console::new(args, state.header.spsa.iterations);
    let interrupted =
        tune(&mut state, &options, &interrupts(), &mut console).map_err(CliError::Input)?;
    if let Some(bar) = &console.bar {
        bar.finish_and_clear();
    }
    print(&state, args.json)?;
    let stopped = interrupted && args.stop_after.is_none();
    Ok(ExitCode::from(u8::from(stopped)))
}

fn header(args: &Args) -> Result<TuneHeader, CliError> {
    let event = args.event.event_of_twins()?;
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if args.iterations == 0 || !positive(args.r_end) || !(0.0..=10.0).contains(&args.a_ratio) {
        return Err(CliError::Input(
            "--iterations and --r-end must be positive, --a-ratio between 0 and 10".into(),
        ));
    }
    let mut parameters = Vec::new();
    // A parameter begins where a key comes again.
    let mut words: Vec<String> = Vec::new();
    let key = |w: &str| w.split('=').next().unwrap_or("").to_string();
    for word in args.param.iter().flat_map(|w| w.split_whitespace()) {
        if words.iter().any(|w| key(w) == key(word)) {
            parameters.push(parameter(&words)?);
            words.clear();
        }
        words.push(word.into());
    }
    if !words.is_empty() {
        parameters.push(parameter(&words)?);
    }
    if let Some(path) = &args.params {
        let failed =
            |e: &dyn std::fmt::Display| CliError::Input(format!("{}: {e}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
        let file: ParameterFile =
            toml::from_str(&text).map_err(|e| failed(&e.message().replace('\n', " ")))?;
        parameters.extend(file.param);
    }
    let declared = declared_parameters(&event).map_err(CliError::Input)?;
    if let Some(unknown) = parameters.iter().find(|p| !is_declared(&declared, &p.name)) {
        let names: Vec<&str> = declared.iter().map(|d| d.name.as_str()).collect();
        return Err(CliError::Input(format!(
            "--param: the engine declares no spin option {:?}; it declares {}",
            unknown.name,
            names.join(", ")
        )));
    }
    if let Some(prefix) = &args.prefix {
        let known = parameters.len();
        let found = declared.into_iter().filter(|d| d.name.starts_with(prefix));
        parameters.extend(found);
        if parameters.len() == known {
            return Err(CliError::Input(format!(
                "--prefix: the engine declares no spin option that begins with {prefix:?}"
            )));
        }
    }
    let mut event = event;
    event.games = 2 * args.iterations;
    Ok(TuneHeader {
        chuhe_tune: 1,
        openings: make_openings(&event).map_err(CliError::Input)?,
        spsa: SpsaConfig {
            iterations: args.iterations,
            r_end: args.r_end,
            a_ratio: args.a_ratio,
            seed: event.seed,
        },
        event,
        parameters,
    })
}

/// Protocols do not tell upper from lower case in names of options.
fn is_declared(declared: &[Parameter], name: &str) -> bool {
    declared.iter().any(|d| d.name.eq_ignore_ascii_case(name))
}

fn parameter(words: &[String]) -> Result<Parameter, CliError> {
    let mut words = Words::new("--param", words)?;
    let parameter = Parameter {
        name: words.need("name")?,
        start: words.need("start")?,
        min: words.need("min")?,
        max: words.need("max")?,
        step: words.need("step")?,
    };
    words.done()?;
    Ok(parameter)
}

/// The values to paste.
fn print(state: &TuneState, json: bool) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    let pairs = state.spsa.parameters().iter().zip(state.spsa.values());
    if json {
        let values: serde_json::Map<String, serde_json::Value> = pairs
            .map(|(p, v)| (p.name.clone(), v.round().into()))
            .collect();
        let exact: Vec<f64> = state.spsa.values().to_vec();
        let object = serde_json::json!({
            "iterations": state.done.len(), "of": state.header.spsa.iterations,
            "values": values, "exact": exact,
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} of {} iterations",
        state.done.len(),
        state.header.spsa.iterations
    )?;
    for (p, v) in pairs {
        writeln!(
            out,
            "{} = {}    # from {} ({v:.2}, range {}..{})",
            p.name,
            v.round(),
            p.start,
            p.min,
            p.max
        )?;
    }
    Ok(())
}

struct Console {
    bar: Option<ProgressBar>,
    interval: usize,
    json: bool,
}

impl Console {
    fn new(args: &Args, iterations: usize) -> Console {
        let bar = (!args.json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(iterations as u64);
            if let Ok(style) = ProgressStyle::with_template(
                "{bar:24} {pos}/{len} {elapsed_precise} (left {eta_precise})",
            ) {
                bar.set_style(style);
            }
            bar
        });
        Console {
            bar,
            interval: args.interval.max(1),
            json: args.json,
        }
    }
}

impl TuneObserver for Console {
    fn iteration(&mut self, done: usize, spsa: &Spsa) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        }
        if self.json || !done.is_multiple_of(self.interval) {
            return;
        }
        let values: Vec<String> = spsa
            .parameters()
            .iter()
            .zip(spsa.values())
            .map(|(p, v)| format!("{}={v:.2}", p.name))
            .collect();
        let line = || {
            let _ = writeln!(std::io::stdout().lock(), "{done}: {}", values.join(" "));
        };
        match &self.bar {
            Some(bar) => bar.suspend(line),
            None => line(),
        }
    }

    fn warning(&mut self, text: &str) {
        let line = || eprintln!("chuhe: warning: {text}");
        match &self.bar {
            Some(bar) => bar.suspend(line),
            None => line(),
        }
    }
}
