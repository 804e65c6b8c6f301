//! What the searcher promises beyond a move: mates proved and disproved, lines that reach their
//! mate, no trace of one game's history in another, strength that can be limited, clocks in nodes.

use super::search::{Line, depth, fen, play, start, think};
use chuhe::position::Position;
use chuhe::search::{Clock, Limits, Outcome, Pool, Settings, Skill};
use chuhe::types::{Move, score};
use std::time::{Duration, Instant};

fn finish(
    pool: &mut Pool,
    p: &Position,
    limits: Limits,
    settings: Settings,
) -> (Outcome, Vec<Line>) {
    start(pool, p, limits, settings)
        .recv_timeout(Duration::from_secs(60))
        .unwrap()
}

fn mate_limit(n: u32) -> Limits {
    Limits {
        mate: Some(n),
        ..Limits::default()
    }
}

/// Mates of collections with one solution, by their distance in moves.
const MATES: [(&str, i32); 5] = [
    ("4k4/3P2P2/b2N2R2/7r1/2b6/9/9/3n5/4p3r/2R2K3 w", 3),
    ("1n1k1a3/R8/b2ab4/2R6/9/6C2/9/4C4/3pArn1c/4K4 w", 4),
    ("3a1k3/9/9/9/9/9/9/4C4/R8/4K4 w", 2),
    ("2P6/9/4k2C1/3R5/3Np4/9/9/3p1n3/4pr3/3K3c1 w", 2),
    ("r5P2/2R1ak3/3aN4/9/2b6/4C4/9/3KB4/1nn1p4/5r3 w", 3),
];

#[test]
fn mates_are_found_within_their_number_and_disproved_below() {
    for (text, distance) in MATES {
        let (o, lines) = think(&fen(text), mate_limit(distance as u32));
        assert_eq!(
            score::mate_moves(o.score),
            Some(distance),
            "{text}: {lines:?}"
        );
        if distance > 1 {
            let started = Instant::now();
            let (o, _) = think(&fen(text), mate_limit(distance as u32 - 1));
            assert!(started.elapsed() < Duration::from_secs(20), "{text}");
            assert!(
                score::mate_moves(o.score).is_none_or(|m| !(1..distance).contains(&m)),
                "{text}: {o:?}"
            );
        }
    }
}

/// Whatever is announced as a mate is played out by the line, each move legal.
#[test]
fn lines_are_as_long_as_the_mate_they_announce() {
    for (text, distance) in MATES {
        let (_, lines) = think(&fen(text), depth(14));
        let mut announced = 0;
        for line in lines.iter().filter(|l| l.exact && score::is_mate(l.score)) {
            announced += 1;
            let plies = (score::MATE - line.score.abs()) as usize;
            assert_eq!(line.pv.len(), plies, "{text}: {line:?}");
            let mut p = fen(text);
            for &m in &line.pv {
                p.play(m).unwrap();
            }
            assert!(!p.has_legal_move(), "{text}: {line:?}");
        }
        assert!(announced > 0, "{text}: {lines:?}");
        assert_eq!(
            lines.last().and_then(|l| score::mate_moves(l.score)),
            Some(distance)
        );
    }
}

/// With a history the repetition is judged; the same board without it must not know of it.
#[test]
fn the_history_of_one_game_leaves_no_trace_in_another() {
    let text = "3k5/9/9/9/R8/9/9/9/9/5K3 w";
    let mut with_history = fen(text);
    play(&mut with_history, "a5d5 d9e9 d5e5 e9d9 e5d5 d9e9 d5e5 e9d9");
    let same_board = fen(&with_history.fen());
    let board = |p: &Position| p.fen().split(' ').next().map(str::to_owned);
    assert_eq!(board(&same_board), board(&with_history));
    let fresh = fen("3k5/9/9/9/4R4/9/9/9/9/5K3 w");
    let limits = depth(7);
    let mut clean = Pool::new(1, 16).unwrap();
    let (expected, _) = finish(&mut clean, &fresh, limits.clone(), Settings::default());
    let mut pool = Pool::new(1, 16).unwrap();
    let repeat: Vec<Move> = vec!["e5d5".parse().unwrap()];
    let forced = Limits {
        search_moves: repeat,
        ..depth(9)
    };
    let (o, _) = finish(&mut pool, &with_history, forced, Settings::default());
    assert_eq!(o.score, -score::RULE_WIN + 1);
    let (o, lines) = finish(&mut pool, &fresh, limits, Settings::default());
    assert!(
        lines.iter().all(|l| !score::is_decided(l.score)),
        "{lines:?}"
    );
    assert!((o.score - expected.score).abs() < 100, "{o:?} {expected:?}");
}

