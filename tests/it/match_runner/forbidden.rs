//! Forbidden play in a match: it loses, with the reason in every record, and engines are warned.

use super::{folder, games, logs, mock, run, text};

/// A rook chases an elephant nobody guards, for as long as both engines play what they prefer.
const CHASE: &str = "3aka3/9/9/9/6b2/9/9/9/8R/3K5 w - - 0 1";
const CYCLE: [&str; 4] = ["i1g1", "g5i7", "g1i1", "i7g5"];

/// Six games, each protocol twice with Red; every engine prefers the moves of the cycle.
fn chase(name: &str, rest: &str, flags: &str) -> std::path::PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("chase.epd"), CHASE).unwrap();
    let prefer = CYCLE.join(",");
    let engines =
        ["uci", "ucci", "fsf"].map(|p| mock(p, &format!("--proto {p} --prefer {prefer}{flags}")));
    let output = run(
        &folder,
        &engines,
        &format!(
            "--games 2 --tc 5 --max-plies 60 --openings chase.epd --jsonl g.jsonl --pgn g.pgn \
             --engine-log logs {rest}"
        ),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder
}

#[test]
fn a_repeated_chase_loses_and_every_record_says_why() {
    let folder = chase("chase", "", "");
    let games = games(&folder.join("g.jsonl"));
    assert_eq!(games.len(), 6);
    let pgn = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for game in &games {
        assert_eq!(game["termination"], "perpetual_chase");
        assert_eq!(game["result"], "0-1");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.contains("R") && reason.contains("24."), "{reason}");
        assert!(
            pgn.contains(&format!("{{{reason}}} 0-1")),
            "{reason}\n{pgn}"
        );
        let moves: Vec<&str> = (game["moves"].as_array().unwrap().iter())
            .map(|m| m["m"].as_str().unwrap())
            .collect();
        let cycle: Vec<&str> = CYCLE.into_iter().cycle().take(moves.len()).collect();
        assert_eq!(moves, cycle);
    }
    assert_eq!(pgn.matches("[Termination \"perpetual_chase\"]").count(), 6);
    let logs = logs(&folder);
    assert!(!logs.contains("banmoves") && !logs.contains("searchmoves"));
}

#[test]
fn whoever_is_warned_varies() {
    warned("warned", "--warn-forbidden", "");
}

/// Who ponders on the expected move has not heard the warning and must be asked anew.
#[test]
fn whoever_ponders_is_warned_too() {
    let logs = warned(
        "warned-pondering",
        "--warn-forbidden --each ponder=true",
        " --ponder",
    );
    assert!(logs.contains("> ponderhit"), "{logs}");
}

fn warned(name: &str, rest: &str, flags: &str) -> String {
    let folder = chase(name, rest, flags);
    for game in games(&folder.join("g.jsonl")) {
        assert_ne!(game["termination"], "perpetual_chase", "{game}");
        assert_ne!(game["termination"], "illegal_move", "{game}");
        // The chase went on until the warning, and not for longer.
        let moves = game["moves"].as_array().unwrap();
        let kept = (moves.iter().zip(CYCLE.iter().cycle()))
            .take_while(|(m, c)| m["m"] == **c)
            .count();
        assert_eq!(kept, 8, "{game}");
    }
    // What was said, and that it was obeyed.
    let (mut banned, mut only) = (Vec::new(), Vec::new());
    let (mut bans, mut choices) = (0, 0);
    let logs = logs(&folder);
    for line in logs.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |word: &str| {
            let at = words.iter().position(|w| *w == word)?;
            Some(words[at + 1..].to_vec())
        };
        if let Some(moves) = after("banmoves") {
            bans += usize::from(moves.contains(&"i1g1"));
            banned = moves;
        }
        if let Some(moves) = after("searchmoves") {
            // Ranks 1 to 10 for one of the engines.
            assert!(
                !moves.contains(&"i1g1") && !moves.contains(&"i2g2"),
                "{line}"
            );
            choices += 1;
            only = moves;
        }
        if let Some(best) = after("bestmove") {
            assert!(!banned.contains(&best[0]), "{line}");
            assert!(only.is_empty() || only.contains(&best[0]), "{line}");
            (banned, only) = (Vec::new(), Vec::new());
        }
    }
    assert!(bans >= 2 && choices >= 4, "{bans} {choices}\n{logs}");
    logs
}
