//! One game: two clients, two clocks, a referee. Every way a game can end has its own word.

use super::adjudicate::{Adjudicator, Decision, DrawRule, ResignRule};
use super::client::{Abort, Client, Failure, Reply};
use super::clock::Clock;
use super::dialect::{Answer, ClockText, Dialect, GameText, Go};
use super::engine_config::Limits;
use super::openings::Opening;
use super::record::{MoveRecord, Outcome};
use super::referee::{Referee, RuleBook};
use crate::position::Position;
use crate::types::{Color, Move};
use std::time::Duration;

/// What holds for every game of an event.
#[derive(Clone, Debug)]
pub struct GameRules {
    /// Rule book.
    pub book: RuleBook,
    /// Rounds without a capture that draw; 0 for no limit.
    pub natural_limit: u32,
    /// Plies after which a game is drawn; 0 for no limit.
    pub max_plies: usize,
    /// Resignation by scores.
    pub resign: Option<ResignRule>,
    /// Draw by scores.
    pub draw: Option<DrawRule>,
    /// Positions nobody can win are drawn.
    pub material: bool,
    /// Engines may offer draws.
    pub draw_offers: bool,
    /// Engines are told of moves that would lose by repetition.
    pub warn_forbidden: bool,
    /// Longest wait for a move without a clock.
    pub search_patience: Duration,
}

/// How the engines' own account of time differs from ours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lag {
    /// Moves compared.
    pub moves: u64,
    /// Sum of the differences in milliseconds.
    pub total_ms: f64,
    /// Greatest difference in milliseconds.
    pub max_ms: f64,
}

impl Lag {
    fn note(&mut self, reply: &Reply) {
        if let Some(own) = reply.thought.time {
            let lag = reply.elapsed.as_secs_f64() * 1e3 - own as f64;
            self.moves += 1;
            self.total_ms += lag;
            self.max_ms = self.max_ms.max(lag);
        }
    }

    /// Adds what another game saw.
    pub fn add(&mut self, other: &Lag) {
        self.moves += other.moves;
        self.total_ms += other.total_ms;
        self.max_ms = self.max_ms.max(other.max_ms);
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Result; `None` if the event was given up.
    pub result: Option<Outcome>,
    /// Word for the end.
    pub termination: &'static str,
    /// The end in a sentence.
    pub reason: String,
    /// Fouls of Red and Black.
    pub fouls: [u32; 2],
    /// The moves, those of the opening included.
    pub moves: Vec<MoveRecord>,
    /// Which engines must be started afresh.
    pub broken: [bool; 2],
    /// Time accounts compared.
    pub lag: Lag,
}

struct Runner<'a> {
    rules: &'a GameRules,
    limits: [&'a Limits; 2],
    clocks: [Option<Clock<'a>>; 2],
    referee: Referee,
    text: GameText,
    adjudicator: Adjudicator,
    offer: Option<Color>,
    last_offer: Option<Color>,
    played: Played,
}

/// Plays a game; `clients` and `limits` are Red's and Black's.
pub fn play(
    opening: &Opening,
    clients: &mut [Client; 2],
    limits: [&Limits; 2],
    ponder: [bool; 2],
    rules: &GameRules,
    abort: Abort<'_>,
) -> Played {
    let mut runner = match Runner::new(opening, limits, rules) {
        Ok(runner) => runner,
        Err(reason) => {
            return Played {
                reason,
                ..empty_game("bad_opening")
            };
        }
    };
    for color in Color::ALL {
        if let Err(failure) = clients[color.index()].new_game(abort) {
            runner.fail(color, &failure);
            return runner.played;
        }
    }
    while !runner.over() {
        let color = runner.referee.position().stm();
        runner.ply(color, clients, ponder[color.index()], abort);
    }
    for color in Color::ALL {
        if !runner.played.broken[color.index()]
            && clients[color.index()].stop_pondering(abort).is_err()
        {
            runner.played.broken[color.index()] = true;
        }
    }
    runner.played
}

fn empty_game(termination: &'static str) -> Played {
    Played {
        result: None,
        termination,
        reason: String::new(),
        fouls: [0, 0],
        moves: Vec::new(),
        broken: [false, false],
        lag: Lag::default(),
    }
}

/// The word for a failure in a game's record.
pub fn failure_word(failure: &Failure) -> &'static str {
    match failure {
        Failure::NoStart(_) | Failure::NoHandshake(_) => "no_handshake",
        Failure::Crash(_) => "crash",
        Failure::Disconnect => "disconnect",
        Failure::Stall => "stall",
        Failure::Garbage(_) => "garbage",
        Failure::StderrFlood => "stderr_flood",
        Failure::Aborted => "aborted",
    }
}

impl<'a> Runner<'a> {
    fn new(
        opening: &Opening,
        limits: [&'a Limits; 2],
        rules: &'a GameRules,
    ) -> Result<Runner<'a>, String> {
        let start = Position::from_fen(&opening.fen).map_err(|e| e.to_string())?;
        let mut runner = Runner {
            rules,
            limits,
            clocks: limits.map(|l| l.control.as_ref().map(Clock::new)),
            text: GameText {
                start: start.fen(),
                moves: Vec::new(),
                base: (start.fen(), 0),
            },
            referee: Referee::new(rules.book, rules.natural_limit, start),
            adjudicator: Adjudicator::default(),
            offer: None,
            last_offer: None,
            played: empty_game(""),
        };
        for &m in &opening.moves {
            runner.referee.play(m).map_err(|e| e.to_string())?;
            runner.moved(
                m,
                MoveRecord {
                    m: m.to_string(),
                    ..MoveRecord::default()
                },
            );
        }
        Ok(runner)
    }

