//! `chuhe datagen`: self-play games for training, and what is done with their files.

use super::{CliError, CliResult, interrupt};
use crate::datagen::{self, Filter, Line, Observer, Plan, SCORE_CLASSES, Sifted, Stats};
use crate::dataset::{DataErrorKind, End, GameRecord, Outcome, Reader, Writer};
use crate::records;
use crate::rules::RuleSet;
use crate::types::score;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Play games against itself and keep them with their scores, for `chuhe train`
///
/// Each game starts from random moves (or a position of a given game) that a quick search finds
/// even enough, is searched with few nodes a move and judged by the arbiter. Game K of a seed is
/// the same with any number of threads, in any shard, however often the run was interrupted.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit status: 0 done, 1 interrupted (--resume goes on), 2 bad usage or input.\n\n\
    Examples:\n  \
    chuhe datagen --out g1.games --games 10000 --threads 2\n  \
    chuhe datagen --out g1.games --games 50000 --threads 2 --resume\n  \
    chuhe datagen --out part3.games --games 100000 --seed 7 --shard 3/8\n  \
    chuhe datagen stats g1.games"
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Inspect(InspectArgs),
    Stats(StatsArgs),
    Merge(MergeArgs),
    Filter(FilterArgs),
    Shuffle(ShuffleArgs),
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// File to write
    #[arg(long, short, value_name = "FILE", required = true)]
    out: Option<PathBuf>,
    /// Games of all shards together
    #[arg(long, short = 'n', value_name = "N", required = true)]
    games: Option<u32>,
    /// Games at a time
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Begin no new iteration of a search after so many nodes
    #[arg(long, value_name = "N", default_value_t = Plan::default().nodes,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Percent by which the nodes vary from move to move
    #[arg(long, value_name = "P", default_value_t = Plan::default().jitter,
          value_parser = clap::value_parser!(u32).range(0..=90))]
    jitter: u32,
    /// For everything drawn by lot
    #[arg(long, value_name = "S", default_value_t = Plan::default().seed)]
    seed: u64,
    /// Play the I-th of N parts of the games
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = parse_shard)]
    shard: (u32, u32),
    /// Go on with the file, which was made with the same flags
    #[arg(long)]
    resume: bool,
    /// Random plies at the start
    #[arg(long, value_name = "MIN-MAX", default_value = "6-12", value_parser = parse_range)]
    opening: (u32, u32),
    /// Start where a quick search finds at most so many centipawns for either side
    #[arg(long, value_name = "CP", default_value_t = Plan::default().opening_window)]
    window: i32,
    /// Games or positions to start from as well, in any format `chuhe convert` reads
    #[arg(long, value_name = "FILE")]
    starts: Option<PathBuf>,
    /// Percent of the games that start from a position of --starts
    #[arg(long, value_name = "P", default_value_t = 50, requires = "starts",
          value_parser = clap::value_parser!(u32).range(0..=100))]
    starts_percent: u32,
    /// A side wins at so many centipawns ...
    #[arg(long, value_name = "CP", default_value_t = Plan::default().win_score)]
    win_score: i32,
    /// ... seen by both for so many plies in a row
    #[arg(long, value_name = "N", default_value_t = Plan::default().win_plies)]
    win_plies: u32,
    /// Draw when both see at most so many centipawns ...
    #[arg(long, value_name = "CP", default_value_t = Plan::default().draw_score)]
    draw_score: i32,
    /// ... for so many plies in a row ...
    #[arg(long, value_name = "N", default_value_t = Plan::default().draw_plies)]
    draw_plies: u32,
    /// ... but not before this ply
    #[arg(long, value_name = "PLY", default_value_t = Plan::default().draw_after)]
    draw_after: u32,
    /// Draw longer games
    #[arg(long, value_name = "N", default_value_t = Plan::default().max_plies,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_plies: u32,
    /// Table of each game in MiB
    #[arg(long, value_name = "MB", default_value_t = Plan::default().hash_mib as u32,
          value_parser = clap::value_parser!(u32).range(1..=4096))]
    hash: u32,
    /// Rule book
    #[arg(long, value_name = "R", default_value = RuleSet::CXA1999.name)]
    rules: RuleSet,
    /// Evaluate with this network (`material`: count the pieces) [default: the
    /// one that is part of the program]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Show games of a file
