//! Chuhe's moves against the slow generator, over random games and random set-ups, and what must
//! hold of every position: keys, counters, take-back, text, symmetry.

use crate::slow::{self, Board};
use chuhe::position::{Position, Setup};
use chuhe::types::{Bitboard, Color, Move, MoveList, PieceType, Square};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

/// How often the interesting cases occurred; a differential test that never saw them proves
/// nothing about them.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    checks: usize,
    double_checks: usize,
    triple_checks: usize,
    checkmates: usize,
    stalemates: usize,
    /// Pseudo-legal moves that are not legal, out of check: pins of all kinds.
    pinned_moves: usize,
    /// Enemy cannons that look at the king over empty points.
    hollow_cannons: usize,
    null_moves: usize,
    deep_checks: usize,
}

fn point(s: Square) -> slow::Point {
    (s.file() as i32, s.rank() as i32)
}

fn square(p: slow::Point) -> Square {
    Square::from_file_rank(p.0, p.1).unwrap()
}

fn sorted(moves: &[Move]) -> Vec<String> {
    let mut all: Vec<String> = moves.iter().map(Move::to_string).collect();
    all.sort();
    all
}

/// Everything about the position, history and private parts included.
fn image(p: &Position) -> String {
    format!("{p:?}")
}

/// What is compared at every position.
fn check_moves(p: &Position, board: &Board, seen: &mut Seen) {
    let fen = p.fen();
    let us = p.stm();
    let legal = p.legal_moves();
    assert_eq!(sorted(&legal), board.legal_moves(), "{fen}");
    let (mut captures, mut quiets, mut all) = (MoveList::new(), MoveList::new(), MoveList::new());
    p.generate_captures(&mut captures);
    p.generate_quiets(&mut quiets);
    p.generate_all(&mut all);
    let (takes, leaves): (Vec<Move>, Vec<Move>) =
        legal.iter().partition(|m| p.piece_on(m.to()).is_some());
    assert_eq!(sorted(&captures), sorted(&takes), "captures in {fen}");
    assert_eq!(sorted(&quiets), sorted(&leaves), "quiets in {fen}");
    assert_eq!(all, legal, "{fen}");
    assert_eq!(p.count_legal(), legal.len() as u64, "{fen}");
    assert_eq!(p.has_legal_move(), !legal.is_empty(), "{fen}");
    let checkers = board.checkers(us == Color::Red);
    let expected: Bitboard = checkers.iter().map(|&c| square(c)).collect();
    assert_eq!(p.checkers(), expected, "{fen}");
    assert_eq!(p.in_check(), expected.any(), "{fen}");
    assert_eq!(p.key(), p.key_from_scratch(), "{fen}");

    seen.positions += 1;
    seen.checks += usize::from(!checkers.is_empty());
    seen.double_checks += usize::from(checkers.len() == 2);
    seen.triple_checks += usize::from(checkers.len() > 2);
    if legal.is_empty() {
        *if checkers.is_empty() {
            &mut seen.stalemates
        } else {
            &mut seen.checkmates
        } += 1;
    }
    let king = p.king(us);
    seen.hollow_cannons += p
        .pieces(!us, PieceType::Cannon)
        .filter(|&c| {
            let inside = chuhe::attacks::between(king, c);
            inside.any() && (inside & p.occupied()).is_empty()
        })
        .count();
}

