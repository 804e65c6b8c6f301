//! Opening books: the files, and what the engine plays from them.

use crate::harness::Engine;
use chuhe::opening_book::{BookMove, Details, OpeningBook, Symmetry, encode};
use chuhe::position::Position;
use chuhe::types::Move;
use chuhe::util::SplitMix;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// A folder of one test, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn m(text: &str) -> Move {
    text.parse().unwrap()
}

pub(crate) fn after(moves: &str) -> Position {
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
