//! From scores to losses, marks and accuracy; the formulas are in the head of the module.

use crate::types::{Score, score};

/// Hundredths of a pawn that make the odds of winning e times as good.
const SCALE: f64 = 250.0;
/// Fall of the accuracy with the loss.
const STEEPNESS: f64 = 4.0;
/// How much worse the second move is where only one holds.
pub(super) const ONLY_MOVE: f64 = 0.10;

/// The probability of winning with this score, 0 to 1.
pub fn win_probability(s: Score) -> f64 {
    if score::is_decided(s) {
        return if s > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(s) / SCALE).exp())
}

/// What the accuracy of a move is that loses so much, 0 to 100.
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-STEEPNESS * loss).exp()
}

/// A mark of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `!`: only this move holds.
    Only,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// The mark of a loss of win probability.
    pub fn of_loss(loss: f64) -> Option<Mark> {
        Some(match loss {
            l if l >= 0.20 => Mark::Blunder,
            l if l >= 0.10 => Mark::Mistake,
            l if l >= 0.05 => Mark::Inaccuracy,
            _ => return None,
        })
    }

    /// `!`, `?!`, `?` or `??`.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::Only => "!",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The numeric annotation glyph.
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Only => 1,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
            Mark::Inaccuracy => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_and_marks() {
        assert_eq!(win_probability(0), 0.5);
        assert!((win_probability(250) - 0.731).abs() < 0.001);
        assert!((win_probability(100) + win_probability(-100) - 1.0).abs() < 1e-12);
        assert_eq!(win_probability(score::mate_in(3)), 1.0);
        assert_eq!(win_probability(-score::RULE_WIN + 2), 0.0);
        assert_eq!(Mark::of_loss(0.049), None);
        assert_eq!(Mark::of_loss(0.05), Some(Mark::Inaccuracy));
        assert_eq!(Mark::of_loss(0.10), Some(Mark::Mistake));
        assert_eq!(Mark::of_loss(0.9), Some(Mark::Blunder));
        assert_eq!(accuracy(0.0), 100.0);
        assert!(accuracy(0.2) < 50.0);
    }
}
