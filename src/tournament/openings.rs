//! Openings: the start position, lists of positions and of moves, random ones. Each is used for
//! two games with colours swapped.

use crate::notation::parse_move;
use crate::position::{Position, START_FEN};
use crate::types::Move;
use crate::util::SplitMix;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Opening {
    /// Position.
    pub fen: String,
    /// Moves played from it.
    pub moves: Vec<Move>,
}

impl Default for Opening {
    fn default() -> Opening {
        Opening {
            fen: START_FEN.into(),
            moves: Vec::new(),
        }
    }
}

impl From<Opening> for String {
    fn from(o: Opening) -> String {
        let mut text = if o.fen == START_FEN {
            "startpos".to_string()
        } else {
            o.fen
        };
        if !o.moves.is_empty() {
            text.push_str(" moves");
            for m in o.moves {
                text.push(' ');
                text.push_str(&m.to_string());
            }
        }
        text
    }
}

impl TryFrom<String> for Opening {
    type Error = String;

    fn try_from(text: String) -> Result<Opening, String> {
        parse_line(&text)?.ok_or_else(|| "no opening".into())
    }
}

impl Opening {
    /// The position after the moves.
    ///
    /// # Errors
    /// A position or move that is not legal.
    pub fn position(&self) -> Result<Position, String> {
        let mut p = Position::from_fen(&self.fen).map_err(|e| e.to_string())?;
        for &m in &self.moves {
            p.play(m).map_err(|e| e.to_string())?;
        }
        Ok(p)
    }
}

/// Reads one line: a FEN or EPD, `startpos`, moves in any notation after either or alone. `None`
/// for an empty line or a remark (`#`).
fn parse_line(line: &str) -> Result<Option<Opening>, String> {
    let line = line.split(['#', ';']).next().unwrap_or("");
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.retain(|w| !matches!(*w, "position" | "fen" | "moves"));
    let Some(first) = words.first() else {
        return Ok(None);
    };
    let (fen, rest) = if *first == "startpos" {
        (START_FEN.to_string(), 1)
    } else if first.contains('/') {
        let fields = words
            .iter()
            .skip(1)
            .take(5)
            .take_while(|w| {
                matches!(**w, "w" | "b" | "r" | "-") || w.chars().all(|c| c.is_ascii_digit())
            })
            .count();
        (words[..=fields].join(" "), fields + 1)
    } else {
        (START_FEN.to_string(), 0)
    };
    let mut moves = Vec::new();
    let mut p = Position::from_fen(&fen).map_err(|e| e.to_string())?;
    for word in &words[rest..] {
        if word.ends_with('.') {
            continue;
        }
        match parse_move(&p, word) {
            Ok(m) => {
                moves.push(m);
                p.make(m);
            }
            // What follows in an EPD line are its operations.
            Err(_) if first.contains('/') && moves.is_empty() => break,
            Err(e) => return Err(e.to_string()),
        }
    }
    let opening = Opening { fen, moves };
    if p.legal_moves().is_empty() {
        return Err("the game is over in this position".into());
    }
    Ok(Some(opening))
}

/// Reads a file of openings, one a line.
///
/// # Errors
/// The first line that cannot be read, or a file without any.
pub fn parse_list(text: &str, name: &str) -> Result<Vec<Opening>, String> {
    let mut list = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let opening = parse_line(line).map_err(|e| format!("{name}: line {}: {e}", i + 1))?;
        list.extend(opening);
    }
    if list.is_empty() {
        return Err(format!("{name}: no opening in it"));
    }
    Ok(list)
}

/// The `index`-th random opening of a seed: legal moves from the start without captures, which
/// at random mostly lose a piece. `attempt` gives others for the same place.
pub fn random(seed: u64, index: u64, attempt: u64, plies: usize) -> Opening {
    let mut rng = SplitMix::new(seed, index.wrapping_mul(1 << 20).wrapping_add(attempt));
    loop {
        let mut p = Position::startpos();
        let mut opening = Opening::default();
        while opening.moves.len() < plies {
            let quiet: Vec<Move> = p
                .legal_moves()
                .iter()
                .copied()
                .filter(|m| p.piece_on(m.to()).is_none())
                .collect();
            if quiet.is_empty() {
                break;
            }
            let m = quiet[rng.below(quiet.len())];
            p.make(m);
            opening.moves.push(m);
        }
        if opening.moves.len() == plies && !p.legal_moves().is_empty() {
            return opening;
        }
    }
}

/// `count` different random openings that `accept` lets through.
///
/// # Errors
/// What `accept` reports, or that far too few are accepted.
pub fn random_list(
    seed: u64,
    plies: usize,
    count: usize,
    accept: &mut dyn FnMut(&Opening) -> Result<bool, String>,
) -> Result<Vec<Opening>, String> {
    const TRIES: u64 = 1000;
    let (mut taken, mut refused) = (HashSet::new(), HashSet::new());
    let mut list = Vec::with_capacity(count);
    for index in 0..count as u64 {
        let mut found = None;
        for attempt in 0..TRIES {
            let opening = random(seed, index, attempt, plies);
            let key = opening.position()?.key();
            // With few plies there are not enough different ones.
            if refused.contains(&key) || taken.contains(&key) && attempt <= 100 {
                continue;
            }
            if taken.contains(&key) || accept(&opening)? {
                taken.insert(key);
                found = Some(opening);
                break;
            }
            refused.insert(key);
        }
        list.push(found.ok_or_else(|| {
            format!(
                "{TRIES} random openings of {plies} plies and none within the window: widen it or \
                 play fewer plies"
            )
        })?);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let text = "# remark\n\nstartpos\nstartpos moves 炮二平五 马８进７\nh2e2 h9g7\n\
            rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n\
            rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\th2e2\n\
            rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - bm h2e2; id \"x\";\n";
        let list = parse_list(text, "f").unwrap();
        assert_eq!(list.len(), 6);
        assert_eq!(list[1], list[2]);
        assert_eq!(list[4].moves.len(), 1);
        assert_eq!(list[5].moves.len(), 0);
        for o in list {
            assert_eq!(Opening::try_from(String::from(o.clone())), Ok(o));
        }
    }

    #[test]
    fn mistakes_name_the_line() {
        let e = parse_list("startpos\nh2h1 h2h1\n", "f").unwrap_err();
        assert!(e.starts_with("f: line 2:"), "{e}");
        assert!(parse_list("# nothing\n", "f").is_err());
        assert!(parse_list("9/9/9 w\n", "f").is_err());
    }

    #[test]
    fn random_openings_are_reproducible_and_differ() {
        let list = random_list(7, 6, 50, &mut |_| Ok(true)).unwrap();
        let again = random_list(7, 6, 50, &mut |_| Ok(true)).unwrap();
        assert_eq!(list, again);
        let other = random_list(8, 6, 50, &mut |_| Ok(true)).unwrap();
        assert_ne!(list, other);
        let keys: HashSet<u64> = list.iter().map(|o| o.position().unwrap().key()).collect();
        assert_eq!(keys.len(), 50);
        assert!(list.iter().all(|o| o.moves.len() == 6));
        assert!(random_list(7, 6, 1, &mut |_| Ok(false)).is_err());
    }
}
