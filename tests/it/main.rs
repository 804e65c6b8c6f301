//! Integration tests: one binary, one module a subject.

#[cfg(feature = "tools")]
mod analysis;
mod bench;
mod book;
#[cfg(feature = "tools")]
mod book_making;
mod cli;
#[cfg(feature = "tools")]
mod datagen;
mod fen;
#[cfg(feature = "tools")]
mod formats;
mod harness;
mod layers;
#[cfg(feature = "tools")]
mod match_runner;
mod movegen;
mod nnue;
mod notation;
mod perft;
mod rule_options;
mod rules;
mod search;
mod search_depth;
mod see;
mod shared;
mod slow;
mod stdin;
#[cfg(feature = "tools")]
mod train;
#[cfg(feature = "tune")]
mod tune_options;
mod ucci;
mod uci;
#[cfg(feature = "tools")]
mod written_formats;

#[cfg(feature = "tools")]
mod records;
