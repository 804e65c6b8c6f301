//! What the readers of all formats write into: games and problems of one file.

use super::problem::{Place, Problem, ProblemKind};
use super::tree::Game;
use std::sync::Arc;

/// At most so many problems of a file are listed.
const MAX_PROBLEMS: usize = 1_000;

/// Games and problems found so far.
#[derive(Debug)]
pub(super) struct Source {
    file: Arc<str>,
    pub games: Vec<Game>,
    pub problems: Vec<Problem>,
    /// The number of the game being read, from 1; games that were skipped count.
    pub game: usize,
}

impl Source {
    pub fn new(file: &str) -> Source {
        Source {
            file: file.into(),
            games: Vec::new(),
            problems: Vec::new(),
            game: 0,
        }
    }

    /// Notes a problem of the current game.
    pub fn problem(&mut self, place: Place, ply: usize, kind: ProblemKind) {
        let kind = match self.problems.len() {
            n if n > MAX_PROBLEMS => return,
            MAX_PROBLEMS => ProblemKind::TooMany,
            _ => kind,
        };
        self.problems.push(Problem {
            file: self.file.clone(),
            place,
            game: self.game,
            ply,
            kind,
        });
    }
}