/// What costs more: all pairs of points, each move made and taken back, checks foretold, null
/// move, text, symmetry.
fn check_deeply(p: &mut Position, board: &Board, seen: &mut Seen) {
    seen.deep_checks += 1;
    let fen = p.fen();
    let before = image(p);
    for to in Square::all() {
        for by in Color::ALL {
            let expected: Bitboard = p
                .side(by)
                .filter(|&from| board.attacks(point(from), point(to)))
                .collect();
            let found = p.attackers(to, by, p.occupied());
            assert_eq!(found, expected, "{by} attackers of {to} in {fen}");
        }
    }
    let legal = p.legal_moves();
    let mut pseudo = 0;
    for from in Square::all() {
        for to in Square::all() {
            let m = Move::new(from, to);
            let expected = board.legal(point(from), point(to));
            assert_eq!(p.is_legal(m), expected, "{m} in {fen}");
            assert_eq!(legal.contains(&m), expected, "{m} in {fen}");
            let mine = p.piece_on(from).is_some_and(|x| x.color() == p.stm());
            let reach = mine && board.reaches(point(from), point(to));
            if mine {
                assert_eq!(p.pseudo_targets(from).has(to), reach, "{m} in {fen}");
            }
            pseudo += usize::from(reach && from != p.king(p.stm()));
        }
    }
    if !p.in_check() {
        let others = legal.iter().filter(|m| m.from() != p.king(p.stm()));
        seen.pinned_moves += pseudo - others.count();
    }
    for &m in &legal {
        let after = board.after(point(m.from()), point(m.to()));
        let foretold = p.key_after(m);
        assert_eq!(p.gives_check(m), after.in_check(), "{m} in {fen}");
        p.make(m);
        assert_eq!(p.in_check(), after.in_check(), "{m} in {fen}");
        assert_eq!(p.key(), p.key_from_scratch(), "{m} in {fen}");
        assert_eq!(foretold, p.key(), "{m} in {fen}");
        assert_eq!(Board::from_fen(&p.fen()), after, "{m} in {fen}");
        p.unmake();
    }
    assert_eq!(image(p), before, "moves taken back in {fen}");
    if !p.in_check() {
        check_null_move(p, board, &before);
        seen.null_moves += 1;
    }
    // Text: what is read back has the same board, side, counters and key, and is written alike.
    let again = Position::from_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    assert_eq!(again.fen(), fen);
    assert_eq!(&again, p);
    assert_eq!((again.key(), again.checkers()), (p.key(), p.checkers()));
    check_symmetry(p, &legal);
}

fn check_null_move(p: &mut Position, board: &Board, before: &str) {
    let fen = p.fen();
    p.make_null();
    assert_eq!(p.key(), p.key_from_scratch(), "null move in {fen}");
    assert_eq!(p.reversible_plies(), 0);
    assert!(p.last_move().is_none());
    let passed = board.passed();
    // The other side may be in check already only if it gave none: then all its moves must still
    // be right.
    assert_eq!(
        sorted(&p.legal_moves()),
        passed.legal_moves(),
        "null move in {fen}"
    );
    assert_eq!(p.in_check(), passed.in_check(), "null move in {fen}");
    p.unmake_null();
    assert_eq!(image(p), *before, "null move taken back in {fen}");
}

/// Left and right exchanged, and colours exchanged, the same moves exchanged come out.
fn check_symmetry(p: &Position, legal: &[Move]) {
    let here = Setup::from(p);
    let moves_of = |setup: &Setup| {
        let there = Position::from_setup(setup).unwrap_or_else(|e| panic!("{}: {e}", p.fen()));
        there.legal_moves()
    };
    let mirrored = moves_of(&here.mirrored());
    let expected: Vec<Move> = legal.iter().map(|m| m.mirror()).collect();
    assert_eq!(
        sorted(&mirrored),
        sorted(&expected),
        "mirror of {}",
        p.fen()
    );
    let flipped = moves_of(&here.flipped());
    let expected: Vec<Move> = legal.iter().map(|m| m.flip()).collect();
    assert_eq!(sorted(&flipped), sorted(&expected), "flip of {}", p.fen());
}

/// Ways to choose moves, so that games reach different ends.
#[derive(Clone, Copy)]
enum Style {
    Uniform,
    /// Takes what can be taken three times out of four: soon an endgame.
    Greedy,
    /// Gives check when it can, half of the time.
    Checking,
    /// Prefers cannons and horses going to the enemy king's lines.
    Cannons,
}

const STYLES: [Style; 4] = [
    Style::Uniform,
    Style::Greedy,
    Style::Checking,
    Style::Cannons,
];

