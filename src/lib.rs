//! Chuhe (楚河), a xiangqi engine.
//!
//! The modules from the ground up; each imports only what stands below it, which a test
//! (`tests/it/layers.rs`) enforces.
//!
//! | layer | module | what it is |
//! |---|---|---|
//! | 0 | [`types`] | colours, pieces, squares, bitboards, moves, scores, keys |
//! | 0 | [`util`] | a generator with a fixed algorithm, checksums, journals |
//! | 1 | [`attacks`] | where pieces reach, by tables made at compile time |
//! | 2 | [`position`] | one position: FEN, legal moves, make and unmake, exchanges, perft |
//! | 2 | [`rules`] | the arbiter: repetition, perpetual check and chase, natural limit |
//! | 2 | [`notation`] | people's move text: coordinates, WXF, Chinese |
//! | 2 | [`opening_book`] | opening books: reading, looking up, choosing |
//! | 3 | [`nnue`] | evaluation by a network: features, weights, kernels |
//! | 3 | [`eval`] | static evaluation |
//! | 3 | `records` | game files: PGN and others into trees and out again (feature `tools`) |
//! | 3 | `dataset` | files of self-play games with scores (feature `tools`) |
//! | 4 | [`search`] | alpha-beta on a pool of threads |
//! | 5 | [`engine`] | the façade: position, options, searches that answer by themselves; bench |
//! | 6 | [`protocol`] | UCCI and UCI on stdin and stdout |
//! | 6 | `tournament` | matches and tournaments between engines (feature `tools`) |
//! | 6 | `analysis` | games and test suites looked through by the engine (feature `tools`) |
//! | 6 | `datagen` | self-play games for the training of networks (feature `tools`) |
//! | 6 | `training` | networks from self-play games (feature `tools`) |
//! | 6 | `book_making` | opening books made from games and checked by search, with `analysis` (feature `tools`) |
//! | 7 | [`cli`] | one subcommand a file |

#[cfg(feature = "tools")]
pub mod analysis;
pub mod attacks;
#[cfg(feature = "tools")]
pub mod book_making;
pub mod cli;
#[cfg(feature = "tools")]
pub mod datagen;
#[cfg(feature = "tools")]
pub mod dataset;
pub mod engine;
pub mod eval;
pub mod nnue;
pub mod notation;
pub mod opening_book;
pub mod position;
pub mod protocol;
#[cfg(feature = "tools")]
pub mod records;
pub mod rules;
pub mod search;
#[cfg(feature = "tools")]
pub mod tournament;
#[cfg(feature = "tools")]
pub mod training;
pub mod types;
pub mod util;
