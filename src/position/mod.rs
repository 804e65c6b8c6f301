//! One position and how it changes: bitboards and mailbox, Zobrist key, what threatens the king,
//! and the history since the start (keys, moves, captures, checks), which the rules of
//! repetition need. A [`Position`] exists only after [`Setup`] passed its checks, so every
//! position has two kings in their palaces and the side that just moved is not in check.
//! Imports `types` and `attacks`.

mod danger;
mod fen;
mod legality;
mod make;
mod movegen;
mod perft;
mod see;
mod validate;

pub use fen::{FenError, START_FEN};
pub use make::IllegalMove;
pub use perft::{PerftTable, divide, perft, perft_hashed};
pub use validate::{Setup, SetupError};

use crate::attacks;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, SQUARES, Square, zobrist};
use danger::Danger;

/// What cannot be recomputed when a move is taken back, and what is worth keeping.
#[derive(Clone, Copy, Debug)]
pub struct State {
    key: u64,
    danger: Danger,
    /// The move that led here; `Move::NONE` at the start and after a null move.
    last: Move,
    /// What that move took.
    captured: Option<Piece>,
    /// Plies since the last capture, the FEN's counter included.
    quiet_plies: u16,
    /// Plies that can be looked back on: since the last capture, null move or the start.
    reversible: u16,
    /// Checks each side gave since the last capture.
    checks: [u16; 2],
}

impl State {
    /// Zobrist key of the position, side to move included.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.danger.checkers
    }

    /// The move that led here, `Move::NONE` at the start or after a null move.
    pub fn last_move(&self) -> Move {
        self.last
    }

    /// What that move took.
    pub fn captured(&self) -> Option<Piece> {
        self.captured
    }
}

/// A legal position with its history.
///
/// ```
/// use chuhe::position::Position;
/// let mut p = Position::startpos();
/// assert_eq!(p.legal_moves().len(), 44);
/// p.play("h2e2".parse().unwrap()).unwrap();
/// assert_eq!(p.fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    by_kind: [Bitboard; 7],
    by_color: [Bitboard; 2],
    board: [Option<Piece>; SQUARES],
    stm: Color,
    fullmove: u32,
    state: State,
    history: Vec<State>,
}

impl Position {
    /// The start position.
    pub fn startpos() -> Position {
        Position::from_setup(&Setup::start()).unwrap_or_else(|e| unreachable!("start: {e}"))
    }

    /// The side to move.
    #[inline(always)]
    pub fn stm(&self) -> Color {
        self.stm
    }

    /// What stands on the point.
    #[inline(always)]
    pub fn piece_on(&self, s: Square) -> Option<Piece> {
        self.board[s.index()]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn side(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// All pieces of a kind, both sides.
    #[inline(always)]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The pieces of a side and kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_color[color.index()] & self.by_kind[kind.index()]
    }

    /// Where the king of a side stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        match self.pieces(color, PieceType::King).first() {
            Some(s) => s,
            None => unreachable!("validated: each side has a king"),
        }
    }

    /// Zobrist key, side to move included.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state.key
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.state.danger.checkers.any()
    }

    /// Pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.state.danger.checkers
    }

    /// Plies since the last capture, the FEN's counter included.
    #[inline(always)]
    pub fn quiet_plies(&self) -> usize {
        usize::from(self.state.quiet_plies)
    }

    /// How many plies back a repetition of this position can lie: since the last capture, null
    /// move, or the start of the history.
    #[inline(always)]
    pub fn reversible_plies(&self) -> usize {
        usize::from(self.state.reversible)
    }

    /// Checks this side gave since the last capture, as far as the history knows.
    #[inline(always)]
    pub fn checks_given(&self, color: Color) -> usize {
        usize::from(self.state.checks[color.index()])
    }

    /// Number of the full move, from 1, as in a FEN.
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// The move that led here; `Move::NONE` at the start and after a null move.
    #[inline(always)]
    pub fn last_move(&self) -> Move {
        self.state.last
    }

    /// What the last move took.
    #[inline(always)]
    pub fn last_captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// Plies played since the start of the history.
    pub fn ply_count(&self) -> usize {
        self.history.len()
    }

    /// The state `back` plies ago; 0 is now. `None` beyond the start of the history.
    #[inline]
    pub fn state_back(&self, back: usize) -> Option<&State> {
        if back == 0 {
            Some(&self.state)
        } else {
            self.history
                .len()
                .checked_sub(back)
                .map(|i| &self.history[i])
        }
    }

    /// Key `back` plies ago, for repetition scans inside [`Position::reversible_plies`].
    #[inline(always)]
    pub fn key_back(&self, back: usize) -> u64 {
        if back == 0 {
            self.state.key
        } else {
            self.history[self.history.len() - back].key
        }
    }

    /// The moves from the start of the history to here.
    pub fn moves_played(&self) -> Vec<Move> {
        self.history
            .iter()
            .skip(1)
            .chain([&self.state])
            .map(|s| s.last)
            .take(self.ply_count())
            .collect()
    }

    /// Pieces of `by` that attack `s` under this occupation. Kings attack along the palace, and
    /// the other king along an open file is not counted (that is a matter of check).
    pub fn attackers(&self, s: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let (rook, cannon) = attacks::rook_and_cannon(s, occupied);
        let near = attacks::king(s) & self.kind(PieceType::King)
            | attacks::advisor(s) & self.kind(PieceType::Advisor)
            | attacks::bishop(s, occupied) & self.kind(PieceType::Bishop)
            | attacks::knight_to(s, occupied) & self.kind(PieceType::Knight)
            | attacks::pawn_to(by, s) & self.kind(PieceType::Pawn);
        let lines = rook & self.kind(PieceType::Rook) | cannon & self.kind(PieceType::Cannon);
        (near | lines) & self.side(by) & occupied
    }

    /// Where the piece on `from` can go by its own way of moving under the present occupation,
    /// own pieces excluded, the safety of the king not looked at. Empty if nothing stands there.
    #[inline]
    pub fn pseudo_targets(&self, from: Square) -> Bitboard {
        let Some(piece) = self.piece_on(from) else {
            return Bitboard::EMPTY;
        };
        let occupied = self.occupied();
        let to = match piece.kind() {
            PieceType::King => attacks::king(from),
            PieceType::Advisor => attacks::advisor(from),
            PieceType::Bishop => attacks::bishop(from, occupied),
            PieceType::Knight => attacks::knight(from, occupied),
            PieceType::Rook => attacks::rook(from, occupied),
            PieceType::Cannon => attacks::cannon_targets(from, occupied),
            PieceType::Pawn => attacks::pawn(piece.color(), from),
        };
        to & !self.side(piece.color())
    }

    /// The key computed from the board, for tests of the incremental one.
    pub fn key_from_scratch(&self) -> u64 {
        Square::all()
            .filter_map(|s| self.piece_on(s).map(|p| zobrist::piece(p, s)))
            .fold(zobrist::side(self.stm), |k, x| k ^ x)
    }

    fn compute_danger(&self) -> Danger {
        Danger::new(self, self.stm)
    }
}

/// Two positions are equal if board and side to move are; counters and history do not count.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board && self.stm == other.stm
    }
}

impl Eq for Position {}
