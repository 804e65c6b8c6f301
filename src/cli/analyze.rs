//! `chuhe analyze`: thinks about one position and shows what it finds; files are the business of
//! `analyze_games`.

use super::{CliError, CliResult, PositionArgs, interrupt};
#[cfg(feature = "tools")]
use crate::analysis::score_json;
use crate::engine::{Engine, options};
use crate::notation::Notation;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::search::{Bound, Info, Limits, Outcome, Reporter};
use crate::types::{Move, Score, score};
use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use std::io::{self, Write};
#[cfg(feature = "tools")]
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long to think if nothing is said about it.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Think about a position, or about every move of every game of a file
///
/// Whichever limit is reached first ends it; without one a position takes five seconds, and
/// 200,000 nodes where it is one of a file. Ctrl-C ends it with the result so far. Scores are in
/// pawns for the side to move; "mate 3" means mate in three moves, "mate -3" being mated in
/// three. Exit status 1 if there is no legal move.
///
/// With INPUT, games in every format that `convert` reads are looked through, several positions
/// at once. A move loses the fall of the probability of winning, P = 1/(1+exp(-score/2.5)),
/// against the best move: from 5% on it is marked ?!, from 10% ?, from 20% ??; the best move is
/// marked ! if every other would have lost 10%. The accuracy of a side is the mean of
/// 100*exp(-4*loss). Files of positions with bm, am or dm (EPD) are test suites: what is solved,
/// and how soon.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  chuhe analyze --movetime 3000\n  chuhe analyze --depth 12 \
    --multipv 3 --moves 'h2e2 h9g7'\n  chuhe analyze --mate 2 --json \
    --fen '5k3/9/9/9/9/9/9/9/R8/3K5 w'\n  \
    chuhe analyze game.xqf --pgn annotated.pgn --html game.html\n  \
    chuhe analyze games/ --nodes 1000000 --state run.state --json > games.jsonl\n  \
    chuhe analyze suite.epd --movetime 1000"
)]
pub(super) struct Args {
    /// Files or folders of games, or a test suite; `-` is stdin
    #[cfg(feature = "tools")]
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) position: PositionArgs,
    /// Stop after this depth in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=240))]
    pub(super) depth: Option<u32>,
    /// Stop after this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Stop after this many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) movetime: Option<u64>,
    /// Look for a mate in this many moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub(super) mate: Option<u32>,
    /// Show this many best lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=128))]
    pub(super) multipv: u32,
    /// Search threads, for files positions searched at once [default: 1, for files all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(super) threads: Option<u32>,
    /// Transposition table in MiB, for files of each thread [default: 64, for files 16]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    pub(super) hash: Option<u32>,
    /// How moves are written: uci, iccs, wxf, chinese, chinese-traditional [default: uci, for
    /// games chinese]
    #[arg(long, value_name = "NOTATION")]
    pub(super) notation: Option<Notation>,
    /// Rule book: cxa1999, cxa2020, axf, league or none
    #[arg(long, default_value = "cxa1999", value_parser = |s: &str| s.parse::<RuleSet>())]
    pub(super) rules: RuleSet,
    /// Print one JSON object a line; moves are in coordinates, "text" is in the notation
    #[arg(long)]
    pub(super) json: bool,
    /// Write the games of INPUT with scores, marks and better lines to this file
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub(super) pgn: Option<PathBuf>,
    /// Write the games of INPUT as one page for a browser, to play through, with a graph
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub(super) html: Option<PathBuf>,
    /// Write a picture of the position with the best line's first moves as arrows; with INPUT a
    /// folder, for pictures of the turning points of its games
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Keep results in this file, and go on from there if it exists
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "FILE", requires = "inputs")]
    pub(super) state: Option<PathBuf>,
}

impl Args {
    pub(super) fn notation(&self) -> Notation {
        self.notation.unwrap_or(Notation::Coordinate)
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            mate: self.mate,
            ..Limits::default()
        };
        if limits == Limits::default() {
            limits.movetime = Some(DEFAULT_TIME);
        }
        limits
    }
}

