//! A game's report as text for people.

use super::annotate::short_line;
use super::game::GameReport;
use crate::notation::Notation;
use crate::records::Game;
use crate::types::{Color, score};
use std::fmt::Write;

impl GameReport {
    /// The report as lines of text: the game, both sides' figures, the moves that turned it and
    /// what the arbiter says. Scores are for the side that moves.
    pub fn to_text(&self, game: &Game, number: usize, notation: Notation) -> String {
        let mut out = String::new();
        let name = |n: Option<&str>, side: Color| n.map_or_else(|| side.to_string(), String::from);
        let _ = write!(
            out,
            "Game {number}: {} - {}  {}  {} plies",
            name(game.red(), Color::Red),
            name(game.black(), Color::Black),
            game.result,
            self.moves.len()
        );
        for tag in ["Event", "Date"] {
            if let Some(value) = game.tag(tag).filter(|v| !v.starts_with('?')) {
                let _ = write!(out, "  {value}");
            }
        }
        out.push('\n');
        if let Some(o) = &self.opening {
            let _ = writeln!(out, "Opening: {} {} ({})", o.code, o.zh, o.en);
        }
        if self.moves.is_empty() {
            if let Some(&score) = self.scores.first() {
                let line = notation.line(game.start(), &self.continuation);
                let _ = writeln!(out, "Score for red {}  {line}", score::text(score));
            }
        } else {
            self.push_sides(&mut out);
            self.push_turns(game, notation, &mut out);
        }
        for event in &self.events {
            let _ = writeln!(out, "Rules, ply {}: {}", event.ply, event.en);
        }
        out
    }

    fn push_sides(&self, out: &mut String) {
        out.push_str("side   moves  best  accuracy  average loss    !   ?!    ?   ??\n");
        for (side, r) in Color::ALL.into_iter().zip(&self.sides) {
            let figure = |x: Option<f64>, unit: f64, digits: usize| {
                x.map_or_else(|| "-".to_owned(), |x| format!("{:.digits$}%", x * unit))
            };
            let _ = write!(
                out,
                "{:<6} {:>5} {:>5} {:>9} {:>13}",
                side.to_string(),
                r.moves,
                r.best,
                figure(r.accuracy, 1.0, 1),
                figure(r.loss, 100.0, 2),
            );
            for n in r.marks {
                let _ = write!(out, " {n:>4}");
            }
            out.push('\n');
        }
    }

    fn push_turns(&self, game: &Game, notation: Notation, out: &mut String) {
        if self.turning_points().next().is_none() {
            out.push_str("No move lost 10% or more.\n");
            return;
        }
        out.push_str("Turning points:\n");
        let mut position = game.start().clone();
        for m in &self.moves {
            if m.is_turning_point() {
                let number = position.fullmove();
                let dots = if m.side == Color::Red { "." } else { "..." };
                let _ = writeln!(
                    out,
                    "  {number}{dots} {}{}  {} -> {}  lost {:.0}%  better: {}",
                    notation.text(&position, m.mv),
                    m.mark.map_or("", |k| k.text()),
                    score::text(m.before),
                    score::text(m.after),
                    100.0 * m.loss,
                    short_line(&position, &m.best, notation),
                );
            }
            position.make(m.mv);
        }
    }
}
