//! The sums of the first layer along a line of play. A move changes two or three of the pieces
//! that are on, so its sums are those before it with as many columns added and taken away; that is
//! done only when an evaluation asks for it. A king that steps into another frame changes all
//! features of his side's view: then the sums come from the last board that was seen in that frame.

use super::features::{self, Frame};
use super::kernels;
use super::network::{Block, LANES, Network, QA, QB, bucket};
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square};

/// What a move did to the board.
#[derive(Clone, Copy, Debug)]
struct Change {
    piece: Option<Piece>,
    from: Square,
    to: Square,
    taken: Option<Piece>,
}

impl Change {
    /// Whether this side's view is in another frame afterwards.
    #[inline(always)]
    fn reframes(&self, view: Color) -> bool {
        self.piece == Some(Piece::new(view, PieceType::King))
            && Frame::new(view, self.from) != Frame::new(view, self.to)
    }
}

/// A place in the line.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// What led here from the place before.
    change: Change,
    /// Whether the sums here are known, by view.
    known: [bool; 2],
}

const ROOT: Place = Place {
    change: Change {
        piece: None,
        from: Square::new(0),
        to: Square::new(0),
        taken: None,
    },
    known: [false; 2],
};

/// Kinds of pieces, by colour and kind.
const PIECES: usize = Piece::ALL.len();

/// What was seen last in a frame.
#[derive(Clone, Debug)]
struct Seen {
    /// Its pieces, by piece.
    pieces: [Bitboard; PIECES],
    sums: Vec<Block>,
}

/// The sums along a line of play; told of each move before it is made. The root's sums are found
/// when they are first needed.
#[derive(Clone, Debug)]
pub struct Accumulators {
    places: Vec<Place>,
    /// For each place Red's view, then Black's.
    sums: Vec<Block>,
    /// Blocks of one view.
    blocks: usize,
    /// By view and frame, once one was needed.
    seen: [[Option<Box<Seen>>; Frame::COUNT]; 2],
}

impl Accumulators {
    /// At the root of a line, with room for a network of these lanes.
    pub fn new(net: &Network) -> Accumulators {
        Accumulators {
            places: vec![ROOT],
            sums: Vec::new(),
            blocks: net.blocks,
            seen: Default::default(),
        }
    }

    /// At the root of another line.
    pub fn reset(&mut self) {
        self.places.clear();
        self.places.push(ROOT);
        self.seen = Default::default();
    }

    /// Follows a move that is about to be made in `p`.
    #[inline]
    pub fn push(&mut self, p: &Position, m: Move) {
        self.places.push(Place {
            change: Change {
                piece: p.moved_piece(m),
                from: m.from(),
                to: m.to(),
                taken: p.captured_by(m),
            },
            known: [false; 2],
        });
    }

    /// Goes back one move; at the root nothing happens.
    #[inline]
    pub fn pop(&mut self) {
        if self.places.len() > 1 {
            self.places.pop();
        }
    }

    /// The network's opinion of `p`, in which the line stands: centipawns from the side to move.
    /// Another network may be asked only after [`Accumulators::reset`].
    pub fn evaluate(&mut self, net: &Network, p: &Position) -> i32 {
        if self.blocks != net.blocks {
            self.blocks = net.blocks;
            self.places.iter_mut().for_each(|p| p.known = [false; 2]);
            self.seen = Default::default();
        }
        kernels::evaluate(self, net, p)
    }

    /// [`Accumulators::evaluate`] with the instructions of whatever it is compiled into.
    #[inline(always)]
    pub(super) fn evaluate_here(&mut self, net: &Network, p: &Position) -> i32 {
        self.bring_up(net, p);
        let top = self.places.len() - 1;
        let n = self.blocks;
        let views = &self.sums[top * 2 * n..][..2 * n];
        let (red, black) = views.split_at(n);
        let (own, enemy) = match p.stm() {
            Color::Red => (red, black),
            Color::Black => (black, red),
        };
        let bucket = bucket(p);
        let (first, second) = net.halves(bucket);
        let sum = kernels::half(own, first).wrapping_add(kernels::half(enemy, second));
        let value = sum / QA + net.output_bias[bucket];
        (i64::from(value) * i64::from(net.scale) / i64::from(QA * QB)) as i32
    }

    /// Makes the sums of the last place known.
    #[inline(always)]
    fn bring_up(&mut self, net: &Network, p: &Position) {
        let needed = self.places.len() * 2 * self.blocks;
        if self.sums.len() < needed {
            self.sums.resize(needed, Block([0; LANES]));
        }
        let top = self.places.len() - 1;
        for view in Color::ALL {
            let frame = Frame::of(p, view);
            match self.nearest_known(view) {
                Some(from) => {
                    for i in from + 1..=top {
                        self.follow(net, i, view, frame);
                    }
                }
                None => self.refresh(net, p, view, frame),
            }
        }
    }

    /// The last place whose sums are known, if this view has the same frame from there on.
    #[inline(always)]
    fn nearest_known(&self, view: Color) -> Option<usize> {
        for (i, place) in self.places.iter().enumerate().rev() {
            if place.known[view.index()] {
                return Some(i);
            }
            if place.change.reframes(view) {
                return None;
            }
        }
        None
    }

    /// The sums of a view of place `i` from those before it.
    #[inline(always)]
    fn follow(&mut self, net: &Network, i: usize, view: Color, frame: Frame) {
        let n = self.blocks;
        let Change {
            piece,
            from,
            to,
            taken,
        } = self.places[i].change;
        self.places[i].known[view.index()] = true;
        let at = (i * 2 + view.index()) * n;
        let (before, here) = self.sums.split_at_mut(at);
        let source = &before[at - 2 * n..][..n];
        let target = &mut here[..n];
        let Some(piece) = piece else {
            target.copy_from_slice(source);
            return;
        };
        let on = net.column(features::index(view, frame, piece, to));
        let off = net.column(features::index(view, frame, piece, from));
        match taken {
            None => kernels::moved(target, source, on, off),
            Some(t) => {
                let gone = net.column(features::index(view, frame, t, to));
                kernels::taken(target, source, on, off, gone);
            }
        }
    }

    /// The sums of a view of the last place, where `p` stands, from what was seen last in this
    /// frame.
    #[inline(always)]
    fn refresh(&mut self, net: &Network, p: &Position, view: Color, frame: Frame) {
        let n = self.blocks;
        let top = self.places.len() - 1;
        let seen = self.seen[view.index()][frame.index()].get_or_insert_with(|| {
            Box::new(Seen {
                pieces: [Bitboard::EMPTY; PIECES],
                sums: net.bias.clone(),
            })
        });
        for (piece, before) in Piece::ALL.into_iter().zip(&mut seen.pieces) {
            let now = p.pieces(piece.color(), piece.kind());
            for s in now & !*before {
                let column = net.column(features::index(view, frame, piece, s));
                kernels::add(&mut seen.sums, column);
            }
            for s in *before & !now {
                let column = net.column(features::index(view, frame, piece, s));
                kernels::subtract(&mut seen.sums, column);
            }
            *before = now;
        }
        self.sums[(top * 2 + view.index()) * n..][..n].copy_from_slice(&seen.sums);
        self.places[top].known[view.index()] = true;
    }
}
