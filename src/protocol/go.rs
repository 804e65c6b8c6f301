//! The words of `go` in both protocols, and the limits they mean.

use crate::engine::options::saturating_number;
use crate::search::{Clock, Limits};
use crate::types::Color;
use crate::types::score::MAX_PLY;
use std::time::Duration;

/// No clock runs longer (a thousand years), so that times can be added without care.
const LONGEST_MS: i64 = 32_000_000_000_000;

/// What a limit that is not understood is taken for.
const UNKNOWN_LIMIT: Duration = Duration::from_secs(1);

/// Words that tell of the opponent's clock, which is not looked at.
const OF_OPPONENT: [&str; 3] = ["opptime", "oppincrement", "oppmovestogo"];

/// A `go` line as read: each word with its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoWords {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// The opponent offers a draw (UCCI).
    pub draw: bool,
    /// No answer before `stop`.
    pub infinite: bool,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// Moves to a mate.
    pub mate: Option<i64>,
    /// Count leaves instead of searching.
    pub perft: Option<i64>,
    /// Moves to the next control.
    pub movestogo: Option<i64>,
    /// UCI: Red's and Black's time in milliseconds.
    pub time_of: [Option<i64>; 2],
    /// UCI: Red's and Black's increment in milliseconds.
    pub increment_of: [Option<i64>; 2],
    /// UCCI: time of the side to move, in the unit of `usemillisec`.
    pub time: Option<i64>,
    /// UCCI: increment of the side to move, in the same unit.
    pub increment: Option<i64>,
    /// Only these moves.
    pub search_moves: Vec<String>,
    /// An unknown word with a number behind it: a limit of some kind.
    pub unknown_limit: bool,
    /// What was wrong: for the user to read.
    pub faults: Vec<String>,
}

impl GoWords {
    /// Reads the words behind `go` in any order; unknown ones are skipped.
    pub(super) fn parse(words: &[&str]) -> GoWords {
        let mut go = GoWords::default();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let keyword = word.to_ascii_lowercase();
            match &*keyword {
                "ponder" => go.ponder = true,
                "draw" => go.draw = true,
                "infinite" => go.infinite = true,
                "searchmoves" => {
                    while let Some(m) = words.next_if(|w| w.parse::<crate::types::Move>().is_ok()) {
                        go.search_moves.push((*m).to_owned());
                    }
                }
                _ => {
                    // A word in place of the number is left to be read as a word.
                    let number = words.peek().and_then(|w| saturating_number(w));
                    let Some(slot) = go.slot(&keyword) else {
                        go.unknown_limit |= number.is_some() && !OF_OPPONENT.contains(&&*keyword);
                        continue;
                    };
                    match number {
                        Some(n) => {
                            *slot = Some(n);
                            words.next();
                        }
                        None => go.faults.push(match words.peek() {
                            Some(w) => format!("go {keyword}: {w:?} is no number, limit ignored"),
                            None => format!("go {keyword}: the number is missing, limit ignored"),
                        }),
                    }
                }
            }
        }
        go
    }

    fn slot(&mut self, keyword: &str) -> Option<&mut Option<i64>> {
        Some(match keyword {
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "movetime" => &mut self.movetime,
            "mate" => &mut self.mate,
            "perft" => &mut self.perft,
            "movestogo" => &mut self.movestogo,
            "wtime" => &mut self.time_of[0],
            "btime" => &mut self.time_of[1],
            "winc" => &mut self.increment_of[0],
            "binc" => &mut self.increment_of[1],
            "time" => &mut self.time,
            "increment" => &mut self.increment,
            _ => return None,
        })
    }

    /// Whether only the static value is wanted (UCCI).
    pub(super) fn is_static(&self) -> bool {
        self.depth.is_some_and(|d| d <= 0)
    }

    /// The limits for this side to move, its UCCI clock being in seconds or milliseconds.
    /// Numbers that make no sense become the least that does: such a search ends at once, it
    /// never becomes endless. Without any limit the search waits for `stop`; with none but an
    /// unknown one, which the client believes will end it, it takes a second.
    pub(super) fn limits(&self, stm: Color, seconds: bool) -> Limits {
        let mut limits = Limits {
            depth: self.depth.map(|d| d.clamp(1, MAX_PLY as i64) as u32),
            nodes: self.nodes.map(|n| n.max(1) as u64),
            movetime: self.movetime.map(millis),
            mate: self.mate.map(|m| m.clamp(1, MAX_PLY as i64 / 2) as u32),
            clock: self.clock(stm, seconds),
            infinite: self.infinite,
            ponder: self.ponder,
            ..Limits::default()
        };
        let unlimited = limits.depth.is_none()
            && limits.nodes.is_none()
            && limits.movetime.is_none()
            && limits.mate.is_none()
            && limits.clock.is_none();
        if unlimited && self.unknown_limit {
            limits.movetime = Some(UNKNOWN_LIMIT);
        } else {
            limits.infinite |= unlimited;
        }
        limits
    }

    fn clock(&self, stm: Color, seconds: bool) -> Option<Clock> {
        let unit = if seconds { 1000 } else { 1 };
        let scaled = |n: i64| n.saturating_mul(unit);
        let moves_to_go = self
            .movestogo
            .filter(|&m| m > 0)
            .map(|m| m.min(10_000) as u32);
        let us = stm.index();
        if let Some(time) = self.time {
            return Some(Clock {
                remaining: millis(scaled(time)),
                increment: millis(scaled(self.increment.unwrap_or(0))),
                // Without either word the whole time is for this move: so the reference engine
                // of the protocol reads it, and clients without clocks use it so.
                moves_to_go: moves_to_go.or(self.increment.is_none().then_some(1)),
            });
        }
        // A client that sends only the other side's clock still expects an answer in time.
        let remaining = self.time_of[us].or(self.time_of[1 - us]);
        let increment = self.increment_of[us];
        (remaining.is_some() || increment.is_some()).then(|| Clock {
            remaining: millis(remaining.unwrap_or(0)),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go,
        })
    }
}

