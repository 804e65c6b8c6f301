//! What is known of an engine before it is started: command, protocol, options, and the limits it
//! plays under. Read from `key=value` words or from a TOML file.

use super::clock::TimeControl;
use super::words::{nearest, split_words};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Which protocol an engine is spoken to in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Found out: UCI is tried first, then UCCI.
    #[default]
    Auto,
    /// UCI, ranks 0–9; ranks 1–10 if the engine offers the variant `xiangqi`.
    Uci,
    /// UCCI 3.0.
    Ucci,
    /// UCI with ranks 1–10 and `UCI_Variant`, as Fairy-Stockfish speaks it.
    Fsf,
}

/// What limits the thinking on each move. Without any limit a game cannot be played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitText {
    /// Time control, such as `2+0.02`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Milliseconds for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds a move may be late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<u64>,
}

/// Limits, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The clock.
    pub control: Option<TimeControl>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
    /// How late a move may be.
    pub margin: Duration,
}

impl LimitText {
    /// These limits where given, else those of the event.
    ///
    /// # Errors
    /// Unreadable time control, or no limit at all.
    pub fn or(&self, event: &LimitText) -> Result<Limits, String> {
        // An engine with any limit of its own does not mix it with the event's.
        let own = self.tc.is_some()
            || self.movetime.is_some()
            || self.nodes.is_some()
            || self.depth.is_some();
        let from = if own { self } else { event };
        let limits = Limits {
            control: from.tc.as_deref().map(str::parse).transpose()?,
            movetime: from.movetime.map(Duration::from_millis),
            nodes: from.nodes,
            depth: from.depth,
            margin: Duration::from_millis(self.margin.or(event.margin).unwrap_or(50)),
        };
        if limits.control.is_none()
            && limits.movetime.is_none()
            && limits.nodes.is_none()
            && limits.depth.is_none()
        {
            return Err(
                "no limit for the moves: give a time control (tc=2+0.02), movetime=, \
                        nodes= or depth="
                    .into(),
            );
        }
        Ok(limits)
    }
}

/// An engine as the user describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Its name in tables and records.
    #[serde(default)]
    pub name: String,
    /// The program; words after it are arguments.
    #[serde(default)]
    pub cmd: String,
    /// Further arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Protocol.
    #[serde(default)]
    pub proto: Protocol,
    /// Options, in this order.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub option: Map<String, Value>,
    /// Thinks on the opponent's time.
    #[serde(default)]
    pub ponder: bool,
    /// Own limits, for odds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Own limit: milliseconds a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Own limit: nodes a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Own limit: depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Own margin in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<u64>,
}

const KEYS: [&str; 14] = [
    "name",
    "cmd",
    "arg",
    "args",
    "dir",
    "proto",
    "ponder",
    "tc",
    "movetime",
    "nodes",
    "depth",
    "margin",
    "env.NAME",
    "option.NAME",
];

impl EngineConfig {
    /// Reads `key=value` words.
    ///
    /// # Errors
    /// A word that is no pair, an unknown key, a value out of range.
    pub fn from_words<S: AsRef<str>>(words: &[S]) -> Result<EngineConfig, String> {
        let mut engine = EngineConfig::default();
        for word in words {
            engine.set(word.as_ref())?;
        }
        Ok(engine)
    }