fn choose(p: &Position, legal: &[Move], style: Style, rng: &mut StdRng) -> Move {
    let wanted: Vec<Move> = match style {
        Style::Greedy if rng.random_bool(0.75) => {
            legal.iter().copied().filter(|&m| p.is_capture(m)).collect()
        }
        Style::Checking if rng.random_bool(0.5) => legal
            .iter()
            .copied()
            .filter(|&m| p.gives_check(m))
            .collect(),
        Style::Cannons if rng.random_bool(0.5) => {
            let king = p.king(!p.stm());
            let near = chuhe::attacks::cross(king) | chuhe::attacks::knight_near(king);
            let light = p.kind(PieceType::Cannon) | p.kind(PieceType::Knight);
            legal
                .iter()
                .copied()
                .filter(|m| light.has(m.from()) && near.has(m.to()))
                .collect()
        }
        _ => Vec::new(),
    };
    *wanted
        .choose(rng)
        .unwrap_or_else(|| legal.choose(rng).unwrap())
}

/// The counters that a game keeps, counted anew from its moves.
#[derive(Default)]
struct Counters {
    quiet: usize,
    reversible: usize,
    checks: [usize; 2],
    moves: Vec<Move>,
    keys: Vec<u64>,
}

impl Counters {
    fn compare(&self, p: &Position) {
        let fen = p.fen();
        assert_eq!(p.quiet_plies(), self.quiet, "{fen}");
        assert_eq!(p.reversible_plies(), self.reversible, "{fen}");
        for c in Color::ALL {
            assert_eq!(p.checks_given(c), self.checks[c.index()], "{fen}");
        }
        assert_eq!(p.moves_played(), self.moves, "{fen}");
        assert_eq!(p.ply_count(), self.moves.len());
        for (back, &key) in self.keys.iter().rev().enumerate() {
            assert_eq!(p.key_back(back), key, "{back} plies before {fen}");
            assert_eq!(p.state_back(back).map(|s| s.key()), Some(key));
        }
        assert!(p.state_back(self.keys.len()).is_none());
    }
}

/// Plays one game from `p` and takes it back again.
fn play(p: &mut Position, plies: usize, style: Style, rng: &mut StdRng, seen: &mut Seen) {
    let mut counters = Counters {
        quiet: p.quiet_plies(),
        ..Counters::default()
    };
    let mut images = Vec::new();
    let mut board = Board::from_fen(&p.fen());
    loop {
        counters.keys.push(p.key());
        check_moves(p, &board, seen);
        if rng.random_ratio(1, 32) {
            check_deeply(p, &board, seen);
            counters.compare(p);
        }
        let legal = p.legal_moves();
        if legal.is_empty() || images.len() == plies {
            break;
        }
        let m = choose(p, &legal, style, rng);
        images.push((p.fen(), p.key(), p.checkers(), p.last_captured()));
        let us = p.stm();
        let taken = p.captured_by(m);
        let next = board.after(point(m.from()), point(m.to()));
        p.play(m).unwrap();
        assert_eq!(p.last_captured(), taken);
        if taken.is_some() {
            counters.quiet = 0;
            counters.reversible = 0;
            counters.checks = [0; 2];
        } else {
            counters.quiet += 1;
            counters.reversible += 1;
        }
        counters.checks[us.index()] += usize::from(next.in_check());
        counters.moves.push(m);
        board = next;
    }
    counters.compare(p);
    while let Some(before) = images.pop() {
        p.unmake();
        let now = (p.fen(), p.key(), p.checkers(), p.last_captured());
        assert_eq!(now, before);
    }
    assert_eq!(p.ply_count(), 0);
}

#[test]
fn random_games_agree_with_the_slow_generator() {
    let mut seen = Seen::default();
    for game in 0..2_000 {
        let mut rng = StdRng::seed_from_u64(game as u64);
        let mut p = Position::startpos();
        play(&mut p, 100, STYLES[game % 4], &mut rng, &mut seen);
        assert_eq!(image(&p), image(&Position::startpos()), "game {game}");
    }
    println!("{seen:?}");
    assert!(seen.positions > 150_000, "{seen:?}");
    assert!(seen.checks > 10_000 && seen.double_checks > 100, "{seen:?}");
    assert!(
        seen.checkmates > 50 && seen.pinned_moves > 1_000,
        "{seen:?}"
    );
    assert!(seen.hollow_cannons > 1_000, "{seen:?}");
    assert!(
        seen.deep_checks > 5_000 && seen.null_moves > 5_000,
        "{seen:?}"
    );
}

