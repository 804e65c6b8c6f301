//! Integration tests: one binary, one module a subject.

mod bench;
mod cli;
mod fen;
mod harness;
mod layers;
mod movegen;
mod perft;
mod rules;
mod search;
mod see;
mod slow;
mod stdin;
mod ucci;
mod uci;
