//! What is said in UCI.

use super::report::Line;
use super::{Context, nps, option_text, wdl_text};
use crate::engine::options;
use crate::search::{Bound, Outcome};
use crate::types::{Score, score};
use std::fmt::Write;
use std::time::Duration;

/// Scores that only bound the true one are shown after this time: before, they are noise, and
/// simple clients stumble over the extra word.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// Who we are, the options, `uciok`.
pub(super) fn hello() -> Vec<String> {
    let mut lines = vec![
        concat!("id name Chuhe ", env!("CARGO_PKG_VERSION")).to_owned(),
        "id author the Chuhe authors".to_owned(),
    ];
    lines.extend(options::specs().filter_map(|spec| {
        spec.uci
            .map(|name| format!("option name {name} {}", option_text(spec, |c| c.uci)))
    }));
    lines.push("uciok".to_owned());
    lines
}

/// `cp` or `mate`. A win by the rules of repetition is no mate on the board: it is shown as the
/// large number it is.
fn score_text(s: Score) -> String {
    match score::mate_moves(s) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {s}"),
    }
}

/// A line of thought: every key once, the moves last.
pub(super) fn line(line: &Line, context: &Context) -> Option<String> {
    let bound = match line.bound {
        Bound::Exact => "",
        _ if line.time < BOUNDS_AFTER => return None,
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let wdl = if context.wdl {
        wdl_text(line.score)
    } else {
        String::new()
    };
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {} hashfull {} time {} pv",
        line.depth,
        line.seldepth,
        line.multipv,
        score_text(line.score),
        line.nodes,
        nps(line.nodes, line.time),
        line.hashfull,
        line.time.as_millis(),
    );
    for m in &line.pv {
        let _ = write!(text, " {m}");
    }
    Some(text)
}

/// `bestmove MOVE [ponder MOVE]`.
pub(super) fn answer(outcome: &Outcome) -> String {
    match (outcome.best, outcome.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(reply)) => format!("bestmove {best} ponder {reply}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{RULE_WIN, mate_in, mated_in};

    fn thought(score: Score, bound: Bound, ms: u64) -> Option<String> {
        said(score, bound, ms, &Context::default())
    }

    fn said(score: Score, bound: Bound, ms: u64, context: &Context) -> Option<String> {
        let thought = Line {
            depth: 7,
            seldepth: 9,
            multipv: 1,
            score,
            bound,
            nodes: 5000,
            time: Duration::from_millis(ms),
            hashfull: 3,
            pv: vec!["h2e2".parse().unwrap(), "h9g7".parse().unwrap()],
        };
        line(&thought, context)
    }

    #[test]
    fn chances_stand_behind_the_score() {
        let context = Context {
            wdl: true,
            ..Context::default()
        };
        let text = said(34, Bound::Exact, 100, &context).unwrap();
        let [win, draw, loss] = score::win_draw_loss(34);
        let wanted = format!(" score cp 34 wdl {win} {draw} {loss} nodes ");
        assert!(text.contains(&wanted), "{text}");
    }

    #[test]
    fn lines_hold_every_key_once_and_end_with_the_moves() {
        let text = thought(34, Bound::Exact, 100).unwrap();
        assert_eq!(
            text,
            "info depth 7 seldepth 9 multipv 1 score cp 34 nodes 5000 nps 50000 hashfull 3 \
             time 100 pv h2e2 h9g7"
        );
    }

    #[test]
    fn mates_in_moves_and_rule_wins_in_numbers() {
        assert_eq!(score_text(mate_in(3)), "mate 2");
        assert_eq!(score_text(mated_in(4)), "mate -2");
        assert_eq!(score_text(RULE_WIN - 4), format!("cp {}", RULE_WIN - 4));
    }

    #[test]
    fn bounds_are_shown_late() {
        assert_eq!(thought(10, Bound::Lower, 100), None);
        let text = thought(10, Bound::Lower, 4000).unwrap();
        assert!(text.contains("score cp 10 lowerbound nodes"), "{text}");
    }

    #[test]
    fn the_hello_names_each_option_once() {
        let lines = hello();
        assert!(
            lines
                .iter()
                .any(|l| l.starts_with("option name Hash type spin default "))
        );
        assert_eq!(lines.last().map(String::as_str), Some("uciok"));
        assert!(lines.iter().all(|l| !l.contains("usemillisec")));
    }
}
