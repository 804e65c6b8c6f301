//! What is said of a whole game.

use super::assess::{Mark, ONLY_MOVE, accuracy, win_probability};
use super::opening::{Opening, opening_of};
use super::runner::Found;
use crate::position::Position;
use crate::records::Game;
use crate::rules::{Arbiter, Judgement, Lang, RuleSet, Verdict};
use crate::types::{Color, Move, Score, score};

/// A move of a game with what the engine thinks of it. Scores are for the side that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Who moved.
    pub side: Color,
    /// The move.
    pub mv: Move,
    /// Score of the best move.
    pub before: Score,
    /// Score of this move.
    pub after: Score,
    /// What it lost of the probability of winning, 0 to 1.
    pub loss: f64,
    /// Its mark.
    pub mark: Option<Mark>,
    /// The best line instead; where the best move was played, how it goes on from there.
    pub best: Vec<Move>,
    /// Depth of the search before the move.
    pub depth: u32,
}

impl MoveReport {
    /// Whether it lost at least a tenth.
    pub fn is_turning_point(&self) -> bool {
        matches!(self.mark, Some(Mark::Mistake | Mark::Blunder))
    }

    /// Whether the best move was played.
    pub fn is_best(&self) -> bool {
        self.best.first() == Some(&self.mv)
    }
}

/// Something the arbiter has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleEvent {
    /// After which move, from 1; 0 at the start.
    pub ply: usize,
    /// `cycle`, `must_vary`, or the code of the arbiter's reason for the end of the game.
    pub code: &'static str,
    /// Who must vary or loses.
    pub side: Option<Color>,
    /// In English.
    pub en: String,
    /// In Chinese.
    pub zh: String,
}

/// A side's play as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideReport {
    /// Its moves.
    pub moves: usize,
    /// How many of them were the best.
    pub best: usize,
    /// Mean accuracy, 0 to 100; `None` without a move.
    pub accuracy: Option<f64>,
    /// Mean loss of win probability; `None` without a move.
    pub loss: Option<f64>,
    /// How many `!`, `?!`, `?` and `??`.
    pub marks: [usize; 4],
}

/// A game as analysed.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// What it opens with, if it starts from the usual position and that says something.
    pub opening: Option<Opening>,
    /// Score of every position for Red, that of the start first.
    pub scores: Vec<Score>,
    /// The moves.
    pub moves: Vec<MoveReport>,
    /// What the arbiter says, in order.
    pub events: Vec<RuleEvent>,
    /// Red and Black.
    pub sides: [SideReport; 2],
    /// The best line at the end of the game, if it goes on.
    pub continuation: Vec<Move>,
}

/// The marks in the order of [`SideReport::marks`].
pub(super) const MARKS: [Mark; 4] = [Mark::Only, Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

impl GameReport {
    /// Puts together what was found at each position of the game's main line.
    pub(super) fn new(game: &Game, found: &[Found], rules: &RuleSet) -> GameReport {
        let played = game.moves();
        let mut side = game.start().stm();
        let mut moves = Vec::with_capacity(played.len());
        let mut scores = Vec::with_capacity(found.len());
        for (i, here) in found.iter().enumerate() {
            let for_red = if side == Color::Red {
                here.score
            } else {
                -here.score
            };
            scores.push(for_red);
            if let (Some(&mv), Some(next)) = (played.get(i), found.get(i + 1)) {
                moves.push(one_move(i + 1, side, mv, here, next));
            }
            side = !side;
        }
        let sides = Color::ALL.map(|c| side_report(&moves, c));
        GameReport {
            opening: opening_of(game),
            scores,
            moves,
            events: events(game, rules),
            sides,
            continuation: found.last().map(Found::line).unwrap_or_default(),
        }
    }

    /// The moves that turned the game: those that lost at least a tenth, in order.
    pub fn turning_points(&self) -> impl Iterator<Item = &MoveReport> {
        self.moves.iter().filter(|m| m.is_turning_point())
    }
}

fn one_move(ply: usize, side: Color, mv: Move, here: &Found, next: &Found) -> MoveReport {
    let best = here.line();
    let is_best = best.first() == Some(&mv);
    let after = if is_best {
        here.score
    } else {
        // A mate is one ply further away, seen from before the move.
        score::from_table(-next.score, 1)
    };
    let loss = (win_probability(here.score) - win_probability(after)).max(0.0);
    let only = here
        .second
        .is_some_and(|second| win_probability(here.score) - win_probability(second) >= ONLY_MOVE);
    MoveReport {
        ply,
        side,
        mv,
        before: here.score,
        after,
        loss,
        mark: if is_best && only {
            Some(Mark::Only)
        } else {
            Mark::of_loss(loss)
        },
        best,
        depth: here.depth,
    }
}

fn side_report(moves: &[MoveReport], side: Color) -> SideReport {
    let mut report = SideReport::default();
    let (mut exact, mut lost) = (0.0, 0.0);
    for m in moves.iter().filter(|m| m.side == side) {
        report.moves += 1;
        report.best += usize::from(m.is_best());
        exact += accuracy(m.loss);
        lost += m.loss;
        if let Some(i) = MARKS.iter().position(|&k| Some(k) == m.mark) {
            report.marks[i] += 1;
        }
    }
    if report.moves > 0 {
        report.accuracy = Some(exact / report.moves as f64);
        report.loss = Some(lost / report.moves as f64);
    }
    report
}

/// How far back the position stood last; `None` if it is new.
fn last_seen(p: &Position) -> Option<usize> {
    let reach = p.reversible_plies().min(p.ply_count());
    (2..=reach)
        .step_by(2)
        .find(|&back| p.key_back(back) == p.key())
}

fn events(game: &Game, rules: &RuleSet) -> Vec<RuleEvent> {
    let mut arbiter = Arbiter::new(*rules);
    let mut position = game.start().clone();
    let mut events: Vec<RuleEvent> = Vec::new();
    let mut in_cycle = false;
    let moves = game.moves();
    for ply in 0..=moves.len() {
        if ply > 0 {
            position.make(moves[ply - 1]);
        }
        let seen = last_seen(&position);
        if let (Some(back), false) = (seen, in_cycle) {
            events.push(RuleEvent {
                ply,
                code: "cycle",
                side: None,
                en: format!(
                    "The position after ply {} is on the board again: a cycle of {back} plies.",
                    ply - back
                ),
                zh: format!("第{}步后的局面再次出现：循环{back}步。", ply - back),
            });
        }
        in_cycle = seen.is_some();
        let judgement = arbiter.judge(&position);
        let event = event_of(&judgement, ply, rules);
        let last = events.last().map(|o| (o.code, o.side));
        let told = |e: &RuleEvent| last == Some((e.code, e.side));
        if let Some(event) = event.filter(|e| !told(e)) {
            events.push(event);
        }
    }
    events
}

fn event_of(judgement: &Judgement, ply: usize, rules: &RuleSet) -> Option<RuleEvent> {
    let (code, side) = match (judgement.verdict, judgement.must_vary) {
        (Verdict::Loses(side), _) => (judgement.reason.code(), Some(side)),
        (Verdict::Draw, _) => (judgement.reason.code(), None),
        (Verdict::Ongoing, Some(side)) => ("must_vary", Some(side)),
        (Verdict::Ongoing, None) => return None,
    };
    Some(RuleEvent {
        ply,
        code,
        side,
        en: judgement.explain(rules, Lang::English),
        zh: judgement.explain(rules, Lang::Chinese),
    })
}
