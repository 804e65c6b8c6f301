//! `chuhe train`: from games to a network that evaluates, the same each time.

use super::harness;
use chuhe::nnue::Level;
use std::path::PathBuf;
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("chuhe-train-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }

    /// Runs it; the exit status must be as expected.
    fn run(&self, args: &str, status: i32) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command.current_dir(&self.0).args(args.split_whitespace());
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{args}: {stderr}");
        output
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const GAMES: &str = "datagen --out g --games 30 --nodes 100 --max-plies 100 --hash 1 --quiet";
const TRAIN: &str =
    "train g --lanes 32 --batch 256 --rate 0.001 --warm-up 10 --scale 400 --validation 20";

/// The training errors of the epochs, as `chuhe train` told them.
fn losses(told: &str) -> Vec<f64> {
    told.lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.first()?.parse::<usize>().ok()?;
            (words.len() == 5).then(|| words[2].parse().unwrap())
        })
        .collect()
}

#[test]
fn the_same_network_each_time_interrupted_or_not() {
    let f = Folder::new("same");
    f.run(GAMES, 0);
    let told = f
        .run(&format!("{TRAIN} --epochs 4 --out a --curve a.svg"), 0)
        .stdout;
    let told = String::from_utf8(told).unwrap();
    let losses = losses(&told);
    assert_eq!(losses.len(), 4, "{told}");
    assert!(losses[3] < losses[0], "{told}");
    assert!(
        String::from_utf8(f.bytes("a.svg"))
            .unwrap()
            .contains("<polyline")
    );
    f.run(&format!("{TRAIN} --epochs 4 --out b"), 0);
    assert!(f.bytes("a") == f.bytes("b"), "a and b differ");
    f.run(&format!("{TRAIN} --epochs 4 --out c --seed 2"), 0);
    assert!(f.bytes("a") != f.bytes("c"), "a and c are the same");
    // Threads round otherwise, but each time alike.
    f.run(&format!("{TRAIN} --epochs 2 --out t1 --threads 3"), 0);
    f.run(&format!("{TRAIN} --epochs 2 --out t2 --threads 3"), 0);
    assert!(f.bytes("t1") == f.bytes("t2"), "t1 and t2 differ");
    // A checkpoint of another training is refused.
    f.run(&format!("{TRAIN} --epochs 4 --out d --checkpoint ck"), 0);
    assert!(f.bytes("a") == f.bytes("d"), "a and d differ");
    f.run(
        &format!("{TRAIN} --epochs 4 --out d --checkpoint ck --resume"),
        0,
    );
    let other = f.run(
        &format!("{TRAIN} --epochs 4 --out e --seed 2 --checkpoint ck --resume"),
        2,
    );
    assert!(String::from_utf8_lossy(&other.stderr).contains("another training"));
    f.run("net check a --games 5", 0);
    let info = String::from_utf8(f.run("net info a", 0).stdout).unwrap();
    assert!(
        info.contains("lanes 32 a side") && info.contains("scale 400"),
        "{info}"
    );
}

#[test]
fn a_training_goes_on_from_a_network() {
    let f = Folder::new("from");
    f.run(GAMES, 0);
    let train = |args: &str, status| {
        let output = f.run(&format!("train g --batch 256 --warm-up 10 {args}"), status);
        let text = if status == 0 {
            output.stdout
        } else {
            output.stderr
        };
        String::from_utf8(text).unwrap()
    };
    let first = losses(&train(
        "--lanes 64 --scale 300 --rate 0.003 --epochs 6 --out a",
        0,
    ));
    let told = train("--from a --rate 0.0003 --epochs 1 --out b", 0);
    assert!(told.contains("64 lanes, scale 300"), "{told}");
    let second = losses(&told);
    assert!(second[0] < first[3], "{first:?} {second:?}");
    let info = String::from_utf8(f.run("net info a", 0).stdout).unwrap();
    let name = info.split_whitespace().nth(1).unwrap();
    let info = String::from_utf8(f.run("net info b", 0).stdout).unwrap();
    assert!(info.contains(&format!("from {name}")), "{info}");
    // Nothing learnt: the same weights.
    train("--from a --epochs 0 --out c", 0);
    let (a, c) = (f.bytes("a"), f.bytes("c"));
    let weights = 64 * 4_152 * 2;
    assert!(a[a.len() - weights - 4..a.len() - 4] == c[c.len() - weights - 4..c.len() - 4]);
    assert!(train("--from a --lanes 64 --out d", 2).contains("--lanes"));
    assert!(train("--from g --out d", 2).contains("--from g: no network of chuhe"));
}

