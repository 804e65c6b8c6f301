//! Evaluation by a network at every level this processor has: along moves (a move followed and
//! evaluated, as in the search) and from scratch.

use chuhe::nnue::{Accumulators, BUCKETS, Level, Network, Parts, features};
use chuhe::position::Position;
use chuhe::util::SplitMix;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// A network with random weights: what they are makes no difference in speed.
fn network(lanes: usize) -> Network {
    let mut rng = SplitMix::new(1, 0);
    let mut list = |n: usize| (0..n).map(|_| rng.below(201) as i16 - 100).collect();
    let parts = Parts {
        columns: list(lanes * features::COUNT),
        bias: list(lanes),
        output: vec![20; 2 * lanes * BUCKETS],
        output_bias: vec![0; BUCKETS],
        scale: 400,
        training: 0,
        description: String::new(),
    };
    Network::from_parts(parts).unwrap_or_else(|e| panic!("{e}"))
}

fn evaluation(c: &mut Criterion) {
    for lanes in [128, 256, 512] {
        let network = network(lanes);
        for level in Level::ALL.into_iter().filter(|l| l.is_available()) {
            let net = network.clone().at_level(level);
            let p = Position::startpos();
            let moves = p.legal_moves();
            let after: Vec<Position> = moves
                .iter()
                .map(|&m| {
                    let mut next = p.clone();
                    next.make(m);
                    next
                })
                .collect();
            let mut sums = Accumulators::new(&net);
            sums.evaluate(&net, &p);
            let name = |what: &str| format!("{what}/{lanes}/{level}");
            // 44 moves, each followed, evaluated and taken back.
            c.bench_function(&name("44 moves"), |b| {
                b.iter(|| {
                    let mut total = 0;
                    for (&m, next) in moves.iter().zip(&after) {
                        sums.push(&p, m);
                        total += sums.evaluate(&net, next);
                        sums.pop();
                    }
                    black_box(total)
                })
            });
            c.bench_function(&name("from scratch"), |b| {
                b.iter(|| {
                    sums.reset();
                    sums.evaluate(&net, black_box(&p))
                })
            });
        }
    }
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
