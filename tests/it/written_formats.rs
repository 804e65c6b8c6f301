//! Every form in which a game is written, read back by chuhe's own readers: hand-made games of all
//! kinds, real files where they are at hand, and what a form has no place for.

use chuhe::notation::{ChineseStyle, Notation, Script};
use chuhe::position::Position;
use chuhe::records::{self, Format, Game, LeftOut, NodeId, Notes, TextEncoding, encode};
use std::collections::HashMap;

fn read_one(name: &str, bytes: &[u8]) -> Game {
    let mut records = records::read(name, bytes);
    assert!(
        records.problems.is_empty(),
        "{name}: {:?}",
        records.problems
    );
    assert_eq!(records.games.len(), 1, "{name}");
    records.games.remove(0)
}

fn from_pgn(pgn: &str) -> Game {
    read_one("hand-made", pgn.as_bytes())
}

/// Games with all that a tree can have.
fn hand_made() -> Vec<Game> {
    let mut games = [
        // Nested variations from the first move on, marks, comments before and after.
        "[Title \"五七炮\"]\n[Red \"甲\"]\n[Black \"乙\"]\n\n{开局 start} 1. 炮二平五! {第一着} \
         (1. 炮八平五 马8进7 (1... 炮8平5 {顺炮} 2. 炮五进四?! (2. 马八进七 {强})) 2. 马八进七) \
         ({另一着} 1. 相三进五 {飞相} (1. 兵七进一)) 马8进7 (1... 炮8平5 (1... 车9进1)) \
         2. 马二进三 $14 {失} 1-0",
        // Black to move at a set-up position, with variations at once.
        "[FEN \"3k5/9/2P1P4/9/9/9/9/9/9/4K4 b - - 0 1\"]\n\n{黑先} 1... 将4进1!? {杀} \
         (1... 将4平5 {不好} 2. 兵五进一 (2. 兵七平六)) 2. 帅五平四 1/2-1/2",
        // A set-up position with Red to move, and one without moves.
        "[FEN \"5k3/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\"]\n\n1. 车九进八 (1. 车九平五 将6进1) 0-1",
        "[FEN \"3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 1\"]\n\n{只有局面} *",
        // The main line ends before its variation does.
        "1. 炮二平五 (1. 兵七进一 卒7进1 2. 马二进三 马8进7) *",
    ]
    .map(from_pgn)
    .to_vec();
    // Signs that mean something in one format or another.
    let first = games[0].next(NodeId::ROOT).expect("a move");
    let marks =
        "a < b && c > d || e |\n]]> </Move> &lt; &#10; <br>\n[DhtmlXQ_red]x[/DhtmlXQ_red] }";
    games[0].comment(first, marks);
    let mut long = Game::new(Position::startpos());
    let mut node = NodeId::ROOT;
    for (i, m) in ["h2e2", "h9g7", "h0g2", "i9h9"].into_iter().enumerate() {
        node = long.add(node, m.parse().expect("a move"));
        long.comment(node, &format!("{i} 很长的评注").repeat(700));
    }
    games.push(long);
    games
}

/// A way to write a game.
type Write = fn(&Game) -> Vec<u8>;

/// Forms that hold the whole tree.
const TREES: [(Format, Write); 6] = [
    (Format::Xqf, Game::to_xqf),
    (Format::Cbr, Game::to_cbr),
    (Format::Cbl, |g| records::to_cbl(&[g])),
    (Format::Cbf, |g| g.to_cbf(TextEncoding::Utf8).into_bytes()),
    (Format::DhtmlXq, |g| g.to_dhtmlxq().into_bytes()),
    (Format::Json, |g| g.to_json().into_bytes()),
];

const NOTATIONS: [Notation; 5] = [
    Notation::Coordinate,
    Notation::Iccs,
    Notation::Wxf,
    Notation::Chinese(ChineseStyle::FILES),
    Notation::Chinese(ChineseStyle {
        script: Script::Traditional,
        ..ChineseStyle::FILES
    }),
];

/// All that is said about a move as one text.
fn said(notes: &Notes) -> String {
    let marks = ["!", "?", "!!", "??", "!?", "?!"];
    let nags = notes.nags.iter().map(|&nag| match nag {
        1..=6 => marks[usize::from(nag) - 1].to_owned(),
        _ => format!("${nag}"),
    });
    let texts = notes.before.iter().chain(&notes.after).cloned();
    nags.chain(texts).collect::<Vec<_>>().join("\n")
}

/// The tree alone with one comment a move, which is all that most formats have, and with the
/// counters of another start.
fn plain(game: &Game, start: &Position) -> Game {
    let mut out = Game::new(start.clone());
    out.result = game.result;
    let mut twins = HashMap::from([(NodeId::ROOT, NodeId::ROOT)]);
    for node in game.walk() {
        let mut twin = NodeId::ROOT;
        if let Some(parent) = game.parent(node) {
            twin = out.add(twins[&parent], game.mv(node));
            twins.insert(node, twin);
        }
        if let Some(notes) = game.notes(node) {
            out.comment(twin, &said(notes));
        }
    }
    out
}

/// Writes a game in every form that holds a tree and asserts that it comes back.
fn assert_trees_come_back(name: &str, game: &Game) {
    for (format, write) in TREES {
        let bytes = write(game);
        let name = format!("{name} as {format}");
        let records = records::read(&name, &bytes);
        assert_eq!(records.format, Some(format), "{name}");
        let back = read_one(&name, &bytes);
        assert_eq!(back.start(), game.start(), "{name}");
        let (a, b) = (plain(game, back.start()), plain(&back, back.start()));
        assert!(a == b, "{name}:\n{}\n{}", a.to_json(), b.to_json());
        let left_out = LeftOut::of(game, &back);
        let only_tags = LeftOut {
            tags: left_out.tags.clone(),
            counters: left_out.counters,
            ..LeftOut::default()
        };
        assert_eq!(left_out, only_tags, "{name}");
    }
}

