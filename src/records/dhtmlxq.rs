//! DhtmlXQ, the text form of the dpxq.com boards, as it stands in forum posts (UBB) and web
//! pages; and bare lists of its digits.
//!
//! `[DhtmlXQ_name]value[/DhtmlXQ_name]`; points are a file from the left and a rank from the top.
//! Variation `n` that replaces ply `p` of line `m` is `move_m_p_n` (older: `move_p_n`), line 0
//! being the main one; `comment9` stands after ply 9 of the main line, `comment2_9` after that
//! ply in line 2.

use super::cursor::{Cursor, PIECE_ORDER, points};
use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{NodeId, Outcome};
use crate::position::Setup;
use crate::types::{Color, Move, Piece, Square};
use std::collections::HashMap;

/// Names and the tags they become.
pub(super) const TAGS: [(&str, &str); 16] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("timerule", "TimeControl"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedElo"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackElo"),
    ("open", "Opening"),
    ("author", "Author"),
    ("remark", "Annotator"),
    ("endtype", "Termination"),
];

pub(super) fn is_dhtmlxq(text: &str) -> bool {
    text.contains("[DhtmlXQ")
}

/// Whether the text is nothing but the digits of a move list.
pub(super) fn is_digits(text: &str) -> bool {
    let digits = text.trim();
    digits.len() >= 4
        && digits
            .bytes()
            .all(|b| b.is_ascii_digit() || b.is_ascii_whitespace())
        && digits.bytes().filter(u8::is_ascii_digit).count() % 4 == 0
}

/// One value with the line it stands on.
#[derive(Debug)]
struct Field<'a> {
    name: &'a str,
    value: &'a str,
    line: usize,
}

/// Reads all games of a text.
pub(super) fn read(text: &str, source: &mut Source) {
    let mut fields: Vec<Field> = Vec::new();
    let (mut at, mut line, mut line_at) = (0, 1, 0);
    while let Some(n) = text[at..].find("[DhtmlXQ") {
        let start = at + n;
        line += text.as_bytes()[line_at..start]
            .iter()
            .filter(|&&b| b == b'\n')
            .count();
        line_at = start;
        let rest = &text[start + "[DhtmlXQ".len()..];
        at = start + "[DhtmlXQ".len();
        if rest.starts_with(']') {
            // The start of a game; what was found belongs to the one before.
            game(&fields, source);
            fields.clear();
            continue;
        }
        let Some((name, after)) = rest.strip_prefix('_').and_then(|r| r.split_once(']')) else {
            continue;
        };
        if name.len() > 40 {
            continue;
        }
        // Some writers close a field under another name.
        let value = match after.find("[/DhtmlXQ") {
            Some(end) => &after[..end],
            None => after,
        };
        // A field that was never closed does not swallow the next.
        let value = value.split("[DhtmlXQ").next().unwrap_or_default();
        at = text.len() - after.len() + value.len();
        fields.push(Field { name, value, line });
    }
    game(&fields, source);
}

/// Reads a bare list of digits as a game from the start position.
pub(super) fn read_digits(text: &str, source: &mut Source) {
    let fields = [Field {
        name: "movelist",
        value: text,
        line: 1,
    }];
    game(&fields, source);
}

fn game(fields: &[Field], source: &mut Source) {
    if fields.is_empty() {
        return;
    }
    source.game += 1;
    let value = |name: &str| {
        let named = fields.iter().find(|f| f.name.eq_ignore_ascii_case(name));
        named.filter(|f| !f.value.trim().is_empty())
    };
    let start = match value("binit") {
        None => Ok(Start::initial()),
        Some(field) => read_board(field.value, fields),
    };
    let start = match start {
        Ok(start) => start,
        Err((why, text)) => {
            let line = value("binit").map_or(1, |f| f.line);
            let kind = ProblemKind::Start { fen: text, why };
            return source.problem(Place::Line(line), 0, kind);
        }
    };
    let mut cursor = Cursor::new(start);
    for (from, to) in TAGS {
        if let Some(field) = value(from) {
            cursor.game.add_tag(to, &plain(field.value));
        }
    }
    cursor.game.result = value("result")
        .and_then(|f| Outcome::read(f.value))
        .unwrap_or_default();
    // Line number → the nodes of that line by ply, where the first ply of it is.
    let mut lines: HashMap<u32, (usize, Vec<NodeId>)> = HashMap::new();
    let main =
        value("movelist").map_or_else(Vec::new, |f| play(&mut cursor, NodeId::ROOT, f, source));
    lines.insert(0, (1, main));
    variations(&mut cursor, fields, &mut lines, source);
    for field in fields {
        let Some(numbers) = field.name.strip_prefix("comment").map(split_numbers) else {
            continue;
        };
        let (line, ply) = match numbers.as_deref() {
            Some(&[ply]) => (0, ply as usize),
            Some(&[line, ply]) => (line, ply as usize),
            _ => continue,
        };
        let node = if ply == 0 {
            Some(NodeId::ROOT)
        } else {
            lines
                .get(&line)
                .and_then(|(first, nodes)| nodes.get(ply.checked_sub(*first)?).copied())
        };
        match node {
            Some(node) => cursor.game.comment(node, &plain(field.value)),
            None if field.value.trim().is_empty() => {}
            None => {
                let what = format!("{} belongs to no move; it was skipped", field.name);
                source.problem(Place::Line(field.line), 0, ProblemKind::Malformed(what));
            }
        }
    }
    source.games.push(cursor.game);
}

