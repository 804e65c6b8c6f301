//! One game: an engine plays both sides, the arbiter judges every ply.

use super::opening;
use super::plan::Plan;
use crate::dataset::{End, GameRecord, Outcome, Ply};
use crate::position::Position;
use crate::rules::{Arbiter, Judgement, Reason, Verdict};
use crate::search::{HashError, Info, Limits, Outcome as Found, Pool, Reporter, Settings};
use crate::types::{Color, Score, score};
use crate::util::SplitMix;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// An engine of one thread.
#[derive(Debug)]
pub(super) struct Player {
    pool: Pool,
    settings: Settings,
    answer: Answer,
}

/// Where a search leaves its answer.
#[derive(Clone, Debug, Default)]
struct Answer(Arc<Mutex<Option<Found>>>);

impl Reporter for Answer {
    fn line(&mut self, _: &Info<'_>) {}

    fn finished(&mut self, outcome: &Found) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(*outcome);
    }
}

impl Player {
    /// An engine with the table and the rules of the plan.
    pub fn new(plan: &Plan) -> Result<Player, HashError> {
        Ok(Player {
            pool: Pool::new(1, plan.hash_mib)?,
            settings: Settings {
                rules: plan.rules,
                network: plan.network.clone(),
                ..Settings::default()
            },
            answer: Answer::default(),
        })
    }

    fn search(&mut self, p: &Position, nodes: u64) -> Option<Found> {
        let limits = Limits {
            soft_nodes: Some(nodes),
            // An iteration that explodes is left.
            nodes: Some(nodes.saturating_mul(8)),
            ..Limits::default()
        };
        self.pool.start(
            p.clone(),
            limits,
            self.settings.clone(),
            Instant::now(),
            Box::new(self.answer.clone()),
        );
        self.pool.wait();
        let mut answer = self.answer.0.lock().unwrap_or_else(PoisonError::into_inner);
        answer.take()
    }

    /// What a short search says of a position, from the side to move.
    pub fn quick_score(&mut self, p: &Position, nodes: u64) -> Score {
        self.search(p, nodes).map_or(score::NONE, |o| o.score)
    }

    /// Plays the game of this number; `None` if it was stopped.
    pub fn play(&mut self, plan: &Plan, number: u32, stop: &AtomicBool) -> Option<GameRecord> {
        let mut rng = SplitMix::new(plan.seed, u64::from(number));
        // What earlier games taught would make this one hang on them.
        self.pool.clear();
        let start = opening::draw(plan, &mut rng, self);
        self.pool.clear();
        let mut p = start.clone();
        let mut arbiter = Arbiter::brief(plan.rules);
        let mut scores = Scores::default();
        let mut plies = Vec::new();
        let (outcome, end) = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let judgement = arbiter.judge(&p);
            if let Some(over) = verdict(&judgement) {
                break over;
            }
            if plies.len() >= plan.max_plies as usize {
                break (Outcome::Draw, End::TooLong);
            }
            let found = self.search(&p, jittered(plan, &mut rng))?;
            plies.push(Ply::new(found.best?, found.score));
            if let Some(over) = scores.add(plan, p.stm(), found.score, plies.len()) {
                break over;
            }
            p.make(found.best?);
        };
        Some(GameRecord {
            number,
            start,
            outcome,
            end,
            plies,
        })
    }
}

/// The nodes of a move.
fn jittered(plan: &Plan, rng: &mut SplitMix) -> u64 {
    let width = plan.nodes * u64::from(plan.jitter.min(90)) / 100;
    plan.nodes - width + rng.below(2 * width as usize + 1) as u64
}

/// What the arbiter's word means for the record.
fn verdict(j: &Judgement) -> Option<(Outcome, End)> {
    let outcome = match j.verdict {
        Verdict::Ongoing => return None,
        Verdict::Draw => Outcome::Draw,
        Verdict::Loses(side) => Outcome::lost_by(side),
    };
    let end = match j.reason {
        Reason::Checkmate => End::Checkmate,
        Reason::Stalemate => End::Stalemate,
        Reason::NaturalLimit => End::NaturalLimit,
        Reason::NoAttackers => End::NoAttackers,
        _ if outcome == Outcome::Draw => End::Repetition,
        _ => End::Forbidden,
    };
    Some((outcome, end))
}

/// How the scores have gone so far.
#[derive(Debug, Default)]
struct Scores {
    /// Plies in a row that one side stood won, and whether that is Red.
    won: (u32, bool),
    level: u32,
}

impl Scores {
    /// Takes the score of a position with `side` to move, ply `n` of the game; says if it is over.
    fn add(&mut self, plan: &Plan, side: Color, value: Score, n: usize) -> Option<(Outcome, End)> {
        let red = (value > 0) == (side == Color::Red);
        let loser = if red { Color::Black } else { Color::Red };
        if score::is_mate(value) {
            return Some((Outcome::lost_by(loser), End::MateFound));
        }
        let decisive = value.abs() >= plan.win_score;
        self.won = match self.won {
            (n, side) if decisive && side == red => (n + 1, red),
            _ => (u32::from(decisive), red),
        };
        if self.won.0 >= plan.win_plies.max(1) {
            return Some((Outcome::lost_by(loser), End::WinAdjudicated));
        }
        let level = value.abs() <= plan.draw_score;
        self.level = if level { self.level + 1 } else { 0 };
        let drawn = self.level >= plan.draw_plies.max(1) && n >= plan.draw_after as usize;
        drawn.then_some((Outcome::Draw, End::DrawAdjudicated))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjudication_needs_scores_in_a_row() {
        let plan = Plan {
            win_score: 1_000,
            win_plies: 3,
            draw_score: 10,
            draw_plies: 4,
            draw_after: 6,
            ..Plan::default()
        };
        let sides = [Color::Red, Color::Black];
        let play = |values: &[Score]| {
            let mut s = Scores::default();
            values
                .iter()
                .enumerate()
                .find_map(|(i, &v)| s.add(&plan, sides[i % 2], v, i + 1).map(|o| (i, o)))
        };
        let win = (Outcome::RedWins, End::WinAdjudicated);
        assert_eq!(play(&[1_000, -1_200, 1_100]), Some((2, win)));
        assert_eq!(play(&[1_000, -999, 1_100, -1_000]), None);
        assert_eq!(play(&[1_000, 1_000, 1_000, 1_000]), None, "they disagree");
        let loss = (Outcome::BlackWins, End::WinAdjudicated);
        assert_eq!(play(&[-1_000, 1_000, -5_000]), Some((2, loss)));
        let draw = (Outcome::Draw, End::DrawAdjudicated);
        assert_eq!(play(&[0, 5, -5, 10, 10, 0]), Some((5, draw)));
        assert_eq!(play(&[0, 5, 11, 10, 10, 0]), None);
        let mate = (Outcome::BlackWins, End::MateFound);
        assert_eq!(play(&[0, score::mate_in(5)]), Some((1, mate)));
    }
}
