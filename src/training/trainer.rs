//! The loop: epochs of batches, each batch split over threads, their gradients added in order.

use super::checkpoint::{self, CheckpointError, State};
use super::curve::Epoch;
use super::kernels::{Maps, Pick, Target, Workspace, learn};
use super::model::Model;
use super::optimiser::{AdamW, rate};
use super::samples::Samples;
use crate::nnue::{Level, Network};
use crate::util::SplitMix;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to train.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Lanes of the first layer a side.
    pub lanes: usize,
    /// Times that all positions are shown.
    pub epochs: usize,
    /// Positions a step.
    pub batch: usize,
    /// Greatest rate of learning.
    pub rate: f32,
    /// The rate at the end as a share of the greatest.
    pub end_rate: f32,
    /// Steps over which the rate goes up.
    pub warm_up: u64,
    /// Weights decay by this times the rate a step.
    pub decay: f32,
    /// Centipawns of an output of 1, and of the win probability of scores.
    pub scale: u16,
    /// Share of the game's result in what is learnt; the rest is the score.
    pub result_share: f32,
    /// Show positions with left and right exchanged half of the time.
    pub mirror: bool,
    /// Threads; part of what decides the outcome, as sums are rounded.
    pub threads: usize,
    /// For everything drawn by lot.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            lanes: 128,
            epochs: 12,
            batch: 8_192,
            rate: 0.0015,
            end_rate: 0.01,
            warm_up: 100,
            decay: 0.3,
            scale: 400,
            result_share: 0.1,
            mirror: true,
            threads: 1,
            seed: 1,
        }
    }
}

/// Is told how it goes.
pub trait Observer {
    /// A step was made: positions so far in this epoch, and in an epoch.
    fn step(&mut self, done: usize, all: usize);
    /// An epoch is over.
    fn epoch(&mut self, epoch: &Epoch);
}

/// A training.
#[derive(Debug)]
pub struct Trainer<'a> {
    config: Config,
    training: &'a Samples,
    validation: &'a Samples,
    maps: Maps,
    level: Level,
    /// What is learnt.
    learnt: Model,
    /// The same as a network, with nothing shared.
    model: Model,
    optimiser: AdamW,
    history: Vec<Epoch>,
    /// The network it began with, if not with random weights: its checksum.
    origin: Option<u32>,
    /// One a thread.
    gradients: Vec<(Model, Workspace)>,
}

