//! The options: what they are, how their values are read, and the values; the table with names and
//! ranges is beside.
//!
//! UCI and UCCI name the same things differently (`Hash` and `hashsize`), so each option knows
//! both names; either is understood in either protocol, without regard to case.

use super::{ladder, machine_threads};
use crate::opening_book::Selection;
use crate::rules::RuleSet;
use crate::search::{LEVEL_GRAIN, MAX_LEVEL, Params, Settings, Skill};
use std::fmt;

pub use super::option_table::{find, specs};

/// What an option is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionId {
    /// Size of the transposition table in MiB.
    Hash,
    /// Number of search threads.
    Threads,
    /// Number of best lines shown.
    MultiPv,
    /// The client will let the engine think on the opponent's time.
    Ponder,
    /// Empties the table.
    ClearHash,
    /// Time lost outside the engine for each move.
    MoveOverhead,
    /// Percent of the planned time to use.
    SlowMover,
    /// Chances of win, draw and loss beside the score.
    ShowWdl,
    /// Play at the strength of `Elo`.
    LimitStrength,
    /// Strength on the scale of the documentation.
    Elo,
    /// Strength by levels.
    SkillLevel,
    /// Nodes that count as a millisecond.
    NodesTime,
    /// Rule book for repetitions.
    RepetitionRule,
    /// Rounds without capture that draw the game.
    NaturalLimit,
    /// The file of the network that evaluates.
    EvalFile,
    /// A new game begins.
    NewGame,
    /// UCCI clocks are in milliseconds, else in seconds.
    UseMillisec,
    /// UCCI batch mode: no command is read while a search runs.
    Batch,
    /// More lines for the curious.
    Debug,
    /// Moves of opening books are played.
    OwnBook,
    /// Which books.
    BookFiles,
    /// How far into the game books are used, in plies.
    BookDepth,
    /// How a book's move is chosen.
    BookSelection,
    /// For the lot among a book's moves.
    BookSeed,
    /// A number of the search, by its place in `Params::ALL` (builds with feature `tune`).
    Param(usize),
}

/// Kind, default and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Check {
        /// Value at the start.
        default: bool,
    },
    /// A number.
    Spin {
        /// Value at the start.
        default: i64,
        /// Least value; smaller ones are raised to it.
        min: i64,
        /// Greatest value; greater ones are lowered to it.
        max: i64,
        /// Zero asks for the default (in UCCI: "the engine decides").
        zero_is_default: bool,
    },
    /// One of several words.
    Combo {
        /// The values.
        choices: &'static [Choice],
    },
    /// A text.
    Text {
        /// Value at the start.
        default: &'static str,
    },
    /// An act without a value.
    Button,
}

/// A value of a combo; the first of a list is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As UCI writes it.
    pub uci: &'static str,
    /// As UCCI writes it: one word in lower case.
    pub ucci: &'static str,
    /// What it stands for.
    pub means: Meaning,
}

/// What a word of a combo stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A rule book.
    Rules(RuleSet),
    /// A way to choose among the moves of a book.
    Selection(Selection),
}

impl Choice {
    /// The rule book it stands for, if it is one.
    pub fn rules(&self) -> Option<RuleSet> {
        match self.means {
            Meaning::Rules(rules) => Some(rules),
            Meaning::Selection(_) => None,
        }
    }
}

/// Ways to choose among the moves of a book.
pub const SELECTIONS: [Choice; 2] = [
    Choice {
        uci: "Random",
        ucci: "random",
        means: Meaning::Selection(Selection::Random),
    },
    Choice {
        uci: "Best",
        ucci: "best",
        means: Meaning::Selection(Selection::Best),
    },
];

/// The rule books under the names that programs of the field know.
pub const RULE_BOOKS: [Choice; 5] = [
    Choice {
        uci: "ChineseRule",
        ucci: "chineserule",
        means: Meaning::Rules(RuleSet::CXA1999),
    },
    Choice {
        uci: "ChineseRule2020",
        ucci: "chineserule2020",
        means: Meaning::Rules(RuleSet::CXA2020),
    },
    Choice {
        uci: "AsianRule",
        ucci: "asianrule",
        means: Meaning::Rules(RuleSet::AXF),
    },
    Choice {
        uci: "LeagueRule",
        ucci: "leaguerule",
        means: Meaning::Rules(RuleSet::LEAGUE),
    },
    Choice {
        uci: "AllowRepetition",
        ucci: "alwaysdraw",
        means: Meaning::Rules(RuleSet::NONE),
    },
];

