//! Forward and backward through the network for a batch, compiled for several kinds of
//! processors. Lanes are added in the same order everywhere, so all find the same.

use super::model::Model;
use super::samples::{Sample, Samples};
use crate::nnue::{LANES, Level, bucket_of, features};

/// Which places become which, for the enemy's view and for mirrored positions.
#[derive(Clone, Debug)]
pub struct Maps {
    other: Vec<u16>,
    mirror: Vec<u16>,
}

impl Default for Maps {
    fn default() -> Maps {
        Maps {
            other: features::other_view(),
            mirror: features::mirrored(),
        }
    }
}

impl Maps {
    /// The features of a sample in the view of the side to move (0) or of the other (1), if the
    /// position is shown as it is or mirrored.
    #[inline(always)]
    pub fn view<'a>(
        &'a self,
        s: &'a Sample<'_>,
        side: usize,
        mirrored: bool,
    ) -> impl Iterator<Item = usize> + 'a {
        let frame = s.frames[side];
        let mirror = frame.mirrors(mirrored);
        s.places.iter().map(move |&place| {
            let place = if side == 0 {
                place
            } else {
                self.other[usize::from(place)]
            };
            let place = if mirror {
                self.mirror[usize::from(place)]
            } else {
                place
            };
            frame.copy() * features::PLACES + usize::from(place)
        })
    }
}

/// A position to be learnt: its number, and whether left and right are exchanged.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// Its number.
    pub index: u32,
    /// Exchange left and right.
    pub mirrored: bool,
}

/// What the network is to say.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Centipawns of an output of 1.
    pub scale: f32,
    /// Share of the game's result, 0..=1; the rest is the score.
    pub result_share: f32,
}

impl Target {
    /// The win probability that is to be learnt.
    #[inline(always)]
    pub fn of(&self, s: &Sample<'_>) -> f32 {
        self.result_share * s.result + (1.0 - self.result_share) * sigmoid(s.score / self.scale)
    }
}

#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Lanes that are added at once; in arrays of this length the compiler finds vectors.
type Chunk = [f32; LANES];

/// Positions that go forward together before they go backward together: weights and gradients
/// then take turns in the cache.
const GROUP: usize = 32;

/// Room for one position's sums.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// Clamped sums, own view then enemy view.
    sums: Vec<Chunk>,
    /// Where the columns of both views begin, in chunks.
    columns: [Vec<usize>; 2],
    bucket: usize,
    slope: f32,
}

