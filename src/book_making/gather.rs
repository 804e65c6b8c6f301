//! What was played, counted: from games to a table.

use super::{Table, set_weights};
use crate::opening_book::{BookMove, Symmetry};
use crate::position::Position;
use crate::records::{Game, Outcome};
use crate::types::{Color, Move};
use std::collections::HashMap;

/// What of the games goes into a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Plies of each game that are looked at.
    pub plies: usize,
    /// Games a move must have been played in.
    pub min_games: u32,
    /// Percent of the points its player must have got.
    pub min_score: f64,
    /// Moves of a position at most, the heaviest ones.
    pub max_moves: usize,
    /// Moves that were played more than this many times less often than the heaviest of their
    /// position are left out.
    pub rarest: f64,
    /// Whether the games of strong players weigh more.
    pub strength: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            plies: 24,
            min_games: 5,
            min_score: 35.0,
            max_moves: 5,
            rarest: 50.0,
            strength: true,
        }
    }
}

/// What came of the games.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The book.
    pub table: Table,
    /// Games counted.
    pub games: usize,
    /// Games from a set-up position, which say nothing of openings.
    pub skipped: usize,
}

/// A move's games as they are counted.
struct Count {
    known: BookMove,
    /// Points, weighted by the strength of who got them.
    raw: f64,
}

/// Games that are taken for played before those that are there, half of the points won: a
/// player of three games is not called strong.
const PRIOR: f64 = 10.0;

/// Points a game for the weight of a move that brought none.
const LEAST: f64 = 0.01;

/// How strong players are, from 0 to 1: the points they would get against the others. By their
/// ratings where files have them, else by what they scored in these games.
struct Strength {
    scored: HashMap<String, (f64, f64)>,
    mean_rating: f64,
}

fn points(result: Outcome, side: Color) -> f64 {
    match (result, side) {
        (Outcome::RedWins, Color::Red) | (Outcome::BlackWins, Color::Black) => 1.0,
        (Outcome::RedWins | Outcome::BlackWins, _) => 0.0,
        (Outcome::Draw | Outcome::Unknown, _) => 0.5,
    }
}

fn player(game: &Game, side: Color) -> Option<&str> {
    match side {
        Color::Red => game.red(),
        Color::Black => game.black(),
    }
}

fn rating(game: &Game, side: Color) -> Option<f64> {
    let tag = match side {
        Color::Red => game.tag("RedElo").or_else(|| game.tag("WhiteElo")),
        Color::Black => game.tag("BlackElo"),
    };
    tag?.trim()
        .parse()
        .ok()
        .filter(|r| (100.0..5000.0).contains(r))
}

impl Strength {
    fn new(games: &[Game]) -> Strength {
        let mut scored: HashMap<String, (f64, f64)> = HashMap::new();
        let (mut sum, mut rated) = (0.0, 0.0);
        for game in games {
            for side in Color::ALL {
                if let Some(r) = rating(game, side) {
                    sum += r;
                    rated += 1.0;
                }
                if let Some(name) = player(game, side)
                    && game.result != Outcome::Unknown
                {
                    let of = scored.entry(name.to_owned()).or_default();
                    of.0 += points(game.result, side);
                    of.1 += 1.0;
                }
            }
        }
        Strength {
            scored,
            mean_rating: if rated > 0.0 { sum / rated } else { 0.0 },
        }
    }

    fn of(&self, game: &Game, side: Color) -> f64 {
        if let Some(r) = rating(game, side) {
            return 1.0 / (1.0 + 10_f64.powf((self.mean_rating - r) / 400.0));
        }
        let scored = player(game, side).and_then(|name| self.scored.get(name));
        scored.map_or(0.5, |(points, games)| {
            (points + PRIOR / 2.0) / (games + PRIOR)
        })
    }
}

