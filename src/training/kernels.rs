//! Forward and backward through the network for a batch, compiled for several kinds of
//! processors. Lanes are added in the same order everywhere, so all find the same.

use super::model::{LINE, Lines, Model};
use super::samples::{Sample, Samples};
use crate::nnue::{LANES, Level, bucket_of, features};

/// Which places become which, for the enemy's view and for mirrored positions.
#[derive(Clone, Debug)]
pub struct Maps {
    /// By side to move or other side, as it is or mirrored.
    places: [[Vec<u16>; 2]; 2],
}

impl Default for Maps {
    fn default() -> Maps {
        let (other, mirror) = (features::other_view(), features::mirrored());
        let mirrored = other.iter().map(|&p| mirror[usize::from(p)]).collect();
        let same = (0..features::PLACES as u16).collect();
        Maps {
            places: [[same, mirror], [other, mirrored]],
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
        let places = &self.places[side][usize::from(frame.mirrors(mirrored))];
        let first = frame.copy() * features::PLACES;
        s.places
            .iter()
            .map(move |&place| first + usize::from(places[usize::from(place)]))
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
pub(super) type Chunk = [f32; LANES];

/// Positions that go forward together before they go backward together.
const PART: usize = 2_048;

// A workspace holds features and views as 16-bit numbers.
const _: () = assert!(features::COUNT <= 1 << 16 && 2 * PART <= 1 << 16);

/// Room for the positions of a part. What belongs to the two views of position `i` is at `2 i`
/// (side to move) and `2 i + 1`.
#[derive(Clone, Debug)]
pub(super) struct Workspace {
    /// Features of all views, one view after the other.
    features: Vec<u16>,
    /// Where the features of each view end.
    ends: Vec<u32>,
    /// The positions themselves.
    positions: Vec<Aim>,
    /// The parts of the output that the blocks bring, lane by lane, position by position.
    outputs: Lines,
    /// Clamped sums, block by block of lanes, in a block view by view.
    sums: Lines,
    /// Slopes of the sums of one block, view by view.
    slopes: Lines,
    /// Views by the features that they have.
    views: Vec<u16>,
    /// Where the views of each feature end in `views`.
    view_ends: Vec<u32>,
}

/// A position on its way.
#[derive(Clone, Copy, Debug, Default)]
struct Aim {
    bucket: usize,
    wanted: f32,
    /// What the network says.
    output: f32,
    /// The slope of the error over that.
    slope: f32,
}

/// Adds the gradient of the squared error of the win probabilities of these positions to
/// `gradient`; returns the sum of the errors. Without a gradient only that.
pub(super) fn learn(
    level: Level,
    (model, samples, maps): (&Model, &Samples, &Maps),
    picks: &[Pick],
    target: Target,
    room: &mut Workspace,
    mut gradient: Option<&mut Model>,
) -> f64 {
    let mut loss = 0.0;
    for picks in picks.chunks(PART) {
        room.take(samples, maps, picks, target);
        pass(level, Pass::Forward(model), room);
        for position in &mut room.positions {
            let p = sigmoid(position.output);
            let error = p - position.wanted;
            loss += f64::from(error * error);
            position.slope = 2.0 * error * p * (1.0 - p);
        }
        if let Some(gradient) = &mut gradient {
            room.sort_views();
            pass(level, Pass::Backward(model, gradient), room);
        }
    }
    loss
}

impl Default for Workspace {
    fn default() -> Workspace {
        Workspace {
            features: Vec::new(),
            ends: Vec::new(),
            positions: Vec::new(),
            outputs: Lines::new(LINE),
            sums: Lines::new(LINE),
            slopes: Lines::new(LINE),
            views: Vec::new(),
            view_ends: Vec::new(),
        }
    }
}

impl Workspace {
    /// Takes these positions in, at most [`PART`].
    fn take(&mut self, samples: &Samples, maps: &Maps, picks: &[Pick], target: Target) {
        self.features.clear();
        self.ends.clear();
        self.positions.clear();
        for pick in picks {
            let sample = samples.get(pick.index as usize);
            for side in 0..2 {
                let view = maps.view(&sample, side, pick.mirrored);
                self.features.extend(view.map(|f| f as u16));
                self.ends.push(self.features.len() as u32);
            }
            self.positions.push(Aim {
                bucket: bucket_of(sample.places.len()),
                wanted: target.of(&sample),
                ..Aim::default()
            });
        }
    }

    /// Finds the views of each feature, by counting.
    fn sort_views(&mut self) {
        self.view_ends.clear();
        self.view_ends.resize(features::COUNT + 1, 0);
        for &f in &self.features {
            self.view_ends[usize::from(f) + 1] += 1;
        }
        for f in 0..features::COUNT {
            self.view_ends[f + 1] += self.view_ends[f];
        }
        // Each feature's place moves from its beginning to its end.
        self.views.resize(self.features.len(), 0);
        let mut at = 0;
        for (view, &end) in self.ends.iter().enumerate() {
            for &f in &self.features[at..end as usize] {
                let place = &mut self.view_ends[usize::from(f)];
                self.views[*place as usize] = view as u16;
                *place += 1;
            }
            at = end as usize;
        }
        self.view_ends.pop();
    }
}

/// Which way a part goes through the network.
enum Pass<'a> {
    /// From the features to the outputs.
    Forward(&'a Model),
    /// From the slopes of the outputs to the gradient.
    Backward(&'a Model, &'a mut Model),
}

fn pass(level: Level, pass: Pass<'_>, room: &mut Workspace) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 if level.is_available() => {
            // SAFETY: the processor has AVX2, as was just asked.
            unsafe { pass_avx2(pass, room) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if level.is_available() => {
            // SAFETY: the processor has AVX-512 F and BW, as was just asked.
            unsafe { pass_avx512(pass, room) }
        }
        _ => pass_here(pass, room),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn pass_avx2(pass: Pass<'_>, room: &mut Workspace) {
    pass_here(pass, room);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2")]
fn pass_avx512(pass: Pass<'_>, room: &mut Workspace) {
    pass_here(pass, room);
}

/// All positions go through one block of lanes before the next: its weights, or what is added to
/// its gradient, stay in the cache.
#[inline(always)]
fn pass_here(pass: Pass<'_>, room: &mut Workspace) {
    match pass {
        Pass::Forward(model) => {
            let views = room.ends.len();
            room.sums.resize(model.blocks() * views * LANES, 0.0);
            room.outputs.clear();
            room.outputs.resize(room.positions.len() * LANES, 0.0);
            for block in 0..model.blocks() {
                forward(model, block, room);
            }
            let outputs = room.outputs.chunks_exact(LANES);
            for (position, lanes) in room.positions.iter_mut().zip(outputs) {
                position.output = model.output_bias()[position.bucket] + lanes.iter().sum::<f32>();
            }
        }
        Pass::Backward(model, gradient) => {
            for position in &room.positions {
                gradient.output_bias_mut()[position.bucket] += position.slope;
            }
            for block in 0..model.blocks() {
                backward(model, block, room, gradient);
            }
        }
    }
}

/// Adds what one block of lanes brings to the outputs; leaves its clamped sums.
#[inline(always)]
fn forward(model: &Model, block: usize, room: &mut Workspace) {
    let columns = model.columns(block);
    let bias: &Chunk = &model.bias().as_chunks().0[block];
    let n = room.ends.len();
    let sums: &mut [Chunk] = &mut room.sums.as_chunks_mut().0[block * n..][..n];
    let outputs: &mut [Chunk] = room.outputs.as_chunks_mut().0;
    let mut at = 0;
    for (i, (position, total)) in room.positions.iter().zip(outputs).enumerate() {
        for side in 0..2 {
            let end = room.ends[2 * i + side] as usize;
            let mut sum = *bias;
            for &f in &room.features[at..end] {
                let column = &columns[usize::from(f)];
                for i in 0..LANES {
                    sum[i] += column[i];
                }
            }
            at = end;
            sums[2 * i + side] = sum;
            // In a loop of its own, and through a reference: otherwise the sums become single
            // numbers before the compiler looks for vectors.
            let kept = &mut sums[2 * i + side];
            let w = model.output_block(position.bucket, side, block);
            for i in 0..LANES {
                let v = kept[i].clamp(0.0, 1.0);
                kept[i] = v;
                total[i] += v * v * w[i];
            }
        }
    }
}

/// Adds the gradient of one block of lanes for the outputs' slopes.
#[inline(always)]
fn backward(model: &Model, block: usize, room: &mut Workspace, gradient: &mut Model) {
    let n = room.ends.len();
    let sums: &[Chunk] = &room.sums.as_chunks().0[block * n..][..n];
    room.slopes.resize(n * LANES, 0.0);
    let slopes: &mut [Chunk] = room.slopes.as_chunks_mut().0;
    let mut bias = [0f32; LANES];
    for (i, position) in room.positions.iter().enumerate() {
        let slope = position.slope;
        for side in 0..2 {
            let v = &sums[2 * i + side];
            let w = model.output_block(position.bucket, side, block);
            let g = gradient.output_block_mut(position.bucket, side, block);
            let s = &mut slopes[2 * i + side];
            for i in 0..LANES {
                g[i] += slope * v[i] * v[i];
                // At 0 and 1 the clamp makes everything flat.
                let inside = if v[i] < 1.0 { 2.0 * v[i] } else { 0.0 };
                s[i] = slope * w[i] * inside;
                bias[i] += s[i];
            }
        }
    }
    let summed = &mut gradient.bias_mut()[block * LANES..];
    for (g, s) in summed.iter_mut().zip(bias) {
        *g += s;
    }
    let mut at = 0;
    for (column, &end) in gradient.columns_mut(block).iter_mut().zip(&room.view_ends) {
        let mut sum = *column;
        for &view in &room.views[at..end as usize] {
            let s = &slopes[usize::from(view)];
            for i in 0..LANES {
                sum[i] += s[i];
            }
        }
        *column = sum;
        at = end as usize;
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
        let column =
            |f: usize, lane: usize| (lane / LANES * features::COUNT + f) * LANES + lane % LANES;
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
                            sum += model[column(f, lane)];
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
        let model = Model::random(64, 3);
        let mut gradient = Model::zero(64);
        let maps = Maps::default();
        let loss = learn(
            Level::detect(),
            (&model, &samples, &maps),
            &picks,
            target,
            &mut Workspace::default(),
            Some(&mut gradient),
        );
        let mut exact: Vec<f64> = model.values.iter().map(|&v| f64::from(v)).collect();
        let slow = slow_loss(&exact, 64, &samples, &picks, target);
        assert!((loss - slow).abs() < 1e-5, "{loss} {slow}");
        // The kinks of the clamp allow a few deviations.
        let (mut tried, mut far, mut moved) = (0, 0, 0);
        let output = 64 * features::COUNT..exact.len() - 64 * features::PLACES;
        for i in (0..output.start).step_by(43).chain(output) {
            let step = 1e-4;
            let old = exact[i];
            exact[i] = old + step;
            let above = slow_loss(&exact, 64, &samples, &picks, target);
            exact[i] = old - step;
            let below = slow_loss(&exact, 64, &samples, &picks, target);
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

    /// More positions than a part holds are learnt as the same ones in any portions, in one
    /// workspace.
    #[test]
    fn parts_add_up() {
        let samples = random_samples(40, 7);
        let picks: Vec<Pick> = (0..2 * PART as u32 + 77)
            .map(|i| Pick {
                index: i % 40,
                mirrored: i % 3 == 0,
            })
            .collect();
        let target = Target {
            scale: 300.0,
            result_share: 0.3,
        };
        let (model, maps) = (Model::random(64, 9), Maps::default());
        let parts = (&model, &samples, &maps);
        let level = Level::detect();
        let room = &mut Workspace::default();
        let (mut whole, mut summed) = (Model::zero(64), Model::zero(64));
        let loss = learn(level, parts, &picks, target, room, Some(&mut whole));
        let portions: f64 = picks
            .chunks(1_000)
            .map(|some| learn(level, parts, some, target, room, Some(&mut summed)))
            .sum();
        assert!((loss - portions).abs() < 1e-9 * loss, "{loss} {portions}");
        assert_eq!(learn(level, parts, &picks, target, room, None), loss);
        let mut moved = 0;
        for (a, b) in whole.values.iter().zip(summed.values.iter()) {
            assert!((a - b).abs() < 1e-3 + 1e-4 * a.abs(), "{a} {b}");
            moved += usize::from(a.abs() > 0.1);
        }
        assert!(moved > 1_000, "{moved}");
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
            let room = &mut Workspace::default();
            let loss = learn(level, (&model, &samples, &maps), &picks, target, room, g);
            (loss, gradient)
        });
        assert!(results.iter().all(|r| *r == results[0]));
    }
}
