//! What an event came to, as text and as JSON. A function of the state alone: the joined state of
//! all shards gives the same report as the event played in one piece.

use super::config::Format;
use super::sprt::SprtState;
use super::standings::{Standing, standings};
use super::state::State;
use super::stats::{Estimate, Summary};
use super::tally::Tally;
use serde_json::{Value, json};
use std::fmt::Write;

fn tally(state: &State) -> Tally {
    let mut tally = Tally::new(&state.header.config);
    for record in &state.records {
        tally.add(record);
    }
    tally
}

/// `+12.3 ± 4.5`.
pub fn estimate_text(e: &Estimate) -> String {
    let value = |x: f64| {
        if x.is_infinite() {
            if x > 0.0 { "+inf" } else { "-inf" }.to_string()
        } else {
            format!("{:+.1}", x + 0.0)
        }
    };
    match e.error {
        Some(error) => format!("{} ± {error:.1}", value(e.value)),
        None => value(e.value),
    }
}

/// One line with the figures of a match.
pub fn short_summary(s: &Summary) -> String {
    format!(
        "+{} ={} -{} | Elo {} | LOS {:.1}%",
        s.games.wins,
        s.games.draws,
        s.games.losses,
        estimate_text(&s.elo),
        100.0 * s.los
    )
}

/// The whole report.
pub fn text(state: &State) -> String {
    let config = &state.header.config;
    let tally = tally(state);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} games, rules {}, {:.1} plies on average",
        config.event,
        tally.count(),
        config.rules,
        tally.mean_plies()
    );
    if let Some(summary) = tally.summary() {
        match_text(&mut out, state, &tally, &summary);
    }
    if config.engine.len() > 2 {
        table(&mut out, config.format, &standings(state));
    }
    let endings: Vec<String> = tally
        .endings()
        .iter()
        .map(|(word, n)| format!("{word} {n}"))
        .collect();
    let _ = writeln!(out, "endings: {}", endings.join(", "));
    faults(&mut out, state);
    out
}

fn match_text(out: &mut String, state: &State, tally: &Tally, s: &Summary) {
    let config = &state.header.config;
    let name = |i: usize| config.engine.get(i).map_or("", |e| &e.name);
    let g = s.games;
    let _ = writeln!(out, "{} against {}", name(0), name(1));
    for (i, limit) in [0, 1].map(|i| (i, config.limit_text(i))) {
        let _ = writeln!(out, "  {}: {limit}", name(i));
    }
    let _ = writeln!(
        out,
        "  games   +{} ={} -{}  score {:.2}%  draws {:.1}%",
        g.wins,
        g.draws,
        g.losses,
        100.0 * s.score,
        100.0 * s.draw_ratio
    );
    let ratio = s.pair_ratio.map_or("-".to_string(), |r| format!("{r:.2}"));
    let _ = writeln!(
        out,
        "  pairs   {:?} (0, ½, 1, 1½, 2 points)  pair ratio {ratio}",
        s.pairs.0
    );
    let _ = writeln!(
        out,
        "  Elo     {}   nElo {}   LOS {:.2}%",
        estimate_text(&s.elo),
        estimate_text(&s.nelo),
        100.0 * s.los
    );
    if let Some(sprt) = &config.sprt {
        let llr = tally.llr(sprt);
        let (low, high) = sprt.bounds();
        let verdict = match sprt.state(llr) {
            SprtState::Running => "undecided",
            SprtState::Accepted => "passed (H1 accepted)",
            SprtState::Rejected => "failed (H0 accepted)",
        };
        let _ = writeln!(
            out,
            "  SPRT    {:?} [{}, {}]  LLR {llr:.2} ({low:.2}, {high:.2})  {verdict}",
            sprt.model, sprt.elo0, sprt.elo1
        );
    }
}

/// Width on a terminal: CJK letters take two columns.
fn width(text: &str) -> usize {
    text.chars()
        .map(|c| {
            if ('\u{1100}'..'\u{fffd}').contains(&c) {
                2
            } else {
                1
            }
        })
        .sum()
}

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

fn table(out: &mut String, format: Format, standings: &[Standing]) {
    let names = standings.iter().map(|s| width(&s.name)).max().unwrap_or(0);
    let second = match format {
        Format::Swiss => "对手分",
        _ => "小分",
    };
    let cell = |s: &Standing, o: &Standing| {
        if s.engine == o.engine {
            "×".to_string()
        } else {
            s.cells.get(&o.engine).cloned().unwrap_or_default()
        }
    };
    let widest = standings
        .iter()
        .flat_map(|s| standings.iter().map(|o| width(&cell(s, o))))
        .max()
        .unwrap_or(1)
        .max(2);
    // A cross-table of long matches would not fit; then the sums must do.
    let cross = widest <= 12 && standings.len() <= 16;
    let mut head = format!("  #  {} points  games  {second}", padded("", names));
    head.push_str("  胜局  直胜  犯规");
    if cross {
        for i in 0..standings.len() {
            let _ = write!(head, "  {}", padded(&(i + 1).to_string(), widest));
        }
    }
    let _ = writeln!(out, "{}", head.trim_end());
    for s in standings {
        let mut row = format!(
            "{:>3}  {} {:>6.1}  {:>5}  {:>w$.2}  {:>4}  {:>4.1}  {:>4}",
            s.place,
            padded(&s.name, names),
            s.points,
            s.games,
            s.tie_break,
            s.wins,
            s.direct,
            s.fouls,
            w = width(second)
        );
        if cross {
            for o in standings {
                let _ = write!(row, "  {}", padded(&cell(s, o), widest));
            }
        }
        if s.withdrawn {
            row.push_str("  withdrawn");
        }
        let _ = writeln!(out, "{}", row.trim_end());
    }
}

/// Endings that are an engine's fault.
const FAULTS: [&str; 9] = [
    "no_handshake",
    "crash",
    "disconnect",
    "stall",
    "time",
    "illegal_move",
    "garbage",
    "stderr_flood",
    "withdrawn",
];

fn faults(out: &mut String, state: &State) {
    let config = &state.header.config;
    for (e, engine) in config.engine.iter().enumerate() {
        let mut counts = Vec::new();
        for word in FAULTS {
            let n = state
                .records
                .iter()
                .filter(|r| r.termination == word)
                .filter(|r| {
                    let [red, black] = r.result.half_points();
                    (r.red == e && red == 0) || (r.black == e && black == 0)
                })
                .count();
            if n > 0 {
                counts.push(format!("{word} {n}"));
            }
        }
        if !counts.is_empty() {
            let _ = writeln!(out, "faults of {}: {}", engine.name, counts.join(", "));
        }
    }
}

/// The report as a JSON object.
pub fn json(state: &State) -> Value {
    let config = &state.header.config;
    let tally = tally(state);
    let sprt = config.sprt.as_ref().map(|sprt| {
        let llr = tally.llr(sprt);
        let (low, high) = sprt.bounds();
        json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "model": sprt.model, "llr": llr,
            "lower": low, "upper": high, "state": sprt.state(llr),
        })
    });
    json!({
        "event": config.event,
        "rules": config.rules,
        "games": tally.count(),
        "mean_plies": tally.mean_plies(),
        "match": tally.summary(),
        "sprt": sprt,
        "standings": standings(state),
        "endings": tally.endings(),
    })
}
