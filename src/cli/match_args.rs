//! The arguments of `chuhe match`, and how an event is made of them and of a TOML file.

use super::CliError;
use crate::tournament::{
    DrawRule, EloModel, EngineConfig, EventConfig, Format, ResignRule, RuleBook, Sprt, split_words,
};
use std::path::{Path, PathBuf};

/// What is played. Flags override the file.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct EventArgs {
    #[command(flatten)]
    engine: EngineWords,
    /// What engines have in common, in the same words
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = "Engines")]
    each: Vec<String>,
    /// Event as a TOML file: the names of these flags, and [[engine]] tables
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    config: Option<PathBuf>,
    /// Time control: base+increment in seconds or h:mm:ss, moves/ before it, sessions by commas
    #[arg(long, value_name = "TC", help_heading = "Games")]
    tc: Option<String>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", help_heading = "Games")]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, help_heading = "Games")]
    nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, help_heading = "Games")]
    depth: Option<u32>,
    /// Milliseconds a move may be late [default: 50]
    #[arg(long, value_name = "MS", help_heading = "Games")]
    margin: Option<u64>,
    /// Rule set: cxa1999 (default), cxa2020, axf, league, none
    #[arg(long, help_heading = "Games")]
    rules: Option<RuleBook>,
    /// Rounds without a capture that draw, 0 for no limit [default: the rule set's]
    #[arg(long, value_name = "ROUNDS", help_heading = "Games")]
    natural_limit: Option<u16>,
    /// Draw after so many plies, 0 for no limit [default: 0]
    #[arg(long, value_name = "N", help_heading = "Games")]
    max_plies: Option<usize>,
    /// Adjudicate a loss: score=CP moves=N [one-sided]
    #[arg(long, num_args = 1.., value_name = "WORD", help_heading = "Games")]
    resign: Vec<String>,
    /// Adjudicate a draw: after=MOVE score=CP moves=N
    #[arg(long, num_args = 1.., value_name = "WORD", help_heading = "Games")]
    draw: Vec<String>,
    /// Draw what nobody can win
    #[arg(long, help_heading = "Games")]
    material: bool,
    /// Turn a deaf ear to draw offers
    #[arg(long, help_heading = "Games")]
    no_draw_offers: bool,
    /// Tell engines (banmoves, searchmoves) which moves would lose by repetition
    #[arg(long, help_heading = "Games")]
    warn_forbidden: bool,
    /// Openings: suite (default, 2000 balanced lines), start, random:PLIES, or a file (FEN, EPD or
    /// moves, one a line; PGN and other records)
    #[arg(long, value_name = "SOURCE", help_heading = "Openings")]
    openings: Option<String>,
    /// Shuffle the file by the seed
    #[arg(long, help_heading = "Openings")]
    shuffle: bool,
    /// Begin with this opening of the file, from 0
    #[arg(long, value_name = "N", help_heading = "Openings")]
    opening_skip: Option<usize>,
    /// Play no more than so many plies of each opening of the file [default: all]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    opening_plies: Option<usize>,
    /// Keep only random openings with a score within ±CP ...
    #[arg(
        long,
        value_name = "CP",
        requires = "opening_judge",
        help_heading = "Openings"
    )]
    opening_window: Option<i32>,
    /// ... by this engine, in the words of --engine, with nodes= or depth=
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = "Openings")]
    opening_judge: Vec<String>,
    /// For everything drawn by lot [default: 1]
    #[arg(long, help_heading = "Openings")]
    seed: Option<u64>,
    /// Who meets whom: roundrobin (default), gauntlet, swiss, knockout
    #[arg(long, value_parser = parse_format, help_heading = "Event")]
    format: Option<Format>,
    /// Games in each encounter, an even number [default: 2; with --sprt 40000]
    #[arg(long, value_name = "N", help_heading = "Event")]
    games: Option<usize>,
    /// Rounds of a Swiss event [default: enough to single out a winner]
    #[arg(long, value_name = "N", help_heading = "Event")]
    rounds: Option<usize>,
    /// Sequential test: elo0=X elo1=Y [alpha=0.05 beta=0.05 model=normalized|logistic]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = "Event")]
    sprt: Vec<String>,
    /// Name of the event in the records
    #[arg(long, value_name = "NAME", help_heading = "Event")]
    event: Option<String>,
    /// An engine that cannot be started for so many games withdraws, 0 for never [default: 4]
    #[arg(long, value_name = "N", help_heading = "Event")]
    withdraw_after: Option<usize>,
    /// Seconds to wait for uciok or ucciok [default: 10]
    #[arg(long, value_name = "S", help_heading = "Patience")]
    handshake_timeout: Option<u64>,
    /// Seconds to wait for readyok [default: 30]
    #[arg(long, value_name = "S", help_heading = "Patience")]
    ready_timeout: Option<u64>,
    /// Seconds to wait for a move without a clock [default: 120]
    #[arg(long, value_name = "S", help_heading = "Patience")]
    search_timeout: Option<u64>,
    /// Megabytes an engine may write to standard error [default: 64]
    #[arg(long, value_name = "MB", help_heading = "Patience")]
    stderr_limit: Option<u64>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    match text {
        "roundrobin" | "match" => Ok(Format::RoundRobin),
        "gauntlet" => Ok(Format::Gauntlet),
        "swiss" => Ok(Format::Swiss),
        "knockout" => Ok(Format::Knockout),
        _ => Err("roundrobin, gauntlet, swiss or knockout is needed".into()),
    }
}

