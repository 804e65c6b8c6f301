//! An event as one HTML file that needs nothing else: report, cross-table, games to replay.

use super::config::Format;
use super::record::{GameRecord, score_text};
use super::report;
use super::standings::standings;
use super::state::State;
use serde_json::json;
use std::fmt::Write;

const PAGE: &str = include_str!("page.html");

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The page.
pub fn page(state: &State) -> String {
    let config = &state.header.config;
    let names: Vec<&str> = config.engine.iter().map(|e| e.name.as_str()).collect();
    let games: Vec<serde_json::Value> = state
        .records
        .iter()
        .filter(|r| !r.forfeit)
        .map(game)
        .collect();
    // Inside a script element only `</` could end it.
    let data = json!({ "names": names, "games": games })
        .to_string()
        .replace("</", "<\\/");
    // The parts go in from the last to the first, so that none is looked for in another.
    let mut page = PAGE.to_string();
    // Of two engines the table says little, of more the report repeats it.
    let open = if names.len() == 2 { " open" } else { "" };
    for (mark, part) in [
        ("@DATA@", data),
        ("@TABLE@", table(state)),
        ("@REPORT@", escape(&report::text(state))),
        ("@OPEN@", open.into()),
        ("@TITLE@", escape(&config.event)),
    ] {
        page = page.replacen(mark, &part, if mark == "@TITLE@" { 2 } else { 1 });
    }
    page
}

fn game(r: &GameRecord) -> serde_json::Value {
    let comments: Vec<String> = r
        .moves
        .iter()
        .map(|m| {
            let score = m.s.map(score_text);
            let depth = m.d.map(|d| format!("/{d}"));
            let time = m.t.map(|t| format!(" {:.2}s", t as f64 / 1e3));
            [score, depth, time].into_iter().flatten().collect()
        })
        .collect();
    let moves: Vec<&str> = r.moves.iter().map(|m| m.m.as_str()).collect();
    json!({
        "game": r.game + 1, "red": r.red, "black": r.black, "result": r.result,
        "termination": r.termination, "reason": r.reason, "start": r.start, "book": r.book,
        "moves": moves, "comments": comments,
    })
}

fn table(state: &State) -> String {
    let table = standings(state);
    let second = match state.header.config.format {
        Format::Swiss => ("对手分", "the opponents' points"),
        _ => (
            "小分",
            "points of those beaten and half of those drawn with",
        ),
    };
    let (second, meaning) = second;
    let mut out = format!(
        "<table><thead><tr><th>#</th><th class=\"name\">engine</th><th>points</th><th>games</th>\
         <th title=\"{meaning}\">{second}</th><th title=\"games won\">胜局</th>\
         <th title=\"points among those level\">直胜</th><th title=\"fouls\">犯规</th>"
    );
    for i in 1..=table.len() {
        let _ = write!(out, "<th class=\"cell\">{i}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for s in &table {
        let gone = if s.withdrawn { " (withdrawn)" } else { "" };
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"name\">{}{gone}</td><td>{}</td><td>{}</td>\
             <td>{:.2}</td><td>{}</td><td>{}</td><td>{}</td>",
            s.place,
            escape(&s.name),
            s.points,
            s.games,
            s.tie_break,
            s.wins,
            s.direct,
            s.fouls
        );
        for o in &table {
            let cell = match s.cells.get(&o.engine) {
                _ if s.engine == o.engine => "×".to_string(),
                // Long encounters are told by their sums.
                Some(c) if c.chars().count() > 12 => {
                    let count = |marks: &str| c.chars().filter(|m| marks.contains(*m)).count();
                    format!("+{} ={} −{}", count("1+"), count("="), count("0-"))
                }
                Some(c) => c.replace('=', "½").replace('-', "−"),
                None => String::new(),
            };
            let _ = write!(out, "<td class=\"cell\">{cell}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::config::EventConfig;
    use crate::tournament::state::Header;

    #[test]
    fn names_and_reasons_cannot_break_the_page() {
        let config = EventConfig {
            event: "<b>&".into(),
            engine: ["A</script>", "@DATA@"]
                .map(|name| crate::tournament::EngineConfig {
                    name: name.into(),
                    ..Default::default()
                })
                .to_vec(),
            ..EventConfig::default()
        };
        let state = State {
            header: Header::new(config, Vec::new()),
            records: Vec::new(),
            withdrawn: Vec::new(),
        };
        let page = page(&state);
        assert!(page.contains("<title>&lt;b&gt;&amp;</title>"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("A<\\/script>"));
        assert!(!page.contains("@TABLE@"));
        assert!(page.contains("<details open>"));
        for outside in ["src=", "href=", "url(", "@import", "fetch("] {
            assert!(!page.contains(outside), "{outside}");
        }
        for key in ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home"] {
            assert!(page.contains(&format!("{key}: () =>")), "{key}");
        }
    }
}
