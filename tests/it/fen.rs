//! FEN: the dialects that occur, each refusal, and texts that are no FEN at all.

use chuhe::position::{FenError, Position, START_FEN, SetupError};
use chuhe::types::{Color, Piece, Square};
use rand::{RngExt, SeedableRng, rngs::StdRng};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn read(text: &str) -> Position {
    Position::from_fen(text).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

fn fault(text: &str) -> FenError {
    match Position::from_fen(text) {
        Ok(p) => panic!("{text:?} was read as {}", p.fen()),
        Err(e) => e,
    }
}

#[test]
fn side_letters_and_missing_fields() {
    for side in ["w", "W", "r", "R"] {
        assert_eq!(read(&format!("{START} {side} - - 0 1")).stm(), Color::Red);
    }
    for side in ["b", "B"] {
        assert_eq!(read(&format!("{START} {side} - - 0 1")).stm(), Color::Black);
    }
    for tail in [
        "",
        " w",
        " w -",
        " w - -",
        " w - - 0",
        " w - - - -",
        " w - - 0 0",
        "\tw  -  - 0   1 ",
        " w - - 0 1 a comment",
        " w KQkq e3 0 1",
    ] {
        let p = read(&format!("{START}{tail}"));
        assert_eq!(p.fen(), START_FEN, "{tail:?}");
    }
    let p = read(&format!("{START} b - - 7 12"));
    assert_eq!((p.quiet_plies(), p.fullmove()), (7, 12));
    assert_eq!(p.fen(), format!("{START} b - - 7 12"));
    // What a counter can be at most, and what it cannot.
    assert_eq!(
        read(&format!("{START} w - - 9999 99999")).quiet_plies(),
        9_999
    );
}

#[test]
fn letters_and_runs() {
    let aliases = START
        .replace('b', "e")
        .replace('B', "E")
        .replace('n', "h")
        .replace('N', "H");
    assert_eq!(read(&aliases).fen(), START_FEN);
    for run in ["111111111", "45", "333", "18", "90", "09", "1234011"] {
        if run.bytes().map(|b| u32::from(b - b'0')).sum::<u32>() == 9 {
            let text = START.replace("/9/", &format!("/{run}/"));
            assert_eq!(read(&text).fen(), START_FEN, "{run}");
        }
    }
}

#[test]
fn every_refusal() {
    use FenError::*;
    assert_eq!(fault(""), Empty);
    assert_eq!(fault(" \t "), Empty);
    assert_eq!(fault("startpos"), RankCount(1));
    assert_eq!(fault("4k4/9/9/9/9/9/9/9/9/9/3K5 w"), RankCount(11));
    assert_eq!(fault("4k4/9/9/9/9/9/9/9/3K5 w"), RankCount(9));
    assert_eq!(
        fault("4k4/9/9/9/9/9/9/9/9/3K4 w"),
        RankWidth { rank: 0, width: 8 }
    );
    assert_eq!(
        fault("4k5/9/9/9/9/9/9/9/9/3K5 w"),
        RankWidth { rank: 9, width: 10 }
    );
    assert_eq!(
        fault("4k4/9//9/9/9/9/9/9/3K5 w"),
        RankWidth { rank: 7, width: 0 }
    );
    for letter in ['q', 'X', '-', '+', '炮', '１'] {
        let text = format!("4k4/9/9/4{letter}4/9/9/9/9/9/3K5 w");
        assert_eq!(fault(&text), BadLetter { letter, rank: 6 });
    }
    for side in ["x", "-", "white", "0", "ww"] {
        assert_eq!(fault(&format!("{START} {side}")), BadSide(side.into()));
    }
    for counter in ["x", "-1", "1.5", "10000", "99999999999999999999"] {
        assert_eq!(
            fault(&format!("{START} w - - {counter} 1")),
            BadCounter(counter.into())
        );
    }
    assert_eq!(
        fault(&format!("{START} w - - 0 100000")),
        BadCounter("100000".into())
    );
}

#[test]
fn every_impossible_arrangement() {
    use SetupError::*;
    let setup_fault = |text: &str| match fault(text) {
        FenError::Setup(e) => e,
        other => panic!("{text}: {other}"),
    };
    assert_eq!(setup_fault("9/9/9/9/9/9/9/9/9/3K5 w"), NoKing(Color::Black));
    assert_eq!(setup_fault("4k4/9/9/9/9/9/9/9/9/9 w"), NoKing(Color::Red));
    assert_eq!(setup_fault("9/9/9/9/9/9/9/9/9/9 w"), NoKing(Color::Red));
    // One more than a side can have, of each kind that has room for it.
    for (row, piece, at) in [
        ("3KK4", Piece::RedKing, "e0"),
        ("RRRK5", Piece::RedRook, "c0"),
        ("NNNK5", Piece::RedKnight, "c0"),
        ("CCCK5", Piece::RedCannon, "c0"),
    ] {
        assert_eq!(
            setup_fault(&format!("5k3/9/9/9/9/9/9/9/9/{row} w")),
            TooMany(piece, square(at)),
            "{row}"
        );
    }
    assert_eq!(
        setup_fault("3aka3/4a4/9/9/9/9/9/9/9/3K5 w"),
        TooMany(Piece::BlackAdvisor, square("f9"))
    );
    assert_eq!(
        setup_fault("2b1k1b2/9/b8/9/9/9/9/9/9/3K5 w"),
        TooMany(Piece::BlackBishop, square("g9"))
    );
    assert_eq!(
        setup_fault("4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 w"),
        TooMany(Piece::RedPawn, square("f6"))
    );
    // Where a piece can never stand.
    for (text, piece, at) in [
        ("2k6/9/9/9/9/9/9/9/9/3K5 w", Piece::BlackKing, "c9"),
        ("9/9/9/4k4/9/9/9/9/9/3K5 w", Piece::BlackKing, "e6"),
        ("4k4/9/9/9/9/9/9/9/9/6K2 w", Piece::RedKing, "g0"),
        ("4k4/9/9/9/9/9/9/9/9/3KA4 w", Piece::RedAdvisor, "e0"),
        ("4k4/9/9/9/9/9/9/9/4B4/3K5 w", Piece::RedBishop, "e1"),
        ("4k4/9/9/9/2B6/9/9/9/9/3K5 w", Piece::RedBishop, "c5"),
        ("4k4/9/9/9/9/2b6/9/9/9/3K5 w", Piece::BlackBishop, "c4"),
        ("4k4/9/9/9/9/9/9/2P6/9/3K5 w", Piece::RedPawn, "c2"),
        ("4k4/9/9/9/9/1P7/9/9/9/3K5 w", Piece::RedPawn, "b4"),
        ("4k4/9/p8/9/9/9/9/9/9/3K5 w", Piece::BlackPawn, "a7"),
        ("4k4/9/9/9/7p1/9/9/9/9/3K5 w", Piece::BlackPawn, "h5"),
    ] {
        assert_eq!(setup_fault(text), Misplaced(piece, square(at)), "{text}");
    }
    assert_eq!(
        setup_fault("4k4/9/9/9/9/2P6/2P6/9/9/3K5 w"),
        PawnsInLine(Piece::RedPawn, square("c4"))
    );
    assert_eq!(
        setup_fault("4k4/9/9/p8/p8/9/9/9/9/3K5 w"),
        PawnsInLine(Piece::BlackPawn, square("a6"))
    );
    assert_eq!(
        setup_fault("4k4/9/9/9/9/9/9/9/9/4K4 b"),
        KingsFacing(square("e0"), square("e9"))
    );
    // The side that is not to move stands in check from each kind of piece.
    for (text, checker, from, king) in [
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w", Piece::RedRook, "e5", "e9"),
        (
            "4k4/9/4n4/9/4C4/9/9/9/9/3K5 w",
            Piece::RedCannon,
            "e5",
            "e9",
        ),
        ("4k4/9/3N5/9/9/9/9/9/9/3K5 w", Piece::RedKnight, "d7", "e9"),
        ("4k4/4P4/9/9/9/9/9/9/9/3K5 w", Piece::RedPawn, "e8", "e9"),
        ("4k4/9/9/9/9/9/9/9/2p6/2pK5 b", Piece::BlackPawn, "c0", "d0"),
    ] {
        let king = square(king);
        let from = square(from);
        assert_eq!(
            setup_fault(text),
            OpponentInCheck {
                checker,
                from,
                king
            },
            "{text}"
        );
    }
    // With the other side to move each of them is a position.
    read("4k4/9/9/9/4R4/9/9/9/9/3K5 b");
    read("4k4/9/3N5/9/9/9/9/9/9/3K5 b");
}

/// Boards that people's puzzle lists hold although they cannot occur, with the fault another
/// program found there.
#[test]
fn rejected_boards_of_the_field() {
    let mut n = 0;
    for line in include_str!("data/fen_rejected.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let (reason, fen) = line.split_once("; ").unwrap();
        let error = fault(fen);
        let FenError::Setup(setup) = &error else {
            panic!("{fen}: {error}");
        };
        let agrees = match setup {
            SetupError::TooMany(..) => reason.starts_with("too many"),
            SetupError::Misplaced(p, _) => reason.starts_with(p.kind().name()),
            SetupError::OpponentInCheck { .. } | SetupError::KingsFacing(..) => {
                reason.starts_with("side not to move")
            }
            _ => false,
        };
        // A board can have several faults; then the first found is named.
        n += usize::from(agrees);
    }
    assert!(n >= 73, "only {n} faults named alike");
}

/// Whatever the text, reading it neither panics nor yields a position that cannot be written and
/// read again.
#[test]
fn damaged_texts_never_panic() {
    let seeds = [
        START_FEN,
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        "3k5/9/9/3P5/9/9/9/9/9/4K4 b - - 119 60",
    ];
    let alphabet: Vec<char> = "KABNRCPEHkabnrcpeh0123456789/ -wbrxé炮\t\0"
        .chars()
        .collect();
    let mut rng = StdRng::seed_from_u64(7);
    let mut accepted = 0;
    for i in 0..60_000 {
        let mut text: Vec<char> = seeds[i % seeds.len()].chars().collect();
        for _ in 0..rng.random_range(1..=4) {
            let at = rng.random_range(0..text.len());
            let c = alphabet[rng.random_range(0..alphabet.len())];
            match rng.random_range(0..4) {
                0 => text.insert(at, c),
                1 if text.len() > 1 => drop(text.remove(at)),
                2 => {
                    let other = rng.random_range(0..text.len());
                    text.swap(at, other);
                }
                _ => text[at] = c,
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(p) = Position::from_fen(&text) {
            accepted += 1;
            let again = read(&p.fen());
            assert_eq!(again.fen(), p.fen(), "{text:?}");
            // And it can be played on.
            assert_eq!(p.count_legal(), p.legal_moves().len() as u64, "{text:?}");
        }
    }
    assert!(accepted > 500, "{accepted}");
}
