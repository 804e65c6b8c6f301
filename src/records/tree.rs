//! The game tree: a start position, moves with variations, comments and marks, and tags in
//! order.
//!
//! Nodes lie in one vector and are linked by index, so a tree of a million moves costs one
//! allocation and no recursion. The root (index 0) is the start; a node's first child continues
//! the main line, the others are variations in order.

use crate::position::Position;
use crate::types::{Color, Move};
use core::fmt;

/// A node of a [`Game`], valid only for the game it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: NodeId = NodeId(0);
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    mv: Move,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next: u32,
    notes: Option<Box<Notes>>,
}

impl Node {
    fn new(mv: Move, parent: u32) -> Node {
        Node {
            mv,
            parent,
            first_child: NONE,
            last_child: NONE,
            next: NONE,
            notes: None,
        }
    }
}

/// What is said about a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Comments before the move: at the start of a variation, or after variations.
    pub before: Vec<String>,
    /// Comments after the move; at the root, before the first move.
    pub after: Vec<String>,
    /// Numeric annotation glyphs: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub nags: Vec<u8>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0`
    RedWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Unknown,
}

impl Outcome {
    /// The outcome in which this side wins.
    pub const fn win(color: Color) -> Outcome {
        match color {
            Color::Red => Outcome::RedWins,
            Color::Black => Outcome::BlackWins,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            Outcome::RedWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }

    /// The figure of the outcome in XQF, CBR and CBF.
    pub(super) const fn figure(self) -> u8 {
        match self {
            Outcome::Unknown => 0,
            Outcome::RedWins => 1,
            Outcome::BlackWins => 2,
            Outcome::Draw => 3,
        }
    }

    /// Reads a result as it stands in tags, in figures, English or Chinese (`红先胜`, `和棋`).
    /// The first word in Chinese is the first player's result. `None` if it is none of these.
    pub fn read(text: &str) -> Option<Outcome> {
        Some(match text.trim() {
            "1-0" | "1:0" | "W" | "红胜" | "紅勝" | "红先胜" | "紅先勝" | "先胜" | "先勝"
            | "红方胜" | "紅方勝" | "黑负" | "黑負" | "胜" | "勝" => Outcome::RedWins,
            "0-1" | "0:1" | "L" | "黑胜" | "黑勝" | "红先负" | "紅先負" | "先负" | "先負"
            | "黑方胜" | "黑方勝" | "红负" | "紅負" | "负" | "負" => Outcome::BlackWins,
            "1/2-1/2" | "1/2" | "0.5-0.5" | "1-1" | "D" | "和" | "和棋" | "和局" | "红先和"
            | "紅先和" | "先和" | "红黑和" | "平" | "平局" => Outcome::Draw,
            "*" | "?" | "未知" | "不明" => Outcome::Unknown,
            _ => return None,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A game with its variations, comments and tags.
#[derive(Clone, Debug)]
pub struct Game {
    /// Names and values, in order. `FEN` is only a record of how the source wrote it:
    /// [`Game::start`] is what counts.
    pub tags: Vec<(String, String)>,
    /// How it ended.
    pub result: Outcome,
    start: Position,
    nodes: Vec<Node>,
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Game {
        Game {
            tags: Vec::new(),
            result: Outcome::Unknown,
            start,
            nodes: vec![Node::new(Move::NONE, NONE)],
        }
    }

    /// Where the game starts.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The value of the first tag with this name, whatever its case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
    }

    /// Appends a tag; an empty value is left out.
    pub fn add_tag(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() {
            self.tags.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Who played Red.
    pub fn red(&self) -> Option<&str> {
        self.tag("Red").or_else(|| self.tag("White"))
    }

    /// Who played Black.
    pub fn black(&self) -> Option<&str> {
        self.tag("Black")
    }

    /// The text for a field of another format that stands for this tag; nothing if there is none.
    pub(super) fn field(&self, tag: &str) -> &str {
        let value = match tag {
            "Red" => self.red(),
            _ => self.tag(tag),
        };
        value.unwrap_or_default()
    }

    /// Appends a move as the last child of a node: the first child continues the line, each
    /// further one is a variation. The caller knows the move to be legal there.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::new(mv, parent.0));
        let up = &mut self.nodes[parent.0 as usize];
        let last = core::mem::replace(&mut up.last_child, id);
        if last == NONE {
            up.first_child = id;
        } else {
            self.nodes[last as usize].next = id;
        }
        NodeId(id)
    }

    /// The move that leads to a node; `Move::NONE` for the root.
    pub fn mv(&self, node: NodeId) -> Move {
        self.nodes[node.0 as usize].mv
    }

    /// The node before; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.0 as usize].parent)
    }

    /// The node that continues the line.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.0 as usize].first_child)
    }

    /// The next variation beside a node.
    pub fn sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes[node.0 as usize].next)
    }

    /// All continuations of a node, the main one first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.next(node), |&n| self.sibling(n))
    }

