//! `chuhe train`: a network from self-play games.

use super::{CliError, CliResult, interrupt};
use crate::nnue::Network;
use crate::tournament::cpu_seconds;
use crate::training::{self, Config, Epoch, Observer, QuantReport, Sampling, Trainer};
use crate::util::crc32;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Positions on which the whole numbers are compared with floating point.
const COMPARED: usize = 20_000;

/// Train a network on self-play games, for the option EvalFile
///
/// Reads the files of `chuhe datagen`, takes the quiet positions, and learns to tell the win
/// probability: a blend of the game's result and of the score the search gave. The same files,
/// flags and number of threads give the same network.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 done, 1 interrupted (--resume goes on from --checkpoint), 2 bad \
    usage or input.\n\nExamples:\n  \
    chuhe train g1.games --out n1.nnue\n  \
    chuhe train g2.games --from n1.nnue --rate 0.0003 --out n2.nnue\n  \
    chuhe train g*.games --out n2.nnue --lanes 128 --epochs 40 --threads 2 --checkpoint n2.ck \
    --curve n2.svg"
)]
pub(super) struct Args {
    /// Files of games
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Network to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Lanes of the first layer a side, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = Config::default().lanes as u32,
          value_parser = clap::value_parser!(u32).range(32..=2048), help_heading = "Network")]
    lanes: u32,
    /// Centipawns that stand for odds of e to 1 [default: what foretells the results best]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=10_000),
          help_heading = "Network")]
    scale: Option<u16>,
    /// Go on from this network instead of random weights; lanes and scale are its own
    #[arg(long, value_name = "FILE", conflicts_with_all = ["lanes", "scale"],
          help_heading = "Network")]
    from: Option<PathBuf>,
    /// A text to keep in the file
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        help_heading = "Network"
    )]
    note: String,
    /// Times that all positions are shown
    #[arg(long, value_name = "N", default_value_t = Config::default().epochs,
          help_heading = "Training")]
    epochs: usize,
    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = Config::default().batch,
          help_heading = "Training")]
    batch: usize,
    /// Greatest rate of learning
    #[arg(long, value_name = "R", default_value_t = Config::default().rate,
          help_heading = "Training")]
    rate: f32,
    /// Rate at the end, as a share of the greatest
    #[arg(long, value_name = "R", default_value_t = Config::default().end_rate,
          help_heading = "Training")]
    end_rate: f32,
    /// Steps over which the rate goes up
    #[arg(long, value_name = "N", default_value_t = Config::default().warm_up,
          help_heading = "Training")]
    warm_up: u64,
    /// Decay of weights
    #[arg(long, value_name = "D", default_value_t = Config::default().decay,
          help_heading = "Training")]
    decay: f32,
    /// Percent of the game's result in what is learnt; the rest is the score
    #[arg(long, value_name = "P", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(0..=100), help_heading = "Training")]
    result: u32,
    /// Do not exchange left and right
    #[arg(long, help_heading = "Training")]
    no_mirror: bool,
    /// For everything drawn by lot
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Training")]
    seed: u64,
    /// Not the first plies of a game
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Positions"
    )]
    skip_plies: usize,
    /// Positions in check as well
    #[arg(long, help_heading = "Positions")]
    checks: bool,
    /// Positions whose best move takes something as well
    #[arg(long, help_heading = "Positions")]
    captures: bool,
    /// Not positions with a greater score
    #[arg(long, value_name = "CP", default_value_t = Sampling::default().max_score,
          help_heading = "Positions")]
    max_score: i32,
    /// Only positions with so many pieces
    #[arg(long, value_name = "MIN-MAX", default_value = "2-32", value_parser = parse_pieces,
          help_heading = "Positions")]
    pieces: (usize, usize),
    /// Of the positions left, so many percent by lot
    #[arg(long, value_name = "P", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Positions")]
    percent: u32,
    /// Percent of the games that are kept apart
    #[arg(long, value_name = "P", default_value_t = Sampling::default().validation_percent,
          value_parser = clap::value_parser!(u32).range(0..=50), help_heading = "Positions")]
    validation: u32,
    /// Threads
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    threads: u16,
    /// Keep the state here after every epoch
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint
    #[arg(long, requires = "checkpoint", help_heading = "Running")]
    resume: bool,
    /// Write the curve of the errors as SVG
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    curve: Option<PathBuf>,
}

fn parse_pieces(text: &str) -> Result<(usize, usize), String> {
    text.split_once('-')
        .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))
        .filter(|&(a, b)| 2 <= a && a <= b && b <= 32)
        .ok_or_else(|| "MIN-MAX with 2 <= MIN <= MAX <= 32 is needed".into())
}

fn read_network(path: &Path) -> Result<Network, CliError> {
    Network::read(path).map_err(|e| failed(format!("--from {}: {e}", path.display())))
}

fn failed(e: impl std::fmt::Display) -> CliError {
    CliError::Input(e.to_string())
}

fn sampling(args: &Args) -> Sampling {
    Sampling {
        skip_plies: args.skip_plies,
        checks: args.checks,
        captures: args.captures,
        max_score: args.max_score,
        pieces: args.pieces,
        percent: args.percent,
        validation_percent: args.validation,
        seed: args.seed,
    }
}

fn config(args: &Args, scale: u16) -> Result<Config, CliError> {
    let positive = |name: &str, v: f32| {
        if v.is_finite() && v >= 0.0 {
            Ok(v)
        } else {
            Err(failed(format!("{name}: a number of 0 or more is needed")))
        }
    };
    if !(args.lanes as usize).is_multiple_of(crate::nnue::LANES) {
        return Err(failed("--lanes: a multiple of 32 is needed"));
    }
    Ok(Config {
        lanes: args.lanes as usize,
        epochs: args.epochs,
        batch: args.batch.max(1),
        rate: positive("--rate", args.rate)?,
        end_rate: positive("--end-rate", args.end_rate)?,
        warm_up: args.warm_up,
        decay: positive("--decay", args.decay)?,
        scale,
        result_share: args.result as f32 / 100.0,
        mirror: !args.no_mirror,
        threads: usize::from(args.threads),
        seed: args.seed,
    })
}

