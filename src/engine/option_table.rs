//! The table of options: names in both protocols, kinds, defaults and ranges.

use super::ladder;
use super::options::{Kind, OptionId, RULE_BOOKS, SELECTIONS, Spec};
use super::own_book::BUILTIN;
use crate::search::MAX_LEVEL;
#[cfg(feature = "tune")]
use crate::search::Params;

pub(super) const DEFAULT_HASH_MIB: i64 = 64;
pub(super) const MAX_HASH_MIB: i64 = 33_554_432;
const MAX_THREADS: i64 = 1024;

const fn spin(default: i64, min: i64, max: i64, zero_is_default: bool) -> Kind {
    Kind::Spin {
        default,
        min,
        max,
        zero_is_default,
    }
}

const fn check(default: bool) -> Kind {
    Kind::Check { default }
}

/// What every build knows.
static SPECS: [Spec; 25] = [
    Spec {
        id: OptionId::UseMillisec,
        uci: None,
        ucci: Some("usemillisec"),
        kind: check(true),
    },
    Spec {
        id: OptionId::Hash,
        uci: Some("Hash"),
        ucci: Some("hashsize"),
        kind: spin(DEFAULT_HASH_MIB, 1, MAX_HASH_MIB, true),
    },
    Spec {
        id: OptionId::Threads,
        uci: Some("Threads"),
        ucci: Some("threads"),
        kind: spin(1, 1, MAX_THREADS, true),
    },
    Spec {
        id: OptionId::MultiPv,
        uci: Some("MultiPV"),
        ucci: Some("multipv"),
        kind: spin(1, 1, 128, false),
    },
    Spec {
        id: OptionId::Ponder,
        uci: Some("Ponder"),
        ucci: Some("ponder"),
        kind: check(false),
    },
    Spec {
        id: OptionId::ClearHash,
        uci: Some("Clear Hash"),
        ucci: Some("clearhash"),
        kind: Kind::Button,
    },
    Spec {
        id: OptionId::MoveOverhead,
        uci: Some("Move Overhead"),
        ucci: Some("moveoverhead"),
        kind: spin(10, 0, 5000, false),
    },
    Spec {
        id: OptionId::SlowMover,
        uci: Some("Slow Mover"),
        ucci: Some("slowmover"),
        kind: spin(100, 10, 1000, false),
    },
    Spec {
        id: OptionId::ShowWdl,
        uci: Some("UCI_ShowWDL"),
        ucci: Some("showwdl"),
        kind: check(false),
    },
    Spec {
        id: OptionId::SkillLevel,
        uci: Some("Skill Level"),
        ucci: Some("skilllevel"),
        kind: spin(MAX_LEVEL as i64, 0, MAX_LEVEL as i64, false),
    },
    Spec {
        id: OptionId::LimitStrength,
        uci: Some("UCI_LimitStrength"),
        ucci: Some("limitstrength"),
        kind: check(false),
    },
    Spec {
        id: OptionId::Elo,
        uci: Some("UCI_Elo"),
        ucci: Some("elo"),
        kind: spin(
            ladder::MIN_ELO as i64,
            ladder::MIN_ELO as i64,
            ladder::MAX_ELO as i64,
            false,
        ),
    },
    Spec {
        id: OptionId::NodesTime,
        uci: Some("nodestime"),
        ucci: Some("nodestime"),
        kind: spin(0, 0, 10_000, false),
    },
    Spec {
        id: OptionId::RepetitionRule,
        uci: Some("Repetition Rule"),
        ucci: Some("repetition"),
        kind: Kind::Combo {
            choices: &RULE_BOOKS,
        },
    },
    Spec {
        id: OptionId::NaturalLimit,
        uci: Some("Natural Limit"),
        ucci: Some("naturallimit"),
        kind: spin(60, 0, 1000, false),
    },
    Spec {
        id: OptionId::EvalFile,
        uci: Some("EvalFile"),
        ucci: Some("evalfile"),
        kind: Kind::Text { default: "<empty>" },
    },
    Spec {
        id: OptionId::NewGame,
        uci: None,
        ucci: Some("newgame"),
        kind: Kind::Button,
    },
    Spec {
        id: OptionId::Batch,
        uci: None,
        ucci: Some("batch"),
        kind: check(false),
    },
    Spec {
        id: OptionId::Debug,
        uci: None,
        ucci: Some("debug"),
        kind: check(false),
    },
    // Clients of UCCI leave the opening to the engine, those of UCI have books of their own.
    Spec {
        id: OptionId::OwnBook,
        uci: None,
        ucci: Some("usebook"),
        kind: check(true),
    },
    Spec {
        id: OptionId::OwnBook,
        uci: Some("OwnBook"),
        ucci: None,
        kind: check(false),
    },
    Spec {
        id: OptionId::BookFiles,
        uci: Some("Book File"),
        ucci: Some("bookfiles"),
        kind: Kind::Text { default: BUILTIN },
    },
    Spec {
        id: OptionId::BookDepth,
        uci: Some("Book Depth"),
        ucci: Some("bookdepth"),
        kind: spin(60, 0, 1000, false),
    },
    Spec {
        id: OptionId::BookSelection,
        uci: Some("Book Selection"),
        ucci: Some("bookselection"),
        kind: Kind::Combo {
            choices: &SELECTIONS,
        },
    },
    Spec {
        id: OptionId::BookSeed,
        uci: Some("Book Seed"),
        ucci: Some("bookseed"),
        kind: spin(0, 0, i32::MAX as i64, false),
    },
];

/// The search's numbers as options, which only a build with feature `tune` announces.
#[cfg(feature = "tune")]
static TUNABLE: [Spec; Params::ALL.len()] = {
    let mut specs = [SPECS[0]; Params::ALL.len()];
    let mut i = 0;
    while i < specs.len() {
        let param = Params::ALL[i];
        specs[i] = Spec {
            id: OptionId::Param(i),
            uci: Some(param.name),
            ucci: Some(param.name),
            kind: spin(
                param.default as i64,
                param.min as i64,
                param.max as i64,
                false,
            ),
        };
        i += 1;
    }
    specs
};
#[cfg(not(feature = "tune"))]
static TUNABLE: [Spec; 0] = [];

/// All options in the order of announcement.
pub fn specs() -> impl Iterator<Item = &'static Spec> {
    SPECS.iter().chain(&TUNABLE)
}

/// The option of this name in either protocol, without regard to case.
pub fn find(name: &str) -> Option<&'static Spec> {
    specs().find(|spec| {
        [spec.uci, spec.ucci]
            .into_iter()
            .flatten()
            .any(|own| own.eq_ignore_ascii_case(name))
    })
}
