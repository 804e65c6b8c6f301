//! Playing weaker than one can, the way people do: by looking less far and by being content with
//! the second-best, never by throwing a game away at random. A level allows so many nodes a
//! move and chooses among the best lines, the likelier the better they are and the less the level
//! forgives; a line that is mated at once, or that misses a mate at hand, is not chosen.

use super::worker::RootMove;
use crate::types::score;
use rand::{Rng, RngExt};

/// Greatest level: full strength.
pub const MAX_LEVEL: u32 = 20;

/// Levels times so many are what [`Skill`] counts in.
pub const LEVEL_GRAIN: u32 = 100;

/// Lines that are looked at to choose from.
const LINES: usize = 4;

/// Depth that is finished whatever the nodes: it shows every mate in one on either side.
pub(super) const SAFE_DEPTH: i32 = 2;

/// A strength below the full one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Level in hundredths, below `MAX_LEVEL * LEVEL_GRAIN`.
    grade: u32,
}

impl Skill {
    /// The skill of this level in hundredths; `None` from the greatest level on, which is full
    /// strength.
    pub fn new(grade: u32) -> Option<Skill> {
        (grade < MAX_LEVEL * LEVEL_GRAIN).then_some(Skill { grade })
    }

    fn level(self) -> f64 {
        f64::from(self.grade) / f64::from(LEVEL_GRAIN)
    }

    /// Nodes a move: 300 at level 0, about what depth 2 takes, doubled with every 2.6 levels.
    pub(super) fn nodes(self) -> u64 {
        (300.0 * (self.level() / 2.6).exp2()) as u64
    }

    /// Lines to search, at least those that are shown.
    pub(super) fn lines(self, shown: usize) -> usize {
        shown.max(LINES)
    }

    /// How much worse, in centipawns, a line is that is chosen e times less often.
    fn tolerance(self) -> f64 {
        3.0 + 0.7 * (f64::from(MAX_LEVEL) - self.level()).powi(2)
    }

    /// Index of the line to play, of lines sorted from the best.
    pub(super) fn choose(self, lines: &[RootMove], rng: &mut impl Rng) -> usize {
        let Some(best) = lines.first() else { return 0 };
        // A mate at hand is given, and nobody walks into one that the opponent has at hand.
        if score::is_mate(best.score) {
            return 0;
        }
        let worst = score::mated_in(2);
        let weight = |r: &RootMove| {
            if r.score <= worst || r.score == -score::INFINITE {
                0.0
            } else {
                (f64::from(r.score - best.score) / self.tolerance()).exp()
            }
        };
        let lines = &lines[..lines.len().min(LINES)];
        let total: f64 = lines.iter().map(weight).sum();
        let mut at = rng.random_range(0.0..1.0) * total;
        lines
            .iter()
            .position(|r| {
                at -= weight(r);
                at < 0.0
            })
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;
    use crate::types::{Move, Score};
    use rand::{SeedableRng, rngs::StdRng};

    fn lines(scores: &[Score]) -> Vec<RootMove> {
        scores
            .iter()
            .map(|&score| RootMove {
                mv: Move::NONE,
                score,
                previous: score,
                bound: Bound::Exact,
                seldepth: 0,
                pv: Vec::new(),
                nodes: 0,
            })
            .collect()
    }

    fn counts(grade: u32, scores: &[Score]) -> Vec<usize> {
        let skill = Skill::new(grade).unwrap();
        let lines = lines(scores);
        let mut rng = StdRng::seed_from_u64(7);
        let mut n = vec![0; scores.len()];
        for _ in 0..1_000 {
            n[skill.choose(&lines, &mut rng)] += 1;
        }
        n
    }

    #[test]
    fn better_lines_are_likelier_and_more_so_on_high_levels() {
        let scores = [50, 20, -40, -300, -400];
        let (low, high) = (counts(400, &scores), counts(1_900, &scores));
        assert!(low[0] > low[1] && low[1] > low[2] && low[2] > low[3]);
        assert_eq!(low[4], 0, "only so many lines are looked at");
        assert!(low[0] < high[0] && high[0] > 800, "{low:?} {high:?}");
    }

    #[test]
    fn mates_are_neither_missed_nor_walked_into() {
        assert_eq!(counts(0, &[score::mate_in(1), 900])[0], 1_000);
        let n = counts(0, &[-900, -910, score::mated_in(2)]);
        assert_eq!(n[2], 0);
        assert!(n[1] > 100);
    }

    #[test]
    fn levels_grow_in_nodes_up_to_full_strength() {
        let nodes: Vec<u64> = (0..20)
            .map(|l| Skill::new(l * 100).unwrap().nodes())
            .collect();
        assert!(nodes.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(Skill::new(2_000), None);
    }
}
