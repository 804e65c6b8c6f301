//! Counting the leaves of the move tree, to prove move generation right and to time it.

use super::Position;
use crate::types::Move;

/// Number of move sequences of this length; the last ply is counted by sets, not played.
pub fn perft(p: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => p.count_legal(),
        _ => p.legal_moves().into_iter().fold(0, |n, m| {
            p.make(m);
            let below = perft(p, depth - 1);
            p.unmake();
            n + below
        }),
    }
}

/// The count below each legal move, in the order of generation.
pub fn divide(p: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    p.legal_moves()
        .into_iter()
        .map(|m| {
            p.make(m);
            let n = perft(p, depth - 1);
            p.unmake();
            (m, n)
        })
        .collect()
}

/// A table of counts already known, for [`perft_hashed`].
#[derive(Debug)]
pub struct PerftTable {
    slots: Vec<(u64, u64)>,
}

impl PerftTable {
    /// A table of at most this many MiB, at least one slot; `None` if there is not that much
    /// memory.
    pub fn new(mib: usize) -> Option<PerftTable> {
        let n = (mib.checked_mul(1 << 20)? / size_of::<(u64, u64)>()).max(1);
        let mut slots = Vec::new();
        slots.try_reserve_exact(n).ok()?;
        slots.resize(n, (0, 0));
        Some(PerftTable { slots })
    }
}

/// [`perft`] that remembers counts by position and depth. The key is 64 bits wide, so an error is
/// possible in principle; use [`perft`] to prove a generator.
pub fn perft_hashed(p: &mut Position, depth: u32, table: &mut PerftTable) -> u64 {
    if depth <= 1 {
        return perft(p, depth);
    }
    let key = p.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let slot = (key % table.slots.len() as u64) as usize;
    if table.slots[slot].0 == key {
        return table.slots[slot].1;
    }
    let mut n = 0;
    for m in p.legal_moves() {
        p.make(m);
        n += perft_hashed(p, depth - 1, table);
        p.unmake();
    }
    table.slots[slot] = (key, n);
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_counts_of_the_start_position() {
        let mut p = Position::startpos();
        for (depth, n) in [(0, 1), (1, 44), (2, 1_920), (3, 79_666), (4, 3_290_240)] {
            assert_eq!(perft(&mut p, depth), n, "depth {depth}");
        }
        assert_eq!(divide(&mut p, 3).iter().map(|x| x.1).sum::<u64>(), 79_666);
        assert_eq!(
            perft_hashed(&mut p, 4, &mut PerftTable::new(1).unwrap()),
            3_290_240
        );
        assert_eq!(p, Position::startpos());
    }
}
