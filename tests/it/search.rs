//! The searcher through its public interface: mates and stalemates at the depth they occur, rules
//! of repetition, limits, several lines, threads.

use chuhe::position::Position;
use chuhe::rules::RuleSet;
use chuhe::search::{Bound, Info, Limits, Outcome, Pool, Reporter, Settings};
use chuhe::types::{Move, score};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// A line as it was reported.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub depth: u32,
    pub multipv: usize,
    pub score: i32,
    pub exact: bool,
    pub pv: Vec<Move>,
}

struct Collect(Vec<Line>, Sender<(Outcome, Vec<Line>)>);

impl Reporter for Collect {
    fn line(&mut self, i: &Info<'_>) {
        self.0.push(Line {
            depth: i.depth,
            multipv: i.multipv,
            score: i.score,
            exact: i.bound == Bound::Exact,
            pv: i.pv.to_vec(),
        });
    }

    fn finished(&mut self, outcome: &Outcome) {
        let _ = self.1.send((*outcome, std::mem::take(&mut self.0)));
    }
}

pub(crate) fn start(
    pool: &mut Pool,
    p: &Position,
    limits: Limits,
    settings: Settings,
) -> Receiver<(Outcome, Vec<Line>)> {
    let (tx, rx) = channel();
    pool.start(
        p.clone(),
        limits,
        settings,
        Instant::now(),
        Box::new(Collect(Vec::new(), tx)),
    );
    rx
}

pub(crate) fn think(p: &Position, limits: Limits) -> (Outcome, Vec<Line>) {
    let mut pool = Pool::new(1, 16).unwrap();
    start(&mut pool, p, limits, Settings::default())
        .recv_timeout(Duration::from_secs(60))
        .unwrap()
}

pub(crate) fn depth(d: u32) -> Limits {
    Limits {
        depth: Some(d),
        ..Limits::default()
    }
}

pub(crate) fn fen(text: &str) -> Position {
    Position::from_fen(text).unwrap()
}

fn play(p: &mut Position, moves: &str) {
    for m in moves.split_whitespace() {
        p.play(m.parse().unwrap()).unwrap();
    }
}

/// Stalemate loses: these wins go by a position without a legal move, which pruning may not hide.
#[test]
fn stalemate_wins_are_found_at_their_depth() {
    for (text, d, mate) in [
        ("3k5/9/9/3P5/9/9/9/9/9/4K4 w", 2, 1),
        ("5k3/9/9/9/9/9/9/9/R8/3K5 w", 4, 2),
        ("3a1k3/9/9/9/9/9/9/4C4/R8/4K4 w", 4, 2),
        ("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", 2, 1),
    ] {
        let (o, lines) = think(&fen(text), depth(d));
        assert_eq!(score::mate_moves(o.score), Some(mate), "{text}: {lines:?}");
        let mut p = fen(text);
        for &m in &lines.last().unwrap().pv {
            p.play(m).unwrap();
        }
        assert!(
            !p.has_legal_move(),
            "the line of {text} ends before the mate"
        );
    }
}

/// Peers claim a mate in five here: they take one repetition for a forbidden one.
#[test]
fn no_false_mate_by_repetition() {
    let (o, lines) = think(&fen("3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w"), depth(24));
    assert!(
        lines.iter().all(|l| !score::is_decided(l.score)),
        "{lines:?}"
    );
    assert_eq!(o.score, score::DRAW);
}

/// One-sided perpetual check loses: the third return of the position is a loss for the checker,
/// and the search knows it before it plays there.
#[test]
fn perpetual_check_loses() {
    let mut p = fen("3k5/9/9/9/R8/9/9/9/9/5K3 w");
    play(&mut p, "a5d5 d9e9 d5e5 e9d9 e5d5 d9e9 d5e5 e9d9");
    let repeat: Move = "e5d5".parse().unwrap();
    let (o, _) = think(
        &p,
        Limits {
            search_moves: vec![repeat],
            ..depth(3)
        },
    );
    assert_eq!(o.best, Some(repeat));
    assert_eq!(o.score, -score::RULE_WIN + 1);
    let (o, _) = think(&p, depth(3));
    assert_ne!(o.best, Some(repeat));
    assert!(o.score > 0);
}

#[test]
fn node_limit_is_exact_and_searches_repeat() {
    let p = Position::startpos();
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let mut pool = Pool::new(1, 8).unwrap();
    let mut seen = Vec::new();
    for _ in 0..3 {
        pool.clear();
        let rx = start(&mut pool, &p, limits.clone(), Settings::default());
        let (o, lines) = rx.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(o.nodes, 20_000);
        let last = lines.last().unwrap();
        seen.push((o.best, o.score, last.depth, last.pv.clone()));
    }
    assert!(seen.windows(2).all(|w| w[0] == w[1]), "{seen:?}");
}

