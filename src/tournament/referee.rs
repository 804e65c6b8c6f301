//! The referee of a match: follows a game and says when it is over and why. A thin layer over the
//! arbiter, so that the rest of the tournament asks one place.

use crate::position::{IllegalMove, Position};
use crate::types::{Color, Move, PieceType};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Which rule book is played by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleBook {
    /// Chinese rules of 1999.
    #[default]
    Cxa1999,
    /// Chinese rules of 2020.
    Cxa2020,
    /// Asian rules.
    Axf,
    /// The UCCI league's.
    League,
    /// A third repetition draws whatever it is.
    None,
}

impl fmt::Display for RuleBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RuleBook::Cxa1999 => "cxa1999",
            RuleBook::Cxa2020 => "cxa2020",
            RuleBook::Axf => "axf",
            RuleBook::League => "league",
            RuleBook::None => "none",
        })
    }
}

impl FromStr for RuleBook {
    type Err = String;

    fn from_str(s: &str) -> Result<RuleBook, String> {
        match s {
            "cxa1999" => Ok(RuleBook::Cxa1999),
            "cxa2020" => Ok(RuleBook::Cxa2020),
            "axf" => Ok(RuleBook::Axf),
            "league" => Ok(RuleBook::League),
            "none" => Ok(RuleBook::None),
            _ => Err(format!(
                "rule set {s:?} is not known: cxa1999, cxa2020, axf, league or none"
            )),
        }
    }
}

/// How a game ended by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won; `None` is a draw.
    pub winner: Option<Color>,
    /// Word for the reason.
    pub code: &'static str,
    /// The reason in a sentence.
    pub explanation: String,
}

/// Follows a game.
#[derive(Clone, Debug)]
pub struct Referee {
    rules: RuleBook,
    natural_limit: usize,
    position: Position,
}

impl Referee {
    /// From a start position; `natural_limit` in rounds, 0 for none.
    pub fn new(rules: RuleBook, natural_limit: u32, start: Position) -> Referee {
        Referee {
            rules,
            natural_limit: 2 * natural_limit as usize,
            position: start,
        }
    }

    /// The position reached.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a move.
    ///
    /// # Errors
    /// It is not legal.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        self.position.play(m)
    }

    /// The end of the game, if this is one.
    pub fn verdict(&self) -> Option<Verdict> {
        let p = &self.position;
        if p.legal_moves().is_empty() {
            let loser = p.stm();
            let (code, how) = if p.in_check() {
                ("checkmate", "checkmated")
            } else {
                ("stalemate", "stalemated")
            };
            return Some(Verdict {
                winner: Some(!loser),
                code,
                explanation: format!("{loser} is {how}"),
            });
        }
        let draw = |code, explanation| {
            Some(Verdict {
                winner: None,
                code,
                explanation,
            })
        };
        if let Some(verdict) = self.repetition() {
            return Some(verdict);
        }
        if self.natural_limit > 0 && p.quiet_plies() >= self.natural_limit {
            return draw(
                "natural_limit",
                format!("{} rounds without a capture", self.natural_limit / 2),
            );
        }
        let attackers = [
            PieceType::Rook,
            PieceType::Knight,
            PieceType::Cannon,
            PieceType::Pawn,
        ];
        if attackers.iter().all(|&k| !p.kind(k).any()) {
            return draw(
                "no_attackers",
                "neither side has a piece that attacks".into(),
            );
        }
        None
    }

    fn repetition(&self) -> Option<Verdict> {
        let p = &self.position;
        let same: Vec<usize> = (2..=p.reversible_plies())
            .step_by(2)
            .filter(|&back| p.key_back(back) == p.key())
            .collect();
        if same.len() < 2 {
            return None;
        }
        let window = same.last().copied().unwrap_or(0);
        // The state `back` plies ago tells whether the move that led to it gave check.
        let all_checks = |parity: usize| {
            (parity..window)
                .step_by(2)
                .all(|back| p.state_back(back).is_some_and(|s| s.checkers().any()))
        };
        let mover = !p.stm();
        let (mover_checks, other_checks) = (all_checks(0), all_checks(1));
        if self.rules != RuleBook::None && mover_checks != other_checks {
            let loser = if mover_checks { mover } else { !mover };
            return Some(Verdict {
                winner: Some(!loser),
                code: "perpetual_check",
                explanation: format!("{loser} checks perpetually and does not vary"),
            });
        }
        Some(Verdict {
            winner: None,
            code: "both_permitted",
            explanation: "the position stands for the third time".into(),
        })
    }

    /// Moves with which the side to move would repeat itself into a loss.
    pub fn forbidden(&self) -> Vec<Move> {
        let mover = self.position.stm();
        let mut next = self.clone();
        let mut banned = Vec::new();
        for &m in &self.position.legal_moves() {
            next.position.make(m);
            let p = &next.position;
            let repeats = (2..=p.reversible_plies())
                .step_by(2)
                .any(|back| p.key_back(back) == p.key());
            if repeats && next.repetition().is_some_and(|v| v.winner == Some(!mover)) {
                banned.push(m);
            }
            next.position.unmake();
        }
        banned
    }

    /// Neither side can ever mate, beyond what the rules end by themselves: a lone cannon without
    /// a screen of its own against nothing but the king's guard of neither.
    pub fn certain_draw(&self) -> bool {
        let p = &self.position;
        let only = |color: Color| {
            PieceType::ALL.iter().all(|&k| {
                let n = p.pieces(color, k).count();
                match k {
                    PieceType::King => true,
                    PieceType::Cannon => n <= 1,
                    _ => n == 0,
                }
            })
        };
        let cannons = p.kind(PieceType::Cannon).count();
        cannons <= 1 && Color::ALL.iter().all(|&c| only(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(fen: &str, moves: &str) -> Referee {
        let mut r = Referee::new(RuleBook::Cxa1999, 60, Position::from_fen(fen).unwrap());
        for m in moves.split_whitespace() {
            assert_eq!(r.verdict(), None, "before {m}");
            r.play(m.parse().unwrap()).unwrap();
        }
        r
    }

    #[test]
    fn perpetual_check_loses_and_is_warned_of() {
        let fen = "3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0 1";
        let cycle = "e2d2 d9e9 d2e2 e9d9 ";
        // e2d2 checks on the d file, d2e2 on the e file.
        let r = referee(fen, &cycle.repeat(2)[..cycle.len() * 2 - 5]);
        assert!(r.verdict().is_none());
        let before = referee(fen, &(cycle.to_string() + "e2d2 d9e9"));
        assert_eq!(before.forbidden(), []);
        let after = referee(fen, &cycle.repeat(2));
        let v = after.verdict().unwrap();
        assert_eq!((v.code, v.winner), ("perpetual_check", Some(Color::Black)));
    }

    #[test]
    fn ends_without_repetition() {
        let r = referee("3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "");
        assert_eq!(r.verdict().unwrap().code, "no_attackers");
        let r = referee("3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 119 80", "e2e3");
        assert_eq!(r.verdict().unwrap().code, "natural_limit");
        let r = referee("3k5/9/9/9/9/9/9/4C4/9/4K4 w - - 0 1", "");
        assert!(r.certain_draw());
    }
}
