//! From floating point to the whole numbers of the file.

use super::kernels::{Maps, sigmoid};
use super::model::Model;
use super::samples::{Sample, Samples};
use crate::nnue::{BUCKETS, Network, NetworkError, Parts, QA, QB, bucket_of, features};

/// Ranges of the weights, and what rounding costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuantReport {
    /// Greatest magnitudes in floating point: first layer, its bias, second layer, its bias.
    pub magnitudes: [f32; 4],
    /// Shares of first-layer and second-layer weights that are 0 as whole numbers.
    pub zeros: [f32; 2],
    /// Positions compared.
    pub compared: usize,
    /// Mean of the difference between floating point and whole numbers, in centipawns.
    pub mean_error: f64,
    /// Its greatest magnitude.
    pub max_error: f64,
    /// Mean squared error of the win probability in floating point and in whole numbers, against
    /// each other.
    pub mean_square: f64,
}

/// Rounds a model to a network, and compares the two on up to `most` of the samples.
///
/// # Errors
/// [`NetworkError`] if the network could overflow.
pub fn quantise(
    model: &Model,
    scale: u16,
    training: u32,
    description: &str,
    samples: &Samples,
    most: usize,
) -> Result<(Network, QuantReport), NetworkError> {
    let whole = |v: f32, unit: i32| (v * unit as f32).round();
    let round = |list: &[f32], unit: i32| -> Vec<i16> {
        list.iter().map(|&v| whole(v, unit) as i16).collect()
    };
    let columns: Vec<f32> = (0..features::COUNT).flat_map(|f| model.column(f)).collect();
    let parts = Parts {
        columns: round(&columns, QA),
        bias: round(model.bias(), QA),
        output: round(model.output(), QB),
        output_bias: model
            .output_bias()
            .iter()
            .map(|&v| whole(v, QA * QB) as i32)
            .collect(),
        scale,
        training,
        description: description.to_owned(),
    };
    let greatest = |list: &[f32]| list.iter().fold(0f32, |m, v| m.max(v.abs()));
    let zeros =
        |list: &[i16]| list.iter().filter(|&&v| v == 0).count() as f32 / list.len().max(1) as f32;
    let mut report = QuantReport {
        magnitudes: [
            greatest(&columns),
            greatest(model.bias()),
            greatest(model.output()),
            greatest(model.output_bias()),
        ],
        zeros: [zeros(&parts.columns), zeros(&parts.output)],
        ..QuantReport::default()
    };
    let other = Maps::default();
    let step = (samples.len() / most.max(1)).max(1);
    let (mut sum, mut square) = (0.0, 0.0);
    for i in (0..samples.len()).step_by(step) {
        let s = samples.get(i);
        let exact = f64::from(float_output(model, &other, &s));
        let whole = f64::from(whole_output(&parts, &other, &s)) / f64::from(QA * QB);
        let error = (whole - exact).abs() * f64::from(scale);
        sum += error;
        report.max_error = report.max_error.max(error);
        let p = |x: f64| f64::from(sigmoid(x as f32));
        square += (p(exact) - p(whole)).powi(2);
        report.compared += 1;
    }
    report.mean_error = sum / report.compared.max(1) as f64;
    report.mean_square = square / report.compared.max(1) as f64;
    Ok((Network::from_parts(parts)?, report))
}

fn float_output(model: &Model, maps: &Maps, s: &Sample<'_>) -> f32 {
    let lanes = model.lanes();
    let bucket = bucket_of(s.places.len());
    let mut out = model.output_bias()[bucket];
    for side in 0..2 {
        let mut sums = model.bias().to_vec();
        for f in maps.view(s, side, false) {
            for (sum, w) in sums.iter_mut().zip(model.column(f)) {
                *sum += w;
            }
        }
        let weights = &model.output()[(bucket * 2 + side) * lanes..];
        for (x, w) in sums.iter().zip(weights) {
            let v = x.clamp(0.0, 1.0);
            out += v * v * w;
        }
    }
    out
}

/// In units of [`QA`] · [`QB`].
fn whole_output(parts: &Parts, maps: &Maps, s: &Sample<'_>) -> i32 {
    let lanes = parts.bias.len();
    let bucket = bucket_of(s.places.len());
    debug_assert!(bucket < BUCKETS);
    let mut sum = 0i64;
    for side in 0..2 {
        let mut sums: Vec<i32> = parts.bias.iter().map(|&b| i32::from(b)).collect();
        for f in maps.view(s, side, false) {
            for (sum, w) in sums.iter_mut().zip(&parts.columns[f * lanes..]) {
                *sum += i32::from(*w);
            }
        }
        let weights = &parts.output[(bucket * 2 + side) * lanes..];
        for (x, w) in sums.iter().zip(weights) {
            let v = i64::from((*x).clamp(0, QA));
            sum += v * v * i64::from(*w);
        }
    }
    (sum / i64::from(QA)) as i32 + parts.output_bias[bucket]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Accumulators;
    use crate::position::Position;
    use crate::util::SplitMix;

    #[test]
    fn a_network_becomes_a_model_and_the_same_network_again() {
        let round = |model: &Model| {
            let samples = Samples::default();
            quantise(model, 400, 1, "test", &samples, 1).unwrap().0
        };
        let mut model = Model::zero(64);
        let mut rng = SplitMix::new(9, 0);
        for (range, _, limit) in model.lists() {
            for v in &mut model.values[range] {
                *v = (rng.below(2_001) as f32 / 1_000.0 - 1.0) * limit.min(1.0) * 0.4;
            }
        }
        let network = round(&model);
        let again = Model::of(&network);
        let shared = again.lists()[4].0.clone();
        assert!(again.values[shared].iter().any(|&v| v != 0.0));
        let mut merged = Model::zero(64);
        again.merge_into(&mut merged);
        assert!(round(&merged) == network);
    }

    #[test]
    fn the_network_says_what_the_model_says() {
        let model = Model::random(64, 2);
        let mut rng = SplitMix::new(4, 0);
        let mut samples = Samples::default();
        let mut positions = Vec::new();
        let mut p = Position::startpos();
        while samples.len() < 300 {
            let moves = p.legal_moves();
            if moves.is_empty() || p.ply_count() > 150 {
                p = Position::startpos();
                continue;
            }
            p.make(moves[rng.below(moves.len())]);
            samples.push(&p, 0, 0.5);
            positions.push(p.clone());
        }
        let (network, report) = quantise(&model, 400, 1, "test", &samples, 300).unwrap();
        assert_eq!(report.compared, 300);
        assert!(
            report.mean_error < 3.0 && report.max_error < 15.0,
            "{report:?}"
        );
        let maps = Maps::default();
        let mut worst = 0.0f32;
        for (i, p) in positions.iter().enumerate() {
            let value = Accumulators::new(&network).evaluate(&network, p) as f32;
            let exact = float_output(&model, &maps, &samples.get(i)) * 400.0;
            worst = worst.max((value - exact).abs());
        }
        assert!(f64::from(worst) <= report.max_error + 1.0, "{worst}");
    }
}
