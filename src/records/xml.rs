//! The two formats that are XML: CBF (CCBridge's exchange format) and PFC (鹏飞象棋). The scanner
//! knows elements, attributes, character data and the five entities, which is all they use.

use super::cursor::{Cursor, points};
use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{NodeId, Outcome};
use crate::types::Move;

/// A piece of an XML text.
enum Token<'a> {
    /// `<name …>`; `empty` for `<name …/>`.
    Open {
        name: &'a str,
        attributes: &'a str,
        empty: bool,
    },
    Close,
    Text(String),
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    line_at: usize,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        Scanner {
            text,
            at: 0,
            line: 1,
            line_at: 0,
        }
    }

    /// The line the next token starts on.
    fn place(&mut self) -> Place {
        let passed = &self.text.as_bytes()[self.line_at..self.at];
        self.line += passed.iter().filter(|&&b| b == b'\n').count();
        self.line_at = self.at;
        Place::Line(self.line)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return None;
            }
            let Some(tag) = rest.strip_prefix('<') else {
                let len = rest.find('<').unwrap_or(rest.len());
                self.at += len;
                return Some(Token::Text(unescape(&rest[..len])));
            };
            if let Some(data) = tag.strip_prefix("![CDATA[") {
                let len = data.find("]]>").unwrap_or(data.len());
                self.at += (9 + len + 3).min(rest.len());
                return Some(Token::Text(data[..len].to_owned()));
            }
            if tag.starts_with("!--") {
                self.at += rest.find("-->").map_or(rest.len(), |n| n + 3);
                continue;
            }
            let end = end_of_tag(tag);
            let inside = &tag[..end];
            self.at += (end + 2).min(rest.len());
            if inside.starts_with(['?', '!']) {
                continue;
            }
            if inside.starts_with('/') {
                return Some(Token::Close);
            }
            let empty = inside.ends_with('/');
            let inside = inside.trim_end_matches('/');
            let name_len = inside
                .find(|c: char| c.is_whitespace())
                .unwrap_or(inside.len());
            return Some(Token::Open {
                name: &inside[..name_len],
                attributes: &inside[name_len..],
                empty,
            });
        }
    }
}

/// Length of a tag up to its `>`, which may stand in quotes before that.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    for (i, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return i,
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    tag.len()
}

/// The value of an attribute.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, next) = after[1..].split_once(quote)?;
        if key.trim() == name {
            return Some(unescape(value));
        }
        rest = next;
    }
}

fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&#10;", "\n")
        .replace("&#xA;", "\n")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

