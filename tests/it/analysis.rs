//! `chuhe analyze` with files: games with known blunders and repetitions, resumption, suites.

use crate::harness::{run, stdout};
use serde_json::Value;
use std::path::PathBuf;

/// A cannon thrown away on the third ply; and a rook that chases an unprotected elephant.
const GAMES: &str = "[Event \"测试\"]\n[Red \"甲\"]\n[Black \"乙\"]\n\n1. 炮二平五 马8进7 \
    2. 炮五进四 {贪} 马7进5 3. 马二进三 炮2平5 1-0\n\n[FEN \"3aka3/9/9/9/6b2/9/9/9/8R/3K5 w\"]\n\n\
    i1g1 g5i7 g1i1 i7g5 i1g1 g5i7 g1i1 i7g5 *\n";

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let dir = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Folder(dir)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

#[test]
fn games_as_json_and_pgn() {
    let folder = Folder::new("analysis");
    let games = folder.file("games.pgn", GAMES);
    let pgn = folder.path("out.pgn");
    let args = ["analyze", &games, "--depth", "6", "--json", "--pgn", &pgn];
    let output = run(&[&args[..], &["--threads", "2"]].concat());
    assert!(output.status.success(), "{output:?}");
    let lines = json_lines(&stdout(&output));
    assert_eq!(lines.len(), 2);
    let game = &lines[0];
    assert_eq!(game["opening"]["ecco"], "D5");
    assert_eq!(game["plies"], 6);
    assert_eq!(game["scores_for_red"].as_array().unwrap().len(), 7);
    let blunder = &game["moves"][2];
    assert_eq!(blunder["chinese"], "炮五进四");
    assert!(blunder["loss"].as_f64().unwrap() > 0.1, "{blunder}");
    assert!(matches!(blunder["mark"].as_str(), Some("?" | "??")));
    assert!(!blunder["best"].as_array().unwrap().is_empty());
    assert!(game["red"]["accuracy"].as_f64() < Some(95.0));
    assert_eq!(game["red"]["moves"], 3);
    assert!(
        game["turning_points"]
            .as_array()
            .unwrap()
            .contains(&3.into())
    );

    let codes = |i: usize| -> Vec<String> {
        let events = lines[i]["events"].as_array().unwrap();
        events.iter().map(|e| e["code"].to_string()).collect()
    };
    assert!(codes(0).is_empty());
    assert_eq!(codes(1)[0], "\"cycle\"");
    assert!(codes(1).len() > 1, "{:?}", codes(1));

    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("{贪}"), "{text}");
    assert!(text.contains("[Annotator \"chuhe "), "{text}");
    let again = chuhe::records::read("out.pgn", text.as_bytes());
    assert!(again.problems.is_empty(), "{:?}", again.problems);
    assert_eq!(again.games[0].plies(), 6);
    assert!(again.games[0].variation_count() >= 1);

    // The same whatever the number of threads.
    let alone = run(&[&args[..], &["--threads", "1"]].concat());
    assert_eq!(stdout(&alone), stdout(&output));
    let table = stdout(&run(&["analyze", &games, "--depth", "5"]));
    assert!(
        table.contains("accuracy") && table.contains("Turning points:\n  2. 炮五进四?"),
        "{table}"
    );
    assert!(table.contains("Rules, ply 4: "), "{table}");
}

#[test]
fn a_killed_run_is_taken_up_again() {
    let folder = Folder::new("resume");
    let games = folder.file("games.pgn", GAMES);
    let state = folder.path("run.state");
    let args = [
        "analyze", &games, "--depth", "5", "--json", "--state", &state,
    ];
    let whole = stdout(&run(&args));
    let text = std::fs::read_to_string(&state).unwrap();
    // A head, and the positions of games of 6 and 8 moves.
    assert_eq!(text.lines().count(), 1 + 7 + 9);
    // Killed in the middle of a line.
    let cut = text.lines().take(8).map(str::len).sum::<usize>() + 8 + 11;
    std::fs::write(&state, &text[..cut]).unwrap();
    let output = run(&args);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stdout(&output), whole);
    let again = std::fs::read_to_string(&state).unwrap();
    assert_eq!(again.lines().count(), 17);
    assert!(again.starts_with(&text[..cut - 11]));
    // Of other limits, and of something else.
    let other = run(&["analyze", &games, "--depth", "4", "--state", &state]);
    assert_eq!(other.status.code(), Some(2));
    let precious = folder.file("notes.txt", "keep me");
    let refused = run(&["analyze", &games, "--depth", "4", "--state", &precious]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "keep me");
}

