//! Ending a game early by what both engines say of it, as far as the event wishes.

use crate::types::Color;
use serde::{Deserialize, Serialize};

/// Resignation by scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// So many hundredths of a pawn down ...
    pub score: i32,
    /// ... on so many moves in a row.
    pub moves: u32,
    /// The winner's scores need not agree.
    #[serde(default)]
    pub one_sided: bool,
}

/// Draw by scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Not before this move.
    pub after: u32,
    /// Both within so many hundredths ...
    pub score: i32,
    /// ... on so many moves in a row.
    pub moves: u32,
}

/// Counts what the engines say.
#[derive(Clone, Debug, Default)]
pub(super) struct Adjudicator {
    losing: [u32; 2],
    winning: [u32; 2],
    level: u32,
}

/// What the scores decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// This side is lost.
    Lost(Color),
    /// A draw.
    Draw,
}

impl Adjudicator {
    /// Takes in the score of the side that just moved; `move_number` counts full moves.
    pub(super) fn note(
        &mut self,
        resign: Option<&ResignRule>,
        draw: Option<&DrawRule>,
        mover: Color,
        score: Option<i32>,
        move_number: u32,
    ) -> Option<Decision> {
        if let Some(rule) = resign {
            let (us, them) = (mover.index(), (!mover).index());
            let count = |n: &mut u32, more: bool| *n = if more { *n + 1 } else { 0 };
            count(
                &mut self.losing[us],
                score.is_some_and(|s| s <= -rule.score),
            );
            count(
                &mut self.winning[us],
                score.is_some_and(|s| s >= rule.score),
            );
            for (loser, winner) in [(us, them), (them, us)] {
                if self.losing[loser] >= rule.moves
                    && (rule.one_sided || self.winning[winner] >= rule.moves)
                {
                    return Some(Decision::Lost(Color::ALL[loser]));
                }
            }
        }
        if let Some(rule) = draw {
            let level = score.is_some_and(|s| s.abs() <= rule.score);
            self.level = if level { self.level + 1 } else { 0 };
            if move_number >= rule.after && self.level >= 2 * rule.moves {
                return Some(Decision::Draw);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resignation_wants_both_sides_to_agree() {
        let mut rule = ResignRule {
            score: 600,
            moves: 2,
            one_sided: false,
        };
        let mut a = Adjudicator::default();
        let say =
            |a: &mut Adjudicator, rule: &ResignRule, c, s| a.note(Some(rule), None, c, Some(s), 9);
        assert_eq!(say(&mut a, &rule, Color::Red, -700), None);
        assert_eq!(say(&mut a, &rule, Color::Black, 100), None);
        assert_eq!(say(&mut a, &rule, Color::Red, -700), None);
        assert_eq!(say(&mut a, &rule, Color::Black, 700), None);
        assert_eq!(
            say(&mut a, &rule, Color::Black, 700),
            Some(Decision::Lost(Color::Red))
        );
        rule.one_sided = true;
        let mut a = Adjudicator::default();
        assert_eq!(say(&mut a, &rule, Color::Red, -700), None);
        assert_eq!(
            say(&mut a, &rule, Color::Red, -700),
            Some(Decision::Lost(Color::Red))
        );
    }

    #[test]
    fn draws_wait_for_their_move_and_break_at_a_score() {
        let rule = DrawRule {
            after: 20,
            score: 10,
            moves: 2,
        };
        let mut a = Adjudicator::default();
        let mut say = |s, n| a.note(None, Some(&rule), Color::Red, s, n);
        for _ in 0..10 {
            assert_eq!(say(Some(3), 19), None);
        }
        assert_eq!(say(None, 20), None);
        for _ in 0..3 {
            assert_eq!(say(Some(-3), 20), None);
        }
        assert_eq!(say(Some(-3), 20), Some(Decision::Draw));
    }
}
