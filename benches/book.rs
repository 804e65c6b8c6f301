//! Looking positions up in the opening book that comes with the program: those of its lines, and
//! positions it does not have, a few hundred look-ups a round; throughput is in look-ups. Then opening it.

use chuhe::opening_book::OpeningBook;
use chuhe::position::Position;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Positions met on walks of this length from the start.
const PLIES: usize = 24;
const WALKS: usize = 200;

/// Positions in the book and others, met by playing its moves and then any.
fn positions(book: &OpeningBook) -> (Vec<Position>, Vec<Position>) {
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % n
    };
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for _ in 0..WALKS {
        let mut position = Position::startpos();
        for _ in 0..PLIES {
            let moves = book.moves(&position);
            let m = if moves.is_empty() {
                unknown.push(position.clone());
                let legal = position.legal_moves();
                legal[below(legal.len())]
            } else {
                known.push(position.clone());
                moves[below(moves.len())].mv
            };
            position.make(m);
        }
    }
    (known, unknown)
}

fn look_up(c: &mut Criterion) {
    let book = OpeningBook::builtin().unwrap_or_else(|e| panic!("{e}"));
    let (known, unknown) = positions(&book);
    let mut group = c.benchmark_group("opening book");
    for (name, list) in [("found", known), ("not found", unknown)] {
        group.throughput(Throughput::Elements(list.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                for position in &list {
                    black_box(book.moves(black_box(position)));
                }
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    group.bench_function("open", |b| b.iter(OpeningBook::builtin));
    group.finish();
}

criterion_group!(benches, look_up);
criterion_main!(benches);
