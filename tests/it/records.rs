//! Game files: dialects of PGN, faults and their messages, round trips.

use chuhe::notation::{ChineseStyle, Notation, Script};
use chuhe::position::Position;
use chuhe::records::{self, Game, NodeId, Outcome, PgnStyle, TextEncoding, encode};

fn read(text: &str) -> records::Records {
    records::read("test.pgn", text.as_bytes())
}

fn moves(game: &Game) -> String {
    let moves: Vec<String> = game.moves().iter().map(|m| m.to_string()).collect();
    moves.join(" ")
}

fn problems(records: &records::Records) -> Vec<String> {
    records.problems.iter().map(|p| p.to_string()).collect()
}

#[test]
fn bodies_of_every_kind() {
    let expected = "h2e2 h9g7 h0g2 i9h9";
    for body in [
        "1. 炮二平五 马8进7 2. 马二进三 车9平8",
        "1.炮二平五馬８進７2.馬二進三車９平８",
        "炮二平五马8进7马二进三车9平8",
        "1、炮二平五　马８进７　2、马二进三　车９平８",
        "１．炮二平五　马８进７\r\n２．马二进三　车９平８\r\n",
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
        "1.H2-E2H9-G7 2.H0-G2I9-H9",
        "h2e2 h9g7 h0g2 i9h9",
        "h2e2h9g7h0g2i9h9",
        "1. C2=5 H8+7 2. H2+3 R9=8 *",
        "1. C2.5 h8+7 2. n2+3 r9.8",
        "1. Ｃ２＝５ Ｈ８＋７ 2. Ｈ２＋３ Ｒ９＝８",
        "1. Che2 Hg7 2. Hg2 Rh9",
        "1 炮二平五 马8进7 2 马二进三 车9平8",
        "1. 炮二平五! 马8进7?! 2. 马二进三 $1 车9平8 1-0",
        "1. 炮二平五 1... 马8进7 2. 马二进三 2. … 车9平8",
        "% escaped\n1. 炮二平五 ;中炮 (not a variation\n马8进7 2. 马二进三 车9平8",
    ] {
        let records = read(body);
        assert_eq!(problems(&records), [""; 0], "{body}");
        assert_eq!(records.games.len(), 1, "{body}");
        assert_eq!(moves(&records.games[0]), expected, "{body}");
    }
}

#[test]
fn tags_and_results() {
    let records = read(
        "[Event \"A \"cup\" of tea\"]\n[Red \"甲\\\\乙\"] [Black \"丙\"]\n[Result \"红胜\"]\n\
         [Site here]\n\n炮二平五\n\n[Event \"B\"]\n\n炮八平五 0-1\n\n炮二平六 1/2-1/2 马二进三",
    );
    assert_eq!(problems(&records), [""; 0]);
    let games = &records.games;
    assert_eq!(games.len(), 4);
    assert_eq!(games[0].tag("event"), Some("A \"cup\" of tea"));
    assert_eq!(
        (games[0].red(), games[0].black()),
        (Some("甲\\乙"), Some("丙"))
    );
    assert_eq!(games[0].tag("Site"), Some("here"));
    let results: Vec<Outcome> = games.iter().map(|g| g.result).collect();
    assert_eq!(
        results,
        [
            Outcome::RedWins,
            Outcome::BlackWins,
            Outcome::Draw,
            Outcome::Unknown
        ]
    );
    assert_eq!(moves(&games[2]), "h2d2");
}

