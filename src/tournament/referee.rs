//! The referee of a match: follows a game and says when it is over and why. A thin layer over the
//! arbiter, so that the rest of the tournament asks one place.

use crate::position::{IllegalMove, Position};
use crate::rules::{Arbiter, Judgement, Lang, RuleSet};
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

impl RuleBook {
    /// The arbiter's rules. `natural_limit` in rounds replaces that of the book; 0 is none.
    pub fn rule_set(self, natural_limit: Option<u16>) -> RuleSet {
        let rules = match self {
            RuleBook::Cxa1999 => RuleSet::CXA1999,
            RuleBook::Cxa2020 => RuleSet::CXA2020,
            RuleBook::Axf => RuleSet::AXF,
            RuleBook::League => RuleSet::LEAGUE,
            RuleBook::None => RuleSet::NONE,
        };
        match natural_limit {
            None => rules,
            Some(limit) => RuleSet {
                natural_limit: (limit > 0).then_some(limit),
                ..rules
            },
        }
    }
}

impl fmt::Display for RuleBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule_set(None).name)
    }
}

impl FromStr for RuleBook {
    type Err = String;

    fn from_str(s: &str) -> Result<RuleBook, String> {
        use RuleBook::{Axf, Cxa1999, Cxa2020, League, None};
        [Cxa1999, Cxa2020, Axf, League, None]
            .into_iter()
            .find(|b| b.rule_set(Option::None).name == s)
            .ok_or_else(|| {
                format!("rule set {s:?} is not known: cxa1999, cxa2020, axf, league or none")
            })
    }
}

/// How a game ended by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; `None` is a draw.
    pub winner: Option<Color>,
    /// Word for the reason.
    pub code: &'static str,
    /// The reason in a sentence.
    pub explanation: String,
}

/// Follows a game.
#[derive(Debug)]
pub struct Referee {
    arbiter: Arbiter,
    position: Position,
    judgement: Judgement,
}

impl Referee {
    /// From a start position.
    pub fn new(rules: RuleSet, start: Position) -> Referee {
        let mut arbiter = Arbiter::new(rules);
        Referee {
            judgement: arbiter.judge(&start),
            position: start,
            arbiter,
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
        self.position.play(m)?;
        self.judgement = self.arbiter.judge(&self.position);
        Ok(())
    }

    /// The end of the game, if this is one.
    pub fn ending(&self) -> Option<Ending> {
        use crate::rules::Verdict;
        let winner = match self.judgement.verdict {
            Verdict::Ongoing => return None,
            Verdict::Draw => None,
            Verdict::Loses(side) => Some(!side),
        };
        Some(Ending {
            winner,
            code: self.judgement.reason.code(),
            explanation: self.judgement.explain(self.arbiter.rules(), Lang::English),
        })
    }

    /// Moves with which the side to move would repeat itself into a loss, or into having to vary.
    pub fn forbidden(&mut self) -> Vec<Move> {
        use crate::rules::Verdict;
        let mover = self.position.stm();
        let mut banned = Vec::new();
        for &m in &self.position.legal_moves() {
            self.position.make(m);
            let p = &self.position;
            let repeats = (2..=p.reversible_plies())
                .step_by(2)
                .any(|back| p.key_back(back) == p.key());
            if repeats {
                let j = self.arbiter.judge(p);
                if j.must_vary == Some(mover) || j.verdict == Verdict::Loses(mover) {
                    banned.push(m);
                }
            }
            self.position.unmake();
        }
        banned
    }

    /// Neither side can ever mate, beyond what the rules end by themselves: a lone cannon needs
    /// another piece to leap over.
    pub fn certain_draw(&self) -> bool {
        let p = &self.position;
        let kings = p.kind(PieceType::King);
        let cannons = p.kind(PieceType::Cannon);
        cannons.count() == 1 && p.occupied() == kings | cannons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(fen: &str, moves: &str) -> Referee {
        let rules = RuleBook::Cxa1999.rule_set(None);
        let mut r = Referee::new(rules, Position::from_fen(fen).unwrap());
        for m in moves.split_whitespace() {
            assert_eq!(r.ending(), None, "before {m}");
            r.play(m.parse().unwrap()).unwrap();
        }
        r
    }

    #[test]
    fn perpetual_check_loses_and_is_warned_of() {
        let fen = "3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0 1";
        let cycle = "e2d2 d9e9 d2e2 e9d9 ";
        let mut once = referee(fen, cycle);
        assert_eq!(once.forbidden(), []);
        let mut before = referee(fen, &(cycle.repeat(2)[..cycle.len() + 10]));
        assert_eq!(before.forbidden(), []);
        let mut twice = referee(fen, &cycle.repeat(2)[..cycle.len() + 15]);
        assert!(twice.ending().is_none());
        assert_eq!(twice.position().stm(), Color::Black);
        assert_eq!(twice.forbidden(), []);
        let after = referee(fen, &cycle.repeat(2));
        let end = after.ending().unwrap();
        assert_eq!(
            (end.code, end.winner),
            ("perpetual_check", Some(Color::Black))
        );
        assert!(end.explanation.contains("24.1"), "{}", end.explanation);
    }

    #[test]
    fn the_offender_is_told_one_cycle_before() {
        // A rook chases an unprotected elephant: at the third occurrence it has to vary, so the
        // moves that lead there are told.
        let cycle = "i1g1 g5i7 g1i1 i7g5 ";
        let fen = "3aka3/9/9/9/6b2/9/9/9/8R/3K5 w - - 0 1";
        let all = cycle.repeat(2);
        let mut r = referee(fen, &all);
        let banned = r.forbidden();
        assert!(banned.contains(&"i1g1".parse().unwrap()), "{banned:?}");
    }

    #[test]
    fn ends_without_repetition() {
        let code = |fen: &str, moves: &str| referee(fen, moves).ending().unwrap().code;
        assert_eq!(
            code("3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", ""),
            "no_attackers"
        );
        assert_eq!(
            code("3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 119 80", "e2e3"),
            "natural_limit"
        );
        let r = referee("3k5/9/9/9/9/9/9/4C4/9/4K4 w - - 0 1", "");
        assert!(r.certain_draw());
        let lower = RuleBook::Cxa1999.rule_set(Some(10));
        assert_eq!(lower.natural_limit, Some(10));
        assert_eq!(RuleBook::Axf.rule_set(Some(0)).natural_limit, None);
        for book in ["cxa1999", "cxa2020", "axf", "league", "none"] {
            assert_eq!(book.parse::<RuleBook>().unwrap().to_string(), book);
        }
    }
}
