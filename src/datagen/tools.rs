//! What is done with files of games: counted, joined, sifted, shuffled.

use crate::dataset::{DataError, DataErrorKind, End, GameRecord, Outcome, Reader, Writer};
use crate::types::score;
use crate::util::SplitMix;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Positions with the side to move not in check, the move no capture, the score not decided:
    /// what training takes by default.
    pub quiet: u64,
    /// Games that hold an illegal move.
    pub illegal: u64,
    /// Games by [`Outcome`]: Black won, draw, Red won.
    pub outcomes: [u64; 3],
    /// Games by [`End`].
    pub ends: [u64; End::ALL.len()],
    /// Positions by the number of pieces: those with `n` at `n - 1`.
    pub pieces: [u64; 32],
    /// Positions by |score|: up to 50, 100, 200, 400, 800, 1600, more but undecided, decided.
    pub scores: [u64; 8],
    /// Sum of the plies' own result (0, ½, 1 for the side to move) by the same classes, for
    /// positive and negative scores alike: what a score is worth.
    pub points: [f64; 8],
    /// Length of the longest game in plies.
    pub longest: usize,
}

/// Upper ends of the classes of [`Stats::scores`].
pub const SCORE_CLASSES: [i32; 6] = [50, 100, 200, 400, 800, 1600];

impl Stats {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.outcomes[game.outcome as usize] += 1;
        self.ends[game.end as usize] += 1;
        self.longest = self.longest.max(game.plies.len());
        let played = game.replay(|p, ply| {
            self.positions += 1;
            self.pieces[p.occupied().count() as usize - 1] += 1;
            let value = i32::from(ply.score);
            let decided = score::is_decided(value);
            if !decided && !p.in_check() && !p.is_capture(ply.mv) {
                self.quiet += 1;
            }
            let class = if decided {
                7
            } else {
                SCORE_CLASSES
                    .iter()
                    .position(|&c| value.abs() <= c)
                    .unwrap_or(SCORE_CLASSES.len())
            };
            self.scores[class] += 1;
            let points = f64::from(game.outcome.points(p.stm()));
            self.points[class] += if value < 0 { 1.0 - points } else { points };
        });
        self.illegal += u64::from(played.is_err());
    }
}

/// Which games to keep.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only games of at least so many plies.
    pub min_plies: usize,
    /// Only games with these results; empty for all.
    pub outcomes: Vec<Outcome>,
    /// Not games with these ends.
    pub without: Vec<End>,
    /// Not games that start with a greater score than this, in centipawns.
    pub max_start_score: Option<i32>,
    /// Not games that were there before.
    pub unique: bool,
}

impl Filter {
    fn keeps(&self, game: &GameRecord) -> bool {
        let start = game.plies.first().map_or(0, |p| i32::from(p.score).abs());
        game.plies.len() >= self.min_plies
            && (self.outcomes.is_empty() || self.outcomes.contains(&game.outcome))
            && !self.without.contains(&game.end)
            && self.max_start_score.is_none_or(|most| start <= most)
    }
}

/// What became of the games of a file.
#[derive(Clone, Debug, Default)]
pub struct Sifted {
    /// Games read.
    pub read: u64,
    /// Games written.
    pub written: u64,
    /// What is to be said of the files read: cut off, damaged.
    pub warnings: Vec<String>,
}

/// A number for start and moves of a game.
fn identity(game: &GameRecord) -> u64 {
    let mut h = DefaultHasher::new();
    game.start.key().hash(&mut h);
    for ply in &game.plies {
        ply.mv.hash(&mut h);
    }
    h.finish()
}

/// Joins files, leaving out games that were there before.
///
/// # Errors
/// [`DataError`]: a file that cannot be read, or the new one cannot be written. A file that is
/// damaged or cut off gives the games before that place and a warning.
pub fn merge(inputs: &[PathBuf], out: &Path) -> Result<Sifted, DataError> {
    let unique = Filter {
        unique: true,
        ..Filter::default()
    };
    filter(inputs, out, &unique)
}

/// Writes the games that a filter keeps.
///
/// # Errors
/// As [`merge`].
pub fn filter(inputs: &[PathBuf], out: &Path, filter: &Filter) -> Result<Sifted, DataError> {
    let readers = inputs
        .iter()
        .map(|path| Reader::open(path))
        .collect::<Result<Vec<_>, _>>()?;
    let mut writer = Writer::create(out, &joined_parameters(&readers))?;
    let mut sifted = Sifted::default();
    let mut seen = HashSet::new();
    for reader in readers {
        for game in reader {
            let Some(game) = tolerate(game, &mut sifted.warnings)? else {
                break;
            };
            sifted.read += 1;
            if filter.keeps(&game) && (!filter.unique || seen.insert(identity(&game))) {
                writer.write(&game)?;
                sifted.written += 1;
            }
        }
    }
    writer.finish()?;
    Ok(sifted)
}

/// Writes the games in an order drawn by lot. Only their places are held in memory.
///
/// # Errors
/// As [`merge`].
pub fn shuffle(inputs: &[PathBuf], out: &Path, seed: u64) -> Result<Sifted, DataError> {
    let mut readers = inputs
        .iter()
        .map(|path| Reader::open(path))
        .collect::<Result<Vec<_>, _>>()?;
    let mut writer = Writer::create(out, &joined_parameters(&readers))?;
    let mut sifted = Sifted::default();
    let mut places = Vec::new();
    for (i, reader) in readers.iter_mut().enumerate() {
        let mut at = reader.offset();
        while let Some(game) = reader.next() {
            if tolerate(game, &mut sifted.warnings)?.is_none() {
                break;
            }
            places.push((i, at));
            at = reader.offset();
        }
    }
    SplitMix::new(seed, 0).shuffle(&mut places);
    for (i, at) in places {
        let reader = &mut readers[i];
        reader.seek(at)?;
        if let Some(game) = reader.next() {
            sifted.read += 1;
            writer.write(&game?)?;
            sifted.written += 1;
        }
    }
    writer.finish()?;
    Ok(sifted)
}

/// The parameters of all files, each once.
fn joined_parameters(readers: &[Reader]) -> String {
    let mut all: Vec<&str> = Vec::new();
    for part in readers.iter().flat_map(|r| r.parameters().split(" | ")) {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    all.join(" | ")
}

/// A cut or damaged place ends a file with a warning; what cannot be read at all is an error.
fn tolerate(
    game: Result<GameRecord, DataError>,
    warnings: &mut Vec<String>,
) -> Result<Option<GameRecord>, DataError> {
    match game {
        Ok(game) => Ok(Some(game)),
        Err(e) if matches!(e.kind, DataErrorKind::Io(_)) => Err(e),
        Err(e) => {
            warnings.push(format!("{e}; the games before it are used"));
            Ok(None)
        }
    }
}
