//! The judged cases: verdicts and published labels, counted by family and rule set. The table in
//! `docs/rules.md` is what this test counts; `UPDATE_RULES_TABLE=1` writes it anew.

use chuhe::position::Position;
use chuhe::rules::{Arbiter, Judgement, RuleSet};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// One row of the file.
pub struct Case {
    pub id: String,
    pub set: String,
    pub fen: String,
    pub moves: Vec<String>,
    pub verdict: String,
    /// Labels of one loop in the order of the moves, if the row has them.
    pub labels: Vec<String>,
    pub note: String,
}

/// Rows that no setup of this project can hold: a pawn where none can ever stand.
const NO_POSITION: &[&str] = &["AX103"];
/// Verdicts that the sources themselves dispute.
const DISPUTED: &[&str] = &["IS01", "IS02", "IS03", "IS05"];

/// All rows whose position can be set up.
pub fn all() -> Vec<Case> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/rules/cases.tsv");
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().filter(|l| !l.starts_with('#'));
    let cases = rows.map(|line| {
        let f: Vec<&str> = line.split('\t').collect();
        Case {
            id: f[0].into(),
            set: f[1].into(),
            fen: f[2].into(),
            moves: f[3].split_whitespace().map(String::from).collect(),
            verdict: f[4].into(),
            labels: labels(f[5]),
            note: f[7].into(),
        }
    });
    cases
        .filter(|c| !NO_POSITION.contains(&c.id.as_str()))
        .collect()
}

/// `red=class(a,b) black=class(c,d)` as a, c, b, d.
fn labels(text: &str) -> Vec<String> {
    let lists: Vec<Vec<&str>> = text
        .split(" black=")
        .filter_map(|side| {
            let (_, rest) = side.split_once('(')?;
            Some(rest.strip_suffix(')')?.split(',').collect())
        })
        .collect();
    let [red, black] = lists.as_slice() else {
        return Vec::new();
    };
    let pairs = red.iter().zip(black);
    pairs
        .flat_map(|(r, b)| [r.to_string(), b.to_string()])
        .collect()
}

impl Case {
    /// The rule sets the row speaks of.
    pub fn sets(&self) -> Vec<RuleSet> {
        match self.set.as_str() {
            "any" => vec![RuleSet::CXA1999, RuleSet::CXA2020, RuleSet::AXF],
            "computer" => vec![RuleSet::AXF],
            name => vec![name.parse().unwrap()],
        }
    }

    pub fn position(&self) -> Position {
        let mut p = Position::from_fen(&self.fen).unwrap();
        for m in &self.moves {
            p.play(m.parse().unwrap()).unwrap();
        }
        p
    }

    fn group(&self) -> String {
        let family: String = self
            .id
            .chars()
            .take_while(|c| *c != '-' && !c.is_ascii_digit())
            .collect();
        let family = if self.id.starts_with('C') {
            self.id.split('-').next().unwrap().to_string()
        } else {
            family
        };
        if self.note.contains("LOW CONFIDENCE") {
            format!("{family} low confidence")
        } else {
            family
        }
    }
}

/// Right and all.
#[derive(Default, Clone, Copy)]
struct Count(u32, u32);

impl Count {
    fn add(&mut self, right: bool) {
        self.0 += u32::from(right);
        self.1 += 1;
    }

    fn at_least(self, percent: u32) -> bool {
        self.0 * 100 >= self.1 * percent
    }
}

/// Idle kinds are equal in every decision (28.9); what stands in brackets is a remark.
fn is_label(want: &str, got: &str) -> bool {
    let attack = |l: &str| ["check", "kill", "chase"].contains(&l);
    let want = want.split('[').next().unwrap();
    if attack(want) || attack(got) {
        want == got
    } else {
        true
    }
}

