//! Dialogues in UCCI.

use crate::harness::{Engine, PATIENCE};
use std::time::Duration;

const MATE_IN_ONE: &str = "position fen 3k5/R8/9/p8/9/9/9/9/9/1R2K4 w - - 0 1";
const MATES: [&str; 2] = ["b0b9", "b0d0"];

fn score(line: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|w| *w != "score");
    words
        .nth(1)
        .and_then(|w| w.parse().ok())
        .unwrap_or_else(|| panic!("no plain score: {line}"))
}

#[test]
fn hello_announces_milliseconds() {
    let mut e = Engine::start();
    e.send("ucci");
    let lines = e.lines_until("ucciok");
    for line in [
        "option usemillisec type check default true",
        "option newgame type button",
        "option batch type check default false",
        "option usebook type check default true",
        "option bookfiles type string default builtin",
    ] {
        assert!(lines.iter().any(|l| l == line), "{line}");
    }
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("option hashsize type spin "))
    );
    assert!(lines.iter().all(|l| !l.starts_with("option name ")));
    e.send("quit");
    e.expect("bye");
    assert!(e.exit(PATIENCE).success());
}

#[test]
fn a_league_game() {
    let mut e = Engine::ucci();
    e.send("setoption promotion false\nsetoption ponder false\nsetoption newgame\nsetoption usemillisec true");
    e.send("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    e.send("go time 3000 increment 0 opptime 3000 oppincrement 0");
    e.expect_within("bestmove ", Duration::from_secs(3));
    e.send("position fen rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2 moves d9e8");
    e.send("banmoves e6e9\ngo draw time 2000 increment 100 opptime 3000 oppincrement 0");
    e.expect_within("bestmove ", Duration::from_secs(3));
    e.send("quit");
    e.expect("bye");
}

#[test]
fn scores_are_plain_numbers() {
    let mut e = Engine::ucci();
    e.send("position startpos\ngo depth 5");
    let lines = e.lines_until("bestmove");
    let thoughts: Vec<&String> = lines.iter().filter(|l| l.contains(" pv ")).collect();
    assert!(thoughts.len() >= 5);
    for line in thoughts {
        assert!(score(line).abs() < 9_800, "{line}");
        assert!(line.contains(" nps "), "{line}");
    }
    e.send(MATE_IN_ONE);
    e.send("go depth 4");
    let lines = e.lines_until("bestmove");
    let last = lines.iter().rfind(|l| l.contains(" pv ")).unwrap();
    assert_eq!(score(last), 9_999);
    e.send("position fen 4k2r1/9/9/9/9/P8/9/9/8r/3K5 w\ngo depth 4");
    let lines = e.lines_until("bestmove");
    let last = lines.iter().rfind(|l| l.contains(" pv ")).unwrap();
    assert!(score(last) < -9_800, "{last}");
}

#[test]
fn depth_nought_tells_the_value_and_no_move() {
    let mut e = Engine::ucci();
    e.send("position startpos\ngo depth 0");
    let lines = e.lines_until("nobestmove");
    assert!(lines.iter().any(|l| l.starts_with("info depth 0 score ")));
    assert!(lines.iter().all(|l| !l.starts_with("bestmove")));
}

#[test]
fn a_stop_that_crossed_the_answer_is_swallowed_once() {
    let mut e = Engine::ucci();
    e.send("stop");
    e.expect("nobestmove");
    for _ in 0..10 {
        e.send("position startpos\ngo depth 1");
        e.best_move();
        e.send("stop");
        assert_eq!(e.answers_until_ready(), 0);
        e.send("stop");
        e.expect("nobestmove");
        e.send("go depth 1");
        e.best_move();
        e.send("stop\nstop");
        e.expect("nobestmove");
    }
}

#[test]
fn bans_hold_until_the_next_position() {
    let mut e = Engine::ucci();
    e.send(MATE_IN_ONE);
    e.send("banmoves a8a7\nbanmoves b0b9 b0d0\ngo depth 4");
    let best = e.best_move();
    assert!(!MATES.contains(&&*best), "{best}");
    e.send("banmoves b0b9\ngo depth 4");
    assert_eq!(e.best_move(), "b0d0", "a second list replaces the first");
    e.send(MATE_IN_ONE);
    e.send("go depth 4");
    assert!(MATES.contains(&&*e.best_move()));
    // The only move is banned: it is played all the same.
    e.send("position fen 3k5/9/R8/9/9/9/9/9/9/1R2K4 b\nbanmoves d9d8\ngo depth 3");
    assert_eq!(e.best_move(), "d9d8");
    e.send("position startpos\nbanmoves a9a8 zzzz\nbanmoves\ngo depth 2");
    e.best_move();
}

#[test]
fn draws_are_accepted_when_worse_and_only_when_offered() {
    let mut e = Engine::ucci();
    // A rook down with nothing for it.
    let worse = "position fen 2bakab2/9/9/p3p3p/9/9/P3P3P/9/4R4/2BAKAB2 b";
    e.send(worse);
    e.send("go depth 4");
    assert!(!e.expect("bestmove").contains("draw"));
    e.send("go draw depth 4");
    assert!(e.expect("bestmove").ends_with(" draw"));
    e.send("go ponder depth 4\nponderhit draw");
    assert!(e.expect("bestmove").ends_with(" draw"));
    let better = worse.replace(" b", " w");
    e.send(&format!("{better}\ngo draw depth 4"));
    assert!(!e.expect("bestmove").contains("draw"));
}

#[test]
fn probing_disturbs_nothing() {
    let mut e = Engine::ucci();
    e.send("probe startpos");
    assert_eq!(e.expect("pophash"), "pophash");
    e.send("position startpos\ngo depth 5");
    let best = e.best_move();
    e.send("probe startpos");
    assert!(
        e.expect("pophash")
            .starts_with(&format!("pophash bestmove {best}"))
    );
    e.send("go infinite\nprobe startpos moves h2e2");
    e.expect("pophash");
    e.send("probe fen nonsense");
    e.expect("info message");
    assert_eq!(e.expect("pophash"), "pophash");
    e.send("stop");
    e.best_move();
}

#[test]
fn batch_mode_reads_nothing_while_it_thinks() {
    let mut e = Engine::ucci();
    e.send("setoption batch true");
    e.send(&format!(
        "position startpos\ngo depth 5\n{MATE_IN_ONE}\ngo depth 4\nquit"
    ));
    e.best_move();
    assert!(MATES.contains(&&*e.best_move()));
    e.expect("bye");
    assert!(e.exit(PATIENCE).success());
}

#[test]
fn clocks_can_be_in_seconds() {
    let mut e = Engine::ucci();
    e.send("setoption usemillisec false\nposition startpos\ngo time 2 movestogo 1");
    // In milliseconds this would be over at once.
    let lines = e.listen(Duration::from_millis(300));
    assert!(
        lines.iter().all(|l| !l.starts_with("bestmove")),
        "{lines:?}"
    );
    e.expect_within("bestmove", Duration::from_secs(5));
    e.send("setoption usemillisec true\ngo time 100 movestogo 1");
    e.expect_within("bestmove", Duration::from_secs(1));
}

#[test]
fn no_move_only_where_there_is_none() {
    let mut e = Engine::ucci();
    e.send("position fen 1R1k5/R8/9/9/9/9/9/9/9/4K4 b\ngo time 1000 increment 0");
    let lines = e.lines_until("nobestmove");
    assert!(
        lines.iter().any(|l| l == "info depth 0 score -10000"),
        "{lines:?}"
    );
    e.send("position fen 9/9/9/9/4R4/9/4p4/9/9/9 w\ngo depth 3");
    e.expect("info message no position");
    e.expect("nobestmove");
    let turn = " b0c2 b9c7 c2b0 c7b9";
    e.send(&format!(
        "position startpos moves{}\ngo depth 3",
        turn.repeat(40)
    ));
    assert_eq!(e.best_move().len(), 4);
}

#[test]
fn uci_words_are_understood_and_not_spoken() {
    let mut e = Engine::ucci();
    e.send("setoption name Hash value 8\nsetoption Threads 1\nuccinewgame\nuxinewgame");
    e.send("position startpos\ngo movetime 200 depth 4");
    for line in e.lines_until("bestmove") {
        assert!(
            !line.contains(" cp ") && !line.starts_with("info string"),
            "{line}"
        );
    }
    e.send("go wtime 500 btime 500 winc 0 binc 0");
    e.expect_within("bestmove", Duration::from_secs(2));
}

#[test]
fn messages_name_options_as_ucci_does() {
    let mut e = Engine::ucci();
    e.send("setoption hashsize abc\nsetoption repetition chess\nsetoption Threads x");
    e.expect("info message option hashsize: \"abc\"");
    e.expect("info message option repetition: \"chess\" is none of chineserule ");
    e.expect("info message option threads: \"x\"");
}

#[test]
fn moves_are_played_on_the_position() {
    let mut e = Engine::ucci();
    e.send("position fen 4k2r1/9/9/9/9/P8/9/9/8r/3K5 w - - 0 1 moves a4a5 h9h0\ngo depth 4");
    assert_eq!(e.expect("nobestmove"), "nobestmove");
}