/// What the search says, owned.
enum Event {
    Line {
        depth: u32,
        multipv: usize,
        score: Score,
        nodes: u64,
        time: Duration,
        pv: Vec<Move>,
    },
    Message(String),
    End(Outcome),
}

struct Forward(Sender<Event>);

impl Reporter for Forward {
    fn line(&mut self, info: &Info<'_>) {
        // A score that only bounds the true one is of no use to a reader.
        if info.bound == Bound::Exact {
            let _ = self.0.send(Event::Line {
                depth: info.depth,
                multipv: info.multipv,
                score: info.score,
                nodes: info.nodes,
                time: info.time,
                pv: info.pv.to_vec(),
            });
        }
    }

    fn message(&mut self, text: &str) {
        let _ = self.0.send(Event::Message(text.to_owned()));
    }

    fn finished(&mut self, outcome: &Outcome) {
        let _ = self.0.send(Event::End(*outcome));
    }
}

pub(super) fn run(args: &Args) -> CliResult {
    #[cfg(feature = "tools")]
    if !args.inputs.is_empty() {
        return super::analyze_games::run(args);
    }
    let start = Instant::now();
    let position = args.position.position()?;
    let mut engine = Engine::new();
    for (name, value) in [
        ("Hash", args.hash.unwrap_or(64).to_string()),
        ("Threads", args.threads.unwrap_or(1).to_string()),
        ("MultiPV", args.multipv.to_string()),
        ("Repetition Rule", rule_option(&args.rules)),
    ] {
        let Some(spec) = options::find(name) else {
            continue;
        };
        let note = engine
            .set_option(spec, Some(&value))
            .map_err(|e| CliError::Input(e.to_string()))?;
        if let Some(note) = note {
            eprintln!("chuhe: {note}");
        }
    }
    engine.put_position(position.clone());
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(out, "fen    {}", position.fen())?;
    }
    if !position.has_legal_move() {
        let how = if position.in_check() {
            "checkmate"
        } else {
            "stalemate"
        };
        write_lost(&mut out, args, &position, how)?;
        return Ok(ExitCode::from(1));
    }
    let (sender, events) = unbounded();
    engine
        .go(args.limits(), start, Box::new(Forward(sender)))
        .map_err(|e| CliError::Input(format!("--hash: {e}")))?;
    if !args.json {
        writeln!(
            out,
            "depth   score   win/draw/loss       nodes      nps     time  line"
        )?;
    }
    let interrupted = interrupt::flag();
    loop {
        let event = match events.recv_timeout(Duration::from_millis(50)) {
            Ok(event) => event,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if interrupted.load(Ordering::Relaxed) {
                    engine.stop();
                }
                continue;
            }
        };
        let written =
            write_event(&mut out, args, &position, &event).and_then(|()| Ok(out.flush()?));
        if let Err(e) = written {
            engine.stop();
            return Err(e);
        }
        if let Event::End(outcome) = &event {
            #[cfg(feature = "tools")]
            if let Some(file) = &args.svg {
                super::write_svg(file, &position, &best_line(outcome), args.notation())?;
            }
            #[cfg(not(feature = "tools"))]
            let _ = outcome;
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write_event(
    out: &mut impl Write,
    args: &Args,
    position: &Position,
    event: &Event,
) -> Result<(), CliError> {
    if args.json {
        return write_json(out, args, position, event);
    }
    match event {
        Event::Line {
            depth,
            multipv,
            score,
            nodes,
            time,
            pv,
        } => {
            let rank = if args.multipv > 1 {
                format!("{multipv:>3}. ")
            } else {
                String::new()
            };
            writeln!(
                out,
                "{depth:>5}  {:>6}  {:>14}  {nodes:>10}  {:>7}  {:>6.2}s  {rank}{}",
                score::text(*score),
                chances(*score),
                nodes_per_second(*nodes, *time),
                time.as_secs_f64(),
                args.notation().line(position, pv),
            )?;
        }
        Event::Message(text) => eprintln!("chuhe: {text}"),
        Event::End(outcome) => {
            let line = args.notation().line(position, &best_line(outcome));
            let mut moves = line.split(' ');
            write!(out, "best {}", moves.next().unwrap_or("none"))?;
            if let Some(reply) = moves.next() {
                write!(out, "  reply {reply}")?;
            }
            writeln!(
                out,
                "  score {}  depth {}  nodes {}  time {:.2}s",
                score::text(outcome.score),
                outcome.depth,
                outcome.nodes,
                outcome.time.as_secs_f64()
            )?;
        }
    }
    Ok(())
}

/// Chances in percent, such as `31/54/15`.
fn chances(s: Score) -> String {
    let [win, _, loss] = score::win_draw_loss(s).map(|n| (n + 5) / 10);
    format!("{win}/{}/{loss}%", 100 - win - loss)
}

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    // The clock may stand still over the first lines.
    (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64
}

/// The rule book as the engine's option names it.
fn rule_option(rules: &RuleSet) -> String {
    let choice = options::RULE_BOOKS
        .iter()
        .find(|c| c.rules() == Some(*rules));
    choice.map_or_else(String::new, |c| c.uci.to_owned())
}

/// The best move and the reply to it as one line.
fn best_line(outcome: &Outcome) -> Vec<Move> {
    outcome.best.into_iter().chain(outcome.ponder).collect()
}

#[cfg(feature = "tools")]
fn write_json(
    out: &mut impl Write,
    args: &Args,
    position: &Position,
    event: &Event,
) -> Result<(), CliError> {
    let object = match event {
        Event::Line {
            depth,
            multipv,
            score,
            nodes,
            time,
            pv,
        } => serde_json::json!({
            "type": "line", "depth": depth, "multipv": multipv, "score": score_json(*score),
            "wdl": score::win_draw_loss(*score), "nodes": nodes,
            "nps": nodes_per_second(*nodes, *time), "seconds": time.as_secs_f64(),
            "pv": pv.iter().map(|m| m.to_string()).collect::<Vec<_>>(),
            "text": args.notation().line(position, pv),
        }),
        Event::Message(text) => serde_json::json!({ "type": "message", "text": text }),
        Event::End(outcome) => serde_json::json!({
            "type": "best", "best": outcome.best.map(|m| m.to_string()),
            "reply": outcome.ponder.map(|m| m.to_string()),
            "text": args.notation().line(position, &best_line(outcome)),
            "score": score_json(outcome.score), "wdl": score::win_draw_loss(outcome.score),
            "depth": outcome.depth, "nodes": outcome.nodes,
            "nps": nodes_per_second(outcome.nodes, outcome.time), "seconds": outcome.time.as_secs_f64(),
        }),
    };
    Ok(writeln!(out, "{object}")?)
}

#[cfg(not(feature = "tools"))]
fn write_json(_: &mut impl Write, _: &Args, _: &Position, _: &Event) -> Result<(), CliError> {
    Err(super::no_json())
}

#[cfg(feature = "tools")]
fn lost_json(how: &str) -> Result<String, CliError> {
    let object = serde_json::json!({
        "type": "best", "best": null, "reply": null, "score": score_json(score::mated_in(0)),
        "depth": 0, "nodes": 0, "seconds": 0.0, "reason": how,
    });
    Ok(object.to_string())
}

#[cfg(not(feature = "tools"))]
fn lost_json(_: &str) -> Result<String, CliError> {
    Err(super::no_json())
}

fn write_lost(
    out: &mut impl Write,
    args: &Args,
    position: &Position,
    how: &str,
) -> Result<(), CliError> {
    if args.json {
        writeln!(out, "{}", lost_json(how)?)?;
    } else {
        writeln!(out, "no legal move: {} has lost by {how}", position.stm())?;
    }
    Ok(())
}