    /// Books a move the referee has accepted.
    fn moved(&mut self, m: Move, record: MoveRecord) {
        self.text.moves.push(m);
        self.played.moves.push(record);
        if self.referee.position().last_captured().is_some() {
            self.text.base = (self.referee.position().fen(), self.text.moves.len());
        }
    }

    fn finish(&mut self, result: Outcome, termination: &'static str, reason: String) {
        self.played.result = Some(result);
        self.played.termination = termination;
        self.played.reason = reason;
    }

    fn lose(&mut self, loser: Color, termination: &'static str, reason: String) {
        let result = match loser {
            Color::Red => Outcome::Black,
            Color::Black => Outcome::Red,
        };
        self.finish(result, termination, reason);
    }

    /// An engine failed: it loses and is started afresh.
    fn fail(&mut self, color: Color, failure: &Failure) {
        self.played.broken[color.index()] = true;
        if *failure == Failure::Aborted {
            self.played.broken = [true, true];
            self.played.termination = "aborted";
            return;
        }
        self.played.fouls[color.index()] += 1;
        self.lose(color, failure_word(failure), format!("{color} {failure}"));
    }

    /// Whether the game has ended, by rule or otherwise.
    fn over(&mut self) -> bool {
        if !self.played.termination.is_empty() {
            return true;
        }
        if let Some(v) = self.referee.verdict() {
            match v.winner {
                Some(winner) => self.lose(!winner, v.code, v.explanation),
                None => self.finish(Outcome::Draw, v.code, v.explanation),
            }
            return true;
        }
        if self.rules.material && self.referee.certain_draw() {
            self.finish(
                Outcome::Draw,
                "adjudicated_material",
                "neither side has the material to mate".into(),
            );
        } else if self.rules.max_plies > 0 && self.text.moves.len() >= self.rules.max_plies {
            let reason = format!("{} plies are played", self.rules.max_plies);
            self.finish(Outcome::Draw, "max_length", reason);
        }
        !self.played.termination.is_empty()
    }

    fn go(&self, color: Color) -> Go {
        let limits = self.limits[color.index()];
        let clock = |c: usize| {
            self.clocks[c].as_ref().map(|clock| ClockText {
                remaining: clock.remaining(),
                increment: clock.increment(),
                moves_to_go: clock.moves_to_go(),
            })
        };
        // Whose opponent has no clock hears his own twice.
        let clocks = clock(color.index()).map(|own| {
            let other = clock((!color).index()).unwrap_or(own);
            match color {
                Color::Red => [own, other],
                Color::Black => [other, own],
            }
        });
        let banned = if self.rules.warn_forbidden {
            let banned = self.referee.forbidden();
            let rest: Vec<Move> = self
                .referee
                .position()
                .legal_moves()
                .iter()
                .copied()
                .filter(|m| !banned.contains(m))
                .collect();
            (banned, rest)
        } else {
            (Vec::new(), Vec::new())
        };
        Go {
            clocks,
            red: color == Color::Red,
            movetime: limits.movetime,
            nodes: limits.nodes,
            depth: limits.depth,
            draw: self.offer == Some(!color),
            ponder: false,
            banned,
        }
    }

    /// How long we wait for a move.
    fn patience(&self, color: Color) -> Duration {
        let limits = self.limits[color.index()];
        let clock = self.clocks[color.index()].as_ref().map(Clock::remaining);
        match (clock, limits.movetime) {
            (Some(a), Some(b)) => a.min(b) + limits.margin,
            (Some(a), None) | (None, Some(a)) => a + limits.margin,
            (None, None) => self.rules.search_patience,
        }
    }

