//! Positions for training, held in memory: what each shows to the network, its score, the
//! result. About sixty bytes each.

use crate::dataset::{DataError, DataErrorKind, GameRecord, Reader};
use crate::nnue::features::{self, Frame};
use crate::position::Position;
use crate::types::score;
use crate::util::{SplitMix, crc32};
use std::path::PathBuf;

/// Which positions of the games are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// Not the first plies of a game.
    pub skip_plies: usize,
    /// Positions with the side to move in check as well.
    pub checks: bool,
    /// Positions whose best move takes something as well.
    pub captures: bool,
    /// Not positions with a greater score than this, in centipawns; decided ones never.
    pub max_score: i32,
    /// Only positions with so many pieces.
    pub pieces: (usize, usize),
    /// Of what is left, so many percent, drawn by lot.
    pub percent: u32,
    /// So many percent of the games are kept apart to see how well the network does on positions
    /// it was not shown.
    pub validation_percent: u32,
    /// For what is drawn by lot.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            skip_plies: 0,
            checks: false,
            captures: false,
            max_score: 3_000,
            pieces: (2, 32),
            percent: 100,
            validation_percent: 5,
            seed: 1,
        }
    }
}

impl Sampling {
    fn takes(&self, p: &Position, value: i32, capture: bool) -> bool {
        let pieces = p.occupied().count() as usize;
        !score::is_decided(value)
            && value.abs() <= self.max_score
            && (self.checks || !p.in_check())
            && (self.captures || !capture)
            && (self.pieces.0..=self.pieces.1).contains(&pieces)
    }
}

/// A position without its features.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    /// Where its places begin.
    at: u32,
    /// How many there are: the pieces.
    count: u8,
    /// What the side to move got, in half points.
    result: u8,
    /// From the side to move, in centipawns.
    score: i16,
    /// Of the side to move and of the other.
    frames: [Frame; 2],
}

/// Positions for training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    entries: Vec<Entry>,
    /// Pieces on points ([`features::place`]) in the view of the side to move.
    places: Vec<u16>,
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Pieces on points in the view of the side to move.
    pub places: &'a [u16],
    /// Frames of the side to move and of the other.
    pub frames: [Frame; 2],
    /// What the side to move got: 0, ½ or 1.
    pub result: f32,
    /// From the side to move, in centipawns.
    pub score: f32,
}

impl Samples {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The position of this number, below [`Samples::len`].
    #[inline(always)]
    pub fn get(&self, i: usize) -> Sample<'_> {
        let e = self.entries[i];
        Sample {
            places: &self.places[e.at as usize..][..usize::from(e.count)],
            frames: e.frames,
            result: f32::from(e.result) / 2.0,
            score: f32::from(e.score),
        }
    }

    /// Adds a position; `false` if there is no room for more.
    pub fn push(&mut self, p: &Position, value: i16, result: f32) -> bool {
        let Ok(at) = u32::try_from(self.places.len()) else {
            return false;
        };
        for s in p.occupied() {
            if let Some(piece) = p.piece_on(s) {
                self.places.push(features::place(p.stm(), piece, s) as u16);
            }
        }
        self.entries.push(Entry {
            at,
            count: (self.places.len() - at as usize) as u8,
            result: (result * 2.0) as u8,
            score: value,
            frames: [p.stm(), !p.stm()].map(|view| Frame::of(p, view)),
        });
        true
    }

    /// A number by which sets are told apart.
    pub fn fingerprint(&self) -> u32 {
        let mut bytes = Vec::with_capacity(self.entries.len() * 4);
        for (i, e) in self.entries.iter().enumerate() {
            let sum: u32 = self.get(i).places.iter().map(|&f| u32::from(f)).sum();
            let mixed = sum.rotate_left(8) ^ u32::from(e.result) << 16 ^ u32::from(e.score as u16);
            bytes.extend_from_slice(&mixed.to_le_bytes());
        }
        crc32(&bytes)
    }
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// To be trained on.
    pub training: Samples,
    /// Kept apart.
    pub validation: Samples,
    /// Games read.
    pub games: u64,
    /// Positions looked at.
    pub positions: u64,
    /// What is to be said of the files.
    pub warnings: Vec<String>,
}