/// Plays the variations, each after the line it branches from.
fn variations(
    cursor: &mut Cursor,
    fields: &[Field],
    lines: &mut HashMap<u32, (usize, Vec<NodeId>)>,
    source: &mut Source,
) {
    // (line it branches from, ply it replaces, its number)
    let mut open: Vec<(u32, usize, u32, &Field)> = Vec::new();
    for field in fields {
        let numbers = field.name.strip_prefix("move_").and_then(split_numbers);
        match numbers.as_deref() {
            Some(&[from, ply, id]) => open.push((from, ply as usize, id, field)),
            Some(&[ply, id]) => open.push((0, ply as usize, id, field)),
            _ => {}
        }
    }
    // Lines usually come in order; passes over the rest until nothing can be placed any more.
    loop {
        let before = open.len();
        let mut left = Vec::new();
        for (from, ply, id, field) in open {
            let Some((first, nodes)) = lines.get(&from) else {
                left.push((from, ply, id, field));
                continue;
            };
            // The node the variation starts from, and so its ply: before the ply it replaces.
            let index = ply.checked_sub(*first);
            let parent = match index {
                Some(0) => nodes.first().and_then(|&n| cursor.game.parent(n)),
                Some(i) => nodes.get(i - 1).copied(),
                None => None,
            };
            let parent = if ply == 1 { Some(NodeId::ROOT) } else { parent };
            match parent {
                Some(parent) => {
                    let nodes = play(cursor, parent, field, source);
                    lines.insert(id, (ply, nodes));
                }
                None => {
                    let what = format!("{} branches from no move; it was skipped", field.name);
                    source.problem(Place::Line(field.line), ply, ProblemKind::Malformed(what));
                    lines.insert(id, (ply, Vec::new()));
                }
            }
        }
        open = left;
        if open.is_empty() || open.len() == before {
            break;
        }
    }
    for (_, ply, _, field) in open {
        let what = format!("{} branches from no line; it was skipped", field.name);
        source.problem(Place::Line(field.line), ply, ProblemKind::Malformed(what));
    }
}

/// Plays the moves of a field after a node, up to the first that is illegal.
fn play(cursor: &mut Cursor, parent: NodeId, field: &Field, source: &mut Source) -> Vec<NodeId> {
    let digits: Vec<u8> = field
        .value
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|b| b - b'0')
        .collect();
    let place = Place::Line(field.line);
    if !digits.len().is_multiple_of(4) {
        source.problem(place, 0, ProblemKind::Truncated);
    }
    let mut nodes = Vec::with_capacity(digits.len() / 4);
    let mut parent = parent;
    for quad in digits.chunks_exact(4) {
        let xy = |x: u8, y: u8| (i32::from(x), 9 - i32::from(y));
        let m: Option<Move> = points(xy(quad[0], quad[1]), xy(quad[2], quad[3]));
        match cursor.play(parent, m, place, source) {
            Some(node) => {
                nodes.push(node);
                parent = node;
            }
            None => break,
        }
    }
    nodes
}

/// The set-up: two digits a piece, 99 for one that is off the board.
fn read_board(text: &str, fields: &[Field]) -> Result<Start, (crate::position::FenError, String)> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|b| b - b'0')
        .collect();
    let mut setup = Setup::empty();
    for (i, pair) in digits.chunks_exact(2).take(32).enumerate() {
        let color = if i < 16 { Color::Red } else { Color::Black };
        let square = Square::from_file_rank(i32::from(pair[0]), 9 - i32::from(pair[1]));
        let piece = Piece::from_fen_char(char::from(PIECE_ORDER[i % 16]));
        if let (Some(square), Some(piece)) = (square, piece) {
            setup.board[square.index()] = Some(Piece::new(color, piece.kind()));
        }
    }
    // `firstnum` is the ply the board starts at: odd numbers of moves played leave Black to move.
    let first = fields.iter().find(|f| f.name == "firstnum");
    if first
        .and_then(|f| f.value.trim().parse::<u32>().ok())
        .unwrap_or(0)
        % 2
        == 1
    {
        setup.stm = Color::Black;
    }
    Start::from_setup(&setup, false).map_err(|e| (e, text.trim().to_owned()))
}

/// `0_5_1` → 0, 5, 1.
fn split_numbers(text: &str) -> Option<Vec<u32>> {
    let text = text.trim_start_matches('_');
    text.split('_').map(|n| n.trim().parse().ok()).collect()
}

/// Text without its marks for line breaks and the commonest HTML entities.
fn plain(text: &str) -> String {
    text.replace("||", "\n")
        .replace("<br>", "\n")
        .replace("<br />", "\n")
        .replace("&nbsp;", " ")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#124;", "|")
        .replace("&#91;", "[")
        .replace("&amp;", "&")
}
