//! Exchange values: a table made by hand, and a plain minimax over the captures on one point as
//! the oracle on random positions.

use crate::slow::{Board, Point, points};
use chuhe::position::Position;
use chuhe::types::{Move, Square};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

/// Cheapest first, as both sides are to take: letter and value.
const ORDER: [(char, i32); 7] = [
    ('P', 120),
    ('A', 200),
    ('B', 200),
    ('N', 420),
    ('C', 450),
    ('R', 900),
    ('K', 10_000),
];

fn rank_of(piece: char) -> usize {
    let upper = piece.to_ascii_uppercase();
    ORDER.iter().position(|x| x.0 == upper).unwrap()
}

fn value(piece: char) -> i32 {
    if piece == '.' {
        0
    } else {
        ORDER[rank_of(piece)].1
    }
}

/// The most the side to move wins by taking on `to` with its king safe, or 0 for leaving it.
fn best(board: &Board, to: Point) -> i32 {
    let cheapest = points()
        .filter(|&p| board.legal(p, to))
        .min_by_key(|&p| (rank_of(board.at(p)), p.1, p.0));
    let Some(from) = cheapest else {
        return 0;
    };
    let after = board.after(from, to);
    (value(board.at(to)) - best(&after, to)).max(0)
}

/// What the exchanges that begin with the move bring its side.
fn oracle(board: &Board, from: Point, to: Point) -> i32 {
    value(board.at(to)) - best(&board.after(from, to), to)
}

fn point(s: Square) -> Point {
    (s.file() as i32, s.rank() as i32)
}

/// FEN, move, value, and what it shows.
const TABLE: &[(&str, &str, i32, &str)] = &[
    (
        "4k4/9/9/p8/9/9/9/9/9/R2K5 w",
        "a0a6",
        120,
        "nothing protects the pawn",
    ),
    (
        "r3k4/9/9/p8/9/9/9/9/9/R2K5 w",
        "a0a6",
        120 - 900,
        "a rook does",
    ),
    (
        "r3k4/9/9/p8/9/9/9/9/R8/R2K5 w",
        "a1a6",
        120,
        "the rook behind joins",
    ),
    (
        "4k4/9/9/p8/1R7/9/9/9/9/3K5 w",
        "b5a5",
        -900,
        "a quiet step before a pawn",
    ),
    (
        "4k4/9/9/p8/1R7/9/9/9/9/3K5 w",
        "b5b6",
        0,
        "a pawn before the river does not take sideways",
    ),
    (
        "4k4/9/9/9/1R7/p8/9/9/9/3K5 w",
        "b5b4",
        -900,
        "beyond it, it does",
    ),
    (
        "c3k4/n8/9/p8/9/9/P8/9/9/C2K5 w",
        "a0a6",
        120 - 450,
        "cannon over a screen, retaken by a cannon over a screen",
    ),
    (
        "c3k4/9/9/p8/9/9/P8/9/9/C2K5 w",
        "a0a6",
        120,
        "a cannon without a screen protects nothing",
    ),
    (
        "r3k4/9/9/p8/9/9/R8/9/9/C2K5 w",
        "a3a6",
        120 - 900,
        "the rook was the cannon's only screen",
    ),
    (
        "r3k4/9/9/p8/9/9/R8/9/9/C2K5 w",
        "a0a6",
        120,
        "the cannon first, then the rook stands behind it",
    ),
    (
        "r3k4/9/9/p8/9/R8/9/N8/9/C2K5 w",
        "a4a6",
        120,
        "of two screens the rook leaves one: the cannon joins",
    ),
    (
        "4k4/9/9/9/9/9/9/9/4p4/2nA1K3 w",
        "d0e1",
        120 - 200,
        "the advisor leaves the horse's leg",
    ),
    (
        "3k5/9/9/9/9/9/9/9/4p4/2nAK4 w",
        "d0e1",
        120,
        "and the king takes the horse",
    ),
    (
        "3k5/9/9/9/9/9/9/9/r3p4/2nAK4 w",
        "d0e1",
        120 - 200,
        "but not when a rook protects it",
    ),
    (
        "2bk5/3r5/4n4/9/9/4P4/9/9/4C4/5K3 w",
        "e1e7",
        420,
        "an elephant whose eye is blocked",
    ),
    (
        "2bk5/r8/4n4/9/9/4P4/9/9/4C4/5K3 w",
        "e1e7",
        420 - 450,
        "and one whose eye is free",
    ),
    (
        "3k5/9/2n6/4p4/2N1R4/9/9/9/9/5K3 w",
        "e5e6",
        120 - 900 + 420,
        "horse takes rook, horse takes horse: both legs are free",
    ),
    (
        "3k5/9/2n6/4p4/2NPR4/9/9/9/9/5K3 w",
        "e5e6",
        120 - 900,
        "with a pawn on d5 the second does not",
    ),
    (
        "4k4/9/2nr5/4p4/2N1R4/9/9/9/9/5K3 w",
        "e5e6",
        120,
        "with a rook on d7 the first does not",
    ),
    (
        "3ak4/9/9/3R5/9/9/9/9/9/3K5 w",
        "d6d9",
        200,
        "the king would face the other one on d9",
    ),
    (
        "4k4/9/4r4/9/9/9/9/4R4/3R5/4K4 w",
        "d1d7",
        0,
        "a quiet step beside the rook that would take, were it not for the rook on its king's file",
    ),
];

#[test]
fn table_by_hand() {
    for &(fen, text, expected, what) in TABLE {
        let m: Move = text.parse().unwrap();
        let p = Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert!(p.is_legal(m), "{text} in {fen}");
        assert_eq!(p.see(m), expected, "{text} in {fen}: {what}");
        let board = Board::from_fen(fen);
        let (from, to) = (point(m.from()), point(m.to()));
        assert_eq!(oracle(&board, from, to), expected, "oracle: {fen}: {what}");
    }
}

#[test]
fn random_positions_agree_with_the_oracle() {
    let mut rng = StdRng::seed_from_u64(42);
    let (mut captures, mut losing, mut winning) = (0, 0, 0);
    for _ in 0..300 {
        let mut p = Position::startpos();
        for _ in 0..120 {
            let legal = p.legal_moves();
            let board = Board::from_fen(&p.fen());
            for &m in &legal {
                let (from, to) = (point(m.from()), point(m.to()));
                // Quiet moves are many and mostly worth nothing.
                if !p.is_capture(m) && !rng.random_ratio(1, 8) {
                    continue;
                }
                let expected = oracle(&board, from, to);
                assert_eq!(p.see(m), expected, "{m} in {}", p.fen());
                let t = rng.random_range(-1_000..1_000);
                assert_eq!(p.see_ge(m, t), expected >= t, "{m} {t} in {}", p.fen());
                captures += usize::from(p.is_capture(m));
                losing += usize::from(expected < 0);
                winning += usize::from(expected > 0);
            }
            // Mostly no captures, so that the board stays full of exchanges.
            let quiet: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|&m| !p.is_capture(m) || rng.random_ratio(1, 5))
                .collect();
            match quiet.choose(&mut rng).or(legal.choose(&mut rng)) {
                Some(&m) => p.make(m),
                None => break,
            }
        }
    }
    assert!(
        captures > 50_000 && losing > 20_000 && winning > 20_000,
        "{captures} {losing} {winning}"
    );
}

#[test]
fn moves_from_empty_points_win_nothing() {
    let p = Position::startpos();
    let m: Move = "e4e5".parse().unwrap();
    assert!(p.see_ge(m, 0) && !p.see_ge(m, 1));
    assert_eq!(p.see(m), 0);
}
