//! Dialogues in UCI.

use crate::harness::{Engine, PATIENCE, pipe, stdout};
use std::time::{Duration, Instant};

/// Two mates in one, by rook to the back rank or to the open file; the pawn keeps quiet moves
/// from being a win by stalemate.
const MATE_IN_ONE: &str = "position fen 3k5/R8/9/p8/9/9/9/9/9/1R2K4 w";
const MATES: [&str; 2] = ["b0b9", "b0d0"];
/// Black is mated.
const MATED: &str = "position fen 1R1k5/R8/9/9/9/9/9/9/9/4K4 b";

fn number(line: &str, key: &str) -> i64 {
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|w| *w == key);
    at.and_then(|i| words.get(i + 1)?.parse().ok())
        .unwrap_or_else(|| panic!("no number {key} in {line:?}"))
}

#[test]
fn hello_names_options_and_is_quick() {
    let mut e = Engine::start();
    let start = Instant::now();
    e.send("uci");
    let lines = e.lines_until("uciok");
    // Far above the hundred milliseconds it may take on a quiet machine.
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(lines[0].starts_with("id name Chuhe "), "{lines:?}");
    for name in ["Hash type spin", "Threads type spin", "MultiPV type spin"] {
        let start = format!("option name {name} default ");
        assert_eq!(
            lines.iter().filter(|l| l.starts_with(&start)).count(),
            1,
            "{name}"
        );
    }
    assert!(
        lines
            .iter()
            .all(|l| !l.is_empty() && !l.ends_with("default"))
    );
}

#[test]
fn every_line_of_thought_is_complete() {
    let mut e = Engine::uci();
    e.send("position startpos moves h2e2 h9g7\ngo depth 6");
    let lines = e.lines_until("bestmove");
    let thoughts: Vec<&String> = lines.iter().filter(|l| l.contains(" pv ")).collect();
    assert!(thoughts.len() >= 6);
    for line in &thoughts {
        let words: Vec<&str> = line.split(' ').collect();
        for key in [
            "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv",
        ] {
            let count = words.iter().filter(|w| **w == key).count();
            assert_eq!(count, 1, "{key} in {line}");
        }
        let pv = words.iter().position(|w| *w == "pv").unwrap();
        assert!(words[pv + 1..].iter().all(|m| m.len() == 4), "{line}");
    }
    let last = thoughts[thoughts.len() - 1];
    assert_eq!(number(last, "depth"), 6);
    let best = lines[lines.len() - 1].split(' ').nth(1).unwrap();
    assert!(last.contains(&format!(" pv {best}")), "{last} / {best}");
}

#[test]
fn a_win_by_stalemate_is_mate() {
    let mut e = Engine::uci();
    e.send("position fen 3k5/9/9/3P5/9/9/9/9/9/4K4 w\ngo depth 3");
    let lines = e.lines_until("bestmove");
    assert!(
        lines.iter().any(|l| l.contains(" score mate 1 ")),
        "{lines:#?}"
    );
    assert!(lines[lines.len() - 1].starts_with("bestmove d6d7"));
}

#[test]
fn several_lines_come_in_order() {
    let mut e = Engine::uci();
    e.send("setoption name MultiPV value 3\nposition startpos\ngo depth 4");
    let lines = e.lines_until("bestmove");
    let ranks: Vec<i64> = lines
        .iter()
        .filter(|l| l.starts_with("info depth 4 ") && l.contains(" pv "))
        .map(|l| number(l, "multipv"))
        .collect();
    assert_eq!(ranks[ranks.len() - 3..], [1, 2, 3]);
}

#[test]
fn infinite_and_ponder_do_not_answer_early() {
    let mut e = Engine::uci();
    for go in [
        "go infinite",
        "go ponder depth 2",
        "go ponder wtime 50 btime 50",
        "go",
    ] {
        e.send(MATE_IN_ONE);
        e.send(go);
        let lines = e.listen(Duration::from_millis(400));
        assert!(
            lines.iter().all(|l| !l.starts_with("bestmove")),
            "{go}: {lines:?}"
        );
        e.send("stop");
        assert!(MATES.contains(&&*e.best_move()), "{go}");
    }
    // Nor where there is nothing to think about.
    e.send(MATED);
    e.send("go infinite");
    assert_eq!(e.answers_until_ready(), 0);
    e.send("stop");
    assert_eq!(e.best_move(), "(none)");
    e.send("position fen nonsense\ngo infinite");
    assert_eq!(e.answers_until_ready(), 0);
    e.send("stop");
    assert_eq!(e.best_move(), "(none)");
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut e = Engine::uci();
    e.send("position startpos moves h2e2 h9g7\ngo ponder wtime 1500 btime 1500");
    let lines = e.listen(Duration::from_millis(1800));
    assert!(
        lines.iter().all(|l| !l.starts_with("bestmove")),
        "{lines:?}"
    );
    e.send("ponderhit");
    e.expect_within("bestmove", Duration::from_secs(3));
    e.send("ponderhit");
    assert_eq!(e.answers_until_ready(), 0);
}

