//! The engine's own opening books: which are open, and what is played from them.

use crate::opening_book::{BookMove, OpeningBook, Selection, Symmetry, choose};
use crate::position::Position;
use crate::types::Move;
use std::path::{Path, PathBuf};

/// The word that stands for the book that comes with the program.
pub const BUILTIN: &str = "builtin";
/// Its name as a file: one beside the program is used instead of the one within it.
const BESIDE: &str = "chuhe.book";

/// What a book is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position, with its history.
    pub position: &'a Position,
    /// Only these moves, if there are any.
    pub only: &'a [Move],
    /// Not these moves.
    pub banned: &'a [Move],
    /// How a move is chosen.
    pub selection: Selection,
    /// For the lot.
    pub seed: u64,
}

/// A move found in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub chosen: BookMove,
    /// How many moves there were to choose from.
    pub choices: usize,
    /// Weights of all of them together.
    pub total_weight: u32,
    /// Name of the book.
    pub book: String,
}

impl Answer {
    /// The move with what the book knows of it, for people.
    pub fn text(&self) -> String {
        let m = &self.chosen;
        let share = 100.0 * f64::from(m.weight) / f64::from(self.total_weight.max(1));
        let mut text = format!("book {} ({}): ", m.mv, self.book);
        text += &match self.choices {
            1 => "the only move".to_owned(),
            n => format!("weight {share:.0}% of {n} moves"),
        };
        if m.games > 0 {
            text += &format!(", {} games +{} ={} -{}", m.games, m.wins, m.draws, m.losses);
        }
        if let Some(percent) = m.percent() {
            text += &format!(" ({percent:.1}%)");
        }
        if let Some(score) = m.score {
            text += &format!(", score {:+.2}", f64::from(score) / 100.0);
        }
        text
    }
}

/// Books that are open, asked one after the other.
#[derive(Debug, Default)]
pub struct OwnBook {
    books: Vec<OpeningBook>,
}

impl OwnBook {
    /// Opens books by their names, parted by `;`: files (looked for here, then beside the
    /// program) or `builtin`; none for an empty text or `<empty>`. Returns too what is wrong with
    /// those that cannot be used; the others are.
    pub fn open(names: &str) -> (OwnBook, Vec<String>) {
        let (mut own, mut problems) = (OwnBook::default(), Vec::new());
        for name in names.split(';').map(|n| n.trim().trim_matches('"')) {
            if name.is_empty() || name.eq_ignore_ascii_case("<empty>") {
                continue;
            }
            let opened = if name.eq_ignore_ascii_case(BUILTIN) {
                builtin(&mut problems)
            } else {
                OpeningBook::open(&place_of(name))
            };
            match opened {
                Ok(book) => own.books.push(book),
                Err(e) => problems.push(format!("book {name}: {e}; play goes on without it")),
            }
        }
        (own, problems)
    }

    /// The books.
    pub fn books(&self) -> &[OpeningBook] {
        &self.books
    }

    /// A move from the first book that has one which may be played.
    pub fn ask(&self, question: &Question<'_>) -> Option<Answer> {
        let &Question {
            position,
            only,
            banned,
            selection,
            seed,
        } = question;
        self.books.iter().find_map(|book| {
            let mut moves = book.moves(position);
            moves.retain(|m| {
                m.is_playable()
                    && !banned.contains(&m.mv)
                    && (only.is_empty() || only.contains(&m.mv))
                    && !repeats(position, m.mv)
            });
            let chosen = choose(&moves, selection, seed, Symmetry::of(position).key)?;
            Some(Answer {
                chosen: *chosen,
                choices: moves.len(),
                total_weight: moves.iter().map(|m| u32::from(m.weight)).sum(),
                book: book.name().to_owned(),
            })
        })
    }
}

/// Whether a move brings back a position of this game. No book knows what the arbiter would say
/// of it, so such moves, among them all that must be varied, are left to the search.
fn repeats(position: &Position, m: Move) -> bool {
    let mut after = position.clone();
    after.make(m);
    let key = after.key();
    (2..=after.reversible_plies()).any(|back| after.key_back(back) == key)
}

/// The book beside the program, or else the one within it.
fn builtin(problems: &mut Vec<String>) -> Result<OpeningBook, crate::opening_book::BookError> {
    if let Some(path) = beside(BESIDE).filter(|p| p.is_file()) {
        match OpeningBook::open(&path) {
            Ok(book) => return Ok(book),
            Err(e) => problems.push(format!(
                "book {}: {e}; the one within the program is used",
                path.display()
            )),
        }
    }
    OpeningBook::builtin()
}

fn beside(name: &str) -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    Some(program.parent()?.join(name))
}

fn place_of(name: &str) -> PathBuf {
    let here = PathBuf::from(name);
    if here.exists() || Path::new(name).is_absolute() {
        return here;
    }
    beside(name).filter(|p| p.exists()).unwrap_or(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(position: &Position) -> Question<'_> {
        Question {
            position,
            only: &[],
            banned: &[],
            selection: Selection::Best,
            seed: 1,
        }
    }

    fn book(entries: &[(&Position, &[(&str, u16)])]) -> OwnBook {
        let table = entries.iter().map(|(p, moves)| {
            let here = Symmetry::of(p);
            let known = |(text, weight): &(&str, u16)| {
                BookMove::new(here.to_book(text.parse().unwrap()), *weight)
            };
            (here.key, moves.iter().map(known).collect())
        });
        let bytes = crate::opening_book::encode(&table.collect(), Default::default());
        OwnBook {
            books: vec![OpeningBook::from_bytes("test", bytes).unwrap()],
        }
    }

    #[test]
    fn bans_and_wishes_are_heeded() {
        let start = Position::startpos();
        let own = book(&[(&start, &[("h2e2", 9), ("g3g4", 4), ("g0e2", 2)])]);
        let ask = |q: &Question<'_>| own.ask(q).map(|a| a.chosen.mv.to_string());
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let plain = question(&start);
        assert_eq!(ask(&plain).as_deref(), Some("h2e2"));
        let banned = [mv("h2e2")];
        let q = Question {
            banned: &banned,
            ..plain
        };
        assert_eq!(ask(&q).as_deref(), Some("g3g4"));
        let only = [mv("g0e2"), mv("a0a1")];
        let q = Question {
            only: &only,
            ..plain
        };
        assert_eq!(ask(&q).as_deref(), Some("g0e2"));
        let only = [mv("a0a1")];
        assert_eq!(
            ask(&Question {
                only: &only,
                ..plain
            }),
            None
        );
        let text = own.ask(&plain).unwrap().text();
        assert_eq!(text, "book h2e2 (test): weight 60% of 3 moves");
    }

    #[test]
    fn no_position_is_brought_back() {
        let mut p = Position::startpos();
        for text in ["h2e2", "h9g7", "e2h2", "g7h9"] {
            p.play(text.parse().unwrap()).unwrap();
        }
        let own = book(&[(&Position::startpos(), &[("h2e2", 9), ("g3g4", 1)])]);
        let answer = own.ask(&question(&p)).unwrap();
        assert_eq!(answer.chosen.mv.to_string(), "g3g4");
        assert_eq!(answer.choices, 1);
    }

    #[test]
    fn names_are_read_one_by_one() {
        let (own, problems) = OwnBook::open("builtin; no/such.book ;;<empty>");
        assert_eq!(own.books().len(), 1);
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].starts_with("book no/such.book: cannot be read: "),
            "{problems:?}"
        );
        assert!(OwnBook::open("").0.books().is_empty());
        assert!(OwnBook::open("<empty>").0.books().is_empty());
    }
}
