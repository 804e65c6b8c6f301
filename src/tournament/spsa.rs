//! Tuning by SPSA (simultaneous perturbation stochastic approximation, J. C. Spall): in each
//! iteration all parameters are shifted at random up or down, the engine so shifted plays a pair
//! of games against the engine shifted the other way, and the parameters move towards the winner.
//! Gains and shifts shrink as `a / (A + k)^α` and `c / k^γ`; they are told by their values at the
//! end of the run: the last shift `c_end` of a parameter (its step), and the last rate `r_end`.
//!
//! The shift of iteration `k` depends on the seed and on `k` alone; results are applied in the
//! order in which they came, which the state file keeps.

use crate::util::SplitMix;
use serde::{Deserialize, Serialize};

/// Exponent of the gains.
const ALPHA: f64 = 0.602;
/// Exponent of the shifts.
const GAMMA: f64 = 0.101;

/// A parameter to be tuned: a spin option of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Name of the option.
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Shift at the end of the run.
    pub step: f64,
}

impl Parameter {
    /// Complains of bounds that leave no room.
    ///
    /// # Errors
    /// A sentence on what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let all = [self.start, self.min, self.max, self.step];
        if !all.iter().all(|x| x.is_finite())
            || self.min >= self.max
            || !(self.min..=self.max).contains(&self.start)
            || self.step <= 0.0
        {
            return Err(format!(
                "parameter {:?}: min < max, start between them and step > 0 are needed",
                self.name
            ));
        }
        Ok(())
    }
}

/// How far and how fast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpsaConfig {
    /// Iterations in all; each is a pair of games.
    pub iterations: usize,
    /// Rate at the end of the run.
    pub r_end: f64,
    /// `A` as a part of the iterations.
    pub a_ratio: f64,
    /// For the shifts.
    pub seed: u64,
}

/// The parameters on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    config: SpsaConfig,
    parameters: Vec<Parameter>,
    values: Vec<f64>,
}

/// What an iteration plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Number, from 1.
    pub iteration: usize,
    /// Values of the side shifted along the signs.
    pub plus: Vec<i64>,
    /// Values of the other side.
    pub minus: Vec<i64>,
}

impl Spsa {
    /// At the start.
    pub fn new(config: SpsaConfig, parameters: Vec<Parameter>) -> Spsa {
        let values = parameters.iter().map(|p| p.start).collect();
        Spsa {
            config,
            parameters,
            values,
        }
    }

    /// The values as they are.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Signs of the shifts of an iteration, and the die that rounds its values.
    fn signs(&self, iteration: usize) -> (Vec<f64>, SplitMix) {
        let mut rng = SplitMix::new(self.config.seed, iteration as u64);
        let signs = self
            .parameters
            .iter()
            .map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 })
            .collect();
        (signs, rng)
    }

    /// The shift of a parameter in an iteration.
    fn shift(&self, p: &Parameter, iteration: usize) -> f64 {
        let n = self.config.iterations.max(1) as f64;
        p.step * (n / iteration as f64).powf(GAMMA)
    }

    /// The values that play in iteration `iteration` (from 1). Options are whole numbers: values
    /// between two are rounded by lot, so that small shifts count in the long run.
    pub fn trial(&self, iteration: usize) -> Trial {
        let (signs, mut rng) = self.signs(iteration);
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for ((p, sign), value) in self.parameters.iter().zip(signs).zip(&self.values) {
            let shift = sign * self.shift(p, iteration);
            let die = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let whole = |x: f64| (x.clamp(p.min, p.max) + die).floor().clamp(p.min, p.max) as i64;
            plus.push(whole(value + shift));
            minus.push(whole(value - shift));
        }
        Trial {
            iteration,
            plus,
            minus,
        }
    }

    /// Takes in a result: half points of the plus side less those of the minus side, −4 to 4.
    pub fn apply(&mut self, iteration: usize, difference: i32) {
        let (signs, _) = self.signs(iteration);
        let n = self.config.iterations.max(1) as f64;
        let big_a = self.config.a_ratio * n;
        let k = iteration as f64;
        for (i, sign) in signs.into_iter().enumerate() {
            let p = &self.parameters[i];
            // r_end is a/c² at the end; a is in units of the parameter, as c is.
            let a_end = self.config.r_end * p.step * p.step;
            let gain = a_end * ((big_a + n) / (big_a + k)).powf(ALPHA);
            let shift = self.shift(p, iteration);
            let step = gain / shift * f64::from(difference) / 2.0 * sign;
            self.values[i] = (self.values[i] + step).clamp(p.min, p.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, start: f64) -> Parameter {
        Parameter {
            name: name.into(),
            start,
            min: 0.0,
            max: 200.0,
            step: 6.0,
        }
    }

    #[test]
    fn finds_the_top_of_a_hill() {
        let config = SpsaConfig {
            iterations: 20_000,
            r_end: 0.002,
            a_ratio: 0.1,
            seed: 5,
        };
        let mut spsa = Spsa::new(config, vec![parameter("x", 40.0), parameter("y", 170.0)]);
        let best = [110.0, 80.0];
        let strength = |v: &[i64]| -> f64 {
            v.iter()
                .zip(best)
                .map(|(&v, b)| -((v as f64 - b) / 100.0).powi(2))
                .sum()
        };
        let mut die = SplitMix::new(9, 9);
        for k in 1..=20_000 {
            let trial = spsa.trial(k);
            let expected =
                0.5 + 0.5 * (3.0 * (strength(&trial.plus) - strength(&trial.minus))).tanh();
            let mut difference = 0;
            for _ in 0..2 {
                let win = (die.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                difference += if win < expected { 2 } else { -2 };
            }
            spsa.apply(k, difference);
        }
        for (v, b) in spsa.values().iter().zip(best) {
            assert!((v - b).abs() < 20.0, "{:?}", spsa.values());
        }
    }

    #[test]
    fn trials_stay_in_bounds_and_are_reproducible() {
        let config = SpsaConfig {
            iterations: 100,
            r_end: 0.002,
            a_ratio: 0.1,
            seed: 5,
        };
        let spsa = Spsa::new(config, vec![parameter("x", 0.0), parameter("y", 200.0)]);
        for k in 1..=100 {
            let t = spsa.trial(k);
            assert_eq!(t, spsa.trial(k));
            assert!(t.plus.iter().chain(&t.minus).all(|v| (0..=200).contains(v)));
            assert_ne!(t.plus, t.minus);
        }
        assert!(
            Parameter {
                step: 0.0,
                ..parameter("z", 1.0)
            }
            .check()
            .is_err()
        );
        assert!(
            Parameter {
                start: 999.0,
                ..parameter("z", 1.0)
            }
            .check()
            .is_err()
        );
    }
}
