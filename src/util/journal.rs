//! A file of JSON lines that is only ever appended to, and is whole after any end: an unfinished
//! last line is cut off when it is opened again. Locked against a second writer.

use serde::Serialize;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A journal open for appending.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
}

/// The whole lines of a journal.
pub(crate) fn whole_lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
    // What follows the last line end is nothing, or a line that was not finished.
    lines.pop();
    lines
}

impl Journal {
    /// Begins a new journal.
    pub(crate) fn create(path: &Path, head: &impl Serialize) -> Result<Journal, String> {
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
        let mut journal = Journal {
            file,
            path: path.into(),
        };
        journal.lock()?;
        journal.append(head)?;
        Ok(journal)
    }

    /// Opens a journal to go on with it, and what it holds.
    pub(crate) fn resume(path: &Path) -> Result<(Journal, Vec<u8>), String> {
        let failed = |e: std::io::Error| format!("state file {}: {e}", path.display());
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        let mut journal = Journal {
            file,
            path: path.into(),
        };
        journal.lock()?;
        let mut bytes = std::fs::read(path).map_err(failed)?;
        let sound = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        bytes.truncate(sound);
        Ok((journal, bytes))
    }

    /// Cuts off what was not finished; to be called once the rest was found sound.
    pub(crate) fn cut(&mut self, length: usize) -> Result<(), String> {
        self.file
            .set_len(length as u64)
            .and_then(|()| self.file.seek(SeekFrom::End(0)))
            .map(|_| ())
            .map_err(|e| format!("state file {}: {e}", self.path.display()))
    }

    fn lock(&mut self) -> Result<(), String> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(format!(
                "state file {}: another run is using it",
                self.path.display()
            )),
            // Not every file system has locks.
            Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Adds a line and sees it to the disk.
    pub(crate) fn append(&mut self, value: &impl Serialize) -> Result<(), String> {
        let place = self.path.display();
        let mut text =
            serde_json::to_string(value).map_err(|e| format!("state file {place}: {e}"))?;
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|e| format!("state file {place}: {e}"))
    }
}