fn millis(n: i64) -> Duration {
    Duration::from_millis(n.clamp(0, LONGEST_MS) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(line: &str) -> Limits {
        let words: Vec<&str> = line.split_whitespace().collect();
        GoWords::parse(&words).limits(Color::Black, false)
    }

    fn clock(line: &str) -> (u128, u128, Option<u32>) {
        let c = limits(line).clock.unwrap();
        (
            c.remaining.as_millis(),
            c.increment.as_millis(),
            c.moves_to_go,
        )
    }

    #[test]
    fn clocks_of_both_protocols() {
        let uci = "wtime 5000 btime 7000 winc 10 binc 30";
        assert_eq!(clock(uci), (7000, 30, None));
        assert_eq!(clock("btime 7000 movestogo 4"), (7000, 0, Some(4)));
        assert_eq!(
            clock("draw time 900 increment 0 opptime 5 oppincrement 6"),
            (900, 0, None)
        );
        assert_eq!(clock("time 900 movestogo 3"), (900, 0, Some(3)));
        assert_eq!(clock("time 900"), (900, 0, Some(1)));
        let words = GoWords::parse(&["time", "60", "increment", "2"]);
        let c = words.limits(Color::Red, true).clock.unwrap();
        assert_eq!((c.remaining.as_secs(), c.increment.as_secs()), (60, 2));
    }

    #[test]
    fn nothing_sensible_never_becomes_endless() {
        assert_eq!(clock("wtime -100 btime -100"), (0, 0, None));
        assert_eq!(clock("time 0 increment 0").0, 0);
        assert_eq!(limits("depth 0").depth, Some(1));
        assert_eq!(limits("depth -4").depth, Some(1));
        assert_eq!(limits("nodes 0").nodes, Some(1));
        assert_eq!(limits("movetime -1").movetime, Some(Duration::ZERO));
        for line in ["depth 0", "nodes 0", "movetime 0", "btime 0", "mate 0"] {
            assert!(!limits(line).infinite, "{line}");
        }
    }

    #[test]
    fn without_a_limit_the_search_waits_for_stop() {
        for line in ["", "xyz", "depth", "depth three", "movestogo 3", "ponder"] {
            assert!(limits(line).infinite, "{line}");
        }
        let words = GoWords::parse(&["depth", "three", "nodes"]);
        assert_eq!(words.faults.len(), 2);
        assert!(words.faults[0].contains("\"three\""));
    }

    #[test]
    fn an_unknown_limit_does_not_make_the_search_endless() {
        let l = limits("movetimes -100 0%");
        assert_eq!((l.movetime, l.infinite), (Some(UNKNOWN_LIMIT), false));
        assert!(limits("infinite frobnicate 7").infinite);
        assert_eq!(limits("frobnicate 7 depth 3").movetime, None);
        assert!(limits("opptime 100").infinite);
    }

    #[test]
    fn words_in_any_order_and_unknown_ones() {
        let l = limits("frobnicate 7 DEPTH 3 movetime 500 ponder");
        assert_eq!(
            (l.depth, l.movetime),
            (Some(3), Some(Duration::from_millis(500)))
        );
        assert!(l.ponder && !l.infinite);
        assert_eq!(limits("depth infinite").depth, None);
        assert!(limits("depth infinite").infinite);
        let go = GoWords::parse(&["searchmoves", "a0a1", "H2-E2", "depth", "4"]);
        assert_eq!((go.search_moves.len(), go.depth), (2, Some(4)));
        assert_eq!(
            limits("nodes 99999999999999999999999999").nodes,
            Some(i64::MAX as u64)
        );
    }
}
