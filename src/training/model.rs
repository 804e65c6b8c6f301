//! The network as floating-point numbers in one list: the first layer's columns, its bias, the
//! second layer's weights by bucket, its biases; and, while it is learnt, what the columns of a
//! place have in common in all frames. Columns are cut into blocks of [`LANES`] lanes, and those of
//! a block lie together, so that a block fits the cache.

use super::kernels::Chunk;
use crate::nnue::{BUCKETS, LANES, Network, QA, QB, features};
use crate::util::SplitMix;
use aligned_vec::{AVec, ConstAlign};
use core::ops::Range;

/// Greatest magnitude of a weight of the first layer: 32 columns and the bias fit 16 bits.
const COLUMN_LIMIT: f32 = 1.98;
/// What a frame's own columns add to the shared ones decays so many times faster: with few
/// positions they learn by heart otherwise.
const OWN_DECAY: f32 = 10.0;
/// Greatest magnitude of a weight of the second layer: as a whole number it fits eight bits.
const OUTPUT_LIMIT: f32 = 127.0 / QB as f32;

/// Numbers of a block of the first layer's columns, and of a block of what they share.
const COLUMNS: usize = features::COUNT * LANES;
const SHARED: usize = features::PLACES * LANES;

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;

/// Numbers from the beginning of a cache line on: a vector that reaches over two lines is read and
/// written twice.
pub type Lines = AVec<f32, ConstAlign<LINE>>;

/// Weights in floating point, or gradients of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    lanes: usize,
    /// All numbers.
    pub values: Lines,
}

impl Model {
    /// All zero, with these lanes a side, rounded up to a multiple of [`LANES`].
    pub fn zero(lanes: usize) -> Model {
        let lanes = lanes.max(1).next_multiple_of(LANES);
        let n = lanes * (features::COUNT + 1 + 2 * BUCKETS + features::PLACES) + BUCKETS;
        Model {
            lanes,
            values: Lines::from_iter(LINE, std::iter::repeat_n(0.0, n)),
        }
    }