#[test]
fn stop_is_answered_at_once() {
    let mut e = Engine::uci();
    e.send("position startpos");
    let mut delays = Vec::new();
    for _ in 0..5 {
        e.send("go infinite");
        e.listen(Duration::from_millis(100));
        let start = Instant::now();
        e.send("stop");
        e.best_move();
        delays.push(start.elapsed());
    }
    delays.sort();
    // Other tests run beside this one, so the middle counts, not the worst.
    assert!(delays[2] < Duration::from_millis(50), "{delays:?}");
}

#[test]
fn one_answer_for_each_go_however_stop_crosses_it() {
    let mut e = Engine::uci();
    for _ in 0..40 {
        e.send("position startpos\ngo infinite\nstop");
        e.best_move();
        assert_eq!(e.answers_until_ready(), 0);
        e.send("position startpos\ngo depth 1\nstop");
        e.best_move();
        assert_eq!(e.answers_until_ready(), 0);
    }
    // A stop before the go never ends it.
    e.send("position startpos\nstop\ngo infinite");
    let lines = e.listen(Duration::from_millis(300));
    assert!(
        lines.iter().all(|l| !l.starts_with("bestmove")),
        "{lines:?}"
    );
    e.send("stop\nstop");
    e.best_move();
    assert_eq!(e.answers_until_ready(), 0);
}

#[test]
fn stop_position_go_in_one_burst_is_served() {
    // So do clients that do not wait for the answer to their stop.
    let mut e = Engine::uci();
    e.send("position startpos\ngo infinite");
    e.expect("info depth 2");
    e.send(&format!(
        "stop\nsetoption name Hash value 8\n{MATE_IN_ONE}\ngo depth 3"
    ));
    e.best_move();
    assert!(MATES.contains(&&*e.best_move()));
}

#[test]
fn gos_behind_a_bounded_search_each_get_their_answer() {
    let mut e = Engine::uci();
    e.send(&format!(
        "position startpos\ngo depth 6\n{MATE_IN_ONE}\ngo depth 3\n{MATED}\ngo depth 2"
    ));
    e.best_move();
    assert!(MATES.contains(&&*e.best_move()));
    assert_eq!(e.best_move(), "(none)");
    // One stop ends all that came before it.
    e.send("position startpos\ngo depth 99\ngo infinite\nstop");
    e.best_move();
    e.best_move();
    assert_eq!(e.answers_until_ready(), 0);
}

/// More than may wait in the program wait in the pipe; none is lost.
#[test]
fn as_many_gos_as_one_likes_are_answered() {
    let many = 10_500;
    let input = format!(
        "position startpos\ngo movetime 500\n{}",
        "go nodes 1\n".repeat(many)
    );
    let output = pipe(&input);
    let text = stdout(&output);
    let answers = text.lines().filter(|l| l.starts_with("bestmove ")).count();
    assert_eq!(answers, many + 1);
    assert!(!text.contains("refused"));
}

#[test]
fn while_nothing_but_stop_ends_it_go_and_position_are_refused() {
    let mut e = Engine::uci();
    e.send(&format!(
        "position startpos\ngo infinite\n{MATE_IN_ONE}\ngo depth 1"
    ));
    e.expect("info string refused");
    e.expect("info string refused");
    assert_eq!(e.answers_until_ready(), 0);
    e.send("stop");
    assert!(!MATES.contains(&&*e.best_move()));
    assert_eq!(e.answers_until_ready(), 0);
}

