//! Games between engines that behave: protocols, draw offers, pondering, adjudication.

use super::{folder, games, logs, mock, run, text};

#[test]
fn good_engines_of_all_protocols_play() {
    let folder = folder("good");
    let engines = ["uci", "fsf", "ucci"].map(|p| mock(p, &format!("--proto {p} --seed 3")));
    let output = run(
        &folder,
        &engines,
        "--games 4 --tc 5+0.1 --max-plies 30 --openings random:4 --jsonl g.jsonl",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = games(&folder.join("g.jsonl"));
    assert_eq!(games.len(), 12);
    assert!(games.iter().all(|g| g["termination"] == "max_length"));
}

#[test]
fn draws_are_offered_and_agreed_after_a_move() {
    let folder = folder("offers");
    let output = run(
        &folder,
        &[
            mock("offers", "--proto ucci --offer-draw"),
            mock("accepts", "--proto ucci --accept-draw --seed 3"),
        ],
        "--games 2 --tc 5 --jsonl g.jsonl",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    for game in games(&folder.join("g.jsonl")) {
        assert_eq!(game["termination"], "agreement");
        assert_eq!(game["result"], "1/2-1/2");
        // The offer goes with a move, the agreeing move is not played.
        let plies = game["moves"].as_array().unwrap().len();
        assert_eq!(plies, if game["red_name"] == "offers" { 1 } else { 2 });
    }
    // Nobody may offer twice in a row: the second is a foul and not heard.
    let output = run(
        &folder,
        &[
            mock("offers", "--proto ucci --offer-draw"),
            mock("deaf", "--proto ucci --seed 3"),
        ],
        "--games 2 --tc 5 --max-plies 10 --jsonl f.jsonl",
    );
    assert!(output.status.success());
    for game in games(&folder.join("f.jsonl")) {
        assert_eq!(game["termination"], "max_length");
        let side = usize::from(game["red_name"] != "offers");
        assert_eq!(game["fouls"][side], 4);
        assert_eq!(game["fouls"][1 - side], 0);
    }
}

#[test]
fn pondering_hits_and_misses() {
    for (proto, other) in [("uci", "ucci"), ("ucci", "uci")] {
        let folder = folder(&format!("ponder-{proto}"));
        let mut a = mock("A", &format!("--proto {proto} --ponder"));
        a.push("ponder=true".into());
        let mut b = mock("B", &format!("--proto {other} --ponder --seed 2"));
        b.push("ponder=true".into());
        let output = run(
            &folder,
            &[a, b],
            "--games 4 --tc 5 --max-plies 60 --openings random:2 --engine-log logs --json",
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        for word in report["endings"].as_object().unwrap().keys() {
            assert!(
                ["max_length", "both_permitted", "perpetual_check"].contains(&word.as_str()),
                "{word}"
            );
        }
        let logs = logs(&folder);
        assert!(logs.contains("> go ponder"), "{logs}");
    }
}

#[test]
fn adjudication_by_scores() {
    let folder = folder("scores");
    let output = run(
        &folder,
        &[
            mock("wins", "--score 900"),
            mock("loses", "--score -900 --seed 2"),
        ],
        "--games 2 --tc 5 --resign score=600 moves=3 --jsonl g.jsonl",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    for game in games(&folder.join("g.jsonl")) {
        assert_eq!(game["termination"], "adjudicated_loss");
        let won = if game["red_name"] == "wins" {
            "1-0"
        } else {
            "0-1"
        };
        assert_eq!(game["result"], won);
    }
    let output = run(
        &folder,
        &[mock("A", ""), mock("B", "--seed 2")],
        "--games 2 --tc 5 --draw after=4 score=10 moves=2 --jsonl d.jsonl",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    for game in games(&folder.join("d.jsonl")) {
        assert_eq!(game["termination"], "adjudicated_draw");
        assert_eq!(game["moves"].as_array().unwrap().len(), 7);
    }
}

#[test]
fn gbk_and_seconds() {
    let folder = folder("gbk");
    let output = run(
        &folder,
        &[
            mock("old", "--proto ucci --gbk --millis false"),
            mock("new", ""),
        ],
        "--games 2 --tc 9 --max-plies 4 --engine-log logs",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let logs = logs(&folder);
    assert!(logs.contains("id name 象棋"), "{logs}");
    assert!(logs.contains("> go time 8 increment 0"), "{logs}");
}

#[test]
fn protocol_is_found_out() {
    let folder = folder("auto");
    let mut a = mock("A", "--proto ucci");
    a.push("proto=auto".into());
    let output = run(
        &folder,
        &[a, mock("B", "")],
        "--games 2 --tc 5 --max-plies 4",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("max_length 2"));
}

/// What cannot be done is told before the first game, and leaves nothing behind.
#[test]
fn mistakes_are_found_before_the_first_game() {
    let folder = folder("mistakes");
    let engines = [mock("A", ""), mock("B", "")];
    for (flags, words) in [
        ("--html no/such/folder/x.html", "no/such/folder/x.html"),
        ("--pgn no/such/folder/x.pgn", "no/such/folder/x.pgn"),
        ("--jsonl .", ".: "),
    ] {
        let flags = format!("--games 2 --tc 5 --max-plies 4 --state s.state {flags}");
        let output = run(&folder, &engines, &flags);
        assert_eq!(output.status.code(), Some(2), "{flags}");
        assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
        assert!(
            text(&output.stderr).contains(words),
            "{}",
            text(&output.stderr)
        );
        assert!(!folder.join("s.state").exists(), "{flags}");
    }
    // A file that is there already is not touched before there is something to write.
    let old = folder.join("old.html");
    std::fs::write(&old, "old").unwrap();
    let output = run(
        &folder,
        &engines,
        "--games 2 --tc 5 --html old.html --pgn no/x",
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
}
