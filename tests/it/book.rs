//! Opening books: the files, the making, what the engine plays from them.

use crate::harness::Engine;
use chuhe::opening_book::{BookMove, Details, OpeningBook, Symmetry, encode};
use chuhe::position::Position;
use chuhe::types::Move;
use chuhe::util::SplitMix;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// A folder of one test, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn m(text: &str) -> Move {
    text.parse().unwrap()
}

fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    for text in moves.split_whitespace() {
        position.play(m(text)).unwrap();
    }
    position
}

/// A book of these moves with their weights.
fn small(entries: &[(&Position, &[(&str, u16)])]) -> Vec<u8> {
    let mut table = BTreeMap::new();
    for (position, moves) in entries {
        let here = Symmetry::of(position);
        let known = |(text, weight): &(&str, u16)| BookMove::new(here.to_book(m(text)), *weight);
        table.insert(here.key, moves.iter().map(known).collect());
    }
    encode(&table, Details::default())
}

/// What is wrong with a file, by name.
fn broken_files(dir: &Path) -> Vec<(PathBuf, &'static str)> {
    let start = Position::startpos();
    let sound = small(&[
        (&start, &[("h2e2", 9), ("g3g4", 4)]),
        (&after("h2e2"), &[("h9g7", 1)]),
    ]);
    assert_eq!(
        OpeningBook::from_bytes("sound", sound.clone())
            .unwrap()
            .positions(),
        2
    );
    let changed = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut longer = sound.clone();
    longer.push(0);
    let files: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "the file is empty"),
        ("head", sound[..40].to_vec(), "cut off"),
        (
            "cut",
            sound[..sound.len() - 1].to_vec(),
            "cut off or spoilt",
        ),
        ("longer", longer, "cut off or spoilt"),
        ("version", changed(8), "version 0 of the format"),
        ("scheme", changed(12), "other keys"),
        ("start", changed(16), "other keys"),
        ("count", changed(24), "cut off or spoilt"),
        ("sum", changed(33), "damaged: its checksum"),
        ("details", changed(41), "damaged: its checksum"),
        ("reserved", changed(63), "damaged: its checksum"),
        ("key", changed(64), "damaged: its checksum"),
        ("last", changed(sound.len() - 1), "damaged: its checksum"),
        (
            "sqlite.obk",
            b"SQLite format 3\0rest of it".to_vec(),
            "a SQLite database",
        ),
        ("text.txt", b"1. h2e2 h9g7\n".to_vec(), "a text"),
        ("zip", b"PK\x03\x04\0\0\0\0".to_vec(), "a ZIP archive"),
        (
            "noise",
            (0..=255).rev().chain(0..=255).collect(),
            "a file of an unknown format",
        ),
    ];
    let mut out = vec![
        (dir.join("not-there"), "cannot be read"),
        (dir.into(), "it is not a file"),
    ];
    for (name, bytes, why) in files {
        let path = dir.join(name);
        std::fs::write(&path, bytes).unwrap();
        out.push((path, why));
    }
    out
}

#[test]
fn broken_and_foreign_files_are_refused_with_the_reason() {
    let dir = folder("broken");
    for (path, why) in broken_files(&dir) {
        let error = OpeningBook::open(&path).err().map(|e| e.to_string());
        let error = error.unwrap_or_else(|| panic!("{} was taken", path.display()));
        assert!(error.contains(why), "{}: {error}", path.display());
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    let sound = small(&[(
        &Position::startpos(),
        &[("h2e2", 9), ("g3g4", 4), ("g0e2", 2)],
    )]);
    for i in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[i] = bytes[i].wrapping_add(0x40);
        assert!(OpeningBook::from_bytes("x", bytes).is_err(), "byte {i}");
        assert!(
            OpeningBook::from_bytes("x", sound[..i].to_vec()).is_err(),
            "{i} bytes"
        );
    }
}

#[test]
fn play_goes_on_without_an_unreadable_book() {
    let dir = folder("play-on");
    for (path, why) in broken_files(&dir) {
        let mut e = Engine::ucci_with_book();
        e.send(&format!("setoption bookfiles {}", path.display()));
        let line = e.expect("info message book ");
        assert!(line.contains("play goes on without it"), "{why}: {line}");
        e.send("position startpos\ngo depth 2");
        let lines = e.lines_until("bestmove");
        assert!(
            lines.iter().any(|l| l.starts_with("info depth 2 score")),
            "{lines:?}"
        );
    }
}

