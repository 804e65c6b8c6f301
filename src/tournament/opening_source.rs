//! Makes the list of openings an event asks for: once, before the first game; the state file
//! keeps it.

use super::client::Client;
use super::config::EventConfig;
use super::dialect::{GameText, Go};
use super::log::EngineLog;
use super::openings::{Opening, parse_list, random_list};
use crate::records;
use crate::util::SplitMix;
use std::collections::HashSet;

/// An engine looks at no more than so many openings; then they come again.
const MOST_JUDGED: usize = 1000;

/// The lines that come with the program (see `book/README.md`).
static SUITE: &[u8] = include_bytes!("../../book/openings.txt");

/// The openings of an event, in order of its pairs.
///
/// # Errors
/// A file that cannot be read, an engine that cannot judge.
pub fn make_openings(config: &EventConfig) -> Result<Vec<Opening>, String> {
    let wanted = config.most_pairs().max(1);
    let source = config.openings.source.as_str();
    if source == "start" {
        return Ok(vec![Opening::default()]);
    }
    if let Some(plies) = source.strip_prefix("random:") {
        let plies: usize = plies
            .parse()
            .ok()
            .filter(|p| (1..=40).contains(p))
            .ok_or_else(|| format!("openings {source:?}: random:PLIES with 1 to 40 plies"))?;
        return match &config.openings.window {
            None => random_list(config.seed, plies, wanted, &mut |_| Ok(true)),
            Some(window) => judged(config, plies, wanted.min(MOST_JUDGED), *window),
        };
    }
    let bytes = if source == "suite" {
        SUITE.to_vec()
    } else {
        std::fs::read(source).map_err(|e| {
            format!("openings {source:?}: {e} (suite, start, random:PLIES or a file is needed)")
        })?
    };
    let mut list = from_file(source, &bytes, config.openings.plies)?;
    if config.openings.shuffle {
        SplitMix::new(config.seed, 0).shuffle(&mut list);
    }
    let n = list.len();
    list.rotate_left(config.openings.skip % n);
    list.truncate(wanted);
    Ok(list)
}

/// The openings of a file: a list, one a line, or game records in any format that `records` reads,
/// the main line of each game. Lines are cut after `plies`, and those that then are alike are
/// played once.
fn from_file(name: &str, bytes: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, String> {
    let found = records::read(name, bytes);
    let mut list = match found.format {
        // Lists have a reader of their own that knows remarks and says more of what is wrong.
        None | Some(records::Format::List | records::Format::Moves) => {
            parse_list(&records::decode(bytes).0, name)?
        }
        Some(_) => {
            // A line that fails in the middle would be another opening than was meant.
            if let Some(problem) = found.problems.iter().find(|p| p.is_error()) {
                return Err(problem.to_string());
            }
            found
                .games
                .iter()
                .map(|game| Opening {
                    fen: game.start().fen(),
                    moves: game.moves(),
                })
                .collect()
        }
    };
    if let Some(plies) = plies {
        let mut seen = HashSet::new();
        for opening in &mut list {
            opening.moves.truncate(plies);
        }
        list.retain(|opening| seen.insert(String::from(opening.clone())));
    }
    for (i, opening) in list.iter().enumerate() {
        if opening.position()?.legal_moves().is_empty() {
            return Err(format!(
                "{name}: opening {}: the game is over at its end: cut it with --opening-plies",
                i + 1
            ));
        }
    }
    if list.is_empty() {
        return Err(format!("{name}: no opening in it"));
    }
    Ok(list)
}

/// Random openings whose score is within the window by the judging engine.
fn judged(
    config: &EventConfig,
    plies: usize,
    wanted: usize,
    window: i32,
) -> Result<Vec<Opening>, String> {
    let judge = config.openings.judge.as_ref().ok_or(
        "an opening window needs an engine that judges (--opening-judge cmd=… nodes=20000)",
    )?;
    if judge.nodes.is_none() && judge.depth.is_none() {
        return Err(
            "the engine that judges openings needs nodes= or depth=, for the same openings \
             everywhere"
                .into(),
        );
    }
    let patience = config.patience();
    let never = || false;
    let failed = |e| format!("engine that judges openings: {e}");
    let mut client =
        Client::start(judge, &patience, &[], &EngineLog::default(), &never).map_err(failed)?;
    let list = random_list(config.seed, plies, wanted, &mut |opening| {
        let position = opening.position()?;
        client.new_game(&never).map_err(failed)?;
        let game = GameText {
            start: opening.fen.clone(),
            moves: opening.moves.clone(),
            base: (position.fen(), opening.moves.len()),
        };
        let go = Go {
            nodes: judge.nodes,
            depth: judge.depth,
            ..Go::default()
        };
        let reply = client
            .go(&game, &go, patience.search, &never)
            .map_err(failed)?;
        Ok(reply.thought.score.is_some_and(|s| s.abs() <= window))
    });
    client.quit();
    list
}