#[test]
fn set_up_positions_and_black_to_move() {
    let fen = "[FEN \"3k5/4P4/9/9/9/9/9/9/9/4K4 w - - 0 7\"]\n7. 兵五平六";
    let records = read(fen);
    assert_eq!(problems(&records), [""; 0]);
    assert!(
        records.games[0]
            .to_pgn(PgnStyle::default())
            .contains("\n7. 兵五平六 *\n")
    );
    let black = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 7";
    let records = read(&format!("[FEN \"{black}\"]\n7... 将4平5"));
    assert_eq!(
        problems(&records)[0],
        "test.pgn:2: ply 1: 将4平5 (d9e9) is illegal: it exposes the king; the line ends before it"
    );
    let records = read("1... 马8进7 2. 马二进三");
    assert_eq!(problems(&records), [""; 0]);
    assert_eq!(moves(&records.games[0]), "h9g7 h0g2");
    let pgn = records.games[0].to_pgn(PgnStyle::default());
    assert!(pgn.contains("1... 马８进７ 2. 马二进三 *"), "{pgn}");
    let records = read("[FEN \"3k5/9/9/9/9/9/9/9/9/4K3R b\"]\n车一进一");
    assert_eq!(
        problems(&records),
        [
            "test.pgn:2: ply 1: the first move is not that of the side to move; the move was believed"
        ]
    );
    assert!(!records.has_errors());
    // Some programs write the side that sits below with a hyphen.
    let records = read("[FEN \"3k5/9/9/9/9/9/9/9/9/4K3R -b\"]\n车一进一");
    assert_eq!(problems(&records), [""; 0]);
}

#[test]
fn variations_and_comments() {
    let text = "{start} 1. 炮二平五 {a} (1. 炮八平五 {b} 马8进7 (1... 炮8平5) (1... 炮2平5)) \
                ({c} 1. 相三进五) {d} 马8进7 $2 2. 马二进三 (2. 马八进七 车9平8 1-0) 1-0";
    let records = read(text);
    assert_eq!(problems(&records), [""; 0]);
    let game = &records.games[0];
    assert_eq!(
        (game.plies(), game.node_count(), game.variation_count()),
        (3, 10, 5)
    );
    let first: Vec<String> = game
        .children(NodeId::ROOT)
        .map(|n| game.mv(n).to_string())
        .collect();
    assert_eq!(first, ["h2e2", "b2e2", "g0e2"]);
    let pgn = game.to_pgn(PgnStyle::default());
    assert_eq!(
        pgn,
        "\n{start} 1. 炮二平五 {a} (1. 炮八平五 {b} 1... 马８进７ (1... 炮８平５) (1...\n\
         炮２平５)) ({c} 1. 相三进五) {d} 1... 马８进７ $2 2. 马二进三 (2. 马八进七\n\
         车９平８ {1-0}) 1-0\n\n"
    );
    assert_eq!(records::read("x", pgn.as_bytes()).games[0], *game);
}

#[test]
fn faults_have_line_and_token_and_the_rest_is_read() {
    let text = "[Event \"1\"]\n\n1. 炮二平五 马8进7\n2. 马二进八 车9平8 (2... 卒3进1)\n\n[Event \"2\"]\n\n\
        炮二平五 (炮八平五 马9进9 (车1进1) 车9进1) hello world 马8进7\n{open\n\n[Event \"3\"]\n\
        [FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n炮二平五\n\n[Event \"4\"]\n) 炮二平五 (炮八平五 * junk";
    let records = read(text);
    assert_eq!(
        problems(&records),
        [
            "test.pgn:4: ply 3: 马二进八 is illegal: the piece does not move that way; the line \
             ends before it",
            "test.pgn:8: game 2: ply 2: 马9进9: no black horse stands where the text says; the \
             line ends before it",
            "test.pgn:8: game 2: ply 2: \"hello\" is no move, comment or result; it was skipped \
             with 1 more",
            "test.pgn:9: game 2: a comment opened by { is not closed by }",
            "test.pgn:12: game 3: the start \"9/9/9/9/9/9/9/9/9/4K4 w\" is no position: there is \
             no black king; the game was skipped",
            "test.pgn:16: game 4: ')' out of place was skipped",
            "test.pgn:16: game 4: ply 2: \"junk\" is no move, comment or result; it was skipped",
            "test.pgn:16: game 4: a variation opened by ( is not closed by )",
        ]
    );
    assert_eq!(records.games.len(), 3);
    assert_eq!(moves(&records.games[1]), "h2e2 h9g7");
    let records = read("1. 炮二平五 1-0\n=====\n感谢使用\n");
    assert_eq!(
        problems(&records),
        ["test.pgn:2: text after the end of the game was skipped: \"=====\" with 1 more"]
    );
    assert!(!records.has_errors());
    assert_eq!(problems(&read(" \n")), ["test.pgn: there is no game in it"]);
}

