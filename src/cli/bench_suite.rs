//! `chuhe bench --suite`: mates of a suite, found at the right distance or not.

use super::convert::bytes_of;
use super::{CliError, CliResult, interrupt};
use crate::analysis::{Setup, SuiteItem, SuiteResult, run_suite, suite_items};
use crate::records;
use crate::rules::RuleSet;
use crate::search::Limits;
use crate::types::score;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// How the mates are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Longest mate that is asked for, in moves.
    pub longest: u32,
    /// Time for each position.
    pub time: Duration,
    /// Positions looked at side by side, each by one thread.
    pub threads: usize,
    /// Table of each, in MiB.
    pub hash_mib: usize,
}

/// What came of the mates of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    all: usize,
    /// Found at the distance the suite gives, or within it where it gives an upper bound.
    right: usize,
    /// Only a longer mate was found in time.
    longer: usize,
    /// A shorter mate was found.
    shorter: usize,
    /// It was proved that there is no mate of that length.
    disproved: usize,
    none: usize,
    time: Duration,
    nodes: u64,
}

impl Tally {
    /// Counts a result and says in a word what it was, unless it was right.
    fn add(&mut self, item: &SuiteItem, result: &SuiteResult) -> Option<String> {
        self.all += 1;
        self.time += result.thought.time;
        self.nodes += result.thought.nodes;
        let wanted = i64::from(item.mate.unwrap_or(0));
        match score::mate_moves(result.thought.score).map(i64::from) {
            Some(m) if m == wanted || m > 0 && m < wanted && item.at_most => self.right += 1,
            _ if i64::from(result.thought.no_mate_in) >= wanted => {
                self.disproved += 1;
                return Some(format!("no mate in {wanted}: proved"));
            }
            Some(m) if m > wanted => {
                self.longer += 1;
                return Some(format!("mate {m} instead of {wanted}"));
            }
            Some(m) if m > 0 => {
                self.shorter += 1;
                return Some(format!("mate {m}, shorter than {wanted}"));
            }
            _ => {
                self.none += 1;
                return Some(format!("mate {wanted} not found"));
            }
        }
        None
    }
}

/// Solves the mates of the suite, writes each that is not met, and the counts last.
pub(super) fn run(file: &Path, plan: Plan) -> CliResult {
    let found = records::read(&file.display().to_string(), &bytes_of(file)?);
    for problem in &found.problems {
        eprintln!("{problem}");
    }
    let items: Vec<SuiteItem> = suite_items(&found.games)
        .map_err(CliError::Input)?
        .unwrap_or_default()
        .into_iter()
        .filter(|item| item.mate.is_some_and(|n| n <= plan.longest))
        .collect();
    if items.is_empty() {
        return Err(CliError::Input(format!(
            "{}: no position asks for a mate in at most {} (EPD with dm, or a table with a column \
             expected that says `mate N`)",
            file.display(),
            plan.longest
        )));
    }
    let setup = Setup {
        limits: Limits {
            movetime: Some(plan.time),
            ..Limits::default()
        },
        threads: plan.threads,
        hash_mib: plan.hash_mib,
        rules: RuleSet::default(),
        state: None,
    };
    let mut tally = Tally::default();
    let mut out = std::io::stdout().lock();
    let whole = run_suite(
        &items,
        &setup,
        &interrupt::flag(),
        |item, result| match tally.add(item, result) {
            None => Ok(()),
            Some(word) => writeln!(out, "{}: {word}  {}", item.id, item.position.fen()),
        },
    )
    .map_err(|e| CliError::Input(e.to_string()))?;
    writeln!(
        out,
        "{} / {} mates found at the right distance; {} longer, {} shorter, {} proved not to be \
         there, {} not found",
        tally.right, tally.all, tally.longer, tally.shorter, tally.disproved, tally.none
    )?;
    writeln!(
        out,
        "{} nodes, {:.1} s of thinking",
        tally.nodes,
        tally.time.as_secs_f64()
    )?;
    Ok(if whole {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}
