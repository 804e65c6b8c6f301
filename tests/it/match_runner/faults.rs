//! Engines that misbehave: each fault has its word, is a loss, and the event goes on.

use super::{folder, games, mock, run, text};

/// Plays four games of a faulty engine against a good one, faulty on its second move of each
/// process, and tells how they ended.
fn endings(name: &str, flags: &str, rest: &str) -> Vec<(String, String, bool)> {
    let folder = folder(name);
    let output = run(
        &folder,
        &[mock("bad", flags), mock("good", "--seed 7")],
        &format!("--games 4 --max-plies 12 --jsonl g.jsonl --openings random:4 {rest}"),
    );
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    let games = games(&folder.join("g.jsonl"));
    assert_eq!(games.len(), 4, "{}", text(&output.stderr));
    games
        .iter()
        .map(|g| {
            let bad_is_red = g["red_name"] == "bad";
            let lost = if bad_is_red { "0-1" } else { "1-0" };
            (
                g["termination"].as_str().unwrap().into(),
                g["reason"].as_str().unwrap().into(),
                g["result"] == lost,
            )
        })
        .collect()
}

/// The fault ends the game in which it happens with its word, as a loss of the engine; the event
/// goes on. `every` tells that each of the four games ends so.
fn fault(flags: &str, word: &str, every: bool) {
    fault_with(flags, word, every, "--tc 5+0.1");
}

fn fault_with(flags: &str, word: &str, every: bool, rest: &str) {
    let name = format!("fault-{}", flags.replace([' ', '-'], ""));
    let endings = endings(&name, flags, rest);
    let hit = endings.iter().filter(|e| e.0 == word).count();
    assert!(
        hit >= 1 && (!every || hit == 4),
        "{word} expected: {endings:?}"
    );
    for (termination, reason, lost) in &endings {
        if termination == word {
            assert!(lost, "{word} is no loss: {reason}");
        } else {
            assert_eq!(termination, "max_length", "{reason}");
        }
    }
}

#[test]
fn no_handshake() {
    fault_with(
        "--fault no-handshake",
        "no_handshake",
        true,
        "--tc 5 --handshake-timeout 1 --withdraw-after 0 -j 2",
    );
    // Chatter does not keep the limit from being noticed.
    fault_with(
        "--fault chatter-at-start",
        "no_handshake",
        true,
        "--tc 5 --handshake-timeout 1 --withdraw-after 0 -j 2",
    );
    fault_with(
        "--fault no-ready",
        "no_handshake",
        true,
        "--tc 5 --ready-timeout 1 --withdraw-after 0 -j 2",
    );
    fault_with(
        "--fault exit-at-start",
        "no_handshake",
        true,
        "--tc 5 --withdraw-after 0",
    );
}

#[test]
fn who_does_not_come_to_the_board_withdraws() {
    let endings = endings(
        "withdraws",
        "--fault exit-at-start",
        "--tc 5 --withdraw-after 2",
    );
    let words: Vec<&str> = endings.iter().map(|e| e.0.as_str()).collect();
    assert_eq!(words.iter().filter(|w| **w == "withdrawn").count(), 2);
    assert!(endings.iter().all(|e| e.2));
}

#[test]
fn crash() {
    fault("--fault crash --on-go 2", "crash", true);
    fault("--fault crash --on-go 2 --proto ucci", "crash", true);
    fault("--fault crash-on-new-game", "crash", true);
}

#[test]
fn stall() {
    fault_with("--fault stall --on-go 2", "stall", true, "--tc 1 -j 2");
}

#[test]
fn late_moves() {
    fault_with(
        "--fault late --on-go 2 --delay 700",
        "time",
        false,
        "--movetime 200",
    );
    fault_with(
        "--fault late --on-go 2 --delay 700 --proto ucci",
        "time",
        false,
        "--tc 0.3",
    );
}

#[test]
fn within_the_margin_is_in_time() {
    let endings = endings("margin", "--think 60", "--movetime 30 --margin 2000");
    assert!(endings.iter().all(|e| e.0 == "max_length"), "{endings:?}");
}

#[test]
fn illegal_moves() {
    fault("--fault illegal --on-go 2", "illegal_move", false);
    fault(
        "--fault illegal --on-go 2 --proto fsf",
        "illegal_move",
        false,
    );
}

#[test]
fn garbage() {
    fault("--fault garbage --on-go 2", "garbage", true);
    fault("--fault endless-line --on-go 2", "garbage", true);
    fault_with(
        "--fault chatter --on-go 2",
        "garbage",
        false,
        "--tc 60 --stop-after 4",
    );
}

#[test]
fn flood_on_standard_error() {
    fault_with(
        "--fault stderr-flood --on-go 2",
        "stderr_flood",
        true,
        "--tc 60 --stderr-limit 2",
    );
}

#[test]
#[cfg(unix)]
fn closed_pipes() {
    fault("--fault close-stdout --on-go 2", "disconnect", true);
}

#[test]
fn giving_up() {
    fault("--fault no-move --on-go 2", "resignation", false);
    fault(
        "--fault no-move --on-go 2 --proto ucci",
        "resignation",
        false,
    );
    fault(
        "--fault resign --on-go 2 --proto ucci",
        "resignation",
        false,
    );
}

#[test]
fn who_ignores_quit_is_reaped() {
    let folder = folder("quit");
    let output = run(
        &folder,
        &[
            mock("bad", "--fault ignore-quit --seed 4242"),
            mock("good", ""),
        ],
        "--games 2 --max-plies 4 --tc 5",
    );
    assert!(output.status.success());
    #[cfg(target_os = "linux")]
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = text(&line);
        assert!(
            !(line.contains("mock-engine") && line.contains("4242")),
            "still running: {line}"
        );
    }
}
