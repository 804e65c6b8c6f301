//! The network as floating-point numbers in one list: the first layer's columns, its bias, the
//! second layer's weights by bucket, its biases.

use crate::nnue::{BUCKETS, LANES, QB, features};
use crate::util::SplitMix;
use core::ops::Range;

/// Greatest magnitude of a weight of the first layer: 32 columns and the bias fit 16 bits.
const COLUMN_LIMIT: f32 = 1.98;
/// Greatest magnitude of a weight of the second layer: as a whole number it fits eight bits.
const OUTPUT_LIMIT: f32 = 127.0 / QB as f32;

/// Weights in floating point, or gradients of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    lanes: usize,
    /// All numbers.
    pub values: Vec<f32>,
}

impl Model {
    /// All zero, with these lanes a side, rounded up to a multiple of [`LANES`].
    pub fn zero(lanes: usize) -> Model {
        let lanes = lanes.max(1).next_multiple_of(LANES);
        let n = lanes * (features::COUNT + 1 + 2 * BUCKETS) + BUCKETS;
        Model {
            lanes,
            values: vec![0.0; n],
        }
    }

    /// Random weights to begin with.
    pub fn random(lanes: usize, seed: u64) -> Model {
        let mut model = Model::zero(lanes);
        let mut rng = SplitMix::new(seed, 0x006d_6f64_656c);
        let mut fill = |list: &mut [f32], most: f32| {
            for v in list {
                let unit = (rng.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
                *v = (2.0 * unit - 1.0) * most;
            }
        };
        let lanes = model.lanes;
        // Some two dozen columns are added up: the sums shall lie around the middle of 0..1.
        fill(model.columns_mut(), 0.15);
        let (bias, output) = (model.bias_at(), model.output_at());
        model.values[bias..output].fill(0.25);
        let end = output + 2 * lanes * BUCKETS;
        fill(
            &mut model.values[output..end],
            1.0 / (2.0 * lanes as f32).sqrt(),
        );
        model
    }

    /// Lanes of a side.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    fn bias_at(&self) -> usize {
        self.lanes * features::COUNT
    }

    fn output_at(&self) -> usize {
        self.bias_at() + self.lanes
    }

    fn output_bias_at(&self) -> usize {
        self.output_at() + 2 * self.lanes * BUCKETS
    }

    /// First layer, a column a feature.
    pub fn columns(&self) -> &[f32] {
        &self.values[..self.bias_at()]
    }

    fn columns_mut(&mut self) -> &mut [f32] {
        let end = self.bias_at();
        &mut self.values[..end]
    }

    /// First layer's bias.
    pub fn bias(&self) -> &[f32] {
        &self.values[self.bias_at()..self.output_at()]
    }

    /// Second layer, own half and enemy half a bucket.
    pub fn output(&self) -> &[f32] {
        &self.values[self.output_at()..self.output_bias_at()]
    }

    /// Second layer's biases.
    pub fn output_bias(&self) -> &[f32] {
        &self.values[self.output_bias_at()..]
    }

    /// Columns, bias, output, output bias, to be changed.
    #[inline(always)]
    pub(super) fn parts_mut(&mut self) -> [&mut [f32]; 4] {
        let (a, b, c) = (self.bias_at(), self.output_at(), self.output_bias_at());
        let (columns, rest) = self.values.split_at_mut(a);
        let (bias, rest) = rest.split_at_mut(b - a);
        let (output, output_bias) = rest.split_at_mut(c - b);
        [columns, bias, output, output_bias]
    }

    /// The lists that decay, each with its greatest magnitude (biases neither decay nor are
    /// limited), as ranges of the values.
    pub(super) fn weights(&self) -> [(Range<usize>, f32); 2] {
        [
            (0..self.bias_at(), COLUMN_LIMIT),
            (self.output_at()..self.output_bias_at(), OUTPUT_LIMIT),
        ]
    }
}