/// A value as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a check.
    Check(bool),
    /// Of a spin, within its range.
    Spin(i64),
    /// Of a combo.
    Word(Meaning),
    /// Of a text.
    Text(String),
    /// Of a button.
    Pressed,
}

/// One option: its names and what values it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What it is about.
    pub id: OptionId,
    /// Name in UCI; `None` if it is not announced there.
    pub uci: Option<&'static str>,
    /// Name in UCCI; `None` if it is not announced there.
    pub ucci: Option<&'static str>,
    /// Kind, default and range.
    pub kind: Kind,
}

/// Why a value cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// A spin needs a number.
    NoNumber {
        /// The option.
        spec: &'static Spec,
        /// What was given.
        text: String,
        /// Range of the option.
        range: (i64, i64),
    },
    /// A check needs true or false.
    NoCheck {
        /// The option.
        spec: &'static Spec,
        /// What was given.
        text: String,
    },
    /// A combo needs one of its words.
    NoChoice {
        /// The option.
        spec: &'static Spec,
        /// What was given.
        text: String,
        /// What there is.
        choices: &'static [Choice],
    },
    /// A file cannot be used.
    NoFile {
        /// The option.
        spec: &'static Spec,
        /// The file.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is not that much memory.
    NoMemory {
        /// The option.
        spec: &'static Spec,
        /// MiB asked for.
        mib: usize,
        /// MiB there are, if known.
        free: Option<usize>,
        /// MiB still in use.
        kept: usize,
    },
}

impl OptionError {
    /// The message with the names of UCCI or those of UCI.
    pub fn text(&self, ucci: bool) -> String {
        match self {
            OptionError::NoNumber { spec, text, range } => format!(
                "option {}: {text:?} is no number from {} to {}; the value stays",
                spec.name(ucci),
                range.0,
                range.1
            ),
            OptionError::NoCheck { spec, text } => format!(
                "option {}: {text:?} is neither true nor false; the value stays",
                spec.name(ucci)
            ),
            OptionError::NoChoice {
                spec,
                text,
                choices,
            } => {
                let names = choices.iter().map(|c| if ucci { c.ucci } else { c.uci });
                format!(
                    "option {}: {text:?} is none of {}; the value stays",
                    spec.name(ucci),
                    names.collect::<Vec<_>>().join(" ")
                )
            }
            OptionError::NoFile { spec, text, why } => format!(
                "option {}: {text}: {why}; the old value stays",
                spec.name(ucci)
            ),
            OptionError::NoMemory {
                spec,
                mib,
                free,
                kept,
            } => {
                let name = spec.name(ucci);
                let free = free.map_or(String::new(), |free| format!(" ({free} MB are free)"));
                format!("option {name}: no memory for {mib} MB{free}; {kept} MB stay in use")
            }
        }
    }
}

/// With the names of UCI.
impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(false))
    }
}

impl std::error::Error for OptionError {}

impl Spec {
    /// The name in UCCI or UCI; the other one's if it has none there.
    pub fn name(&self, ucci: bool) -> &'static str {
        let name = match ucci {
            true => self.ucci.or(self.uci),
            false => self.uci.or(self.ucci),
        };
        name.unwrap_or("")
    }

    /// Reads a value: numbers are brought into range, checks also know `on` and `off`.
    ///
    /// # Errors
    /// [`OptionError`] names the option and the text.
    pub fn read(&'static self, text: Option<&str>) -> Result<Value, OptionError> {
        let text = text.unwrap_or("").trim();
        match self.kind {
            Kind::Button => Ok(Value::Pressed),
            Kind::Text { .. } => Ok(Value::Text(text.to_owned())),
            Kind::Check { .. } => match &*text.to_ascii_lowercase() {
                "true" | "on" | "1" | "yes" => Ok(Value::Check(true)),
                "false" | "off" | "0" | "no" => Ok(Value::Check(false)),
                _ => Err(OptionError::NoCheck {
                    spec: self,
                    text: text.to_owned(),
                }),
            },
            Kind::Combo { choices } => choices
                .iter()
                .find(|c| {
                    let rules = c.rules().map(|r| r.name);
                    [Some(c.uci), Some(c.ucci), rules]
                        .into_iter()
                        .flatten()
                        .any(|own| own.eq_ignore_ascii_case(text))
                })
                .map(|c| Value::Word(c.means))
                .ok_or_else(|| OptionError::NoChoice {
                    spec: self,
                    text: text.to_owned(),
                    choices,
                }),
            Kind::Spin {
                default,
                min,
                max,
                zero_is_default,
            } => match saturating_number(text) {
                Some(0) if zero_is_default => Ok(Value::Spin(default)),
                Some(n) => Ok(Value::Spin(n.clamp(min, max))),
                None => Err(OptionError::NoNumber {
                    spec: self,
                    text: text.to_owned(),
                    range: (min, max),
                }),
            },
        }
    }
}

