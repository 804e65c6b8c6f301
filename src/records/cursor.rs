//! Building a game from moves given as points: plays them, checks them, and goes back to where a
//! variation branches off.

use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{Game, NodeId};
use crate::notation::{MoveTextError, parse_move};
use crate::position::Position;
use crate::types::{Color, Move, Square};

/// A game being built and the position at one of its nodes.
#[derive(Debug)]
pub(super) struct Cursor {
    start: Start,
    pub game: Game,
    position: Position,
    /// The nodes from the root to where the position stands.
    line: Vec<NodeId>,
}

impl Cursor {
    pub fn new(start: Start) -> Cursor {
        Cursor {
            game: Game::new(start.position.clone()),
            position: start.position.clone(),
            start,
            line: vec![NodeId::ROOT],
        }
    }

    /// Stands on a node, which may lie anywhere in the tree.
    fn go(&mut self, node: NodeId) {
        // Up from the node to the first that is on the line, then the line back to that one.
        let mut down = Vec::new();
        let mut meet = node;
        while self.depth_on_line(meet).is_none() {
            down.push(meet);
            meet = self.game.parent(meet).unwrap_or(NodeId::ROOT);
        }
        let depth = self.depth_on_line(meet).unwrap_or(0);
        while self.line.len() > depth + 1 {
            self.line.pop();
            self.position.unmake();
        }
        for n in down.into_iter().rev() {
            self.position.make(self.game.mv(n));
            self.line.push(n);
        }
    }

    /// Place of a node on the line; nearly always at its end, so it is looked for from there.
    fn depth_on_line(&self, node: NodeId) -> Option<usize> {
        self.line.iter().rposition(|&n| n == node)
    }

    /// Plays a move after a node; `None` if it is illegal, which is noted. The first move of a
    /// game decides whose turn it is.
    pub fn play(
        &mut self,
        parent: NodeId,
        points: Option<Move>,
        place: Place,
        source: &mut Source,
    ) -> Option<NodeId> {
        self.go(parent);
        let ply = self.position.ply_count() + 1;
        let Some(m) = points else {
            let what = "the move does not name two points of the board".to_owned();
            source.problem(place, ply, ProblemKind::Malformed(what));
            return None;
        };
        let legal = self.position.is_legal(m) || self.take_other_side(m, place, source);
        if !legal {
            let text = m.to_string();
            let why = match parse_move(&self.position, &text) {
                Err(e) => e,
                Ok(_) => MoveTextError::Unknown(text),
            };
            source.problem(place, ply, ProblemKind::Move(why));
            return None;
        }
        let node = self.game.add(parent, m);
        self.position.make(m);
        self.line.push(node);
        Some(node)
    }

    /// If the first move is the other side's, lets that side begin.
    fn take_other_side(&mut self, m: Move, place: Place, source: &mut Source) -> bool {
        if self.game.node_count() > 0 {
            return false;
        }
        let Some(other) = self.start.other_side().filter(|p| p.is_legal(m)) else {
            return false;
        };
        if self.start.side_given {
            source.problem(place, 1, ProblemKind::SideToMove);
        }
        let mut game = Game::new(other.clone());
        game.tags = std::mem::take(&mut self.game.tags);
        game.result = self.game.result;
        for text in self.game.notes(NodeId::ROOT).iter().flat_map(|n| &n.after) {
            game.comment(NodeId::ROOT, text);
        }
        self.game = game;
        self.position = other;
        true
    }
}

/// The move between two points given by file and rank from Red's left and side.
pub(super) fn points(from: (i32, i32), to: (i32, i32)) -> Option<Move> {
    let from = Square::from_file_rank(from.0, from.1)?;
    let to = Square::from_file_rank(to.0, to.1)?;
    (from != to).then(|| Move::new(from, to))
}

/// Pieces in the order XQF and DhtmlXQ list them, for one side: 车马相士帅士相马车炮炮兵兵兵兵兵.
pub(super) const PIECE_ORDER: &[u8; 16] = b"RNBAKABNRCCPPPPP";

/// Where the pieces of both sides stand, Red's first, in that order; `None` for one that is not on
/// the board.
pub(super) fn slots(position: &Position) -> [Option<Square>; 32] {
    let mut left: Vec<Square> = position.occupied().collect();
    std::array::from_fn(|slot| {
        let color = Color::ALL[slot / 16];
        let letter = char::from(PIECE_ORDER[slot % 16]);
        let stands = |s: &Square| {
            position
                .piece_on(*s)
                .is_some_and(|p| p.color() == color && p.kind().letter() == letter)
        };
        let found = left.iter().position(stands)?;
        Some(left.remove(found))
    })
}
