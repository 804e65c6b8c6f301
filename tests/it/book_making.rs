//! `chuhe book`: books made from games, checked, changed and joined; the suite that `match` plays from.

use crate::book::{after, folder};
use crate::harness::{run, stdout};
use chuhe::opening_book::{BookMove, OpeningBook, Symmetry};
use chuhe::position::Position;
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const PGN: &str = "[Result \"1-0\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n\n\
    [Result \"1/2-1/2\"]\n\n1. C8=5 H2+3 2. H8+7 R1=2 1/2-1/2\n\n\
    [Result \"0-1\"]\n\n1. H2-E2 H7-E7 2. E2-E6 D9-E8 0-1\n\n\
    [FEN \"3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1\"]\n\n1. A1-A9 1-0\n";

fn json(args: &[&str]) -> Value {
    let output = run(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {output:?}"))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A book of the games above.
fn build(dir: &Path, more: &[&str]) -> (PathBuf, String) {
    let (pgn, book) = (dir.join("g.pgn"), dir.join("g.book"));
    std::fs::write(&pgn, PGN).unwrap();
    let mut args = vec!["book", "build", text(&pgn), "--out", text(&book)];
    args.extend(["--min-games", "1", "--min-score", "0"]);
    args.extend(more);
    let output = run(&args);
    assert!(output.status.success(), "{output:?}");
    (book, stdout(&output))
}

#[test]
fn a_book_of_a_few_games() {
    let dir = folder("build");
    let (book, told) = build(&dir, &[]);
    assert!(
        told.starts_with("3 games (1 from a set-up position left out): 6 positions, 7 moves"),
        "{told}"
    );
    let start = json(&["book", "show", "--book", text(&book), "--json"]);
    let moves = start["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    let cannon = &moves[0];
    assert_eq!(cannon["chinese"], "炮二平五");
    assert_eq!(cannon["iccs"], "H2-E2");
    for (name, count) in [("games", 3), ("wins", 1), ("draws", 1), ("losses", 1)] {
        assert_eq!(cannon[name], count, "{name}");
    }
    // The mirror image of two games, on the other side of the board.
    let left = json(&[
        "book",
        "show",
        "--book",
        text(&book),
        "--moves",
        "b2e2",
        "--json",
    ]);
    let first = &left["moves"][0];
    assert_eq!(
        (&first["uci"], &first["games"]),
        (&"b7e7".into(), &1.into())
    );
    let replies: Vec<&Value> = left["moves"].as_array().unwrap().iter().collect();
    assert!(
        replies
            .iter()
            .any(|m| m["uci"] == "b9c7" && m["games"] == 2)
    );
    // A taste of every way out.
    let tree = stdout(&run(&["book", "export", text(&book)]));
    assert!(tree.contains("炮二平五 h2e2  w1000 3g 50.0%"), "{tree}");
    let pgn = stdout(&run(&["book", "export", text(&book), "--format", "pgn"]));
    assert_eq!(
        chuhe::records::read("x", pgn.as_bytes()).games.len(),
        2,
        "{pgn}"
    );
    let unknown = run(&["book", "show", "--book", text(&book), "--moves", "a0a1"]);
    assert_eq!(unknown.status.code(), Some(1));
}

#[test]
fn checked_by_search_and_taken_up_again() {
    let dir = folder("search");
    let state = dir.join("s.state");
    let bounds = [
        "--max-loss",
        "100",
        "--line-loss",
        "150",
        "--state",
        text(&state),
    ];
    let more = [&["--nodes", "1000,3000"][..], &bounds].concat();
    let (book, _) = build(&dir, &more);
    let answers = std::fs::read_to_string(&state).unwrap();
    let first = std::fs::read(&book).unwrap();
    // A run that was killed in the middle of a line.
    let cut = &answers[..answers.len() - 9];
    std::fs::write(&state, cut).unwrap();
    build(&dir, &more);
    assert_eq!(std::fs::read(&book).unwrap(), first);
    assert_eq!(
        std::fs::read_to_string(&state).unwrap().lines().count(),
        answers.lines().count()
    );
    let verify = ["book", "verify", text(&book), "--nodes", "3000"];
    let verify = [&verify[..], &bounds].concat();
    let report = json(&[&verify[..], &["--json"]].concat());
    assert_eq!(
        report["faults"].as_array().map(Vec::len),
        Some(0),
        "{report}"
    );
    assert!(
        report["greatest_move_loss"].as_i64().unwrap() <= 100,
        "{report}"
    );
    let other = run(&[&verify[..], &["--hash", "8"]].concat());
    assert_eq!(other.status.code(), Some(2));
    let show = json(&["book", "show", "--book", text(&book), "--json"]);
    assert!(show["moves"][0]["score"].is_i64(), "{show}");
    assert_eq!(show["nodes"], 3000);
    // A cannon for a horse: a fault wherever it stands.
    let set = run(&["book", "set", text(&book), "b2b9", "--weight", "500"]);
    assert_eq!(set.status.code(), Some(0));
    let found = run(&verify);
    assert_eq!(found.status.code(), Some(1), "{}", stdout(&found));
}

#[test]
fn carried_on_by_the_engine() {
    let dir = folder("extend");
    let loose = ["--nodes", "500", "--max-loss", "400", "--line-loss", "900"];
    let (book, _) = build(&dir, &loose);
    let before = OpeningBook::open(&book).unwrap().positions();
    let (book, _) = build(&dir, &[&loose[..], &["--extend", "60"]].concat());
    let after = OpeningBook::open(&book).unwrap();
    assert!(before < 12 && after.positions() >= 60);
    let table = after.table().unwrap();
    let added: Vec<_> = table.values().flatten().filter(|m| m.games == 0).collect();
    let (own, theirs): (Vec<&BookMove>, Vec<&BookMove>) =
        added.into_iter().partition(|m| m.weight > 0);
    assert!(!own.is_empty() && own.iter().all(|m| m.score.is_some()));
    // Where games have a move, another one is there only to be answered.
    assert!(!theirs.is_empty());
    let start = table[&Symmetry::of(&Position::startpos()).key].iter();
    assert_eq!(start.filter(|m| m.weight > 0).count(), 1);
    let found = run(&[&["book", "verify", text(&book)], &loose[..]].concat());
    assert!(found.status.success(), "{}", stdout(&found));
    for seed in ["1", "2", "3", "4", "5"] {
        let args = ["--selection", "random", "--seed", seed, "--json"];
        let probe = ["book", "probe", "--book", text(&book)];
        let answer = json(&[&probe[..], &args].concat());
        assert_eq!(answer["move"]["uci"], "h2e2", "{answer}");
    }
}

#[test]
fn changed_by_hand_and_joined() {
    let dir = folder("hand");
    let (book, _) = build(&dir, &[]);
    let other = dir.join("other.book");
    std::fs::copy(&book, &other).unwrap();
    let ban = ["book", "ban", text(&book), "--moves", "炮二平五", "马8进7"];
    assert!(run(&ban).status.success());
    let set = ["book", "set", text(&book), "兵七进一", "--weight", "500"];
    assert!(run(&set).status.success());
    let joined = dir.join("joined.book");
    let merge = [
        "book",
        "merge",
        text(&book),
        text(&other),
        "--out",
        text(&joined),
    ];
    assert!(run(&merge).status.success());
    let start = json(&["book", "show", "--book", text(&joined), "--json"]);
    let moves = start["moves"].as_array().unwrap();
    assert_eq!(moves[0]["games"], 6);
    // In the start position the pawn's move on the left is that on the right.
    assert!(
        moves
            .iter()
            .any(|m| m["uci"] == "g3g4" && m["weight"] == 500),
        "{start}"
    );
    let probe = |seed: &str| {
        let answer = json(&[
            "book",
            "probe",
            "--book",
            text(&joined),
            "--moves",
            "h2e2",
            "--json",
            "--selection",
            "random",
            "--seed",
            seed,
        ]);
        answer["move"]["uci"].as_str().unwrap().to_owned()
    };
    assert!((1..30).all(|seed| probe(&seed.to_string()) == "h7e7"));
    let bad = run(&["book", "ban", text(&book), "炮二平九"]);
    assert_eq!(bad.status.code(), Some(2));
    let before = std::fs::read(&book).unwrap();
    let bad = run(&[
        "book",
        "build",
        text(&dir.join("none")),
        "--out",
        text(&book),
    ]);
    assert_eq!(
        (bad.status.code(), std::fs::read(&book).unwrap()),
        (Some(2), before)
    );
}

#[test]
fn balanced_lines_to_order() {
    let dir = folder("lines");
    let (book, _) = build(&dir, &[]);
    let lines = |seed: &str| {
        let output = run(&[
            "book",
            "export",
            text(&book),
            "--openings",
            "12",
            "--plies",
            "4",
            "--max-score",
            "80",
            "--nodes",
            "500",
            "--seed",
            seed,
        ]);
        assert!(output.status.success(), "{output:?}");
        stdout(&output)
    };
    let told = lines("3");
    assert_eq!(told, lines("3"));
    assert_ne!(told, lines("4"));
    check_lines(&told, 12, 4, 80);
}

/// The lines are playable, as long and as balanced as told, and no two the same.
fn check_lines(text: &str, count: usize, plies: usize, most: i32) {
    let mut keys = HashSet::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let (moves, score) = line.split_once('#').unwrap();
        let position = after(moves.strip_prefix("startpos moves").unwrap());
        assert_eq!(position.ply_count(), plies, "{line}");
        assert!(position.has_legal_move(), "{line}");
        assert!(score.trim().parse::<i32>().unwrap().abs() <= most, "{line}");
        assert!(keys.insert(Symmetry::of(&position).key), "{line}");
    }
    assert_eq!(keys.len(), count);
}

#[test]
fn the_suite_that_comes_with_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/openings.txt");
    check_lines(&std::fs::read_to_string(path).unwrap(), 2000, 8, 60);
}

#[test]
fn matches_begin_from_the_suite_and_without_books() {
    let dir = folder("match");
    let binary = env!("CARGO_BIN_EXE_chuhe");
    let play = |own: &str| {
        let output = std::process::Command::new(binary)
            .args([
                "match",
                "--engine",
                "name=A",
                "proto=ucci",
                &format!("cmd={binary}"),
            ])
            .args(own.split_whitespace())
            .args(["--engine", "name=B", "proto=uci", &format!("cmd={binary}")])
            .args([
                "--nodes",
                "50",
                "--games",
                "2",
                "--max-plies",
                "14",
                "--quiet",
            ])
            .args(["--engine-log", "logs", "--jsonl", "g.jsonl"])
            .current_dir(&dir)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let game = std::fs::read_to_string(dir.join("g.jsonl")).unwrap();
        let game: Value = serde_json::from_str(game.lines().next().unwrap()).unwrap();
        let logs: String = std::fs::read_dir(dir.join("logs"))
            .unwrap()
            .map(|f| std::fs::read_to_string(f.unwrap().path()).unwrap())
            .collect();
        (game["book"].as_u64(), logs)
    };
    let (book, logs) = play("");
    assert_eq!(book, Some(8));
    assert!(logs.contains("setoption usebook false"), "{logs}");
    assert!(
        logs.contains("setoption name OwnBook value false"),
        "{logs}"
    );
    assert!(!logs.contains("message book "), "{logs}");
    let _ = std::fs::remove_dir_all(dir.join("logs"));
    let (_, logs) = play("option.usebook=true");
    assert!(logs.contains("setoption usebook true"), "{logs}");
    assert!(!logs.contains("setoption usebook false"), "{logs}");
}
