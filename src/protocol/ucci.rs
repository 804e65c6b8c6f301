//! What is said in UCCI.

use super::report::Line;
use super::{Context, nps, option_text, wdl_text};
use crate::engine::options;
use crate::position::Position;
use crate::search::{Bound, Outcome, ProbeResult};
use crate::types::{Color, PieceType, Score, score};
use std::fmt::Write;

/// UCCI has no word for mate: this much minus the plies to it.
const MATE: Score = 10_000;
/// Whatever is greater is a proved mate.
const PROVED: Score = 9_800;
/// A win by the rules of repetition, minus the plies to it: just below every mate.
const RULE_WIN: Score = 9_790;
/// Evaluations stay below both.
const MAX_EVAL: Score = 9_500;
/// How bad the score must be for an offered draw to be welcome: half a pawn down.
const DRAW_WELCOME: Score = -50;
/// From this depth on a score of exactly nothing is believed to be a draw.
const DRAW_SEEN_DEPTH: u32 = 10;

/// Who we are, the options, `ucciok`.
pub(super) fn hello() -> Vec<String> {
    let mut lines = vec![
        "id name Chuhe".to_owned(),
        concat!("id version ", env!("CARGO_PKG_VERSION")).to_owned(),
        "id author the Chuhe authors".to_owned(),
    ];
    lines.extend(options::specs().filter_map(|spec| {
        spec.ucci
            .map(|name| format!("option {name} {}", option_text(spec, |c| c.ucci)))
    }));
    lines.push("ucciok".to_owned());
    lines
}

/// The score as a plain number.
pub(super) fn score_number(s: Score) -> Score {
    let size = s.abs();
    let number = if score::is_mate(s) {
        (MATE - (score::MATE - size)).max(PROVED + 1)
    } else if score::is_decided(s) {
        (RULE_WIN - (score::RULE_WIN - size)).max(MAX_EVAL + 1)
    } else {
        size.min(MAX_EVAL)
    };
    number * s.signum()
}

/// A line of thought, the moves last. Scores that only bound the true one are not shown: the
/// protocol has no words for them.
pub(super) fn line(line: &Line, context: &Context) -> Option<String> {
    if line.bound != Bound::Exact {
        return None;
    }
    let mut text = format!("info depth {}", line.depth);
    if context.debug {
        let _ = write!(text, " seldepth {}", line.seldepth);
    }
    if context.multipv {
        let _ = write!(text, " multipv {}", line.multipv);
    }
    let _ = write!(
        text,
        " score {}{} time {} nodes {} nps {}",
        score_number(line.score),
        if context.wdl {
            wdl_text(line.score)
        } else {
            String::new()
        },
        line.time.as_millis(),
        line.nodes,
        nps(line.nodes, line.time),
    );
    if context.debug {
        let _ = write!(text, " hashfull {}", line.hashfull);
    }
    text.push_str(" pv");
    for m in &line.pv {
        let _ = write!(text, " {m}");
    }
    Some(text)
}

/// `bestmove MOVE [ponder MOVE] [draw]`.
pub(super) fn answer(outcome: &Outcome, draw: bool) -> String {
    let Some(best) = outcome.best else {
        return "nobestmove".to_owned();
    };
    let mut text = format!("bestmove {best}");
    if let Some(reply) = outcome.ponder {
        let _ = write!(text, " ponder {reply}");
    }
    if draw {
        text.push_str(" draw");
    }
    text
}

/// Whether a draw that was offered is accepted: if no piece is left that could win, if the
/// search sees a draw, or if we stand clearly worse.
pub(super) fn accepts_draw(outcome: &Outcome, position: &Position) -> bool {
    let attackers = [
        PieceType::Rook,
        PieceType::Knight,
        PieceType::Cannon,
        PieceType::Pawn,
    ];
    let none_left = Color::ALL.iter().all(|&side| {
        attackers
            .iter()
            .all(|&kind| !position.pieces(side, kind).any())
    });
    let draw_seen = outcome.score == score::DRAW && outcome.depth >= DRAW_SEEN_DEPTH;
    none_left || draw_seen || outcome.score <= DRAW_WELCOME
}

/// The answer to `probe`.
pub(super) fn pop_hash(entry: Option<&ProbeResult>) -> String {
    let mut text = "pophash".to_owned();
    let Some(entry) = entry else {
        return text;
    };
    if let Some(best) = entry.best {
        let _ = write!(text, " bestmove {best}");
    }
    for (word, bound) in [("lowerbound", entry.lower), ("upperbound", entry.upper)] {
        if let Some(s) = bound {
            let _ = write!(text, " {word} {} depth {}", score_number(s), entry.depth);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};
    use std::time::Duration;

    fn outcome(score: Score, depth: u32) -> Outcome {
        Outcome {
            best: "h2e2".parse().ok(),
            ponder: "h9g7".parse().ok(),
            score,
            no_mate_in: 0,
            depth,
            nodes: 1,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn scores_are_plain_numbers_in_order() {
        assert_eq!(score_number(123), 123);
        assert_eq!(score_number(mate_in(1)), 9_999);
        assert_eq!(score_number(mated_in(2)), -9_998);
        let falling = [
            mate_in(1),
            mate_in(150),
            score::RULE_WIN - 2,
            score::RULE_WIN - 100,
            score::MAX_EVAL,
            300,
            0,
            -300,
            -score::MAX_EVAL,
            mated_in(150),
            mated_in(0),
        ];
        for pair in falling.windows(2) {
            assert!(score_number(pair[0]) > score_number(pair[1]), "{pair:?}");
        }
        assert!(score_number(mate_in(score::MAX_PLY)) > PROVED);
        assert!(score_number(score::RULE_WIN) <= PROVED);
    }

    #[test]
    fn lines_have_no_word_of_uci() {
        let thought = Line {
            depth: 7,
            seldepth: 9,
            multipv: 1,
            score: 34,
            bound: Bound::Exact,
            nodes: 5000,
            time: Duration::from_millis(100),
            hashfull: 3,
            pv: vec!["h2e2".parse().unwrap()],
        };
        assert_eq!(
            line(&thought, &Context::default()).unwrap(),
            "info depth 7 score 34 time 100 nodes 5000 nps 50000 pv h2e2"
        );
    }

    #[test]
    fn draws_are_accepted_when_worse_or_dead() {
        let start = Position::startpos();
        assert!(!accepts_draw(&outcome(40, 12), &start));
        assert!(!accepts_draw(&outcome(-10, 12), &start));
        assert!(accepts_draw(&outcome(-80, 12), &start));
        assert!(accepts_draw(&outcome(0, 12), &start));
        assert!(!accepts_draw(&outcome(0, 3), &start));
        let dead = Position::from_fen("3ak4/9/9/9/9/9/9/9/9/3K1A3 w").unwrap();
        assert!(accepts_draw(&outcome(30, 3), &dead));
        assert_eq!(
            answer(&outcome(0, 1), true),
            "bestmove h2e2 ponder h9g7 draw"
        );
        assert_eq!(answer(&outcome(0, 1), false), "bestmove h2e2 ponder h9g7");
    }

    #[test]
    fn probes() {
        assert_eq!(pop_hash(None), "pophash");
        let entry = ProbeResult {
            best: "h2e2".parse().ok(),
            lower: Some(20),
            upper: Some(20),
            depth: 5,
        };
        assert_eq!(
            pop_hash(Some(&entry)),
            "pophash bestmove h2e2 lowerbound 20 depth 5 upperbound 20 depth 5"
        );
    }
}
