//! Properties of the arbiter that hold of every game.

use super::cases;
use chuhe::position::{Position, Setup};
use chuhe::rules::{Arbiter, Label, Repetition, RuleScore, RuleSet, Verdict};
use chuhe::types::{Color, Move, Square};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// The same game seen otherwise: left and right, or red and black exchanged.
fn transformed(p: &Position, moves: &[Move], flip: bool) -> Position {
    let (here, square): (_, fn(Square) -> Square) = if flip {
        (Setup::from(p).flipped(), Square::flip)
    } else {
        (Setup::from(p).mirrored(), Square::mirror)
    };
    let mut q = Position::from_setup(&here).unwrap();
    for m in moves {
        q.play(Move::new(square(m.from()), square(m.to()))).unwrap();
    }
    q
}

fn flipped(v: Verdict) -> Verdict {
    match v {
        Verdict::Loses(side) => Verdict::Loses(!side),
        other => other,
    }
}

#[test]
fn symmetry() {
    for case in cases::all() {
        let end = case.position();
        let start = Position::from_fen(&case.fen).unwrap();
        let moves = end.moves_played();
        for set in case.sets() {
            let judge = |p: &Position| Arbiter::brief(set).judge(p);
            let (plain, mirror) = (judge(&end), judge(&transformed(&start, &moves, false)));
            let flip = judge(&transformed(&start, &moves, true));
            assert_eq!(plain.verdict, mirror.verdict, "{} mirrored", case.id);
            assert_eq!(flipped(plain.verdict), flip.verdict, "{} flipped", case.id);
            assert_eq!(plain.must_vary, flip.must_vary.map(|c| !c), "{}", case.id);
        }
    }
}

/// A position from which a quiet move leads here, and that move.
fn step_back(p: &Position) -> Option<(Position, Move)> {
    let them = !p.stm();
    for to in p.side(them) {
        let piece = p.piece_on(to)?;
        for from in Square::all().filter(|&s| p.piece_on(s).is_none()) {
            let mut setup = Setup::empty();
            for s in p.occupied().without(to) {
                setup.board[s.index()] = p.piece_on(s);
            }
            setup.board[from.index()] = Some(piece);
            setup.stm = them;
            let Ok(mut q) = Position::from_setup(&setup) else {
                continue;
            };
            let (before, m) = (q.clone(), Move::new(from, to));
            if q.play(m).is_ok() && q == *p && !q.in_check() {
                return Some((before, m));
            }
        }
    }
    None
}

#[test]
fn plies_before_the_cycle_do_not_matter() {
    let mut tried = 0;
    for case in cases::all().iter().filter(|c| c.moves.len() < 40) {
        let start = Position::from_fen(&case.fen).unwrap();
        let Some((middle, second)) = step_back(&start) else {
            continue;
        };
        let Some((mut q, first)) = step_back(&middle) else {
            continue;
        };
        for m in [first, second]
            .into_iter()
            .chain(case.position().moves_played())
        {
            q.play(m).unwrap();
        }
        for set in case.sets() {
            let (a, b) = (
                Arbiter::brief(set).judge(&case.position()),
                Arbiter::brief(set).judge(&q),
            );
            assert_eq!(a.verdict, b.verdict, "{} after two plies more", case.id);
        }
        tried += 1;
    }
    assert!(tried > 150, "only {tried} cases could be lengthened");
}

#[test]
fn evidence_can_be_replayed() {
    for case in cases::all() {
        let end = case.position();
        let back = end.ply_count().min(12);
        for set in case.sets() {
            let mut p = end.clone();
            (0..back).for_each(|_| p.unmake());
            for w in Arbiter::new(set).label_window(&end, back) {
                let l = &w.labelled;
                p.play(l.mv).unwrap();
                let mut lines: Vec<&[Move]> = l.threats.iter().map(|t| &t.line[..]).collect();
                if l.label != Label::Check && !l.line.is_empty() {
                    lines.push(&l.line);
                }
                for line in lines {
                    let mut q = p.clone();
                    q.make_null();
                    for &m in line {
                        q.play(m)
                            .unwrap_or_else(|e| panic!("{} {}: {e}", case.id, l.mv));
                    }
                    if l.label == Label::Kill {
                        assert!(q.in_check() && !q.has_legal_move(), "{} {}", case.id, l.mv);
                    }
                }
                for &t in &l.targets {
                    let victim = p.piece_on(t).map(|v| v.color());
                    assert_eq!(victim, Some(!w.side), "{} {}", case.id, l.mv);
                }
                assert!(
                    !w.why(chuhe::rules::Lang::English).is_empty(),
                    "{} {}",
                    case.id,
                    l.mv
                );
                assert!(
                    !w.why(chuhe::rules::Lang::Chinese).is_empty(),
                    "{} {}",
                    case.id,
                    l.mv
                );
            }
        }
    }
}

