//! Published leaf counts.

use chuhe::position::{PerftTable, Position, divide, perft, perft_hashed};

/// `name; fen; D1 n; D2 n; …`
const SUITE: &str = include_str!("data/perft.txt");

/// Counts of the start position by depth, from 0.
const START: [u64; 7] = [1, 44, 1_920, 79_666, 3_290_240, 133_312_995, 5_392_831_844];

/// Checks the rows of the suite with at most `cap` leaves; returns how many counts were compared.
fn run_suite(cap: u64) -> usize {
    let mut compared = 0;
    for row in SUITE.lines().filter(|l| !l.starts_with('#')) {
        let mut fields = row.split("; ");
        let (name, fen) = (fields.next().unwrap(), fields.next().unwrap());
        let mut p = Position::from_fen(fen).unwrap_or_else(|e| panic!("{name}: {e}"));
        let before = format!("{p:?}");
        for field in fields {
            let (depth, count) = field[1..].split_once(' ').unwrap();
            let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
            if count <= cap {
                assert_eq!(perft(&mut p, depth), count, "{name} depth {depth}: {fen}");
                compared += 1;
            }
        }
        assert_eq!(
            format!("{p:?}"),
            before,
            "{name}: not restored after counting"
        );
    }
    compared
}

#[test]
fn start_position_to_depth_5() {
    let mut p = Position::startpos();
    for (depth, &count) in START.iter().enumerate().take(6) {
        assert_eq!(perft(&mut p, depth as u32), count, "depth {depth}");
    }
}

#[test]
fn suite() {
    let compared = run_suite(4_000_000);
    assert!(compared >= 219, "{compared} counts compared");
}

#[test]
#[ignore = "half a minute: all rows of the suite, up to 100 million leaves each"]
fn suite_in_full() {
    run_suite(u64::MAX);
}

#[test]
#[ignore = "a minute: 5.4 thousand million leaves"]
fn start_position_depth_6() {
    assert_eq!(perft(&mut Position::startpos(), 6), START[6]);
}

#[test]
fn divide_and_table_agree_with_the_plain_count() {
    let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";
    let mut p = Position::from_fen(fen).unwrap();
    let parts = divide(&mut p, 3);
    assert_eq!(parts.len(), 38);
    assert_eq!(parts.iter().map(|x| x.1).sum::<u64>(), 43_929);
    assert!(divide(&mut p, 0).is_empty());
    // A table of one slot and one that holds everything.
    for mib in [0, 4] {
        assert_eq!(
            perft_hashed(&mut p, 4, &mut PerftTable::new(mib).unwrap()),
            1_339_047
        );
    }
}