/// Adds the gradient of the squared error of the win probabilities of these positions to
/// `gradient`; returns the sum of the errors. Without a gradient only that.
pub(super) fn learn(
    level: Level,
    model: &Model,
    samples: &Samples,
    maps: &Maps,
    picks: &[Pick],
    target: Target,
    gradient: Option<&mut Model>,
) -> f64 {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 if level.is_available() => {
            // SAFETY: the processor has AVX2, as was just asked.
            unsafe { learn_avx2(model, samples, maps, picks, target, gradient) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if level.is_available() => {
            // SAFETY: the processor has AVX-512 F and BW, as was just asked.
            unsafe { learn_avx512(model, samples, maps, picks, target, gradient) }
        }
        _ => learn_here(model, samples, maps, picks, target, gradient),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn learn_avx2(
    model: &Model,
    samples: &Samples,
    maps: &Maps,
    picks: &[Pick],
    target: Target,
    gradient: Option<&mut Model>,
) -> f64 {
    learn_here(model, samples, maps, picks, target, gradient)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2")]
fn learn_avx512(
    model: &Model,
    samples: &Samples,
    maps: &Maps,
    picks: &[Pick],
    target: Target,
    gradient: Option<&mut Model>,
) -> f64 {
    learn_here(model, samples, maps, picks, target, gradient)
}

#[inline(always)]
fn learn_here(
    model: &Model,
    samples: &Samples,
    maps: &Maps,
    picks: &[Pick],
    target: Target,
    mut gradient: Option<&mut Model>,
) -> f64 {
    let chunks = model.lanes() / LANES;
    let mut group = vec![Scratch::default(); GROUP];
    let mut loss = 0.0;
    for picks in picks.chunks(GROUP) {
        for (pick, scratch) in picks.iter().zip(&mut group) {
            let sample = samples.get(pick.index as usize);
            views(&sample, pick.mirrored, maps, chunks, scratch);
            let p = sigmoid(forward(model, scratch));
            let error = p - target.of(&sample);
            loss += f64::from(error * error);
            scratch.slope = 2.0 * error * p * (1.0 - p);
        }
        if let Some(gradient) = &mut gradient {
            for scratch in &mut group[..picks.len()] {
                backward(model, scratch, gradient);
            }
        }
    }
    loss
}

/// Where the columns of the features of both views begin.
#[inline(always)]
fn views(sample: &Sample<'_>, mirrored: bool, maps: &Maps, chunks: usize, scratch: &mut Scratch) {
    for (side, columns) in scratch.columns.iter_mut().enumerate() {
        columns.clear();
        columns.extend(maps.view(sample, side, mirrored).map(|f| f * chunks));
    }
    scratch.bucket = bucket_of(sample.places.len());
    scratch.sums.resize(2 * chunks, [0.0; LANES]);
}

/// Chunk `c` of the sum of these columns.
#[inline(always)]
fn sum_columns(bias: &Chunk, columns: &[Chunk], list: &[usize], c: usize) -> Chunk {
    let mut sum = *bias;
    for &column in list {
        let column = &columns[column + c];
        for i in 0..LANES {
            sum[i] += column[i];
        }
    }
    sum
}

/// The network's output; the clamped sums are left in `scratch`.
#[inline(always)]
fn forward(model: &Model, scratch: &mut Scratch) -> f32 {
    let chunks = model.lanes() / LANES;
    let columns: &[Chunk] = model.columns().as_chunks().0;
    let bias: &[Chunk] = model.bias().as_chunks().0;
    let weights: &[Chunk] = model.output().as_chunks().0;
    let weights = &weights[scratch.bucket * 2 * chunks..][..2 * chunks];
    let mut total = [0f32; LANES];
    for (side, list) in scratch.columns.iter().enumerate() {
        for (c, bias) in bias.iter().enumerate() {
            let at = side * chunks + c;
            scratch.sums[at] = sum_columns(bias, columns, list, c);
            // In a loop of its own, and through a reference: otherwise the sums become single
            // numbers before the compiler looks for vectors.
            let (kept, w) = (&mut scratch.sums[at], &weights[at]);
            for i in 0..LANES {
                let v = kept[i].clamp(0.0, 1.0);
                kept[i] = v;
                total[i] += v * v * w[i];
            }
        }
    }
    total.iter().sum::<f32>() + model.output_bias()[scratch.bucket]
}

/// Adds the gradient for the output's slope.
#[inline(always)]
fn backward(model: &Model, scratch: &mut Scratch, gradient: &mut Model) {
    let chunks = model.lanes() / LANES;
    let weights: &[Chunk] = model.output().as_chunks().0;
    let weights = &weights[scratch.bucket * 2 * chunks..][..2 * chunks];
    let [columns, bias, output, output_bias] = gradient.parts_mut();
    let columns: &mut [Chunk] = columns.as_chunks_mut().0;
    let bias: &mut [Chunk] = bias.as_chunks_mut().0;
    let output: &mut [Chunk] = output.as_chunks_mut().0;
    let output = &mut output[scratch.bucket * 2 * chunks..][..2 * chunks];
    let slope = scratch.slope;
    output_bias[scratch.bucket] += slope;
    for (side, list) in scratch.columns.iter().enumerate() {
        for c in 0..chunks {
            let at = side * chunks + c;
            let (v, w, g) = (&scratch.sums[at], &weights[at], &mut output[at]);
            let mut s = [0f32; LANES];
            for i in 0..LANES {
                g[i] += slope * v[i] * v[i];
                // At 0 and 1 the clamp makes everything flat.
                let inside = if v[i] < 1.0 { 2.0 * v[i] } else { 0.0 };
                s[i] = slope * w[i] * inside;
            }
            let b = &mut bias[c];
            for i in 0..LANES {
                b[i] += s[i];
            }
            for &column in list {
                let g = &mut columns[column + c];
                for i in 0..LANES {
                    g[i] += s[i];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::BUCKETS;
    use crate::position::{Position, Setup};
    use crate::util::SplitMix;

    fn random_samples(n: usize, seed: u64) -> Samples {
        let mut rng = SplitMix::new(seed, 1);
        let mut samples = Samples::default();
        while samples.len() < n {
            let mut p = Position::startpos();
            for _ in 0..rng.below(80) {
                let moves = p.legal_moves();
                if moves.is_empty() {
                    break;
                }
                p.make(moves[rng.below(moves.len())]);
            }
            let value = rng.below(1_001) as i16 - 500;
            samples.push(&p, value, rng.below(3) as f32 / 2.0);
        }
        samples
    }

    /// The trainer shows a position, mirrored or not, as the evaluation would.
    #[test]
    fn views_are_those_of_the_evaluation() {
        let mut rng = SplitMix::new(11, 2);
        let maps = Maps::default();
        let mut frames = [0; features::Frame::COUNT];
        let mut p = Position::from_fen("3k5/4a4/4b4/9/2p6/9/6P2/9/4A4/4K1B2 w - - 0 1").unwrap();
        for _ in 0..2_000 {
            let moves = p.legal_moves();
            if moves.is_empty() || p.ply_count() > 200 {
                p = Position::startpos();
                continue;
            }
            p.make(moves[rng.below(moves.len())]);
            let mut samples = Samples::default();
            samples.push(&p, 0, 0.5);
            let mirror = Position::from_setup(&Setup::from(&p).mirrored()).unwrap();
            for (side, view) in [p.stm(), !p.stm()].into_iter().enumerate() {
                for (shown, mirrored) in [(&p, false), (&mirror, true)] {
                    let frame = features::Frame::of(shown, view);
                    frames[frame.index()] += 1;
                    let piece = |s| shown.piece_on(s).unwrap();
                    let mut wanted: Vec<usize> = shown
                        .occupied()
                        .into_iter()
                        .map(|s| features::index(view, frame, piece(s), s))
                        .collect();
                    let mut found: Vec<usize> =
                        maps.view(&samples.get(0), side, mirrored).collect();
                    wanted.sort_unstable();
                    found.sort_unstable();
                    assert_eq!(found, wanted, "{} {mirrored}", p.fen());
                }
            }
        }
        assert!(frames.iter().filter(|&&n| n > 0).count() >= 8, "{frames:?}");
    }

    /// The loss by the definition, in double precision.
    fn slow_loss(model: &[f64], lanes: usize, samples: &Samples, picks: &[Pick], t: Target) -> f64 {
        let maps = Maps::default();
        let bias = lanes * features::COUNT;
        let output = bias + lanes;
        let output_bias = output + 2 * lanes * BUCKETS;
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        picks
            .iter()
            .map(|pick| {
                let s = samples.get(pick.index as usize);
                let bucket = bucket_of(s.places.len());
                let mut out = model[output_bias + bucket];
                for side in 0..2 {
                    for lane in 0..lanes {
                        let mut sum = model[bias + lane];
                        for f in maps.view(&s, side, pick.mirrored) {
                            sum += model[f * lanes + lane];
                        }
                        let v = sum.clamp(0.0, 1.0);
                        out += v * v * model[output + (bucket * 2 + side) * lanes + lane];
                    }
                }
                let share = f64::from(t.result_share);
                let wanted = share * f64::from(s.result)
                    + (1.0 - share) * sigmoid(f64::from(s.score) / f64::from(t.scale));
                (sigmoid(out) - wanted).powi(2)
            })
            .sum()
    }

    #[test]
    fn gradients_equal_finite_differences() {
        let samples = random_samples(12, 5);
        let mut rng = SplitMix::new(8, 0);
        let picks: Vec<Pick> = (0..12)
            .map(|index| Pick {
                index,
                mirrored: rng.below(2) == 1,
            })
            .collect();
        let target = Target {
            scale: 300.0,
            result_share: 0.4,
        };
        let model = Model::random(32, 3);
        let mut gradient = Model::zero(32);
        let maps = Maps::default();
        let loss = learn(
            Level::detect(),
            &model,
            &samples,
            &maps,
            &picks,
            target,
            Some(&mut gradient),
        );
        let mut exact: Vec<f64> = model.values.iter().map(|&v| f64::from(v)).collect();
        let slow = slow_loss(&exact, 32, &samples, &picks, target);
        assert!((loss - slow).abs() < 1e-5, "{loss} {slow}");
        // The kinks of the clamp allow a few deviations.
        let (mut tried, mut far, mut moved) = (0, 0, 0);
        let output = 32 * features::COUNT..exact.len() - 32 * features::PLACES;
        for i in (0..output.start).step_by(23).chain(output) {
            let step = 1e-4;
            let old = exact[i];
            exact[i] = old + step;
            let above = slow_loss(&exact, 32, &samples, &picks, target);
            exact[i] = old - step;
            let below = slow_loss(&exact, 32, &samples, &picks, target);
            exact[i] = old;
            let wanted = (above - below) / (2.0 * step);
            let found = f64::from(gradient.values[i]);
            tried += 1;
            moved += usize::from(wanted.abs() > 1e-6);
            far += usize::from((wanted - found).abs() > 1e-5 + 1e-3 * wanted.abs());
        }
        assert!(moved > 300, "only {moved} of {tried} matter");
        assert!(far * 100 < tried, "{far} of {tried} differ");
    }

    #[test]
    fn all_levels_find_the_same() {
        let samples = random_samples(40, 6);
        let picks: Vec<Pick> = (0..40)
            .map(|index| Pick {
                index,
                mirrored: index % 3 == 0,
            })
            .collect();
        let target = Target {
            scale: 200.0,
            result_share: 0.5,
        };
        let model = Model::random(96, 4);
        let maps = Maps::default();
        let results = Level::ALL.map(|level| {
            let mut gradient = Model::zero(96);
            let g = Some(&mut gradient);
            let loss = learn(level, &model, &samples, &maps, &picks, target, g);
            (loss, gradient)
        });
        assert!(results.iter().all(|r| *r == results[0]));
    }
}
