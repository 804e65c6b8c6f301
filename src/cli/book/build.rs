//! `chuhe book build`.

use super::super::convert::{bytes_or_skip, files_of};
use super::super::{CliError, CliResult, interrupt};
use super::{JudgeArgs, Progress, say, write};
use crate::book_making::check::{Bounds, examine, sound, weigh, without_dead_ends};
use crate::book_making::extend::{self, extend};
use crate::book_making::{GatherRules, Graph, Only, Opinions, Table, gather, read_games};
use crate::opening_book::Details;
use crate::records::Game;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Make a book from games, checked by search
///
/// Reads every game file that chuhe reads (PGN in all notations, XQF, CBL, DhtmlXQ …) and tables
/// with tabs between columns, the moves in a column "moves". Counts the main lines of games from
/// the usual start; with --nodes, has the engine look at every position and drops what loses too
/// much.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 done, 1 done but some input could not be read or interrupted, 2 nothing done.\n\n\
    Examples:\n  \
    chuhe book build games/ --out my.book\n  \
    chuhe book build games.pgn --out my.book --min-games 3 --nodes 20000,1000000 --state my.state\n  \
    zstd -dc games.tsv.zst | chuhe book build - --only source=ccpd- --out my.book"
)]
pub(super) struct Args {
    /// Files or folders to read; `-` is stdin
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only games with this beginning of a tag (of tables: column)
    #[arg(long, value_name = "TAG=START", help_heading = "Games")]
    only: Vec<Only>,
    /// Plies of each game
    #[arg(long, value_name = "N", default_value_t = GatherRules::default().plies, help_heading = "Games")]
    plies: usize,
    /// Games a move must have been played in
    #[arg(long, value_name = "N", default_value_t = GatherRules::default().min_games, help_heading = "Games")]
    min_games: u32,
    /// Percent of the points its player must have got
    #[arg(long, value_name = "PERCENT", default_value_t = GatherRules::default().min_score, help_heading = "Games")]
    min_score: f64,
    /// Moves of a position at most
    #[arg(long, value_name = "N", default_value_t = GatherRules::default().max_moves, help_heading = "Games")]
    max_moves: usize,
    /// Drop moves played this many times less often than another one
    #[arg(long, value_name = "TIMES", default_value_t = GatherRules::default().rarest, help_heading = "Games")]
    rarest: f64,
    /// Let the games of all players weigh the same
    #[arg(long, help_heading = "Games")]
    no_strength: bool,
    /// Positions at most: --min-games is raised until no more are left
    #[arg(long, value_name = "N", help_heading = "Games")]
    max_positions: Option<usize>,
    /// Look at each position with so many nodes; several numbers: first all with few and twice
    /// the tolerance, then what is left with more
    #[arg(
        long,
        value_name = "N,N",
        value_delimiter = ',',
        help_heading = "Search"
    )]
    nodes: Vec<u64>,
    /// Drop moves that lose more, in hundredths of a pawn
    #[arg(long, value_name = "CP", default_value_t = 40, help_heading = "Search")]
    max_loss: u16,
    /// Drop lines in which a side has lost more since the start
    #[arg(long, value_name = "CP", default_value_t = 60, help_heading = "Search")]
    line_loss: u16,
    /// Add the engine's moves where the book has none, and moves that other engines are likely to
    /// play so that they can be answered, until the book has a move in so many positions
    #[arg(long, value_name = "N", help_heading = "Search")]
    extend: Option<usize>,
    /// No added move further than this from the start
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 30,
        help_heading = "Search"
    )]
    extend_plies: usize,
    #[command(flatten, next_help_heading = "Search")]
    judge: JudgeArgs,
}

