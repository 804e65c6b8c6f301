//! Books joined and changed by hand.

use super::{Table, set_weights};
use crate::opening_book::{BookMove, Symmetry};
use crate::position::Position;
use crate::types::Move;

/// Joins books. Games and results are added up, weights by the share of the position's games that
/// each book speaks for; of scores the last one stays. What was set or banned by hand in any of
/// them counts, the last one before the others.
pub fn merge(tables: &[Table]) -> Table {
    let mut joined = Table::new();
    for key in tables.iter().flat_map(|t| t.keys()) {
        if joined.contains_key(key) {
            continue;
        }
        let (mut moves, mut raw): (Vec<BookMove>, Vec<f64>) = (Vec::new(), Vec::new());
        for own in tables.iter().filter_map(|t| t.get(key)) {
            let total: f64 = own.iter().map(|m| f64::from(m.weight)).sum();
            let games: f64 = own.iter().map(|m| f64::from(m.games)).sum();
            for m in own {
                let share = f64::from(m.weight) / total.max(1.0) * games.max(1.0);
                match moves.iter().position(|other| other.mv == m.mv) {
                    Some(i) => {
                        raw[i] += share;
                        add(&mut moves[i], m);
                    }
                    None => {
                        raw.push(share);
                        moves.push(*m);
                    }
                }
            }
        }
        let by_hand: Vec<BookMove> = moves.iter().filter(|m| m.by_hand).copied().collect();
        set_weights(&mut moves, &raw);
        for hand in by_hand {
            if let Some(m) = moves.iter_mut().find(|m| m.mv == hand.mv) {
                m.weight = hand.weight;
            }
        }
        joined.insert(*key, moves);
    }
    joined
}

fn add(to: &mut BookMove, m: &BookMove) {
    to.games = to.games.saturating_add(m.games);
    to.wins = to.wins.saturating_add(m.wins);
    to.draws = to.draws.saturating_add(m.draws);
    to.losses = to.losses.saturating_add(m.losses);
    to.score = m.score.or(to.score);
    if m.by_hand {
        (to.by_hand, to.banned, to.weight) = (true, m.banned, m.weight);
    }
}

/// Sets the weight of a legal move by hand, or bans it (`None`). The move is added if the book
/// does not have it.
pub fn edit(table: &mut Table, position: &Position, m: Move, weight: Option<u16>) {
    let here = Symmetry::of(position);
    let mv = here.to_book(m);
    let moves = table.entry(here.key).or_default();
    let place = moves.iter().position(|other| other.mv == mv);
    let place = place.unwrap_or_else(|| {
        moves.push(BookMove::new(mv, 0));
        moves.len() - 1
    });
    let own = &mut moves[place];
    own.by_hand = true;
    own.banned = weight.is_none();
    own.weight = weight.unwrap_or(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(games: u32, moves: &[(&str, u16)]) -> Table {
        let known = |&(text, weight): &(&str, u16)| BookMove {
            games,
            wins: games,
            ..BookMove::new(text.parse().unwrap(), weight)
        };
        let key = Symmetry::of(&Position::startpos()).key;
        Table::from([(key, moves.iter().map(known).collect())])
    }

    #[test]
    fn joined_books_add_up() {
        let mut first = table(30, &[("h2e2", 1000)]);
        let second = table(10, &[("h2e2", 500), ("g3g4", 1000)]);
        let joined = merge(&[first.clone(), second.clone()]);
        let moves = joined.values().next().unwrap();
        assert_eq!((moves[0].games, moves[0].wins), (40, 40));
        // 30 + 20/3 against 40/3.
        assert_eq!((moves[0].weight, moves[1].weight), (1000, 364));
        assert_eq!(merge(&[first.clone()]), first);
        let start = Position::startpos();
        edit(&mut first, &start, "c3c4".parse().unwrap(), None);
        let joined = merge(&[first, second]);
        let moves = joined.values().next().unwrap();
        let pawn = moves.iter().find(|m| m.mv.to_string() == "g3g4").unwrap();
        assert!(pawn.banned && pawn.by_hand && !pawn.is_playable());
    }
}
