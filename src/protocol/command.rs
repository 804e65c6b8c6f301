//! What a client can say: one set of commands for both protocols. Parsing never fails; what is
//! not understood becomes [`Command::Unknown`], and wrong details are left to the session,
//! which can say what is wrong with them.

use super::Dialect;
use super::go::GoWords;

/// A line, understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Nothing but blanks.
    Empty,
    /// `uci` or `ucci`.
    Hello(Dialect),
    /// `isready`.
    IsReady,
    /// `setoption …`.
    SetOption(OptionText),
    /// `ucinewgame` and its relatives.
    NewGame,
    /// `position …`, or the same without the word.
    Position(PositionText),
    /// `banmoves …`.
    BanMoves(Vec<String>),
    /// `go …`.
    Go(Box<GoWords>),
    /// `ponderhit [draw]`.
    PonderHit {
        /// The opponent offers a draw.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe …`.
    Probe(PositionText),
    /// `quit`.
    Quit,
    /// `d`: show the board.
    Display,
    /// `eval`: the static value.
    Eval,
    /// `bench [depth]`.
    Bench(Option<u32>),
    /// `help`.
    Help,
    /// Something else: its first word.
    Unknown(String),
}

/// An option to be set, as far as it can be read without knowing the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionText {
    /// `name NAME [value VALUE]`.
    Named {
        /// The name, its words parted by single blanks.
        name: String,
        /// The value.
        value: Option<String>,
    },
    /// The UCCI form: a name and the value behind it, not yet parted.
    Plain(String),
}

impl OptionText {
    /// Name and value, the plain form being parted after the longest beginning that `known`
    /// accepts as a name, else after its first word.
    pub fn parts(&self, known: impl Fn(&str) -> bool) -> (&str, Option<&str>) {
        match self {
            OptionText::Named { name, value } => (name, value.as_deref()),
            OptionText::Plain(text) => {
                let ends = text.match_indices(' ').map(|(i, _)| i).chain([text.len()]);
                let first = text.find(' ').unwrap_or(text.len());
                let end = ends.filter(|&i| known(&text[..i])).max().unwrap_or(first);
                let value = text[end..].trim();
                (&text[..end], (!value.is_empty()).then_some(value))
            }
        }
    }
}

/// Where the moves start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The start of the game.
    Startpos,
    /// A FEN.
    Fen(String),
    /// Neither: what was there instead.
    Missing(String),
}

/// A position as described by a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    /// Where the moves start from.
    pub start: Start,
    /// The moves.
    pub moves: Vec<String>,
}

impl PositionText {
    fn parse(words: &[&str]) -> PositionText {
        let end = words
            .iter()
            .position(|w| w.eq_ignore_ascii_case("moves"))
            .unwrap_or(words.len());
        let (head, moves) = words.split_at(end);
        let keyword = head.first().map(|w| w.to_ascii_lowercase());
        let start = match keyword.as_deref() {
            Some("startpos") => Start::Startpos,
            Some("fen") => Start::Fen(head[1..].join(" ")),
            // A FEN whose keyword was forgotten is still beyond doubt.
            Some(text) if text.contains('/') => Start::Fen(head.join(" ")),
            _ => Start::Missing(head.join(" ")),
        };
        PositionText {
            start,
            moves: moves.iter().skip(1).map(|&w| w.to_owned()).collect(),
        }
    }
}

impl Command {
    /// Reads a line. Keywords count in any case, blanks in any number.
    pub fn parse(line: &str) -> Command {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else {
            return Command::Empty;
        };
        match &*first.to_ascii_lowercase() {
            "uci" => Command::Hello(Dialect::Uci),
            "ucci" => Command::Hello(Dialect::Ucci),
            "isready" => Command::IsReady,
            "setoption" => Command::SetOption(option_text(rest)),
            "ucinewgame" | "uccinewgame" | "uxinewgame" | "newgame" => Command::NewGame,
            "position" => Command::Position(PositionText::parse(rest)),
            // Cyclone leaves the word out.
            "fen" | "startpos" => Command::Position(PositionText::parse(&words)),
            "banmoves" => Command::BanMoves(rest.iter().map(|&w| w.to_owned()).collect()),
            "go" => Command::Go(Box::new(GoWords::parse(rest))),
            "ponderhit" => Command::PonderHit {
                draw: rest.iter().any(|w| w.eq_ignore_ascii_case("draw")),
            },
            "stop" => Command::Stop,
            "probe" => Command::Probe(PositionText::parse(rest)),
            "quit" | "exit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "help" => Command::Help,
            "bench" => Command::Bench(rest.first().and_then(|w| w.parse().ok())),
            // The hello of Cyclone engines says nothing that is not understood anyway.
            "ucicyclone" => Command::Empty,
            _ => Command::Unknown(first.to_owned()),
        }
    }
}