#[derive(Debug, clap::Args)]
struct InspectArgs {
    /// File of games
    file: PathBuf,
    /// Begin with this game of the file, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// Number of games to show
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: usize,
}

/// Count games, positions, results and scores
#[derive(Debug, clap::Args)]
struct StatsArgs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Join files, each game once
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Keep some of the games
#[derive(Debug, clap::Args)]
struct FilterArgs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Only games of at least so many plies
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_plies: usize,
    /// Only decided games
    #[arg(long)]
    decisive: bool,
    /// Not games that were cut at the greatest length
    #[arg(long)]
    no_long: bool,
    /// Not games that start with a greater score than this
    #[arg(long, value_name = "CP")]
    max_start_score: Option<i32>,
    /// Each game once
    #[arg(long)]
    unique: bool,
}

/// Put the games into an order drawn by lot
#[derive(Debug, clap::Args)]
struct ShuffleArgs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// For the lot
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

fn parse_shard(text: &str) -> Result<(u32, u32), String> {
    text.split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)))
        .filter(|&(i, n)| 1 <= i && i <= n)
        .ok_or_else(|| "I/N with 1 <= I <= N is needed".into())
}

fn parse_range(text: &str) -> Result<(u32, u32), String> {
    text.split_once('-')
        .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))
        .filter(|&(a, b)| a <= b && b <= 100)
        .ok_or_else(|| "MIN-MAX with MIN <= MAX <= 100 is needed".into())
}

fn failed(e: impl std::fmt::Display) -> CliError {
    CliError::Input(e.to_string())
}

pub(super) fn run(args: &Args) -> CliResult {
    match &args.action {
        None => play(&args.run),
        Some(Action::Inspect(args)) => inspect(args),
        Some(Action::Stats(args)) => stats(args),
        Some(Action::Merge(args)) => {
            say_sifted(&datagen::merge(&args.files, &args.out).map_err(failed)?)
        }
        Some(Action::Shuffle(args)) => {
            say_sifted(&datagen::shuffle(&args.files, &args.out, args.seed).map_err(failed)?)
        }
        Some(Action::Filter(args)) => {
            let filter = Filter {
                min_plies: args.min_plies,
                outcomes: if args.decisive {
                    vec![Outcome::RedWins, Outcome::BlackWins]
                } else {
                    Vec::new()
                },
                without: if args.no_long {
                    vec![End::TooLong]
                } else {
                    Vec::new()
                },
                max_start_score: args.max_start_score,
                unique: args.unique,
            };
            say_sifted(&datagen::filter(&args.files, &args.out, &filter).map_err(failed)?)
        }
    }
}

fn say_sifted(sifted: &Sifted) -> CliResult {
    for warning in &sifted.warnings {
        eprintln!("chuhe: warning: {warning}");
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{} games read, {} written",
        sifted.read, sifted.written
    )?;
    Ok(ExitCode::SUCCESS)
}

fn plan(args: &RunArgs) -> Result<Plan, CliError> {
    let lines = match &args.starts {
        None => Vec::new(),
        Some(path) => read_lines(path)?,
    };
    Ok(Plan {
        seed: args.seed,
        games: args.games.unwrap_or(0),
        shard: args.shard,
        nodes: args.nodes,
        jitter: args.jitter,
        opening_plies: args.opening,
        opening_window: args.window,
        lines_percent: if lines.is_empty() {
            0
        } else {
            args.starts_percent
        },
        lines: Arc::new(lines),
        win_score: args.win_score,
        win_plies: args.win_plies,
        draw_score: args.draw_score,
        draw_plies: args.draw_plies,
        draw_after: args.draw_after,
        max_plies: args.max_plies,
        hash_mib: args.hash as usize,
        rules: args.rules,
        network: super::net::load_optional(args.eval_file.as_deref())?.map(Arc::new),
    })
}

