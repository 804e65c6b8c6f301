//! `chuhe perft`: counts leaves.

use super::{CliError, CliResult, PositionArgs};
use crate::engine::available_mib;
use crate::position::{PerftTable, Position, perft, perft_hashed};
use crate::types::Move;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Count the leaves of the move tree
///
/// Counts the move sequences of DEPTH plies; the last ply is counted in bulk.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  chuhe perft 5\n  chuhe perft 4 --divide --fen \
    'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w'"
)]
pub(super) struct Args {
    /// Plies to count
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Print the count below each move
    #[arg(long)]
    divide: bool,
    /// Threads to use
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Remember counts in a table of this many MiB a thread (0: none)
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_048_576))]
    hash: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> CliResult {
    let position = args.position.position()?;
    let start = Instant::now();
    let divided = count(&position, args, tables(args)?);
    let seconds = start.elapsed().as_secs_f64();
    let nodes = if args.depth == 0 {
        1
    } else {
        divided.iter().map(|x| x.1).sum::<u64>()
    };
    let nps = (nodes as f64 / seconds.max(1e-9)) as u64;
    let mut out = std::io::stdout().lock();
    if args.json {
        write_json(&mut out, &position, args, &divided, nodes, seconds, nps)?;
    } else {
        if args.divide {
            for (m, n) in &divided {
                writeln!(out, "{m} {n}")?;
            }
        }
        writeln!(
            out,
            "depth {} nodes {nodes} seconds {seconds:.3} nps {nps}",
            args.depth
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A table of counts for each thread, or none for any.
fn tables(args: &Args) -> Result<Vec<Option<PerftTable>>, CliError> {
    let threads = usize::from(args.threads);
    if args.hash == 0 {
        return Ok((0..threads).map(|_| None).collect());
    }
    let mib = args.hash as usize;
    let no_memory = || {
        let total = mib * threads;
        CliError::Input(format!(
            "--hash: no memory for {threads} tables of {mib} MB ({total} MB)"
        ))
    };
    // A system that promises more than it has would end the program later.
    if available_mib().is_some_and(|free| mib * threads > free) {
        return Err(no_memory());
    }
    (0..threads)
        .map(|_| PerftTable::new(mib).map(Some).ok_or_else(no_memory))
        .collect()
}

/// The count below each root move, the moves being shared among the threads, one for each table.
fn count(
    position: &Position,
    args: &Args,
    mut tables: Vec<Option<PerftTable>>,
) -> Vec<(Move, u64)> {
    if args.depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let next = AtomicUsize::new(0);
    let work = |mut table: Option<PerftTable>| {
        let mut p = position.clone();
        let mut done = Vec::new();
        while let Some(&m) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            p.make(m);
            let n = match &mut table {
                Some(table) => perft_hashed(&mut p, args.depth - 1, table),
                None => perft(&mut p, args.depth - 1),
            };
            p.unmake();
            done.push((m, n));
        }
        done
    };
    let mut counts: Vec<(Move, u64)> = std::thread::scope(|scope| {
        let own = tables.pop().flatten();
        let work = &work;
        let others: Vec<_> = tables
            .into_iter()
            .map(|table| scope.spawn(move || work(table)))
            .collect();
        let mut all = work(own);
        for handle in others {
            match handle.join() {
                Ok(part) => all.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    counts.sort_by_key(|&(m, _)| m.to_string());
    counts
}

#[cfg(feature = "tools")]
fn write_json(
    out: &mut impl Write,
    position: &Position,
    args: &Args,
    divided: &[(Move, u64)],
    nodes: u64,
    seconds: f64,
    nps: u64,
) -> Result<(), CliError> {
    let below: serde_json::Map<String, serde_json::Value> = divided
        .iter()
        .map(|&(m, n)| (m.to_string(), n.into()))
        .collect();
    let object = serde_json::json!({
        "fen": position.fen(), "depth": args.depth, "nodes": nodes,
        "seconds": seconds, "nps": nps, "divide": below,
    });
    Ok(writeln!(out, "{object}")?)
}

#[cfg(not(feature = "tools"))]
fn write_json(
    _: &mut impl Write,
    _: &Position,
    _: &Args,
    _: &[(Move, u64)],
    _: u64,
    _: f64,
    _: u64,
) -> Result<(), CliError> {
    Err(super::no_json())
}
