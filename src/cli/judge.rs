//! `chuhe judge`: the arbiter on games and move lists.

use super::{CliError, CliResult, PositionArgs};
use crate::notation;
#[cfg(feature = "tools")]
use crate::notation::ChineseStyle;
use crate::position::{IllegalMove, Position, START_FEN};
use crate::rules::{Arbiter, Judgement, Lang, RuleSet, WindowMove};
#[cfg(feature = "tools")]
use crate::types::Move;
use std::io::{Read, Write};
use std::process::ExitCode;

/// Judge a game by the rules of repetition, the natural limit and the ends of the game
///
/// Says how the position after the last move stands and why. A file holds one `FEN<TAB>moves` a
/// line, the moves of one game as plain text, or games as `chuhe convert` reads them (PGN, XQF …),
/// whose main lines are judged.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  chuhe judge --fen '3aka3/9/9/9/6b2/9/9/9/8R/3K5 w' --moves \
    'i1g1 g5i7 g1i1 i7g5 i1g1 g5i7 g1i1 i7g5'\n  chuhe judge games.txt --rules cxa2020 --json\n  \
    chuhe judge games.pgn --all\n  cat moves.txt | chuhe judge - --lang zh --all"
)]
pub(super) struct Args {
    /// File of games, `-` for stdin; without it --fen and --moves are judged
    #[arg(value_name = "INPUT")]
    input: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Rule book: cxa1999, cxa2020, axf, league or none
    #[arg(long, default_value = "cxa1999", value_parser = |s: &str| s.parse::<RuleSet>())]
    rules: RuleSet,
    /// Label every move, not only those of the repetition
    #[arg(long)]
    all: bool,
    /// Language of the text
    #[arg(long, default_value = "en", value_parser = ["en", "zh"])]
    lang: String,
    /// Print one JSON object a game
    #[arg(long)]
    json: bool,
}

/// A game as read: where its start and its moves stand in the input, and both as written.
struct Game {
    fen_place: String,
    place: String,
    fen: String,
    moves: Vec<String>,
}

/// A game as judged.
struct Judged {
    #[cfg(feature = "tools")]
    start: Position,
    end: Position,
    illegal: Option<IllegalMove>,
    judgement: Judgement,
    moves: Vec<WindowMove>,
}

pub(super) fn run(args: &Args) -> CliResult {
    let mut out = std::io::stdout().lock();
    let mut arbiter = Arbiter::new(args.rules);
    let (games, mut whole) = read(args)?;
    let mut printed = false;
    for game in &games {
        let judged = match judge(game, &mut arbiter, args.all) {
            Ok(judged) => judged,
            // One bad game of several does not keep the others from being judged.
            Err(e) if games.len() > 1 => {
                eprintln!("chuhe: {e}");
                whole = false;
                continue;
            }
            Err(e) => return Err(e),
        };
        if args.json {
            write_json(&mut out, &judged, args)?;
        } else {
            if printed {
                writeln!(out)?;
            }
            printed = true;
            write_text(&mut out, &judged, args)?;
        }
    }
    Ok(ExitCode::from(if whole { 0 } else { 2 }))
}

/// The games of the input, and whether nothing of it was left out.
fn read(args: &Args) -> Result<(Vec<Game>, bool), CliError> {
    let fen = args
        .position
        .fen
        .clone()
        .unwrap_or_else(|| START_FEN.into());
    let words = |text: &str| text.split_whitespace().map(String::from).collect();
    let Some(input) = &args.input else {
        let moves = args.position.moves.as_deref().unwrap_or_default();
        let game = Game {
            fen_place: "--fen".into(),
            place: "--moves".into(),
            fen,
            moves: words(moves),
        };
        return Ok((vec![game], true));
    };
    if args.position.moves.is_some() {
        return Err(CliError::Input(
            "--moves and INPUT exclude each other".into(),
        ));
    }
    let failed = |e: std::io::Error| CliError::Input(format!("{input}: {e}"));
    let bytes = if input == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        bytes
    } else {
        std::fs::read(input).map_err(failed)?
    };
    if let Some(found) = recorded(input, &bytes)? {
        return Ok(found);
    }
    let text = decoded(input, &bytes)?;
    let text = text.trim_start_matches('\u{feff}');
    let lines = || {
        let numbered = text.lines().enumerate();
        numbered.filter(|(_, l)| !l.trim().is_empty() && !l.trim_start().starts_with('#'))
    };
    let is_fen = |line: &str| line.contains('\t') || line.matches('/').count() == 9;
    if lines().any(|(_, l)| is_fen(l)) {
        let game = |(i, line): (usize, &str)| {
            let (fen, moves) = line.split_once('\t').unwrap_or((line, ""));
            let place = format!("{input}:{}", i + 1);
            Game {
                fen_place: format!("{place}: FEN"),
                place,
                fen: fen.trim().into(),
                moves: words(moves),
            }
        };
        return Ok((lines().map(game).collect(), true));
    }
    let moves = lines()
        .flat_map(|(_, l)| l.split_whitespace())
        .filter_map(without_number)
        .collect::<Vec<_>>();
    if moves.is_empty() {
        return Err(CliError::Input(format!("{input}: there is no game in it")));
    }
    let game = Game {
        fen_place: "--fen".into(),
        place: input.clone(),
        fen,
        moves,
    };
    Ok((vec![game], true))
}

