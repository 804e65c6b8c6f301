//! The state file: a head line that says what is analysed and how, then one line a position.
//! Only ever appended to, so whatever kills the program loses at most the line being written,
//! which is cut off when the run is taken up again.

use super::runner::Found;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// What a run is: games and limits. A state file of another run is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    pub chuhe_analysis: u32,
    /// Fingerprint of the games.
    pub games: String,
    /// Limits, table and rules.
    pub limits: String,
}

/// A position found out.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub game: usize,
    pub ply: usize,
    #[serde(flatten)]
    pub found: Found,
}

#[derive(Debug)]
pub(super) struct StateFile(File);

impl StateFile {
    /// Opens or begins a state file, and what stands in it.
    pub(super) fn open(path: &Path, head: &Head) -> Result<(StateFile, Vec<Entry>), String> {
        let place = path.display();
        let failed = |e: std::io::Error| format!("state file {place}: {e}");
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(format!("state file {place}: another run is using it"));
        }
        let bytes = std::fs::read(path).map_err(failed)?;
        let sound = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let mut lines = bytes[..sound].split(|&b| b == b'\n');
        let mut entries = Vec::new();
        if sound > 0 {
            let first = lines.next().unwrap_or_default();
            match serde_json::from_slice::<Head>(first) {
                Ok(found) if found == *head => {}
                Ok(_) => {
                    return Err(format!(
                        "state file {place}: it belongs to other games or other limits"
                    ));
                }
                Err(_) => return Err(format!("state file {place}: it is no state of an analysis")),
            }
            for (i, line) in lines.enumerate().filter(|(_, l)| !l.is_empty()) {
                let entry = serde_json::from_slice(line)
                    .map_err(|e| format!("state file {place}:{}: {e}", i + 2))?;
                entries.push(entry);
            }
        } else if !bytes.is_empty() && !bytes.starts_with(b"{\"chuhe_analysis\"") {
            // Nobody's notes are overwritten because they have no line end.
            return Err(format!("state file {place}: it is no state of an analysis"));
        }
        file.set_len(sound as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(failed)?;
        let mut state = StateFile(file);
        if sound == 0 {
            state.line(head).map_err(failed)?;
        }
        Ok((state, entries))
    }

    pub(super) fn append(&mut self, entry: &Entry) -> Result<(), String> {
        self.line(entry).map_err(|e| format!("state file: {e}"))
    }

    fn line(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        let mut text = serde_json::to_string(value)?;
        text.push('\n');
        self.0.write_all(text.as_bytes())
    }
}
