//! The state file: a head line with the event, then one line a finished game. Only ever appended
//! to, so whatever kills the program loses at most the game being written; an unfinished last
//! line is cut off when the event is resumed.

use super::config::EventConfig;
use super::openings::Opening;
use super::record::GameRecord;
use crate::util::journal::{Journal, whole_lines};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The head of a state file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub chuhe_match: u32,
    /// Which part of the event this is: `(i, n)`, i from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(usize, usize)>,
    /// PGN file, written anew when resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<PathBuf>,
    /// How moves are written in PGN; ICCS if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// File of JSON lines, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jsonl: Option<PathBuf>,
    /// The event.
    pub config: EventConfig,
    /// The openings, in order of the pairs.
    pub openings: Vec<Opening>,
}

/// A line after the head.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Game(Box<GameRecord>),
    Withdrawal { withdraw: usize },
}

/// What a state file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The head.
    pub header: Header,
    /// Finished games by number.
    pub records: Vec<GameRecord>,
    /// Engines that were withdrawn by hand.
    pub withdrawn: Vec<usize>,
}

/// A state file open for appending, locked against a second runner.
#[derive(Debug)]
pub struct StateFile(Journal);

const VERSION: u32 = 1;

impl Header {
    /// A head of the present version.
    pub fn new(config: EventConfig, openings: Vec<Opening>) -> Header {
        Header {
            chuhe_match: VERSION,
            shard: None,
            pgn: None,
            notation: None,
            jsonl: None,
            config,
            openings,
        }
    }
}

impl State {
    /// Reads a state file without changing it.
    ///
    /// # Errors
    /// It cannot be read or is no state file.
    pub fn read(path: &Path) -> Result<State, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        parse(&whole_lines(&bytes), path)
    }
}

fn parse(lines: &[&[u8]], path: &Path) -> Result<State, String> {
    let place = path.display();
    let mut header: Option<Header> = None;
    let mut records = BTreeMap::new();
    let mut withdrawn = Vec::new();
    for (i, text) in lines.iter().enumerate() {
        let bad =
            |e: serde_json::Error| format!("{place}: line {}: not of a match state ({e})", i + 1);
        if header.is_none() {
            let h: Header = serde_json::from_slice(text).map_err(bad)?;
            if h.chuhe_match != VERSION {
                return Err(format!(
                    "{place}: version {} of the format; this program knows {VERSION}",
                    h.chuhe_match
                ));
            }
            header = Some(h);
        } else {
            match serde_json::from_slice(text).map_err(bad)? {
                Line::Game(record) => {
                    records.entry(record.game).or_insert(*record);
                }
                Line::Withdrawal { withdraw } => withdrawn.push(withdraw),
            }
        }
    }
    let header = header.ok_or_else(|| format!("{place}: not a match state (no head line)"))?;
    let n = header.config.engine.len();
    if records.values().any(|r| r.red >= n || r.black >= n) || withdrawn.iter().any(|&w| w >= n) {
        return Err(format!("{place}: names an engine the event does not have"));
    }
    Ok(State {
        header,
        records: records.into_values().collect(),
        withdrawn,
    })
}

impl StateFile {
    /// Begins a new state file.
    ///
    /// # Errors
    /// It exists, or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<StateFile, String> {
        Journal::create(path, header).map(StateFile)
    }

    /// Opens a state file to go on with it; an unfinished last line is cut off.
    ///
    /// # Errors
    /// It cannot be read, is no state file, or is in use.
    pub fn resume(path: &Path) -> Result<(StateFile, State), String> {
        let (mut journal, bytes) = Journal::resume(path)?;
        let state = parse(&whole_lines(&bytes), path)?;
        journal.cut(bytes.len())?;
        Ok((StateFile(journal), state))
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), String> {
        self.0.append(record)
    }

    /// Notes that an engine withdraws.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn withdraw(&mut self, engine: usize) -> Result<(), String> {
        self.0.append(&Line::Withdrawal { withdraw: engine })
    }
}

/// Joins the states of an event's shards.
///
/// # Errors
/// States of different events, the same game with different results, or no state.
pub fn merge(states: Vec<(String, State)>) -> Result<State, String> {
    let mut states = states.into_iter();
    let (first_name, mut joined) = states.next().ok_or("no state files given")?;
    let mut games: BTreeMap<usize, GameRecord> = std::mem::take(&mut joined.records)
        .into_iter()
        .map(|r| (r.game, r))
        .collect();
    for (name, state) in states {
        if state.header.config != joined.header.config
            || state.header.openings != joined.header.openings
        {
            return Err(format!(
                "{name} and {first_name} are of different events: engines, settings, seed and \
                 openings must be the same"
            ));
        }
        for record in state.records {
            let number = record.game;
            if let Some(other) = games.get(&number)
                && *other != record
            {
                return Err(format!(
                    "{name}: game {number} was also played elsewhere, differently: was a shard \
                     run twice?"
                ));
            }
            games.insert(number, record);
        }
        joined.withdrawn.extend(state.withdrawn);
    }
    joined.withdrawn.sort_unstable();
    joined.withdrawn.dedup();
    joined.header.shard = None;
    joined.records = games.into_values().collect();
    Ok(joined)
}
