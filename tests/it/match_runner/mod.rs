//! `chuhe match` and `chuhe tune` with the mock engine, which plays by lot and misbehaves as asked.

mod endurance;
mod events;
mod faults;
mod forbidden;
mod openings;
#[cfg(target_os = "linux")]
mod pinning;
mod play;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_chuhe");

/// A folder of one test, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// `--engine` words of a mock engine.
fn mock(name: &str, flags: &str) -> Vec<String> {
    vec![
        "--engine".into(),
        format!("name={name}"),
        format!("cmd={BINARY}"),
        format!("args=mock-engine {flags}"),
    ]
}

fn chuhe(folder: &Path, engines: &[Vec<String>], rest: &str) -> Command {
    let mut command = Command::new(BINARY);
    command.arg("match").current_dir(folder);
    command.args(engines.concat());
    command.args(rest.split_whitespace());
    // Most tests want short games, and to know every ply of them.
    if !["--openings", "--config", "--resume"]
        .iter()
        .any(|flag| rest.contains(flag))
    {
        command.args(["--openings", "start"]);
    }
    command
}

fn run(folder: &Path, engines: &[Vec<String>], rest: &str) -> Output {
    let start = Instant::now();
    let output = chuhe(folder, engines, rest).output().unwrap();
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "took {:?}",
        start.elapsed()
    );
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The games of a file of JSON lines.
fn games(path: &Path) -> Vec<serde_json::Value> {
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

/// The dialogues with all engines, one after the other.
fn logs(folder: &Path) -> String {
    std::fs::read_dir(folder.join("logs"))
        .unwrap()
        .map(|f| std::fs::read_to_string(f.unwrap().path()).unwrap())
        .collect()
}