fn option_text(words: &[&str]) -> OptionText {
    match words.split_first() {
        Some((first, rest)) if first.eq_ignore_ascii_case("name") => {
            let end = rest
                .iter()
                .position(|w| w.eq_ignore_ascii_case("value"))
                .unwrap_or(rest.len());
            OptionText::Named {
                name: rest[..end].join(" "),
                value: (end < rest.len()).then(|| rest[end + 1..].join(" ")),
            }
        }
        _ => OptionText::Plain(words.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_all_forms() {
        let position = |line: &str| match Command::parse(line) {
            Command::Position(p) => p,
            other => panic!("{line}: {other:?}"),
        };
        let p = position("position startpos moves h2e2  h9g7 ");
        assert_eq!((p.start, p.moves.len()), (Start::Startpos, 2));
        let p = position("Position fen 4k4/9/9 r moves");
        assert_eq!(p.start, Start::Fen("4k4/9/9 r".into()));
        assert!(p.moves.is_empty());
        let p = position("fen 4k4/9/9 w - - 0 1 moves a0a1");
        assert_eq!(p.start, Start::Fen("4k4/9/9 w - - 0 1".into()));
        assert_eq!(position("startpos moves a0a1").moves, ["a0a1"]);
        assert_eq!(
            position("position 4k4/9/9 w").start,
            Start::Fen("4k4/9/9 w".into())
        );
        for bad in ["position", "position hello", "position moves a0a1"] {
            assert!(matches!(position(bad).start, Start::Missing(_)), "{bad}");
        }
        assert_eq!(
            position("position fen moves a0a1").start,
            Start::Fen("".into())
        );
    }

    #[test]
    fn options_in_both_forms() {
        let known = |name: &str| ["hash", "clear hash"].contains(&&*name.to_ascii_lowercase());
        let parts = |line: &str| match Command::parse(line) {
            Command::SetOption(text) => {
                let (name, value) = text.parts(known);
                (name.to_owned(), value.map(str::to_owned))
            }
            other => panic!("{line}: {other:?}"),
        };
        let pair = |n: &str, v: &str| (n.to_owned(), Some(v.to_owned()));
        assert_eq!(parts("setoption name Hash value 16"), pair("Hash", "16"));
        assert_eq!(parts("setoption Hash 16"), pair("Hash", "16"));
        assert_eq!(parts("setoption name Clear Hash").0, "Clear Hash");
        assert_eq!(parts("setoption Clear Hash"), ("Clear Hash".into(), None));
        assert_eq!(parts("setoption bookfiles a b"), pair("bookfiles", "a b"));
        assert_eq!(parts("setoption"), (String::new(), None));
        assert_eq!(parts("setoption name"), (String::new(), None));
        assert_eq!(
            parts("setoption name X value a b").1.as_deref(),
            Some("a b")
        );
    }

    #[test]
    fn keywords_in_any_case_and_unknown_ones() {
        assert_eq!(Command::parse("\tISREADY "), Command::IsReady);
        assert_eq!(Command::parse("ucci"), Command::Hello(Dialect::Ucci));
        assert_eq!(
            Command::parse("PonderHit DRAW"),
            Command::PonderHit { draw: true }
        );
        assert_eq!(
            Command::parse("stopxyz"),
            Command::Unknown("stopxyz".into())
        );
        assert_eq!(Command::parse("  "), Command::Empty);
        assert_eq!(
            Command::parse("setoption newgame"),
            Command::SetOption(OptionText::Plain("newgame".into()))
        );
    }
}
