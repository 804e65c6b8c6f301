//! The moves of a game while it is read: one position that goes back and forth as variations open
//! and close.

use super::pgn_lexer::word;
use super::start::Start;
use super::tree::{Game, NodeId};
use crate::notation::{MoveTextError, move_prefix, parse_move};
use crate::position::Position;
use crate::types::{Color, Move};

/// The moves of a game so far.
#[derive(Debug)]
pub(super) struct Body {
    pub start: Start,
    pub game: Game,
    pub position: Position,
    pub node: NodeId,
    /// The move each open variation branches from, and comments waiting for the next move.
    pub open: Vec<NodeId>,
    /// Depth at which a line ended before its text did.
    pub dead: Option<usize>,
    /// Comments for the next move.
    pub before: Vec<String>,
    /// A variation was closed, or one opened, after the last move.
    pub fresh: bool,
}

impl Body {
    /// The moves of a game that starts here.
    pub fn new(start: Start) -> Body {
        Body {
            game: Game::new(start.position.clone()),
            position: start.position.clone(),
            start,
            node: NodeId::ROOT,
            open: Vec::new(),
            dead: None,
            before: Vec::new(),
            fresh: false,
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.position.make(m);
        self.node = self.game.add(self.node, m);
        self.fresh = false;
        for text in std::mem::take(&mut self.before) {
            self.game.comment_before(self.node, &text);
        }
    }

    /// Goes back from a variation to the move it was an alternative to.
    pub fn return_to(&mut self, branch: NodeId) {
        for text in std::mem::take(&mut self.before) {
            self.game.comment(self.node, &text);
        }
        // Up from the end of the variation to the position before the branch, then play it.
        let parent = self.game.parent(branch);
        let mut node = self.node;
        while Some(node) != parent
            && let Some(up) = self.game.parent(node)
        {
            self.position.unmake();
            node = up;
        }
        self.position.make(self.game.mv(branch));
        self.node = branch;
        self.dead = None;
        self.fresh = true;
    }

    /// Starts the game, which has no move yet, from the same board with this position's side to
    /// move.
    pub fn start_from(&mut self, other: Position) {
        let mut game = Game::new(other.clone());
        if let Some(notes) = self.game.notes(NodeId::ROOT) {
            for text in &notes.after {
                game.comment(NodeId::ROOT, text);
            }
            for &nag in &notes.nags {
                game.nag(NodeId::ROOT, nag);
            }
        }
        self.game = game;
        self.position = other;
    }

    /// Lets Black move first, if that can be.
    pub fn turn_to_black(&mut self) {
        if self.position.stm() == Color::Red
            && let Some(other) = self.start.other_side()
        {
            self.start_from(other);
        }
    }

    /// The first move read as the other side's, where only that can be: the move, and whether it
    /// contradicts the file.
    pub fn other_side(&mut self, text: &str) -> Option<(Move, bool)> {
        if self.game.node_count() > 0 {
            return None;
        }
        let other = self.start.other_side()?;
        let m = read_move(&other, text)?.1.ok()?;
        self.start_from(other);
        Some((m, self.start.side_given))
    }
}

/// A move at the start of the text: its length, and the move or what is wrong with it.
pub(super) fn read_move(p: &Position, rest: &str) -> Option<(usize, Result<Move, MoveTextError>)> {
    let prefix = move_prefix(p, rest);
    if let Some((_, Ok(_))) = prefix {
        return prefix;
    }
    // Algebraic text and five-letter forms have no fixed length: the whole word it is. `H8e7` is
    // such a word where it is no legal move from h8.
    let word = word(rest);
    let text = word.trim_end_matches(['!', '?', '！', '？']);
    if prefix.is_some() {
        return match parse_move(p, text) {
            Ok(m) => Some((text.len(), Ok(m))),
            Err(_) => prefix,
        };
    }
    match parse_move(p, text) {
        Err(MoveTextError::Unknown(_)) => None,
        result => Some((text.len(), result)),
    }
}