#[test]
fn one_unreadable_file_of_several_does_not_keep_the_others_from_being_read() {
    let dir = Folder::new("analysis-skip");
    let (games, absent) = (dir.file("games.pgn", GAMES), dir.path("absent.pgn"));
    let output = run(&["analyze", &absent, &games, "--nodes", "500", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(json_lines(&stdout(&output)).len(), 2);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(&absent), "{told}");
    // Alone it is an error.
    let output = run(&["analyze", &absent, "--nodes", "500"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn suites_are_solved() {
    let folder = Folder::new("suite");
    let suite = folder.file(
        "suite.epd",
        "5k3/9/9/9/9/9/9/9/R8/3K5 w - - dm 2; id \"two\";\n\
         3k5/9/9/3P5/9/9/9/9/9/4K4 w - - bm d6d7; id \"stalemate\";\n\
         3k5/9/9/3P5/9/9/9/9/9/4K4 w - - am d6d7; id \"wrong\";\n",
    );
    let output = run(&["analyze", &suite, "--depth", "8"]);
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    assert!(
        text.lines().last().unwrap().starts_with("2 of 3 solved"),
        "{text}"
    );
    assert_eq!(text.lines().filter(|l| l.starts_with("yes ")).count(), 2);
    let lines = json_lines(&stdout(&run(&[
        "analyze", &suite, "--depth", "8", "--json",
    ])));
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["solved"], true);
    assert_eq!(lines[2]["solved"], false);
    assert_eq!(lines[3]["solved"], 2);
    let bad = folder.file("bad.epd", "3k5/9/9/3P5/9/9/9/9/9/4K4 w - - bm z9z9;\n");
    assert_eq!(run(&["analyze", &bad]).status.code(), Some(2));
}

/// A table whose head names the columns serves as well; rows that ask nothing are passed over.
#[test]
fn tables_are_suites() {
    let folder = Folder::new("table");
    let suite = folder.file(
        "suite.tsv",
        "id\tkind\tfen\texpected\n\
         a\tmate\t5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\tmate<=2\n\
         b\tendgame\t5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\tresult win\n\
         c\tmate\tnonsense\tmate 1\n\
         d\tmate\t5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\tmate ?\n\
         e\ttactic\t3k5/9/9/3P5/9/9/9/9/9/4K4 w - - 0 1\tbm d6d7\n",
    );
    let output = run(&["analyze", &suite, "--depth", "8", "--notation", "chinese"]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(
        lines[1].contains("dm 2") && lines[1].ends_with(" a"),
        "{text}"
    );
    assert!(
        lines[2].contains("bm 兵六进一") && lines[2].ends_with(" e"),
        "{text}"
    );
    assert!(lines[3].starts_with("2 of 2 solved"), "{text}");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("suite.tsv:4: "), "{complaint}");
    assert_eq!(output.status.code(), Some(1), "a row was left out");
    for flag in ["--pgn", "--html", "--svg", "--state"] {
        let file = folder.path("x");
        let output = run(&["analyze", &suite, flag, &file]);
        assert_eq!(output.status.code(), Some(2), "{flag}");
        assert!(!std::path::Path::new(&file).exists(), "{flag}");
    }
}

/// Mates found, proved not to be there, and too long to be asked for.
#[test]
fn mates_of_a_suite_are_counted() {
    let folder = Folder::new("mates");
    let suite = folder.file(
        "mates.tsv",
        "id\tkind\tfen\texpected\n\
         found\tmate\t5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\tmate 2\n\
         sooner\tmate\t5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\tmate<=3\n\
         missing\tmate\t5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\tmate 1\n\
         long\tmate\t5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\tmate 9\n",
    );
    let output = run(&["bench", "--suite", &suite, "--longest", "7"]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("missing: no mate in 1: proved  5k3/"),
        "{text}"
    );
    assert_eq!(
        lines[1],
        "2 / 3 mates found at the right distance; 0 longer, 0 shorter, 1 proved not to be there, 0 not found"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn pictures_of_turning_points() {
    let folder = Folder::new("pictures");
    let games = folder.file("games.pgn", GAMES);
    let pictures = folder.path("pictures");
    let output = run(&[
        "analyze", &games, "--depth", "6", "--json", "--svg", &pictures,
    ]);
    let turns: usize = json_lines(&stdout(&output))
        .iter()
        .map(|g| g["turning_points"].as_array().unwrap().len())
        .sum();
    let files: Vec<_> = std::fs::read_dir(&pictures).unwrap().flatten().collect();
    assert_eq!(files.len(), turns);
    assert!(turns > 0);
    for file in files {
        let svg = std::fs::read_to_string(file.path()).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        // The better move and the move played.
        assert_eq!(svg.matches("fill-opacity=").count(), 2, "{svg}");
    }
    let output = run(&["analyze", &games, "--html", "/no/such/folder/x.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "found out before the analysis");
}

#[test]
fn what_is_for_one_position_is_refused_for_files() {
    let folder = Folder::new("refused");
    let games = folder.file("games.pgn", GAMES);
    for args in [
        &["--multipv", "2"][..],
        &["--mate", "2"],
        &["--moves", "h2e2"],
    ] {
        let output = run(&[&["analyze", &games], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(run(&["analyze", "--pgn", "x"]).status.code(), Some(2));
    assert_eq!(run(&["analyze", "/no/such/file"]).status.code(), Some(2));
}

/// Ctrl-C ends the thinking, and what was found is printed.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_result_so_far() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["analyze", "--movetime", "60000"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while text.lines().count() < 5 {
        out.read_line(&mut text).unwrap();
    }
    let started = std::time::Instant::now();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    out.read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(started.elapsed().as_secs() < 10);
    assert!(text.lines().last().unwrap().starts_with("best "), "{text}");
}
