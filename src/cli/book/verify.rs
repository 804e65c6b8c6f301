//! `chuhe book verify`.

use super::super::{CliError, CliResult, interrupt};
use super::{JudgeArgs, Progress, table, write};
use crate::book_making::check::{Bounds, Findings, Loss, examine, faults, sound};
use crate::book_making::{Graph, Opinions};
use crate::notation::{ChineseStyle, Notation};
use crate::opening_book::Details;
use crate::position::Position;
use crate::types::Move;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check that no move and no line of a book loses too much
///
/// Has the engine look at every position of the book and at the ends of its lines. A move loses
/// what lies between it and the best of its position, a line what lies between the start and its
/// worst position; docs/book.md tells how exactly.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 sound, 1 faults found or interrupted, 2 error.\n\nExamples:\n  \
    chuhe book verify my.book --nodes 1000000 --state my.state\n  \
    chuhe book verify my.book --nodes 50000 --max-loss 30 --prune better.book"
)]
pub(super) struct Args {
    /// The book; builtin is the one that comes with chuhe
    book: PathBuf,
    /// Nodes for each position
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The most a move may lose, in hundredths of a pawn
    #[arg(long, value_name = "CP", default_value_t = 60)]
    max_loss: u16,
    /// The most a side may lose since the start
    #[arg(long, value_name = "CP", default_value_t = 60)]
    line_loss: u16,
    /// Write the book without its faults here
    #[arg(long, value_name = "FILE")]
    prune: Option<PathBuf>,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> CliResult {
    let (table, _) = table(&args.book)?;
    let graph = Graph::new(&table, usize::MAX);
    let stop = interrupt::flag();
    let mut opinions = Opinions::new();
    let progress = Progress::new(&format!("{} nodes", args.nodes));
    let positions = graph.nodes.iter().map(|n| (n.key, &n.position));
    let mut report = |done, all| progress.show(done, all);
    let whole = args
        .judge
        .judge(args.nodes)
        .look(positions, &mut opinions, &stop, &mut report)
        .map_err(CliError::Input)?;
    drop(progress);
    if !whole {
        eprintln!("chuhe: {}", args.judge.hint());
        return Ok(ExitCode::from(1));
    }
    let bounds = Bounds {
        a_move: i32::from(args.max_loss),
        line: i32::from(args.line_loss),
    };
    let Some(findings) = examine(&graph, &opinions, bounds) else {
        return Err(CliError::Input("a position has no score".into()));
    };
    let faults = faults(&graph, &findings, bounds);
    let unreached = table.len().saturating_sub(graph.positions());
    if let Some(path) = &args.prune {
        let details = Details {
            nodes: args.nodes,
            max_loss: u32::from(args.max_loss),
        };
        if let Some(rest) = sound(&table, &opinions, bounds) {
            write(path, &rest, details)?;
        }
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json(args, &graph, &findings, &faults, unreached))?;
    } else {
        write!(out, "{}", text(args, &graph, &findings, &faults, unreached))?;
    }
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

fn greatest(losses: &[Vec<i32>]) -> i32 {
    losses.iter().flatten().copied().max().unwrap_or(0)
}

fn text(
    args: &Args,
    graph: &Graph,
    findings: &Findings,
    faults: &[Loss],
    unreached: usize,
) -> String {
    let mut out = format!(
        "{} positions, {} moves, {} searches of {} nodes\n",
        graph.positions(),
        graph.moves(),
        graph.nodes.len(),
        args.nodes
    );
    if unreached > 0 {
        out += &format!(
            "{unreached} positions that no line of the book leads to were not looked at\n"
        );
    }
    for (what, number) in [
        ("greatest loss of a move", greatest(&findings.loss)),
        ("greatest loss of a line", greatest(&findings.line_loss)),
        ("faults", faults.len() as i32),
    ] {
        out += &format!("{what:<24} {number:>5}\n");
    }
    let style = Notation::Chinese(ChineseStyle::default());
    for fault in faults {
        let line = style.line(&Position::startpos(), &fault.line);
        out += &format!("  loses {:>5}: {line}\n", fault.loss);
    }
    out
}

fn json(
    args: &Args,
    graph: &Graph,
    findings: &Findings,
    faults: &[Loss],
    unreached: usize,
) -> serde_json::Value {
    let text = |line: &[Move]| line.iter().map(Move::to_string).collect::<Vec<_>>();
    serde_json::json!({
        "positions": graph.positions(), "moves": graph.moves(), "searches": graph.nodes.len(),
        "nodes": args.nodes, "unreached": unreached,
        "greatest_move_loss": greatest(&findings.loss),
        "greatest_line_loss": greatest(&findings.line_loss),
        "faults": faults.iter().map(|f| serde_json::json!({"loss": f.loss, "line": text(&f.line)}))
            .collect::<Vec<_>>(),
    })
}