    /// What is said about a move, if anything is.
    pub fn notes(&self, node: NodeId) -> Option<&Notes> {
        self.nodes[node.0 as usize].notes.as_deref()
    }

    fn notes_mut(&mut self, node: NodeId) -> &mut Notes {
        self.nodes[node.0 as usize].notes.get_or_insert_default()
    }

    /// Adds a comment after a move; blanks at its ends and empty comments are left out.
    pub fn comment(&mut self, node: NodeId, text: &str) {
        if let Some(text) = tidy(text) {
            self.notes_mut(node).after.push(text);
        }
    }

    /// Adds a comment before a move.
    pub fn comment_before(&mut self, node: NodeId, text: &str) {
        if let Some(text) = tidy(text) {
            self.notes_mut(node).before.push(text);
        }
    }

    /// Adds a numeric annotation glyph.
    pub fn nag(&mut self, node: NodeId, nag: u8) {
        self.notes_mut(node).nags.push(nag);
    }

    /// The nodes of the main line, the root left out.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.next(NodeId::ROOT), |&n| self.next(n))
    }

    /// The moves of the main line.
    pub fn moves(&self) -> Vec<Move> {
        self.main_line().map(|n| self.mv(n)).collect()
    }

    /// Number of moves of the main line.
    pub fn plies(&self) -> usize {
        self.main_line().count()
    }

    /// Number of moves in the whole tree.
    pub fn node_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Number of variations.
    pub fn variation_count(&self) -> usize {
        // Every node but the root is some node's child; the first of each is no variation.
        let parents = self.nodes.iter().filter(|n| n.first_child != NONE).count();
        self.node_count() - parents
    }

    /// Number of comments.
    pub fn comment_count(&self) -> usize {
        let notes = self.nodes.iter().filter_map(|n| n.notes.as_deref());
        notes.map(|n| n.before.len() + n.after.len()).sum()
    }

    /// The nodes of the tree, each before its children, a line before its variations.
    pub fn walk(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut open: Vec<u32> = vec![0];
        core::iter::from_fn(move || {
            let id = open.pop()?;
            let node = &self.nodes[id as usize];
            open.extend((node.next != NONE).then_some(node.next));
            open.extend((node.first_child != NONE).then_some(node.first_child));
            Some(NodeId(id))
        })
    }
}

/// Equal in start, tags, result and the shape and content of the tree, however it was built.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        let shape = |g: &Game, n: NodeId| (g.next(n).is_some(), g.sibling(n).is_some());
        self.start == other.start
            && self.start.fullmove() == other.start.fullmove()
            && self.tags == other.tags
            && self.result == other.result
            && self.nodes.len() == other.nodes.len()
            && self.walk().zip(other.walk()).all(|(a, b)| {
                self.mv(a) == other.mv(b)
                    && shape(self, a) == shape(other, b)
                    && self.notes(a) == other.notes(b)
            })
    }
}

fn link(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

/// A comment with blanks at its ends off and `\n` between its lines; `None` if nothing is left.
fn tidy(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    if text.is_empty() {
        return None;
    }
    if text.contains('\r') || text.contains('\0') {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        return Some(text.replace('\0', ""));
    }
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_compare_by_shape() {
        let m = |t: &str| t.parse::<Move>().unwrap();
        let mut a = Game::new(Position::startpos());
        let first = a.add(NodeId::ROOT, m("h2e2"));
        let second = a.add(first, m("h9g7"));
        a.add(NodeId::ROOT, m("b2e2"));
        let mut b = Game::new(Position::startpos());
        let first = b.add(NodeId::ROOT, m("h2e2"));
        b.add(NodeId::ROOT, m("b2e2"));
        b.add(first, m("h9g7"));
        assert_eq!(a, b);
        assert_eq!(a.variation_count(), 1);
        assert_eq!(a.plies(), 2);
        a.comment(second, " \r\n x\r\ny ");
        assert_ne!(a, b);
        assert_eq!(a.notes(second).unwrap().after, ["x\ny"]);
        let mut c = Game::new(Position::startpos());
        let first = c.add(NodeId::ROOT, m("h2e2"));
        c.add(first, m("h9g7"));
        c.add(first, m("b9c7"));
        assert_ne!(b, c);
    }
}