#[test]
fn a_wrong_file_is_refused_and_the_old_one_kept() {
    let f = Folder::new("refused");
    f.run(GAMES, 0);
    f.run(&format!("{TRAIN} --epochs 1 --out good"), 0);
    let mut bad = f.bytes("good");
    bad[5_000] ^= 1;
    std::fs::write(f.0.join("bad"), bad).unwrap();
    let at = |name: &str| f.0.join(name).display().to_string();
    let mut engine = harness::Engine::start();
    engine.send("uci");
    let line = engine.expect("option name EvalFile");
    assert_eq!(line, "option name EvalFile type string default <empty>");
    engine.expect("uciok");
    let mut eval = |file: &str| {
        engine.send(&format!("setoption name EvalFile value {file}"));
        engine.expect("info string ")
    };
    let good = eval(&at("good"));
    assert!(
        good.contains("network ") && good.contains("32 lanes"),
        "{good}"
    );
    let refused = eval(&at("bad"));
    assert!(
        refused.contains("damaged") && refused.contains("old value stays"),
        "{refused}"
    );
    let refused = eval(&at("nowhere"));
    assert!(refused.contains("nowhere"), "{refused}");
    engine.send("position startpos");
    engine.send("go nodes 2000");
    engine.expect("bestmove");
    for (args, message) in [
        ("net info bad", "damaged"),
        ("net check nowhere", "nowhere"),
        ("train bad --out x", "no file of self-play games"),
        ("train g --out x --lanes 33", "multiple of 32"),
        ("datagen --out y --games 1 --eval-file bad", "damaged"),
    ] {
        let stderr = f.run(args, 2).stderr;
        let stderr = String::from_utf8_lossy(&stderr);
        assert!(stderr.contains(message), "{args}: {stderr}");
    }
}

#[test]
fn bench_is_the_same_at_every_level() {
    let f = Folder::new("levels");
    f.run(GAMES, 0);
    f.run(&format!("{TRAIN} --epochs 2 --out n"), 0);
    let nodes = |flags: &str| {
        let told = f.run(&format!("bench --depth 4 {flags}"), 0).stdout;
        let told = String::from_utf8(told).unwrap();
        let last = told.lines().last().unwrap().to_owned();
        last.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let wanted = nodes("--eval-file n --level scalar");
    for level in Level::ALL.into_iter().filter(|l| l.is_available()) {
        assert_eq!(
            nodes(&format!("--eval-file n --level {level}")),
            wanted,
            "{level}"
        );
    }
    let embedded = nodes("");
    assert_ne!(embedded, wanted, "the network is not used");
    for level in Level::ALL.into_iter().filter(|l| l.is_available()) {
        assert_eq!(nodes(&format!("--level {level}")), embedded, "{level}");
    }
}

/// The whole way with the program's own commands: games of the evaluation that counts pieces, a
/// network trained on them, a match of the two.
#[test]
#[ignore = "takes minutes"]
fn from_nothing_to_a_network_that_beats_counting_pieces() {
    let f = Folder::new("nothing");
    f.run(
        "datagen --eval-file material --out g --games 4000 --nodes 150 --hash 1 --threads 2 --quiet",
        0,
    );
    f.run(
        "train g --lanes 32 --batch 1024 --rate 0.001 --epochs 10 --decay 0.3 --result 20 --threads 2 --out n",
        0,
    );
    let engine = |name: &str, file: &str| {
        let chuhe = env!("CARGO_BIN_EXE_chuhe");
        format!("--engine name={name} cmd={chuhe} proto=uci option.EvalFile={file}")
    };
    let network = f.0.join("n").display().to_string();
    let told = f
        .run(
            &format!(
                "match {} {} --games 100 --nodes 500 -j 2 --openings random:6 --seed 3",
                engine("network", &network),
                engine("material", "material")
            ),
            0,
        )
        .stdout;
    let told = String::from_utf8(told).unwrap();
    let score: f64 = told
        .lines()
        .find(|l| l.starts_with("  games "))
        .and_then(|l| l.split("score ").nth(1)?.split('%').next()?.parse().ok())
        .unwrap_or_else(|| panic!("no score in {told}"));
    // Two standard errors above even, of games without a draw.
    assert!(score > 60.0, "{told}");
}