    /// Random weights to begin with, the same in all frames.
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
        let shared = model.shared_at();
        fill(&mut model.values[shared..], 0.15);
        model.bias_mut().fill(0.25);
        let output = model.output_at()..model.output_bias_at();
        fill(&mut model.values[output], 1.0 / (2.0 * lanes as f32).sqrt());
        model
    }

    /// The weights of a network, to go on from.
    pub fn of(network: &Network) -> Model {
        let parts = network.to_parts();
        let mut model = Model::zero(network.lanes());
        let lanes = model.lanes;
        for block in 0..model.blocks() {
            for (feature, column) in model.columns_mut(block).iter_mut().enumerate() {
                fill(
                    column,
                    &parts.columns[feature * lanes + block * LANES..],
                    QA,
                );
            }
        }
        fill(model.bias_mut(), &parts.bias, QA);
        let output = model.output_at()..model.output_bias_at();
        fill(&mut model.values[output], &parts.output, QB);
        for (to, &v) in model.output_bias_mut().iter_mut().zip(&parts.output_bias) {
            *to = v as f32 / (QA * QB) as f32;
        }
        model.share();
        model
    }

    /// Lanes of a side.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    fn bias_at(&self) -> usize {
        self.blocks() * COLUMNS
    }

    fn output_at(&self) -> usize {
        self.bias_at() + self.lanes
    }

    fn output_bias_at(&self) -> usize {
        self.output_at() + 2 * self.lanes * BUCKETS
    }

    fn shared_at(&self) -> usize {
        self.output_bias_at() + BUCKETS
    }

    /// Blocks of [`LANES`] lanes of a side.
    pub(super) fn blocks(&self) -> usize {
        self.lanes / LANES
    }

    fn bias_range(&self) -> Range<usize> {
        self.bias_at()..self.output_at()
    }

    fn output_bias_range(&self) -> Range<usize> {
        self.output_bias_at()..self.shared_at()
    }

    /// Where a block of the first layer's columns is.
    fn columns_range(block: usize) -> Range<usize> {
        block * COLUMNS..(block + 1) * COLUMNS
    }

    /// Where the second layer's weights for a block of this side's sums are.
    fn output_range(&self, bucket: usize, side: usize, block: usize) -> Range<usize> {
        let at = self.output_at() + (bucket * 2 + side) * self.lanes + block * LANES;
        at..at + LANES
    }

    /// A block of the first layer, a column a feature; without what is shared.
    #[inline(always)]
    pub(super) fn columns(&self, block: usize) -> &[Chunk] {
        self.values[Model::columns_range(block)].as_chunks().0
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn columns_mut(&mut self, block: usize) -> &mut [Chunk] {
        self.values[Model::columns_range(block)].as_chunks_mut().0
    }

    /// All lanes of a feature's column.
    pub fn column(&self, feature: usize) -> impl Iterator<Item = f32> {
        (0..self.blocks()).flat_map(move |block| self.columns(block)[feature])
    }

    /// Makes `network` the same with nothing shared: what is shared is added to every column.
    pub(super) fn merge_into(&self, network: &mut Model) {
        let (columns, end) = (self.bias_at(), self.shared_at());
        network.values[columns..end].copy_from_slice(&self.values[columns..end]);
        let shared = self.values[end..].chunks_exact(SHARED);
        for (block, shared) in shared.enumerate() {
            let range = Model::columns_range(block);
            let copies = network.values[range.clone()].chunks_exact_mut(SHARED);
            for (to, own) in copies.zip(self.values[range].chunks_exact(SHARED)) {
                for ((to, own), shared) in to.iter_mut().zip(own).zip(shared) {
                    *to = (own + shared).clamp(-COLUMN_LIMIT, COLUMN_LIMIT);
                }
            }
        }
    }

    /// The opposite, for the weights of a network: what the columns of a place have in common,
    /// their mean, is shared, and what is left is their own.
    fn share(&mut self) {
        self.sum_shared();
        let at = self.shared_at();
        let (own, shared) = self.values.split_at_mut(at);
        let blocks = shared.chunks_exact_mut(SHARED);
        for (shared, own) in blocks.zip(own.chunks_exact_mut(COLUMNS)) {
            let share = SHARED as f32 / COLUMNS as f32;
            shared.iter_mut().for_each(|sum| *sum *= share);
            for copy in own.chunks_exact_mut(SHARED) {
                for (own, mean) in copy.iter_mut().zip(&*shared) {
                    *own -= mean;
                }
            }
        }
    }

    /// For a gradient of a network: the gradient of what the columns share, their sum.
    pub(super) fn sum_shared(&mut self) {
        let at = self.shared_at();
        let (own, shared) = self.values.split_at_mut(at);
        shared.fill(0.0);
        let blocks = shared.chunks_exact_mut(SHARED);
        for (shared, own) in blocks.zip(own.chunks_exact(COLUMNS)) {
            for copy in own.chunks_exact(SHARED) {
                for (sum, g) in shared.iter_mut().zip(copy) {
                    *sum += g;
                }
            }
        }
    }

    /// First layer's bias.
    pub fn bias(&self) -> &[f32] {
        &self.values[self.bias_range()]
    }

    /// The same, to be changed.
    pub(super) fn bias_mut(&mut self) -> &mut [f32] {
        let range = self.bias_range();
        &mut self.values[range]
    }

    /// Second layer, own half and enemy half a bucket.
    pub fn output(&self) -> &[f32] {
        &self.values[self.output_at()..self.output_bias_at()]
    }

    /// The second layer's weights for a block of the sums of the side to move (0) or the other.
    #[inline(always)]
    pub(super) fn output_block(&self, bucket: usize, side: usize, block: usize) -> &[f32] {
        &self.values[self.output_range(bucket, side, block)]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn output_block_mut(
        &mut self,
        bucket: usize,
        side: usize,
        block: usize,
    ) -> &mut [f32] {
        let range = self.output_range(bucket, side, block);
        &mut self.values[range]
    }

    /// Second layer's biases.
    pub fn output_bias(&self) -> &[f32] {
        &self.values[self.output_bias_range()]
    }

    /// The same, to be changed.
    pub(super) fn output_bias_mut(&mut self) -> &mut [f32] {
        let range = self.output_bias_range();
        &mut self.values[range]
    }

    /// The lists of the values, in order: how many times faster than the second layer each
    /// decays, and its greatest magnitude.
    pub(super) fn lists(&self) -> [(Range<usize>, f32, f32); 5] {
        let free = f32::INFINITY;
        [
            (0..self.bias_at(), OWN_DECAY, COLUMN_LIMIT),
            (self.bias_range(), 0.0, free),
            (self.output_at()..self.output_bias_at(), 1.0, OUTPUT_LIMIT),
            (self.output_bias_range(), 0.0, free),
            (self.shared_at()..self.values.len(), 1.0, COLUMN_LIMIT),
        ]
    }
}

/// Whole numbers in floating point; the list is filled from the front of the other.
fn fill(list: &mut [f32], from: &[i16], unit: i32) {
    for (to, &v) in list.iter_mut().zip(from) {
        *to = f32::from(v) / unit as f32;
    }
}