/// Writes a game as lines and asserts that what lines hold comes back.
fn assert_lines_come_back(name: &str, game: &Game) {
    let mut main = game.main_line_only();
    main.result = game.result;
    for notation in NOTATIONS {
        let name = format!("{name} in {notation}");
        let line = game.to_moves_line(notation);
        assert!(!line.contains('\n'), "{name}");
        let back = read_one(&name, line.as_bytes());
        assert_eq!(back.start(), game.start(), "{name}: {line}");
        assert_eq!(back.moves(), game.moves(), "{name}: {line}");
        assert_eq!(back.result, game.result, "{name}: {line}");
        assert!(LeftOut::of(&main, &back).is_empty(), "{name}: {line}");
    }
    let fens = records::read(name, game.to_fen_lines().as_bytes());
    assert!(fens.problems.is_empty(), "{name}: {:?}", fens.problems);
    assert_eq!(fens.games.len(), game.plies() + 1, "{name}");
    let mut position = game.start().clone();
    let mut moves = game.moves().into_iter();
    for one in &fens.games {
        assert_eq!(one.start().fen(), position.fen(), "{name}");
        if let Some(m) = moves.next() {
            position.make(m);
        }
    }
}

#[test]
fn hand_made_games_come_back_from_every_form() {
    for (i, game) in hand_made().iter().enumerate() {
        let name = format!("game {}", i + 1);
        assert_trees_come_back(&name, game);
        assert_lines_come_back(&name, game);
    }
}

#[test]
fn several_games_in_a_file_come_back_in_order() {
    let games = hand_made();
    let all: Vec<&Game> = games.iter().collect();
    let lines: String = games
        .iter()
        .map(|g| g.to_moves_line(Notation::Wxf) + "\n")
        .collect();
    let posts: String = games.iter().map(Game::to_dhtmlxq).collect();
    let posts = encode(&posts, TextEncoding::Gb18030).expect("GB 18030 has every letter");
    for (name, bytes) in [
        ("CBL", records::to_cbl(&all)),
        ("DhtmlXQ", posts.into_owned()),
        ("moves", lines.into_bytes()),
    ] {
        let back = records::read(name, &bytes);
        assert!(back.problems.is_empty(), "{name}: {:?}", back.problems);
        assert_eq!(back.games.len(), games.len(), "{name}");
        for (a, b) in games.iter().zip(&back.games) {
            assert_eq!((a.start(), a.moves()), (b.start(), b.moves()), "{name}");
            assert_eq!(a.result, b.result, "{name}");
            if name != "moves" {
                assert!(plain(a, b.start()) == plain(b, b.start()), "{name}");
            }
        }
    }
}

/// Names of players, events and so on come back where a format has fields for them; long ones are
/// cut between letters.
#[test]
fn tags_come_back_or_are_named() {
    let mut game = from_pgn("1. 炮二平五 *");
    let event = "棋".repeat(40);
    for (name, value) in [
        ("White", "甲 & 乙"),
        ("Black", "[丙] || 丁"),
        ("Event", &event),
        ("Annotator", "强"),
        ("Weather", "rain"),
    ] {
        game.add_tag(name, value);
    }
    for (format, write) in TREES {
        let back = read_one("tags", &write(&game));
        let left_out = LeftOut::of(&game, &back).tags;
        let expected: &[&str] = match format {
            Format::Json => &[],
            Format::Xqf | Format::Cbr | Format::Cbl => &["Event", "Weather"],
            _ => &["Weather"],
        };
        assert_eq!(left_out, expected, "{format}");
        let cut = back.tag("Event").expect("a part of it");
        assert!(event.starts_with(cut) && cut.len() >= 3 * 31, "{format}");
    }
}

#[test]
fn what_a_form_has_no_place_for_is_named() {
    let game = &hand_made()[0];
    let line = game.to_moves_line(Notation::Wxf);
    let left_out = LeftOut::of(game, &read_one("line", line.as_bytes()));
    assert_eq!(
        left_out.to_string(),
        format!(
            "{} variations, {} comments, 3 marks, the tags Title Red Black (or parts of them)",
            game.variation_count(),
            game.comment_count()
        )
    );
    let epd = read_one("epd", game.to_epd_line().as_bytes());
    let left_out = LeftOut::of(game, &epd);
    assert_eq!((left_out.moves, left_out.result), (3, true));
    assert!(left_out.tags.is_empty() && !left_out.start);
    let other = from_pgn("[FEN \"3k5/9/9/9/9/9/9/9/9/4K3R w - - 3 7\"]\n\n1. 车一进一 *");
    let back = read_one("xqf", &other.to_xqf());
    assert_eq!(
        LeftOut::of(&other, &back).to_string(),
        "the start's move counters"
    );
    assert!(LeftOut::of(game, &read_one("json", game.to_json().as_bytes())).is_empty());
    assert!(LeftOut::of(&other, game).start);
}

/// All games of the sample files, in every form and back.
#[test]
fn real_files_come_back_from_every_form() {
    let Some(folder) = crate::shared::path("samples") else {
        return;
    };
    let mut games = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let name = path.display().to_string();
        for (i, game) in records::read(&name, &bytes).games.iter().enumerate() {
            let name = format!("{name}, game {}", i + 1);
            assert_trees_come_back(&name, game);
            assert_lines_come_back(&name, game);
            games += 1;
        }
    }
    println!("{games} games came back from every form");
    assert!(games > 100);
}
