//! What a match between two engines says: score, Elo with its error, likelihood of superiority,
//! normalised Elo, pairs by their result. The two games of a pair share an opening and are not
//! independent, so the error is taken over pairs (pentanomial); from single games (trinomial)
//! only while there are no pairs.

use serde::Serialize;

/// Wins, draws and losses of single games, from the first engine's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Pairs by the points of the first engine: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

/// A distribution of results: value of each, between 0 and 1, and how often.
pub(super) type Counts = Vec<(f64, f64)>;

impl Trinomial {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn counts(&self) -> Counts {
        vec![
            (0.0, self.losses as f64),
            (0.5, self.draws as f64),
            (1.0, self.wins as f64),
        ]
    }
}

impl Pentanomial {
    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn counts(&self) -> Counts {
        (0..5).map(|i| (i as f64 / 4.0, self.0[i] as f64)).collect()
    }
}

/// An estimate and half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate; infinite if one side won everything.
    pub value: f64,
    /// Half the width of the 95 % interval; `None` if it cannot be told.
    pub error: Option<f64>,
}

/// The figures of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Single games.
    pub games: Trinomial,
    /// Finished pairs.
    pub pairs: Pentanomial,
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Elo difference.
    pub elo: Estimate,
    /// Normalised Elo.
    pub nelo: Estimate,
    /// Likelihood that the first engine is the stronger, 0 to 1.
    pub los: f64,
    /// Part of the games drawn.
    pub draw_ratio: f64,
    /// Pairs won by pairs lost; `None` without lost pairs.
    pub pair_ratio: Option<f64>,
}

/// Normal quantile of a two-sided 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;
/// Normalised Elo of one standard deviation of a game.
pub(super) const NELO_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Mean and variance.
pub(super) fn mean_and_variance(counts: &[(f64, f64)]) -> (f64, f64, f64) {
    let n: f64 = counts.iter().map(|c| c.1).sum();
    if n <= 0.0 {
        return (0.5, 0.0, 0.0);
    }
    let mean = counts.iter().map(|c| c.0 * c.1).sum::<f64>() / n;
    let variance = counts
        .iter()
        .map(|c| (c.0 - mean) * (c.0 - mean) * c.1)
        .sum::<f64>()
        / n;
    (mean, variance, n)
}

/// Elo difference of an expected score.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Expected score of an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normal distribution function.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * (1.0 + libm::erf(x / std::f64::consts::SQRT_2))
}

