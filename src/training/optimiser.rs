//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019), and the rate of
//! learning: up from zero, then down along a cosine.

use super::model::Model;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The state of the optimiser.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamW {
    /// Running means of the gradients.
    pub first: Vec<f32>,
    /// Running means of their squares.
    pub second: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

impl AdamW {
    /// For a model of so many numbers.
    pub fn new(numbers: usize) -> AdamW {
        AdamW {
            first: vec![0.0; numbers],
            second: vec![0.0; numbers],
            steps: 0,
        }
    }

    /// Changes the model along a gradient; weights decay by `rate * decay` and stay within what
    /// the whole numbers can hold.
    pub fn step(&mut self, model: &mut Model, gradient: &Model, rate: f32, decay: f32) {
        self.steps += 1;
        let n = self.steps.min(100_000) as i32;
        let unbias1 = 1.0 / (1.0 - BETA1.powi(n));
        let unbias2 = 1.0 / (1.0 - BETA2.powi(n));
        for (range, decays, limit) in model.lists() {
            let kept = 1.0 - rate * decay * decays;
            let values = model.values[range.clone()].iter_mut();
            let means = self.first[range.clone()]
                .iter_mut()
                .zip(&mut self.second[range.clone()]);
            for ((value, g), (m, v)) in values.zip(&gradient.values[range]).zip(means) {
                *m = BETA1 * *m + (1.0 - BETA1) * g;
                *v = BETA2 * *v + (1.0 - BETA2) * g * g;
                let step = rate * (*m * unbias1) / ((*v * unbias2).sqrt() + EPSILON);
                *value = (*value * kept - step).clamp(-limit, limit);
            }
        }
    }
}

/// The rate of step `step` of `all`: linearly up over the first `warm_up`, then along a cosine
/// from `most` to `most * end`.
pub fn rate(step: u64, all: u64, warm_up: u64, most: f32, end: f32) -> f32 {
    if step < warm_up {
        return most * (step + 1) as f32 / warm_up as f32;
    }
    let part = (step - warm_up) as f32 / (all.saturating_sub(warm_up)).max(1) as f32;
    let down = (1.0 + (std::f32::consts::PI * part.min(1.0)).cos()) / 2.0;
    most * (end + (1.0 - end) * down)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_goes_up_and_down() {
        let at = |step| rate(step, 100, 10, 0.01, 0.1);
        assert!((at(0) - 0.001).abs() < 1e-7);
        assert!((at(9) - 0.01).abs() < 1e-7);
        assert!((at(55) - 0.0055).abs() < 1e-5);
        assert!((at(100) - 0.001).abs() < 1e-7);
        assert!((11..100).all(|s| at(s) < at(s - 1)));
    }

    /// Minimises a bowl.
    #[test]
    fn finds_the_minimum() {
        let mut model = Model::random(32, 1);
        let mut adam = AdamW::new(model.values.len());
        let mut gradient = Model::zero(32);
        for step in 0..400 {
            for (g, v) in gradient.values.iter_mut().zip(model.values.iter()) {
                *g = 2.0 * (v - 0.3);
            }
            let r = rate(step, 400, 10, 0.02, 0.01);
            adam.step(&mut model, &gradient, r, 0.0);
        }
        assert!(model.values.iter().all(|v| (v - 0.3).abs() < 1e-3));
    }
}