impl<'a> Trainer<'a> {
    /// A training from random weights.
    pub fn new(config: Config, training: &'a Samples, validation: &'a Samples) -> Trainer<'a> {
        let random = Model::random(config.lanes, config.seed);
        Trainer::begin(config, random, None, training, validation)
    }

    /// A training that goes on from a network, with its lanes and its scale.
    pub fn from_network(
        config: Config,
        network: &Network,
        training: &'a Samples,
        validation: &'a Samples,
    ) -> Trainer<'a> {
        let config = Config {
            lanes: network.lanes(),
            scale: network.scale() as u16,
            ..config
        };
        let origin = Some(network.checksum());
        Trainer::begin(config, Model::of(network), origin, training, validation)
    }

    fn begin(
        config: Config,
        learnt: Model,
        origin: Option<u32>,
        training: &'a Samples,
        validation: &'a Samples,
    ) -> Trainer<'a> {
        let mut model = Model::zero(config.lanes);
        learnt.merge_into(&mut model);
        let threads = config.threads.max(1);
        Trainer {
            optimiser: AdamW::new(learnt.values.len()),
            gradients: vec![(Model::zero(config.lanes), Workspace::default()); threads],
            learnt,
            model,
            config,
            training,
            validation,
            maps: Maps::default(),
            level: Level::detect(),
            history: Vec::new(),
            origin,
        }
    }

    /// All that decides the outcome, as a text.
    pub fn configuration(&self) -> String {
        let origin = self.origin.map(|sum| format!("from {sum:08x} "));
        format!(
            "{}{:?} training={}:{:08x} validation={}:{:08x}",
            origin.unwrap_or_default(),
            self.config,
            self.training.len(),
            self.training.fingerprint(),
            self.validation.len(),
            self.validation.fingerprint()
        )
    }

    /// Goes on where a checkpoint was written.
    ///
    /// # Errors
    /// [`CheckpointError`] if it cannot be read or belongs to another training.
    pub fn resume(&mut self, path: &Path) -> Result<(), CheckpointError> {
        let state = checkpoint::read(path, &self.configuration(), self.config.lanes)?;
        self.learnt = state.model;
        self.learnt.merge_into(&mut self.model);
        self.optimiser = state.optimiser;
        self.history = state.history;
        Ok(())
    }

    /// The network as it is, with nothing shared.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What the epochs so far brought.
    pub fn history(&self) -> &[Epoch] {
        &self.history
    }

    /// Trains to the end; returns whether it came there: a set `stop` ends it before the next
    /// step. After every epoch a checkpoint is written, if a file is given for it.
    ///
    /// # Errors
    /// A checkpoint cannot be written.
    pub fn run(
        &mut self,
        checkpoint: Option<&Path>,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> io::Result<bool> {
        let configuration = self.configuration();
        while self.history.len() < self.config.epochs {
            let number = self.history.len() + 1;
            let Some((training, rate)) = self.epoch(number, observer, stop) else {
                return Ok(false);
            };
            let epoch = Epoch {
                number,
                rate,
                training,
                validation: self.validate(),
            };
            self.history.push(epoch);
            observer.epoch(&epoch);
            if let Some(path) = checkpoint {
                let state = State {
                    model: self.learnt.clone(),
                    optimiser: self.optimiser.clone(),
                    history: self.history.clone(),
                };
                checkpoint::write(path, &configuration, &state)?;
            }
        }
        Ok(true)
    }

    /// Shows all positions once; returns the mean error and the last rate.
    fn epoch(
        &mut self,
        number: usize,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Option<(f64, f32)> {
        let mut rng = SplitMix::new(self.config.seed, number as u64);
        let mut order: Vec<u32> = (0..self.training.len() as u32).collect();
        rng.shuffle(&mut order);
        let batch = self.config.batch.max(1);
        let steps_an_epoch = order.len().div_ceil(batch) as u64;
        let all = steps_an_epoch * self.config.epochs as u64;
        let (mut loss, mut last, mut done) = (0.0, 0.0, 0);
        let mut picks = Vec::with_capacity(batch);
        for chunk in order.chunks(batch) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            picks.clear();
            picks.extend(chunk.iter().map(|&index| Pick {
                index,
                mirrored: self.config.mirror && rng.next_u64() >> 63 == 1,
            }));
            let c = &self.config;
            last = rate(self.optimiser.steps, all, c.warm_up, c.rate, c.end_rate);
            loss += self.step(&picks, last);
            done += chunk.len();
            observer.step(done, order.len());
        }
        Some((loss / order.len().max(1) as f64, last))
    }

    fn target(&self) -> Target {
        Target {
            scale: f32::from(self.config.scale),
            result_share: self.config.result_share,
        }
    }

    /// One step along the gradient of these positions; returns the sum of their errors.
    fn step(&mut self, picks: &[Pick], rate: f32) -> f64 {
        let target = self.target();
        let share = picks.len().div_ceil(self.gradients.len());
        let (model, samples, maps, level) = (&self.model, self.training, &self.maps, self.level);
        let losses: Vec<f64> = std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .gradients
                .iter_mut()
                .zip(picks.chunks(share.max(1)))
                .map(|((gradient, room), picks)| {
                    scope.spawn(move || {
                        gradient.values.fill(0.0);
                        let parts = (model, samples, maps);
                        learn(level, parts, picks, target, room, Some(gradient))
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|t| t.join().unwrap_or(f64::NAN))
                .collect()
        });
        let Some(((sum, _), others)) = self.gradients[..losses.len()].split_first_mut() else {
            return 0.0;
        };
        for (other, _) in others {
            for (s, o) in sum.values.iter_mut().zip(other.values.iter()) {
                *s += o;
            }
        }
        let mean = 1.0 / picks.len() as f32;
        sum.values.iter_mut().for_each(|v| *v *= mean);
        sum.sum_shared();
        let decay = self.config.decay;
        self.optimiser.step(&mut self.learnt, sum, rate, decay);
        self.learnt.merge_into(&mut self.model);
        losses.iter().sum()
    }

    /// The mean error over the positions kept apart.
    fn validate(&self) -> Option<f64> {
        let n = self.validation.len();
        if n == 0 {
            return None;
        }
        let picks: Vec<Pick> = (0..n as u32)
            .map(|index| Pick {
                index,
                mirrored: false,
            })
            .collect();
        let loss = learn(
            self.level,
            (&self.model, self.validation, &self.maps),
            &picks,
            self.target(),
            &mut Workspace::default(),
            None,
        );
        Some(loss / n as f64)
    }
}
