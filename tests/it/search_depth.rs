//! What the searcher promises beyond a move: mates proved and disproved, lines that reach their
//! mate, no trace of one game's history in another, strength that can be limited, clocks in nodes.

use super::search::{Line, depth, fen, start, think};
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
    ("3a1k3/9/9/9/9/9/9/4C4/R8/4K4 w", 2),
    ("5a3/4a4/3kb2NC/9/9/9/9/3C5/5p1n1/3AK1c2 w", 2),
    ("3P1a3/4k2Pn/9/9/3R1N2c/9/9/3p5/1r2p4/3K5 w", 3),
    ("4k4/4a4/2P5n/5N3/9/5R3/9/9/2p2p2r/C3K4 w", 4),
    ("2b2RP2/9/4k4/5N3/4p4/9/6n2/9/2p1p1r2/3K5 w", 5),
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

/// A board that was there twice may not come again, and near the natural limit every move
/// draws. The same board without that history must not know of either.
#[test]
fn the_history_of_one_game_leaves_no_trace_in_another() {
    let text = "5k3/9/9/9/9/9/9/9/R8/3K5 w";
    let fresh = fen(text);
    let (o, _) = think(&fresh, depth(6));
    assert_eq!(score::mate_moves(o.score), Some(2));
    let first = o.best.unwrap();
    let back = |m: Move| Move::new(m.to(), m.from());
    // The mating move, a reply, and both taken back, twice: then the mating move repeats.
    let with_history = fresh_replies(&fresh, first)
        .into_iter()
        .find_map(|reply| {
            let mut p = fresh.clone();
            for m in [first, reply, back(first), back(reply)].repeat(2) {
                p.play(m).ok()?;
            }
            Some(p)
        })
        .unwrap();
    let mut pool = Pool::new(1, 16).unwrap();
    let forced = Limits {
        search_moves: vec![first],
        ..depth(6)
    };
    let (o, _) = finish(&mut pool, &with_history, forced, Settings::default());
    assert!(!score::is_mate(o.score), "{o:?}");
    finish(&mut pool, &with_history, depth(8), Settings::default());
    let late = fen("5k3/9/9/9/9/9/9/9/R8/3K5 w - - 118 90");
    let (o, _) = finish(&mut pool, &late, depth(8), Settings::default());
    assert_eq!(o.score, score::DRAW);
    let (o, lines) = finish(&mut pool, &fresh, depth(6), Settings::default());
    assert_eq!(score::mate_moves(o.score), Some(2), "{lines:?}");
    assert!(
        lines
            .iter()
            .filter(|l| l.depth >= 4)
            .all(|l| score::is_mate(l.score)),
        "{lines:?}"
    );
}

fn fresh_replies(p: &Position, first: Move) -> Vec<Move> {
    let mut after = p.clone();
    after.play(first).unwrap();
    after.legal_moves().to_vec()
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
