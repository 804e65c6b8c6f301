//! The commands besides the protocol loop.

use crate::harness::{run, stdout};

const MATE_IN_TWO: &str = "5k3/9/9/9/9/9/9/9/R8/3K5 w";

#[test]
fn every_command_has_help_with_examples() {
    let top = stdout(&run(&["--help"]));
    let commands: Vec<&str> = top
        .lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter_map(|l| l.split_whitespace().next())
        .filter(|c| *c != "help")
        .collect();
    assert!(commands.len() >= 4, "{top}");
    for command in commands {
        let output = run(&[command, "--help"]);
        assert!(output.status.success());
        let text = stdout(&output);
        assert!(text.contains("Examples:\n  chuhe "), "{command}: {text}");
    }
}

#[test]
fn mistakes_are_one_line_and_status_two() {
    for args in [
        &["show", "--fen", "9/9 w"][..],
        &["perft", "x"],
        &["perft", "3", "--hash", "1048576", "--threads", "1000"],
        &["judge", "--rules", "chess"],
        &["--nonsense"],
        &["show", "--moves", "h2e2 h2e2"],
        &["analyze", "--fen", "4k4/9/9/9/9/9/9/9/9/4K4 w"],
        &["analyze", "--hash", "33554432"],
        &["bench", "--hash", "33554432"],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("chuhe: "), "{text}");
    }
    assert_eq!(run(&["nosuchcommand"]).status.code(), Some(2));
    assert_eq!(run(&["analyze", "--depth", "0"]).status.code(), Some(2));
}

#[test]
fn show_draws_the_position() {
    let text = stdout(&run(&["show", "--moves", "h2e2"]));
    assert!(
        text.contains("2   +---炮--+---+---炮--+---+---+---+   2\n"),
        "{text}"
    );
    assert!(text.contains("turn   black\n"), "{text}");
    assert!(text.contains(
        "fen    rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1\n"
    ));
    assert!(!text.contains('\x1b'), "colour is for terminals");
    assert!(text.contains("h9g7  H8+7  马8进7"), "{text}");
    // Moves are read in every notation.
    for moves in ["H2-E2 H8+7", "炮二平五 马８进７"] {
        let text = stdout(&run(&["show", "--moves", moves]));
        assert!(
            text.contains("1C2C4/9/RNBAKABNR w - - 2 2\n"),
            "{moves}: {text}"
        );
    }
}

