//! The weights and their file.
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | `chuhenet` |
//! | 8–9 | version, 1 |
//! | 10–11 | feature set, [`features::SET`] |
//! | 12–15 | number of features |
//! | 16–19 | lanes of the first layer a side, a multiple of 32 |
//! | 20–21 | output buckets, [`BUCKETS`] |
//! | 22–23, 24–25 | [`QA`], [`QB`] |
//! | 26–27 | scale: centipawns of an output of 1 |
//! | 28–31 | training: a number for data and flags |
//! | 32–33 | length of the description, then the description in UTF-8 |
//! | … | first layer: a column of 16-bit numbers a feature, then the bias |
//! | … | second layer: for each bucket the weights of the own and the enemy half (16 bit) |
//! | … | second layer: a bias a bucket (32 bit) |
//! | last 4 | CRC-32 of all bytes before |
//!
//! All numbers are little-endian. A file is taken only if no position can make a sum overflow.

use super::features;
use super::kernels::Level;
use crate::position::Position;
use crate::util::crc32;
use std::fmt;
use std::io;
use std::path::Path;

/// The first layer's 1.
pub const QA: i32 = 255;
/// The second layer's 1. Weights stay below ½, so that with [`QA`] they fit 16 bits.
pub const QB: i32 = 256;
/// Second layers, by the number of pieces.
pub const BUCKETS: usize = 8;
/// Numbers in a [`Block`].
pub const LANES: usize = 32;

const MAGIC: [u8; 8] = *b"chuhenet";
const VERSION: u16 = 1;
const HEADER: usize = 34;
const MAX_LANES: usize = 2_048;
/// A file longer than any network is not read.
const MAX_BYTES: u64 = file_size(MAX_LANES, u16::MAX as usize) as u64;

/// Bytes of a network with so many lanes and so long a description.
const fn file_size(lanes: usize, text: usize) -> usize {
    HEADER + text + 2 * lanes * (features::COUNT + 1 + 2 * BUCKETS) + 4 * BUCKETS + 4
}

/// Thirty-two numbers on a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

/// The second layer for a position.
#[inline(always)]
pub fn bucket(p: &Position) -> usize {
    bucket_of(p.occupied().count() as usize)
}

/// The second layer for so many pieces, 2..=32.
#[inline(always)]
pub fn bucket_of(pieces: usize) -> usize {
    (pieces.saturating_sub(2) / 4).min(BUCKETS - 1)
}

/// A network's parameters as whole numbers, in plain lists.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// First layer, a column of `lanes` numbers a feature, times [`QA`].
    pub columns: Vec<i16>,
    /// First layer's bias, `lanes` numbers, times [`QA`].
    pub bias: Vec<i16>,
    /// Second layer, `2 * lanes` numbers a bucket, times [`QB`].
    pub output: Vec<i16>,
    /// Second layer's bias, a number a bucket, times [`QA`] · [`QB`].
    pub output_bias: Vec<i32>,
    /// Centipawns of an output of 1, 1..=10,000.
    pub scale: u16,
    /// A number for data and flags of the training.
    pub training: u32,
    /// How it was made.
    pub description: String,
}

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Blocks of a side's half.
    pub(super) blocks: usize,
    pub(super) columns: Vec<Block>,
    pub(super) bias: Vec<Block>,
    pub(super) output: Vec<Block>,
    pub(super) output_bias: Vec<i32>,
    pub(super) scale: i32,
    pub(super) level: Level,
    training: u32,
    description: String,
    checksum: u32,
}

/// Why a network cannot be used.
#[derive(Debug)]
pub enum NetworkError {
    /// The file cannot be read.
    Io(io::Error),
    /// It does not begin as a network does.
    NotOurs,
    /// Another version of the layout.
    Version(u16),
    /// Made for other features.
    Features(u16, u32),
    /// Sizes or units this program does not work with; what they are of.
    Sizes(&'static str),
    /// Longer or shorter than its header says.
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        wanted: usize,
    },
    /// The checksum does not fit.
    Damaged,
    /// Weights so large that a sum could overflow.
    Overflow,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Io(e) => write!(f, "{e}"),
            NetworkError::NotOurs => f.write_str("no network of chuhe"),
            NetworkError::Version(v) => write!(
                f,
                "a network of layout {v}, this program reads layout {VERSION}"
            ),
            NetworkError::Features(set, count) => write!(
                f,
                "a network for feature set {set} ({count} features), this program has set {} ({})",
                features::SET,
                features::COUNT
            ),
            NetworkError::Sizes(what) => {
                write!(f, "a network with {what} this program does not work with")
            }
            NetworkError::Length { found, wanted } => {
                write!(
                    f,
                    "the network has {found} bytes, its header says {wanted}: cut off?"
                )
            }
            NetworkError::Damaged => {
                f.write_str("the network is damaged: its checksum does not fit")
            }
            NetworkError::Overflow => {
                f.write_str("the network's weights are so large that sums overflow")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

/// Reads little-endian numbers from the front of a slice that is known to be long enough.
struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.0 = rest;
                *head
            }
            None => [0; N],
        }
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn i16s(&mut self, n: usize) -> Vec<i16> {
        (0..n).map(|_| i16::from_le_bytes(self.take())).collect()
    }

    fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        head
    }
}

