//! `chuhe net`: looks at network files.

use super::{CliError, CliResult};
use crate::engine::MATERIAL;
use crate::nnue::{Accumulators, Level, Network, features};
use crate::position::Position;
use crate::util::SplitMix;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Look at a network file
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all is well, 1 a check failed, 2 the file cannot be used.\n\n\
    Examples:\n  chuhe net info\n  chuhe net check n1.nnue"
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Say what is in the file
    Info {
        /// The file [default: the network that is part of the program]
        file: Option<PathBuf>,
    },
    /// Evaluate random games at every level this processor has: all must agree, along the moves
    /// and from scratch
    Check {
        /// The file [default: the network that is part of the program]
        file: Option<PathBuf>,
        /// Number of random games
        #[arg(long, value_name = "N", default_value_t = 50)]
        games: u32,
    },
}

pub(super) fn run(args: &Args) -> CliResult {
    match &args.action {
        Action::Info { file } => info(file.as_deref()),
        Action::Check { file, games } => check(file.as_deref(), *games),
    }
}

fn load(file: Option<&Path>) -> Result<Network, CliError> {
    file.map_or_else(
        || Ok(Network::embedded()),
        |file| Network::read(file).map_err(|e| CliError::Input(format!("{}: {e}", file.display()))),
    )
}

/// The network of `--eval-file`: the embedded one if none is given; none if the pieces are to be
/// counted.
pub(super) fn load_optional(file: Option<&Path>) -> Result<Option<Network>, CliError> {
    match file {
        Some(file) if file.as_os_str() == MATERIAL => Ok(None),
        _ => load(file).map(Some),
    }
}

fn info(file: Option<&Path>) -> CliResult {
    let net = load(file)?;
    let [columns, bias, output] = net.magnitudes();
    let mut out = std::io::stdout().lock();
    writeln!(out, "network {:08x}", net.checksum())?;
    writeln!(
        out,
        "features {} (set {}), lanes {} a side, buckets {}, scale {}",
        features::COUNT,
        features::SET,
        net.lanes(),
        crate::nnue::BUCKETS,
        net.scale()
    )?;
    writeln!(
        out,
        "greatest weights {columns} (first layer), {bias} (its bias), {output} (second layer)"
    )?;
    writeln!(out, "training {:08x}", net.training())?;
    writeln!(out, "made by {}", net.description())?;
    writeln!(out, "evaluated with {} here", net.level())?;
    Ok(ExitCode::SUCCESS)
}

fn check(file: Option<&Path>, games: u32) -> CliResult {
    let net = load(file)?;
    let mut out = std::io::stdout().lock();
    let lines = random_lines(games);
    let mut all: Option<Vec<i32>> = None;
    let mut good = true;
    for level in Level::ALL.into_iter().filter(|l| l.is_available()) {
        let net = net.clone().at_level(level);
        let mut line = Accumulators::new(&net);
        let mut fresh = Accumulators::new(&net);
        let (mut along, mut scratch) = (Vec::new(), Vec::new());
        let begin = Instant::now();
        for moves in &lines {
            let mut p = Position::startpos();
            line.reset();
            for &m in moves {
                line.push(&p, m);
                p.make(m);
                along.push(line.evaluate(&net, &p));
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        for moves in &lines {
            let mut p = Position::startpos();
            for &m in moves {
                p.make(m);
                fresh.reset();
                scratch.push(fresh.evaluate(&net, &p));
            }
        }
        let same = along == scratch && all.as_ref().is_none_or(|values| *values == along);
        good &= same;
        writeln!(
            out,
            "{level:<7} {} positions, {:.0} ns a move and evaluation, {}",
            along.len(),
            seconds * 1e9 / along.len().max(1) as f64,
            if same { "agrees" } else { "DIFFERS" }
        )?;
        all = Some(along);
    }
    Ok(ExitCode::from(u8::from(!good)))
}

fn random_lines(games: u32) -> Vec<Vec<crate::types::Move>> {
    (0..games)
        .map(|game| {
            let mut rng = SplitMix::new(1, u64::from(game));
            let mut p = Position::startpos();
            for _ in 0..200 {
                let moves = p.legal_moves();
                let Some(&m) = moves.get(rng.below(moves.len())) else {
                    break;
                };
                p.make(m);
            }
            p.moves_played()
        })
        .collect()
}
