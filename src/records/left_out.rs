//! What a written form of a game leaves out, found by reading it again: so nothing a format has no
//! place for, and nothing a writer forgets, is lost without a word.

use super::remarks::mark;
use super::tree::{Game, NodeId, Notes};
use core::fmt;
use std::collections::HashMap;

/// Tags that say again what the tree says, or speak of the file and not of the game.
const OF_THE_FILE: [&str; 7] = [
    "FEN",
    "SetUp",
    "Result",
    "Format",
    "Game",
    "Variant",
    "XQFVersion",
];

/// What one form of a game has and another lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The start is another position.
    pub start: bool,
    /// The start's move number, or its number of plies without a capture.
    pub counters: bool,
    /// The result.
    pub result: bool,
    /// Moves of the main line.
    pub moves: usize,
    /// Variations.
    pub variations: usize,
    /// Comments, those in variations left out counted too.
    pub comments: usize,
    /// Marks such as `!?`, likewise.
    pub marks: usize,
    /// Tags left out or cut, by name.
    pub tags: Vec<String>,
}

impl LeftOut {
    /// What `kept` lacks of `game`. Comments and marks may stand there in one text; tags without a
    /// value, those with `?` for one, and those that say what the tree says are not looked for.
    pub fn of(game: &Game, kept: &Game) -> LeftOut {
        let (a, b) = (game.start(), kept.start());
        let same = |(x, y): (NodeId, NodeId)| game.mv(x) == kept.mv(y);
        let mut left_out = LeftOut {
            start: a != b,
            counters: a.fullmove() != b.fullmove() || a.quiet_plies() != b.quiet_plies(),
            result: game.result != kept.result,
            ..LeftOut::default()
        };
        let main = game.main_line().zip(kept.main_line());
        left_out.moves = game.plies() - main.take_while(|&pair| same(pair)).count();
        left_out.compare_trees(game, kept);
        let has = |name: &str, value: &str| {
            let mut tags = kept.tags.iter();
            tags.any(|(n, v)| n.eq_ignore_ascii_case(name) && v.trim() == value)
                || (name.eq_ignore_ascii_case("White") && kept.red() == Some(value))
        };
        for (name, value) in &game.tags {
            let value = value.trim();
            let known = OF_THE_FILE.iter().any(|t| t.eq_ignore_ascii_case(name));
            let says_nothing = value.chars().all(|c| matches!(c, '?' | '.'));
            if !known && !says_nothing && !has(name, value) {
                left_out.tags.push(name.clone());
            }
        }
        left_out
    }

    /// Goes through both trees at once; children are matched in order.
    fn compare_trees(&mut self, game: &Game, kept: &Game) {
        let mut twins: HashMap<NodeId, NodeId> = HashMap::from([(NodeId::ROOT, NodeId::ROOT)]);
        for node in game.walk() {
            let twin = twins.get(&node).copied();
            if let Some(notes) = game.notes(node) {
                self.compare_notes(notes, twin.and_then(|t| kept.notes(t)));
            }
            let mut next = twin.and_then(|t| kept.next(t));
            for (i, child) in game.children(node).enumerate() {
                next = next.filter(|&t| kept.mv(t) == game.mv(child));
                match next {
                    Some(t) => {
                        twins.insert(child, t);
                        next = kept.sibling(t);
                    }
                    None => self.variations += usize::from(i > 0),
                }
            }
        }
    }

    fn compare_notes(&mut self, notes: &Notes, kept: Option<&Notes>) {
        let texts: Vec<&str> = kept
            .iter()
            .flat_map(|k| k.before.iter().chain(&k.after))
            .map(|text| &**text)
            .collect();
        let all = texts.join("\n");
        let comments = notes.before.iter().chain(&notes.after);
        self.comments += comments.filter(|text| !all.contains(&***text)).count();
        let has_mark = |nag: u8| {
            kept.is_some_and(|k| k.nags.contains(&nag)) || all.lines().any(|l| l == mark(nag))
        };
        self.marks += notes.nags.iter().filter(|&&nag| !has_mark(nag)).count();
    }

    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        *self == LeftOut::default()
    }
}

/// A list such as `the result, 2 variations, 1 comment, tags ECCO and Opening (left out or cut)`.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        let facts = [
            (self.start, "the start position"),
            (self.counters, "the start's move counters"),
            (self.result, "the result"),
        ];
        parts.extend(facts.iter().filter(|x| x.0).map(|x| x.1.to_owned()));
        let counts = [
            (self.moves, "move"),
            (self.variations, "variation"),
            (self.comments, "comment"),
            (self.marks, "mark"),
        ];
        for (n, what) in counts.into_iter().filter(|x| x.0 > 0) {
            parts.push(format!("{n} {what}{}", if n == 1 { "" } else { "s" }));
        }
        if let [one] = &self.tags[..] {
            parts.push(format!("the tag {one} (or a part of it)"));
        } else if !self.tags.is_empty() {
            parts.push(format!(
                "the tags {} (or parts of them)",
                self.tags.join(" ")
            ));
        }
        f.write_str(&parts.join(", "))
    }
}
