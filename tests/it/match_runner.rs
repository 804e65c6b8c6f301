//! `chuhe match` with engines that misbehave, that are interrupted, and that are killed.

use std::collections::BTreeSet;
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
fn no_handshake() {
    fault_with(
        "--fault no-handshake",
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
        let logs: String = std::fs::read_dir(folder.join("logs"))
            .unwrap()
            .map(|f| std::fs::read_to_string(f.unwrap().path()).unwrap())
            .collect();
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
    let logs: String = std::fs::read_dir(folder.join("logs"))
        .unwrap()
        .map(|f| std::fs::read_to_string(f.unwrap().path()).unwrap())
        .collect();
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

#[test]
fn a_sequential_test_ends_when_one_side_wins_everything() {
    let folder = folder("sprt");
    let output = run(
        &folder,
        &[
            mock("strong", ""),
            mock("weak", "--resign-chance 100 --seed 2"),
        ],
        "--tc 5 --sprt elo0=0 elo1=50 -j 2 --json --openings random:4",
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["sprt"]["state"], "accepted");
    assert!(report["games"].as_u64().unwrap() < 200);
    // The other way round is a negative answer.
    let output = run(
        &folder,
        &[
            mock("weak", "--resign-chance 100 --seed 2"),
            mock("strong", ""),
        ],
        "--tc 5 --sprt elo0=0 elo1=50 -j 2 --json --openings random:4",
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn swiss_and_knockout_events_end_with_a_table() {
    let engines: Vec<Vec<String>> = (0..5)
        .map(|i| {
            mock(
                &format!("E{i}"),
                &format!("--seed {i} --resign-chance {}", i + 1),
            )
        })
        .collect();
    for format in ["swiss", "knockout"] {
        let folder = folder(format);
        let output = run(
            &folder,
            &engines,
            &format!("--format {format} --tc 5 --max-plies 60 --openings random:4 -j 2 --quiet"),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        let out = text(&output.stdout);
        assert!((0..5).all(|i| out.contains(&format!("E{i}"))), "{out}");
    }
}

#[test]
fn mistakes_are_answered_with_one_line_and_status_2() {
    let folder = folder("mistakes");
    let engines = [mock("A", ""), mock("B", "")];
    std::fs::write(folder.join("bad.toml"), "games = 4\ngmaes = 4\n").unwrap();
    std::fs::write(folder.join("bad.epd"), "startpos\n9/9 w\n").unwrap();
    std::fs::write(folder.join("no.state"), "hello\n").unwrap();
    let cases: Vec<(Vec<Vec<String>>, &str, &str)> = vec![
        (vec![], "--tc 5", "two engines"),
        (vec![mock("A", "")], "--tc 5", "two engines"),
        (vec![mock("A", ""), mock("A", "")], "--tc 5", "called \"A\""),
        (engines.to_vec(), "", "no limit"),
        (engines.to_vec(), "--tc 5:x", "time control"),
        (engines.to_vec(), "--tc 5 --games 3", "even number"),
        (engines.to_vec(), "--tc 5 --openings nowhere", "nowhere"),
        (engines.to_vec(), "--tc 5 --openings bad.epd", "line 2"),
        (engines.to_vec(), "--tc 5 --sprt elo0=5 elo1=0", "elo0"),
        (engines.to_vec(), "--tc 5 --sprt elo0=5 ello=0", "elo1"),
        (engines.to_vec(), "--config bad.toml", "line 2"),
        (
            engines.to_vec(),
            "--tc 5 --format swiss --shard 1/2",
            "--shard",
        ),
        (vec![], "--resume no.state", "line 1"),
        (vec![], "--resume missing.state", "missing.state"),
        (
            vec![vec!["--engine".into(), "nmae=A".into()]],
            "",
            "did you mean name?",
        ),
    ];
    for (engines, rest, expected) in cases {
        let output = run(&folder, &engines, rest);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{rest}: {err}");
        assert!(err.contains(expected), "{rest}: {err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{rest}: {err}");
    }
}

#[test]
fn an_event_from_a_file() {
    let folder = folder("toml");
    std::fs::write(
        folder.join("e.toml"),
        format!(
            "event = 'from a file'\ngames = 2\ntc = '40/5:00,10/1:00'\nmax_plies = 10\n\
             [openings]\nsource = 'random:4'\n\
             [[engine]]\nname = 'A'\ncmd = '{BINARY}'\nargs = ['mock-engine']\n\
             option = {{ Hash = 32 }}\n\
             [[engine]]\nname = 'B'\ncmd = '{BINARY}'\nargs = ['mock-engine', '--proto', 'ucci']\n\
             nodes = 100\noption = {{ hashsize = 32 }}\n"
        ),
    )
    .unwrap();
    let output = run(&folder, &[], "--config e.toml --pgn g.pgn");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let pgn = std::fs::read_to_string(folder.join("g.pgn")).unwrap();
    assert!(pgn.contains("from a file"));
    assert!(pgn.contains("40/5:00,10/1:00 / 100 nodes"), "{pgn}");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn the_page_needs_nothing_else() {
    let folder = folder("page");
    let output = run(
        &folder,
        &[mock("A", ""), mock("B", "--seed 2")],
        "--games 2 --tc 5 --max-plies 6 --html e.html",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.join("e.html")).unwrap();
    assert!(!page.contains("src=") && !page.contains("href="));
    let data = page.split("application/json\">").nth(1).unwrap();
    let data = data.split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["games"].as_array().unwrap().len(), 2);
    assert_eq!(data["games"][0]["moves"].as_array().unwrap().len(), 6);
}

#[test]
fn tuning_goes_on_where_it_was() {
    let folder = folder("tune");
    let tune = |args: &str| -> serde_json::Value {
        let engine: &[String] = if args.contains("--resume") {
            &[]
        } else {
            &mock("A", "")
        };
        let output = Command::new(BINARY)
            .arg("tune")
            .args(engine)
            .args(args.split_whitespace())
            .arg("--json")
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let run = "--prefix Mar --param name=Hash start=16 min=1 max=64 step=4 --iterations 8 --tc 5 \
               --resign score=1 moves=99 --max-plies 30 --openings random:4";
    let whole = tune(&format!("{run} --state w.state"));
    assert_eq!(whole["iterations"], 8);
    assert!(whole["values"]["Margin"].is_number() && whole["values"]["Hash"].is_number());
    let part = tune(&format!("{run} --state p.state --stop-after 3"));
    assert_eq!(part["iterations"], 3);
    let joined = tune("--resume p.state");
    assert_eq!(joined, whole);
}