    /// Takes one `key=value` word.
    ///
    /// # Errors
    /// As [`EngineConfig::from_words`].
    pub fn set(&mut self, word: &str) -> Result<(), String> {
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!(
                "{word:?} is no key=value; keys are {}",
                KEYS.join(" ")
            ));
        };
        let number = || {
            value
                .parse::<u64>()
                .map_err(|_| format!("{key}={value}: a whole number is needed"))
        };
        match key {
            "name" => self.name = value.into(),
            "cmd" => self.cmd = value.into(),
            "arg" => self.args.push(value.into()),
            "args" => self.args.extend(split_words(value)?),
            "dir" => self.dir = Some(value.into()),
            "proto" => self.proto = parse_protocol(value)?,
            "ponder" => self.ponder = parse_switch(key, value)?,
            "tc" => self.tc = Some(value.into()),
            "movetime" => self.movetime = Some(number()?),
            "nodes" => self.nodes = Some(number()?),
            "depth" => {
                self.depth =
                    Some(u32::try_from(number()?).map_err(|_| format!("depth={value}: too deep"))?);
            }
            "margin" => self.margin = Some(number()?),
            _ => match (key.strip_prefix("option."), key.strip_prefix("env.")) {
                (Some(name), _) if !name.is_empty() => {
                    self.option.insert(name.into(), value.into());
                }
                (_, Some(name)) if !name.is_empty() => {
                    self.env.insert(name.into(), value.into());
                }
                _ => {
                    let hint = nearest(key, KEYS)
                        .map_or(String::new(), |k| format!("; did you mean {k}?"));
                    return Err(format!(
                        "unknown key {key:?} (known: {}){hint}",
                        KEYS.join(" ")
                    ));
                }
            },
        }
        Ok(())
    }

    /// Fills what is not given from `defaults` (`--each`).
    pub fn fill(&mut self, defaults: &EngineConfig) {
        if self.cmd.is_empty() {
            self.cmd.clone_from(&defaults.cmd);
        }
        if self.args.is_empty() {
            self.args.clone_from(&defaults.args);
        }
        if self.proto == Protocol::Auto {
            self.proto = defaults.proto;
        }
        if self.dir.is_none() {
            self.dir.clone_from(&defaults.dir);
        }
        for (k, v) in &defaults.env {
            self.env.entry(k.clone()).or_insert_with(|| v.clone());
        }
        for (k, v) in &defaults.option {
            if !self.option.contains_key(k) {
                self.option.insert(k.clone(), v.clone());
            }
        }
        self.ponder |= defaults.ponder;
        let limited = self.tc.is_some()
            || self.movetime.is_some()
            || self.nodes.is_some()
            || self.depth.is_some();
        if !limited {
            self.tc.clone_from(&defaults.tc);
            (self.movetime, self.nodes, self.depth) =
                (defaults.movetime, defaults.nodes, defaults.depth);
        }
        self.margin = self.margin.or(defaults.margin);
    }

    /// The engine's own limits as text.
    pub fn limits(&self) -> LimitText {
        LimitText {
            tc: self.tc.clone(),
            movetime: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
            margin: self.margin,
        }
    }

    /// The options as text, in order.
    pub fn option_texts(&self) -> Vec<(String, String)> {
        self.option
            .iter()
            .map(|(k, v)| match v {
                Value::String(s) => (k.clone(), s.clone()),
                other => (k.clone(), other.to_string()),
            })
            .collect()
    }

    /// Program and arguments.
    ///
    /// # Errors
    /// No command, or one with an open quote.
    pub fn program(&self) -> Result<(String, Vec<String>), String> {
        if self.cmd.trim().is_empty() {
            return Err(format!("engine {:?}: no command (cmd=…)", self.name));
        }
        let mut words = if Path::new(&self.cmd).is_file() {
            vec![self.cmd.clone()]
        } else {
            split_words(&self.cmd)?
        };
        let program = words.remove(0);
        words.extend(self.args.iter().cloned());
        Ok((program, words))
    }

    /// The process to start. The program's path is taken from where we are, not from `dir`.
    pub(super) fn command(&self) -> Result<Command, String> {
        let (program, args) = self.program()?;
        let path = Path::new(&program);
        let path = if path.components().count() > 1 {
            path.canonicalize()
                .map_err(|e| format!("engine {:?}: {program}: {e}", self.name))?
        } else {
            path.to_path_buf()
        };
        let mut command = Command::new(path);
        command.args(args).envs(&self.env);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        Ok(command)
    }
}

impl fmt::Display for EngineConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

fn parse_protocol(text: &str) -> Result<Protocol, String> {
    match text.to_ascii_lowercase().as_str() {
        "auto" => Ok(Protocol::Auto),
        "uci" => Ok(Protocol::Uci),
        "ucci" => Ok(Protocol::Ucci),
        "fsf" => Ok(Protocol::Fsf),
        _ => Err(format!("proto={text}: auto, uci, ucci or fsf is needed")),
    }
}

fn parse_switch(key: &str, text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => Err(format!("{key}={text}: true or false is needed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_toml_say_the_same() {
        let words = EngineConfig::from_words(&[
            "name=A",
            "cmd=./chuhe",
            "proto=ucci",
            "option.hashsize=64",
            "env.X=1",
            "tc=2+0.02",
            "args=a 'b c'",
        ])
        .unwrap();
        let file: EngineConfig = toml::from_str(
            "name='A'\ncmd='./chuhe'\nproto='ucci'\nargs=['a','b c']\ntc='2+0.02'\n\
             [option]\nhashsize=64\n[env]\nX='1'\n",
        )
        .unwrap();
        assert_eq!(words.option_texts(), file.option_texts());
        assert_eq!((&words.args, &words.env), (&file.args, &file.env));
        assert_eq!(words.proto, Protocol::Ucci);
    }

    #[test]
    fn mistakes_are_named() {
        let e = EngineConfig::from_words(&["nam=A"]).unwrap_err();
        assert!(e.contains("did you mean name?"), "{e}");
        for bad in ["name", "proto=cecp", "nodes=x", "ponder=maybe", "option.=1"] {
            assert!(EngineConfig::from_words(&[bad]).is_err(), "{bad}");
        }
        assert!(LimitText::default().or(&LimitText::default()).is_err());
    }
}