/// A random tree with comments of every awkward kind.
fn random_game(seed: u64) -> Game {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut game = Game::new(Position::startpos());
    game.add_tag("Event", "a \"b\" \\ c]");
    game.add_tag("Red", "甲");
    game.result = [Outcome::RedWins, Outcome::Draw, Outcome::Unknown][below(3)];
    let mut nodes = vec![(NodeId::ROOT, Position::startpos())];
    for _ in 0..below(60) {
        let pick = if below(3) == 0 {
            below(nodes.len())
        } else {
            nodes.len() - 1
        };
        let (parent, position) = nodes[pick].clone();
        let legal = position.legal_moves();
        if legal.is_empty() {
            continue;
        }
        let mv = legal[below(legal.len())];
        if game.children(parent).any(|n| game.mv(n) == mv) {
            continue;
        }
        let first = game.next(parent).is_none();
        let node = game.add(parent, mv);
        let texts = [
            "好棋",
            "two\nlines",
            "a; b (c) [d]",
            "brace } in it",
            "{",
            "1-0",
            "x\n} y",
        ];
        if below(3) == 0 {
            game.comment(node, texts[below(5)]);
        }
        if below(9) == 0 && !first {
            game.comment_before(node, texts[below(2)]);
        }
        if below(5) == 0 {
            game.nag(node, below(7) as u8);
        }
        let mut next = position;
        next.make(mv);
        nodes.push((node, next));
    }
    game
}

#[test]
fn trees_come_back_from_every_notation_and_encoding() {
    let traditional = ChineseStyle {
        script: Script::Traditional,
        ..ChineseStyle::FILES
    };
    for seed in 0..300 {
        let game = random_game(seed);
        for (notation, encoding, crlf) in [
            (Notation::Coordinate, TextEncoding::Utf8, false),
            (Notation::Iccs, TextEncoding::Utf8Bom, true),
            (Notation::Wxf, TextEncoding::Gb18030, false),
            (
                Notation::Chinese(ChineseStyle::FILES),
                TextEncoding::Gb18030,
                true,
            ),
            (
                Notation::Chinese(ChineseStyle::default()),
                TextEncoding::Utf8,
                false,
            ),
            (Notation::Chinese(traditional), TextEncoding::Utf8, true),
        ] {
            let pgn = game.to_pgn(PgnStyle { notation, crlf });
            let bytes = encode(&pgn, encoding).unwrap();
            let back = records::read("tree", &bytes);
            assert_eq!(problems(&back), [""; 0], "{pgn}");
            assert_eq!(back.games.len(), 1);
            assert_eq!(back.games[0], game, "seed {seed}:\n{pgn}");
        }
    }
}

/// All real games, written in one file a notation and read back. A share of them by default.
fn real_games(step: usize) {
    let games: Vec<Game> = crate::shared::games()
        .iter()
        .step_by(step)
        .map(|(start, moves)| {
            let mut game = Game::new(start.clone());
            let mut node = NodeId::ROOT;
            for &m in moves {
                node = game.add(node, m);
            }
            game.add_tag("Event", "x");
            game
        })
        .collect();
    for (notation, encoding) in [
        (
            Notation::Chinese(ChineseStyle::FILES),
            TextEncoding::Gb18030,
        ),
        (Notation::Wxf, TextEncoding::Utf8),
        (Notation::Iccs, TextEncoding::Utf8),
    ] {
        let style = PgnStyle {
            notation,
            crlf: false,
        };
        let mut pgn = String::new();
        for game in &games {
            game.push_pgn(style, &mut pgn);
        }
        let bytes = encode(&pgn, encoding).unwrap();
        let back = records::read("all", &bytes);
        assert_eq!(problems(&back), [""; 0]);
        assert_eq!(back.games.len(), games.len());
        for (a, b) in back.games.iter().zip(&games) {
            assert_eq!(a.start().fen(), b.start().fen());
            assert_eq!(a.moves(), b.moves());
            assert_eq!(a.result, b.result);
        }
        println!("{notation}: {} games identical", games.len());
    }
}

#[test]
fn real_games_come_back() {
    real_games(40);
}

#[test]
#[ignore = "all of the real games: some 20 seconds"]
fn all_real_games_come_back() {
    real_games(1);
}
