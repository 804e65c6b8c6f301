//! Making and taking back moves.

use super::{Position, State};
use crate::types::{Bitboard, Color, Move, zobrist};
use core::fmt;

/// A move that is not legal in the position it was played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// Why it is not legal.
    pub why: &'static str,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move {}: {}", self.mv, self.why)
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// [`IllegalMove`] with the reason; the position is then unchanged.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if self.is_legal(m) {
            self.make(m);
            return Ok(());
        }
        let why = match self.piece_on(m.from()) {
            None => "no piece stands there",
            Some(p) if p.color() != self.stm => "that piece belongs to the other side",
            Some(_) if !self.pseudo_targets(m.from()).has(m.to()) => {
                "the piece does not move that way"
            }
            Some(_) if self.in_check() => "the king stays in check",
            Some(_) => "it exposes the king",
        };
        Err(IllegalMove { mv: m, why })
    }

    /// The key after a legal move, without making it.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to) = (m.from(), m.to());
        let mut key = self.state.key ^ zobrist::TURN;
        if let Some(piece) = self.board[from.index()] {
            key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
            if let Some(taken) = self.board[to.index()] {
                key ^= zobrist::piece(taken, to);
            }
        }
        key
    }

    /// Plays a move that is known to be legal. An illegal one from a point with a piece leaves a
    /// position in which a king may be in take; one from an empty point is ignored by the board
    /// but counted as a move (debug builds panic).
    pub fn make(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "{m} in {}", self.fen());
        let us = self.stm;
        let (from, to) = (m.from(), m.to());
        self.history.push(self.state);
        let key = self.key_after(m);
        let captured = self.board[to.index()];
        if let Some(piece) = self.board[from.index()] {
            let both = Bitboard::square(from) | Bitboard::square(to);
            if let Some(taken) = captured {
                let at = Bitboard::square(to);
                self.by_kind[taken.kind().index()] ^= at;
                self.by_color[taken.color().index()] ^= at;
            }
            self.by_kind[piece.kind().index()] ^= both;
            self.by_color[us.index()] ^= both;
            self.board[from.index()] = None;
            self.board[to.index()] = Some(piece);
        }
        self.stm = !us;
        self.fullmove += u32::from(us == Color::Black);
        let old = &self.state;
        let danger = self.compute_danger();
        let (quiet_plies, reversible, mut checks) = if captured.is_some() {
            (0, 0, [0; 2])
        } else {
            (
                old.quiet_plies.saturating_add(1),
                old.reversible.saturating_add(1),
                old.checks,
            )
        };
        let given = &mut checks[us.index()];
        *given = given.saturating_add(u16::from(danger.checkers.any()));
        self.state = State {
            key,
            danger,
            last: m,
            captured,
            quiet_plies,
            reversible,
            checks,
        };
    }

    /// Takes back the last [`Position::make`]. Without one, nothing happens.
    pub fn unmake(&mut self) {
        let Some(before) = self.history.pop() else {
            return;
        };
        let (m, captured) = (self.state.last, self.state.captured);
        self.state = before;
        self.stm = !self.stm;
        self.fullmove -= u32::from(self.stm == Color::Black);
        let (from, to) = (m.from(), m.to());
        if let Some(piece) = self.board[to.index()] {
            let both = Bitboard::square(from) | Bitboard::square(to);
            self.by_kind[piece.kind().index()] ^= both;
            self.by_color[self.stm.index()] ^= both;
            self.board[from.index()] = Some(piece);
            self.board[to.index()] = captured;
            if let Some(taken) = captured {
                let at = Bitboard::square(to);
                self.by_kind[taken.kind().index()] ^= at;
                self.by_color[taken.color().index()] ^= at;
            }
        }
    }

    /// Gives the turn to the other side. Not to be called in check; the counters of repetition
    /// start anew.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.history.push(self.state);
        self.stm = !self.stm;
        let danger = self.compute_danger();
        self.state = State {
            key: self.state.key ^ zobrist::TURN,
            danger,
            last: Move::NONE,
            captured: None,
            reversible: 0,
            ..self.state
        };
    }

    /// Takes back [`Position::make_null`].
    pub fn unmake_null(&mut self) {
        if let Some(before) = self.history.pop() {
            self.state = before;
            self.stm = !self.stm;
        }
    }
}
