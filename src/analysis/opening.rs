//! Openings by the groups of ECCO, the classification of xiangqi openings by a letter and
//! digits: 中炮 against 屏风马 is C, 顺炮 D0, and so on.
//!
//! The full table with its 400 codes and their wording is a work of its authors and not part of
//! chuhe. The groups (letter and first digit) are told here by rules and names of our own, from
//! the usual names of the systems; a game whose file has a full code in its `ECCO` tag keeps it.

use crate::position::START_FEN;
use crate::records::Game;
use crate::types::{Move, Square};

/// How far into the game the rules look, in plies.
const REACH: usize = 24;

/// Groups with their names in Chinese and English.
const NAMES: &[(&str, &str, &str)] = &[
    ("A0", "非常见开局", "Uncommon opening"),
    ("A1", "飞相局", "Elephant opening"),
    (
        "A2",
        "飞相对士角炮、中炮",
        "Elephant against corner or central cannon",
    ),
    (
        "A3",
        "飞相对过宫炮、进卒",
        "Elephant against crossed cannon or pawn",
    ),
    ("A4", "起马局", "Horse opening"),
    ("A5", "仕角炮局", "Palace-corner cannon"),
    ("A6", "过宫炮局", "Crossed cannon"),
    ("B0", "中炮局", "Central cannon"),
    ("B1", "中炮对单提马", "Central cannon, single horse"),
    ("B2", "中炮对左三步虎", "Central cannon, three-step tiger"),
    ("B3", "中炮对反宫马", "Central cannon, sandwiched horses"),
    ("B4", "五六炮对反宫马", "Cannons 5 and 6, sandwiched horses"),
    ("B5", "五七炮对反宫马", "Cannons 5 and 7, sandwiched horses"),
    ("C0", "中炮对屏风马", "Central cannon, screen horses"),
    ("C1", "中炮过河车对屏风马", "Crossing rook, screen horses"),
    (
        "C2",
        "中炮过河车七路马对屏风马两头蛇",
        "Crossing rook, screen horses with both pawns",
    ),
    (
        "C3",
        "中炮过河车互进七兵对屏风马",
        "Crossing rook, screen horses",
    ),
    (
        "C4",
        "中炮过河车对屏风马平炮兑车",
        "Crossing rook, screen horses offer the rook",
    ),
    ("C5", "五六炮对屏风马", "Cannons 5 and 6, screen horses"),
    ("C6", "五七炮对屏风马", "Cannons 5 and 7, screen horses"),
    (
        "C7",
        "五七炮对屏风马进3卒",
        "Cannons 5 and 7, screen horses",
    ),
    (
        "C8",
        "中炮巡河炮对屏风马",
        "Central and river cannon, screen horses",
    ),
    (
        "C9",
        "五八炮、五九炮对屏风马",
        "Cannons 5 and 8 or 9, screen horses",
    ),
    ("D0", "顺炮局", "Same-direction cannons"),
    ("D1", "顺炮直车", "Same-direction cannons, straight rook"),
    (
        "D2",
        "顺炮直车对横车",
        "Same-direction cannons, straight rook against rook on the second rank",
    ),
    (
        "D3",
        "中炮对左炮封车转列炮",
        "Central cannon, late cannon in reply",
    ),
    (
        "D4",
        "中炮对左三步虎转列炮",
        "Central cannon, late cannon in reply",
    ),
    ("D5", "中炮对列炮", "Opposite-direction cannons"),
    ("E0", "仙人指路", "Pawn (pointing immortal)"),
    ("E1", "仙人指路对卒底炮", "Pawn, pawn-bottom cannon"),
    (
        "E2",
        "仙人指路转左中炮对卒底炮飞左象",
        "Pawn and central cannon, pawn-bottom cannon and elephant",
    ),
    (
        "E3",
        "仙人指路转左中炮对卒底炮飞左象进卒",
        "Pawn and central cannon, pawn-bottom cannon, elephant and pawn",
    ),
    ("E4", "对兵局", "Pawn, pawn in reply"),
];

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Code by ECCO: the game's own tag, or the group (letter and digit).
    pub code: String,
    /// In Chinese.
    pub zh: &'static str,
    /// In English.
    pub en: &'static str,
}

/// The opening of a game from the usual start; `None` before the first move.
pub fn opening_of(game: &Game) -> Option<Opening> {
    if game
        .start()
        .fen()
        .split(' ')
        .take(2)
        .ne(START_FEN.split(' ').take(2))
    {
        return None;
    }
    let moves: Vec<Move> = game.moves().into_iter().take(REACH).collect();
    let told = game.tag("ECCO").map(str::trim).filter(|t| is_code(t));
    let code = told.or_else(|| classify(&moves))?;
    let named = |group: &str| NAMES.iter().find(|n| n.0 == group);
    let &(_, zh, en) = named(&code[..2]).or_else(|| named(classify(&moves)?))?;
    Some(Opening {
        code: code.to_owned(),
        zh,
        en,
    })
}

/// Whether a text has the shape of a code: `C42`.
fn is_code(text: &str) -> bool {
    let b = text.as_bytes();
    b.len() == 3 && (b'A'..=b'E').contains(&b[0]) && b[1..].iter().all(u8::is_ascii_digit)
}

/// The moves of both sides as `h2e2`, turned left to right if Red began on the left.
struct Lines {
    red: Vec<String>,
    black: Vec<String>,
}

impl Lines {
    fn new(moves: &[Move], mirrored: bool) -> Lines {
        let turn = |s: Square| if mirrored { s.mirror() } else { s };
        let text = |m: &Move| format!("{}{}", turn(m.from()), turn(m.to()));
        Lines {
            red: moves.iter().step_by(2).map(text).collect(),
            black: moves.iter().skip(1).step_by(2).map(text).collect(),
        }
    }

