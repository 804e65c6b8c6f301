//! Matches and tournaments between engines, which are talked to only through pipes.
//!
//! From the pipe upwards: `process` (a child whose output cannot block us), `client` (an engine:
//! handshake, searches with deadlines) speaking a `dialect`; `clock`, `referee` and `adjudicate`
//! make a `game`; `schedule` and `swiss` say which games, `event` plays them and writes `state`;
//! `tally`, `stats`, `sprt`, `standings` and `report` say what came of it. Imports `position`,
//! `rules`, `notation`, `records` (openings from game files) and `types`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod adjudicate;
mod client;
mod clock;
mod config;
mod dialect;
mod engine_config;
mod event;
mod game;
mod html;
mod log;
mod opening_source;
mod openings;
mod process;
mod record;
mod referee;
mod report;
mod schedule;
mod sprt;
mod spsa;
mod standings;
mod state;
mod stats;
mod swiss;
mod tally;
mod tuner;
mod usage;
mod words;
mod writers;

pub use crate::util::SplitMix;
pub use adjudicate::{DrawRule, ResignRule};
pub use client::{Abort, Client, Failure, Patience, Reply};
pub use clock::{Clock, Session, TimeControl, parse_time};
pub use config::{EventConfig, Format, OpeningConfig};
pub use dialect::{Answer, ClockText, Dialect, GameText, Go, OptionDecl, Thought};
pub use engine_config::{EngineConfig, LimitText, Limits, Protocol};
pub use event::{Finished, Observer, Progress, RunOptions, run};
pub use game::{GameRules, Lag, Played, play};
pub use html::page as report_page;
pub use log::EngineLog;
pub use opening_source::make_openings;
pub use openings::{Opening, parse_list, random, random_list};
pub use record::{GameRecord, MoveRecord, Outcome, PgnContext};
pub use referee::{Ending, Referee, RuleBook};
pub use report::{json as report_json, short_summary, text as report_text};
pub use schedule::{Pair, Plan, berger, plan};
pub use sprt::{EloModel, Sprt, SprtState};
pub use spsa::{Parameter, Spsa, SpsaConfig, Trial};
pub use standings::{Standing, standings};
pub use state::{Header, State, StateFile, merge};
pub use stats::{Estimate, Pentanomial, Summary, Trinomial, elo_of_score, score_of_elo};
pub use tally::Tally;
pub use tuner::{TuneHeader, TuneObserver, TuneState, declared_parameters, tune};
pub use usage::{cpu_seconds, processors};
pub use words::{nearest, split_words};
pub use writers::pgn_of;
