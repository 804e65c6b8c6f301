//! The state of a training in a file, to go on after any end.
//!
//! `chuheckp`, version (16 bit, 2), length of the configuration (32 bit) and its text, length of the
//! history and its text (JSON), steps (64 bit), number of values (32 bit), then model, first and
//! second means as 32-bit floats, CRC-32 of all before. Little-endian.

use super::curve::Epoch;
use super::model::Model;
use super::optimiser::AdamW;
use crate::util::crc32;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

const MAGIC: [u8; 8] = *b"chuheckp";
const VERSION: u16 = 2;

/// Why a training cannot go on.
#[derive(Debug)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    Io(io::Error),
    /// It is no checkpoint of this version, or damaged.
    Damaged,
    /// It belongs to a training with this configuration.
    Other(String),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(e) => e.fmt(f),
            CheckpointError::Damaged => f.write_str("no checkpoint of this version, or damaged"),
            CheckpointError::Other(text) => {
                write!(f, "the checkpoint belongs to another training: {text}")
            }
        }
    }
}

impl std::error::Error for CheckpointError {}

/// What a checkpoint holds besides the configuration.
pub(super) struct State {
    pub model: Model,
    pub optimiser: AdamW,
    pub history: Vec<Epoch>,
}

/// Writes a checkpoint beside the file, then puts it in its place.
pub(super) fn write(path: &Path, configuration: &str, state: &State) -> Result<(), io::Error> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    let history = serde_json::to_string(&state.history).map_err(io::Error::other)?;
    for text in [configuration, &history] {
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    out.extend_from_slice(&state.optimiser.steps.to_le_bytes());
    out.extend_from_slice(&(state.model.values.len() as u32).to_le_bytes());
    let lists = [
        &state.model.values[..],
        &state.optimiser.first,
        &state.optimiser.second,
    ];
    for v in lists.into_iter().flatten() {
        out.extend_from_slice(&v.to_le_bytes());
    }
    let crc = crc32(&out);
    out.extend_from_slice(&crc.to_le_bytes());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(&out)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

/// Reads a checkpoint of the training with this configuration.
pub(super) fn read(
    path: &Path,
    configuration: &str,
    lanes: usize,
) -> Result<State, CheckpointError> {
    let bytes = std::fs::read(path).map_err(CheckpointError::Io)?;
    let (body, crc) = bytes
        .split_last_chunk::<4>()
        .ok_or(CheckpointError::Damaged)?;
    if !body.starts_with(&MAGIC) || crc32(body).to_le_bytes() != *crc {
        return Err(CheckpointError::Damaged);
    }
    let mut rest = &body[MAGIC.len()..];
    let mut take = |n: usize| -> Result<&[u8], CheckpointError> {
        let (head, tail) = rest.split_at_checked(n).ok_or(CheckpointError::Damaged)?;
        rest = tail;
        Ok(head)
    };
    let number = |bytes: &[u8]| {
        let wide = bytes.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        usize::try_from(wide).map_err(|_| CheckpointError::Damaged)
    };
    if number(take(2)?)? != usize::from(VERSION) {
        return Err(CheckpointError::Damaged);
    }
    let n = number(take(4)?)?;
    let found = String::from_utf8_lossy(take(n)?).into_owned();
    if found != configuration {
        return Err(CheckpointError::Other(found));
    }
    let n = number(take(4)?)?;
    let history = serde_json::from_slice(take(n)?).map_err(|_| CheckpointError::Damaged)?;
    let steps = number(take(8)?)? as u64;
    let n = number(take(4)?)?;
    let mut model = Model::zero(lanes);
    if n != model.values.len() {
        return Err(CheckpointError::Damaged);
    }
    let mut list = || -> Result<Vec<f32>, CheckpointError> {
        let bytes = take(4 * n)?.as_chunks::<4>().0;
        Ok(bytes.iter().map(|b| f32::from_le_bytes(*b)).collect())
    };
    model.values.copy_from_slice(&list()?);
    let optimiser = AdamW {
        first: list()?,
        second: list()?,
        steps,
    };
    Ok(State {
        model,
        optimiser,
        history,
    })
}