#[test]
#[cfg(feature = "tools")]
fn show_as_json() {
    let output = run(&["show", "--json", "--fen", "3k5/R8/9/9/9/9/9/9/9/4K4 b"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["check"], "stalemate");
    assert_eq!(object["side_to_move"], "black");
    assert_eq!(object["legal_moves"].as_array().map(Vec::len), Some(0));
    let output = run(&["show", "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let moves = object["legal_moves"].as_array().unwrap();
    assert_eq!(moves.len(), 44);
    let cannon = moves.iter().find(|m| m["uci"] == "h2e2").unwrap();
    assert_eq!(
        (&cannon["wxf"], &cannon["chinese"]),
        (&"C2=5".into(), &"炮二平五".into())
    );
}

#[test]
fn analyze_ends_with_the_best_move() {
    let text = stdout(&run(&["analyze", "--fen", MATE_IN_TWO, "--depth", "5"]));
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("best ") && last.contains("score mate 2"),
        "{text}"
    );
    let text = stdout(&run(&["analyze", "--nodes", "3000", "--multipv", "2"]));
    assert!(text.lines().any(|l| l.contains("  2. ")), "{text}");
    let chinese = [
        "analyze",
        "--fen",
        MATE_IN_TWO,
        "--depth",
        "5",
        "--notation",
        "chinese",
    ];
    let text = stdout(&run(&chinese));
    assert!(
        text.lines()
            .last()
            .unwrap()
            .starts_with("best 车九平四  reply 将"),
        "{text}"
    );
    let output = run(&["analyze", "--fen", "3k5/R8/9/9/9/9/9/9/9/4K4 b"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("stalemate"));
}

#[test]
#[cfg(feature = "tools")]
fn analyze_as_json_lines() {
    let output = run(&["analyze", "--json", "--fen", MATE_IN_TWO, "--mate", "2"]);
    assert!(output.status.success());
    let objects: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let (last, lines) = objects.split_last().unwrap();
    assert!(!lines.is_empty() && lines.iter().all(|l| l["type"] == "line"));
    assert_eq!(last["type"], "best");
    assert_eq!(last["score"]["mate"], 2);
    assert_eq!(last["wdl"], serde_json::json!([1000, 0, 0]));
    assert!(
        lines
            .iter()
            .all(|l| l["nps"].is_u64() && l["wdl"].as_array().unwrap().len() == 3)
    );
    assert!(last["best"].is_string());
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    for args in [
        &["show"][..],
        &["analyze", "--movetime", "2000"],
        &["bench", "--depth", "3"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
#[cfg(feature = "tools")]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = stdout(&run(&["completions", shell]));
        assert!(text.contains("analyze"), "{shell}");
    }
    let dir = std::env::temp_dir().join(format!("chuhe-man-{}", std::process::id()));
    let output = run(&["man", dir.to_str().unwrap()]);
    assert!(output.status.success());
    let page = std::fs::read_to_string(dir.join("chuhe-analyze.1")).unwrap();
    assert!(page.contains("movetime"));
    assert!(dir.join("chuhe.1").exists());
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn moves_may_stand_behind_the_fen() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let behind = format!("{start} moves h2e2 h9g7");
    let one = stdout(&run(&["show", "--fen", &behind]));
    assert_eq!(one, stdout(&run(&["show", "--moves", "h2e2 h9g7"])));
}

/// Each line gets its answer, also one that is no text.
#[test]
fn legal_moves_of_every_line() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .arg("legal-moves")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = b"4k4/9/9/9/9/9/9/9/9/3K5 b\n\xff\xfe\x80\n3k5/9/9/9/9/9/9/9/9/4K4 w\n";
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(
        lines[0].starts_with("- e9") && lines[2].starts_with("- e0"),
        "{text}"
    );
    assert!(lines[1].starts_with("error: "), "{text}");
    assert!(output.status.success());
}

#[test]
#[cfg(feature = "tools")]
fn several_games_become_several_xqf_files() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("convert-xqf");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let games = path("two.pgn");
    std::fs::write(
        &games,
        "[Red \"A\"]\n\n1. h2e2 *\n\n[Red \"B\"]\n\n1. c3c4 *\n",
    )
    .unwrap();
    let refused = run(&["convert", &games, "--to", "xqf"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    let out = path("out");
    assert!(
        run(&["convert", &games, "--to", "xqf", "--out", &out])
            .status
            .success()
    );
    let back = stdout(&run(&["convert", &out, "--to", "uci"]));
    assert_eq!(back, "startpos moves h2e2\nstartpos moves c3c4\n");
    // A file that is there is no folder, and one that is not a text has no encoding.
    let refused = run(&["convert", &games, "--to", "cbf", "--out", &games]);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        text.contains("a CBF file holds one game, and there are 2"),
        "{text}"
    );
    for (options, why) in [
        (&["--to", "cbr", "--encoding", "gbk"][..], "are for texts"),
        (&["--to", "cbl", "--crlf"], "are for texts"),
        (&["--to", "uci", "--notation", "wxf"], "--notation is for"),
        (
            &["--to", "pgn-wxf", "--traditional"],
            "--traditional is for",
        ),
    ] {
        let refused = run(&[&["convert", &games][..], options].concat());
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{options:?}");
        assert!(text.contains(why) && text.lines().count() == 1, "{text}");
    }
}

/// What the format written has no place for is named with the game it is from.
#[cfg(feature = "tools")]
#[test]
fn convert_names_what_it_leaves_out() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("convert-lost");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let games = path("two.pgn");
    let pgn = "[Red \"甲\"]\n\n1. 炮二平五 {a} (1. 兵七进一) 1-0\n\n1. 兵三进一 *\n";
    std::fs::write(&games, pgn).unwrap();
    let output = run(&["convert", &games, "--to", "moves", "--notation", "iccs"]);
    assert!(output.status.success());
    assert_eq!(stdout(&output), "H2-E2 1-0\nG3-G4 *\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "{games}: game 1 (甲 - ?): no place in move list for 1 variation, 1 comment, the tag \
             Red (or a part of it); left out\n"
        )
    );
    // A library holds both, whole.
    let library = path("both.cbl");
    let output = run(&["convert", &games, "--to", "cbl", "--out", &library]);
    assert!(output.status.success() && output.stderr.is_empty());
    let back = run(&["convert", &library, "--to", "pgn-chinese"]);
    assert_eq!(stdout(&back), stdout(&run(&["convert", &games])));
    // Every other form of it can be read again.
    for to in ["dhtmlxq", "fen", "json", "epd", "uci"] {
        let out = path(to);
        assert!(
            run(&["convert", &games, "--to", to, "--crlf", "--out", &out])
                .status
                .success()
        );
        assert!(std::fs::read(&out).unwrap().ends_with(b"\r\n"));
        let check = run(&["convert", &out, "--check"]);
        assert!(check.status.success() && check.stderr.is_empty(), "{to}");
    }
}
