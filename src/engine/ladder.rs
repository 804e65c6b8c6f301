//! Elo and levels: the strengths of `Skill Level` as measured against each other, which
//! `UCI_Elo` is turned into a level by. docs/strength.md tells how the ladder was played.

use crate::search::LEVEL_GRAIN;

/// Measured strengths of some levels, from weak to strong.
const RUNGS: [(u32, u32); 7] = [
    (0, 800),
    (4, 885),
    (8, 1035),
    (12, 1395),
    (16, 1865),
    (17, 2050),
    (18, 2120),
];

/// Least `UCI_Elo`.
pub const MIN_ELO: u32 = RUNGS[0].1;
/// Greatest `UCI_Elo`.
pub const MAX_ELO: u32 = RUNGS[RUNGS.len() - 1].1;

/// The level of this strength, in hundredths, between the rungs in proportion.
pub fn grade_of(elo: u32) -> u32 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    for pair in RUNGS.windows(2) {
        let [(level, low), (next, high)] = [pair[0], pair[1]];
        if elo <= high {
            return level * LEVEL_GRAIN + (next - level) * LEVEL_GRAIN * (elo - low) / (high - low);
        }
    }
    RUNGS[RUNGS.len() - 1].0 * LEVEL_GRAIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_rise_and_are_met() {
        assert!(RUNGS.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1));
        for (level, elo) in RUNGS {
            assert_eq!(grade_of(elo), level * LEVEL_GRAIN);
        }
        assert_eq!(grade_of(0), 0);
        assert!(grade_of(MAX_ELO + 500) < 20 * LEVEL_GRAIN);
    }
}
