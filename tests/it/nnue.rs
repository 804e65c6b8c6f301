//! Networks: every kind of processor finds what slow arithmetic finds, along any line of play;
//! files that are damaged in any place are refused.

use chuhe::nnue::{
    Accumulators, BUCKETS, Level, Network, NetworkError, Parts, QA, QB, bucket_of, features,
};
use chuhe::position::Position;
use chuhe::types::{Color, Move, Square};
use chuhe::util::SplitMix;

/// Random weights up to `first` and `second`.
fn parts(seed: u64, lanes: usize, first: usize, second: usize) -> Parts {
    let mut rng = SplitMix::new(seed, 9);
    let mut list = |n: usize, most: usize| -> Vec<i16> {
        (0..n)
            .map(|_| rng.below(2 * most + 1) as i16 - most as i16)
            .collect()
    };
    Parts {
        columns: list(lanes * features::COUNT, first),
        bias: list(lanes, first),
        output: list(2 * lanes * BUCKETS, second),
        output_bias: (0..BUCKETS as i32).map(|b| b * 1_000 - 3_500).collect(),
        scale: 400,
        training: 7,
        description: "random".into(),
    }
}

/// The same by the definition, with numbers that cannot overflow.
fn slow(parts: &Parts, p: &Position) -> i32 {
    let lanes = parts.bias.len();
    let view = |color: Color| -> Vec<i64> {
        let mut sums: Vec<i64> = parts.bias.iter().map(|&b| i64::from(b)).collect();
        let frame = features::Frame::of(p, color);
        for s in Square::all() {
            if let Some(piece) = p.piece_on(s) {
                let f = features::index(color, frame, piece, s);
                for (sum, w) in sums.iter_mut().zip(&parts.columns[f * lanes..]) {
                    *sum += i64::from(*w);
                }
            }
        }
        sums
    };
    let pieces = Square::all().filter(|&s| p.piece_on(s).is_some()).count();
    let bucket = bucket_of(pieces);
    let both = [view(p.stm()), view(!p.stm())].concat();
    let weights = &parts.output[bucket * 2 * lanes..];
    let sum: i64 = both
        .iter()
        .zip(weights)
        .map(|(&x, &w)| {
            let v = x.clamp(0, i64::from(QA));
            v * v * i64::from(w)
        })
        .sum();
    let value = sum / i64::from(QA) + i64::from(parts.output_bias[bucket]);
    (value * i64::from(parts.scale) / i64::from(QA * QB)) as i32
}

#[test]
fn all_levels_equal_slow_arithmetic_along_random_games() {
    let (mut seen, mut king_steps) = (0, 0);
    for (seed, lanes, first, second) in [(1, 32, 300, 100), (2, 96, 900, 128), (3, 256, 100, 60)] {
        let parts = parts(seed, lanes, first, second);
        let net = Network::from_parts(parts.clone()).unwrap();
        let nets = Level::ALL.map(|level| net.clone().at_level(level));
        let mut lines = nets.each_ref().map(Accumulators::new);
        let mut rng = SplitMix::new(seed, 0);
        for _ in 0..6 {
            let mut p = Position::startpos();
            for line in &mut lines {
                line.reset();
            }
            let mut depth = 0;
            for _ in 0..250 {
                // Mostly forwards, at times some moves back, evaluated now and then.
                if depth > 0 && rng.below(4) == 0 {
                    p.unmake();
                    depth -= 1;
                    lines.iter_mut().for_each(Accumulators::pop);
                } else {
                    let moves = p.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    // Kings walk often: each step may change what a whole view is made of.
                    let king = p.king(p.stm());
                    let steps: Vec<Move> =
                        moves.iter().copied().filter(|m| m.from() == king).collect();
                    let m = match rng.below(3) {
                        0 if !steps.is_empty() => steps[rng.below(steps.len())],
                        _ => moves[rng.below(moves.len())],
                    };
                    king_steps += usize::from(m.from() == king);
                    lines.iter_mut().for_each(|line| line.push(&p, m));
                    p.make(m);
                    depth += 1;
                }
                if rng.below(3) > 0 {
                    let wanted = slow(&parts, &p);
                    for (net, line) in nets.iter().zip(&mut lines) {
                        let found = line.evaluate(net, &p);
                        assert_eq!(found, wanted, "{} {}", net.level(), p.fen());
                    }
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1_000 && king_steps > 300, "{seen} {king_steps}");
}

/// What can be made can be read, up to the greatest number of lanes.
#[test]
fn the_widest_network_is_read_from_its_file() {
    let net = Network::from_parts(parts(7, 2_048, 1, 1)).unwrap();
    let path = std::env::temp_dir().join(format!("chuhe-widest-{}.nnue", std::process::id()));
    std::fs::write(&path, net.to_bytes()).unwrap();
    let read = Network::read(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(read.unwrap(), net);
    assert!(matches!(
        Network::from_parts(parts(7, 2_080, 1, 1)),
        Err(NetworkError::Sizes(_))
    ));
}

#[test]
fn files_round_trip_and_damage_is_refused() {
    let net = Network::from_parts(parts(4, 32, 200, 60)).unwrap();
    let bytes = net.to_bytes();
    assert_eq!(Network::parse(&bytes).unwrap(), net);
    for at in (0..bytes.len()).step_by(37).chain(0..60) {
        let mut bad = bytes.clone();
        bad[at] ^= 0x20;
        assert!(Network::parse(&bad).is_err(), "byte {at}");
    }
    for len in (0..bytes.len()).step_by(101).chain(0..60) {
        assert!(Network::parse(&bytes[..len]).is_err(), "{len} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(
        Network::parse(&longer),
        Err(NetworkError::Length { .. })
    ));
    assert!(matches!(
        Network::parse(b"some text"),
        Err(NetworkError::NotOurs)
    ));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let good = parts(5, 32, 200, 60);
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut bad = good.clone();
        change(&mut bad);
        matches!(Network::from_parts(bad), Err(NetworkError::Overflow))
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|p| p.columns[5] = 1_020));
    assert!(refused(&|p| p.output[5] = 129));
    assert!(refused(&|p| p.output_bias[3] = i32::MIN));
    // With more lanes the sum overflows before a single weight does.
    let mut wide = parts(6, 512, 10, 1);
    wide.output.fill(40);
    assert!(matches!(
        Network::from_parts(wide),
        Err(NetworkError::Overflow)
    ));
}