pub(super) fn run(args: &Args) -> CliResult {
    let begin = Instant::now();
    config(args, 1)?;
    let origin = args.from.as_deref().map(read_network).transpose()?;
    let loaded = training::load(&args.files, &sampling(args)).map_err(failed)?;
    for warning in &loaded.warnings {
        eprintln!("chuhe: warning: {warning}");
    }
    if loaded.training.is_empty() {
        return Err(failed(
            "no position to train on: all games or positions were left out",
        ));
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{} games, {} positions, taken {} to train on and {} kept apart ({:.1} s)",
        loaded.games,
        loaded.positions,
        loaded.training.len(),
        loaded.validation.len(),
        begin.elapsed().as_secs_f64()
    )?;
    let scale = match (&origin, args.scale) {
        (Some(network), _) => network.scale() as u16,
        (None, Some(scale)) => scale,
        (None, None) => {
            let fitted = training::fit_scale(&loaded.training);
            writeln!(out, "scale {fitted:.0}: found by the results")?;
            fitted.round().clamp(1.0, 10_000.0) as u16
        }
    };
    let config = config(args, scale)?;
    let mut trainer = match &origin {
        Some(network) => {
            Trainer::from_network(config, network, &loaded.training, &loaded.validation)
        }
        None => Trainer::new(config, &loaded.training, &loaded.validation),
    };
    if let Some(path) = args.checkpoint.as_ref().filter(|_| args.resume) {
        trainer
            .resume(path)
            .map_err(|e| failed(format!("--checkpoint {}: {e}", path.display())))?;
        writeln!(out, "goes on after epoch {}", trainer.history().len())?;
    }
    let configuration = trainer.configuration();
    writeln!(out, "{configuration}")?;
    writeln!(
        out,
        "epoch      rate  training  validation  positions/CPU-s"
    )?;
    let stop = interrupt::flag();
    let mut console = Console::new(loaded.training.len());
    let whole = trainer
        .run(args.checkpoint.as_deref(), &mut console, &stop)
        .map_err(|e| failed(format!("--checkpoint: {e}")))?;
    console.clear();
    if let Some(path) = &args.curve {
        std::fs::write(path, training::curve_svg(trainer.history()))
            .map_err(|e| failed(format!("--curve {}: {e}", path.display())))?;
    }
    if !whole {
        writeln!(out, "interrupted; no network is written")?;
        return Ok(ExitCode::from(1));
    }
    let compared = if loaded.validation.is_empty() {
        &loaded.training
    } else {
        &loaded.validation
    };
    let description = format!(
        "{}{}{configuration}",
        args.note,
        if args.note.is_empty() { "" } else { "; " }
    );
    let (network, report) = training::quantise(
        trainer.model(),
        scale,
        crc32(configuration.as_bytes()),
        &description,
        compared,
        COMPARED,
    )
    .map_err(failed)?;
    write_report(&mut out, &report)?;
    std::fs::write(&args.out, network.to_bytes())
        .map_err(|e| failed(format!("--out {}: {e}", args.out.display())))?;
    writeln!(
        out,
        "{}: network {:08x}, {} lanes, scale {scale}",
        args.out.display(),
        network.checksum(),
        network.lanes()
    )?;
    Ok(ExitCode::SUCCESS)
}

fn write_report(out: &mut impl Write, r: &QuantReport) -> std::io::Result<()> {
    let [columns, bias, output, output_bias] = r.magnitudes;
    writeln!(
        out,
        "whole numbers: greatest magnitudes {columns:.3} (first layer), {bias:.3} (its bias), \
         {output:.3} (second layer), {output_bias:.3} (its bias); rounded to 0: {:.1}% and {:.1}%",
        100.0 * r.zeros[0],
        100.0 * r.zeros[1]
    )?;
    writeln!(
        out,
        "against floating point on {} positions: {:.2} centipawns on average, {:.1} at most; mean \
         squared difference of the win probability {:.2e}",
        r.compared, r.mean_error, r.max_error, r.mean_square
    )
}

/// Tells how far it is: a line an epoch, and on a terminal a bar.
struct Console {
    bar: Option<ProgressBar>,
    positions: usize,
    cpu: f64,
}

impl Console {
    fn new(positions: usize) -> Console {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(positions as u64);
            let look = "{bar:24} {pos}/{len} positions of the epoch (left {eta_precise})";
            if let Ok(style) = ProgressStyle::with_template(look) {
                bar.set_style(style);
            }
            bar
        });
        Console {
            bar,
            positions,
            cpu: own_cpu(),
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn own_cpu() -> f64 {
    cpu_seconds().map_or(0.0, |(own, _)| own)
}

impl Observer for Console {
    fn step(&mut self, done: usize, all: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    }

    fn epoch(&mut self, e: &Epoch) {
        let now = own_cpu();
        let speed = self.positions as f64 / (now - self.cpu).max(1e-9);
        self.cpu = now;
        let validation = e
            .validation
            .map_or_else(|| "-".into(), |v| format!("{v:.6}"));
        let line = format!(
            "{:>5}  {:.6}  {:.6}  {validation:>10}  {speed:>15.0}",
            e.number, e.rate, e.training
        );
        let print = || {
            let _ = writeln!(std::io::stdout(), "{line}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}
