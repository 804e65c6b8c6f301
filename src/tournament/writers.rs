//! The records people read: PGN and JSON lines, flushed game by game. When an event is resumed
//! they are written anew from the state, so they neither lack nor repeat a game.

use super::config::EventConfig;
use super::record::{GameRecord, PgnContext};
use super::state::Header;
use crate::notation::Notation;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The open record files.
#[derive(Debug)]
pub struct Writers {
    notation: Notation,
    pgn: Option<(PathBuf, File)>,
    jsonl: Option<(PathBuf, File)>,
}

/// The game as PGN.
pub fn pgn_of(config: &EventConfig, record: &GameRecord, notation: Notation) -> String {
    let name = |e: usize| config.engine.get(e).map_or("?", |e| e.name.as_str());
    let (red, black) = (
        config.limit_text(record.red),
        config.limit_text(record.black),
    );
    let control = if red == black {
        red
    } else {
        format!("{red} / {black}")
    };
    record.pgn(&PgnContext {
        event: &config.event,
        red: name(record.red),
        black: name(record.black),
        time_control: &control,
        rules: &config.rules.to_string(),
        notation,
    })
}

fn json_of(config: &EventConfig, record: &GameRecord) -> String {
    let mut value = serde_json::to_value(record).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        for (key, engine) in [("red_name", record.red), ("black_name", record.black)] {
            let name = config.engine.get(engine).map(|e| e.name.clone());
            object.insert(key.into(), name.into());
        }
    }
    format!("{value}\n")
}

/// Writes a file whole or not at all, then opens it for more. What is no plain file (a pipe, a
/// device) is written to as it is: putting a new file in its place would be no service.
fn rewrite(path: &Path, parts: impl Iterator<Item = String>) -> Result<(PathBuf, File), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        let mut file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        for part in parts {
            file.write_all(part.as_bytes()).map_err(failed)?;
        }
        return Ok((path.into(), file));
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let mut out = BufWriter::new(File::create(&temporary).map_err(failed)?);
    for part in parts {
        out.write_all(part.as_bytes()).map_err(failed)?;
    }
    out.flush().map_err(failed)?;
    drop(out);
    fs::rename(&temporary, path).map_err(failed)?;
    let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
    Ok((path.into(), file))
}

impl Writers {
    /// Writes what is recorded already and waits for more.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn open(header: &Header, records: &[GameRecord]) -> Result<Writers, String> {
        let config = &header.config;
        let notation = header.notation.as_deref().unwrap_or("iccs");
        let mut writers = Writers {
            notation: notation.parse().map_err(|e| format!("notation: {e}"))?,
            pgn: None,
            jsonl: None,
        };
        if let Some(path) = &header.pgn {
            let games = records.iter().filter(|r| !r.forfeit);
            writers.pgn = Some(rewrite(
                path,
                games.map(|r| pgn_of(config, r, writers.notation)),
            )?);
        }
        if let Some(path) = &header.jsonl {
            let games = records.iter();
            writers.jsonl = Some(rewrite(path, games.map(|r| json_of(config, r)))?);
        }
        Ok(writers)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn game(&mut self, config: &EventConfig, record: &GameRecord) -> Result<(), String> {
        if let (Some((path, file)), false) = (&mut self.pgn, record.forfeit) {
            file.write_all(pgn_of(config, record, self.notation).as_bytes())
                .map_err(|e| format!("{}: {e}", path.display()))?;
        }
        if let Some((path, file)) = &mut self.jsonl {
            file.write_all(json_of(config, record).as_bytes())
                .map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(())
    }
}