#[test]
fn several_lines_are_sorted_legal_and_of_one_depth() {
    let p = fen("r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w");
    let mut pool = Pool::new(1, 16).unwrap();
    let settings = Settings {
        multipv: 4,
        ..Settings::default()
    };
    let rx = start(&mut pool, &p, depth(7), settings);
    let (_, lines) = rx.recv_timeout(Duration::from_secs(60)).unwrap();
    let last: Vec<&Line> = lines.iter().rev().take(4).rev().collect();
    assert_eq!(
        last.iter().map(|l| l.multipv).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert!(last.iter().all(|l| l.depth == 7 && l.exact));
    assert!(
        last.windows(2).all(|w| w[0].score >= w[1].score),
        "{last:?}"
    );
    let mut firsts: Vec<Move> = last.iter().map(|l| l.pv[0]).collect();
    firsts.sort_by_key(|m| m.to_bits());
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn root_moves_are_restricted() {
    let p = fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w");
    let mv = |t: &str| t.parse::<Move>().unwrap();
    let only = vec![mv("e0e1"), mv("b0b1")];
    let (o, _) = think(
        &p,
        Limits {
            search_moves: only.clone(),
            ..depth(4)
        },
    );
    assert!(only.contains(&o.best.unwrap()));
    let mates = vec![mv("b0b9"), mv("b0d0")];
    let (o, _) = think(
        &p,
        Limits {
            ban_moves: mates.clone(),
            ..depth(4)
        },
    );
    assert!(!mates.contains(&o.best.unwrap()));
    // With every move banned one is played all the same.
    let all = p.legal_moves().to_vec();
    let (o, _) = think(
        &p,
        Limits {
            ban_moves: all,
            ..depth(2)
        },
    );
    assert!(o.best.is_some());
}

#[test]
fn no_legal_move_is_no_move() {
    let (o, lines) = think(&fen("1R1k5/R8/9/9/9/9/9/9/9/4K4 b"), depth(4));
    assert_eq!(
        (o.best, o.score, lines.len()),
        (None, score::mated_in(0), 0)
    );
}

#[test]
fn infinite_and_ponder_wait_for_their_word() {
    for limits in [
        Limits {
            infinite: true,
            ..Limits::default()
        },
        Limits {
            ponder: true,
            depth: Some(3),
            ..Limits::default()
        },
        Limits {
            infinite: true,
            depth: Some(2),
            nodes: Some(100),
            ..Limits::default()
        },
    ] {
        for text in [
            "3k5/R8/9/9/9/9/9/9/9/1R2K4 w",
            "1R1k5/R8/9/9/9/9/9/9/9/4K4 b",
        ] {
            let mut pool = Pool::new(2, 8).unwrap();
            let signals = pool.signals();
            let rx = start(&mut pool, &fen(text), limits.clone(), Settings::default());
            assert!(
                rx.recv_timeout(Duration::from_millis(150)).is_err(),
                "{limits:?} {text}"
            );
            if limits.ponder {
                signals.ponder_hit();
            } else {
                signals.stop();
            }
            let asked = Instant::now();
            rx.recv_timeout(Duration::from_secs(5)).unwrap();
            assert!(asked.elapsed() < Duration::from_millis(300));
        }
    }
}

/// Two threads share one table; the answer is legal and the mate the same.
#[test]
fn threads_agree_on_a_mate() {
    let p = fen("3a1k3/9/9/9/9/9/9/4C4/R8/4K4 w");
    let mut pool = Pool::new(4, 16).unwrap();
    for _ in 0..20 {
        let rx = start(&mut pool, &p, depth(6), Settings::default());
        let (o, _) = rx.recv_timeout(Duration::from_secs(30)).unwrap();
        assert_eq!(score::mate_moves(o.score), Some(2));
        assert!(p.is_legal(o.best.unwrap()));
    }
}

/// A game drawn by the natural limit is a draw, but a mate on the last ply counts.
#[test]
fn natural_limit() {
    // Mate in one with one ply left before the limit.
    let (o, _) = think(&fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 119 90"), depth(3));
    assert_eq!(score::mate_moves(o.score), Some(1));
    // A mate in two comes too late.
    let (o, _) = think(&fen("5k3/9/9/9/9/9/9/9/R8/3K5 w - - 118 90"), depth(5));
    assert_eq!(o.score, score::DRAW);
    let mut pool = Pool::new(1, 8).unwrap();
    let settings = Settings {
        rules: RuleSet {
            natural_limit: None,
            ..RuleSet::default()
        },
        ..Settings::default()
    };
    let rx = start(
        &mut pool,
        &fen("5k3/9/9/9/9/9/9/9/R8/3K5 w - - 118 90"),
        depth(5),
        settings,
    );
    let (o, _) = rx.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(score::mate_moves(o.score), Some(2));
}