/// Keys of all positions of the builtin book.
fn builtin() -> BTreeMap<u64, Vec<BookMove>> {
    OpeningBook::builtin().unwrap().table().unwrap()
}

/// Walks from the start, mostly along the book, sometimes by lot; calls for each position.
fn walks(count: u64, mut each: impl FnMut(&Position)) {
    let table = builtin();
    for walk in 0..count {
        let mut lot = SplitMix::new(walk, 1);
        let mut position = Position::startpos();
        for _ in 0..40 {
            each(&position);
            let here = Symmetry::of(&position);
            let known = table.get(&here.key).map_or(&[][..], Vec::as_slice);
            let legal = position.legal_moves();
            let m = if !known.is_empty() && lot.below(8) > 0 {
                let m = here.to_board(known[lot.below(known.len())].mv);
                if here.symmetric && lot.below(2) == 0 {
                    m.mirror()
                } else {
                    m
                }
            } else if legal.is_empty() || known.is_empty() && lot.below(2) == 0 {
                break;
            } else {
                legal[lot.below(legal.len())]
            };
            position.make(m);
        }
    }
}

#[test]
fn every_book_move_of_many_walks_is_legal() {
    let table = builtin();
    let mut looked_up = 0;
    walks(10_000, |position| {
        let here = Symmetry::of(position);
        for known in table.get(&here.key).into_iter().flatten() {
            let m = here.to_board(known.mv);
            assert!(position.is_legal(m), "{m} in {}", position.fen());
            looked_up += 1;
        }
    });
    assert!(looked_up > 50_000, "only {looked_up} moves met");
}

#[test]
fn left_and_right_are_the_same() {
    let book = OpeningBook::builtin().unwrap();
    let mut met = 0;
    walks(300, |position| {
        let mut image = Position::startpos();
        for m in position.moves_played() {
            image.play(m.mirror()).unwrap();
        }
        let here = book.moves(position);
        let there: HashSet<(Move, u16)> = book
            .moves(&image)
            .iter()
            .map(|m| (m.mv, m.weight))
            .collect();
        let symmetric = Symmetry::of(position).symmetric;
        for known in &here {
            let turned = if symmetric {
                known.mv
            } else {
                known.mv.mirror()
            };
            assert!(
                there.contains(&(turned, known.weight)),
                "{}",
                position.fen()
            );
        }
        assert_eq!(here.len(), there.len());
        met += here.len();
    });
    assert!(met > 1_000);
}

#[test]
fn ucci_plays_from_the_book_and_uci_only_if_asked() {
    let mut e = Engine::ucci_with_book();
    e.send("position startpos\ngo time 60000 increment 0");
    let line = e.expect("info message book ");
    assert!(
        line.contains("(builtin): ") && line.contains(" games +"),
        "{line}"
    );
    let first = e.best_move();
    assert!(line.starts_with(&format!("info message book {first} ")));
    e.send("setoption usebook false\nposition startpos\ngo depth 2");
    let lines = e.lines_until("bestmove");
    assert!(lines.iter().all(|l| !l.contains(" book ")), "{lines:?}");

    let mut e = Engine::start();
    e.send("uci");
    let hello = e.lines_until("uciok");
    assert!(hello.contains(&"option name OwnBook type check default false".to_owned()));
    assert!(hello.contains(&"option name Book File type string default builtin".to_owned()));
    e.send("position startpos\ngo depth 2");
    let lines = e.lines_until("bestmove");
    assert!(lines.iter().all(|l| !l.contains(" book ")), "{lines:?}");
    e.send("setoption name OwnBook value true\ngo wtime 60000 btime 60000");
    e.expect("info string book ");
    e.best_move();
    // Whoever analyses wants to see thoughts.
    e.send("go infinite");
    e.expect("info depth 2 ");
    e.send("stop");
    e.best_move();
    e.send("setoption name Book Depth value 0\ngo depth 2");
    let lines = e.lines_until("bestmove");
    assert!(lines.iter().all(|l| !l.contains(" book ")), "{lines:?}");
}

