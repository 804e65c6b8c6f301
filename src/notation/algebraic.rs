//! Reading algebraic text as WinBoard writes it: `Che2`, `Hxc7`, `axa3`, `ab3`, `c5`, ranks from
//! 0. Pawns have no letter.

use super::error::MoveTextError;
use super::parse::{ambiguous, why_illegal};
use super::standing::from_front;
use crate::position::Position;
use crate::types::{Move, Piece, PieceType, Square};

/// The parts of an algebraic move.
#[derive(Clone, Copy, Debug)]
struct Parts {
    kind: PieceType,
    file: Option<usize>,
    rank: Option<usize>,
    to: Square,
}

/// Reads the move if the text has that form; `None` if it has not.
pub(super) fn parse(position: &Position, text: &str) -> Option<Result<Move, MoveTextError>> {
    let parts = split(text)?;
    let color = position.stm();
    let own = position.pieces(color, parts.kind);
    let fits = |s: &Square| {
        parts.file.is_none_or(|f| s.file() == f) && parts.rank.is_none_or(|r| s.rank() == r)
    };
    let pseudo: Vec<Move> = from_front(color, own)
        .filter(fits)
        .filter(|&s| position.pseudo_targets(s).has(parts.to))
        .map(|s| Move::new(s, parts.to))
        .collect();
    let legal: Vec<Move> = pseudo
        .iter()
        .copied()
        .filter(|&m| position.is_legal(m))
        .collect();
    Some(match (legal.as_slice(), pseudo.as_slice()) {
        (&[m], _) => Ok(m),
        ([], &[m]) => Err(MoveTextError::Illegal {
            text: text.to_owned(),
            mv: Some(m),
            why: why_illegal(position, m),
        }),
        ([], _) => Err(MoveTextError::Illegal {
            text: text.to_owned(),
            mv: None,
            why: "no such piece can go there",
        }),
        (several, _) => Err(ambiguous(position, text, several)),
    })
}

fn split(text: &str) -> Option<Parts> {
    if !text.is_ascii() || text.len() > 8 {
        return None;
    }
    let bytes = text.trim_end_matches(['+', '#']).as_bytes();
    let (kind, bytes) = match bytes {
        [c, rest @ ..] if c.is_ascii_uppercase() => {
            (Piece::from_fen_char(char::from(*c))?.kind(), rest)
        }
        _ => (PieceType::Pawn, bytes),
    };
    let (head, to) = bytes.split_at_checked(bytes.len().checked_sub(2)?)?;
    let to: Square = core::str::from_utf8(to).ok()?.parse().ok()?;
    let head = head.strip_suffix(b"x").unwrap_or(head);
    let file = |c: u8| matches!(c, b'a'..=b'i').then(|| usize::from(c - b'a'));
    let rank = |c: u8| c.is_ascii_digit().then(|| usize::from(c - b'0'));
    let (file, rank) = match *head {
        [] => (None, None),
        [c] => match file(c) {
            Some(f) => (Some(f), None),
            None => (None, Some(rank(c)?)),
        },
        [f, r] => (Some(file(f)?), Some(rank(r)?)),
        _ => return None,
    };
    Some(Parts {
        kind,
        file,
        rank,
        to,
    })
}
