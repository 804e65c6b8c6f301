//! Reading files of games as a stream.

use super::game::{Fault, HEAD_LEN};
use super::packed::PackError;
use super::{GameRecord, MAGIC, VERSION};
use crate::util::crc32;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Why a file could not be read or written, with its name.
#[derive(Debug)]
pub struct DataError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub kind: DataErrorKind,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum DataErrorKind {
    /// It could not be opened, read or written.
    Io(io::Error),
    /// It does not begin as such a file does.
    NotOurs,
    /// It has another version.
    Version(u16),
    /// The header is damaged.
    Header,
    /// The last game is cut off: the writer was stopped there. The number is where it begins.
    CutOff(u64),
    /// The game that begins at this byte is damaged; why, if more than the checksum says so.
    Damaged(u64, Option<PackError>),
    /// It was made with other parameters, these.
    Parameters(String),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.kind {
            DataErrorKind::Io(e) => write!(f, "{e}"),
            DataErrorKind::NotOurs => f.write_str("no file of self-play games"),
            DataErrorKind::Version(v) => {
                write!(f, "layout {v}, this program reads layout {VERSION}")
            }
            DataErrorKind::Header => f.write_str("the header is damaged"),
            DataErrorKind::CutOff(at) => write!(f, "the game at byte {at} is cut off"),
            DataErrorKind::Damaged(at, None) => write!(f, "the game at byte {at} is damaged"),
            DataErrorKind::Damaged(at, Some(why)) => {
                write!(f, "the game at byte {at} is damaged: {why}")
            }
            DataErrorKind::Parameters(text) => {
                write!(f, "it was made with other parameters: {text}")
            }
        }
    }
}

impl std::error::Error for DataError {}

/// A file of games, read from its beginning. Iterating ends with the file or after the first
/// error; of a file that is cut off all games before the cut are given first.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    parameters: String,
    /// Where the next game begins.
    offset: u64,
    /// Length of the file when it was opened.
    length: u64,
    failed: bool,
    buffer: Vec<u8>,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`DataError`] if it cannot be read or is no such file.
    pub fn open(path: &Path) -> Result<Reader, DataError> {
        let fail = |kind| DataError {
            path: path.to_owned(),
            kind,
        };
        let file = File::open(path).map_err(|e| fail(DataErrorKind::Io(e)))?;
        let length = file
            .metadata()
            .map_err(|e| fail(DataErrorKind::Io(e)))?
            .len();
        let mut input = BufReader::with_capacity(1 << 18, file);
        let mut head = vec![0; MAGIC.len() + 4];
        let short = |e: io::Error| match e.kind() {
            io::ErrorKind::UnexpectedEof => fail(DataErrorKind::NotOurs),
            _ => fail(DataErrorKind::Io(e)),
        };
        input.read_exact(&mut head).map_err(short)?;
        if head[..MAGIC.len()] != MAGIC {
            return Err(fail(DataErrorKind::NotOurs));
        }
        let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let (version, text_len) = (number(8), usize::from(number(10)));
        if version != VERSION {
            return Err(fail(DataErrorKind::Version(version)));
        }
        let mut rest = vec![0; text_len + 4];
        if input.read_exact(&mut rest).is_err() {
            return Err(fail(DataErrorKind::Header));
        }
        head.extend_from_slice(&rest[..text_len]);
        let crc = crc32(&head).to_le_bytes();
        rest.drain(text_len..)
            .eq(crc)
            .then_some(())
            .ok_or_else(|| fail(DataErrorKind::Header))?;
        let parameters = String::from_utf8(rest).map_err(|_| fail(DataErrorKind::Header))?;
        Ok(Reader {
            path: path.to_owned(),
            input,
            offset: (head.len() + 4) as u64,
            parameters,
            length,
            failed: false,
            buffer: Vec::new(),
        })
    }

    /// What the maker noted of the making: words `name=value`.
    pub fn parameters(&self) -> &str {
        &self.parameters
    }

    /// The byte at which the next game begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes to a byte at which a game begins, as [`Reader::offset`] told.
    ///
    /// # Errors
    /// [`DataError`] if the file cannot be read there.
    pub fn seek(&mut self, offset: u64) -> Result<(), DataError> {
        self.failed = false;
        self.offset = offset;
        match self.input.seek(SeekFrom::Start(offset)) {
            Ok(_) => Ok(()),
            Err(e) => Err(self.fail(DataErrorKind::Io(e))),
        }
    }

    /// Length of the file in bytes when it was opened.
    pub fn length(&self) -> u64 {
        self.length
    }

    fn fail(&mut self, kind: DataErrorKind) -> DataError {
        self.failed = true;
        DataError {
            path: self.path.clone(),
            kind,
        }
    }

    fn read_game(&mut self) -> Result<Option<GameRecord>, DataError> {
        let at = self.offset;
        let mut head = [0; HEAD_LEN];
        let mut got = 0;
        while got < HEAD_LEN {
            match self.input.read(&mut head[got..]) {
                Ok(0) if got == 0 => return Ok(None),
                Ok(0) => return Err(self.fail(DataErrorKind::CutOff(at))),
                Ok(n) => got += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.fail(DataErrorKind::Io(e))),
            }
        }
        let Some(len) = GameRecord::encoded_len(&head) else {
            return Err(self.fail(DataErrorKind::Damaged(at, None)));
        };
        self.buffer.clear();
        self.buffer.extend_from_slice(&head);
        self.buffer.resize(len, 0);
        if let Err(e) = self.input.read_exact(&mut self.buffer[HEAD_LEN..]) {
            return Err(self.fail(match e.kind() {
                io::ErrorKind::UnexpectedEof => DataErrorKind::CutOff(at),
                _ => DataErrorKind::Io(e),
            }));
        }
        match GameRecord::decode(&self.buffer) {
            Ok(game) => {
                self.offset += len as u64;
                Ok(Some(game))
            }
            Err(Fault::Start(why)) => Err(self.fail(DataErrorKind::Damaged(at, Some(why)))),
            Err(_) => Err(self.fail(DataErrorKind::Damaged(at, None))),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<GameRecord, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.read_game().transpose()
    }
}
