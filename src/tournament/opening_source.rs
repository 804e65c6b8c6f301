//! Makes the list of openings an event asks for: once, before the first game; the state file
//! keeps it.

use super::client::Client;
use super::config::EventConfig;
use super::dialect::{GameText, Go};
use super::log::EngineLog;
use super::openings::{Opening, parse_list, random_list};
use super::prng::SplitMix;

/// An engine looks at no more than so many openings; then they come again.
const MOST_JUDGED: usize = 1000;

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
    let text = std::fs::read_to_string(source).map_err(|e| {
        format!("openings {source:?}: {e} (start, random:PLIES or a file is needed)")
    })?;
    let mut list = parse_list(&text, source)?;
    if config.openings.shuffle {
        SplitMix::new(config.seed, 0).shuffle(&mut list);
    }
    let n = list.len();
    list.rotate_left(config.openings.skip % n);
    list.truncate(wanted);
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