impl Summary {
    /// From counts. Over pairs if there are any.
    pub fn new(games: Trinomial, pairs: Pentanomial) -> Summary {
        let by_pairs = pairs.pairs() > 0;
        let counts = if by_pairs {
            pairs.counts()
        } else {
            games.counts()
        };
        let per_unit = if by_pairs { 2.0 } else { 1.0 };
        let (mean, variance, n) = mean_and_variance(&counts);
        let deviation = (variance / n.max(1.0)).sqrt();
        let bounded = |s: f64| s.clamp(1e-9, 1.0 - 1e-9);
        let known = variance > 0.0;
        let error = known.then(|| {
            let (low, high) = (mean - Z95 * deviation, mean + Z95 * deviation);
            (elo_of_score(bounded(high)) - elo_of_score(bounded(low))) / 2.0
        });
        let nelo = if known {
            (mean - 0.5) / (variance * per_unit).sqrt() * NELO_SCALE
        } else {
            match mean {
                m if m > 0.5 => f64::INFINITY,
                m if m < 0.5 => f64::NEG_INFINITY,
                _ => 0.0,
            }
        };
        let los = if known {
            normal_cdf((mean - 0.5) / deviation)
        } else {
            match mean {
                m if m > 0.5 => 1.0,
                m if m < 0.5 => 0.0,
                _ => 0.5,
            }
        };
        let p = pairs.0;
        let lost = p[0] + p[1];
        Summary {
            games,
            pairs,
            score: mean,
            elo: Estimate {
                value: elo_of_score(mean),
                error,
            },
            nelo: Estimate {
                value: nelo,
                error: (known && n > 0.0).then(|| Z95 * NELO_SCALE / (n * per_unit).sqrt()),
            },
            los,
            draw_ratio: games.draws as f64 / (games.games() as f64).max(1.0),
            pair_ratio: (lost > 0).then(|| (p[3] + p[4]) as f64 / lost as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 0.01 * b.abs().max(0.5), "{a} is not {b}");
    }

    fn tri(wins: u64, losses: u64, draws: u64) -> Summary {
        Summary::new(
            Trinomial {
                wins,
                draws,
                losses,
            },
            Pentanomial::default(),
        )
    }

    fn penta(p: [u64; 5]) -> Summary {
        Summary::new(Trinomial::default(), Pentanomial(p))
    }

    /// Figures published in the tests of fastchess.
    #[test]
    fn published_trinomial_cases() {
        let s = tri(76, 89, 123);
        near(s.nelo.value, -20.76);
        near(s.nelo.error.unwrap(), 40.13);
        near(100.0 * s.los, 15.53);
        let s = tri(136, 96, 111);
        near(s.nelo.value, 49.77);
        near(s.elo.value, 40.70);
        near(s.elo.error.unwrap(), 30.43);
        near(100.0 * s.los, 99.60);
        near(tri(34, 356, 0).nelo.value, -508.44);
    }

    #[test]
    fn published_pentanomial_cases() {
        let s = penta([34, 54, 31 + 32, 64, 75]);
        near(s.nelo.value, 57.94);
        near(s.nelo.error.unwrap(), 28.28);
        near(s.elo.value, 55.58);
        near(s.elo.error.unwrap(), 27.65);
        near(100.0 * s.los, 100.0);
        let s = penta([332, 433, 457 + 41, 333, 334]);
        near(s.nelo.value, -9.17);
        near(s.nelo.error.unwrap(), 10.96);
        near(s.elo.value, -8.64);
        near(s.elo.error.unwrap(), 10.33);
        near(100.0 * s.los, 5.05);
        let s = penta([7895, 8757, 5485 + 200, 568, 9999]);
        near(s.nelo.value, -19.01);
        near(s.elo.value, -21.04);
        near(s.elo.error.unwrap(), 2.95);
    }

    /// Figures of fishtest in messages of commits to Stockfish: all decimals told agree. (Its error of
    /// the normalised Elo allows for the unknown variance, ours as fastchess's does not; they
    /// part for great differences only, where it is left out here.)
    #[test]
    fn cases_of_fishtest() {
        for (pairs, elo, error, nelo, ratio) in [
            ([154, 6440, 16053, 7148, 205], 4.69, 1.4, 9.38, 1.12),
            ([96, 1426, 13277, 30130, 5071], 141.66, 1.2, 284.13, 23.13),
            ([94, 1537, 13098, 29771, 5500], 143.26, 1.2, 281.70, 21.63),
        ] {
            let s = penta(pairs);
            let told = |a: f64, b: f64, unit: f64| {
                assert!((a - b).abs() <= 0.501 * unit, "{a} is not {b}");
            };
            told(s.elo.value, elo, 0.01);
            told(s.elo.error.unwrap(), error, 0.1);
            told(s.nelo.value, nelo, 0.01);
            told(s.pair_ratio.unwrap(), ratio, 0.01);
            assert!(s.los > 0.999);
        }
        let small = penta([154, 6440, 16053, 7148, 205]);
        assert!((small.nelo.error.unwrap() - 2.8).abs() <= 0.05);
    }

    #[test]
    fn one_sided_matches_have_figures_too() {
        let s = penta([0, 0, 0, 0, 9]);
        assert_eq!(s.elo.value, f64::INFINITY);
        assert_eq!((s.elo.error, s.los), (None, 1.0));
        let s = penta([0, 0, 7, 0, 0]);
        assert_eq!((s.elo.value, s.los), (0.0, 0.5));
        let s = penta([0; 5]);
        assert_eq!(s.score, 0.5);
    }
}
