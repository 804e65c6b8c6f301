//! From limits to time bounds: a soft one, at which no new iteration begins, stretched or shrunk
//! by how the search goes, and a hard one, at which it ends at once. Both run from the moment
//! the command was received.

use super::{Limits, Settings};
use std::time::Duration;

/// Time bounds of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeBounds {
    /// Planned use; `None` if time does not limit.
    pub soft: Option<Duration>,
    /// Never exceeded; `None` if time does not limit.
    pub hard: Option<Duration>,
}

/// Moves a game is expected to go on for when the clock does not say.
const EXPECTED_MOVES: f64 = 34.0;

impl TimeBounds {
    /// Bounds under these limits.
    pub fn new(limits: &Limits, settings: &Settings) -> TimeBounds {
        let mut bounds = TimeBounds {
            soft: None,
            hard: None,
        };
        if let Some(t) = limits.movetime {
            let t = t.saturating_sub(settings.move_overhead.min(t / 4));
            // A fixed time is to be used, so it is a hard bound only.
            bounds.hard = Some(t);
        }
        if let Some(clock) = limits.clock {
            let left = clock.remaining.as_secs_f64();
            let overhead = settings.move_overhead.as_secs_f64();
            let increment = clock.increment.as_secs_f64();
            let moves = clock
                .moves_to_go
                .map_or(EXPECTED_MOVES, |n| f64::from(n.max(1)) + 0.5);
            let moves = moves.min(EXPECTED_MOVES + 12.0);
            // What may be spent at all: never the whole clock, and little of a tiny one.
            let usable = (left - overhead.min(left * 0.5)).max(0.0);
            // A share of what there will be, less what is lost on the way; where nearly all is
            // lost there, something all the same.
            let share = (left + increment * (moves - 1.0)) / moves;
            let mut soft = (share - overhead).max(share * 0.3);
            soft *= f64::from(settings.slow_mover) / 100.0;
            if settings.can_ponder {
                soft *= 1.2;
            }
            let last = clock.moves_to_go == Some(1);
            let cap = if last { 0.9 } else { 0.45 };
            let hard = (soft * 4.5).min(usable * cap);
            let soft = soft.min(hard);
            bounds.soft = Some(Duration::from_secs_f64(soft));
            let hard = Duration::from_secs_f64(hard);
            bounds.hard = Some(bounds.hard.map_or(hard, |h| h.min(hard)));
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBounds {
        let limits = Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            ..Limits::default()
        };
        TimeBounds::new(&limits, &Settings::default())
    }

    #[test]
    fn bounds_stay_on_the_clock() {
        for remaining in [0, 1, 5, 10, 50, 200, 3_000, 600_000] {
            for increment in [0, 10, 100, 30_000] {
                for mtg in [None, Some(1), Some(2), Some(40), Some(1_000)] {
                    let b = clock(remaining, increment, mtg);
                    let (soft, hard) = (b.soft.unwrap(), b.hard.unwrap());
                    assert!(soft <= hard);
                    let left = Duration::from_millis(remaining);
                    assert!(
                        hard <= left.mul_f64(0.9),
                        "{remaining}+{increment}/{mtg:?}: {b:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn more_time_is_used_when_there_is_more() {
        assert!(clock(60_000, 0, None).soft > clock(6_000, 0, None).soft);
        assert!(clock(6_000, 500, None).soft > clock(6_000, 0, None).soft);
        assert!(clock(6_000, 0, Some(2)).soft > clock(6_000, 0, Some(20)).soft);
    }

    #[test]
    fn fixed_time_leaves_the_overhead() {
        let limits = Limits {
            movetime: Some(Duration::from_millis(1_000)),
            ..Limits::default()
        };
        let b = TimeBounds::new(&limits, &Settings::default());
        assert_eq!(b.hard, Some(Duration::from_millis(990)));
        assert_eq!(b.soft, None);
    }
}