#[test]
fn searchmoves_and_banmoves_bind_the_root() {
    let mut e = Engine::uci();
    e.send("position startpos\ngo depth 3 searchmoves a0a1 a3a4");
    assert!(["a0a1", "a3a4"].contains(&&*e.best_move()));
    e.send(MATE_IN_ONE);
    e.send("banmoves b0b9 b0d0\ngo depth 3");
    assert!(!MATES.contains(&&*e.best_move()));
    e.send(MATE_IN_ONE);
    e.send("go depth 3");
    assert!(MATES.contains(&&*e.best_move()));
}

#[test]
fn nothing_odd_makes_a_search_endless() {
    let mut e = Engine::uci();
    for go in [
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go movetime 0",
        "go wtime 0 btime 0",
        "go wtime 0 btime 0 winc 100 binc 100",
        "go wtime -500 btime -500 winc 0 binc 0",
        "go mate 0",
        "go frobnicate 7",
    ] {
        e.send("position startpos");
        e.send(go);
        let line = e.expect_within("bestmove ", Duration::from_secs(5));
        assert_eq!(
            line.split(' ').nth(1).map(str::len),
            Some(4),
            "{go}: {line}"
        );
    }
}

/// Nobody can mate here, and hardly a move gives check: the solver looks at the clock all the same.
#[test]
fn a_hopeless_mate_search_can_be_stopped() {
    let mut e = Engine::uci();
    for fen in [
        "3ak4/9/p7r/8p/9/9/9/4B4/4A4/2BAK3N w",
        "3k5/9/p1p3p1p/9/2p3p2/9/9/9/9/4KAB2 w",
    ] {
        e.send(&format!("position fen {fen}\ngo mate 120"));
        std::thread::sleep(Duration::from_millis(300));
        e.send("stop");
        e.expect_within("bestmove ", Duration::from_secs(2));
    }
}

#[test]
fn a_mate_that_is_not_there_is_said_so() {
    let mut e = Engine::uci();
    // Mate in two, not in one.
    e.send("position fen 5k3/9/9/9/9/9/9/9/R8/3K5 w\ngo mate 1");
    let lines = e.lines_until("bestmove");
    assert!(
        lines.iter().any(|l| l == "info string no mate in 1"),
        "{lines:?}"
    );
    e.send("go mate 2");
    let lines = e.lines_until("bestmove");
    assert!(
        lines.iter().any(|l| l.contains(" score mate 2 ")),
        "{lines:?}"
    );
    assert!(lines.iter().all(|l| !l.contains("no mate")), "{lines:?}");
}

#[test]
fn odd_limits_are_named() {
    let mut e = Engine::uci();
    e.send("position startpos\ngo depth three movetime 100");
    assert!(e.expect("info string").contains("three"));
    e.best_move();
    e.send("go nodes 99999999999999999999999999 depth 2");
    e.best_move();
}

#[test]
fn wrong_option_values_are_refused_with_a_message() {
    let mut e = Engine::uci();
    e.send("setoption name Hash value abc");
    assert!(e.expect("info string").contains("Hash"));
    e.send("setoption name Hash value 33554432");
    assert!(e.expect("info string").contains("memory"));
    e.send("setoption name Threads value 1000000");
    e.send("setoption name Ponder value maybe");
    e.expect("info string option Ponder");
    e.send("setoption name Nothing Known value 5\nsetoption name\nsetoption");
    assert_eq!(e.answers_until_ready(), 0);
    assert!(e.is_alive());
}

#[test]
fn options_during_a_search_wait_for_its_end() {
    let mut e = Engine::uci();
    e.send("position startpos\ngo infinite\nsetoption name MultiPV value 2\nsetoption name Hash value 8\nucinewgame");
    assert_eq!(e.answers_until_ready(), 0);
    let lines = e.listen(Duration::from_millis(200));
    assert!(lines.iter().all(|l| !l.contains("multipv 2")), "{lines:?}");
    e.send("stop");
    e.best_move();
    e.send("go depth 3");
    let lines = e.lines_until("bestmove");
    assert!(lines.iter().any(|l| l.contains("multipv 2")), "{lines:?}");
}

