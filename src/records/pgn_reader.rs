//! PGN as it occurs: any notation in the body, glued or full-width text, comments and nested
//! variations from the first move on, several games, tags or none, results or none.
//!
//! The reader goes through the text once, holding one position which it takes back and plays
//! forward as variations open and close. A move that cannot be played ends its line: the rest of
//! the line is passed over up to its closing bracket or the end of the game. Unknown text is
//! noted and skipped.

use super::pgn_body::{Body, read_move};
use super::pgn_lexer::{half, result_prefix, split_tag, starts_like_ordinal, word};
use super::problem::{Place, ProblemKind};
use super::source::Source;
use super::start::Start;
use super::tree::{NodeId, Outcome};

/// Reads all games of a text.
pub(super) fn read(text: &str, source: &mut Source) {
    Reader {
        text,
        at: 0,
        line_at: 0,
        line: 1,
        source,
        current: Current::new(),
        ended: false,
        unknown_run: false,
        black_number: false,
    }
    .run();
}

/// The game being read.
struct Current {
    tags: Vec<(String, String)>,
    /// `None` until the first move or comment, or after a start that is no position.
    body: Option<Body>,
    /// The start is no position: everything up to the next game is passed over.
    skip: bool,
    /// Line of the FEN tag.
    fen_line: usize,
}

impl Current {
    fn new() -> Current {
        Current {
            tags: Vec::new(),
            body: None,
            skip: false,
            fen_line: 0,
        }
    }
}

struct Reader<'a, 's> {
    text: &'a str,
    at: usize,
    /// Up to here lines have been counted.
    line_at: usize,
    line: usize,
    source: &'s mut Source,
    current: Current,
    /// A result ended the last game, and nothing of a next one has been seen.
    ended: bool,
    /// The last token was unknown text: further unknown words belong to the same problem.
    unknown_run: bool,
    /// The last move number had three dots: Black is to move.
    black_number: bool,
}

