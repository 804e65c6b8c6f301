//! Scores of the search, in hundredths of a pawn from the side to move.

/// A score: centipawns, or a mate or rule distance near [`MATE`].
pub type Score = i32;

/// No position has a score beyond this.
pub const INFINITE: Score = 32_000;
/// Marks "no score known", for instance in the transposition table.
pub const NONE: Score = 32_001;
/// Mated on this ply. A mate in `n` plies scores `MATE - n`.
pub const MATE: Score = 31_000;
/// Longest distance in plies that a mate score can tell.
pub const MAX_PLY: usize = 240;
/// From here on a score is a proved mate.
pub const MATE_BOUND: Score = MATE - MAX_PLY as Score;
/// Won by the rules of repetition on this ply: below every mate, above every evaluation.
pub const RULE_WIN: Score = 29_500;
/// From here on a score is a win by rule or by mate.
pub const WIN_BOUND: Score = RULE_WIN - MAX_PLY as Score;
/// Evaluations stay within this.
pub const MAX_EVAL: Score = WIN_BOUND - 1;
/// A drawn position.
pub const DRAW: Score = 0;

/// The score of being mated `ply` plies from the root.
#[inline(always)]
pub const fn mated_in(ply: usize) -> Score {
    -MATE + ply as Score
}

/// The score of mating `ply` plies from the root.
#[inline(always)]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// Whether the score is a mate for either side.
#[inline(always)]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_BOUND && score.abs() <= MATE
}

/// Whether the score is decided: a mate or a win by rule, for either side.
#[inline(always)]
pub const fn is_decided(score: Score) -> bool {
    score.abs() >= WIN_BOUND && score.abs() <= MATE
}

/// Moves (not plies) to mate, positive for the side to move; `None` if it is no mate score.
pub const fn mate_moves(score: Score) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some((MATE - score + 1) / 2)
    } else {
        Some(-(MATE + score) / 2)
    }
}

/// Where winning becomes as likely as not, in hundredths of a pawn; see [`win_draw_loss`].
const EVEN: f64 = 238.0;
/// How fast it does so.
const SLOPE: f64 = 251.0;

/// The chances of a win, a draw and a loss of the side to move in thousandths: win
/// `1 / (1 + exp((a - s) / b))`, loss the same with `-s`, draw the rest. `a` and `b` are fitted to
/// how games of chuhe against itself ended from such scores (`tests/fit_wdl.py`).
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    if is_decided(score) {
        return if score > 0 {
            [1000, 0, 0]
        } else {
            [0, 0, 1000]
        };
    }
    let chance = |s: Score| {
        let thousandths = 1000.0 / (1.0 + ((EVEN - f64::from(s)) / SLOPE).exp());
        thousandths.round() as u32
    };
    let (win, loss) = (chance(score), chance(-score));
    // Rounded up on both sides they could exceed the whole by one.
    [win, 1000_u32.saturating_sub(win + loss), loss]
}

/// For people: `+0.34`, `mate 3`, `rule +` where a side wins by the rules of repetition.
pub fn text(score: Score) -> String {
    match mate_moves(score) {
        Some(moves) => format!("mate {moves}"),
        None if is_decided(score) && score > 0 => "rule +".to_owned(),
        None if is_decided(score) => "rule -".to_owned(),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// Root-relative to node-relative, for storing in the transposition table.
#[inline(always)]
pub const fn to_table(score: Score, ply: usize) -> Score {
    if score >= WIN_BOUND {
        score + ply as Score
    } else if score <= -WIN_BOUND {
        score - ply as Score
    } else {
        score
    }
}

/// Node-relative to root-relative, for a score from the transposition table.
#[inline(always)]
pub const fn from_table(score: Score, ply: usize) -> Score {
    if score >= WIN_BOUND {
        score - ply as Score
    } else if score <= -WIN_BOUND {
        score + ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances() {
        for s in [-3_000, -251, -1, 0, 1, 77, 250, 900, MAX_EVAL] {
            let [win, draw, loss] = win_draw_loss(s);
            assert_eq!(win + draw + loss, 1000, "{s}");
            assert_eq!(win_draw_loss(-s), [loss, draw, win]);
            assert!(win_draw_loss(s + 100)[0] >= win);
        }
        assert_eq!(win_draw_loss(mate_in(9)), [1000, 0, 0]);
        assert_eq!(win_draw_loss(-RULE_WIN + 4), [0, 0, 1000]);
    }

    #[test]
    fn mates() {
        assert_eq!(mate_moves(mate_in(1)), Some(1));
        assert_eq!(mate_moves(mate_in(3)), Some(2));
        assert_eq!(mate_moves(mated_in(0)), Some(0));
        assert_eq!(mate_moves(mated_in(2)), Some(-1));
        assert_eq!(mate_moves(100), None);
        assert!(is_decided(RULE_WIN - 3) && !is_mate(RULE_WIN - 3));
        assert!(!is_decided(MAX_EVAL) && !is_decided(NONE));
        assert_eq!(text(34), "+0.34");
        assert_eq!(text(-250), "-2.50");
        assert_eq!(text(mate_in(3)), "mate 2");
        assert_eq!(text(-RULE_WIN + 2), "rule -");
        for s in [mate_in(7), mated_in(8), RULE_WIN - 9, 55] {
            assert_eq!(from_table(to_table(s, 5), 5), s);
        }
    }
}