/// A board with a few pieces on points where they can stand, and the side to move.
fn random_setup(rng: &mut StdRng) -> String {
    let mut cells = [['.'; 9]; 10];
    let density = rng.random_range(0.1..0.9);
    for (kind, most) in [
        ('K', 1),
        ('A', 2),
        ('B', 2),
        ('N', 2),
        ('R', 2),
        ('C', 2),
        ('P', 5),
    ] {
        for piece in [kind, kind.to_ascii_lowercase()] {
            let places: Vec<_> = slow::points()
                .filter(|&p| slow::can_stand(piece, p))
                .collect();
            for _ in 0..most {
                let &(f, r) = places.choose(rng).unwrap();
                let cell = &mut cells[r as usize][f as usize];
                if *cell == '.' && (kind == 'K' || rng.random_bool(density)) {
                    *cell = piece;
                }
            }
        }
    }
    let rows: Vec<String> = cells
        .iter()
        .rev()
        .map(|row| {
            row.iter()
                .map(|&c| if c == '.' { '1' } else { c })
                .collect()
        })
        .collect();
    let side = if rng.random_bool(0.5) { 'w' } else { 'b' };
    format!("{} {side} - - 0 1", rows.join("/"))
}

/// Whether the game can come to this board: kings not facing, the side that moved not in check,
/// no two pawns of a side in one file before the river.
fn can_occur(fen: &str) -> bool {
    let board = Board::from_fen(fen);
    let red_to_move = fen.contains(" w ");
    let in_line = (0..9).any(|f| {
        let count =
            |c, ranks: std::ops::Range<i32>| ranks.filter(|&r| board.at((f, r)) == c).count();
        count('P', 0..5) > 1 || count('p', 5..10) > 1
    });
    !in_line && !board.kings_face() && board.checkers(!red_to_move).is_empty()
}

#[test]
fn random_setups_agree_with_the_slow_generator() {
    let mut seen = Seen::default();
    let (mut accepted, mut refused) = (0, 0);
    let mut rng = StdRng::seed_from_u64(0x5e7);
    while accepted < 4_000 {
        let fen = random_setup(&mut rng);
        if !slow::points().any(|p| Board::from_fen(&fen).at(p) == 'k') || !fen.contains('K') {
            continue; // a king found its point taken
        }
        match Position::from_fen(&fen) {
            Ok(mut p) => {
                assert!(can_occur(&fen), "accepted: {fen}");
                accepted += 1;
                let style = *STYLES.choose(&mut rng).unwrap();
                play(&mut p, 16, style, &mut rng, &mut seen);
            }
            Err(e) => {
                assert!(!can_occur(&fen), "refused: {fen}: {e}");
                refused += 1;
            }
        }
    }
    println!("{seen:?} refused {refused}");
    assert!(refused > 1_000, "{refused}");
    assert!(
        seen.double_checks > 200 && seen.triple_checks > 3,
        "{seen:?}"
    );
    assert!(seen.checkmates > 50 && seen.stalemates > 20, "{seen:?}");
    assert!(
        seen.pinned_moves > 500 && seen.hollow_cannons > 1_000,
        "{seen:?}"
    );
}

/// The reasons for which a move is refused.
#[test]
fn refused_moves_say_why_and_change_nothing() {
    let mut p = Position::startpos();
    let before = image(&p);
    for (m, why) in [
        ("e4e5", "no piece stands there"),
        ("h9g7", "that piece belongs to the other side"),
        ("a0a5", "the piece does not move that way"),
        ("a0a3", "the piece does not move that way"),
    ] {
        let e = p.play(m.parse().unwrap()).unwrap_err();
        assert_eq!(e.to_string(), format!("illegal move {m}: {why}"));
        assert_eq!(image(&p), before);
    }
    let refuse = |fen: &str, m: &str| {
        let mut p = Position::from_fen(fen).unwrap();
        p.play(m.parse().unwrap()).unwrap_err().why
    };
    assert_eq!(
        refuse("3k5/9/9/9/4r4/9/9/9/9/R2AK4 w", "a0a1"),
        "the king stays in check"
    );
    assert_eq!(
        refuse("4k4/9/9/4P4/9/9/9/9/9/4K4 w", "e6d6"),
        "it exposes the king"
    );
}
