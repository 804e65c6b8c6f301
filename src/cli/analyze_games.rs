//! `chuhe analyze INPUT`: games and test suites.

use super::analyze::Args;
use super::convert::{bytes_or_skip, files_of};
use super::{CliError, CliResult, check_writable, interrupt};
use crate::analysis::{
    GameReport, Observer, RunError, Setup, SuiteItem, SuiteResult, SuiteTally, annotated,
    html_page, run_games, run_suite, score_json, suite_items,
};
use crate::engine::machine_threads;
use crate::notation::{ChineseStyle, Notation};
use crate::records::{self, Game, PgnStyle};
use crate::search::Limits;
use crate::types::score;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Nodes for each position if no limit is given: the same result on every machine.
const DEFAULT_NODES: u64 = 200_000;
/// Table of each thinker in MiB if nothing is said.
const DEFAULT_HASH: usize = 16;

pub(super) fn run(args: &Args) -> CliResult {
    let position = &args.position;
    for (given, name) in [
        (position.fen.is_some(), "--fen"),
        (position.moves.is_some(), "--moves"),
        (args.mate.is_some(), "--mate"),
        (args.multipv > 1, "--multipv"),
    ] {
        if given {
            let text = format!("{name} is for one position, not for INPUT");
            return Err(CliError::Input(text));
        }
    }
    let (games, whole) = read(args)?;
    if games.is_empty() {
        return Ok(ExitCode::from(2));
    }
    let stop = interrupt::flag();
    let items = suite_items(&games).map_err(CliError::Input)?;
    let done = match &items {
        Some(items) => solve(args, items, &stop)?,
        None => analyze(args, &games, &stop)?,
    };
    if !done {
        eprintln!(
            "chuhe: interrupted{}",
            match (&items, &args.state) {
                (Some(_), _) => "",
                (None, Some(_)) => "; the same command goes on from here",
                (None, None) => "; with --state FILE it could be taken up again",
            }
        );
    }
    Ok(if done && whole {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// The games of all inputs, and whether everything in them could be read.
fn read(args: &Args) -> Result<(Vec<Game>, bool), CliError> {
    let files = files_of(&args.inputs)?;
    let (mut games, mut whole) = (Vec::new(), true);
    for file in &files {
        let Some(bytes) = bytes_or_skip(file, &files)? else {
            whole = false;
            continue;
        };
        let mut found = records::read(&file.display().to_string(), &bytes);
        for problem in &found.problems {
            eprintln!("{problem}");
        }
        whole &= !found.has_errors();
        games.append(&mut found.games);
    }
    Ok((games, whole))
}

fn setup(args: &Args) -> Setup {
    let mut limits = Limits {
        depth: args.depth,
        nodes: args.nodes,
        movetime: args.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    if limits == Limits::default() {
        limits.nodes = Some(DEFAULT_NODES);
    }
    let most = machine_threads();
    let threads = args.threads.map_or(most, |n| (n as usize).min(most));
    Setup {
        limits,
        threads,
        hash_mib: args.hash.map_or(DEFAULT_HASH, |h| h as usize),
        rules: args.rules,
        state: args.state.clone(),
    }
}

fn failed(e: RunError) -> CliError {
    match e {
        RunError::Failed(text) => CliError::Input(text),
        RunError::Io(e) => CliError::Io(e),
    }
}

fn analyze(args: &Args, games: &[Game], stop: &AtomicBool) -> Result<bool, CliError> {
    let pgn = match &args.pgn {
        None => None,
        Some(path) => Some(
            File::create(path)
                .map_err(|e| CliError::Input(format!("--pgn {}: {e}", path.display())))?,
        ),
    };
    // What cannot be written is found out before hours of analysis.
    if let Some(path) = &args.html {
        check_writable(path)?;
    }
    if let Some(folder) = &args.svg {
        std::fs::create_dir_all(folder)
            .map_err(|e| CliError::Input(format!("--svg {}: {e}", folder.display())))?;
    }
    let bar = io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::new(0);
        let look = "{bar:24} {pos}/{len} positions {elapsed_precise} (left {eta_precise})";
        if let Ok(style) = ProgressStyle::with_template(look) {
            bar.set_style(style);
        }
        bar
    });
    let mut console = Console {
        games,
        pgn,
        bar,
        page: args.html.is_some().then(Vec::new),
        pictures: args.svg.clone(),
        json: args.json,
        notation: args
            .notation
            .unwrap_or(Notation::Chinese(ChineseStyle::default())),
    };
    let result = run_games(games, &setup(args), stop, &mut console);
    if let Some(bar) = &console.bar {
        bar.finish_and_clear();
    }
    let done = result.map_err(failed)?;
    if let (Some(path), Some(page)) = (&args.html, console.page.filter(|p| !p.is_empty())) {
        std::fs::write(path, html_page(&page))
            .map_err(|e| CliError::Input(format!("--html {}: {e}", path.display())))?;
    }
    Ok(done)
}

/// Writes each game as it is done.
struct Console<'a> {
    games: &'a [Game],
    pgn: Option<File>,
    bar: Option<ProgressBar>,
    /// What the page is made of, if there is to be one.
    page: Option<Vec<serde_json::Value>>,
    /// A folder for pictures of turning points.
    pictures: Option<PathBuf>,
    json: bool,
    notation: Notation,
}

impl Console<'_> {
    fn pgn_style(&self) -> PgnStyle {
        PgnStyle {
            notation: match self.notation {
                Notation::Chinese(style) => Notation::Chinese(ChineseStyle {
                    full_width: true,
                    ..style
                }),
                other => other,
            },
            crlf: false,
        }
    }
}