/// The main lines of a game file such as PGN or XQF; `None` if this is none, but a list of moves
/// or of `FEN<TAB>moves`, which is read word by word so that illegal moves are judged too.
#[cfg(feature = "tools")]
fn recorded(input: &str, bytes: &[u8]) -> Result<Option<(Vec<Game>, bool)>, CliError> {
    use crate::records::{self, Format};
    let found = records::read(input, bytes);
    if matches!(found.format, None | Some(Format::Moves | Format::List)) {
        return Ok(None);
    }
    for problem in found.problems.iter().filter(|p| p.is_error()) {
        eprintln!("chuhe: {problem}");
    }
    if found.games.is_empty() {
        return Err(CliError::Input(format!("{input}: there is no game in it")));
    }
    let whole = !found.has_errors();
    let game = |(i, g): (usize, &records::Game)| Game {
        fen_place: format!("{input}: game {}: FEN", i + 1),
        place: format!("{input}: game {}", i + 1),
        fen: g.start().fen(),
        moves: g.moves().iter().map(Move::to_string).collect(),
    };
    Ok(Some((
        found.games.iter().enumerate().map(game).collect(),
        whole,
    )))
}

/// A text in any encoding of the field.
#[cfg(feature = "tools")]
fn decoded(_: &str, bytes: &[u8]) -> Result<String, CliError> {
    Ok(crate::records::decode(bytes).0.into_owned())
}

#[cfg(not(feature = "tools"))]
fn decoded(input: &str, bytes: &[u8]) -> Result<String, CliError> {
    let text = std::str::from_utf8(bytes);
    text.map(str::to_owned)
        .map_err(|_| CliError::Input(format!("{input}: not UTF-8 text")))
}

#[cfg(not(feature = "tools"))]
fn recorded(_: &str, _: &[u8]) -> Result<Option<(Vec<Game>, bool)>, CliError> {
    Ok(None)
}

/// A word of plain move text without the number of the round: `1.`, `1.h2e2`.
fn without_number(word: &str) -> Option<String> {
    let rest = match word.split_once('.') {
        Some((n, rest)) if n.bytes().all(|b| b.is_ascii_digit()) => rest.trim_start_matches('.'),
        _ => word,
    };
    (!rest.is_empty()).then(|| rest.to_string())
}

fn judge(game: &Game, arbiter: &mut Arbiter, all: bool) -> Result<Judged, CliError> {
    let place = &game.place;
    let start = Position::from_fen(&game.fen)
        .map_err(|e| CliError::Input(format!("{}: {e}", game.fen_place)))?;
    let mut end = start.clone();
    let mut illegal = None;
    for (i, text) in game.moves.iter().enumerate() {
        // A coordinate move is judged even if it is illegal; other text names legal moves only.
        let m = match text.parse() {
            Ok(m) => m,
            Err(_) => notation::parse_move(&end, text)
                .map_err(|e| CliError::Input(format!("{place}: ply {}: {e}", i + 1)))?,
        };
        if let Err(e) = end.play(m) {
            illegal = Some(e);
            break;
        }
    }
    let judgement = match illegal {
        // A move after the end of the game is not judged.
        Some(_) if end.has_legal_move() => Arbiter::illegal_move(end.stm()),
        _ => arbiter.judge(&end),
    };
    let moves = if all {
        arbiter.label_window(&end, end.ply_count())
    } else {
        judgement.moves.clone()
    };
    Ok(Judged {
        #[cfg(feature = "tools")]
        start,
        end,
        illegal,
        judgement,
        moves,
    })
}

