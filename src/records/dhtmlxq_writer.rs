//! DhtmlXQ out: the text that forum posts and the boards of dpxq.com hold.

use super::cursor::slots;
use super::dhtmlxq::TAGS;
use super::tree::{Game, Outcome};
use crate::types::{Color, Square};
use std::collections::HashMap;
use std::fmt::Write;

/// A line of the tree: the main one, or a variation.
struct Line {
    /// The line it branches from, and the ply of that it replaces.
    from: usize,
    ply: usize,
    digits: String,
}

impl Game {
    /// The game as DhtmlXQ text (UBB): its start, all lines with their comments, the result, and
    /// the tags that DhtmlXQ has names for. Texts of several games may follow one another.
    pub fn to_dhtmlxq(&self) -> String {
        let mut out = "[DhtmlXQ]\n".to_owned();
        for (name, tag) in TAGS {
            let value = self.field(tag);
            if !value.is_empty() {
                push(&mut out, name, &escape(value));
            }
        }
        let result = match self.result {
            Outcome::RedWins => "红胜",
            Outcome::BlackWins => "黑胜",
            Outcome::Draw => "和棋",
            Outcome::Unknown => "未知",
        };
        push(&mut out, "result", result);
        let start = self.start();
        let points = slots(start).map(|s| s.map_or_else(|| "99".to_owned(), point));
        push(&mut out, "binit", &points.concat());
        let black = start.stm() == Color::Black;
        let first = 2 * (start.fullmove() - 1) + u32::from(black);
        push(&mut out, "firstnum", &first.to_string());
        self.push_tree(&mut out);
        out.push_str("[/DhtmlXQ]\n");
        out
    }

    /// Lines in the order they branch off, so that each stands after the one it branches from;
    /// then the comments.
    fn push_tree(&self, out: &mut String) {
        let mut lines = vec![Line {
            from: 0,
            ply: 0,
            digits: String::new(),
        }];
        let mut comments = String::new();
        // Line and ply of the nodes passed.
        let mut places = HashMap::new();
        for node in self.walk() {
            let mut place = (0, 0);
            if let Some(parent) = self.parent(node) {
                let (from, before) = places.get(&parent).copied().unwrap_or_default();
                place = (from, before + 1);
                if self.next(parent) != Some(node) {
                    place.0 = lines.len();
                    lines.push(Line {
                        from,
                        ply: place.1,
                        digits: String::new(),
                    });
                }
                let m = self.mv(node);
                lines[place.0].digits += &(point(m.from()) + &point(m.to()));
            }
            places.insert(node, place);
            let text = self.remarks(node);
            if !text.is_empty() {
                let name = match place {
                    (0, ply) => format!("comment{ply}"),
                    (line, ply) => format!("comment{line}_{ply}"),
                };
                push(&mut comments, &name, &escape(&text));
            }
        }
        for (id, line) in lines.iter().enumerate() {
            let name = match id {
                0 => "movelist".to_owned(),
                _ => format!("move_{}_{}_{id}", line.from, line.ply),
            };
            push(out, &name, &line.digits);
        }
        out.push_str(&comments);
    }
}

fn push(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
}

/// File from the left and rank from the top.
fn point(s: Square) -> String {
    format!("{}{}", s.file(), 9 - s.rank())
}

/// A text with `||` for its line breaks, and nothing in it that would be read as a mark.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('|', "&#124;")
        .replace("[DhtmlXQ", "&#91;DhtmlXQ")
        .replace("[/DhtmlXQ", "&#91;/DhtmlXQ")
        .replace('\n', "||")
}