impl Observer for Console<'_> {
    fn progress(&mut self, done: usize, all: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    }

    fn game(&mut self, index: usize, report: GameReport) -> io::Result<()> {
        let game = &self.games[index];
        let style = self.pgn_style();
        if let Some(file) = &mut self.pgn {
            file.write_all(annotated(game, &report).to_pgn(style).as_bytes())?;
        }
        if let Some(page) = &mut self.page {
            page.push(report.to_page_data(game));
        }
        if let Some(folder) = &self.pictures {
            for (ply, svg) in report.pictures(game, self.notation) {
                let name = format!("game{}-ply{ply}.svg", index + 1);
                std::fs::write(folder.join(name), svg)?;
            }
        }
        let mut text = if self.json {
            report.to_json(game, index + 1) + "\n"
        } else {
            report.to_text(game, index + 1, self.notation)
        };
        if !self.json && index + 1 < self.games.len() {
            text.push('\n');
        }
        let print = || {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

fn solve(args: &Args, items: &[SuiteItem], stop: &AtomicBool) -> Result<bool, CliError> {
    for (given, name) in [
        (args.pgn.is_some(), "--pgn"),
        (args.html.is_some(), "--html"),
        (args.svg.is_some(), "--svg"),
        (args.state.is_some(), "--state"),
    ] {
        if given {
            let text = format!("{name} is for games, and INPUT is a test suite");
            return Err(CliError::Input(text));
        }
    }
    let mut out = io::stdout().lock();
    let mut tally = SuiteTally::default();
    if !args.json {
        writeln!(
            out,
            "solved   seconds       nodes  move  score     asked  id"
        )?;
    }
    let done = run_suite(items, &setup(args), stop, |item, result| {
        tally.add(result);
        if args.json {
            writeln!(out, "{}", item_json(item, result))?;
        } else {
            writeln!(out, "{}", item_text(item, result, args.notation()))?;
        }
        out.flush()
    });
    let done = done.map_err(failed)?;
    let seconds = tally.time.as_secs_f64();
    if args.json {
        let object = serde_json::json!({
            "type": "suite", "solved": tally.solved, "all": tally.all,
            "seconds_to_solve": seconds, "nodes_to_solve": tally.nodes,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "{} of {} solved, {seconds:.3} seconds and {} nodes to solve them",
            tally.solved, tally.all, tally.nodes
        )?;
    }
    Ok(done)
}

fn item_text(item: &SuiteItem, result: &SuiteResult, notation: Notation) -> String {
    let thought = &result.thought;
    let best = thought.best();
    let best = best.map_or_else(String::new, |m| notation.text(&item.position, m));
    let score = score::text(thought.score);
    let (mark, seconds, nodes) = match result.solved {
        Some((time, nodes)) => (
            "yes",
            format!("{:.3}", time.as_secs_f64()),
            nodes.to_string(),
        ),
        None => ("no", "-".into(), "-".into()),
    };
    let asked = item.question(notation);
    format!(
        "{mark:<6} {seconds:>9} {nodes:>11}  {best}  {score:<8}  {asked}  {}",
        item.id
    )
}

fn item_json(item: &SuiteItem, result: &SuiteResult) -> serde_json::Value {
    let thought = &result.thought;
    let solved = result.solved;
    serde_json::json!({
        "type": "position", "id": item.id, "fen": item.position.fen(), "asked": item.question(Notation::Coordinate),
        "solved": solved.is_some(), "seconds_to_solve": solved.map(|s| s.0.as_secs_f64()),
        "nodes_to_solve": solved.map(|s| s.1), "best": thought.best().map(|m| m.to_string()),
        "score": score_json(thought.score), "depth": thought.depth,
        "nodes": thought.nodes, "seconds": thought.time.as_secs_f64(),
        "pv": thought.pv.iter().map(|m| m.to_string()).collect::<Vec<_>>(),
    })
}
