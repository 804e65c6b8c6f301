//! The state file: a head line with the event, then one line a finished game. Only ever appended
//! to, so whatever kills the program loses at most the game being written; an unfinished last
//! line is cut off when the event is resumed.

use super::config::EventConfig;
use super::openings::Opening;
use super::record::GameRecord;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
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
pub struct StateFile {
    file: File,
    path: PathBuf,
}

const VERSION: u32 = 1;

impl Header {
    /// A head of the present version.
    pub fn new(config: EventConfig, openings: Vec<Opening>) -> Header {
        Header {
            chuhe_match: VERSION,
            shard: None,
            pgn: None,
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
        parse(&bytes, path).map(|x| x.0)
    }
}

/// The state and the length of its sound part.
fn parse(bytes: &[u8], path: &Path) -> Result<(State, u64), String> {
    let place = path.display();
    let mut sound = 0;
    let mut header: Option<Header> = None;
    let mut records = BTreeMap::new();
    let mut withdrawn = Vec::new();
    for (i, line) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
        let Some(text) = line.strip_suffix(b"\n") else {
            break;
        };
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
        sound += line.len() as u64;
    }
    let header = header.ok_or_else(|| format!("{place}: not a match state (no head line)"))?;
    let n = header.config.engine.len();
    if records.values().any(|r| r.red >= n || r.black >= n) || withdrawn.iter().any(|&w| w >= n) {
        return Err(format!("{place}: names an engine the event does not have"));
    }
    let state = State {
        header,
        records: records.into_values().collect(),
        withdrawn,
    };
    Ok((state, sound))
}

impl StateFile {
    /// Begins a new state file.
    ///
    /// # Errors
    /// It exists, or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<StateFile, String> {
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)
            .map_err(|e| {
                let hint = if e.kind() == std::io::ErrorKind::AlreadyExists {
                    " (continue it with --resume, or remove it)"
                } else {
                    ""
                };
                format!("state file {}: {e}{hint}", path.display())
            })?;
        let mut state = StateFile {
            file,
            path: path.into(),
        };
        state.lock()?;
        state.line(header)?;
        Ok(state)
    }

    /// Opens a state file to go on with it; an unfinished last line is cut off.
    ///
    /// # Errors
    /// It cannot be read, is no state file, or is in use.
    pub fn resume(path: &Path) -> Result<(StateFile, State), String> {
        let failed = |e: std::io::Error| format!("state file {}: {e}", path.display());
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        let mut opened = StateFile {
            file,
            path: path.into(),
        };
        opened.lock()?;
        let bytes = std::fs::read(path).map_err(failed)?;
        let (state, sound) = parse(&bytes, path)?;
        opened.file.set_len(sound).map_err(failed)?;
        opened.file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok((opened, state))
    }

    fn lock(&mut self) -> Result<(), String> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(format!(
                "state file {}: another match is running with it",
                self.path.display()
            )),
            // Not every file system has locks.
            Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), String> {
        let failed = |e: &dyn std::fmt::Display| format!("state file: {e}");
        let mut text = serde_json::to_string(value).map_err(|e| failed(&e))?;
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|e| format!("state file {}: {e}", self.path.display()))
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), String> {
        self.line(record)
    }

    /// Notes that an engine withdraws.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn withdraw(&mut self, engine: usize) -> Result<(), String> {
        self.line(&Line::Withdrawal { withdraw: engine })
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
            if let Some(other) = games.get(&number) {
                if *other != record {
                    return Err(format!(
                        "{name}: game {number} was also played elsewhere, differently: was a shard \
                         run twice?"
                    ));
                }
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
