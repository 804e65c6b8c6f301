//! `chuhe mock-engine` (hidden): an engine that plays moves by lot and misbehaves on demand, for
//! the tests of the match runner. Its play depends on nothing but the position and the seed.

use super::CliResult;
use crate::position::Position;
use crate::types::Move;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

/// What the engine does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Fault {
    /// Never says uciok.
    NoHandshake,
    /// Writes lines without end instead of uciok.
    ChatterAtStart,
    /// Leaves at once.
    ExitAtStart,
    /// Never says readyok.
    NoReady,
    /// Ends on go.
    Crash,
    /// Ends on a new game.
    CrashOnNewGame,
    /// Never answers go, nor stop.
    Stall,
    /// Answers go only after `--delay`.
    Late,
    /// Plays a move that is not legal.
    Illegal,
    /// Answers with a move that is none.
    Garbage,
    /// Writes a line without end.
    EndlessLine,
    /// Writes lines without end.
    Chatter,
    /// Writes to standard error without end.
    StderrFlood,
    /// Closes standard output and lives on.
    CloseStdout,
    /// Answers nobestmove or (none).
    NoMove,
    /// Resigns (UCCI).
    Resign,
    /// Does not leave on quit, nor at the end of input.
    IgnoreQuit,
}

/// An engine for tests
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Protocol: uci, fsf (ranks 1 to 10) or ucci
    #[arg(long, default_value = "uci")]
    proto: String,
    /// Decides the moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What to do wrong
    #[arg(long)]
    fault: Option<Fault>,
    /// On which go, from 1
    #[arg(long, default_value_t = 1)]
    on_go: u32,
    /// Milliseconds to think
    #[arg(long, default_value_t = 0)]
    think: u64,
    /// Milliseconds to be late
    #[arg(long, default_value_t = 1000)]
    delay: u64,
    /// Give up with this chance in percent on each move
    #[arg(long, default_value_t = 0)]
    resign_chance: u64,
    /// Offer draws on every move (UCCI)
    #[arg(long)]
    offer_draw: bool,
    /// Accept draws (UCCI)
    #[arg(long)]
    accept_draw: bool,
    /// Announce usemillisec (UCCI)
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    millis: bool,
    /// Write GBK text
    #[arg(long)]
    gbk: bool,
    /// Name a reply to ponder on
    #[arg(long)]
    ponder: bool,
    /// Score to tell
    #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
    score: i32,
    /// Moves played whenever one of them is legal and not forbidden, the first such
    #[arg(long, value_delimiter = ',', value_name = "MOVES")]
    prefer: Vec<Move>,
}

struct Mock<'a> {
    args: &'a Args,
    position: Position,
    banned: Vec<Move>,
    /// The only moves to choose from (`searchmoves`), if any are given.
    only: Vec<Move>,
    goes: u32,
    pondering: Option<String>,
}

pub(super) fn run(args: &Args) -> CliResult {
    if args.fault == Some(Fault::ExitAtStart) {
        eprintln!("mock: leaving at once");
        return Ok(ExitCode::from(3));
    }
    let mut mock = Mock {
        args,
        position: Position::startpos(),
        banned: Vec::new(),
        only: Vec::new(),
        goes: 0,
        pondering: None,
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if !mock.command(line.trim())? {
            break;
        }
    }
    while args.fault == Some(Fault::IgnoreQuit) {
        sleep(Duration::from_secs(1));
    }
    Ok(ExitCode::SUCCESS)
}

