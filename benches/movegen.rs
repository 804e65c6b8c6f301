//! Board and moves: leaf counting, generation by stage, make and unmake, attack look-ups,
//! exchange values. Inputs are few and fixed, so that runs can be compared.

use chuhe::attacks;
use chuhe::position::{Position, START_FEN, perft};
use chuhe::types::{Bitboard, Color, Move, MoveList, Square};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Opening, middlegames with open lines, an endgame, and one with the king in check.
const FENS: [&str; 6] = [
    START_FEN,
    "r1bakab1r/9/1c7/p3n4/4N1p1p/2P6/P1P1c3P/C3B2C1/4A4/1RBAK3R b - - 0 1",
    "3akab2/5r3/nc1cb1n2/p1p1p3p/3r2p2/P1P4R1/4P1P1P/1CN1B1CN1/R8/2BAKA3 w - - 0 1",
    "2bak1b2/4a4/2n1c4/p1p1p3p/2P2rp2/7r1/P3P1PcP/2C1C1N2/2RR5/2BAKAB2 b - - 0 1",
    "3ak4/2n1a3c/2R3P2/9/6b2/6B2/9/B2A5/9/3AK4 w - - 0 1",
    "3ak4/4a2c1/1cn1C1n2/p3r1C1p/2pR2b2/6R2/P1PNP3P/2N6/4A2r1/2B1KAB2 b - - 0 1",
];

fn positions() -> Vec<Position> {
    FENS.iter()
        .map(|fen| Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}")))
        .collect()
}

fn counting(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group
        .throughput(Throughput::Elements(3_290_240))
        .sample_size(20);
    let mut p = Position::startpos();
    group.bench_function("start position, depth 4", |b| {
        b.iter(|| perft(&mut p, black_box(4)));
    });
    group.finish();
}

/// Runs `f` on each position with an empty list; the time is for all six.
fn stage(c: &mut Criterion, name: &str, f: fn(&Position, &mut MoveList)) {
    let all = positions();
    c.bench_function(name, |b| {
        let mut list = MoveList::new();
        b.iter(|| {
            for p in &all {
                list.clear();
                f(black_box(p), &mut list);
                black_box(&list);
            }
        });
    });
}

fn generation(c: &mut Criterion) {
    stage(c, "captures of 6 positions", Position::generate_captures);
    stage(c, "quiet moves of 6 positions", Position::generate_quiets);
    stage(c, "all moves of 6 positions", Position::generate_all);
    stage(c, "number of moves of 6 positions", |p, _| {
        black_box(p.count_legal());
    });
}

/// Position and move for each legal move of the six.
fn moves() -> Vec<(Position, MoveList)> {
    positions()
        .into_iter()
        .map(|p| {
            let list = p.legal_moves();
            (p, list)
        })
        .collect()
}

fn moving(c: &mut Criterion) {
    let mut all = moves();
    let mut group = c.benchmark_group("each legal move of 6 positions");
    let total: usize = all.iter().map(|x| x.1.len()).sum();
    group.throughput(Throughput::Elements(total as u64));
    group.bench_function("make and unmake", |b| {
        b.iter(|| {
            for (p, list) in &mut all {
                for &m in list.iter() {
                    p.make(m);
                    black_box(p.key());
                    p.unmake();
                }
            }
        });
    });
    let mut ask = |name: &str, f: fn(&Position, Move) -> bool| {
        group.bench_function(name, |b| {
            b.iter(|| {
                all.iter()
                    .flat_map(|(p, list)| list.iter().map(move |&m| (p, m)))
                    .filter(|&(p, m)| f(p, black_box(m)))
                    .count()
            });
        });
    };
    ask("is_legal", Position::is_legal);
    ask("gives_check", Position::gives_check);
    ask("see_ge 0", |p, m| p.see_ge(m, 0));
    group.finish();
}

fn look_ups(c: &mut Criterion) {
    let occupations: Vec<Bitboard> = positions().iter().map(Position::occupied).collect();
    let mut group = c.benchmark_group("540 look-ups");
    group.throughput(Throughput::Elements(540));
    let mut look = |name: &str, f: fn(Square, Bitboard) -> Bitboard| {
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut sum = Bitboard::EMPTY;
                for &occupied in &occupations {
                    for s in Square::all() {
                        sum ^= f(s, black_box(occupied));
                    }
                }
                sum
            });
        });
    };
    look("rook", attacks::rook);
    look("cannon", attacks::cannon_targets);
    look("horse", attacks::knight);
    look("elephant", attacks::bishop);
    group.finish();
    let all = positions();
    c.bench_function("attackers of 540 points", |b| {
        b.iter(|| {
            let mut sum = Bitboard::EMPTY;
            for p in &all {
                for s in Square::all() {
                    sum ^= p.attackers(s, Color::Black, black_box(p.occupied()));
                }
            }
            sum
        });
    });
}

criterion_group!(benches, counting, generation, moving, look_ups);
criterion_main!(benches);