#[test]
fn bad_positions_are_named_and_survived() {
    let mut e = Engine::uci();
    e.send("position startpos moves h2e2 a9a0 h9g7\nd");
    let message = e.expect("info string");
    assert!(
        message.contains("ply 2") && message.contains("a9a0"),
        "{message}"
    );
    assert!(e.expect("Fen: ").contains("1C2C4/9/RNBAKABNR b"));
    for fen in [
        "9/9 w",
        "4k4/9/9/9/4R4/9/9/9/9/9 w",
        "4k4/9/9/9/9/9/9/9/9/4K4 w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR x",
        "xxxxxxxxx/9/9/9/9/9/9/9/9/QQQQQQQQQ w",
    ] {
        e.send(&format!("position fen {fen}\ngo depth 2"));
        e.expect("info string no position");
        assert_eq!(e.best_move(), "(none)", "{fen}");
    }
    e.send("position startpos\ngo depth 2");
    assert_eq!(e.best_move().len(), 4);
}

#[test]
fn ends_of_games_have_no_move() {
    let mut e = Engine::uci();
    for fen in ["1R1k5/R8/9/9/9/9/9/9/9/4K4 b", "3k5/R8/9/9/9/9/9/9/9/4K4 b"] {
        for go in ["go depth 3", "go movetime 200", "go wtime 1000 btime 1000"] {
            e.send(&format!("position fen {fen}\n{go}"));
            let lines = e.lines_until("bestmove");
            assert_eq!(lines[lines.len() - 2], "info depth 0 score mate 0");
            assert_eq!(lines[lines.len() - 1], "bestmove (none)");
        }
    }
}

#[test]
fn a_repeated_position_still_has_a_move() {
    let mut e = Engine::uci();
    let turn = " b0c2 b9c7 c2b0 c7b9";
    e.send(&format!("position startpos moves{}", turn.repeat(5)));
    e.send("go depth 3");
    assert_eq!(e.best_move().len(), 4);
    e.send(&format!("position startpos moves{}", turn.repeat(500)));
    e.send("go depth 2");
    assert_eq!(e.best_move().len(), 4);
}

#[test]
fn idle_stop_is_silent_and_the_other_hello_ignored() {
    let mut e = Engine::start();
    e.send("isready");
    e.expect("readyok");
    e.send("uci\nucci\nstop\nstop\nfrobnicate\nisready");
    let lines = e.lines_until("readyok");
    assert!(lines.iter().any(|l| l == "uciok"));
    assert!(
        lines
            .iter()
            .all(|l| l != "ucciok" && !l.contains("bestmove")),
        "{lines:?}"
    );
    e.send("uci");
    e.expect("uciok");
    e.send("quit");
    assert!(e.exit(PATIENCE).success());
}

#[test]
fn cyclone_and_ucci_words_are_understood() {
    let mut e = Engine::start();
    e.send("ucicyclone\nuci");
    e.expect("uciok");
    e.send("fen 3k5/R8/9/p8/9/9/9/9/9/1R2K4 r\ngo depth 3");
    assert!(MATES.contains(&&*e.best_move()));
    e.send("startpos moves h2e2\ngo time 500 increment 0 opptime 500 oppincrement 0");
    e.best_move();
    e.send("setoption multipv 2\nsetoption Clear Hash\nnewgame\nposition startpos\ngo depth 3");
    assert!(
        e.lines_until("bestmove")
            .iter()
            .any(|l| l.contains("multipv 2"))
    );
    // No word of UCCI leaves, though.
    e.send("go draw depth 2");
    let line = e.expect("bestmove");
    assert!(!line.contains("draw"), "{line}");
}

#[test]
fn people_without_a_hello_are_served() {
    let output = pipe("position startpos\nd\neval\ngo perft 3\ngo depth 2\n");
    let text = stdout(&output);
    assert!(output.status.success());
    for part in [
        "Fen: rnbakabnr/",
        "static value",
        "perft 3: 79666 nodes",
        "bestmove ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn long_work_beside_the_search_can_be_stopped() {
    let mut e = Engine::uci();
    e.send("position startpos\ngo perft 9");
    assert_eq!(e.answers_until_ready(), 0);
    e.send("stop\ngo depth 1");
    e.best_move();
    e.send("bench 30\nisready");
    e.expect("readyok");
    e.send("quit");
    assert!(e.exit(Duration::from_secs(5)).success());
}

/// A count without end tells now and then how far it is, and so notices that it speaks to nobody.
#[test]
fn long_work_ends_when_nobody_reads() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(b"position startpos\ngo perft 12\n")
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    assert!(line.starts_with("info time "), "{line}");
    drop((stdin, lines));
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("still counting");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