#[test]
fn the_seed_decides_and_bans_count() {
    let dir = folder("seed");
    let path = dir.join("two.book");
    let start = Position::startpos();
    std::fs::write(&path, small(&[(&start, &[("h2e2", 10), ("g3g4", 10)])])).unwrap();
    let mut e = Engine::uci();
    e.send(&format!(
        "setoption name OwnBook value true\nsetoption name Book File value no-such-file;{}",
        path.display()
    ));
    e.expect("info string book no-such-file");
    e.send("position startpos");
    let mut seen = HashSet::new();
    for seed in 1..20 {
        e.send(&format!(
            "setoption name Book Seed value {seed}\ngo nodes 100"
        ));
        let first = e.best_move();
        e.send("ucinewgame\nposition startpos\ngo nodes 100");
        assert_eq!(e.best_move(), first, "seed {seed}");
        seen.insert(first);
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    e.send("banmoves h2e2\ngo nodes 100");
    assert_eq!(e.best_move(), "g3g4");
    e.send("banmoves h2e2 g3g4\ngo nodes 100");
    assert!(!["h2e2", "g3g4"].contains(&e.best_move().as_str()));
    e.send("position startpos\ngo nodes 100 searchmoves g3g4 a0a1");
    assert_eq!(e.best_move(), "g3g4");
}

#[test]
fn what_must_be_varied_is_not_played_from_a_book() {
    let dir = folder("varied");
    let path = dir.join("chase.book");
    const CHASE: &str = "3aka3/9/9/9/6b2/9/9/9/8R/3K5 w - - 0 1";
    // A rook that chases an unprotected elephant must vary (24.3).
    let chase = Position::from_fen(CHASE).unwrap();
    std::fs::write(&path, small(&[(&chase, &[("i1g1", 10)])])).unwrap();
    let mut e = Engine::ucci_with_book();
    e.send(&format!(
        "setoption bookfiles {}\nposition fen {CHASE}\ngo nodes 2000",
        path.display()
    ));
    e.expect("info message book i1g1");
    assert_eq!(e.best_move(), "i1g1");
    let circle = " i1g1 g5i7 g1i1 i7g5";
    for times in 1..=3 {
        e.send(&format!(
            "position fen {CHASE} moves{}\ngo nodes 2000",
            circle.repeat(times)
        ));
        let lines = e.lines_until("bestmove");
        assert!(lines.iter().all(|l| !l.contains(" book ")), "{lines:?}");
        if times == 3 {
            assert!(
                !lines[lines.len() - 1].starts_with("bestmove i1g1"),
                "{lines:?}"
            );
        }
    }
}

#[cfg(feature = "tools")]
mod making {
    use super::*;
    use crate::harness::{run, stdout};
    use serde_json::Value;

    const PGN: &str = "[Result \"1-0\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n\n\
        [Result \"1/2-1/2\"]\n\n1. C8=5 H2+3 2. H8+7 R1=2 1/2-1/2\n\n\
        [Result \"0-1\"]\n\n1. H2-E2 H7-E7 2. E2-E6 D9-E8 0-1\n\n\
        [FEN \"3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1\"]\n\n1. A1-A9 1-0\n";

    fn json(args: &[&str]) -> Value {
        let output = run(args);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{args:?}: {e}: {output:?}"))
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
        let more = [
            "--nodes",
            "1000,3000",
            "--max-loss",
            "100",
            "--line-loss",
            "150",
            "--state",
            text(&state),
        ];
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
        let verify = [
            "book",
            "verify",
            text(&book),
            "--nodes",
            "3000",
            "--max-loss",
            "100",
            "--line-loss",
            "150",
            "--state",
            text(&state),
        ];
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
        let (book, _) = build(&dir, &[&loose[..], &["--extend", "12"]].concat());
        let after = OpeningBook::open(&book).unwrap();
        assert!(before < 12 && after.positions() >= 12);
        let added = after.table().unwrap();
        let added: Vec<_> = added.values().flatten().filter(|m| m.games == 0).collect();
        assert!(!added.is_empty() && added.iter().all(|m| m.score.is_some() && m.weight > 0));
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
}
