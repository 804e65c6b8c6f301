//! From any arrangement of pieces to a position: every fault is named with piece and point.

use super::danger::Danger;
use super::{Position, State};
use crate::attacks;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, SQUARES, Square, zobrist};
use core::fmt;

/// Any arrangement of pieces, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each point, by [`Square::index`].
    pub board: [Option<Piece>; SQUARES],
    /// The side to move.
    pub stm: Color,
    /// Plies since the last capture.
    pub quiet_plies: u16,
    /// Number of the full move, from 1.
    pub fullmove: u32,
}

impl From<&Position> for Setup {
    /// What stands where, without the moves that led to it.
    fn from(p: &Position) -> Setup {
        let mut setup = Setup {
            stm: p.stm(),
            quiet_plies: p.quiet_plies() as u16,
            fullmove: p.fullmove(),
            ..Setup::empty()
        };
        for s in p.occupied() {
            setup.board[s.index()] = p.piece_on(s);
        }
        setup
    }
}

impl Setup {
    /// An empty board with Red to move.
    pub fn empty() -> Setup {
        Setup {
            board: [None; SQUARES],
            stm: Color::Red,
            quiet_plies: 0,
            fullmove: 1,
        }
    }

    /// Left and right exchanged.
    pub fn mirrored(&self) -> Setup {
        self.moved(Square::mirror, |color| color)
    }

    /// Red and Black exchanged, the side to move too.
    pub fn flipped(&self) -> Setup {
        self.moved(Square::flip, |color| !color)
    }

    fn moved(&self, place: fn(Square) -> Square, side: fn(Color) -> Color) -> Setup {
        let mut moved = Setup {
            board: [None; SQUARES],
            stm: side(self.stm),
            ..*self
        };
        for s in Square::all() {
            let piece = self.board[s.index()];
            moved.board[place(s).index()] = piece.map(|x| Piece::new(side(x.color()), x.kind()));
        }
        moved
    }

    /// The arrangement at the start of a game.
    pub fn start() -> Setup {
        let mut setup = Setup::empty();
        let back = [
            PieceType::Rook,
            PieceType::Knight,
            PieceType::Bishop,
            PieceType::Advisor,
            PieceType::King,
            PieceType::Advisor,
            PieceType::Bishop,
            PieceType::Knight,
            PieceType::Rook,
        ];
        for color in Color::ALL {
            let mut put = |file: usize, rank: usize, kind| {
                let s = Square::new(rank * 9 + file).relative(color);
                setup.board[s.index()] = Some(Piece::new(color, kind));
            };
            for (file, kind) in back.into_iter().enumerate() {
                put(file, 0, kind);
            }
            for file in [1, 7] {
                put(file, 2, PieceType::Cannon);
            }
            for file in [0, 2, 4, 6, 8] {
                put(file, 3, PieceType::Pawn);
            }
        }
        setup
    }
}

/// Why an arrangement is no position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A side has no king.
    NoKing(Color),
    /// More pieces of a kind than a side can have; the point is that of the first too many.
    TooMany(Piece, Square),
    /// A piece where it can never stand.
    Misplaced(Piece, Square),
    /// Two pawns of a side on one file before the river, where pawns only go straight.
    PawnsInLine(Piece, Square),
    /// The kings face each other on an open file.
    KingsFacing(Square, Square),
    /// The side that is not to move is in check: its king could be taken.
    OpponentInCheck {
        /// A piece that attacks the king.
        checker: Piece,
        /// Where it stands.
        from: Square,
        /// Where the king stands.
        king: Square,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetupError::NoKing(c) => write!(f, "there is no {c} king"),
            SetupError::TooMany(p, s) => write!(
                f,
                "one {p} too many on {s}: a side has at most {}",
                p.kind().max_count()
            ),
            SetupError::Misplaced(p, s) => write!(f, "a {p} can never stand on {s}"),
            SetupError::PawnsInLine(p, s) => write!(
                f,
                "the {p} on {s} has another before or behind it on its own side of the river, \
                 where pawns cannot change files"
            ),
            SetupError::KingsFacing(a, b) => {
                write!(
                    f,
                    "the kings on {a} and {b} face each other on an open file"
                )
            }
            SetupError::OpponentInCheck {
                checker,
                from,
                king,
            } => write!(
                f,
                "the side to move could take the king on {king} with its {checker} on {from}"
            ),
        }
    }
}

impl std::error::Error for SetupError {}

impl Position {
    /// Checks an arrangement and makes it a position without history.
    ///
    /// # Errors
    /// The first fault found; see [`SetupError`].
    pub fn from_setup(setup: &Setup) -> Result<Position, SetupError> {
        let mut p = Position {
            by_kind: [Bitboard::EMPTY; 7],
            by_color: [Bitboard::EMPTY; 2],
            board: setup.board,
            stm: setup.stm,
            fullmove: setup.fullmove,
            state: State {
                key: 0,
                danger: Danger::default(),
                last: Move::NONE,
                captured: None,
                quiet_plies: setup.quiet_plies,
                reversible: 0,
                checks: [0; 2],
            },
            history: Vec::new(),
        };
        for s in Square::all() {
            let Some(piece) = setup.board[s.index()] else {
                continue;
            };
            let (color, kind) = (piece.color(), piece.kind());
            if p.pieces(color, kind).count() as usize == kind.max_count() {
                return Err(SetupError::TooMany(piece, s));
            }
            if !attacks::places(color, kind).has(s) {
                return Err(SetupError::Misplaced(piece, s));
            }
            if kind == PieceType::Pawn && !s.crossed(color) {
                let own_half = match color {
                    Color::Red => Bitboard::RED_HALF,
                    Color::Black => Bitboard::BLACK_HALF,
                };
                let same_file = Bitboard::file(s.file()) & own_half;
                if (p.pieces(color, kind) & same_file).any() {
                    return Err(SetupError::PawnsInLine(piece, s));
                }
            }
            p.by_kind[kind.index()] = p.by_kind[kind.index()].with(s);
            p.by_color[color.index()] = p.by_color[color.index()].with(s);
        }
        for color in Color::ALL {
            if p.pieces(color, PieceType::King).is_empty() {
                return Err(SetupError::NoKing(color));
            }
        }
        let (red, black) = (p.king(Color::Red), p.king(Color::Black));
        if red.file() == black.file() && (attacks::between(red, black) & p.occupied()).is_empty() {
            return Err(SetupError::KingsFacing(red, black));
        }
        let king = p.king(!p.stm);
        if let Some(from) = Danger::new(&p, !p.stm).checkers.first()
            && let Some(checker) = p.piece_on(from)
        {
            return Err(SetupError::OpponentInCheck {
                checker,
                from,
                king,
            });
        }
        p.state.key = p.key_from_scratch() ^ zobrist::side(Color::Red);
        p.state.danger = p.compute_danger();
        Ok(p)
    }
}