/// Reads the positions of these files that the sampling takes. Whether a game is kept apart hangs
/// on its start and number alone.
///
/// # Errors
/// [`DataError`] if a file cannot be read at all; one that is cut off or damaged gives what lies
/// before, and a warning.
pub fn load(files: &[PathBuf], sampling: &Sampling) -> Result<Loaded, DataError> {
    let mut loaded = Loaded::default();
    for path in files {
        for game in Reader::open(path)? {
            match game {
                Ok(game) => take(&game, sampling, &mut loaded),
                Err(e) if matches!(e.kind, DataErrorKind::Io(_)) => return Err(e),
                Err(e) => loaded
                    .warnings
                    .push(format!("{e}; the games before it are used")),
            }
        }
    }
    Ok(loaded)
}

fn take(game: &GameRecord, sampling: &Sampling, loaded: &mut Loaded) {
    let mut rng = SplitMix::new(
        sampling.seed ^ game.start.key(),
        u64::from(game.number) << 16 | game.plies.len() as u64,
    );
    let validation = rng.below(100) < sampling.validation_percent as usize;
    loaded.games += 1;
    let into = if validation {
        &mut loaded.validation
    } else {
        &mut loaded.training
    };
    let (mut n, mut room) = (0, true);
    let played = game.replay(|p, ply| {
        n += 1;
        loaded.positions += 1;
        let value = i32::from(ply.score);
        if n > sampling.skip_plies
            && sampling.takes(p, value, p.is_capture(ply.mv))
            && rng.below(100) < sampling.percent as usize
        {
            room &= into.push(p, ply.score, game.outcome.points(p.stm()));
        }
    });
    if let Err(e) = played {
        let warning = format!(
            "game {}: {e}; the positions before it are used",
            game.number
        );
        loaded.warnings.push(warning);
    }
    if !room
        && loaded
            .warnings
            .last()
            .is_none_or(|w| !w.starts_with("no room"))
    {
        let warning = "no room for more positions: take a part of them (--percent)";
        loaded.warnings.push(warning.into());
    }
}

/// The scale by which scores foretell results best: with it, the win probability of a score `s` is
/// `1 / (1 + exp(-s / scale))`. Found by the likelihood of the results, draws counting half.
pub fn fit_scale(samples: &Samples) -> f64 {
    // A few hundred thousand positions say it precisely enough.
    let step = (samples.len() / 300_000).max(1);
    let loss = |scale: f64| -> f64 {
        (0..samples.len())
            .step_by(step)
            .map(|i| {
                let s = samples.get(i);
                let x = f64::from(s.score) / scale;
                // The likelihood's logarithm in a form that does not overflow.
                let softplus = x.max(0.0) + (-x.abs()).exp().ln_1p();
                softplus - f64::from(s.result) * x
            })
            .sum()
    };
    // Golden-section search on the logarithm; the loss has one minimum.
    let (mut low, mut high) = (20f64.ln(), 5_000f64.ln());
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..40 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(a.exp()) < loss(b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_found_again() {
        let p = Position::startpos();
        let mut rng = SplitMix::new(3, 0);
        let mut samples = Samples::default();
        for _ in 0..20_000 {
            let value = rng.below(2_001) as i16 - 1_000;
            let chance = 1.0 / (1.0 + (-f64::from(value) / 250.0).exp());
            let won = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            samples.push(&p, value, if won < chance { 1.0 } else { 0.0 });
        }
        let found = fit_scale(&samples);
        assert!((found - 250.0).abs() < 12.0, "{found}");
    }
}
