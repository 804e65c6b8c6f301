//! Bytes, line ends and the end of the input.

use crate::harness::{Engine, PATIENCE, pipe, stdout};
use std::time::{Duration, Instant};

#[test]
fn crlf_tabs_blanks_and_empty_lines() {
    let mut e = Engine::start();
    e.send_raw(b"\r\n\n  uci \t\r\n");
    e.expect("uciok");
    e.send_raw(b"\tisready\r\nposition   startpos   moves   h2e2 \r\n go   depth   2  \r\n");
    e.expect("readyok");
    e.best_move();
}

#[test]
fn a_line_in_pieces() {
    let mut e = Engine::uci();
    for part in [&b"isr"[..], b"ead", b"y\n"] {
        e.send_raw(part);
        std::thread::sleep(Duration::from_millis(50));
    }
    e.expect("readyok");
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end() {
    let mut e = Engine::uci();
    e.send_raw(b"setoption name Book value \xff\xfe\x80\x00\n");
    e.send_raw("你好\nposition fen 车马\n".as_bytes());
    e.send_raw(&[b'x'; 100_000]);
    e.send_raw(b"\n");
    let long = "a".repeat(3 << 20);
    e.send(&long);
    e.send("isready");
    for line in e.lines_until("readyok") {
        assert!(line.is_ascii() && line.len() < 600, "{line}");
    }
}

#[test]
fn a_bounded_search_is_finished_at_the_end_of_the_input() {
    let start = Instant::now();
    let output = pipe("uci\nposition startpos\ngo movetime 600");
    assert!(output.status.success());
    assert!(
        stdout(&output)
            .lines()
            .last()
            .is_some_and(|l| l.starts_with("bestmove "))
    );
    assert!(
        start.elapsed() >= Duration::from_millis(400),
        "it was cut short"
    );
    let output = pipe("ucci\nposition startpos\ngo depth 4\ngo depth 3\n");
    let answers = stdout(&output)
        .lines()
        .filter(|l| l.starts_with("bestmove"))
        .count();
    assert_eq!(answers, 2);
}

#[test]
fn an_endless_search_ends_with_the_input() {
    for go in ["go infinite", "go ponder wtime 60000 btime 60000", "go"] {
        let start = Instant::now();
        let output = pipe(&format!("uci\nposition startpos\n{go}\n"));
        assert!(output.status.success());
        let text = stdout(&output);
        assert_eq!(text.matches("bestmove ").count(), 1, "{go}");
        assert!(start.elapsed() < PATIENCE);
    }
    let mut e = Engine::uci();
    e.send("position startpos\ngo infinite");
    e.expect("info depth 3");
    e.end_input();
    e.best_move();
    assert!(e.exit(PATIENCE).success());
}

#[test]
fn nothing_at_all_is_no_error() {
    let output = pipe("");
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(pipe("quit").status.success());
}

#[test]
fn quit_is_obeyed_in_every_state() {
    for lines in [
        "quit",
        "position startpos\ngo infinite\nquit",
        "position startpos\ngo ponder wtime 9 btime 9\nquit",
        "position startpos\ngo depth 99\ngo depth 99\nquit",
        "position fen x\ngo infinite\nquit",
    ] {
        let mut e = Engine::uci();
        e.send(lines);
        assert!(e.exit(Duration::from_secs(5)).success(), "{lines}");
    }
}

#[test]
fn a_deaf_client_ends_the_engine() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"uci\nposition startpos\ngo infinite\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    drop(stdin);
}

#[test]
#[cfg(target_os = "linux")]
fn an_idle_engine_uses_no_processor() {
    let mut e = Engine::uci();
    e.send("position startpos\ngo depth 3");
    e.best_move();
    e.send("isready");
    e.expect("readyok");
    let ticks = || -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", e.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let before = ticks();
    std::thread::sleep(Duration::from_secs(1));
    assert!(ticks() - before <= 1, "it does not sleep");
}