/// The words of each `--engine`, kept apart, which clap's derive cannot do.
#[derive(Clone, Debug, Default)]
struct EngineWords(Vec<Vec<String>>);

impl clap::FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<EngineWords, clap::Error> {
        let groups = matches.get_occurrences::<String>("engine");
        Ok(EngineWords(groups.map_or(Vec::new(), |groups| {
            groups.map(|words| words.cloned().collect()).collect()
        })))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EngineWords {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.arg(
            clap::Arg::new("engine")
                .long("engine")
                .num_args(1..)
                .action(clap::ArgAction::Append)
                .value_name("KEY=VALUE")
                .help_heading("Engines")
                .help(
                    "Engine, as key=value words: name cmd arg args dir proto (auto uci ucci fsf) \
                     option.NAME env.NAME ponder tc movetime nodes depth margin; once for each \
                     engine",
                ),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl EventArgs {
    /// The event of file and flags.
    pub(super) fn event(&self) -> Result<EventConfig, CliError> {
        let mut config = self.unchecked()?;
        config.check().map_err(CliError::Input)?;
        Ok(config)
    }

    /// The event of one engine that plays against itself.
    pub(super) fn event_of_twins(&self) -> Result<EventConfig, CliError> {
        let mut config = self.unchecked()?;
        let [engine] = config.engine.as_slice() else {
            return Err(CliError::Input(format!(
                "one engine is tuned at a time, {} given (--engine cmd=…)",
                config.engine.len()
            )));
        };
        config.engine = ["plus", "minus"]
            .map(|name| EngineConfig {
                name: name.into(),
                ..engine.clone()
            })
            .to_vec();
        config.check().map_err(CliError::Input)?;
        Ok(config)
    }

    fn unchecked(&self) -> Result<EventConfig, CliError> {
        let mut config = match &self.config {
            Some(path) => read_toml(path)?,
            None => EventConfig::default(),
        };
        let input = |flag: &str| {
            let flag = flag.to_string();
            move |e: String| CliError::Input(format!("{flag}: {e}"))
        };
        for group in &self.engine.0 {
            let words = one_string(group).map_err(input("--engine"))?;
            let engine = EngineConfig::from_words(&words).map_err(input("--engine"))?;
            config.engine.push(engine);
        }
        let each = one_string(&self.each).map_err(input("--each"))?;
        let each = EngineConfig::from_words(&each).map_err(input("--each"))?;
        for engine in &mut config.engine {
            engine.fill(&each);
        }
        self.games(&mut config)?;
        self.openings(&mut config)?;
        self.rest(&mut config)?;
        Ok(config)
    }

    fn games(&self, config: &mut EventConfig) -> Result<(), CliError> {
        if self.tc.is_some()
            || self.movetime.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
        {
            config.tc.clone_from(&self.tc);
            (config.movetime, config.nodes, config.depth) = (self.movetime, self.nodes, self.depth);
        }
        config.margin = self.margin.or(config.margin);
        set(&mut config.rules, self.rules);
        config.natural_limit = self.natural_limit.or(config.natural_limit);
        set(&mut config.max_plies, self.max_plies);
        config.material |= self.material;
        config.draw_offers &= !self.no_draw_offers;
        config.warn_forbidden |= self.warn_forbidden;
        if !self.resign.is_empty() {
            let mut words = Words::new("--resign", &self.resign)?;
            config.resign = Some(ResignRule {
                score: words.need("score")?,
                moves: words.need("moves")?,
                one_sided: words.flag("one-sided"),
            });
            words.done()?;
        }
        if !self.draw.is_empty() {
            let mut words = Words::new("--draw", &self.draw)?;
            config.draw = Some(DrawRule {
                after: words.take("after")?.unwrap_or(0),
                score: words.need("score")?,
                moves: words.need("moves")?,
            });
            words.done()?;
        }
        Ok(())
    }

    fn openings(&self, config: &mut EventConfig) -> Result<(), CliError> {
        let openings = &mut config.openings;
        set(&mut openings.source, self.openings.clone());
        openings.shuffle |= self.shuffle;
        set(&mut openings.skip, self.opening_skip);
        openings.plies = self.opening_plies.or(openings.plies);
        openings.window = self.opening_window.or(openings.window);
        if !self.opening_judge.is_empty() {
            let failed = |e| CliError::Input(format!("--opening-judge: {e}"));
            let words = one_string(&self.opening_judge).map_err(failed)?;
            openings.judge = Some(EngineConfig::from_words(&words).map_err(failed)?);
        }
        set(&mut config.seed, self.seed);
        Ok(())
    }

    fn rest(&self, config: &mut EventConfig) -> Result<(), CliError> {
        set(&mut config.format, self.format);
        if !self.sprt.is_empty() {
            let mut words = Words::new("--sprt", &self.sprt)?;
            let model = match words.text("model").as_deref() {
                None | Some("normalized" | "normalised") => EloModel::Normalized,
                Some("logistic") => EloModel::Logistic,
                Some(other) => {
                    return Err(CliError::Input(format!(
                        "--sprt: model={other}: normalized or logistic is needed"
                    )));
                }
            };
            config.sprt = Some(Sprt {
                elo0: words.need("elo0")?,
                elo1: words.need("elo1")?,
                alpha: words.take("alpha")?.unwrap_or(0.05),
                beta: words.take("beta")?.unwrap_or(0.05),
                model,
            });
            words.done()?;
            config.games = 40_000;
        }
        set(&mut config.games, self.games);
        set(&mut config.rounds, self.rounds);
        set(&mut config.event, self.event.clone());
        set(&mut config.withdraw_after, self.withdraw_after);
        set(&mut config.handshake_timeout, self.handshake_timeout);
        set(&mut config.ready_timeout, self.ready_timeout);
        set(&mut config.search_timeout, self.search_timeout);
        set(&mut config.stderr_limit, self.stderr_limit);
        Ok(())
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// A single argument with blanks is split: `--engine "name=A cmd=./a"` is taken too.
fn one_string(words: &[String]) -> Result<Vec<String>, String> {
    match words {
        [one]
            if one.contains(' ') && one.matches('=').count() > 1 && one.contains(" cmd=")
                || one.starts_with("cmd=") && one.contains(" name=") =>
        {
            split_words(one)
        }
        _ => Ok(words.to_vec()),
    }
}

fn read_toml(path: &Path) -> Result<EventConfig, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| CliError::Input(format!("{}: {e}", path.display())))?;
    toml::from_str(&text).map_err(|e| {
        let before = e.span().and_then(|s| text.get(..s.start)).unwrap_or("");
        let place = before.matches('\n').count() + 1;
        let what = e.message().lines().next().unwrap_or("").to_string();
        CliError::Input(format!("{}: line {}: {what}", path.display(), place))
    })
}

/// `key=value` words of a flag.
pub(super) struct Words<'a> {
    flag: &'a str,
    words: Vec<(String, String)>,
}

impl<'a> Words<'a> {
    pub(super) fn new(flag: &'a str, words: &[String]) -> Result<Words<'a>, CliError> {
        let mut list = Vec::new();
        for word in words.iter().flat_map(|w| w.split_whitespace()) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            if list.iter().any(|(k, _)| k == key) {
                return Err(CliError::Input(format!("{flag}: {key} is given twice")));
            }
            list.push((key.to_string(), value.to_string()));
        }
        Ok(Words { flag, words: list })
    }

    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        let i = self.words.iter().position(|w| w.0 == key)?;
        Some(self.words.swap_remove(i).1)
    }

    fn take<T: std::str::FromStr>(&mut self, key: &str) -> Result<Option<T>, CliError> {
        match self.text(key) {
            None => Ok(None),
            Some(value) => value.parse().map(Some).map_err(|_| {
                CliError::Input(format!("{}: {key}={value}: a number is needed", self.flag))
            }),
        }
    }

    pub(super) fn need<T: std::str::FromStr>(&mut self, key: &str) -> Result<T, CliError> {
        self.take(key)?
            .ok_or_else(|| CliError::Input(format!("{}: {key}= is missing", self.flag)))
    }

    fn flag(&mut self, key: &str) -> bool {
        self.text(key).is_some()
    }

    pub(super) fn done(self) -> Result<(), CliError> {
        match self.words.first() {
            None => Ok(()),
            Some((key, _)) => Err(CliError::Input(format!(
                "{}: unknown word {key:?}",
                self.flag
            ))),
        }
    }
}
