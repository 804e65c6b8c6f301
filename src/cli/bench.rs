//! `chuhe bench`: speed, and the signature of the search.

use super::{CliError, CliResult, net};
use crate::engine::bench::{self, Plan};
use crate::nnue::Level;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Search a fixed set of positions and report nodes and speed
///
/// With one thread the number of nodes is always the same for the same search, whatever the
/// machine. The last line is `<nodes> nodes <nps> nps`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  chuhe bench\n  chuhe bench --depth 12 --threads 2 --hash 64\n  chuhe bench --suite mates.epd --longest 7 --movetime 5000"
)]
pub(super) struct Args {
    /// Depth of each search in plies
    #[arg(long, value_name = "D", default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = bench::DEFAULT_HASH_MIB as u32, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    hash: u32,
    /// Evaluate with this network (`material`: count the pieces) [default: the
    /// one that is part of the program]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Evaluate the network with these instructions: scalar, avx2, avx512, neon [default: the best
    /// there are]
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Find the mates of a suite instead (EPD with dm, or a table with a column expected) and
    /// report how many were found at the right distance
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "eval_file"])]
    suite: Option<PathBuf>,
    /// Longest mate of the suite that is asked for, in moves
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "N", default_value_t = 7, requires = "suite", value_parser = clap::value_parser!(u32).range(1..=120))]
    longest: u32,
    /// Time for each position of the suite in milliseconds
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "MS", default_value_t = 5_000, requires = "suite", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: u64,
}

pub(super) fn run(args: &Args) -> CliResult {
    #[cfg(feature = "tools")]
    if let Some(file) = &args.suite {
        let plan = super::bench_suite::Plan {
            longest: args.longest,
            time: std::time::Duration::from_millis(args.movetime),
            threads: usize::from(args.threads),
            hash_mib: args.hash as usize,
        };
        return super::bench_suite::run(file, plan);
    }
    let mut network = net::load_optional(args.eval_file.as_deref())?;
    if let Some(level) = args.level {
        if !level.is_available() {
            return Err(CliError::Input(format!(
                "--level: this processor has no {level}"
            )));
        }
        network = network.map(|net| net.at_level(level));
    }
    let plan = Plan {
        depth: args.depth,
        threads: usize::from(args.threads),
        hash_mib: args.hash as usize,
        network: network.map(Arc::new),
    };
    let mut out = std::io::stdout().lock();
    let mut written = Ok(());
    let total = bench::run(plan, |i, one| {
        let nodes = one.nodes;
        written = writeln!(out, "{:2}  {nodes:>11}  {}", i + 1, bench::POSITIONS[i]);
        written.is_ok()
    });
    written?;
    let total = total.map_err(|e| CliError::Input(format!("--hash: {e}")))?;
    writeln!(out, "time {} ms", total.time.as_millis())?;
    writeln!(out, "{} nodes {} nps", total.nodes, total.nps())?;
    Ok(ExitCode::SUCCESS)
}
