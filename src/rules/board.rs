//! A bare board for trying lines: no history, no keys, copied instead of taken back. It answers
//! what [`Position`] cannot, because threats are asked of positions in which the other side has
//! passed, and of positions in check "as if the check were not there".

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveList, Piece, PieceType, SQUARES, Square};

/// Pieces and the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    kinds: [Bitboard; 7],
    colors: [Bitboard; 2],
    cells: [Option<Piece>; SQUARES],
    stm: Color,
    /// Enemy pieces whose attack on the king of the side named is overlooked.
    overlooked: (Color, Bitboard),
}

impl Board {
    /// The board of a position.
    pub fn new(p: &Position) -> Board {
        let mut cells = [None; SQUARES];
        for s in p.occupied() {
            cells[s.index()] = p.piece_on(s);
        }
        Board {
            kinds: PieceType::ALL.map(|k| p.kind(k)),
            colors: Color::ALL.map(|c| p.side(c)),
            cells,
            stm: p.stm(),
            overlooked: (Color::Red, Bitboard::EMPTY),
        }
    }

    pub fn stm(&self) -> Color {
        self.stm
    }

    pub fn piece_on(&self, s: Square) -> Option<Piece> {
        self.cells[s.index()]
    }

    pub fn side(&self, c: Color) -> Bitboard {
        self.colors[c.index()]
    }

    pub fn kind(&self, k: PieceType) -> Bitboard {
        self.kinds[k.index()]
    }

    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The same board with the turn given to the other side.
    pub fn passed(&self) -> Board {
        Board {
            stm: !self.stm,
            ..*self
        }
    }

    /// The same board on which the present checks against the side to move do not count when the
    /// legality of its moves is tested (an attack that merely could not be carried out is not new).
    pub fn overlooking_checks(&self) -> Board {
        Board {
            overlooked: (self.stm, self.king_attackers(self.stm)),
            ..*self
        }
    }

    /// The board after a move.
    pub fn after(&self, m: Move) -> Board {
        let mut b = *self;
        let (from, to) = (m.from(), m.to());
        if let Some(taken) = b.cells[to.index()] {
            b.kinds[taken.kind().index()] = b.kinds[taken.kind().index()].without(to);
            b.colors[taken.color().index()] = b.colors[taken.color().index()].without(to);
        }
        if let Some(piece) = b.cells[from.index()].take() {
            let both = Bitboard::square(from) | Bitboard::square(to);
            let (k, c) = (piece.kind().index(), piece.color().index());
            b.kinds[k] ^= both;
            b.colors[c] ^= both;
            b.cells[to.index()] = Some(piece);
        }
        b.overlooked.1 = b.overlooked.1.without(from).without(to);
        b.stm = !b.stm;
        b
    }

    /// The board without the piece on a point.
    pub fn without(&self, s: Square) -> Board {
        let mut b = *self;
        if let Some(piece) = b.cells[s.index()].take() {
            b.kinds[piece.kind().index()] = b.kinds[piece.kind().index()].without(s);
            b.colors[piece.color().index()] = b.colors[piece.color().index()].without(s);
        }
        b
    }

    pub fn king(&self, c: Color) -> Option<Square> {
        (self.side(c) & self.kind(PieceType::King)).first()
    }

    /// Pieces that attack the king of `c`, the other king on an open file included.
    pub fn king_attackers(&self, c: Color) -> Bitboard {
        match self.king(c) {
            Some(king) => self.attackers_of_king(king, c, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    fn attackers_of_king(&self, king: Square, c: Color, occupied: Bitboard) -> Bitboard {
        let (rook, cannon) = attacks::rook_and_cannon(king, occupied);
        let hits = rook & (self.kind(PieceType::Rook) | self.kind(PieceType::King))
            | cannon & self.kind(PieceType::Cannon)
            | attacks::knight_to(king, occupied) & self.kind(PieceType::Knight)
            | attacks::pawn_to(!c, king) & self.kind(PieceType::Pawn);
        let hits = hits & self.side(!c) & occupied;
        if self.overlooked.0 == c {
            hits & !self.overlooked.1
        } else {
            hits
        }
    }

    pub fn in_check(&self, c: Color) -> bool {
        self.king_attackers(c).any()
    }

    /// Where the piece on a point can go by its own way of moving.
    pub fn reach(&self, from: Square) -> Bitboard {
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

    /// Whether a move that the piece can make leaves its own king safe.
    pub fn is_safe(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let c = piece.color();
        let king = if piece.kind() == PieceType::King {
            Some(to)
        } else {
            self.king(c)
        };
        let Some(king) = king else {
            return false;
        };
        let occupied = self.occupied().without(from).with(to);
        let hits = self.attackers_of_king(king, c, occupied);
        hits.without(to).is_empty()
    }

    /// Whether a move of the side to move attacks the other king, which is not attacked yet.
    pub fn gives_check(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let (Some(piece), Some(king)) = (self.piece_on(from), self.king(!self.stm)) else {
            return false;
        };
        if !attacks::may_attack(king, from, to) {
            return false;
        }
        let occupied = self.occupied().without(from).with(to);
        let own = self.side(self.stm).without(from);
        let arrived = |kind| {
            let others = own & self.kind(kind);
            if piece.kind() == kind {
                others.with(to)
            } else {
                others
            }
        };
        let (rook, cannon) = attacks::rook_and_cannon(king, occupied);
        let hits = rook & (arrived(PieceType::Rook) | arrived(PieceType::King))
            | cannon & arrived(PieceType::Cannon)
            | attacks::knight_to(king, occupied) & arrived(PieceType::Knight)
            | attacks::pawn_to(self.stm, king) & arrived(PieceType::Pawn);
        hits.any()
    }

    /// Legal moves of the side to move to any of these points.
    pub fn legal_to(&self, targets: Bitboard) -> MoveList {
        let mut list = MoveList::new();
        for from in self.side(self.stm) {
            for to in self.reach(from) & targets {
                let m = Move::new(from, to);
                if self.is_safe(m) {
                    list.push(m);
                }
            }
        }
        list
    }

    /// All legal moves.
    pub fn legal(&self) -> MoveList {
        self.legal_to(Bitboard::ALL)
    }

    /// Legal captures.
    pub fn captures(&self) -> MoveList {
        self.legal_to(self.side(!self.stm))
    }

    /// Legal moves that give check.
    pub fn checks(&self) -> MoveList {
        let mut list = MoveList::new();
        for from in self.side(self.stm) {
            for to in self.reach(from) {
                let m = Move::new(from, to);
                if self.gives_check(m) && self.is_safe(m) {
                    list.push(m);
                }
            }
        }
        list
    }

    /// Whether the side to move has a legal move.
    pub fn has_move(&self) -> bool {
        let mut own = self.side(self.stm);
        Iterator::any(&mut own, |from| {
            let mut to = self.reach(from);
            Iterator::any(&mut to, |to| self.is_safe(Move::new(from, to)))
        })
    }
}