    fn ply(&mut self, color: Color, clients: &mut [Client; 2], ponder: bool, abort: Abort<'_>) {
        clients[color.index()].hear_pondering();
        let go = self.go(color);
        let limit = self.patience(color);
        let reply = match clients[color.index()].go(&self.text, &go, limit, abort) {
            Ok(reply) => reply,
            Err(failure) => return self.fail(color, &failure),
        };
        self.played.lag.note(&reply);
        let margin = self.limits[color.index()].margin;
        let in_time = match &mut self.clocks[color.index()] {
            Some(clock) => clock.book(reply.elapsed, margin),
            None => true,
        };
        if reply.late || !in_time {
            let reason = format!(
                "{color} oversteps the time: {} ms used, {} ms were left, margin included",
                reply.elapsed.as_millis(),
                limit.as_millis()
            );
            return self.lose(color, "time", reason);
        }
        self.answered(color, clients, &reply, ponder);
    }

    fn answered(&mut self, color: Color, clients: &mut [Client; 2], reply: &Reply, ponder: bool) {
        let (m, draw) = match &reply.answer {
            Answer::Garbled(text) => {
                return self.fail(color, &Failure::Garbage(text.clone()));
            }
            Answer::None => {
                return self.lose(
                    color,
                    "resignation",
                    format!("{color} names no move, which is giving up"),
                );
            }
            Answer::Move { resign: true, .. } => {
                return self.lose(color, "resignation", format!("{color} resigns"));
            }
            Answer::Move { mv, draw, .. } => (*mv, *draw),
        };
        // An offer that is met is agreed; the move is not played.
        if draw && self.rules.draw_offers && self.offer == Some(!color) {
            let reason = "both sides agree to a draw".into();
            return self.finish(Outcome::Draw, "agreement", reason);
        }
        if let Err(e) = self.referee.play(m) {
            self.played.fouls[color.index()] += 1;
            return self.lose(color, "illegal_move", format!("{color}: {e}"));
        }
        self.offer = None;
        if draw && self.rules.draw_offers {
            // Art. 23.1: offers must alternate; a second one in a row is a foul and not heard.
            if self.last_offer == Some(color) {
                self.played.fouls[color.index()] += 1;
            } else {
                self.last_offer = Some(color);
                if clients[(!color).index()].dialect() == Dialect::Ucci {
                    self.offer = Some(color);
                }
            }
        }
        self.moved(
            m,
            MoveRecord {
                m: m.to_string(),
                s: reply.thought.score,
                d: reply.thought.depth,
                t: Some(reply.elapsed.as_millis() as u64),
                n: reply.thought.nodes,
            },
        );
        self.adjudicate(color, reply.thought.score);
        if let (
            true,
            Answer::Move {
                ponder: Some(p), ..
            },
        ) = (ponder, &reply.answer)
        {
            self.start_pondering(color, clients, *p);
        }
    }

    fn adjudicate(&mut self, color: Color, score: Option<i32>) {
        let number = self.text.moves.len().div_ceil(2) as u32;
        let decision = self.adjudicator.note(
            self.rules.resign.as_ref(),
            self.rules.draw.as_ref(),
            color,
            score,
            number,
        );
        // The rules come first.
        if decision.is_none() || self.referee.verdict().is_some() {
            return;
        }
        match decision {
            Some(Decision::Lost(loser)) => self.lose(
                loser,
                "adjudicated_loss",
                format!("the scores give {loser} up"),
            ),
            Some(Decision::Draw) => self.finish(
                Outcome::Draw,
                "adjudicated_draw",
                "the scores are level".into(),
            ),
            None => {}
        }
    }

    /// After `color`'s move: it goes on thinking, on the reply it expects.
    fn start_pondering(&mut self, color: Color, clients: &mut [Client; 2], expected: Move) {
        let position = self.referee.position();
        if !self.played.termination.is_empty()
            || !position.is_legal(expected)
            || self.referee.verdict().is_some()
        {
            return;
        }
        let mut text = self.text.clone();
        let mut after = position.clone();
        after.make(expected);
        if after.legal_moves().is_empty() {
            return;
        }
        text.moves.push(expected);
        if after.last_captured().is_some() {
            text.base = (after.fen(), text.moves.len());
        }
        let mut go = self.go(color);
        (go.ponder, go.draw, go.banned) = (true, false, (Vec::new(), Vec::new()));
        clients[color.index()].ponder(&text, &go);
    }
}
