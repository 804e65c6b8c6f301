//! Time controls and clocks (Art. 6): base and increment, sudden death, moves per session,
//! several sessions in a row. Unused time is carried over.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// One session: so many moves (all the rest if `None`) in so much time, and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Moves to be made; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// Time for them.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// A time control: the last session is repeated.
///
/// ```
/// use chuhe::tournament::TimeControl;
/// for text in ["2+0.02", "5:00", "40/90:00,10/15:00", "30/5:00", "1:30:00+30"] {
///     text.parse::<TimeControl>().unwrap();
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    sessions: Vec<Session>,
    text: String,
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let failed = |what: &str| {
            format!(
                "time control {text:?}: {what}; write base+increment in seconds or h:mm:ss, with \
                 moves/ before it, sessions parted by commas (2+0.02, 40/90:00,10/15:00)"
            )
        };
        let mut sessions = Vec::new();
        for part in text.split(',') {
            let (moves, rest) = match part.split_once('/') {
                Some((m, rest)) => match m.trim().parse::<u32>() {
                    Ok(m) if m > 0 => (Some(m), rest),
                    _ => return Err(failed("the number of moves is no positive number")),
                },
                None => (None, part),
            };
            let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let time = parse_time(time).ok_or_else(|| failed("unreadable time"))?;
            let increment = parse_time(increment).ok_or_else(|| failed("unreadable increment"))?;
            if time.is_zero() {
                return Err(failed("a session needs time"));
            }
            sessions.push(Session {
                moves,
                time,
                increment,
            });
        }
        let last = sessions.len() - 1;
        if sessions[..last].iter().any(|s| s.moves.is_none()) {
            return Err(failed("only the last session can do without moves"));
        }
        Ok(TimeControl {
            sessions,
            text: text.trim().to_string(),
        })
    }
}

/// Seconds with fractions, `mm:ss` or `h:mm:ss`.
pub fn parse_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    let parts: Vec<&str> = text.trim().split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        let x: f64 = part.parse().ok()?;
        if !(x.is_finite() && (0.0..=1e7).contains(&x)) || part.starts_with('+') {
            return None;
        }
        seconds = seconds * 60.0 + x;
    }
    Some(Duration::from_secs_f64(seconds))
}

/// A running clock of one side.
#[derive(Clone, Debug)]
pub struct Clock<'a> {
    control: &'a TimeControl,
    session: usize,
    moves_left: Option<u32>,
    remaining: Duration,
}

impl<'a> Clock<'a> {
    /// The clock at the start of the game.
    pub fn new(control: &'a TimeControl) -> Clock<'a> {
        let first = control.sessions[0];
        Clock {
            control,
            session: 0,
            moves_left: first.moves,
            remaining: first.time,
        }
    }

    /// Time left in this session.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// What a move adds.
    pub fn increment(&self) -> Duration {
        self.control.sessions[self.session].increment
    }

    /// Moves until the next session.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_left
    }

    /// Books a move that took `used`. False if the time was overstepped by more than `margin`;
    /// what is overstepped within the margin is forgiven.
    pub fn book(&mut self, used: Duration, margin: Duration) -> bool {
        if used > self.remaining + margin {
            self.remaining = Duration::ZERO;
            return false;
        }
        self.remaining = self.remaining.saturating_sub(used) + self.increment();
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                self.session = (self.session + 1).min(self.control.sessions.len() - 1);
                let next = self.control.sessions[self.session];
                self.moves_left = next.moves;
                self.remaining += next.time;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn sessions_of_article_6_follow_each_other() {
        let control: TimeControl = "40/90:00,10/15:00".parse().unwrap();
        let mut clock = Clock::new(&control);
        for i in 0..40 {
            assert_eq!(clock.moves_to_go(), Some(40 - i));
            assert!(clock.book(60 * S, Duration::ZERO));
        }
        // 50 minutes saved are carried over.
        assert_eq!(clock.remaining(), 65 * 60 * S);
        assert_eq!(clock.moves_to_go(), Some(10));
        for _ in 0..10 {
            assert!(clock.book(S, Duration::ZERO));
        }
        assert_eq!(clock.moves_to_go(), Some(10));
        assert_eq!(clock.remaining(), (65 + 15) * 60 * S - 10 * S);
    }

    #[test]
    fn increments_margins_and_sudden_death() {
        let control: TimeControl = "2+0.5".parse().unwrap();
        let mut clock = Clock::new(&control);
        assert!(clock.book(S, Duration::ZERO));
        assert_eq!(clock.remaining(), Duration::from_millis(1500));
        assert!(clock.book(Duration::from_millis(1520), Duration::from_millis(20)));
        assert_eq!(clock.remaining(), Duration::from_millis(500));
        assert!(!clock.book(Duration::from_millis(501), Duration::ZERO));
        let control: TimeControl = "5:00".parse().unwrap();
        let mut clock = Clock::new(&control);
        assert!(clock.book(300 * S, Duration::ZERO));
        assert!(!clock.book(S, Duration::ZERO));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for bad in [
            "", "x", "0", "5,3", "0/5", "-1", "1:2:3:4", "5+", "nan", "40/",
        ] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }
}
