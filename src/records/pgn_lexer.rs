//! The words of PGN: tags, results, and where a word ends.

use super::tree::Outcome;

/// Half-width form of a letter.
pub(super) fn half(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

/// Up to the next blank or sign that has a meaning of its own.
pub(super) fn word(rest: &str) -> &str {
    let stop = |(i, c): (usize, char)| {
        i > 0 && (c.is_whitespace() || matches!(half(c), '{' | '(' | ')' | ';' | '$' | ' '))
    };
    match rest.char_indices().find(|&x| stop(x)) {
        Some((i, _)) => &rest[..i],
        None => rest,
    }
}

/// Whether a text that starts with a digit may be a pawn's ordinal (`15=4`, `1兵平四`) and not a
/// move number.
pub(super) fn starts_like_ordinal(rest: &str) -> bool {
    let mut letters = rest.chars().map(half);
    let (a, b, c, d, e) = (
        letters.next(),
        letters.next(),
        letters.next(),
        letters.next(),
        letters.next(),
    );
    let digit = |x: Option<char>| x.is_some_and(|x| matches!(x, '1'..='9'));
    let ends = |x: Option<char>| x.is_none_or(|x| !x.is_alphanumeric() && x != '.');
    match (a, b, c) {
        _ if !digit(a) => false,
        (_, Some('1'..='9'), Some('+' | '-' | '=' | '.')) => digit(d) && ends(e),
        (_, Some('1'..='9'), Some('进' | '進' | '退' | '平')) => true,
        (_, Some('兵' | '卒'), Some('进' | '進' | '平')) => true,
        (_, Some('P' | 'p'), Some('+' | '=' | '.')) => digit(d),
        _ => false,
    }
}

/// A result at the start of the text and its length.
pub(super) fn result_prefix(rest: &str) -> Option<(Outcome, usize)> {
    if let Some(after) = rest.strip_prefix('*').or_else(|| rest.strip_prefix('＊')) {
        return Some((Outcome::Unknown, rest.len() - after.len()));
    }
    let first = rest.chars().next().map(half)?;
    if matches!(first, '0' | '1') {
        let mut figures = String::new();
        let mut len = 0;
        for c in rest.chars().take(8) {
            let h = half(c);
            if !(h.is_ascii_digit() || matches!(h, '-' | '/' | ':')) {
                break;
            }
            figures.push(h);
            len += c.len_utf8();
        }
        return match figures.as_str() {
            "1-0" | "0-1" | "1/2-1/2" | "1:0" | "0:1" | "1/2" => {
                Some((Outcome::read(&figures)?, len))
            }
            _ => None,
        };
    }
    if !matches!(first, '红' | '紅' | '黑' | '和' | '先') {
        return None;
    }
    let word = word(rest);
    Some((Outcome::read(word)?, word.len()))
}

/// A tag at the start of a text.
#[derive(Debug)]
pub(super) struct Tag {
    pub name: String,
    pub value: String,
    /// Bytes it takes.
    pub len: usize,
    /// Whether the value stands in quotes.
    pub quoted: bool,
}

/// `[Name "value"]`; quotes inside the value need no backslash unless a `]` follows them, and may
/// be missing altogether.
pub(super) fn split_tag(rest: &str) -> Option<Tag> {
    let inside = rest.strip_prefix('[')?;
    let name_len = inside
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
        .unwrap_or(inside.len());
    let name = &inside[..name_len];
    if name.is_empty() {
        return None;
    }
    let value = inside[name_len..].trim_start_matches([' ', '\t', ':', '=']);
    let start = rest.len() - value.len();
    let quoted = value
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '“' | '”' | '＂'));
    let Some(quote) = quoted else {
        let line = value.lines().next().unwrap_or_default();
        let end = line.find(']')?;
        return Some(Tag {
            name: name.to_owned(),
            value: line[..end].trim().to_owned(),
            len: start + end + 1,
            quoted: false,
        });
    };
    let value = &value[quote.len_utf8()..];
    let start = start + quote.len_utf8();
    // The value ends at a quote with nothing but blanks between it and `]`. A line further down
    // that begins a tag is not swallowed.
    let mut escaped = false;
    for (i, c) in value.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match c {
            '\\' => escaped = true,
            '"' | '”' | '“' | '＂' => {
                let after = value[i + c.len_utf8()..].trim_start_matches([' ', '\t']);
                if let Some(after) = after.strip_prefix(']') {
                    return Some(Tag {
                        name: name.to_owned(),
                        value: unescape(&value[..i]),
                        len: rest.len() - after.len(),
                        quoted: true,
                    });
                }
            }
            '\n' if value[i + 1..].starts_with('[') => break,
            _ => {}
        }
    }
    // No end in sight: the line is the tag.
    let line = value.lines().next().unwrap_or_default();
    Some(Tag {
        name: name.to_owned(),
        value: line.trim_end_matches([']', '"', ' ']).to_owned(),
        len: start + line.len(),
        quoted: true,
    })
}

fn unescape(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}
