//! The sums of the first layer along a line of play. A move changes two or three of the pieces
//! that are on, so its sums are those before it with as many columns added and taken away; that is
//! done only when an evaluation asks for it.

use super::features;
use super::kernels;
use super::network::{Block, LANES, Network, QA, QB, bucket};
use crate::position::Position;
use crate::types::{Color, Move, Piece, Square};

/// What a move did to the board.
#[derive(Clone, Copy, Debug)]
struct Change {
    piece: Option<Piece>,
    from: Square,
    to: Square,
    taken: Option<Piece>,
}

/// A place in the line.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// What led here from the place before.
    change: Change,
    /// Whether the sums here are known.
    known: bool,
}

const ROOT: Place = Place {
    change: Change {
        piece: None,
        from: Square::new(0),
        to: Square::new(0),
        taken: None,
    },
    known: false,
};

/// The sums along a line of play; told of each move before it is made. The root's sums are found
/// when they are first needed.
#[derive(Clone, Debug)]
pub struct Accumulators {
    places: Vec<Place>,
    /// For each place Red's view, then Black's.
    sums: Vec<Block>,
    /// Blocks of one view.
    blocks: usize,
}

impl Accumulators {
    /// At the root of a line, with room for a network of these lanes.
    pub fn new(net: &Network) -> Accumulators {
        Accumulators {
            places: vec![ROOT],
            sums: Vec::new(),
            blocks: net.blocks,
        }
    }

    /// At the root of another line.
    pub fn reset(&mut self) {
        self.places.clear();
        self.places.push(ROOT);
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
            known: false,
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
            self.places.iter_mut().for_each(|p| p.known = false);
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
        let top = self.places.len() - 1;
        let needed = self.places.len() * 2 * self.blocks;
        if self.sums.len() < needed {
            self.sums.resize(needed, Block([0; LANES]));
        }
        let known = self.places.iter().rposition(|place| place.known);
        match known {
            Some(from) => {
                for i in from + 1..=top {
                    self.follow(net, i);
                }
            }
            None => self.refresh(net, p, top),
        }
    }

    /// The sums of place `i` from those before it.
    #[inline(always)]
    fn follow(&mut self, net: &Network, i: usize) {
        let n = self.blocks;
        let Change {
            piece,
            from,
            to,
            taken,
        } = self.places[i].change;
        self.places[i].known = true;
        let (before, here) = self.sums.split_at_mut(i * 2 * n);
        let before = &before[(i - 1) * 2 * n..];
        let here = &mut here[..2 * n];
        let Some(piece) = piece else {
            here.copy_from_slice(before);
            return;
        };
        for view in Color::ALL {
            let part = view.index() * n..(view.index() + 1) * n;
            let source = &before[part.clone()];
            let target = &mut here[part];
            let on = net.column(features::index(view, piece, to));
            let off = net.column(features::index(view, piece, from));
            match taken {
                None => kernels::moved(target, source, on, off),
                Some(t) => {
                    let gone = net.column(features::index(view, t, to));
                    kernels::taken(target, source, on, off, gone);
                }
            }
        }
    }

    /// The sums of place `i`, where `p` stands, from the board.
    #[inline(always)]
    fn refresh(&mut self, net: &Network, p: &Position, i: usize) {
        let n = self.blocks;
        for view in Color::ALL {
            let sums = &mut self.sums[(i * 2 + view.index()) * n..][..n];
            sums.copy_from_slice(&net.bias);
            features::each(p, view, |f| kernels::add(sums, net.column(f)));
        }
        self.places[i].known = true;
    }
}
