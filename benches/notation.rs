//! Move text and game files: 1,000 games by random play, written once in each notation and read
//! again and again. Throughput is in games.

use chuhe::notation::{ChineseStyle, Notation};
use chuhe::position::Position;
use chuhe::records::{self, Game, NodeId, PgnStyle, TextEncoding, encode};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const GAMES: usize = 1_000;
/// About the mean length of real games.
const PLIES: usize = 80;

fn games() -> Vec<Game> {
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % n
    };
    (0..GAMES)
        .map(|_| {
            let mut position = Position::startpos();
            let mut game = Game::new(position.clone());
            let mut node = NodeId::ROOT;
            for _ in 0..PLIES {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[below(moves.len())];
                node = game.add(node, m);
                position.make(m);
            }
            game
        })
        .collect()
}

fn files(c: &mut Criterion) {
    let games = games();
    let mut group = c.benchmark_group("PGN");
    group
        .throughput(Throughput::Elements(GAMES as u64))
        .sample_size(10);
    for (name, notation, encoding) in [
        ("ICCS", Notation::Iccs, TextEncoding::Utf8),
        ("WXF", Notation::Wxf, TextEncoding::Utf8),
        (
            "Chinese UTF-8",
            Notation::Chinese(ChineseStyle::FILES),
            TextEncoding::Utf8,
        ),
        (
            "Chinese GBK",
            Notation::Chinese(ChineseStyle::FILES),
            TextEncoding::Gb18030,
        ),
    ] {
        let style = PgnStyle {
            notation,
            crlf: false,
        };
        let write = || {
            let mut text = String::new();
            for game in &games {
                game.push_pgn(style, &mut text);
            }
            text
        };
        let text = write();
        let bytes = encode(&text, encoding).unwrap_or_else(|c| panic!("{c:?}"));
        let back = records::read("bench", &bytes);
        assert!(back.problems.is_empty() && back.games.len() == GAMES);
        group.bench_function(format!("read {name}"), |b| {
            b.iter(|| records::read("bench", black_box(&bytes)));
        });
        group.bench_function(format!("write {name}"), |b| b.iter(write));
    }
    group.finish();
}

criterion_group!(benches, files);
criterion_main!(benches);