#[test]
fn a_clock_in_nodes_is_the_same_on_every_machine() {
    let p = Position::startpos();
    let settings = Settings {
        nodes_per_ms: Some(100),
        ..Settings::default()
    };
    let limits = Limits {
        clock: Some(Clock {
            remaining: Duration::from_secs(10),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    };
    let nodes = [(), ()].map(|()| {
        let mut pool = Pool::new(1, 8).unwrap();
        finish(&mut pool, &p, limits.clone(), settings.clone())
            .0
            .nodes
    });
    assert_eq!(nodes[0], nodes[1]);
    assert!((2_000..450_000).contains(&nodes[0]), "{nodes:?}");
    // A move's time is as many nodes as were asked for.
    let fixed = Limits {
        movetime: Some(Duration::from_millis(220)),
        ..Limits::default()
    };
    let mut pool = Pool::new(1, 8).unwrap();
    let (o, _) = finish(&mut pool, &p, fixed, settings);
    assert!((20_000..22_000).contains(&o.nodes), "{o:?}");
}

/// Weak levels look at few nodes, give a mate at hand and do not walk into one.
#[test]
fn limited_strength_knows_mates_in_one() {
    let weakest = Settings {
        skill: Skill::new(0),
        ..Settings::default()
    };
    // The rook on the last rank mates; every second move of Black allows it.
    let mate = fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w");
    let danger = fen("3k5/R8/9/9/9/9/9/9/n8/1R2K4 b");
    for _ in 0..10 {
        let mut pool = Pool::new(1, 8).unwrap();
        let (o, _) = finish(&mut pool, &mate, Limits::default(), weakest.clone());
        let mut p = mate.clone();
        p.play(o.best.unwrap()).unwrap();
        assert!(!p.has_legal_move(), "{o:?}");
        let (o, _) = finish(&mut pool, &danger, Limits::default(), weakest.clone());
        let mut p = danger.clone();
        p.play(o.best.unwrap()).unwrap();
        let mated = p.legal_moves().iter().any(|&m| {
            let mut q = p.clone();
            q.make(m);
            !q.has_legal_move()
        });
        let avoidable = danger.legal_moves().iter().any(|&first| {
            let mut q = danger.clone();
            q.make(first);
            !q.legal_moves().iter().any(|&m| {
                let mut r = q.clone();
                r.make(m);
                !r.has_legal_move()
            })
        });
        assert!(!mated || !avoidable, "{o:?}");
        assert!(o.nodes < 20_000, "{o:?}");
    }
}

/// Several lines come from one finished depth even if the search is cut short.
#[test]
fn several_lines_of_a_stopped_search_are_of_one_depth() {
    let p = fen("r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w");
    let settings = Settings {
        multipv: 3,
        ..Settings::default()
    };
    for nodes in [3_000, 10_000, 25_000] {
        let mut pool = Pool::new(1, 8).unwrap();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let (o, lines) = finish(&mut pool, &p, limits, settings.clone());
        let last: Vec<&Line> = lines.iter().rev().take(3).collect();
        assert!(last.iter().all(|l| l.depth == last[0].depth), "{last:?}");
        assert_eq!(o.best, Some(last[2].pv[0]));
    }
}
