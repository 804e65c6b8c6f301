//! Games and test suites looked through by the engine: every move of every game gets its score,
//! what it lost, the better line and a mark; every position of a suite its answer.
//!
//! A [`Thinker`] is an engine with one thread; [`run_games`] gives the positions of all games to
//! several of them, remembers each result in a state file if asked to, and hands every game over
//! as a [`GameReport`] as soon as it is whole, in order. What comes out as PGN, JSON or a table
//! is made from the report alone. Imports `engine`, `search`, `records`, `notation`, `rules`,
//! `position` and `types`.
//!
//! # What a move loses
//!
//! A score of `s` hundredths of a pawn stands for the probability of winning
//! `P(s) = 1 / (1 + exp(-s / 250))`; a mate or a win by rule for 1, being mated for 0. With the
//! best move scoring `b` and the move played `m`, both for the side that moves, the move loses
//! `max(0, P(b) - P(m))`; the best move loses nothing. From 5 % on it is marked `?!`, from 10 %
//! `?`, from 20 % `??`. The best move gets `!` if there are others and the best of them would have
//! lost at least 10 %. The accuracy of a side is the mean of `100 exp(-4 loss)` over its moves.

mod annotate;
mod assess;
mod game;
mod html;
mod json;
mod opening;
mod runner;
mod state;
mod suite;
mod svg;
mod table;
mod thinker;

pub use annotate::annotated;
pub use assess::{Mark, accuracy, win_probability};
pub use game::{GameReport, MoveReport, RuleEvent, SideReport};
pub use html::html_page;
pub use json::score_json;
pub use opening::{Opening, opening_of};
pub use runner::{Observer, RunError, Setup, run_games};
pub use suite::{SuiteItem, SuiteResult, SuiteTally, run_suite, suite_items};
pub use svg::board_svg;
pub use thinker::{Step, Thinker, Thought};
