//! `--pin`: on which processors engines may run, as the system tells it.

use super::{chuhe, folder, mock, text};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The processors a process may run on.
fn allowed(process: &Path) -> Option<Vec<usize>> {
    let status = std::fs::read_to_string(process.join("status")).ok()?;
    let list = status
        .lines()
        .find_map(|l| l.strip_prefix("Cpus_allowed_list:"))?;
    let mut cpus = Vec::new();
    for part in list.trim().split(',') {
        let (a, b) = part.split_once('-').unwrap_or((part, part));
        cpus.extend(a.parse::<usize>().ok()?..=b.parse().ok()?);
    }
    Some(cpus)
}

/// The engines (by command line) that run with this seed, and where each may run.
fn engines(seed: &str) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = text(&line);
        let words: Vec<&str> = line.split('\0').collect();
        if words.get(1) == Some(&"mock-engine") && words.contains(&seed) {
            found.extend(allowed(&entry.path()));
        }
    }
    found
}

/// Plays two games at a time with `flags` and tells where the engines and the runner may run.
fn seen(seed: &str, flags: &str) -> (Vec<Vec<usize>>, Vec<usize>) {
    let folder = folder(&format!("pin-{seed}"));
    let slow = format!("--seed {seed} --think 200");
    let mut runner = chuhe(
        &folder,
        &[mock("A", &slow), mock("B", &slow)],
        &format!("--games 4 --tc 60 --max-plies 40 -j 2 --quiet {flags}"),
    )
    .stdout(Stdio::null())
    .spawn()
    .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut found = engines(seed);
    while found.len() < 4 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
        found = engines(seed);
    }
    let own = allowed(Path::new(&format!("/proc/{}", runner.id()))).unwrap();
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert_eq!(found.len(), 4, "four engines should run");
    (found, own)
}

#[test]
fn engines_are_bound_game_by_game_and_the_runner_is_not() {
    let all = allowed(Path::new("/proc/self")).unwrap();
    let last = *all.last().unwrap();
    let (free, _) = seen("91001", "");
    assert!(free.iter().all(|cpus| *cpus == all), "{free:?}");
    let (one, own) = seen("91002", &format!("--pin={last}"));
    assert!(one.iter().all(|cpus| *cpus == [last]), "{one:?}");
    assert_eq!(own, all);
    // Both engines of a game on one processor, each game on another as far as there are.
    let (spread, _) = seen("91003", "--pin");
    let mut expected = BTreeMap::new();
    for game in 0..2 {
        *expected.entry(vec![all[game % all.len()]]).or_insert(0) += 2;
    }
    let mut counted = BTreeMap::new();
    for cpus in spread {
        *counted.entry(cpus).or_insert(0) += 1;
    }
    assert_eq!(counted, expected);
}

#[test]
fn processors_that_may_not_be_used_are_refused() {
    let folder = folder("pin-refused");
    let all = allowed(Path::new("/proc/self")).unwrap();
    let output = chuhe(
        &folder,
        &[mock("A", ""), mock("B", "")],
        "--games 2 --tc 5 --pin=999",
    )
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let names: Vec<String> = all.iter().map(usize::to_string).collect();
    let words = format!("no processor 999; this process may use {}", names.join(","));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains(&words), "{complaint}");
}
