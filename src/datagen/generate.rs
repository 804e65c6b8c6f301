//! Threads that play, and one that writes the games in the order of their numbers, so that a file
//! is the same byte by byte however many threads made it and however often it was interrupted.

use super::plan::Plan;
use super::player::Player;
use crate::dataset::{DataError, GameRecord, Writer};
use crate::search::HashError;
use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a run ended before its time.
#[derive(Debug)]
pub enum GenerateError {
    /// The file cannot be written.
    Data(DataError),
    /// No memory for an engine's table.
    Hash(HashError),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::Data(e) => e.fmt(f),
            GenerateError::Hash(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for GenerateError {}

/// Is told of each game that is played, in the order in which they end.
pub trait Observer {
    /// A game is over; it may be written later.
    fn played(&mut self, game: &GameRecord);
}

/// Plays the plan's games after the one numbered `last` with this many threads and writes them.
/// Returns whether all were played: a set `stop` ends the run, and what is written is whole.
///
/// # Errors
/// [`GenerateError`]; the games written so far remain.
pub fn generate(
    plan: &Plan,
    threads: usize,
    last: Option<u32>,
    writer: &mut Writer,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<bool, GenerateError> {
    let players = (0..threads.max(1))
        .map(|_| Player::new(plan))
        .collect::<Result<Vec<_>, _>>()
        .map_err(GenerateError::Hash)?;
    let numbers = Mutex::new(plan.numbers(last));
    let mut order = plan.numbers(last);
    let mut next = order.next();
    // What is played while an earlier game still goes on.
    let mut waiting = BTreeMap::new();
    let abort = AtomicBool::new(false);
    let mut failure = None;
    std::thread::scope(|scope| {
        let (sender, games) = bounded::<GameRecord>(64);
        for mut player in players {
            let (sender, numbers, abort) = (sender.clone(), &numbers, &abort);
            scope.spawn(move || {
                let take = || {
                    numbers
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .next()
                };
                while let Some(number) = take() {
                    let Some(game) = player.play(plan, number, abort) else {
                        return;
                    };
                    if sender.send(game).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let patience = std::time::Duration::from_millis(100);
        loop {
            if stop.load(Ordering::Relaxed) || failure.is_some() {
                abort.store(true, Ordering::Relaxed);
            }
            let game = match games.recv_timeout(patience) {
                Ok(game) => game,
                Err(e) if e.is_timeout() => continue,
                Err(_) => break,
            };
            observer.played(&game);
            waiting.insert(game.number, game);
            while failure.is_none()
                && let Some(game) = next.and_then(|n| waiting.remove(&n))
            {
                failure = writer.write(&game).err();
                next = order.next();
            }
        }
    });
    match failure {
        Some(e) => Err(GenerateError::Data(e)),
        None => Ok(next.is_none()),
    }
}