#[test]
fn random_games() {
    let mut rng = StdRng::seed_from_u64(3);
    let mut arbiter = Arbiter::brief(RuleSet::CXA1999);
    let (mut plies, mut spent) = (0, Duration::ZERO);
    for _ in 0..10_000 {
        let mut p = Position::startpos();
        for _ in 0..60 {
            let start = Instant::now();
            let j = arbiter.judge(&p);
            if j.cycle.is_none() {
                spent += start.elapsed();
                plies += 1;
            }
            if j.is_over() {
                break;
            }
            let moves = p.legal_moves();
            p.make(moves[rng.random_range(0..moves.len())]);
        }
    }
    let each = spent / plies;
    println!("{plies} plies outside of cycles, {each:?} each");
    assert!(each < Duration::from_micros(50), "{each:?} a ply");
}

/// Games that go to and fro, so that repetitions abound.
#[test]
fn shuffling_games() {
    let mut rng = StdRng::seed_from_u64(4);
    let mut repetition = Repetition::new(RuleSet::CXA1999);
    let (mut cycles, mut kinds) = (0, [0; 3]);
    for game in 0..150 {
        let mut p = Position::startpos();
        let mut arbiter = Arbiter::brief(RuleSet::ALL[game % RuleSet::ALL.len()]);
        for _ in 0..120 {
            let j = arbiter.judge(&p);
            cycles += u32::from(j.cycle.is_some());
            if let Some((score, _)) = repetition.judge(&p, p.ply_count()) {
                kinds[score as usize] += 1;
            }
            if j.is_over() {
                break;
            }
            let back = p.state_back(1).map(|s| s.last_move());
            let back = back
                .map(|m| Move::new(m.to(), m.from()))
                .filter(|&m| p.is_legal(m));
            let moves = p.legal_moves();
            p.make(match back {
                Some(m) if rng.random_bool(0.6) => m,
                _ => moves[rng.random_range(0..moves.len())],
            });
        }
    }
    println!("{cycles} repetitions judged; in search {kinds:?}");
    assert!(cycles > 50);
}

#[test]
fn search_view_agrees_with_the_table() {
    // A rook chases an elephant: whoever is to move at the end of a cycle, Red is to blame.
    let mut p = Position::from_fen("3aka3/9/9/9/6b2/9/9/9/8R/3K5 w").unwrap();
    let mut repetition = Repetition::new(RuleSet::CXA1999);
    for m in ["i1g1", "g5i7", "g1i1", "i7g5"] {
        assert_eq!(repetition.judge(&p, p.ply_count()), None);
        p.play(m.parse().unwrap()).unwrap();
    }
    assert_eq!(p.stm(), Color::Red);
    assert_eq!(repetition.judge(&p, 4), Some((RuleScore::Loss, 4)));
    // Before the root one earlier occurrence is not enough.
    assert_eq!(repetition.judge(&p, 0), None);
    p.play("i1g1".parse().unwrap()).unwrap();
    assert_eq!(repetition.judge(&p, 5), Some((RuleScore::Win, 4)));
    // One-sided perpetual check.
    let mut p = Position::from_fen("3k5/R3P4/9/9/9/9/9/9/9/5K3 w").unwrap();
    for m in ["e8d8", "d9e9", "d8e8", "e9d9"] {
        p.play(m.parse().unwrap()).unwrap();
    }
    assert_eq!(repetition.judge(&p, 4), Some((RuleScore::Loss, 4)));
}

#[test]
fn natural_limit_and_its_cap() {
    let rules = RuleSet::CXA1999;
    let p = Position::from_fen("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 120 70").unwrap();
    assert!(rules.limit_reached(&p));
    assert_eq!(Arbiter::new(rules).judge(&p).verdict, Verdict::Draw);
    // A mate on the limit ply counts.
    let mut p = Position::from_fen("3k5/4P4/9/9/3R5/9/9/9/9/4K4 b - - 119 70").unwrap();
    assert_eq!(
        Arbiter::new(rules).judge(&p).verdict,
        Verdict::Loses(Color::Black)
    );
    p = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K3R w - - 118 70").unwrap();
    assert!(!rules.limit_reached(&p));
}
