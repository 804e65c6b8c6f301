//! `chuhe show`: the board and what can be said of a position without thinking.

use super::{CliError, CliResult, PositionArgs};
use crate::notation::{self, ChineseStyle};
use crate::position::Position;
use crate::types::{Color, FILES, Move, RANKS, Square};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Draw a position and list its legal moves
///
/// Shows the board with Chinese pieces and coordinates, the FEN, the key, the side to move,
/// checks, and the legal moves in coordinates, WXF and Chinese.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  chuhe show\n  chuhe show --moves 'h2e2 h9g7' --svg board.svg\n  chuhe show --json \
    --fen '3k5/R8/9/9/9/9/9/9/9/1R2K4 w'"
)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Also write a picture of the board to this file
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "FILE")]
    svg: Option<std::path::PathBuf>,
    /// Coordinates of the picture: uci, iccs, wxf, chinese, chinese-traditional
    #[cfg(feature = "tools")]
    #[arg(long, value_name = "NOTATION", default_value = "chinese")]
    notation: notation::Notation,
}

pub(super) fn run(args: &Args) -> CliResult {
    let position = args.position.position()?;
    #[cfg(feature = "tools")]
    if let Some(file) = &args.svg {
        let last = Some(position.last_move()).filter(|m| !m.is_none());
        let arrows: Vec<Move> = last.into_iter().collect();
        super::write_svg(file, &position, &arrows, args.notation)?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        write_json(&mut out, &position)?;
    } else {
        let colored = std::io::stdout().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        out.write_all(text(&position, colored).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the side to move has lost, and how.
fn verdict(position: &Position) -> &'static str {
    match (position.has_legal_move(), position.in_check()) {
        (true, false) => "none",
        (true, true) => "check",
        (false, true) => "checkmate",
        (false, false) => "stalemate",
    }
}

fn text(position: &Position, colored: bool) -> String {
    let mut out = board(position, colored);
    let moves = position.legal_moves();
    let checkers: Vec<String> = position.checkers().map(|s| s.to_string()).collect();
    let check = match verdict(position) {
        "none" => "none".to_owned(),
        "check" => format!("from {}", checkers.join(" ")),
        "checkmate" => format!(
            "checkmate, from {}: {} has lost",
            checkers.join(" "),
            position.stm()
        ),
        _ => format!("none, but no move (stalemate): {} has lost", position.stm()),
    };
    let _ = writeln!(out, "\nfen    {}", position.fen());
    let _ = writeln!(out, "key    {:016x}", position.key());
    let _ = writeln!(out, "turn   {}", position.stm());
    let _ = writeln!(out, "check  {check}");
    let _ = writeln!(out, "moves  {}", moves.len());
    for row in moves.chunks(3) {
        let texts: Vec<String> = row.iter().map(|&m| all_notations(position, m)).collect();
        let _ = writeln!(out, "       {}", texts.join("    "));
    }
    out
}

/// `h2e2  C2=5  炮二平五`; always as wide on a terminal.
fn all_notations(position: &Position, m: Move) -> String {
    let wxf = notation::to_wxf(position, m);
    let chinese = notation::to_chinese(position, m, ChineseStyle::default());
    format!("{m}  {wxf:<4}  {chinese}")
}

/// The board, Red below. A point is two columns wide, as Chinese letters are, and so is the
/// line to the next one; the grid is ASCII, whose width no terminal doubts.
fn board(position: &Position, colored: bool) -> String {
    let letters = "    a   b   c   d   e   f   g   h   i\n";
    let mut out = letters.to_owned();
    for rank in (0..RANKS).rev() {
        let _ = write!(out, "{rank}   ");
        for file in 0..FILES {
            match position.piece_on(Square::new(rank * FILES + file)) {
                Some(p) if colored && p.color() == Color::Red => {
                    let _ = write!(out, "\x1b[31m{}\x1b[0m", p.chinese());
                }
                Some(p) => out.push(p.chinese()),
                None => out.push_str(if file + 1 < FILES { "+-" } else { "+ " }),
            }
            if file + 1 < FILES {
                out.push_str("--");
            }
        }
        let _ = writeln!(out, "  {rank}");
        out.push_str(match rank {
            9 | 2 => "    |   |   |   | \\ | / |   |   |   |\n",
            8 | 1 => "    |   |   |   | / | \\ |   |   |   |\n",
            5 => "    |         楚河      漢界        |\n",
            0 => "",
            _ => "    |   |   |   |   |   |   |   |   |\n",
        });
    }
    out + letters
}

#[cfg(feature = "tools")]
fn write_json(out: &mut impl Write, position: &Position) -> Result<(), CliError> {
    let texts = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>();
    let object = serde_json::json!({
        "fen": position.fen(),
        "key": format!("{:016x}", position.key()),
        "side_to_move": position.stm().to_string(),
        "check": verdict(position),
        "checkers": texts(&mut position.checkers().map(|s| s.to_string())),
        "legal_moves": position.legal_moves().iter().map(|&m| serde_json::json!({
            "uci": m.to_string(),
            "wxf": notation::to_wxf(position, m),
            "chinese": notation::to_chinese(position, m, ChineseStyle::default()),
        })).collect::<Vec<_>>(),
    });
    Ok(writeln!(out, "{object}")?)
}

#[cfg(not(feature = "tools"))]
fn write_json(_: &mut impl Write, _: &Position) -> Result<(), CliError> {
    Err(super::no_json())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns on a terminal: Chinese letters take two.
    fn columns(line: &str) -> usize {
        line.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
    }

    #[test]
    fn points_stand_below_one_another() {
        for fen in [crate::position::START_FEN, "3k5/R8/9/9/9/9/9/9/9/1R2K4 w"] {
            let drawing = board(&Position::from_fen(fen).unwrap(), false);
            let lines: Vec<&str> = drawing.lines().collect();
            assert_eq!(lines.len(), 21);
            for line in lines.iter().skip(1).step_by(2).take(10) {
                assert_eq!(columns(line), 41, "{line}");
            }
            // Files stand under their letters: column 4 is file a, column 36 file i.
            assert_eq!(lines[0].find('a'), Some(4));
            assert_eq!(lines[0].find('i'), Some(36));
            assert_eq!(columns(lines[10]), 37, "{}", lines[10]);
        }
    }

    #[test]
    fn ends_of_games_are_told() {
        let at = |fen| text(&Position::from_fen(fen).unwrap(), false);
        let mated = at("1R1k5/R8/9/9/9/9/9/9/9/4K4 b");
        assert!(
            mated.contains("checkmate, from b9: black has lost"),
            "{mated}"
        );
        let stuck = at("3k5/R8/9/9/9/9/9/9/9/4K4 b");
        assert!(stuck.contains("stalemate"), "{stuck}");
        assert!(at("1R1k5/9/9/9/9/9/9/9/9/4K4 b").contains("from b9\n"));
    }
}
