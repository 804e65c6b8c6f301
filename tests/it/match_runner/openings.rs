//! Where openings come from: lots that an engine judges, and files of games.

use super::{BINARY, folder, games, mock, run, text};
use chuhe::tournament::{Opening, random};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The openings in a state file.
fn openings(state: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(state).unwrap();
    let header: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    (header["openings"].as_array().unwrap().iter())
        .map(|o| o.as_str().unwrap().to_owned())
        .collect()
}

/// What chuhe thinks of positions at depth 2, in hundredths of a pawn; `None` for a mate.
fn scores(openings: &[String]) -> Vec<Option<i32>> {
    let mut engine = Command::new(BINARY)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    writeln!(input, "uci").unwrap();
    let scores = openings.iter().map(|opening| {
        writeln!(input, "ucinewgame\nposition {opening}\ngo depth 2").unwrap();
        let mut score = None;
        loop {
            let line = lines.next().unwrap().unwrap();
            if line.starts_with("bestmove") {
                return score;
            }
            if let Some((_, rest)) = line.split_once(" score ") {
                score = rest.strip_prefix("cp ").map(|cp| {
                    let number = cp.split_whitespace().next().unwrap();
                    number.parse().unwrap()
                });
            }
        }
    });
    let scores = scores.collect();
    writeln!(input, "quit").unwrap();
    engine.wait().unwrap();
    scores
}

#[test]
fn random_openings_stay_within_the_window_of_the_judge() {
    const WINDOW: i32 = 30;
    let folder = folder("window");
    let judge = format!("--opening-judge cmd={BINARY} depth=2");
    let event = "--games 24 --tc 5 --max-plies 8 --openings random:6 --seed 4 --quiet";
    let engines = [mock("A", ""), mock("B", "--seed 2")];
    let output = run(
        &folder,
        &engines,
        &format!("{event} --opening-window {WINDOW} {judge} --state w.state"),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let kept = openings(&folder.join("w.state"));
    assert_eq!(kept.len(), 12);
    let within = |s: &Option<i32>| s.is_some_and(|s| s.abs() <= WINDOW);
    assert!(scores(&kept).iter().all(within), "{:?}", scores(&kept));
    // Each place keeps its first random opening exactly if that one is within.
    let first: Vec<String> = (0..12).map(|i| Opening::into(random(4, i, 0, 6))).collect();
    let judged = scores(&first);
    let refused = judged.iter().filter(|s| !within(s)).count();
    assert!(
        (1..12).contains(&refused),
        "the test tests nothing: {judged:?}"
    );
    for i in 0..12 {
        assert_eq!(kept[i] == first[i], within(&judged[i]), "{i}: {judged:?}");
    }
}

#[test]
fn a_judge_that_fails_is_told_in_one_line() {
    let folder = folder("judge");
    let engines = [mock("A", ""), mock("B", "--seed 2")];
    for (judge, expected) in [
        (format!("cmd={BINARY}"), "needs nodes= or depth="),
        (
            "cmd=nowhere-to-be-found depth=1".into(),
            "nowhere-to-be-found",
        ),
    ] {
        let output = run(
            &folder,
            &engines,
            &format!("--tc 5 --openings random:4 --opening-window 9 --opening-judge {judge}"),
        );
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(expected), "{err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{err}");
    }
}

/// Three games: two that begin alike, one from a position of its own.
const PGN: &str = "[Event \"a\"]\n[Red \"甲\"]\n\n1. 炮二平五 {中炮} 马8进7 (1... 炮8平5) 2. 马二进三 1-0\n\n\
    [Event \"b\"]\n[Format \"ICCS\"]\n\n1. H2-E2 H9-G7 2. B0-C2 1/2-1/2\n\n\
    [Event \"c\"]\n[SetUp \"1\"]\n[FEN \"3aka3/9/9/9/6b2/9/9/9/8R/3K5 w - - 0 1\"]\n\n\
    1. I1-G1 G5-I7 2. G1-G2 *\n";

#[test]
fn openings_from_game_files() {
    let folder = folder("pgn-openings");
    std::fs::write(folder.join("o.pgn"), PGN).unwrap();
    let gbk = encoding_rs::GBK.encode(PGN).0;
    std::fs::write(folder.join("gbk.pgn"), gbk).unwrap();
    let engines = [mock("A", ""), mock("B", "--seed 2")];
    let play = |rest: &str| {
        let output = run(
            &folder,
            &engines,
            &format!("--tc 5 --max-plies 6 --quiet {rest}"),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    let chase = "3aka3/9/9/9/6b2/9/9/9/8R/3K5 w - - 0 1 moves i1g1 g5i7";
    for file in ["o.pgn", "gbk.pgn"] {
        play(&format!(
            "--games 6 --openings {file} --state {file}.state --jsonl g.jsonl --pgn out.pgn"
        ));
        let found = openings(&folder.join(format!("{file}.state")));
        assert_eq!(
            found,
            [
                "startpos moves h2e2 h9g7 h0g2",
                "startpos moves h2e2 h9g7 b0c2",
                &format!("{chase} g1g2")
            ]
        );
    }
    // They are played, each with both colours.
    let played = games(&folder.join("g.jsonl"));
    assert_eq!(played.len(), 6);
    assert!(played.iter().all(|g| g["book"] == 3));
    assert!(played[4]["start"].as_str().unwrap().starts_with("3aka3/"));
    assert_eq!(played[4]["moves"][0]["m"], "i1g1");
    // Cut, those that are then alike are one.
    play("--games 6 --openings o.pgn --opening-plies 2 --state cut.state");
    assert_eq!(
        openings(&folder.join("cut.state")),
        ["startpos moves h2e2 h9g7", chase]
    );
    // What a match writes can be played on from.
    play("--games 6 --openings out.pgn --opening-plies 4 --state again.state");
    assert!(openings(&folder.join("again.state")).len() >= 3);
}

#[test]
fn game_files_with_faults_are_refused_with_the_place() {
    let folder = folder("bad-openings");
    let engines = [mock("A", ""), mock("B", "--seed 2")];
    std::fs::write(folder.join("bad.pgn"), PGN.replace("H9-G7", "H9-G6")).unwrap();
    // 1. R e1-e9 is mate.
    std::fs::write(
        folder.join("mate.pgn"),
        "[FEN \"3k5/R8/9/9/9/9/9/9/4R4/4K4 w - - 0 1\"]\n\n1. E1-E9 *\n",
    )
    .unwrap();
    for (file, expected) in [("bad.pgn", "bad.pgn:9: "), ("mate.pgn", "the game is over")] {
        let output = run(&folder, &engines, &format!("--tc 5 --openings {file}"));
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(expected), "{err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{err}");
    }
}