/// Counts the main lines of games from the usual start.
pub fn gather(games: &[Game], rules: &Rules) -> Gathered {
    let strength = rules.strength.then(|| Strength::new(games));
    let start = Position::startpos();
    let mut counts: HashMap<u64, Vec<Count>> = HashMap::new();
    let mut gathered = Gathered::default();
    for game in games {
        if *game.start() != start {
            gathered.skipped += 1;
            continue;
        }
        gathered.games += 1;
        let factor = Color::ALL.map(|side| {
            let of = strength.as_ref().map_or(0.5, |s| s.of(game, side));
            2.0 * of
        });
        let mut position = start.clone();
        for node in game.main_line().take(rules.plies) {
            let m = game.mv(node);
            let here = Symmetry::of(&position);
            let side = position.stm();
            let at = counts.entry(here.key).or_default();
            let count = count_of(at, here.to_book(m));
            count.raw += factor[side.index()] * points(game.result, side);
            count.known.games += 1;
            match points(game.result, side) {
                _ if game.result == Outcome::Unknown => {}
                p if p > 0.75 => count.known.wins += 1,
                p if p > 0.25 => count.known.draws += 1,
                _ => count.known.losses += 1,
            }
            position.make(m);
        }
    }
    for (key, found) in counts {
        let moves = choose(found, rules);
        if !moves.is_empty() {
            gathered.table.insert(key, moves);
        }
    }
    gathered
}

fn count_of(at: &mut Vec<Count>, m: Move) -> &mut Count {
    let place = at.iter().position(|c| c.known.mv == m);
    let place = place.unwrap_or_else(|| {
        at.push(Count {
            known: BookMove::new(m, 0),
            raw: 0.0,
        });
        at.len() - 1
    });
    &mut at[place]
}

/// The moves of a position that are good enough.
fn choose(mut found: Vec<Count>, rules: &Rules) -> Vec<BookMove> {
    let most = found.iter().map(|c| c.known.games).max().unwrap_or(0);
    found.retain(|c| {
        c.known.games >= rules.min_games
            && f64::from(c.known.games) * rules.rarest >= f64::from(most)
            && c.known.percent().unwrap_or(50.0) >= rules.min_score
    });
    // Who lets moves in that never scored wants them in the book, if hardly ever played.
    for c in &mut found {
        c.raw = c.raw.max(LEAST * f64::from(c.known.games));
    }
    found.sort_by(|a, b| {
        let by_weight = b.raw.total_cmp(&a.raw);
        by_weight.then(a.known.mv.to_bits().cmp(&b.known.mv.to_bits()))
    });
    found.truncate(rules.max_moves);
    let raw: Vec<f64> = found.iter().map(|c| c.raw).collect();
    let mut moves: Vec<BookMove> = found.into_iter().map(|c| c.known).collect();
    set_weights(&mut moves, &raw);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_making::read_games;

    const TABLE: &str = "red\tblack\tresult\tmoves\nA\tB\t1-0\th2e2 h9g7\nA\tC\t1-0\tb2e2 b9c7\n\
                         B\tA\t0-1\tg3g4 g6g5\nC\tB\t1/2-1/2\tc3c4 g6g5\nB\tC\t0-1\tb0c2\n";

    #[test]
    fn mirror_images_are_counted_together() {
        let (games, _) = read_games("t", TABLE.as_bytes());
        let rules = Rules {
            min_games: 2,
            min_score: 0.0,
            strength: false,
            ..Rules::default()
        };
        let gathered = gather(&games, &rules);
        let here = Symmetry::of(&Position::startpos());
        let moves = &gathered.table[&here.key];
        let told: Vec<_> = moves
            .iter()
            .map(|m| {
                (
                    m.mv.to_string(),
                    m.games,
                    m.wins,
                    m.draws,
                    m.losses,
                    m.weight,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("h2e2".to_owned(), 2, 2, 0, 0, 1000),
                ("g3g4".to_owned(), 2, 0, 1, 1, 250)
            ]
        );
        assert_eq!(gathered.games, 5);
        let good = Rules {
            min_score: 30.0,
            ..rules
        };
        assert_eq!(gather(&games, &good).table[&here.key].len(), 1);
    }

    #[test]
    fn strong_players_weigh_more() {
        let (games, _) = read_games("t", TABLE.as_bytes());
        let strength = Strength::new(&games);
        assert!(strength.of(&games[0], Color::Red) > 0.55);
        assert!(strength.of(&games[0], Color::Black) < 0.45);
        let pgn =
            "[Red \"A\"]\n[Black \"B\"]\n[RedElo \"2400\"]\n[BlackElo \"2000\"]\n\n1. 炮二平五 *\n";
        let (rated, _) = read_games("t.pgn", pgn.as_bytes());
        let strength = Strength::new(&rated);
        let red = strength.of(&rated[0], Color::Red);
        assert!((red - 0.76).abs() < 0.01, "{red}");
    }
}
