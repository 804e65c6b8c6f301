//! Writing files of games by appending.

use super::game::{CRC_LEN, HEAD_LEN, MAX_PLIES};
use super::reader::{DataError, DataErrorKind};
use super::{GameRecord, MAGIC, Reader, VERSION};
use crate::util::crc32;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of the longest game.
const MAX_LEN: u64 = (HEAD_LEN + 4 * MAX_PLIES + CRC_LEN) as u64;

/// A file of games that is being written. Every game is handed to the system at once, so that a
/// killed program loses at most the game it was writing.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    buffer: Vec<u8>,
}

/// What was found in a file that is continued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resumed {
    /// Whole games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Number of the last of them.
    pub last: Option<u32>,
    /// Bytes of a game that was cut off, which were removed.
    pub removed: u64,
}

impl Writer {
    /// Begins a new file; `parameters` says how the games are made (words `name=value`, at most
    /// 65,535 bytes, the rest being cut off).
    ///
    /// # Errors
    /// [`DataError`] if the file exists or cannot be written.
    pub fn create(path: &Path, parameters: &str) -> Result<Writer, DataError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let fail = |e| DataError {
            path: path.to_owned(),
            kind: DataErrorKind::Io(e),
        };
        let mut file = file.map_err(fail)?;
        let mut end = parameters.len().min(usize::from(u16::MAX));
        while !parameters.is_char_boundary(end) {
            end -= 1;
        }
        let text = &parameters.as_bytes()[..end];
        let mut head = MAGIC.to_vec();
        head.extend_from_slice(&VERSION.to_le_bytes());
        head.extend_from_slice(&(text.len() as u16).to_le_bytes());
        head.extend_from_slice(text);
        let crc = crc32(&head);
        head.extend_from_slice(&crc.to_le_bytes());
        file.write_all(&head).map_err(fail)?;
        Ok(Writer {
            path: path.to_owned(),
            file,
            buffer: Vec::new(),
        })
    }

    /// Goes on with a file that was made with the same parameters. A game at its end that is cut
    /// off is removed.
    ///
    /// # Errors
    /// [`DataError`] if it has other parameters, or a damaged game anywhere: then nothing is
    /// changed.
    pub fn resume(path: &Path, parameters: &str) -> Result<(Writer, Resumed), DataError> {
        let fail = |kind| DataError {
            path: path.to_owned(),
            kind,
        };
        let mut reader = Reader::open(path)?;
        if reader.parameters() != parameters {
            let text = reader.parameters().to_owned();
            return Err(fail(DataErrorKind::Parameters(text)));
        }
        let mut found = Resumed::default();
        while let Some(game) = reader.next() {
            match game {
                Ok(game) => {
                    found.games += 1;
                    found.plies += game.plies.len() as u64;
                    found.last = Some(game.number);
                }
                Err(e) if matches!(e.kind, DataErrorKind::CutOff(_)) => {
                    found.removed = reader.length() - reader.offset();
                    // More than one game can be long is no cut but a damaged length.
                    if found.removed > MAX_LEN {
                        return Err(fail(DataErrorKind::Damaged(reader.offset(), None)));
                    }
                }
                Err(e) => return Err(e),
            }
        }
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.set_len(reader.offset())?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|e| fail(DataErrorKind::Io(e)))?;
        let path = path.to_owned();
        let buffer = Vec::new();
        Ok((Writer { path, file, buffer }, found))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`DataError`] if it cannot be written.
    pub fn write(&mut self, game: &GameRecord) -> Result<(), DataError> {
        self.buffer.clear();
        game.encode(&mut self.buffer);
        self.file
            .write_all(&self.buffer)
            .map_err(|e| self.failed(e))
    }

    /// Waits until the device has everything.
    ///
    /// # Errors
    /// [`DataError`] if that fails.
    pub fn finish(self) -> Result<(), DataError> {
        self.file.sync_all().map_err(|e| self.failed(e))
    }

    fn failed(&self, e: io::Error) -> DataError {
        DataError {
            path: self.path.clone(),
            kind: DataErrorKind::Io(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{End, Outcome, Ply};
    use super::*;
    use crate::position::Position;
    use crate::util::SplitMix;

    fn random_game(number: u32) -> GameRecord {
        let mut rng = SplitMix::new(1, u64::from(number));
        let start = Position::startpos();
        let mut p = start.clone();
        let mut plies = Vec::new();
        for _ in 0..rng.below(60) {
            let moves = p.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len())];
            plies.push(Ply::new(mv, rng.below(62_001) as i32 - 31_000));
            p.make(mv);
        }
        GameRecord {
            number,
            start,
            outcome: Outcome::Draw,
            end: End::TooLong,
            plies,
        }
    }

    fn same(a: &GameRecord, b: &GameRecord) -> bool {
        let bytes = |g: &GameRecord| {
            let mut v = Vec::new();
            g.encode(&mut v);
            v
        };
        bytes(a) == bytes(b)
    }

    fn temp(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("chuhe-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    /// Wherever a file is cut off, all whole games are read, and going on makes it what it would
    /// have become.
    #[test]
    fn cut_off_anywhere_and_resumed() {
        let path = temp("cut.games");
        let mut w = Writer::create(&path, "seed=1").unwrap();
        assert!(
            Writer::create(&path, "seed=1").is_err(),
            "never overwritten"
        );
        for n in 0..4 {
            w.write(&random_game(n)).unwrap();
        }
        w.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut ends = vec![Reader::open(&path).unwrap().offset() as usize];
        let mut reader = Reader::open(&path).unwrap();
        while let Some(game) = reader.next() {
            assert!(same(&game.unwrap(), &random_game(ends.len() as u32 - 1)));
            ends.push(reader.offset() as usize);
        }
        assert_eq!(*ends.last().unwrap(), whole.len());
        for cut in ends[0]..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let kept = ends.iter().filter(|&&e| e <= cut).count() - 1;
            let clean = ends.contains(&cut);
            let games: Vec<_> = Reader::open(&path).unwrap().collect();
            assert_eq!(games.iter().filter(|g| g.is_ok()).count(), kept);
            assert_eq!(games.len(), kept + usize::from(!clean));
            let (mut w, found) = Writer::resume(&path, "seed=1").unwrap();
            assert_eq!(found.games, kept as u64);
            assert_eq!(found.removed, (cut - ends[kept]) as u64);
            for n in kept..4 {
                w.write(&random_game(n as u32)).unwrap();
            }
            w.finish().unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn damage_is_found_and_nothing_is_changed() {
        let path = temp("damaged.games");
        let mut w = Writer::create(&path, "seed=1").unwrap();
        for n in 0..3 {
            w.write(&random_game(n)).unwrap();
        }
        w.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bad = whole.clone();
            bad[at] ^= 0x10;
            std::fs::write(&path, &bad).unwrap();
            let found = Reader::open(&path).and_then(|r| r.collect::<Result<Vec<_>, _>>());
            let message = found.expect_err("damage goes unnoticed").to_string();
            assert!(message.contains("damaged.games: "), "{message}");
        }
        let message = Writer::resume(&path, "seed=2").unwrap_err().to_string();
        assert!(!message.is_empty());
        std::fs::write(&path, &whole).unwrap();
        let message = Writer::resume(&path, "seed=2").unwrap_err().to_string();
        assert!(message.ends_with("other parameters: seed=1"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        let _ = std::fs::remove_file(&path);
    }
}
