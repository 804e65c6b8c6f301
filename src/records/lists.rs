//! Plain move lists, FEN and EPD files, and the line form of UCI's `position`.

use super::tree::Game;
use crate::position::START_FEN;
use std::fmt::Write;

impl Game {
    /// The main line as UCI's `position` command takes it: `startpos moves h2e2 …` or
    /// `fen FEN moves …`.
    pub fn to_uci_line(&self) -> String {
        let fen = self.start().fen();
        let mut out = if fen == START_FEN {
            "startpos".to_owned()
        } else {
            format!("fen {fen}")
        };
        for (i, m) in self.moves().into_iter().enumerate() {
            let _ = write!(out, "{} {m}", if i == 0 { " moves" } else { "" });
        }
        out
    }
}
