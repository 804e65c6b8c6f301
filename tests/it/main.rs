//! Integration tests: one binary, one module a subject.

mod fen;
mod layers;
mod movegen;
mod perft;
mod search;
mod see;
mod slow;