impl<'a> Reader<'a, '_> {
    fn run(mut self) {
        self.source.game = 1;
        while let Some(c) = self.skip_blanks() {
            let unknown_run = std::mem::take(&mut self.unknown_run);
            let between = self.ended && self.current.tags.is_empty();
            match half(c) {
                '[' if self.tag() => {}
                '(' | ')' | '$' | '!' | '?' if between => {
                    self.unknown_run = unknown_run;
                    self.unknown();
                }
                '{' => self.brace_comment(),
                ';' => self.line_comment(),
                '%' if self.at_line_start() => {
                    self.rest_of_line();
                }
                '(' => self.open_variation(),
                ')' => self.close_variation(),
                '$' => self.nag_number(),
                '!' | '?' => self.nag_marks(),
                '.' | '…' | '、' | ',' => self.at += c.len_utf8(),
                h => {
                    if !(self.result() || self.a_move(h.is_ascii_digit())) {
                        self.unknown_run = unknown_run;
                        self.unknown();
                    }
                }
            }
        }
        self.finish();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next letter that is no blank.
    fn skip_blanks(&mut self) -> Option<char> {
        for c in self.rest().chars() {
            if !c.is_whitespace() && c != '\u{feff}' && c != '\0' && c != '\u{1a}' {
                return Some(c);
            }
            self.at += c.len_utf8();
        }
        None
    }

    /// The line `self.at` is on; places asked for only go forward.
    fn place(&mut self) -> Place {
        if self.at >= self.line_at {
            let bytes = &self.text.as_bytes()[self.line_at..self.at];
            self.line += bytes.iter().filter(|&&b| b == b'\n').count();
            self.line_at = self.at;
        }
        Place::Line(self.line)
    }

    fn problem(&mut self, ply: usize, kind: ProblemKind) {
        let place = self.place();
        self.source.problem(place, ply, kind);
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n'
    }

    /// Whether the line before this one is empty.
    fn after_blank_line(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', '\t', '\r']);
        let before = before
            .strip_suffix('\n')
            .map(|b| b.trim_end_matches([' ', '\t', '\r']));
        before.is_some_and(|b| b.ends_with('\n'))
    }

    fn rest_of_line(&mut self) -> &'a str {
        let rest = self.rest();
        let line = rest.split_once('\n').map_or(rest, |x| x.0);
        self.at += line.len();
        line
    }

    /// Reads a tag; `false` if `[` starts none, which is then unknown text.
    fn tag(&mut self) -> bool {
        let Some(tag) = split_tag(self.rest()) else {
            return false;
        };
        let body = self.current.body.is_some();
        if body && !tag.quoted && !self.at_line_start() {
            return false;
        }
        // Tags after a blank line, one of which was there already, are those of another game.
        let again = self.after_blank_line() && {
            let mut tags = self.current.tags.iter();
            tags.any(|(n, _)| n.eq_ignore_ascii_case(&tag.name))
        };
        if body || self.current.skip || again {
            self.finish();
        }
        self.ended = false;
        if tag.name.eq_ignore_ascii_case("FEN") {
            self.place();
            self.current.fen_line = self.line;
        }
        self.current.tags.push((tag.name, tag.value));
        self.at += tag.len;
        true
    }

    /// The game's moves so far, made at the first token that needs them. `None` if its start is
    /// no position.
    fn body(&mut self) -> Option<&mut Body> {
        if self.current.skip {
            return None;
        }
        if self.current.body.is_none() {
            let fen = self
                .current
                .tags
                .iter()
                .find(|(n, _)| n.eq_ignore_ascii_case("FEN"));
            let start = match fen {
                Some((_, fen)) if !fen.trim().is_empty() => Start::from_fen(fen),
                _ => Ok(Start::initial()),
            };
            match start {
                Ok(start) => {
                    self.ended = false;
                    self.current.body = Some(Body::new(start));
                }
                Err(why) => {
                    let fen = fen.map_or_else(String::new, |x| x.1.clone());
                    let place = Place::Line(self.current.fen_line.max(1));
                    self.current.skip = true;
                    self.source
                        .problem(place, 0, ProblemKind::Start { fen, why });
                    return None;
                }
            }
        }
        self.current.body.as_mut()
    }

    /// Ends the game; what has neither tags nor moves nor comments is none.
    fn finish(&mut self) {
        if self.current.body.is_none() && !self.current.tags.is_empty() {
            self.body();
        }
        let current = std::mem::replace(&mut self.current, Current::new());
        if let Some(mut body) = current.body {
            if !body.open.is_empty() {
                self.problem(0, ProblemKind::OpenVariation);
            }
            for text in std::mem::take(&mut body.before) {
                body.game.comment(body.node, &text);
            }
            let mut game = body.game;
            if game.result == Outcome::Unknown {
                let tag = current
                    .tags
                    .iter()
                    .find(|(n, _)| n.eq_ignore_ascii_case("Result"));
                game.result = tag.and_then(|x| Outcome::read(&x.1)).unwrap_or_default();
            }
            game.tags = current.tags;
            if game.node_count() > 0 || !game.tags.is_empty() || game.comment_count() > 0 {
                self.source.games.push(game);
            }
            self.source.game += 1;
        } else if current.skip {
            self.source.game += 1;
        }
    }

    fn brace_comment(&mut self) {
        let open = self.text[self.at..]
            .chars()
            .next()
            .map_or(1, char::len_utf8);
        let inside = &self.rest()[open..];
        let close = if open == 1 { "}" } else { "｝" };
        let (comment, len) = match inside.find(close) {
            Some(n) => (&inside[..n], open + n + close.len()),
            None => {
                // Up to the next tags, or all that is left.
                self.problem(0, ProblemKind::OpenComment);
                let n = inside.find("\n[").unwrap_or(inside.len());
                (&inside[..n], open + n)
            }
        };
        self.at += len;
        self.comment(comment);
    }

    fn line_comment(&mut self) {
        self.at += self.rest().chars().next().map_or(1, char::len_utf8);
        let comment = self.rest_of_line();
        self.comment(comment);
    }

    fn comment(&mut self, text: &str) {
        if self.ended && self.current.tags.is_empty() {
            // After a result, before anything of a next game: it belongs to the game that ended.
            if let Some(game) = self.source.games.last_mut() {
                let last = game.main_line().last().unwrap_or(NodeId::ROOT);
                game.comment(last, text);
                return;
            }
        }
        let Some(body) = self.body() else {
            return;
        };
        if body.dead.is_some() {
            return;
        }
        if body.fresh {
            body.before.push(text.to_owned());
        } else {
            body.game.comment(body.node, text);
        }
    }

    fn open_variation(&mut self) {
        let c = self.rest().chars().next().unwrap_or('(');
        let stray = match self.body() {
            None => false,
            Some(body) if body.dead.is_some() => {
                body.open.push(body.node);
                false
            }
            Some(body) => match body.game.parent(body.node) {
                None => true,
                Some(parent) => {
                    // Comments that waited for a move belong before the variation.
                    for text in std::mem::take(&mut body.before) {
                        body.game.comment(body.node, &text);
                    }
                    body.open.push(body.node);
                    body.position.unmake();
                    body.node = parent;
                    body.fresh = true;
                    false
                }
            },
        };
        if stray {
            self.problem(0, ProblemKind::StrayBracket(half(c)));
        }
        self.at += c.len_utf8();
    }

    fn close_variation(&mut self) {
        let c = self.rest().chars().next().unwrap_or(')');
        let stray = match self.body() {
            None => false,
            Some(body) => match body.open.pop() {
                None => true,
                Some(branch) => {
                    if body.dead.is_none_or(|depth| depth > body.open.len()) {
                        body.return_to(branch);
                    }
                    false
                }
            },
        };
        if stray {
            self.problem(0, ProblemKind::StrayBracket(half(c)));
        }
        self.at += c.len_utf8();
    }

    fn nag_number(&mut self) {
        let rest = &self.rest()[self.rest().chars().next().map_or(1, char::len_utf8)..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest[..digits].parse::<u8>() {
            Ok(n) => {
                self.at = self.text.len() - rest.len() + digits;
                self.nag(n);
            }
            Err(_) => self.unknown(),
        }
    }

    fn nag_marks(&mut self) {
        let mut marks = String::new();
        for c in self.rest().chars() {
            if !matches!(half(c), '!' | '?') || marks.len() == 2 {
                break;
            }
            marks.push(half(c));
            self.at += c.len_utf8();
        }
        self.nag(match marks.as_str() {
            "!" => 1,
            "?" => 2,
            "!!" => 3,
            "??" => 4,
            "!?" => 5,
            _ => 6,
        });
    }

    fn nag(&mut self, nag: u8) {
        if let Some(body) = self.body()
            && body.dead.is_none()
        {
            body.game.nag(body.node, nag);
        }
    }

    /// Reads a result, which ends the game (in a variation it is a comment).
    fn result(&mut self) -> bool {
        let rest = self.rest();
        let Some((outcome, len)) = result_prefix(rest) else {
            return false;
        };
        self.at += len;
        if self.current.tags.is_empty() && self.current.body.is_none() && self.ended {
            return true;
        }
        let inside = match self.body() {
            None => false,
            Some(body) if body.open.is_empty() => {
                body.game.result = outcome;
                false
            }
            Some(_) => true,
        };
        if inside {
            self.comment(&rest[..len]);
        } else {
            self.finish();
            self.ended = true;
        }
        true
    }

    /// Reads a move or a move number.
    fn a_move(&mut self, digit: bool) -> bool {
        let rest = self.rest();
        if digit && !starts_like_ordinal(rest) {
            self.move_number(rest);
            return true;
        }
        if self.current.skip {
            self.at += word(rest).len();
            return true;
        }
        let black_number = std::mem::take(&mut self.black_number);
        let (is_new, ended) = (self.current.body.is_none(), self.ended);
        let Some(body) = self.body() else {
            return true;
        };
        if body.dead.is_some() {
            // The line ended; words are passed over whatever they are.
            self.at += word(rest).len();
            return true;
        }
        if black_number && body.game.node_count() == 0 && !body.start.side_given {
            body.turn_to_black();
        }
        let (len, outcome) = match read_move(&body.position, rest) {
            Some(x) => x,
            None if digit => {
                self.move_number(rest);
                return true;
            }
            None => {
                // Text before the first move of a game that has not begun begins none.
                if is_new {
                    self.current.body = None;
                    self.ended = ended;
                }
                return false;
            }
        };
        let outcome = match outcome {
            Err(e) => body.other_side(&rest[..len]).ok_or(e),
            Ok(m) => Ok((m, false)),
        };
        let ply = body.position.ply_count() + 1;
        match outcome {
            Ok((m, warn)) => {
                body.play(m);
                if warn {
                    self.problem(1, ProblemKind::SideToMove);
                }
            }
            Err(e) if digit => {
                // A number that looks like the ordinal of a pawn and is none.
                let _ = e;
                self.move_number(rest);
                return true;
            }
            Err(e) => {
                body.dead = Some(body.open.len());
                self.problem(ply, ProblemKind::Move(e));
            }
        }
        self.at += len;
        true
    }

    /// `1.`, `1...`, `1 . ...`, `1、`
    fn move_number(&mut self, rest: &str) {
        let len: usize = rest
            .chars()
            .take_while(|&c| half(c).is_ascii_digit())
            .map(char::len_utf8)
            .sum();
        self.at += len;
        let dots: String = self
            .rest()
            .chars()
            .take(6)
            .map(half)
            .filter(|c| *c != ' ')
            .collect();
        self.black_number =
            dots.starts_with("..") || dots.starts_with(['…']) || dots.starts_with(".…");
    }

    /// Skips a word that means nothing.
    fn unknown(&mut self) {
        let rest = self.rest();
        let token = word(rest);
        self.at += token.len();
        if self.current.skip {
            return;
        }
        let place = {
            self.at -= token.len();
            let place = self.place();
            self.at += token.len();
            place
        };
        let fresh = !std::mem::replace(&mut self.unknown_run, true);
        if !fresh
            && let Some(last) = self.source.problems.last_mut()
            && let ProblemKind::UnknownText { more, .. } | ProblemKind::TextAfterGame { more, .. } =
                &mut last.kind
        {
            *more += 1;
            return;
        }
        let token: String = token.chars().take(40).collect();
        let outside = self.ended && self.current.body.is_none() && self.current.tags.is_empty();
        let body = self.current.body.as_ref();
        let ply = body.map_or(0, |b| b.position.ply_count() + 1);
        // The number is that of the next game already.
        self.source.game -= usize::from(outside);
        self.source.problem(
            place,
            if outside { 0 } else { ply },
            if outside {
                ProblemKind::TextAfterGame { token, more: 0 }
            } else {
                ProblemKind::UnknownText { token, more: 0 }
            },
        );
        self.source.game += usize::from(outside);
    }
}
