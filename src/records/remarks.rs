//! What is said about a move as one text, for the formats that have one text a move and no marks.

use super::tree::{Game, NodeId};

/// The sign of a numeric annotation glyph: `!`, `?` … or `$` and its number.
pub(super) fn mark(nag: u8) -> String {
    let marks = ["!", "?", "!!", "??", "!?", "?!"];
    let sign = usize::from(nag).checked_sub(1).and_then(|i| marks.get(i));
    sign.map_or_else(|| format!("${nag}"), |sign| (*sign).to_owned())
}

impl Game {
    /// The marks of a move, the comments before it and those after it, each on a line of its own;
    /// empty if nothing is said.
    pub(super) fn remarks(&self, node: NodeId) -> String {
        let Some(notes) = self.notes(node) else {
            return String::new();
        };
        let mut parts: Vec<String> = notes.nags.iter().map(|&nag| mark(nag)).collect();
        parts.extend(notes.before.iter().chain(&notes.after).cloned());
        parts.join("\n")
    }
}
