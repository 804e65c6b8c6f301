//! Integration tests: one binary, one module a subject.

mod bench;
mod cli;
mod fen;
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