    fn red(&self, m: &str) -> bool {
        self.red.iter().any(|x| x == m)
    }

    fn black(&self, m: &str) -> bool {
        self.black.iter().any(|x| x == m)
    }

    /// Black's first move.
    fn reply(&self) -> &str {
        self.black.first().map_or("", String::as_str)
    }
}

fn classify(moves: &[Move]) -> Option<&'static str> {
    let first = *moves.first()?;
    let lines = Lines::new(moves, first.from().file() < 4);
    let reply = lines.reply();
    Some(match lines.red[0].as_str() {
        "h2e2" => central_cannon(&lines),
        "g3g4" => match reply {
            "h7g7" if left_cannon_and_elephant(&lines) && lines.black("g6g5") => "E3",
            "h7g7" if left_cannon_and_elephant(&lines) => "E2",
            "h7g7" => "E1",
            "g6g5" | "c6c5" => "E4",
            _ => "E0",
        },
        "g0e2" => match reply {
            "h7e7" | "b7e7" => "A2",
            "h7f7" | "b7d7" => "A2",
            "h7d7" | "b7f7" => "A3",
            "g6g5" | "c6c5" => "A3",
            _ => "A1",
        },
        "h0g2" => "A4",
        "h2f2" => "A5",
        "h2d2" => "A6",
        _ => "A0",
    })
}

/// Whether the second moves are 炮八平五 and 象7进5.
fn left_cannon_and_elephant(l: &Lines) -> bool {
    let second = |moves: &[String], m: &str| moves.get(1).is_some_and(|x| x == m);
    second(&l.red, "b2e2") && second(&l.black, "g9e7")
}

/// Red's cannon went from h2 to e2.
fn central_cannon(l: &Lines) -> &'static str {
    match l.reply() {
        "h7e7" if l.red("i0h0") && l.black("i9i8") => "D2",
        "h7e7" if l.red("i0h0") => "D1",
        "h7e7" => "D0",
        "b7e7" => "D5",
        _ => {
            let at = |m: &str| l.black.iter().position(|x| x == m);
            let later = at("b7e7").into_iter().chain(at("h7e7")).min();
            let (left, right) = (l.black("h9g7"), l.black("b9c7"));
            if later.is_some_and(|i| i < 6) {
                if at("h7h3") < later && l.black("h7h3") {
                    return "D3";
                }
                if l.black("h7i7") {
                    return "D4";
                }
                return "D5";
            }
            let corner = l.black("b7d7") || l.black("h7f7");
            let edge = l.black("h9i7") || l.black("b9a7");
            match (left && right, corner, edge) {
                (true, true, _) if !l.black("h7h3") => wall_with_corner_cannon(l),
                (true, ..) => screen_horses(l),
                (false, _, true) => "B1",
                _ if left && l.black("h7i7") => "B2",
                _ => "B0",
            }
        }
    }
}

fn wall_with_corner_cannon(l: &Lines) -> &'static str {
    if l.red("b2d2") {
        "B4"
    } else if l.red("b2c2") {
        "B5"
    } else {
        "B3"
    }
}

fn screen_horses(l: &Lines) -> &'static str {
    if l.red("h0h6") && l.red("c3c4") && l.black("g6g5") && l.black("h7i7") {
        return "C4";
    }
    if l.red("h0h6") && l.red("b0c2") && l.black("g6g5") && l.black("c6c5") {
        return "C2";
    }
    if l.red("b2d2") {
        return "C5";
    }
    if l.red("b2c2") && l.black("c6c5") {
        return "C7";
    }
    if l.red("b2c2") {
        return "C6";
    }
    if l.red("h0h6") && l.red("c3c4") && l.black("g6g5") {
        return "C3";
    }
    if l.red("b2b4") {
        return "C8";
    }
    if l.red("h0h6") {
        return "C1";
    }
    if l.red("b2b6") || l.red("b2a2") {
        return "C9";
    }
    "C0"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records;

    fn of(text: &str) -> Option<(String, &'static str)> {
        let records = records::read("test", text.as_bytes());
        opening_of(&records.games[0]).map(|o| (o.code, o.zh))
    }

    #[test]
    fn groups() {
        for (moves, code, name) in [
            ("炮二平五 炮8平5 马二进三 马8进7 车一平二", "D1", "顺炮直车"),
            ("炮八平五 炮2平5 马二进三 马8进7", "D0", "顺炮局"),
            (
                "炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3",
                "C0",
                "中炮对屏风马",
            ),
            (
                "炮八平五 马2进3 马八进七 车1平2 车九平八 马8进7 炮二平三",
                "C6",
                "五七炮对屏风马",
            ),
            (
                "炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7",
                "B3",
                "中炮对反宫马",
            ),
            ("兵七进一 炮2平3", "E1", "仙人指路对卒底炮"),
            ("兵三进一 卒7进1", "E4", "对兵局"),
            (
                "兵七进一 炮2平3 炮二平五 象3进5",
                "E2",
                "仙人指路转左中炮对卒底炮飞左象",
            ),
            (
                "炮二平五 炮8平5 马二进三 马8进7 车一平二 车9进1",
                "D2",
                "顺炮直车对横车",
            ),
            ("相七进五 炮8平5", "A2", "飞相对士角炮、中炮"),
            ("帅五进一", "A0", "非常见开局"),
        ] {
            assert_eq!(of(moves), Some((code.to_owned(), name)), "{moves}");
        }
        let tagged = "[ECCO \"C42\"]\n\n炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3 *";
        assert_eq!(of(tagged).map(|o| o.0).as_deref(), Some("C42"));
        assert_eq!(of("3k5/9/9/9/9/9/9/9/R8/4K4 w"), None);
    }
}
