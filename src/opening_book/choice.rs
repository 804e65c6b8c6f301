//! Which of the moves of a book is played.

use super::BookMove;
use crate::util::SplitMix;

/// How a move is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// By lot, in proportion to the weights.
    #[default]
    Random,
    /// The heaviest one.
    Best,
}

/// Chooses among moves. The lot falls by the seed and the key of the position alone: the same
/// seed chooses the same move in the same position, whatever was chosen before.
pub fn choose(moves: &[BookMove], selection: Selection, seed: u64, key: u64) -> Option<&BookMove> {
    let playable = || moves.iter().filter(|m| m.is_playable());
    if selection == Selection::Best {
        // The first of those that weigh the same.
        return playable().rev().max_by_key(|m| m.weight);
    }
    let total: usize = playable().map(|m| usize::from(m.weight)).sum();
    let mut lot = SplitMix::new(seed, key).below(total);
    playable().find(|m| {
        let weight = usize::from(m.weight);
        let hit = lot < weight;
        lot = lot.saturating_sub(weight);
        hit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_follow_seed_and_weights() {
        let weights = [("h2e2", 60), ("g3g4", 30), ("b0c2", 0), ("g0e2", 10)];
        let mut moves: Vec<BookMove> = weights
            .iter()
            .map(|(m, w)| BookMove::new(m.parse().unwrap(), *w))
            .collect();
        let mut hits = [0; 4];
        for seed in 0..10_000 {
            let chosen = choose(&moves, Selection::Random, seed, 77).unwrap();
            assert_eq!(choose(&moves, Selection::Random, seed, 77), Some(chosen));
            hits[moves.iter().position(|m| m == chosen).unwrap()] += 1;
        }
        assert_eq!(hits[2], 0);
        for (hit, (_, weight)) in hits.iter().zip(weights) {
            let expected = i32::from(weight) * 100;
            assert!((hit - expected).abs() < 250, "{hits:?}");
        }
        assert_eq!(choose(&moves, Selection::Best, 5, 7), Some(&moves[0]));
        moves[0].banned = true;
        assert_eq!(choose(&moves, Selection::Best, 5, 7), Some(&moves[1]));
        assert_eq!(choose(&[], Selection::Random, 1, 1), None);
        assert_eq!(choose(&moves[2..3], Selection::Random, 1, 1), None);
    }
}