/// The games of a file; what cannot be read in it is left out with a warning.
fn read_lines(path: &Path) -> Result<Vec<Line>, CliError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| failed(format!("--starts {name}: {e}")))?;
    let found = records::read(&name, &bytes);
    if let Some(problem) = found.problems.iter().find(|p| p.is_error()) {
        if found.games.is_empty() {
            return Err(failed(format!("--starts {problem}")));
        }
        eprintln!("chuhe: warning: --starts {problem}; what could be read is used");
    }
    let lines = found.games.iter().map(|g| Line {
        start: g.start().clone(),
        moves: g.moves(),
    });
    Ok(lines.collect())
}

fn play(args: &RunArgs) -> CliResult {
    let Some(out) = &args.out else {
        return Err(failed("--out is needed"));
    };
    let plan = plan(args)?;
    let parameters = plan.parameters();
    let (mut writer, found) = if args.resume {
        Writer::resume(out, &parameters).map_err(failed)?
    } else {
        let writer = Writer::create(out, &parameters).map_err(|e| match &e.kind {
            DataErrorKind::Io(io) if io.kind() == std::io::ErrorKind::AlreadyExists => {
                failed(format!("{e}; --resume goes on with it"))
            }
            _ => failed(e),
        })?;
        (writer, datagen::Resumed::default())
    };
    if found.removed > 0 {
        eprintln!(
            "chuhe: {}: a game that was cut off was removed ({} bytes)",
            out.display(),
            found.removed
        );
    }
    let mut console = Console::new(args, &plan, found);
    let stop = interrupt::flag();
    let threads = usize::from(args.threads);
    let whole = datagen::generate(&plan, threads, found.last, &mut writer, &mut console, &stop)
        .map_err(failed)?;
    writer.finish().map_err(failed)?;
    console.end();
    Ok(ExitCode::from(u8::from(!whole)))
}

/// Tells how far it is: on a terminal by a bar, else by a line every minute.
struct Console {
    bar: Option<ProgressBar>,
    quiet: bool,
    begin: Instant,
    last_line: Instant,
    games: u64,
    positions: u64,
    all: u64,
    before: u64,
}

impl Console {
    fn new(args: &RunArgs, plan: &Plan, found: datagen::Resumed) -> Console {
        let (i, n) = (u64::from(plan.shard.0), u64::from(plan.shard.1));
        let all = (u64::from(plan.games) + n - i) / n;
        let bar = (!args.quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(all);
            let look = "{bar:24} {pos}/{len} games {elapsed_precise} (left {eta_precise}) {msg}";
            if let Ok(style) = ProgressStyle::with_template(look) {
                bar.set_style(style);
            }
            bar.set_position(found.games);
            bar.reset_eta();
            bar
        });
        Console {
            bar,
            quiet: args.quiet,
            begin: Instant::now(),
            last_line: Instant::now(),
            games: 0,
            positions: 0,
            all,
            before: found.games,
        }
    }

    fn line(&self) -> String {
        let seconds = self.begin.elapsed().as_secs_f64().max(1e-3);
        let rate = self.positions as f64 / seconds;
        let left = self.all.saturating_sub(self.before + self.games) as f64;
        let eta = left * seconds / self.games.max(1) as f64;
        format!(
            "{}/{} games, {} positions in {seconds:.0} s ({rate:.0}/s, {:.2} million/h), {:.0} min \
             left",
            self.before + self.games,
            self.all,
            self.positions,
            rate * 3600.0 / 1e6,
            eta / 60.0,
        )
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if !self.quiet {
            eprintln!("{}", self.line());
        }
    }
}

impl Observer for Console {
    fn played(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        if let Some(bar) = &self.bar {
            bar.inc(1);
            let rate = self.positions as f64 / self.begin.elapsed().as_secs_f64().max(1e-3);
            bar.set_message(format!("{rate:.0} positions/s"));
        } else if !self.quiet && self.last_line.elapsed() >= Duration::from_secs(60) {
            self.last_line = Instant::now();
            eprintln!("{}", self.line());
        }
    }
}

