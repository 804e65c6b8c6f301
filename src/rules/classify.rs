//! What the labels of a window make of a side (Art. 25.2, 28.10–28.15).

use super::label::{Label, Labelled};
use super::ruleset::RuleSet;
use crate::types::{Color, Square};

/// The class of a side over a window of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideClass {
    /// Some move is idle, or what the moves do is allowed: 允许着法.
    Permitted,
    /// 长将
    PerpetualCheck,
    /// 长杀
    PerpetualKill,
    /// 长捉
    PerpetualChase,
    /// 一将一杀, 一将一捉, 一杀一捉 and other mixtures: 步步是打.
    Alternating,
}

impl SideClass {
    /// Whether the play is forbidden.
    pub fn is_forbidden(self) -> bool {
        self != SideClass::Permitted
    }

    /// The class of a side by what its labels are: whether one is idle, whether there are checks,
    /// kills and chases, and whether every chase is of one piece.
    pub(super) fn of(
        idle: bool,
        [check, kill, chase]: [bool; 3],
        one_victim: bool,
        rules: &RuleSet,
    ) -> SideClass {
        if idle {
            return SideClass::Permitted;
        }
        match (check, kill, chase) {
            (true, false, false) => SideClass::PerpetualCheck,
            (false, true, false) if rules.kill_forbidden => SideClass::PerpetualKill,
            (false, false, true) if rules.several_victims || one_victim => {
                SideClass::PerpetualChase
            }
            (false, false, _) => SideClass::Permitted,
            _ if rules.mixtures_forbidden => SideClass::Alternating,
            _ => SideClass::Permitted,
        }
    }

    /// The word of the command-line contract.
    pub fn name(self) -> &'static str {
        match self {
            SideClass::Permitted => "permitted",
            SideClass::PerpetualCheck => "perpetual_check",
            SideClass::PerpetualKill => "perpetual_kill",
            SideClass::PerpetualChase => "perpetual_chase",
            SideClass::Alternating => "alternating_attack",
        }
    }
}

/// A labelled move of a window.
#[derive(Clone, Debug)]
pub struct WindowMove {
    /// Plies since the start of the game, from 1.
    pub ply: usize,
    /// Who moved.
    pub side: Color,
    /// The label and its evidence.
    pub labelled: Labelled,
    /// The pieces attacked, named by the points on which they stood at the start of the window.
    pub victims: Vec<Square>,
}

/// The classes of both sides. Where the rules say so (27.2, detail 11), the attacks of pawns are
/// relabelled as chases when with them both sides attack on every move.
pub(super) fn classify(window: &mut [WindowMove], rules: &RuleSet) -> [SideClass; 2] {
    if rules.pawn_counts_in_mutual_attack {
        let attacks = |w: &WindowMove| w.labelled.label.is_attack() || w.labelled.by_pawn();
        if window.iter().all(attacks) {
            for w in window.iter_mut().filter(|w| !w.labelled.label.is_attack()) {
                w.labelled.count_pawn_attack();
            }
        }
    }
    Color::ALL.map(|side| class_of(window, side, rules))
}

fn class_of(window: &[WindowMove], side: Color, rules: &RuleSet) -> SideClass {
    let own = || window.iter().filter(move |w| w.side == side);
    let any = |label| own().any(|w| w.labelled.label == label);
    let idle = own().next().is_none() || own().any(|w| !w.labelled.label.is_attack());
    let seen = [Label::Check, Label::Kill, Label::Chase].map(any);
    SideClass::of(idle, seen, one_victim(own()), rules)
}

/// Whether some piece is attacked on every move.
fn one_victim<'a>(mut own: impl Iterator<Item = &'a WindowMove>) -> bool {
    let Some(first) = own.next() else {
        return false;
    };
    let mut common = first.victims.clone();
    own.for_each(|w| common.retain(|v| w.victims.contains(v)));
    !common.is_empty()
}
