//! `chuhe judge` from outside.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn judge(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .arg("judge")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

const FEN: &str = "3aka3/9/9/9/6b2/9/9/9/8R/3K5 w - - 0 1";
const LOOP: &str = "i1g1 g5i7 g1i1 i7g5 ";

#[test]
fn explains_in_words() {
    let moves = LOOP.repeat(3);
    let out = judge(&["--fen", FEN, "--moves", &moves], "");
    assert!(out.status.success());
    let words = text(&out);
    assert!(
        words.starts_with("Red loses: every move of Red in the cycle is a chase"),
        "{words}"
    );
    assert!(words.contains("rook g1 attacks the elephant g5"), "{words}");
    let out = judge(&["--fen", FEN, "--moves", &moves, "--lang", "zh"], "");
    assert!(
        text(&out).starts_with("红方负：红方步步是打，为长捉"),
        "{}",
        text(&out)
    );
    let words = text(&out);
    assert!(words.contains("\n   1 红 i1g1 捉 "), "{words}");
    assert!(words.contains("\n   2 黑 g5i7 闲 "), "{words}");
    let english = ["red", "black", "chase", "idle"];
    assert!(!english.iter().any(|w| words.contains(w)), "{words}");
    let out = judge(&["--moves", "h2e2 a0a5", "--lang", "zh"], "");
    assert!(text(&out).contains("第2步 a0a5 不合法"), "{}", text(&out));
}

/// 炮二平五 马8进7 in GBK, as old programs write it.
#[cfg(feature = "tools")]
#[test]
fn reads_moves_in_gbk() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("judge-gbk.txt");
    let bytes = b"1. \xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 \xc2\xed8\xbd\xf87\n";
    std::fs::write(&path, bytes).unwrap();
    let out = judge(&[path.to_str().unwrap(), "--all"], "");
    assert!(text(&out).contains("   2 black h9g7"), "{out:?}");
}

#[cfg(feature = "tools")]
#[test]
fn prints_json_as_agreed() {
    use serde_json::Value;
    let input = format!(
        "{FEN}\t{}\n{FEN}\t{}\n\n{FEN}\n",
        LOOP.repeat(2),
        LOOP.repeat(3)
    );
    let out = judge(&["-", "--json"], &input);
    assert!(out.status.success(), "{out:?}");
    let words = text(&out);
    let games: Vec<Value> = words
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(games.len(), 3);
    let warned = &games[0];
    assert_eq!(warned["verdict"], "ongoing");
    assert_eq!(warned["must_vary"], "red");
    assert_eq!(warned["reason"]["code"], "not_over");
    assert_eq!(warned["cycle"]["occurrences"], 3);
    let lost = &games[1];
    assert_eq!(lost["verdict"], "red_loses");
    assert_eq!(lost["reason"]["code"], "perpetual_chase");
    assert_eq!(lost["reason"]["article"], "24.3");
    assert_eq!(lost["red"]["class"], "perpetual_chase");
    assert_eq!(lost["black"]["class"], "permitted");
    assert_eq!(lost["cycle"]["length"], 4);
    let first = &lost["moves"][0];
    assert_eq!(first["ply"], 1);
    assert_eq!(first["side"], "red");
    assert_eq!(first["uci"], "i1g1");
    assert_eq!(first["label"], "chase");
    assert_eq!(first["targets"][0], "g5");
    assert_eq!(first["line"][0], "g1g5");
    assert!(games[2]["cycle"].is_null() && games[2]["red"].is_null());
    assert_eq!(games[2]["moves"].as_array().unwrap().len(), 0);
}

#[test]
fn faults_are_named() {
    let cases = [
        (vec!["--fen", "nonsense"], "", "--fen: "),
        (vec!["--moves", "h2e2 zz"], "", "ply 2"),
        (vec!["--rules", "none-such"], "", "none-such"),
        (vec!["no-such-file"], "", "no-such-file"),
        (vec!["-"], "9/9\th2e2\n", "-:1"),
    ];
    for (args, input, word) in cases {
        let out = judge(&args, input);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(out.stdout.is_empty(), "{args:?}");
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(said.contains(word), "{args:?}: {said}");
    }
}

#[test]
fn reads_plain_moves_and_illegal_ones() {
    let out = judge(&["-"], "1. h2e2 h9g7\n2. H0-G2 i9h9\n");
    assert!(text(&out).contains("4 plies"), "{}", text(&out));
    let out = judge(&["--moves", "h2e2 h9g7 e2e9"], "");
    assert!(
        text(&out).starts_with("Red loses: it made an illegal move"),
        "{}",
        text(&out)
    );
}

/// A PGN's main line is judged as the same moves are from the command line.
#[cfg(feature = "tools")]
#[test]
fn reads_game_files() {
    let pgn = format!(
        "[Game \"Chinese Chess\"]\n[FEN \"{FEN}\"]\n\n{} *\n",
        LOOP.repeat(3)
    );
    let out = judge(&["-"], &pgn);
    let words = text(&out);
    assert!(out.status.success(), "{words}");
    assert!(words.starts_with("Red loses: every move of Red in the cycle is a chase"));
    assert_eq!(
        words,
        text(&judge(&["--fen", FEN, "--moves", &LOOP.repeat(3)], ""))
    );
}

#[test]
fn one_bad_game_does_not_hide_the_others() {
    let good = format!("{FEN}\t{}", LOOP.repeat(3));
    let out = judge(&["-"], &format!("{good}\n4k4/9 w\ta0a1\n{good}\n"));
    assert_eq!(text(&out).matches("Red loses").count(), 2);
    assert_eq!(out.status.code(), Some(2));
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.starts_with("chuhe: -:2: FEN: "), "{told}");
    let empty = judge(&["-"], "\n");
    assert_eq!(empty.status.code(), Some(2));
}