impl Network {
    /// The network that is part of the program.
    pub fn embedded() -> Network {
        match Network::parse(include_bytes!("default.nnue")) {
            Ok(network) => network,
            Err(e) => unreachable!("the embedded network is whole, a test says so: {e}"),
        }
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// [`NetworkError`] says what is wrong with it.
    pub fn read(path: &Path) -> Result<Network, NetworkError> {
        let meta = std::fs::metadata(path).map_err(NetworkError::Io)?;
        if meta.is_file() && meta.len() > MAX_BYTES {
            return Err(NetworkError::NotOurs);
        }
        Network::parse(&std::fs::read(path).map_err(NetworkError::Io)?)
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// [`NetworkError`] says what is wrong with them.
    pub fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::NotOurs);
        }
        if bytes.len() < HEADER {
            let (found, wanted) = (bytes.len(), HEADER);
            return Err(NetworkError::Length { found, wanted });
        }
        let mut n = Numbers(&bytes[MAGIC.len()..]);
        let version = n.u16();
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (set, count) = (n.u16(), n.u32());
        if set != features::SET || count as usize != features::COUNT {
            return Err(NetworkError::Features(set, count));
        }
        let lanes = n.u32() as usize;
        if lanes == 0 || lanes > MAX_LANES || !lanes.is_multiple_of(LANES) {
            return Err(NetworkError::Sizes("a number of lanes"));
        }
        if usize::from(n.u16()) != BUCKETS {
            return Err(NetworkError::Sizes("a number of buckets"));
        }
        if (i32::from(n.u16()), i32::from(n.u16())) != (QA, QB) {
            return Err(NetworkError::Sizes("units"));
        }
        let (scale, training, text) = (n.u16(), n.u32(), usize::from(n.u16()));
        let (found, wanted) = (bytes.len(), file_size(lanes, text));
        if found != wanted {
            return Err(NetworkError::Length { found, wanted });
        }
        let (body, crc) = bytes.split_at(found - 4);
        if crc32(body).to_le_bytes() != crc {
            return Err(NetworkError::Damaged);
        }
        let description = String::from_utf8_lossy(n.bytes(text)).into_owned();
        let parts = Parts {
            columns: n.i16s(lanes * features::COUNT),
            bias: n.i16s(lanes),
            output: n.i16s(2 * lanes * BUCKETS),
            output_bias: (0..BUCKETS).map(|_| n.u32() as i32).collect(),
            scale,
            training,
            description,
        };
        let checksum = u32::from_le_bytes(crc.try_into().unwrap_or_default());
        Ok(Network {
            checksum,
            ..Network::without_checksum(parts)?
        })
    }

    /// A network of these parameters.
    ///
    /// # Errors
    /// [`NetworkError::Sizes`] if the lists do not fit each other, [`NetworkError::Overflow`].
    pub fn from_parts(parts: Parts) -> Result<Network, NetworkError> {
        let mut network = Network::without_checksum(parts)?;
        let bytes = network.to_bytes();
        network.checksum = crc32(&bytes[..bytes.len() - 4]);
        Ok(network)
    }

    fn without_checksum(parts: Parts) -> Result<Network, NetworkError> {
        let lanes = parts.bias.len();
        if lanes == 0 || lanes > MAX_LANES || !lanes.is_multiple_of(LANES) {
            return Err(NetworkError::Sizes("a number of lanes"));
        }
        if parts.columns.len() != lanes * features::COUNT
            || parts.output.len() != 2 * lanes * BUCKETS
            || parts.output_bias.len() != BUCKETS
        {
            return Err(NetworkError::Sizes("lists of weights"));
        }
        if !(1..=10_000).contains(&parts.scale) {
            return Err(NetworkError::Sizes("a scale"));
        }
        if parts.description.len() > usize::from(u16::MAX) {
            return Err(NetworkError::Sizes("a description"));
        }
        if overflows(&parts) {
            return Err(NetworkError::Overflow);
        }
        Ok(Network {
            blocks: lanes / LANES,
            columns: blocks(&parts.columns),
            bias: blocks(&parts.bias),
            output: blocks(&parts.output),
            output_bias: parts.output_bias,
            scale: i32::from(parts.scale),
            level: Level::detect(),
            training: parts.training,
            description: parts.description,
            checksum: 0,
        })
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for v in [VERSION, features::SET] {
            out.extend_from_slice(&v.to_le_bytes());
        }
        out.extend_from_slice(&(features::COUNT as u32).to_le_bytes());
        out.extend_from_slice(&(self.lanes() as u32).to_le_bytes());
        for v in [BUCKETS as u16, QA as u16, QB as u16, self.scale as u16] {
            out.extend_from_slice(&v.to_le_bytes());
        }
        out.extend_from_slice(&self.training.to_le_bytes());
        out.extend_from_slice(&(self.description.len() as u16).to_le_bytes());
        out.extend_from_slice(self.description.as_bytes());
        for block in self.columns.iter().chain(&self.bias).chain(&self.output) {
            for v in block.0 {
                out.extend_from_slice(&v.to_le_bytes());
            }
        }
        for v in &self.output_bias {
            out.extend_from_slice(&v.to_le_bytes());
        }
        let crc = crc32(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    /// Its parameters, as [`Network::from_parts`] takes them.
    pub fn to_parts(&self) -> Parts {
        let plain = |list: &[Block]| list.iter().flat_map(|b| b.0).collect();
        Parts {
            columns: plain(&self.columns),
            bias: plain(&self.bias),
            output: plain(&self.output),
            output_bias: self.output_bias.clone(),
            scale: self.scale as u16,
            training: self.training,
            description: self.description.clone(),
        }
    }

    /// Lanes of the first layer a side.
    pub fn lanes(&self) -> usize {
        self.blocks * LANES
    }

    /// Centipawns of an output of 1.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// How it was made.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The number for data and flags of its training.
    pub fn training(&self) -> u32 {
        self.training
    }

    /// The CRC-32 of its file, by which it is called.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What the processor is used for.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The same network with other instructions; one the processor has not becomes
    /// [`Level::Scalar`].
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Network {
        self.level = if level.is_available() {
            level
        } else {
            Level::Scalar
        };
        self
    }

    /// The column of a feature.
    #[inline(always)]
    pub(super) fn column(&self, feature: usize) -> &[Block] {
        &self.columns[feature * self.blocks..][..self.blocks]
    }

    /// The second layer of a bucket: own half, enemy half.
    #[inline(always)]
    pub(super) fn halves(&self, bucket: usize) -> (&[Block], &[Block]) {
        self.output[bucket * 2 * self.blocks..][..2 * self.blocks].split_at(self.blocks)
    }

    /// The greatest magnitudes: first layer, its bias, second layer.
    pub fn magnitudes(&self) -> [i32; 3] {
        [&self.columns, &self.bias, &self.output].map(|list| {
            let all = list.iter().flat_map(|b| b.0);
            all.map(|v| i32::from(v).abs()).max().unwrap_or(0)
        })
    }
}

fn blocks(list: &[i16]) -> Vec<Block> {
    list.as_chunks::<LANES>()
        .0
        .iter()
        .map(|c| Block(*c))
        .collect()
}

/// Whether some position, or more pieces than there are, could make a sum overflow.
fn overflows(parts: &Parts) -> bool {
    let lanes = parts.bias.len();
    let greatest = |list: &[i16]| list.iter().map(|&v| i64::from(v).abs()).max().unwrap_or(0);
    let first = greatest(&parts.bias) + features::MAX_ACTIVE as i64 * greatest(&parts.columns);
    let product = greatest(&parts.output) * i64::from(QA);
    let second = parts.output.chunks_exact(2 * lanes).zip(&parts.output_bias);
    let second = second.map(|(w, &bias)| {
        let sum: i64 = w.iter().map(|&v| i64::from(v).abs()).sum();
        // The bias is added after the division by QA.
        (sum * i64::from(QA * QA)).max(sum * i64::from(QA) + i64::from(bias).abs())
    });
    first > i64::from(i16::MAX)
        || product > i64::from(i16::MAX)
        || second.max().unwrap_or(0) > i64::from(i32::MAX)
}
