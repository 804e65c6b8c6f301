//! The arbiter: forbidden and permitted moves (禁止着法, 允许着法) of the Chinese rules of 1999 and
//! of the books beside them, judged from positions and their history. Imports `position`,
//! `attacks` and `types`; knows nothing of search or protocol.
//!
//! The one idea: a move is labelled by what its side could do *if the other side passed*. `Board`
//! asks that question; `kill` looks for mate by checks, `threat` for material, `chase` subtracts
//! what could be won before the move; `classify` makes a class of a side's labels over a
//! repetition, `verdict` holds the decision table, `game` the time line. Article numbers are those
//! of 象棋竞赛规则 1999; `docs/rules.md` says how the open points are read.
//!
//! ```
//! use chuhe::position::Position;
//! use chuhe::rules::{Arbiter, RuleSet, Verdict};
//! use chuhe::types::Color;
//!
//! // A rook chases an unprotected elephant for ever.
//! let mut p = Position::from_fen("3aka3/9/9/9/6b2/9/9/9/8R/3K5 w").unwrap();
//! let mut arbiter = Arbiter::new(RuleSet::CXA1999);
//! for m in "i1g1 g5i7 g1i1 i7g5 ".repeat(3).split_whitespace() {
//!     assert!(!arbiter.judge(&p).is_over());
//!     p.play(m.parse().unwrap()).unwrap();
//! }
//! assert_eq!(arbiter.judge(&p).verdict, Verdict::Loses(Color::Red));
//! ```

mod board;
mod chase;
mod classify;
mod direct;
mod explain;
mod game;
mod idle;
mod kill;
mod label;
mod point;
mod repetition;
mod ruleset;
mod threat;
mod value;
mod verdict;

pub use classify::{SideClass, WindowMove};
pub use explain::Lang;
pub use game::{Arbiter, Cycle, Judgement};
pub use label::{Label, Labelled, Note};
pub use repetition::{Repetition, RuleScore};
pub use ruleset::{BothForbidden, ChaseForm, RuleSet, UnknownRuleSet};
pub use threat::{Threat, ThreatForm};
pub use verdict::{Reason, Verdict};