/// Elements of a CBF head and the tags they become.
pub(super) const CBF_TAGS: [(&str, &str); 20] = [
    ("Name", "Title"),
    ("From", "Source"),
    ("ContestType", "EventType"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Table", "Board"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedTime", "RedTime"),
    ("RedRating", "RedElo"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackTime", "BlackTime"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("ECCO", "ECCO"),
    ("ResultType", "Termination"),
];

/// Reads CBF. Its moves lie in one list: `end` ends a line, `branch` announces a variation, and
/// the first, `00-00`, carries the comment on the start.
pub(super) fn read_cbf(text: &str, source: &mut Source) {
    source.game = 1;
    let mut scanner = Scanner::new(text);
    let mut head: Vec<(&str, String)> = Vec::new();
    let mut element = "";
    let place = loop {
        let place = scanner.place();
        match scanner.next() {
            None => {
                return source.problem(place, 0, ProblemKind::Truncated);
            }
            Some(Token::Open {
                name: "MoveList", ..
            }) => break place,
            Some(Token::Open { name, empty, .. }) => element = if empty { "" } else { name },
            Some(Token::Close) => element = "",
            Some(Token::Text(text)) => {
                if !element.is_empty() && !text.trim().is_empty() {
                    head.push((element, text));
                }
            }
        }
    };
    let value = |name: &str| head.iter().find(|x| x.0 == name).map(|x| x.1.as_str());
    let fen = value("FEN").unwrap_or(crate::position::START_FEN);
    let start = match Start::from_fen(fen) {
        Ok(start) => start,
        Err(why) => {
            let fen = fen.to_owned();
            return source.problem(place, 0, ProblemKind::Start { fen, why });
        }
    };
    let mut cursor = Cursor::new(start);
    for (from, to) in CBF_TAGS {
        cursor.game.add_tag(to, value(from).unwrap_or_default());
    }
    cursor.game.result = match value("RecordResult").map(str::trim) {
        Some("1") => Outcome::RedWins,
        Some("2") => Outcome::BlackWins,
        Some("3") => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let mut parent = Some(NodeId::ROOT);
    let mut announced: Vec<Option<NodeId>> = Vec::new();
    // The node that character data belongs to.
    let mut current = None;
    let mut first = true;
    loop {
        let place = scanner.place();
        match scanner.next() {
            None => break,
            Some(Token::Open {
                name: "Move",
                attributes,
                ..
            }) => {
                let flag = |name| attribute(attributes, name).is_some_and(|v| v == "1");
                let value = attribute(attributes, "value").unwrap_or_default();
                let node = if std::mem::take(&mut first) && value == "00-00" {
                    Some(NodeId::ROOT)
                } else {
                    if flag("branch") {
                        announced.push(parent);
                    }
                    parent.and_then(|p| cursor.play(p, cbf_move(&value), place, source))
                };
                current = node;
                parent = if flag("end") {
                    announced.pop().flatten()
                } else {
                    node
                };
            }
            Some(Token::Text(text)) => {
                if let Some(node) = current {
                    cursor.game.comment(node, &text);
                }
            }
            Some(_) => {}
        }
    }
    source.games.push(cursor.game);
}

/// `77-47`: file from the left and rank from the top, each way.
fn cbf_move(text: &str) -> Option<Move> {
    let &[a, b, b'-', c, d] = text.as_bytes() else {
        return None;
    };
    let n = |c: u8| c.is_ascii_digit().then(|| i32::from(c - b'0'));
    points((n(a)?, 9 - n(b)?), (n(c)?, 9 - n(d)?))
}

/// Reads PFC: nested `n` elements, `m` the move (at the root the FEN), `c` the comment; further
/// children of an element are variations.
pub(super) fn read_pfc(text: &str, source: &mut Source) {
    source.game = 1;
    let mut scanner = Scanner::new(text);
    let mut cursor: Option<Cursor> = None;
    // The nodes of the open elements.
    let mut open: Vec<Option<NodeId>> = Vec::new();
    loop {
        let place = scanner.place();
        let Some(token) = scanner.next() else { break };
        match token {
            Token::Open {
                name: "n",
                attributes,
                empty,
            } => {
                let mv = attribute(attributes, "m").unwrap_or_default();
                let comment = attribute(attributes, "c").unwrap_or_default();
                let node = match &mut cursor {
                    None => {
                        let mut new = match Start::from_fen(&mv) {
                            Ok(start) => Cursor::new(start),
                            Err(why) => {
                                let fen = mv;
                                return source.problem(place, 0, ProblemKind::Start { fen, why });
                            }
                        };
                        new.game.result = attribute(attributes, "win")
                            .and_then(|v| Outcome::read(&v))
                            .unwrap_or_default();
                        for (from, to) in [("title", "Title"), ("red", "Red"), ("black", "Black")] {
                            let value = attribute(attributes, from).unwrap_or_default();
                            new.game.add_tag(to, &value);
                        }
                        cursor = Some(new);
                        Some(NodeId::ROOT)
                    }
                    Some(cursor) => {
                        let parent = open.last().copied().flatten();
                        let mv = mv.parse::<Move>().ok();
                        parent.and_then(|p| cursor.play(p, mv, place, source))
                    }
                };
                if let (Some(node), Some(cursor)) = (node, &mut cursor) {
                    cursor.game.comment(node, &comment);
                }
                if !empty {
                    open.push(node);
                }
            }
            Token::Open { empty: false, .. } => open.push(None),
            Token::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    match cursor {
        Some(cursor) => source.games.push(cursor.game),
        None => source.problem(Place::File, 0, ProblemKind::Empty),
    }
}