/// Reads a whole number; one too large for the type becomes the largest. `None` if the text is
/// no number.
pub fn saturating_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    }))
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table.
    pub hash_mib: usize,
    /// Number of search threads, at most what the machine has.
    pub threads: usize,
    /// Number of best lines shown.
    pub multipv: usize,
    /// The client will let the engine think on the opponent's time.
    pub ponder: bool,
    /// Time lost outside the engine for each move, in milliseconds.
    pub move_overhead_ms: u64,
    /// Percent of the planned time to use.
    pub slow_mover: u32,
    /// Chances of win, draw and loss beside the score.
    pub show_wdl: bool,
    /// Level of play, 20 for full strength.
    pub skill_level: u32,
    /// Whether `elo` holds instead of the level.
    pub limit_strength: bool,
    /// Strength on the scale of the documentation.
    pub elo: u32,
    /// Nodes that count as a millisecond, 0 for real time.
    pub nodes_per_ms: u64,
    /// Rule book for repetitions.
    pub rules: RuleSet,
    /// Rounds without capture that draw the game; 0 for no limit.
    pub natural_limit: u16,
    /// UCCI clocks are in milliseconds, else in seconds.
    pub use_millisec: bool,
    /// No command is read while a search runs.
    pub batch: bool,
    /// More lines for the curious.
    pub debug: bool,
    /// Moves of opening books are played. What is said at the hello depends on the protocol.
    pub own_book: bool,
    /// The books, parted by `;`.
    pub book_files: String,
    /// How far into the game books are used, in plies.
    pub book_depth: usize,
    /// How a book's move is chosen.
    pub book_selection: Selection,
    /// For the lot among a book's moves; 0: another one each game.
    pub book_seed: u64,
    /// The search's numbers; they count in builds with feature `tune` only.
    pub params: Params,
}

impl Default for Options {
    /// The values of the table.
    fn default() -> Options {
        let mut options = Options {
            hash_mib: 1,
            threads: 1,
            multipv: 1,
            ponder: false,
            move_overhead_ms: Settings::default().move_overhead.as_millis() as u64,
            slow_mover: 100,
            show_wdl: false,
            skill_level: MAX_LEVEL,
            limit_strength: false,
            elo: ladder::MIN_ELO,
            nodes_per_ms: 0,
            rules: RuleSet::default(),
            natural_limit: 0,
            use_millisec: true,
            batch: false,
            debug: false,
            own_book: false,
            book_files: String::new(),
            book_depth: 0,
            book_selection: Selection::default(),
            book_seed: 0,
            params: Params::DEFAULT,
        };
        for spec in specs() {
            match spec.kind {
                Kind::Check { default } => options.put(spec.id, Value::Check(default)),
                Kind::Spin { default, .. } => options.put(spec.id, Value::Spin(default)),
                Kind::Text { default } => options.put(spec.id, Value::Text(default.to_owned())),
                // The first choice is the default of the type.
                Kind::Combo { .. } | Kind::Button => {}
            }
        }
        options.threads = options.threads.min(machine_threads());
        // Without a protocol nobody expects moves that were not thought about.
        options.own_book = false;
        options
    }
}

impl Options {
    /// The strength that is wanted, `None` for the full one.
    pub fn skill(&self) -> Option<Skill> {
        if self.limit_strength {
            Skill::new(ladder::grade_of(self.elo))
        } else {
            Skill::new(self.skill_level * LEVEL_GRAIN)
        }
    }