pub(super) fn run(args: &Args) -> CliResult {
    if args.nodes.contains(&0) {
        return Err(CliError::Input("--nodes: at least 1 is needed".into()));
    }
    if args.extend.is_some() && args.nodes.is_empty() {
        return Err(CliError::Input("--extend: needs a search (--nodes)".into()));
    }
    let (games, whole) = read(args)?;
    let table = from_games(args, &games)?;
    let stop = interrupt::flag();
    let Some(table) = searched(args, table, &stop)? else {
        eprintln!("chuhe: {}", args.judge.hint());
        return Ok(ExitCode::from(1));
    };
    let graph = Graph::new(&table, usize::MAX);
    let details = Details {
        nodes: args.nodes.last().copied().unwrap_or(0),
        max_loss: if args.nodes.is_empty() {
            0
        } else {
            u32::from(args.max_loss)
        },
    };
    write(&args.out, &table, details)?;
    say(&format!(
        "{} positions ({} with a move to play), {} moves",
        graph.positions(),
        graph.answered(),
        graph.moves()
    ))?;
    Ok(if whole {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// The games wanted, and whether all could be read.
fn read(args: &Args) -> Result<(Vec<Game>, bool), CliError> {
    let files = files_of(&args.inputs)?;
    let (mut games, mut whole) = (Vec::new(), true);
    for file in &files {
        let Some(bytes) = bytes_or_skip(file, &files)? else {
            whole = false;
            continue;
        };
        let (found, problems) = read_games(&file.display().to_string(), &bytes);
        for problem in &problems {
            eprintln!("{problem}");
        }
        whole &= problems.is_empty();
        let wanted = |game: &Game| args.only.iter().all(|only| only.allows(game));
        games.extend(found.into_iter().filter(wanted));
    }
    if games.is_empty() {
        return Err(CliError::Input("no game to make a book of".into()));
    }
    Ok((games, whole))
}

/// What was played often enough.
fn from_games(args: &Args, games: &[Game]) -> Result<Table, CliError> {
    let mut rules = GatherRules {
        plies: args.plies,
        min_games: args.min_games,
        min_score: args.min_score,
        max_moves: args.max_moves,
        rarest: args.rarest,
        strength: !args.no_strength,
    };
    loop {
        let gathered = gather(games, &rules);
        let graph = Graph::new(&gathered.table, args.plies);
        if args
            .max_positions
            .is_some_and(|most| graph.positions() > most)
        {
            rules.min_games += 1 + rules.min_games / 20;
            continue;
        }
        say(&format!(
            "{} games ({} from a set-up position left out): {} positions, {} moves, each in {} \
             games or more",
            gathered.games,
            gathered.skipped,
            graph.positions(),
            graph.moves(),
            rules.min_games
        ))?;
        if graph.moves() == 0 {
            return Err(CliError::Input(
                "no move was played often enough: lower --min-games".into(),
            ));
        }
        return Ok(graph.reached(&gathered.table));
    }
}

/// The table without what loses too much, carried on by the engine; `None` if interrupted.
fn searched(args: &Args, mut table: Table, stop: &AtomicBool) -> Result<Option<Table>, CliError> {
    for (stage, &nodes) in args.nodes.iter().enumerate() {
        let is_last = stage + 1 == args.nodes.len();
        // A short search errs more; what it is not sure of is left to the longer ones.
        let tolerance = if is_last { 1 } else { 2 };
        let bounds = Bounds {
            a_move: tolerance * i32::from(args.max_loss),
            line: tolerance * i32::from(args.line_loss),
        };
        let judge = args.judge.judge(nodes);
        let mut opinions = Opinions::new();
        let mut tried = HashSet::new();
        let wanted = args.extend.filter(|_| is_last);
        loop {
            let graph = Graph::new(&table, usize::MAX);
            let progress = Progress::new(&format!("{nodes} nodes"));
            let positions = graph.nodes.iter().map(|n| (n.key, &n.position));
            let mut report = |done, all| progress.show(done, all);
            let whole = judge
                .look(positions, &mut opinions, stop, &mut report)
                .map_err(CliError::Input)?;
            drop(progress);
            if !whole {
                return Ok(None);
            }
            table = sound(&table, &opinions, bounds)
                .ok_or_else(|| CliError::Input("a position has no score".into()))?;
            let left = Graph::new(&table, usize::MAX);
            say(&format!(
                "{nodes} nodes: {} of {} moves kept, {} positions",
                left.moves(),
                graph.moves(),
                left.positions()
            ))?;
            let missing = wanted.map_or(0, |n| n.saturating_sub(left.answered()));
            // In portions, so that likely lines grow long before unlikely ones grow at all; not so
            // small that processors wait for the last search of each.
            let growth = extend::Bounds {
                count: missing.min(left.positions() / 64 + 16),
                plies: args.extend_plies,
                line: bounds.line,
            };
            if extend(&mut table, &left, &opinions, growth, &mut tried) > 0 {
                continue;
            }
            if wanted.is_some() {
                let [people, engine] = extend::moves_from_book(&left, &opinions);
                say(&format!(
                    "{} positions answered: {people:.1} moves of a game against people, {engine:.1} against an engine",
                    left.answered()
                ))?;
            }
            if let Some(findings) = examine(&left, &opinions, bounds).filter(|_| is_last) {
                weigh(&mut table, &left, &findings);
                table = without_dead_ends(table);
            }
            break;
        }
    }
    Ok(Some(table))
}
