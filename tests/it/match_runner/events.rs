//! Whole events: formats, sequential tests, settings, reports, tuning.

use super::{BINARY, folder, mock, run, text};
use std::process::Command;

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

#[test]
fn tuning_what_the_engine_does_not_know_is_refused() {
    let output = Command::new(BINARY)
        .arg("tune")
        .args(mock("A", ""))
        .args("--tc 5 --param name=Hsh start=16 min=1 max=64 step=4".split_whitespace())
        .current_dir(folder("tune-unknown"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let complaint = text(&output.stderr);
    assert!(
        complaint.contains("no spin option \"Hsh\"; it declares Hash, Margin"),
        "{complaint}"
    );
}
