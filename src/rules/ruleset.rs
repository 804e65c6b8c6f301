//! Rule books as data: every point in which they differ is a field with a name.

use crate::position::Position;
use crate::types::Color;
use std::fmt;
use std::str::FromStr;

/// What counts as a threat to take (捉).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChaseForm {
    /// Direct captures, captures through a series of checks, and gain through a complete exchange
    /// (CXA Art. 29.1); the root is judged by the exchange on the point.
    Full,
    /// Direct captures only; a target that can be recaptured once is protected (AXF, computers).
    Direct,
    /// Direct captures by the piece that moved (UCCI league programs).
    MovedPiece,
    /// No attack is ever a chase.
    Never,
}

/// What two sides that both make forbidden moves get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothForbidden {
    /// Draw (CXA 1999 Art. 26.3).
    Draw,
    /// Draw, but a side that chases a rook or a rootless piece on every move must vary against one
    /// that at least once only attacks jointly or attacks an insufficiently rooted piece (CXA 2020
    /// Art. 26.9).
    Ranked,
}

/// A rule book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Name on the command line.
    pub name: &'static str,
    /// Occurrence of a position at which a repetition is judged (Art. 23.2, 24).
    pub trigger: usize,
    /// Forbidden play other than perpetual check loses at the trigger; otherwise it must vary and
    /// loses one repetition later (Art. 24.3).
    pub strict: bool,
    /// A repetition is judged at all; otherwise it draws.
    pub judges: bool,
    /// What a chase is.
    pub chase: ChaseForm,
    /// Threats to mate (杀) are forbidden attacks.
    pub kill_forbidden: bool,
    /// Mixtures of check, kill and chase are forbidden like each alone (Art. 25.2).
    pub mixtures_forbidden: bool,
    /// A perpetual chase may be of several pieces in turn (Art. 28.12).
    pub several_victims: bool,
    /// The attack of a pawn counts when both sides attack on every move (Art. 27.2, detail 11).
    pub pawn_counts_in_mutual_attack: bool,
    /// A king that answers a check and thereby makes a threat moves idly.
    pub king_evasion_idle: bool,
    /// Advisors and elephants attack, and are worth attacking.
    pub light_pieces: bool,
    /// What two forbidding sides get.
    pub both_forbidden: BothForbidden,
    /// Rounds without capture after which the game is drawn (Art. 4.2.4); `None`: no limit.
    pub natural_limit: Option<u16>,
    /// Checks of the claiming side that count towards the limit (Art. 23.3).
    pub check_cap: Option<u16>,
    /// Own checks looked ahead for 杀 and for Art. 29.4.
    pub kill_depth: u8,
    /// Own checks looked ahead for a capture through a series of checks.
    pub series_depth: u8,
    /// Captures looked ahead for a complete exchange.
    pub exchange_plies: u8,
    /// Checks tried at most when a move is asked for 杀.
    pub kill_nodes: u32,
    /// Checks or captures tried at most for one question about a threat.
    pub nodes: u32,
    /// Checks tried at most when a recapture is asked whether it only leads to mate.
    pub root_nodes: u32,
}

impl RuleSet {
    /// The Chinese rules of 1999.
    pub const CXA1999: RuleSet = RuleSet {
        name: "cxa1999",
        trigger: 3,
        strict: false,
        judges: true,
        chase: ChaseForm::Full,
        kill_forbidden: true,
        mixtures_forbidden: true,
        several_victims: true,
        pawn_counts_in_mutual_attack: true,
        king_evasion_idle: true,
        light_pieces: true,
        both_forbidden: BothForbidden::Draw,
        natural_limit: Some(60),
        check_cap: Some(10),
        kill_depth: 8,
        series_depth: 3,
        exchange_plies: 6,
        kill_nodes: 200_000,
        nodes: 4_000,
        root_nodes: 300,
    };

    /// The Chinese rules of 2020.
    pub const CXA2020: RuleSet = RuleSet {
        name: "cxa2020",
        pawn_counts_in_mutual_attack: false,
        both_forbidden: BothForbidden::Ranked,
        ..RuleSet::CXA1999
    };

    /// The rules of the Asian federation.
    pub const AXF: RuleSet = RuleSet {
        name: "axf",
        strict: true,
        chase: ChaseForm::Direct,
        kill_forbidden: false,
        mixtures_forbidden: false,
        several_victims: false,
        pawn_counts_in_mutual_attack: false,
        king_evasion_idle: false,
        both_forbidden: BothForbidden::Ranked,
        ..RuleSet::CXA1999
    };

    /// What programs of the UCCI league do.
    pub const LEAGUE: RuleSet = RuleSet {
        name: "league",
        trigger: 4,
        chase: ChaseForm::MovedPiece,
        light_pieces: false,
        natural_limit: Some(50),
        check_cap: None,
        ..RuleSet::AXF
    };

    /// Any third repetition draws.
    pub const NONE: RuleSet = RuleSet {
        name: "none",
        judges: false,
        chase: ChaseForm::Never,
        ..RuleSet::AXF
    };

    /// The same rules with little looking ahead, for verdicts inside a search.
    #[must_use]
    pub fn hasty(self) -> RuleSet {
        RuleSet {
            kill_depth: self.kill_depth.min(3),
            series_depth: self.series_depth.min(1),
            exchange_plies: self.exchange_plies.min(4),
            kill_nodes: 80,
            nodes: 40,
            root_nodes: 15,
            ..self
        }
    }

    /// Rounds without capture that count when this side claims a draw: of its own checks only so
    /// many (23.3).
    pub fn counted_rounds(&self, p: &Position, claimant: Color) -> usize {
        let rounds = p.quiet_plies() / 2;
        match self.check_cap {
            Some(cap) => {
                rounds.saturating_sub(p.checks_given(claimant).saturating_sub(usize::from(cap)))
            }
            None => rounds,
        }
    }

    /// Whether this side may claim a draw by the natural limit (4.2.4, 23.3).
    pub fn may_claim(&self, p: &Position, claimant: Color) -> bool {
        let limit = self.natural_limit.map(usize::from);
        limit.is_some_and(|limit| self.counted_rounds(p, claimant) >= limit)
    }

    /// Whether the natural limit draws the game without a claim: either side could claim.
    pub fn limit_reached(&self, p: &Position) -> bool {
        Color::ALL.into_iter().all(|c| self.may_claim(p, c))
    }

    /// All rule books.
    pub const ALL: [RuleSet; 5] = [
        RuleSet::CXA1999,
        RuleSet::CXA2020,
        RuleSet::AXF,
        RuleSet::LEAGUE,
        RuleSet::NONE,
    ];
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet::CXA1999
    }
}

/// A name that is no rule book's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRuleSet;

impl fmt::Display for UnknownRuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown rules: one of")?;
        RuleSet::ALL
            .iter()
            .try_for_each(|r| write!(f, " {}", r.name))?;
        f.write_str(" is expected")
    }
}

impl std::error::Error for UnknownRuleSet {}

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    fn from_str(s: &str) -> Result<RuleSet, UnknownRuleSet> {
        RuleSet::ALL
            .into_iter()
            .find(|r| r.name == s)
            .ok_or(UnknownRuleSet)
    }
}