fn write_text(out: &mut impl Write, j: &Judged, args: &Args) -> Result<(), CliError> {
    let lang = if args.lang == "zh" {
        Lang::Chinese
    } else {
        Lang::English
    };
    let judgement = &j.judgement;
    let plies = j.end.ply_count();
    writeln!(out, "{}", judgement.explain(&args.rules, lang))?;
    match (j.illegal, lang) {
        (Some(e), Lang::English) => writeln!(out, "{e}")?,
        (Some(e), Lang::Chinese) => writeln!(out, "第{}步 {} 不合法", plies + 1, e.mv)?,
        (None, _) => {}
    }
    let rules = args.rules.name;
    match lang {
        Lang::English => writeln!(out, "rules {rules}, {plies} plies, {}", j.end.fen())?,
        Lang::Chinese => writeln!(out, "规则 {rules}，{plies}步，{}", j.end.fen())?,
    }
    if let Some(c) = judgement.cycle {
        let (first, length, n) = (c.first_ply, c.length, c.occurrences);
        match lang {
            Lang::English => writeln!(
                out,
                "the position occurs {n} times since ply {first}; the last loop has {length} plies"
            )?,
            Lang::Chinese => {
                writeln!(
                    out,
                    "自第{first}步起同一局面出现{n}次，最后一个循环{length}步"
                )?;
            }
        }
    }
    for w in &j.moves {
        let l = &w.labelled;
        let (side, label, why) = (lang.side(w.side), l.label.word(lang), w.why(lang));
        match lang {
            Lang::English => writeln!(out, "{:4} {side:5} {} {label:8} {why}", w.ply, l.mv)?,
            Lang::Chinese => writeln!(out, "{:4} {side} {} {label} {why}", w.ply, l.mv)?,
        }
    }
    Ok(())
}

/// The move in Western and Chinese notation.
#[cfg(feature = "tools")]
fn notations(before: &Position, m: Move) -> (String, String) {
    let chinese = notation::to_chinese(before, m, ChineseStyle::default());
    (notation::to_wxf(before, m), chinese)
}

#[cfg(feature = "tools")]
fn write_json(out: &mut impl Write, j: &Judged, args: &Args) -> Result<(), CliError> {
    use crate::types::Color;
    use serde_json::json;
    let judgement = &j.judgement;
    let reason = judgement.reason;
    let class = |side: Color| {
        let class = judgement.classes.map(|c| c[side.index()]);
        class.map(|c| json!({ "class": c.name() }))
    };
    let cycle = judgement.cycle.map(
        |c| json!({ "first_ply": c.first_ply, "length": c.length, "occurrences": c.occurrences }),
    );
    let mut positions = j.end.clone();
    let mut notation = vec![(String::new(), String::new()); j.end.ply_count()];
    for slot in notation.iter_mut().rev() {
        let m = positions.last_move();
        positions.unmake();
        *slot = notations(&positions, m);
    }
    let one_move = |w: &WindowMove| {
        let l = &w.labelled;
        let text = |s: &dyn std::fmt::Display| s.to_string();
        let (wxf, chinese) = notation.get(w.ply - 1).cloned().unwrap_or_default();
        json!({
            "ply": w.ply, "side": text(&w.side), "uci": text(&l.mv), "wxf": wxf,
            "chinese": chinese, "label": l.label.name(),
            "targets": l.targets.iter().map(|s| text(s)).collect::<Vec<_>>(),
            "line": l.line.iter().map(|m| text(m)).collect::<Vec<_>>(),
            "why_en": w.why(Lang::English), "why_zh": w.why(Lang::Chinese),
        })
    };
    let object = json!({
        "ruleset": args.rules.name, "start_fen": j.start.fen(), "plies": j.end.ply_count(),
        "final_fen": j.end.fen(), "verdict": judgement.verdict.name(),
        "reason": {
            "code": reason.code(), "article": reason.article(),
            "en": judgement.explain(&args.rules, Lang::English),
            "zh": judgement.explain(&args.rules, Lang::Chinese),
        },
        "must_vary": judgement.must_vary.map(|c| c.to_string()),
        "cycle": cycle, "red": class(Color::Red), "black": class(Color::Black),
        "moves": j.moves.iter().map(one_move).collect::<Vec<_>>(),
    });
    Ok(writeln!(out, "{object}")?)
}

#[cfg(not(feature = "tools"))]
fn write_json(_: &mut impl Write, _: &Judged, _: &Args) -> Result<(), CliError> {
    Err(super::no_json())
}