fn inspect(args: &InspectArgs) -> CliResult {
    let reader = Reader::open(&args.file).map_err(failed)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", reader.parameters())?;
    for game in reader.skip(args.from).take(args.games) {
        let game = game.map_err(failed)?;
        let result = match game.outcome {
            Outcome::RedWins => "1-0",
            Outcome::Draw => "1/2-1/2",
            Outcome::BlackWins => "0-1",
        };
        writeln!(
            out,
            "\ngame {}: {result}, {}, {} plies\nfen {}",
            game.number,
            game.end.name(),
            game.plies.len(),
            game.start.fen()
        )?;
        let plies = game.plies.iter();
        let texts: Vec<String> = plies
            .map(|p| format!("{} {}", p.mv, score::text(i32::from(p.score))))
            .collect();
        for row in texts.chunks(8) {
            writeln!(out, "{}", row.join("  "))?;
        }
        if let Err(e) = game.replay(|_, _| {}) {
            return Err(failed(format!("game {}: {e}", game.number)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn stats(args: &StatsArgs) -> CliResult {
    let mut s = Stats::default();
    let mut bytes = 0;
    for path in &args.files {
        let reader = Reader::open(path).map_err(failed)?;
        bytes += reader.length();
        for game in reader {
            match game {
                Ok(game) => s.add(&game),
                Err(e) => eprintln!("chuhe: warning: {e}; the games before it are counted"),
            }
        }
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let ends: serde_json::Map<String, serde_json::Value> = End::ALL
            .iter()
            .map(|&e| (e.name().into(), s.ends[e as usize].into()))
            .collect();
        let object = serde_json::json!({
            "games": s.games, "positions": s.positions, "quiet": s.quiet, "illegal": s.illegal,
            "bytes": bytes, "longest": s.longest,
            "black_wins": s.outcomes[0], "draws": s.outcomes[1], "red_wins": s.outcomes[2],
            "ends": ends, "pieces": s.pieces.to_vec(), "scores": s.scores,
        });
        writeln!(out, "{object}")?;
    } else {
        write_stats(&mut out, &s, bytes)?;
    }
    Ok(ExitCode::from(u8::from(s.illegal > 0)))
}

fn write_stats(out: &mut impl Write, s: &Stats, bytes: u64) -> std::io::Result<()> {
    let percent = |n: u64, of: u64| 100.0 * n as f64 / of.max(1) as f64;
    writeln!(
        out,
        "{} games, {} positions ({:.1} bytes each), {} quiet ({:.1}%), longest game {} plies",
        s.games,
        s.positions,
        bytes as f64 / s.positions.max(1) as f64,
        s.quiet,
        percent(s.quiet, s.positions),
        s.longest
    )?;
    let [black, draws, red] = s.outcomes.map(|n| percent(n, s.games));
    writeln!(
        out,
        "Red won {red:.1}%, draws {draws:.1}%, Black won {black:.1}%"
    )?;
    if s.illegal > 0 {
        writeln!(out, "{} games hold an illegal move", s.illegal)?;
    }
    for end in End::ALL {
        let n = s.ends[end as usize];
        if n > 0 {
            writeln!(out, "{:>8}  {}", n, end.name())?;
        }
    }
    writeln!(out, "|score|   positions      %   points of the side ahead")?;
    for (i, &n) in s.scores.iter().enumerate() {
        let class = match i {
            0..6 => format!("<= {}", SCORE_CLASSES[i]),
            6 => "more".into(),
            _ => "decided".into(),
        };
        writeln!(
            out,
            "{class:>7} {n:>11}  {:>5.1}  {:.3}",
            percent(n, s.positions),
            s.points[i] / n.max(1) as f64
        )?;
    }
    writeln!(out, "pieces   positions")?;
    for (n, &count) in s.pieces.iter().enumerate() {
        if count > 0 {
            writeln!(out, "{:>6} {count:>11}", n + 1)?;
        }
    }
    Ok(())
}
