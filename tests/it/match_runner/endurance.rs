//! Events that are killed, interrupted, and played in parts.

use super::{BINARY, chuhe, folder, games, mock, run, text};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A long event of two engines that play by lot.
fn long_event() -> Vec<Vec<String>> {
    vec![
        mock("A", "--resign-chance 3 --think 1"),
        mock("B", "--resign-chance 4 --seed 5 --think 1 --proto ucci"),
    ]
}

const LONG: &str = "--games 120 --tc 5+0.1 --openings random:6 --max-plies 80 --seed 9 -j 2";

fn merged(folder: &Path, states: &[&str]) -> String {
    let output = Command::new(BINARY)
        .args(["match", "merge"])
        .args(states)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
#[cfg(unix)]
fn killed_ten_times_nothing_is_lost_or_played_twice() {
    let folder = folder("kill");
    let whole = run(
        &folder,
        &long_event(),
        &format!("{LONG} --state whole.state --quiet"),
    );
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let start = format!("{LONG} --state s.state --pgn g.pgn --jsonl g.jsonl --quiet");
    let mut child = chuhe(&folder, &long_event(), &start)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let recorded = || {
        std::fs::read(folder.join("s.state"))
            .map_or(0, |b| b.iter().filter(|&&c| c == b'\n').count())
    };
    for kill in 1..=10 {
        // Each time after some more games, at no particular moment.
        let deadline = Instant::now() + Duration::from_secs(30);
        while recorded() < 10 * kill && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(7 * kill as u64 % 10));
        child.kill().unwrap();
        child.wait().unwrap();
        if kill == 5 {
            // Killed in the middle of a line.
            use std::io::Write;
            let mut file = std::fs::OpenOptions::new()
                .append(true)
                .open(folder.join("s.state"))
                .unwrap();
            file.write_all(b"{\"game\":7,\"pair\":").unwrap();
        }
        child = Command::new(BINARY)
            .args(["match", "--resume", "s.state", "-j", "2", "--quiet"])
            .current_dir(&folder)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
    }
    assert!(child.wait().unwrap().success());
    let games = games(&folder.join("g.jsonl"));
    let numbers: BTreeSet<u64> = games.iter().map(|g| g["game"].as_u64().unwrap()).collect();
    assert_eq!((games.len(), numbers.len()), (120, 120));
    let pgn = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), 120);
    assert_eq!(
        merged(&folder, &["s.state"]),
        merged(&folder, &["whole.state"])
    );
}

#[test]
fn shards_join_to_the_whole() {
    let folder = folder("shards");
    let event = "--games 60 --tc 5+0.1 --openings random:6 --max-plies 60 --seed 3 --quiet -j 2";
    let mut engines = long_event();
    engines.push(mock("C", "--resign-chance 2 --seed 8"));
    let games = "--games 12";
    let output = run(&folder, &engines, &format!("{event} {games}"));
    assert_eq!(output.status.code(), Some(2), "given twice");
    let event = event.replace("--games 60", games);
    let whole = run(&folder, &engines, &format!("{event} --state whole.state"));
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let mut parts = Vec::new();
    for i in 1..=3 {
        let part = format!("part{i}.state");
        let output = run(
            &folder,
            &engines,
            &format!("{event} --shard {i}/3 --state {part}"),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        parts.push(part);
    }
    // In whatever order.
    let joined = merged(&folder, &[&parts[2], &parts[0], &parts[1]]);
    assert_eq!(joined, merged(&folder, &["whole.state"]));
    assert!(joined.contains("36 games"), "{joined}");
    // Different events do not join.
    let other = run(
        &folder,
        &engines,
        &format!("{} --state other.state", event.replace("seed 3", "seed 4")),
    );
    assert!(other.status.success());
    let output = Command::new(BINARY)
        .args(["match", "merge", "other.state", "part1.state"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("different events"));
}

#[test]
#[cfg(unix)]
fn an_interrupt_finishes_or_drops_games_and_reports() {
    for (name, flag) in [("finish", ""), ("drop", "--drop-games")] {
        let folder = folder(&format!("interrupt-{name}"));
        let child = chuhe(
            &folder,
            &long_event(),
            &format!("{LONG} --state s.state {flag}"),
        )
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
        let state = folder.join("s.state");
        while std::fs::read(&state).map_or(0, |b| b.iter().filter(|&&c| c == b'\n').count()) < 6 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(out.contains("  Elo "), "{out}");
        assert!(err.contains("interrupted"), "{err}");
        // And it can go on.
        let output = Command::new(BINARY)
            .args(["match", "--resume", "s.state", "-j", "2", "--json"])
            .current_dir(&folder)
            .output()
            .unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["games"], 120);
    }
}