fn say(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// A number from a seed and a position.
fn lot(seed: u64, key: u64) -> u64 {
    let mut z = key ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Mock<'_> {
    fn ucci(&self) -> bool {
        self.args.proto == "ucci"
    }

    /// Obeys a line; false to leave.
    fn command(&mut self, line: &str) -> std::io::Result<bool> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" | "ucci" if (word == "ucci") == self.ucci() => self.hello()?,
            // A pure UCCI engine leaves on anything but `ucci`.
            "uci" if self.ucci() => return Ok(false),
            "isready" if self.args.fault != Some(Fault::NoReady) => say("readyok")?,
            "ucinewgame" => return Ok(self.new_game()),
            "setoption" if rest == "newgame" => return Ok(self.new_game()),
            "position" => {
                self.banned.clear();
                self.set_position(rest);
            }
            "banmoves" => {
                self.banned = rest
                    .split_whitespace()
                    .filter_map(|m| m.parse().ok())
                    .collect();
            }
            "go" => return self.go(rest),
            "ponderhit" => {
                if let Some(answer) = self.pondering.take() {
                    say(&answer)?;
                }
            }
            "stop" => {
                if let Some(answer) = self.pondering.take() {
                    say(&answer)?;
                }
            }
            "quit" if self.args.fault != Some(Fault::IgnoreQuit) => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn new_game(&self) -> bool {
        self.args.fault != Some(Fault::CrashOnNewGame)
    }

    fn hello(&self) -> std::io::Result<()> {
        if self.args.fault == Some(Fault::NoHandshake) {
            return Ok(());
        }
        while self.args.fault == Some(Fault::ChatterAtStart) {
            // Slowly enough that the limit of time and not that of bytes is met.
            say("info string la la la")?;
            sleep(Duration::from_micros(200));
        }
        if self.args.gbk {
            let mut out = std::io::stdout().lock();
            out.write_all(b"id name \xcf\xf3\xc6\xe5\n")?;
        } else {
            say("id name mock")?;
        }
        if self.ucci() {
            if self.args.millis {
                say("option usemillisec type check default true")?;
            }
            say("option hashsize type spin min 0 max 1024 default 16")?;
            return say("ucciok");
        }
        say("option name Hash type spin default 16 min 1 max 1024")?;
        say("option name Margin type spin default 10 min -100 max 100")?;
        if self.args.proto == "fsf" {
            say("option name UCI_Variant type combo default chess var chess var xiangqi")?;
        }
        say("uciok")
    }

    fn set_position(&mut self, text: &str) {
        let (setup, moves) = text.split_once("moves").unwrap_or((text, ""));
        let fen = setup.trim().trim_start_matches("fen").trim();
        let start = if fen.starts_with("startpos") {
            Ok(Position::startpos())
        } else {
            Position::from_fen(fen)
        };
        let Ok(mut position) = start else { return };
        for word in moves.split_whitespace() {
            let Some(m) = self.read_move(word) else { break };
            if position.play(m).is_err() {
                eprintln!("mock: illegal {word}");
                break;
            }
        }
        self.position = position;
    }

    fn read_move(&self, word: &str) -> Option<Move> {
        if self.args.proto != "fsf" {
            return word.parse().ok();
        }
        let split = word.char_indices().skip(1).find(|c| c.1.is_alphabetic())?.0;
        let square = |t: &str| -> Option<String> {
            Some(format!(
                "{}{}",
                t.get(..1)?,
                t.get(1..)?.parse::<u8>().ok()? - 1
            ))
        };
        (square(word.get(..split)?)? + &square(word.get(split..)?)?)
            .parse()
            .ok()
    }

    fn write_move(&self, m: Move) -> String {
        if self.args.proto != "fsf" {
            return m.to_string();
        }
        let square = |t: String| match t.get(1..).and_then(|r| r.parse::<u8>().ok()) {
            Some(rank) => format!("{}{}", &t[..1], rank + 1),
            None => t,
        };
        square(m.from().to_string()) + &square(m.to().to_string())
    }

    fn go(&mut self, rest: &str) -> std::io::Result<bool> {
        self.goes += 1;
        let chosen = rest
            .split_once("searchmoves")
            .map_or("", |(_, moves)| moves);
        self.only = chosen
            .split_whitespace()
            .map_while(|word| self.read_move(word))
            .collect();
        if let Some(fault) = self.args.fault.filter(|_| self.goes == self.args.on_go)
            && let Some(stay) = self.misbehave(fault)?
        {
            return Ok(stay);
        }
        sleep(Duration::from_millis(self.args.think));
        let draw = self.ucci()
            && (self.args.offer_draw
                || self.args.accept_draw && rest.split_whitespace().any(|w| w == "draw"));
        let answer = self.answer(draw)?;
        if rest.split_whitespace().any(|w| w == "ponder") {
            self.pondering = Some(answer);
        } else {
            say(&answer)?;
        }
        Ok(true)
    }

    fn none(&self) -> String {
        if self.ucci() {
            "nobestmove".into()
        } else {
            "bestmove (none)".into()
        }
    }

    fn answer(&self, draw: bool) -> std::io::Result<String> {
        let moves: Vec<Move> = self
            .position
            .legal_moves()
            .iter()
            .copied()
            .filter(|m| !self.banned.contains(m))
            .filter(|m| self.only.is_empty() || self.only.contains(m))
            .collect();
        let lot = lot(self.args.seed, self.position.key());
        if moves.is_empty() || lot % 100 < self.args.resign_chance {
            return Ok(self.none());
        }
        let preferred = self.args.prefer.iter().find(|m| moves.contains(m));
        let by_lot = moves[(lot >> 8) as usize % moves.len()];
        let m = preferred.copied().unwrap_or(by_lot);
        let score = self.args.score;
        let cp = if self.ucci() { "" } else { "cp " };
        let text = self.write_move(m);
        say(&format!(
            "info depth 1 score {cp}{score} nodes {} time {} pv {text}",
            moves.len(),
            self.args.think
        ))?;
        let mut answer = format!("bestmove {text}");
        let mut after = self.position.clone();
        after.make(m);
        let replies = after.legal_moves();
        let preferred = self.args.prefer.iter().find(|&&m| after.is_legal(m));
        if let (true, Some(&reply)) = (self.args.ponder, preferred.or(replies.first())) {
            answer.push_str(&format!(" ponder {}", self.write_move(reply)));
        }
        if draw {
            answer.push_str(" draw");
        }
        Ok(answer)
    }

    /// Does wrong; whether to stay, or `None` to answer in the normal way.
    fn misbehave(&self, fault: Fault) -> std::io::Result<Option<bool>> {
        let long = vec![b'x'; 1 << 16];
        match fault {
            Fault::Crash => {
                eprintln!("mock: crashing as asked");
                std::process::exit(7);
            }
            Fault::Stall => loop {
                sleep(Duration::from_secs(1));
            },
            Fault::Late => {
                sleep(Duration::from_millis(self.args.delay));
                Ok(None)
            }
            Fault::Illegal => {
                let m = if self.args.proto == "fsf" {
                    "a1a10"
                } else {
                    "a0a9"
                };
                say(&format!("bestmove {m}"))?;
                Ok(Some(true))
            }
            Fault::Garbage => {
                say("bestmove \u{fffd}?!")?;
                Ok(Some(true))
            }
            Fault::EndlessLine => loop {
                std::io::stdout().lock().write_all(&long)?;
            },
            Fault::Chatter => loop {
                say("info string la la la")?;
            },
            Fault::StderrFlood => loop {
                std::io::stderr().lock().write_all(&long)?;
                std::io::stderr().lock().write_all(b"\n")?;
            },
            Fault::CloseStdout => {
                close_stdout();
                loop {
                    sleep(Duration::from_secs(1));
                }
            }
            Fault::NoMove => {
                say(&self.none())?;
                Ok(Some(true))
            }
            Fault::Resign => {
                let moves = self.position.legal_moves();
                let m = moves.first().map_or(String::new(), |&m| self.write_move(m));
                say(&format!("bestmove {m} resign"))?;
                Ok(Some(true))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(unix)]
fn close_stdout() {
    let _ = nix::unistd::close(1);
}

#[cfg(not(unix))]
fn close_stdout() {}