    /// Notes a value that was read by [`Spec::read`], and does nothing else about it.
    pub fn put(&mut self, id: OptionId, value: Value) {
        match (id, value) {
            (OptionId::Hash, Value::Spin(n)) => self.hash_mib = n as usize,
            (OptionId::Threads, Value::Spin(n)) => self.threads = n as usize,
            (OptionId::MultiPv, Value::Spin(n)) => self.multipv = n as usize,
            (OptionId::MoveOverhead, Value::Spin(n)) => self.move_overhead_ms = n as u64,
            (OptionId::SlowMover, Value::Spin(n)) => self.slow_mover = n as u32,
            (OptionId::SkillLevel, Value::Spin(n)) => self.skill_level = n as u32,
            (OptionId::Elo, Value::Spin(n)) => self.elo = n as u32,
            (OptionId::NodesTime, Value::Spin(n)) => self.nodes_per_ms = n as u64,
            (OptionId::NaturalLimit, Value::Spin(n)) => self.natural_limit = n as u16,
            (OptionId::Param(i), Value::Spin(n)) => self.params.set(i, n as i32),
            (OptionId::RepetitionRule, Value::Word(Meaning::Rules(rules))) => self.rules = rules,
            (OptionId::BookSelection, Value::Word(Meaning::Selection(s))) => {
                self.book_selection = s
            }
            (OptionId::BookFiles, Value::Text(files)) => self.book_files = files,
            (OptionId::BookDepth, Value::Spin(n)) => self.book_depth = n as usize,
            (OptionId::BookSeed, Value::Spin(n)) => self.book_seed = n as u64,
            (OptionId::OwnBook, Value::Check(on)) => self.own_book = on,
            (OptionId::ShowWdl, Value::Check(on)) => self.show_wdl = on,
            (OptionId::LimitStrength, Value::Check(on)) => self.limit_strength = on,
            (OptionId::Ponder, Value::Check(on)) => self.ponder = on,
            (OptionId::UseMillisec, Value::Check(on)) => self.use_millisec = on,
            (OptionId::Batch, Value::Check(on)) => self.batch = on,
            (OptionId::Debug, Value::Check(on)) => self.debug = on,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::option_table::{DEFAULT_HASH_MIB, MAX_HASH_MIB};
    use super::*;

    #[test]
    fn names_of_both_protocols() {
        for name in ["Hash", "hash", "hashsize", "HASHSIZE"] {
            assert_eq!(find(name).map(|s| s.id), Some(OptionId::Hash), "{name}");
        }
        assert_eq!(
            find("move overhead").map(|s| s.id),
            Some(OptionId::MoveOverhead)
        );
        assert!(find("nosuchoption").is_none());
    }

    #[test]
    fn spins_are_clamped_and_text_is_refused() {
        let hash = find("Hash").unwrap();
        assert_eq!(hash.read(Some("16")), Ok(Value::Spin(16)));
        assert_eq!(hash.read(Some("-5")), Ok(Value::Spin(1)));
        assert_eq!(hash.read(Some("0")), Ok(Value::Spin(DEFAULT_HASH_MIB)));
        assert_eq!(
            hash.read(Some("99999999999999999999")),
            Ok(Value::Spin(MAX_HASH_MIB))
        );
        for bad in [None, Some(""), Some("abc"), Some("1e3"), Some("-")] {
            let e = hash.read(bad).unwrap_err();
            assert!(e.to_string().starts_with("option Hash:"), "{e}");
            assert!(e.text(true).starts_with("option hashsize:"), "{e}");
        }
    }

    #[test]
    fn checks_know_on_and_off() {
        let ponder = find("ponder").unwrap();
        for (text, on) in [("true", true), ("ON", true), ("off", false), ("0", false)] {
            assert_eq!(ponder.read(Some(text)), Ok(Value::Check(on)));
        }
        assert!(ponder.read(None).is_err());
    }

    #[test]
    fn rule_books_by_every_name() {
        let rule = find("repetition rule").unwrap();
        for text in ["AsianRule", "asianrule", "axf", "AXF"] {
            let axf = Value::Word(Meaning::Rules(RuleSet::AXF));
            assert_eq!(rule.read(Some(text)), Ok(axf));
        }
        let e = rule.read(Some("ChessRule")).unwrap_err();
        let uci = "option Repetition Rule: \"ChessRule\" is none of ChineseRule ";
        assert!(e.to_string().starts_with(uci), "{e}");
        let ucci = "option repetition: \"ChessRule\" is none of chineserule ";
        assert!(e.text(true).starts_with(ucci), "{}", e.text(true));
    }

    #[test]
    fn the_defaults_are_those_announced() {
        let o = Options::default();
        assert_eq!(Some(o.rules), RULE_BOOKS[0].rules());
        assert_eq!(Some(o.natural_limit), o.rules.natural_limit);
        assert_eq!(o.hash_mib as i64, DEFAULT_HASH_MIB);
        assert!(o.use_millisec && !o.batch && !o.ponder);
        assert_eq!(
            u128::from(o.move_overhead_ms),
            Settings::default().move_overhead.as_millis()
        );
    }
}
