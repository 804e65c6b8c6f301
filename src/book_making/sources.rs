//! Games for a book: every file that `records` reads, and tables with a game a row.

use crate::position::Position;
use crate::records::{self, Game, NodeId, Outcome};
use crate::types::Move;
use core::str::FromStr;

/// Takes only games whose tag (in tables: column) begins so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only {
    /// The tag, whatever its case.
    pub tag: String,
    /// What its value begins with.
    pub start: String,
}

impl FromStr for Only {
    type Err = String;

    fn from_str(text: &str) -> Result<Only, String> {
        match text.split_once('=') {
            Some((tag, start)) if !tag.is_empty() => Ok(Only {
                tag: tag.to_owned(),
                start: start.to_owned(),
            }),
            _ => Err("TAG=START is needed, such as source=ccpd-".into()),
        }
    }
}

impl Only {
    /// Whether it lets a game through.
    pub fn allows(&self, game: &Game) -> bool {
        let tag = game.tag(&self.tag);
        tag.is_some_and(|value| value.starts_with(&self.start))
    }
}

/// The games of a file, and what could not be read. Tables have tabs between their columns and a
/// first row that names them; `moves` (coordinates, parted by blanks) must be among the names,
/// `start_fen` and `result` are understood, all others become tags.
pub fn read_games(name: &str, bytes: &[u8]) -> (Vec<Game>, Vec<String>) {
    let first = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
    let columns = String::from_utf8_lossy(first);
    let columns: Vec<&str> = columns.trim_end().split('\t').collect();
    if columns.len() > 1 && columns.contains(&"moves") {
        return read_table(name, &columns, bytes);
    }
    let found = records::read(name, bytes);
    let problems = found.problems.iter().map(ToString::to_string).collect();
    (found.games, problems)
}

fn read_table(name: &str, columns: &[&str], bytes: &[u8]) -> (Vec<Game>, Vec<String>) {
    let text = records::decode(bytes).0;
    let (mut games, mut problems) = (Vec::new(), Vec::new());
    for (i, row) in text.lines().enumerate().skip(1) {
        if row.trim().is_empty() {
            continue;
        }
        match read_row(columns, row) {
            Ok(game) => games.push(game),
            Err(why) => problems.push(format!("{name}: line {}: {why}", i + 1)),
        }
    }
    (games, problems)
}

fn read_row(columns: &[&str], row: &str) -> Result<Game, String> {
    let cells: Vec<&str> = row.split('\t').collect();
    let cell = |name: &str| {
        let at = columns.iter().position(|c| *c == name)?;
        cells.get(at).map(|c| c.trim())
    };
    let start = match cell("start_fen") {
        None | Some("" | "startpos") => Position::startpos(),
        Some(fen) => Position::from_fen(fen).map_err(|e| e.to_string())?,
    };
    let mut position = start.clone();
    let mut game = Game::new(start);
    let moves = cell("moves").ok_or("no column moves")?;
    let mut node = NodeId::ROOT;
    for (ply, text) in moves.split_whitespace().enumerate() {
        let failed = |why: String| format!("ply {} ({text}): {why}", ply + 1);
        let m: Move = text.parse().map_err(|e| failed(format!("{e}")))?;
        position.play(m).map_err(|e| failed(e.why.to_owned()))?;
        node = game.add(node, m);
    }
    for (column, value) in columns.iter().zip(&cells) {
        if !matches!(*column, "moves" | "start_fen" | "result") {
            game.add_tag(column, value);
        }
    }
    game.result = cell("result")
        .and_then(Outcome::read)
        .unwrap_or(Outcome::Unknown);
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_row_by_row() {
        let table = "id\tsource\tred\tresult\tmoves\n1\tccpd-game\tA\t1-0\th2e2 h9g7\n\
                     2\tother\tB\t0-1\th2e2 h2e2\n\n3\tother\tC\t*\tb0c2\n";
        let (games, problems) = read_games("t.tsv", table.as_bytes());
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].starts_with("t.tsv: line 3: ply 2 (h2e2):"),
            "{}",
            problems[0]
        );
        assert_eq!(games.len(), 2);
        assert_eq!(
            (games[0].red(), games[0].result),
            (Some("A"), Outcome::RedWins)
        );
        assert_eq!(games[0].plies(), 2);
        let only: Only = "source=ccpd-".parse().unwrap();
        assert!(only.allows(&games[0]) && !only.allows(&games[1]));
        assert!("source".parse::<Only>().is_err());
        let (games, problems) = read_games("t.pgn", "1. 炮二平五 马8进7 1-0".as_bytes());
        assert_eq!((games.len(), problems.len()), (1, 0));
    }
}
