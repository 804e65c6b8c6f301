//! `chuhe datagen`: the same games whatever the threads, the shards and the interruptions.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("chuhe-datagen-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command
            .current_dir(&self.0)
            .arg("datagen")
            .args(args.split_whitespace());
        command
    }

    /// Runs it; the exit status must be as expected.
    fn run(&self, args: &str, status: i32) -> Output {
        let output = self.command(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{args}: {stderr}");
        output
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    fn stats(&self, name: &str) -> serde_json::Value {
        let output = self.run(&format!("stats --json {name}"), 0);
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const FLAGS: &str = "--nodes 60 --seed 5 --max-plies 80 --hash 1 --quiet";

#[test]
fn the_same_whatever_the_threads_shards_and_interruptions() {
    let f = Folder::new("same");
    f.run(&format!("--out one --games 9 {FLAGS}"), 0);
    f.run(&format!("--out three --games 9 --threads 3 {FLAGS}"), 0);
    assert!(f.bytes("one") == f.bytes("three"), "one and three differ");

    // Cut in the middle of a game, then made longer.
    f.run(&format!("--out cut --games 5 {FLAGS}"), 0);
    let cut = f.bytes("cut");
    std::fs::write(f.0.join("cut"), &cut[..cut.len() - 9]).unwrap();
    f.run(&format!("--out cut --games 9 --resume {FLAGS}"), 0);
    assert!(f.bytes("one") == f.bytes("cut"), "one and cut differ");

    // Shards hold the same games between them.
    f.run(&format!("--out s1 --games 9 --shard 1/2 {FLAGS}"), 0);
    f.run(&format!("--out s2 --games 9 --shard 2/2 {FLAGS}"), 0);
    f.run("merge s1 s2 s1 --out both", 0);
    let (one, both) = (f.stats("one"), f.stats("both"));
    assert_eq!(f.stats("s1")["games"], 5);
    for key in ["games", "positions", "quiet", "ends", "pieces", "scores"] {
        assert_eq!(one[key], both[key], "{key}");
    }
    assert_eq!(one["games"], 9);
    assert_eq!(one["illegal"], 0);

    // Another seed gives other games; a finished run has nothing left to do.
    f.run(&format!("--out other --games 9 {FLAGS} --hash 2"), 2);
    f.run(
        "--out other --games 9 --nodes 60 --seed 6 --max-plies 80 --hash 1 --quiet",
        0,
    );
    assert!(
        f.bytes("one") != f.bytes("other"),
        "one and other are the same"
    );
    f.run(&format!("--out one --games 9 --resume {FLAGS}"), 0);
    assert!(f.bytes("one") == f.bytes("three"), "one and three differ");
}

#[test]
fn killed_at_any_time_it_goes_on() {
    let f = Folder::new("killed");
    f.run(&format!("--out whole --games 12 {FLAGS}"), 0);
    let (begin, mut kills) = (Instant::now(), 0);
    loop {
        let resume = if f.0.join("part").exists() {
            "--resume"
        } else {
            ""
        };
        let mut child = f
            .command(&format!(
                "--out part --games 12 --threads 2 {resume} {FLAGS}"
            ))
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 + 40 * kills));
        if child.try_wait().unwrap().is_some_and(|s| s.success()) {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(begin.elapsed() < Duration::from_secs(120), "no progress");
    }
    assert!(kills > 0, "it was never interrupted");
    assert!(f.bytes("whole") == f.bytes("part"), "whole and part differ");
}

#[test]
fn sifted_shuffled_and_shown() {
    let f = Folder::new("sifted");
    f.run(&format!("--out a --games 8 {FLAGS}"), 0);
    f.run("shuffle a --seed 3 --out b", 0);
    assert!(f.bytes("a") != f.bytes("b"), "a and b are the same");
    assert_eq!(f.bytes("a").len(), f.bytes("b").len());
    let (a, b) = (f.stats("a"), f.stats("b"));
    assert_eq!(a["scores"], b["scores"]);
    f.run("filter a --decisive --out won", 0);
    let won = f.stats("won");
    assert_eq!(won["draws"], 0);
    let decided = a["red_wins"].as_u64().unwrap() + a["black_wins"].as_u64().unwrap();
    assert_eq!(won["games"], decided);
    let shown = f.run("inspect a --from 2 --games 1", 0).stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert!(
        shown.contains("seed=5") && shown.contains("\ngame 2: "),
        "{shown}"
    );
}

#[test]
fn starts_from_given_games() {
    let f = Folder::new("starts");
    let endgame = "4k4/9/9/9/9/9/9/3R5/9/3K5 w - - 0 1";
    std::fs::write(f.0.join("starts.txt"), format!("{endgame}\n")).unwrap();
    // The window would refuse such a start.
    let line = "--starts starts.txt --starts-percent 100 --window 32000";
    f.run(&format!("--out a --games 3 {line} {FLAGS}"), 0);
    let s = f.stats("a");
    let pieces: Vec<u64> = s["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect();
    assert_eq!(pieces.iter().skip(3).sum::<u64>(), 0, "{s}");
}

#[test]
fn bad_input_is_named() {
    let f = Folder::new("bad");
    let message = |args: &str| {
        let output = f.run(args, 2);
        String::from_utf8(output.stderr).unwrap()
    };
    std::fs::write(f.0.join("text"), "no such file of games").unwrap();
    assert!(message("stats text").contains("text: no file of self-play games"));
    assert!(message("--out text --games 2").contains("--resume goes on with it"));
    assert!(message("--out text --games 2 --resume").contains("no file of self-play games"));
    assert!(message("inspect nowhere").contains("nowhere: "));
    assert!(message("--out x --games 2 --shard 3/2").contains("I/N"));
    assert!(message("--games 2").contains("--out"));
    assert!(message("--out x --games 2 --starts text").contains("--starts text"));
    assert!(!Path::new(&f.0.join("x")).exists(), "nothing is begun");
    assert_eq!(f.bytes("text"), b"no such file of games");
}
