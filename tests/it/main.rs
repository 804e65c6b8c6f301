//! Integration tests: one binary, one module a subject.

mod bench;
mod cli;
mod fen;
#[cfg(feature = "tools")]
mod formats;
mod harness;
mod layers;
mod movegen;
mod notation;
mod perft;
#[cfg(feature = "tools")]
mod records;
mod search;
mod see;
mod shared;
mod slow;
mod stdin;
mod ucci;
mod uci;