struct Report {
    verdicts: BTreeMap<(String, &'static str), Count>,
    published: Count,
    published_exactly: Count,
    differing: Vec<String>,
}

fn judge_all() -> Report {
    let mut report = Report {
        verdicts: BTreeMap::new(),
        published: Count::default(),
        published_exactly: Count::default(),
        differing: Vec::new(),
    };
    for case in all() {
        let p = case.position();
        for set in case.sets() {
            let mut arbiter = Arbiter::new(set);
            let j: Judgement = arbiter.judge(&p);
            let right = j.verdict.name() == case.verdict;
            report
                .verdicts
                .entry((case.group(), set.name))
                .or_default()
                .add(right);
            if !right {
                let (id, got) = (&case.id, j.verdict.name());
                report
                    .differing
                    .push(format!("{id} {}: {got}, not {}", set.name, case.verdict));
            }
            if case.id.starts_with("C20-") {
                labels_of_figure(&case, &mut arbiter, &p, &mut report);
            }
        }
    }
    report
}

fn labels_of_figure(case: &Case, arbiter: &mut Arbiter, p: &Position, report: &mut Report) {
    let window = arbiter.label_window(p, p.ply_count());
    for (w, want) in window.iter().zip(&case.labels) {
        let got = w.labelled.label.name();
        report.published.add(is_label(want, got));
        report.published_exactly.add(want == got);
        if !is_label(want, got) {
            let (id, ply, m) = (&case.id, w.ply, w.labelled.mv);
            report
                .differing
                .push(format!("{id} label of ply {ply} {m}: {got}, not {want}"));
        }
    }
}

fn table(report: &Report) -> String {
    let mut t = String::from("| family | rule set | right | all |\n|---|---|---|---|\n");
    for ((family, set), Count(right, all)) in &report.verdicts {
        let _ = writeln!(t, "| {family} | {set} | {right} | {all} |");
    }
    let Count(right, all) = report.published;
    let _ = writeln!(
        t,
        "| C20 labels (idle kinds as one) | cxa2020 | {right} | {all} |"
    );
    let Count(right, all) = report.published_exactly;
    let _ = writeln!(
        t,
        "| C20 labels (exchange and idle apart) | cxa2020 | {right} | {all} |"
    );
    t
}

#[test]
fn judged_cases() {
    let report = judge_all();
    let table = table(&report);
    println!("{table}");
    for line in &report.differing {
        println!("{line}");
    }
    let mut of_set: BTreeMap<&str, Count> = BTreeMap::new();
    for ((family, set), count) in &report.verdicts {
        if ["K", "H", "T", "N", "Z"].contains(&family.as_str()) {
            assert_eq!(count.0, count.1, "{family} {set}: every row must be right");
        }
        if family != "C99p" && !family.contains("low") {
            let sum = of_set.entry(set).or_default();
            *sum = Count(sum.0 + count.0, sum.1 + count.1);
        }
    }
    let disputed = |line: &&String| DISPUTED.iter().any(|id| line.starts_with(id));
    let axf = report
        .differing
        .iter()
        .filter(|l| l.contains(" axf:") && !disputed(l))
        .count();
    assert!(
        axf * 100 <= 3 * of_set["axf"].1 as usize,
        "axf: {axf} differ"
    );
    for set in ["cxa1999", "cxa2020"] {
        assert!(of_set[set].at_least(95), "{set}: verdicts below 95 %");
    }
    assert!(report.published.at_least(97), "published labels below 97 %");
    check_document(&table);
}

/// The document shows this table, or is made to.
fn check_document(table: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
    let text = fs::read_to_string(&path).unwrap();
    let (start, end) = ("<!-- table -->\n", "<!-- end of table -->");
    let (head, rest) = text.split_once(start).expect("the mark before the table");
    let (old, tail) = rest.split_once(end).expect("the mark after the table");
    if std::env::var_os("UPDATE_RULES_TABLE").is_some() {
        fs::write(&path, format!("{head}{start}{table}{end}{tail}")).unwrap();
    } else {
        assert_eq!(
            old, table,
            "docs/rules.md shows another table: UPDATE_RULES_TABLE=1"
        );
    }
}

#[test]
fn single_moves() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/it/data/rules/legality.tsv"
    );
    for line in fs::read_to_string(file)
        .unwrap()
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let f: Vec<&str> = line.split('\t').collect();
        // L06 (black in check with Red to move) and L07 (a pawn behind its start) are refused as
        // positions already.
        let Ok(p) = Position::from_fen(f[1]) else {
            assert!(["L06", "L07"].contains(&f[0]) && f[3] == "no");
            continue;
        };
        assert_eq!(p.is_legal(f[2].parse().unwrap()), f[3] == "yes", "{}", f[0]);
    }
}
