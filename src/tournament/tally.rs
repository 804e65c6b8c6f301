//! Running counts over finished games: results of the first two engines by games and pairs, how
//! games ended, and who does not come to the board.

use super::config::EventConfig;
use super::record::GameRecord;
use super::sprt::Sprt;
use super::stats::{Pentanomial, Summary, Trinomial};
use std::collections::{BTreeMap, HashMap};

/// Counts over finished games.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    two: bool,
    games: Trinomial,
    pairs: [u64; 5],
    /// Half points of engine 0 in the one finished game of a pair.
    half: HashMap<usize, u32>,
    /// Games forfeited by own fault, by engine.
    absent: BTreeMap<usize, usize>,
    endings: BTreeMap<String, usize>,
    plies: u64,
    count: u64,
}

impl Tally {
    /// Empty counts of an event.
    pub fn new(config: &EventConfig) -> Tally {
        Tally {
            two: config.engine.len() == 2,
            ..Tally::default()
        }
    }

    /// Takes in a game.
    pub fn add(&mut self, record: &GameRecord) {
        self.count += 1;
        self.plies += record.moves.len() as u64;
        *self.endings.entry(record.termination.clone()).or_default() += 1;
        if record.forfeit && record.termination != "withdrawn" {
            for (fouls, engine) in record.fouls.iter().zip([record.red, record.black]) {
                if *fouls > 0 {
                    *self.absent.entry(engine).or_default() += 1;
                }
            }
        }
        if !self.two {
            return;
        }
        let [red, black] = record.result.half_points();
        let own = if record.red == 0 { red } else { black };
        match own {
            2 => self.games.wins += 1,
            1 => self.games.draws += 1,
            _ => self.games.losses += 1,
        }
        match self.half.remove(&record.pair) {
            Some(other) => self.pairs[(own + other).min(4) as usize] += 1,
            None => {
                self.half.insert(record.pair, own);
            }
        }
    }

    /// Games taken in.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean length in plies.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / (self.count as f64).max(1.0)
    }

    /// How many games ended in which way.
    pub fn endings(&self) -> &BTreeMap<String, usize> {
        &self.endings
    }

    /// Finished pairs of the first engine.
    pub fn pairs(&self) -> Pentanomial {
        Pentanomial(self.pairs)
    }

    /// The figures of a match of two engines.
    pub fn summary(&self) -> Option<Summary> {
        self.two
            .then(|| Summary::new(self.games, Pentanomial(self.pairs)))
    }

    /// Log-likelihood ratio of the test.
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        sprt.llr(&self.pairs())
    }

    /// Engines that have withdrawn: by hand, or by not coming to the board too often.
    pub fn withdrawn(&self, by_hand: &[usize], config: &EventConfig) -> Vec<usize> {
        let mut gone = by_hand.to_vec();
        if config.withdraw_after > 0 {
            let absent = self.absent.iter();
            gone.extend(
                absent
                    .filter(|x| *x.1 >= config.withdraw_after)
                    .map(|x| *x.0),
            );
        }
        gone.sort_unstable();
        gone.dedup();
        gone
    }
}
