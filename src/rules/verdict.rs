//! From the classes of both sides to a verdict (Art. 24, 26, details 1 and 8).

use super::classify::{SideClass, WindowMove};
use super::ruleset::{BothForbidden, RuleSet};
use crate::types::Color;

/// How a position stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    Ongoing,
    /// Draw.
    Draw,
    /// That side loses.
    Loses(Color),
}

impl Verdict {
    /// The word of the command-line contract.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ongoing => "ongoing",
            Verdict::Draw => "draw",
            Verdict::Loses(Color::Red) => "red_loses",
            Verdict::Loses(Color::Black) => "black_loses",
        }
    }
}

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    NotOver,
    Checkmate,
    Stalemate,
    IllegalMove,
    PerpetualCheck,
    PerpetualKill,
    PerpetualChase,
    AlternatingAttack,
    BothPermitted,
    BothForbidden,
    NaturalLimit,
    NoAttackers,
}

impl Reason {
    /// The word of the command-line contract.
    pub fn code(self) -> &'static str {
        match self {
            Reason::NotOver => "not_over",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::IllegalMove => "illegal_move",
            Reason::PerpetualCheck => "perpetual_check",
            Reason::PerpetualKill => "perpetual_kill",
            Reason::PerpetualChase => "perpetual_chase",
            Reason::AlternatingAttack => "alternating_attack",
            Reason::BothPermitted => "both_permitted",
            Reason::BothForbidden => "both_forbidden",
            Reason::NaturalLimit => "natural_limit",
            Reason::NoAttackers => "no_attackers",
        }
    }

    /// The article of the 1999 rules.
    pub fn article(self) -> &'static str {
        match self {
            Reason::NotOver => "",
            Reason::Checkmate => "4.1.1",
            Reason::Stalemate => "4.1.3",
            Reason::IllegalMove => "4.1.6",
            Reason::PerpetualCheck => "24.1",
            Reason::PerpetualKill | Reason::PerpetualChase | Reason::AlternatingAttack => "24.3",
            Reason::BothPermitted | Reason::BothForbidden => "24.2",
            Reason::NaturalLimit => "4.2.4",
            Reason::NoAttackers => "4.2.1",
        }
    }

    fn of(class: SideClass) -> Reason {
        match class {
            SideClass::PerpetualCheck => Reason::PerpetualCheck,
            SideClass::PerpetualKill => Reason::PerpetualKill,
            SideClass::PerpetualChase => Reason::PerpetualChase,
            SideClass::Alternating => Reason::AlternatingAttack,
            SideClass::Permitted => Reason::BothPermitted,
        }
    }
}

/// What a repetition is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// Draw now (24.2).
    Draw(Reason),
    /// That side loses now (24.1).
    Loses(Color, Reason),
    /// That side must vary (24.3).
    MustVary(Color, Reason),
}

/// The decision table.
pub(super) fn decide(classes: [SideClass; 2], window: &[WindowMove], rules: &RuleSet) -> Ruling {
    let checks = classes.map(|c| c == SideClass::PerpetualCheck);
    let forbidden = classes.map(SideClass::is_forbidden);
    for side in Color::ALL {
        if checks[side.index()] && !checks[(!side).index()] {
            return Ruling::Loses(side, Reason::PerpetualCheck);
        }
    }
    for side in Color::ALL {
        if forbidden[side.index()] && !forbidden[(!side).index()] {
            return Ruling::MustVary(side, Reason::of(classes[side.index()]));
        }
    }
    if !forbidden[0] {
        return Ruling::Draw(Reason::BothPermitted);
    }
    if rules.both_forbidden == BothForbidden::Ranked && classes == [SideClass::PerpetualChase; 2] {
        let strong = Color::ALL.map(|side| {
            let mut own = window.iter().filter(|w| w.side == side);
            own.all(|w| w.labelled.strong)
        });
        for side in Color::ALL {
            if strong[side.index()] && !strong[(!side).index()] {
                return Ruling::MustVary(side, Reason::PerpetualChase);
            }
        }
    }
    Ruling::Draw(Reason::BothForbidden)
}
