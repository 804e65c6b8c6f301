//! One game as it lies in a file.
//!
//! | bytes | what |
//! |---|---|
//! | 0–1 | number of plies `n`, at most [`MAX_PLIES`] |
//! | 2–5 | number of the game |
//! | 6–37 | start position, packed |
//! | 38 | result: 0 Black won, 1 draw, 2 Red won |
//! | 39 | how it ended, [`End`] |
//! | 40 … | `n` times move (16 bit, [`Move::to_bits`]) and score (16 bit, signed) |
//! | last 4 | CRC-32 of all bytes before |
//!
//! All numbers are little-endian.

use super::packed::{PACKED_LEN, PackError, pack, unpack};
use crate::position::{IllegalMove, Position};
use crate::types::{Color, Move, Score, score};
use crate::util::crc32;

/// The most plies of a game.
pub const MAX_PLIES: usize = 1_000;
/// Bytes before the first ply.
pub(super) const HEAD_LEN: usize = 6 + PACKED_LEN + 2;
/// Bytes of the checksum.
pub(super) const CRC_LEN: usize = 4;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Black won.
    BlackWins = 0,
    /// A draw.
    Draw = 1,
    /// Red won.
    RedWins = 2,
}

impl Outcome {
    const ALL: [Outcome; 3] = [Outcome::BlackWins, Outcome::Draw, Outcome::RedWins];

    /// The loss of this side.
    pub fn lost_by(side: Color) -> Outcome {
        match side {
            Color::Red => Outcome::BlackWins,
            Color::Black => Outcome::RedWins,
        }
    }

    /// What this side got: 0, ½ or 1.
    pub fn points(self, side: Color) -> f32 {
        let red = self as u8 as f32 / 2.0;
        match side {
            Color::Red => red,
            Color::Black => 1.0 - red,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Checkmate on the board.
    Checkmate = 0,
    /// No legal move, not in check.
    Stalemate = 1,
    /// Forbidden play: perpetual check, kill or chase.
    Forbidden = 2,
    /// Repetition without forbidden play, or with it on both sides.
    Repetition = 3,
    /// The natural limit.
    NaturalLimit = 4,
    /// Neither side could win any more.
    NoAttackers = 5,
    /// A mate was announced.
    MateFound = 6,
    /// Both sides saw one far ahead for several plies.
    WinAdjudicated = 7,
    /// Both sides saw equality for many plies.
    DrawAdjudicated = 8,
    /// The greatest length was reached: a draw.
    TooLong = 9,
}

impl End {
    /// All ends, in the order of their numbers.
    pub const ALL: [End; 10] = [
        End::Checkmate,
        End::Stalemate,
        End::Forbidden,
        End::Repetition,
        End::NaturalLimit,
        End::NoAttackers,
        End::MateFound,
        End::WinAdjudicated,
        End::DrawAdjudicated,
        End::TooLong,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::Forbidden => "forbidden play",
            End::Repetition => "repetition",
            End::NaturalLimit => "natural limit",
            End::NoAttackers => "no attackers left",
            End::MateFound => "mate announced",
            End::WinAdjudicated => "won by scores",
            End::DrawAdjudicated => "drawn by scores",
            End::TooLong => "too long",
        }
    }
}

/// A move and what the search said of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// Score from the side to move, in centipawns or decided ([`score::is_decided`]).
    pub score: i16,
}

impl Ply {
    /// A ply with its score brought into sixteen bits.
    pub fn new(mv: Move, value: Score) -> Ply {
        let score = value.clamp(-score::MATE, score::MATE) as i16;
        Ply { mv, score }
    }
}

/// A game with scores.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Number of the game in its run.
    pub number: u32,
    /// Where it began; without history.
    pub start: Position,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended.
    pub end: End,
    /// The moves with their scores, at most [`MAX_PLIES`].
    pub plies: Vec<Ply>,
}

/// What is wrong with the bytes of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Checksum,
    Value,
    Start(PackError),
}

impl GameRecord {
    /// Calls `f` with each position before its move, and the ply.
    ///
    /// # Errors
    /// [`IllegalMove`] at the first move that cannot be played; the positions before it were
    /// shown.
    pub fn replay(&self, mut f: impl FnMut(&Position, Ply)) -> Result<(), IllegalMove> {
        let mut p = self.start.clone();
        for &ply in &self.plies {
            f(&p, ply);
            p.play(ply.mv)?;
        }
        Ok(())
    }

    /// Appends the game's bytes.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        let n = self.plies.len().min(MAX_PLIES);
        out.extend_from_slice(&(n as u16).to_le_bytes());
        out.extend_from_slice(&self.number.to_le_bytes());
        out.extend_from_slice(&pack(&self.start));
        out.push(self.outcome as u8);
        out.push(self.end as u8);
        for ply in &self.plies[..n] {
            out.extend_from_slice(&ply.mv.to_bits().to_le_bytes());
            out.extend_from_slice(&ply.score.to_le_bytes());
        }
        let crc = crc32(&out[begin..]);
        out.extend_from_slice(&crc.to_le_bytes());
    }

    /// Bytes of a game whose first bytes these are; `None` if no game begins so.
    pub(super) fn encoded_len(head: &[u8; HEAD_LEN]) -> Option<usize> {
        let n = usize::from(u16::from_le_bytes([head[0], head[1]]));
        (n <= MAX_PLIES).then_some(HEAD_LEN + 4 * n + CRC_LEN)
    }

    /// Reads a game from exactly its bytes.
    pub(super) fn decode(bytes: &[u8]) -> Result<GameRecord, Fault> {
        let (body, crc) = bytes.split_last_chunk::<CRC_LEN>().ok_or(Fault::Value)?;
        if crc32(body) != u32::from_le_bytes(*crc) {
            return Err(Fault::Checksum);
        }
        let (head, moves) = body.split_first_chunk::<HEAD_LEN>().ok_or(Fault::Value)?;
        let mut start = [0; PACKED_LEN];
        start.copy_from_slice(&head[6..6 + PACKED_LEN]);
        let outcome = Outcome::ALL.get(usize::from(head[HEAD_LEN - 2]));
        let end = End::ALL.get(usize::from(head[HEAD_LEN - 1]));
        let plies = moves.chunks_exact(4).map(|b| {
            let mv = Move::from_bits(u16::from_le_bytes([b[0], b[1]])).ok_or(Fault::Value)?;
            let score = i16::from_le_bytes([b[2], b[3]]);
            Ok(Ply { mv, score })
        });
        Ok(GameRecord {
            number: u32::from_le_bytes([head[2], head[3], head[4], head[5]]),
            start: unpack(&start).map_err(Fault::Start)?,
            outcome: *outcome.ok_or(Fault::Value)?,
            end: *end.ok_or(Fault::Value)?,
            plies: plies.collect::<Result<_, Fault>>()?,
        })
    }
}
