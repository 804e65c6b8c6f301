//! What an event is: everything that decides which games are played and how. Stands at the head
//! of its state file, so that it can be resumed, and its shards joined.

use super::adjudicate::{DrawRule, ResignRule};
use super::client::Patience;
use super::engine_config::{EngineConfig, LimitText, Limits};
use super::game::GameRules;
use super::referee::RuleBook;
use super::sprt::Sprt;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::Duration;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Everyone meets everyone (循环制); with two engines, a match.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Swiss system (积分编排制).
    Swiss,
    /// Knock-out (淘汰制).
    Knockout,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpeningConfig {
    /// `suite` (the balanced lines that come with the program), `start`, `random:PLIES`, or a file:
    /// one opening a line, or game records.
    pub source: String,
    /// Shuffle the file by the seed.
    pub shuffle: bool,
    /// Begin with this opening of the file, from 0.
    pub skip: usize,
    /// Play no more than so many plies of each line of the file.
    pub plies: Option<usize>,
    /// Keep random openings whose score is within so many hundredths of a pawn ...
    pub window: Option<i32>,
    /// ... by this engine.
    pub judge: Option<EngineConfig>,
}

impl Default for OpeningConfig {
    fn default() -> OpeningConfig {
        OpeningConfig {
            source: "suite".into(),
            shuffle: false,
            skip: 0,
            plies: None,
            window: None,
            judge: None,
        }
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventConfig {
    /// Its name in records.
    pub event: String,
    /// Who meets whom.
    pub format: Format,
    /// Games in each encounter, an even number: openings are played with both colours.
    pub games: usize,
    /// Rounds of a Swiss event.
    pub rounds: usize,
    /// For everything drawn by lot.
    pub seed: u64,
    /// Openings.
    pub openings: OpeningConfig,
    /// Time control for engines without limits of their own.
    pub tc: Option<String>,
    /// Milliseconds a move, likewise.
    pub movetime: Option<u64>,
    /// Nodes a move, likewise.
    pub nodes: Option<u64>,
    /// Depth, likewise.
    pub depth: Option<u32>,
    /// Milliseconds a move may be late.
    pub margin: Option<u64>,
    /// Rule book.
    pub rules: RuleBook,
    /// Rounds without capture that draw, 0 for no limit; `None` leaves it to the rule book.
    pub natural_limit: Option<u16>,
    /// Longest game in plies, 0 for no limit.
    pub max_plies: usize,
    /// Resignation by scores.
    pub resign: Option<ResignRule>,
    /// Draw by scores.
    pub draw: Option<DrawRule>,
    /// Draw what nobody can win.
    pub material: bool,
    /// Let engines offer draws.
    pub draw_offers: bool,
    /// Tell engines which moves would lose by repetition.
    pub warn_forbidden: bool,
    /// Sequential test of the first two engines.
    pub sprt: Option<Sprt>,
    /// An engine that cannot be started for so many games withdraws; 0: never.
    pub withdraw_after: usize,
    /// Seconds for `uciok`/`ucciok`.
    pub handshake_timeout: u64,
    /// Seconds for `readyok`.
    pub ready_timeout: u64,
    /// Seconds for a move without a clock.
    pub search_timeout: u64,
    /// Megabytes an engine may write to standard error.
    pub stderr_limit: u64,
    /// The engines.
    pub engine: Vec<EngineConfig>,
}

impl Default for EventConfig {
    fn default() -> EventConfig {
        EventConfig {
            event: "chuhe match".into(),
            format: Format::RoundRobin,
            games: 2,
            rounds: 0,
            seed: 1,
            openings: OpeningConfig::default(),
            tc: None,
            movetime: None,
            nodes: None,
            depth: None,
            margin: None,
            rules: RuleBook::default(),
            natural_limit: None,
            max_plies: 0,
            resign: None,
            draw: None,
            material: false,
            draw_offers: true,
            warn_forbidden: false,
            sprt: None,
            withdraw_after: 4,
            handshake_timeout: 10,
            ready_timeout: 30,
            search_timeout: 120,
            stderr_limit: 64,
            engine: Vec::new(),
        }
    }
}

impl EventConfig {
    /// Complains of what cannot be played, and names engines that have no name.
    ///
    /// # Errors
    /// The first thing wrong.
    pub fn check(&mut self) -> Result<(), String> {
        for (i, engine) in self.engine.iter_mut().enumerate() {
            if engine.name.is_empty() {
                let program = engine.program()?.0;
                let file = std::path::Path::new(&program).file_stem();
                engine.name = file.map_or_else(
                    || format!("engine{}", i + 1),
                    |s| s.to_string_lossy().into_owned(),
                );
            }
        }
        let mut names = HashSet::new();
        for engine in &self.engine {
            engine.program()?;
            if !names.insert(engine.name.as_str()) {
                return Err(format!(
                    "two engines are called {:?}: give them names (name=…)",
                    engine.name
                ));
            }
        }
        if self.engine.len() < 2 {
            return Err(format!(
                "an event needs two engines, {} given (--engine name=A cmd=…)",
                self.engine.len()
            ));
        }
        if self.games == 0 || self.games % 2 == 1 {
            return Err(format!(
                "games {}: an even number is needed, for each opening is played with both colours",
                self.games
            ));
        }
        if let Some(sprt) = &self.sprt {
            sprt.check()?;
            if self.engine.len() != 2 {
                return Err("sprt: compares two engines, no more".into());
            }
        }
        if self.format == Format::Swiss && self.rounds == 0 {
            // Enough rounds to single out a winner.
            self.rounds = usize::BITS as usize - (self.engine.len() - 1).leading_zeros() as usize;
        }
        self.limits().map(|_| ())
    }

    /// The limits of each engine.
    ///
    /// # Errors
    /// An engine without a readable limit.
    pub fn limits(&self) -> Result<Vec<Limits>, String> {
        let event = LimitText {
            tc: self.tc.clone(),
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            margin: self.margin,
        };
        self.engine
            .iter()
            .map(|e| {
                e.limits()
                    .or(&event)
                    .map_err(|why| format!("engine {:?}: {why}", e.name))
            })
            .collect()
    }

    /// The limits in words, for records.
    pub fn limit_text(&self, engine: usize) -> String {
        let own = self.engine.get(engine).map(EngineConfig::limits);
        let own = own.unwrap_or_default();
        let any = |l: &LimitText| {
            l.tc.clone()
                .or(l.movetime.map(|t| format!("{t} ms a move")))
                .or(l.nodes.map(|n| format!("{n} nodes")))
                .or(l.depth.map(|d| format!("depth {d}")))
        };
        any(&own)
            .or_else(|| {
                any(&LimitText {
                    tc: self.tc.clone(),
                    movetime: self.movetime,
                    nodes: self.nodes,
                    depth: self.depth,
                    margin: None,
                })
            })
            .unwrap_or_else(|| "-".into())
    }

    /// What holds for every game.
    pub fn game_rules(&self) -> GameRules {
        GameRules {
            book: self.rules,
            natural_limit: self.natural_limit,
            max_plies: self.max_plies,
            resign: self.resign.clone(),
            draw: self.draw.clone(),
            material: self.material,
            draw_offers: self.draw_offers,
            warn_forbidden: self.warn_forbidden,
            search_patience: Duration::from_secs(self.search_timeout),
        }
    }

    /// How patient we are.
    pub fn patience(&self) -> Patience {
        Patience {
            handshake: Duration::from_secs(self.handshake_timeout),
            ready: Duration::from_secs(self.ready_timeout),
            search: Duration::from_secs(self.search_timeout),
            stderr_bytes: self.stderr_limit << 20,
            ..Patience::default()
        }
    }

    /// The most pairs of games the event can have.
    pub fn most_pairs(&self) -> usize {
        let n = self.engine.len();
        let each = self.games / 2;
        match self.format {
            Format::RoundRobin => n * (n - 1) / 2 * each,
            Format::Gauntlet => (n - 1) * each,
            Format::Swiss => self.rounds * (n / 2) * each,
            Format::Knockout => n * (each + super::schedule::EXTRA_PAIRS),
        }
    }
}
