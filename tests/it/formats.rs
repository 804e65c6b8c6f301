//! Formats other than PGN, on files written here for the purpose; what cannot be read; damaged
//! files of every format; and, where they are at hand, real files with known contents.

use chuhe::position::Position;
use chuhe::records::{self, Format, Game, NodeId, Outcome, PgnStyle, TextEncoding, encode};
use chuhe::types::{Color, Move, Square};

/// 炮二平五 (炮八平五 马8进7 | 相三进五) 马8进7 (炮8平5) 马二进三, with comments.
fn sample() -> Game {
    let pgn = "{start} 1. 炮二平五 {第一着} (1. 炮八平五 马8进7) (1. 相三进五 {飞相}) 马8进7 \
               (1... 炮8平5) 2. 马二进三 1-0";
    let mut records = records::read("sample", pgn.as_bytes());
    assert!(records.problems.is_empty(), "{:?}", records.problems);
    records.games.remove(0)
}

/// The same tree whatever the tags.
fn same_tree(mut a: Game, mut b: Game) -> bool {
    a.tags.clear();
    b.tags.clear();
    a == b
}

fn gbk(text: &str) -> Vec<u8> {
    encode(text, TextEncoding::Gb18030).unwrap().into_owned()
}

fn comment_of(game: &Game, node: NodeId) -> String {
    game.notes(node)
        .map_or_else(String::new, |n| n.after.join("\n"))
}

/// The tree as nodes with "has a continuation" and "has a further variation".
fn flat(game: &Game) -> Vec<(NodeId, bool, bool)> {
    game.walk()
        .map(|n| (n, game.next(n).is_some(), game.sibling(n).is_some()))
        .collect()
}

/// An XQF file of any version, masked as the version wants.
fn xqf(game: &Game, version: u8) -> Vec<u8> {
    let mut file = vec![0_u8; 1024];
    file[..3].copy_from_slice(&[b'X', b'Q', version]);
    let (mask, or, sum, keys) = (0x5a, [3, 5, 7, 9], 0x41_u8, [0x37_u8, 0x21, 0x63]);
    let stir = |k: u8, with: u8| ((u32::from(k) * u32::from(k) * 54 + 221) * u32::from(with)) as u8;
    let (mut piece, mut from, mut to, mut comment, mut stream) = (0, 0, 0, 0, [0_u8; 32]);
    if version > 10 {
        file[3] = mask;
        file[8..12].copy_from_slice(&or);
        file[12] = sum;
        file[13..16].copy_from_slice(&keys);
        piece = stir(keys[0], keys[0]);
        from = stir(keys[1], piece);
        to = stir(keys[2], from);
        comment = (u32::from(sum) * 256 + u32::from(keys[0])) % 32_000 + 767;
        let parts = [sum, keys[0], keys[1], keys[2]];
        for (i, c) in b"[(C) Copyright Mr. Dong Shiwei.]".iter().enumerate() {
            stream[i] = c & ((parts[i % 4] & mask) | or[i % 4]);
        }
    }
    let xy = |s: Square| (s.file() * 10 + s.rank()) as u8;
    let start = game.start();
    let mut used = Vec::new();
    for (slot, letter) in "RNBAKABNRCCPPPPP".chars().cycle().take(32).enumerate() {
        let color = Color::ALL[slot / 16];
        let wanted = |s: &Square| {
            start
                .piece_on(*s)
                .is_some_and(|p| p.color() == color && p.kind().letter() == letter)
                && !used.contains(s)
        };
        let square = Square::all().find(wanted);
        used.extend(square);
        let place = square.map_or(255, xy).wrapping_add(piece);
        let at = if version >= 12 {
            (slot + 32 - (usize::from(piece) + 1) % 32) % 32
        } else {
            slot
        };
        file[16 + at] = place;
    }
    file[51] = 1;
    let title = gbk("测试");
    file[80] = title.len() as u8;
    file[81..81 + title.len()].copy_from_slice(&title);
    for (node, next, other) in flat(game) {
        let m = game.mv(node);
        let text = gbk(&comment_of(game, node));
        let root = node == NodeId::ROOT;
        let (f, t) = if root {
            (0, 0)
        } else {
            (xy(m.from()), xy(m.to()))
        };
        let flags = if version <= 10 {
            (u8::from(next) * 0xf0) | (u8::from(other) * 0x0f)
        } else {
            (u8::from(next) * 0x80) | (u8::from(other) * 0x40) | (u8::from(!text.is_empty()) * 0x20)
        };
        let mut raw = vec![
            f.wrapping_add(24).wrapping_add(from),
            t.wrapping_add(32).wrapping_add(to),
            flags,
            0,
        ];
        if version <= 10 || !text.is_empty() {
            raw.extend((text.len() as u32 + comment).to_le_bytes());
            raw.extend(&text);
        }
        for byte in raw {
            file.push(byte.wrapping_add(stream[file.len() % 32]));
        }
    }
    file
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A CCBridge record of version 2.
fn cbr(game: &Game) -> Vec<u8> {
    let mut file = vec![0_u8; 2214];
    file[..16].copy_from_slice(b"CCBridge Record\0");
    file[19] = 2;
    let red = utf16("红方");
    file[1076..1076 + red.len()].copy_from_slice(&red);
    file[2076] = 1;
    file[2112] = 1;
    let index = |s: Square| (9 - s.rank()) * 9 + s.file();
    for s in game.start().occupied() {
        let p = game.start().piece_on(s).unwrap();
        let code = " RNBAKCP".find(p.kind().letter()).unwrap() as u8;
        file[2120 + index(s)] = code | if p.color() == Color::Red { 0x10 } else { 0x20 };
    }
    for (node, next, other) in flat(game) {
        let m = game.mv(node);
        let text = utf16(&comment_of(game, node));
        let flags = u8::from(!next) | (u8::from(other) * 2) | (u8::from(!text.is_empty()) * 4);
        let points = if m.is_none() {
            [0, 0]
        } else {
            [index(m.from()) as u8, index(m.to()) as u8]
        };
        file.extend([flags, 0, points[0], points[1]]);
        if !text.is_empty() {
            file.extend((text.len() as u32).to_le_bytes());
            file.extend(text);
        }
    }
    file
}

/// A library whose first game fills two slots.
fn cbl(game: &Game) -> Vec<u8> {
    let mut file = vec![0_u8; 66_624 + 2 * 276];
    file[..16].copy_from_slice(b"CCBridgeLibrary\0");
    file[60] = 2;
    let first = cbr(game);
    file.extend(&first);
    file.resize(66_624 + 2 * 276 + 2 * 4096, 0);
    file.extend(&first);
    file
}

fn cbf(game: &Game) -> Vec<u8> {
    let mut text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord Version=\"1.0\">\n\
        <Head><Name>a &amp; b</Name><Red /><RecordResult>1</RecordResult><FEN>"
            .to_owned();
    text += &game.start().fen();
    text += "</FEN></Head>\n<MoveList>\n";
    let xy = |s: Square| format!("{}{}", s.file(), 9 - s.rank());
    for (node, next, other) in flat(game) {
        let m = game.mv(node);
        let value = if m.is_none() {
            "00-00".into()
        } else {
            format!("{}-{}", xy(m.from()), xy(m.to()))
        };
        let end = if next { "" } else { " end=\"1\"" };
        let branch = if other { " branch=\"1\"" } else { "" };
        let comment = comment_of(game, node);
        text += &format!("<Move value=\"{value}\"{end}{branch}><![CDATA[{comment}]]></Move>\n");
    }
    (text + "</MoveList></ChineseChessRecord>\n").into_bytes()
}

const PFC: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?><n version=\"2\" win=\"1-0\" \
    m=\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\" c=\"start\">\
    <n m=\"h2e2\" c=\"第一着\"><n m=\"h9g7\"><n m=\"h0g2\"/></n><n m=\"h7e7\"/></n>\
    <n m=\"b2e2\"><n m=\"h9g7\"/></n><n m=\"g0e2\" c=\"飞相\"/></n>";

const DHTMLXQ: &str = "<html>[DhtmlXQ]\n[DhtmlXQ_title]题目[/DhtmlXQ_title]\n\
    [DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
    [DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]\n\
    [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\n\
    [DhtmlXQ_move_0_1_1]17477062[/DhtmlXQ_move_0_1_1]\n[DhtmlXQ_move_0_1_2]6947[/DhtmlXQ_move_0_1_2]\n\
    [DhtmlXQ_move_0_2_3]7242[/DhtmlXQ_move_0_2_3]\n[DhtmlXQ_comment0]start[/DhtmlXQ_comment0]\n\
    [DhtmlXQ_comment1]第一着[/DhtmlXQ_comment1][DhtmlXQ_comment2_1]飞相[/DhtmlXQ_comment2_1]\n[/DhtmlXQ]";

/// A file of each format, all with the sample game where the format can hold it.
fn files() -> Vec<(Format, Vec<u8>)> {
    let game = sample();
    let uci = format!(
        "{}\nposition startpos moves 炮二平五 H8+7\n",
        game.to_uci_line()
    );
    let epd = "# test\n3k5/4P4/9/9/9/9/9/9/9/4K4 w - - bm e8d8; id \"x\";\n\
               3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 12 a name\n";
    let mut files: Vec<(Format, Vec<u8>)> = [10, 11, 12, 15, 18]
        .map(|version| (Format::Xqf, xqf(&game, version)))
        .to_vec();
    files.extend([
        (Format::Cbr, cbr(&game)),
        (Format::Cbl, cbl(&game)),
        (Format::Cbf, cbf(&game)),
        (Format::Pfc, PFC.into()),
        (Format::DhtmlXq, gbk(DHTMLXQ)),
        (Format::Json, game.to_json().into_bytes()),
        (Format::Moves, gbk(&game.to_pgn(PgnStyle::default()))),
        (Format::Ubb, b"774770627967\n".to_vec()),
        (Format::List, uci.into_bytes()),
        (Format::List, epd.into()),
    ]);
    let mut tagged = game;
    tagged.add_tag("Event", "测试 \"x\"");
    files.push((Format::Pgn, gbk(&tagged.to_pgn(PgnStyle::default()))));
    files
}

#[test]
fn the_same_game_from_every_format() {
    let sample = sample();
    for (format, bytes) in files() {
        let records = records::read("test", &bytes);
        let problems: Vec<String> = records.problems.iter().map(|p| p.to_string()).collect();
        assert!(problems.is_empty(), "{format}: {problems:?}");
        assert_eq!(records.format, Some(format));
        match format {
            Format::List => assert_eq!(records.games.len(), 2),
            Format::Ubb => assert_eq!(records.games[0].moves(), sample.moves()),
            _ => {
                assert_eq!(
                    records.games.len(),
                    if format == Format::Cbl { 2 } else { 1 }
                );
                for game in records.games {
                    let pgn = game.to_pgn(PgnStyle::default());
                    assert!(same_tree(game, sample.clone()), "{format}: {pgn}");
                }
            }
        }
    }
    let epd = files().swap_remove(14);
    let games = records::read("test.epd", &epd.1).games;
    assert_eq!(
        (games[0].tag("bm"), games[0].tag("id")),
        (Some("e8d8"), Some("x"))
    );
    assert_eq!(games[1].start().fullmove(), 12);
    assert_eq!(comment_of(&games[1], NodeId::ROOT), "a name");
    let xqf = records::read("x", &files()[4].1).games.remove(0);
    assert_eq!(
        (xqf.tag("Title"), xqf.result),
        (Some("测试"), Outcome::RedWins)
    );
}

#[test]
fn faults_name_their_place() {
    let game = sample();
    let message = |name: &str, bytes: &[u8]| {
        let records = records::read(name, bytes);
        records
            .problems
            .first()
            .map_or_else(String::new, |p| p.to_string())
    };
    let mut file = xqf(&game, 18);
    file.truncate(file.len() - 3);
    assert!(message("a.xqf", &file).ends_with("the file ends in the middle"));
    let mut file = xqf(&game, 10);
    file[16..48].fill(255);
    assert_eq!(
        message("a.xqf", &file),
        "a.xqf: byte 16: the start is no position: there is no red king; the game was skipped"
    );
    let dhtml = DHTMLXQ.replace("774770627967", "774770627900");
    assert_eq!(
        message("b.txt", dhtml.as_bytes()),
        "b.txt:5: ply 3: h0a9 is illegal: the piece does not move that way; the line ends before it"
    );
    for (name, bytes) in [
        ("x.chn", &b"GL\xd0\x07\0\0\0\0\0\0\0\0"[..]),
        ("x.cbl", b"CCBridge\x15\0\0\0\x03\0\0\0"),
        ("x.bin", b"learnchess\0"),
    ] {
        assert!(
            message(name, bytes).contains("which chuhe cannot read"),
            "{name}"
        );
    }
    assert!(message("x", &[0; 64]).contains("no format chuhe knows"));
}

/// A game with variations, comments, a set-up position and Black to move comes back from XQF; tags
/// are cut between letters.
#[test]
fn written_xqf_is_read_again() {
    let mut game = sample();
    game.tags = vec![
        ("Red".into(), "甲".into()),
        ("Event".into(), "棋".repeat(40)),
    ];
    let again = records::read("x.xqf", &game.to_xqf());
    assert!(again.problems.is_empty(), "{:?}", again.problems);
    assert_eq!(again.format, Some(Format::Xqf));
    let back = &again.games[0];
    assert_eq!(back.red(), Some("甲"));
    assert_eq!(back.tag("Event"), Some(&*"棋".repeat(31)));
    assert_eq!((back.result, back.moves()), (game.result, game.moves()));
    assert!(
        same_tree(back.clone(), game),
        "{}",
        back.to_pgn(PgnStyle::default())
    );
    let pgn =
        "[FEN \"3k5/9/2P1P4/9/9/9/9/9/9/4K4 b - - 0 7\"]\n\n7... 将4进1! {x} (7... 将4平5) 1/2-1/2";
    let set_up = records::read("set-up", pgn.as_bytes()).games.remove(0);
    let again = records::read("x.xqf", &set_up.to_xqf()).games.remove(0);
    assert_eq!(again.start().fen(), set_up.start().fen());
    assert_eq!((again.moves(), set_up.plies()), (set_up.moves(), 1));
    assert_eq!(again.variation_count(), 1);
    assert_eq!(
        comment_of(&again, again.next(NodeId::ROOT).unwrap()),
        "!\nx"
    );
}

#[test]
fn written_epd_is_read_again() {
    let epd = "3k5/9/9/3P5/9/9/9/9/9/4K4 w - - bm d6d7; id \"a b\";";
    let game = records::read("x.epd", epd.as_bytes()).games.remove(0);
    assert_eq!(game.to_epd_line(), epd);
}

/// Neither bytes by lot nor prose become games of a word or two that look like moves.
#[test]
fn what_is_no_record_is_refused_as_a_whole() {
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..3_000)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect();
    let prose = "# A heading\n\n- h2e2 is a move (or so one says); this text is about\n* other \
                 things than a game, such as {comments} and 1-0 results, and holds by chance a \
                 word that could be played\n";
    let settings = "[package]\nname = \"x\"\nversion = \"1\"\n";
    for (bytes, text) in [
        (&noise[..], "no format chuhe knows"),
        (&noise[..100], "no format chuhe knows"),
        (prose.as_bytes(), "there is no game in it: \"#\" with"),
        (settings.as_bytes(), "there is no game in it: \"name\" with"),
    ] {
        let records = records::read("x.txt", bytes);
        assert!(
            records.games.is_empty() && records.format.is_none(),
            "{text}"
        );
        let problems: Vec<String> = records.problems.iter().map(|p| p.to_string()).collect();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(
            problems[0].starts_with(&format!("x.txt: {text}")),
            "{problems:?}"
        );
    }
    // A game with more said about it than played is one.
    let talk = format!("1. h2e2 {} h9g7 *", "word ".repeat(15));
    assert_eq!(records::read("x.txt", talk.as_bytes()).games.len(), 1);
    let tagged = format!("[Red \"A\"]\n\n{} 1-0", "word ".repeat(50));
    assert_eq!(records::read("x.pgn", tagged.as_bytes()).games.len(), 1);
}

/// Cuts, changes, repeats and moves bytes.
fn damage(bytes: &[u8], state: &mut u64) -> Vec<u8> {
    let mut below = |n: usize| {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % n.max(1)
    };
    let mut out = bytes.to_vec();
    for _ in 0..1 + below(8) {
        let (at, len) = (below(out.len()), below(40));
        let end = (at + len).min(out.len());
        match below(5) {
            0 => out.truncate(at),
            1 => drop(out.splice(at..end, [])),
            2 => {
                let part = out[at..end].to_vec();
                let to = below(out.len());
                drop(out.splice(to..to, part));
            }
            _ if !out.is_empty() => {
                for byte in &mut out[at..end.min(at + 3)] {
                    *byte = below(256) as u8;
                }
            }
            _ => {}
        }
    }
    out
}

#[test]
fn a_thousand_damaged_files_of_each_format() {
    let mut state = 1;
    for (format, bytes) in files() {
        for _ in 0..1_000 {
            let file = damage(&bytes, &mut state);
            let records = records::read("damaged", &file);
            for game in &records.games {
                // What was read is a game that can be written and read again.
                let pgn = game.to_pgn(PgnStyle::default());
                let again = records::read("again", pgn.as_bytes());
                let moves = again.games.first().map(Game::moves).unwrap_or_default();
                assert_eq!(moves, game.moves(), "{format}: {pgn}");
            }
        }
    }
}

/// Real files with the plies and results another reader found (`samples_index.tsv`). Prints how
/// many of each format read whole.
#[test]
fn real_files_read_as_indexed() {
    let Some(index) = crate::shared::path("samples_index.tsv") else {
        return;
    };
    let text = std::fs::read(&index).expect("the index");
    for line in String::from_utf8_lossy(&text).lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let name = format!("{}/{}", fields[0], fields[1]);
        let path = index.parent().expect("a folder").join(&name);
        let Ok(bytes) = std::fs::read(&path) else {
            continue; // a name that is no UTF-8
        };
        let records = records::read(&name, &bytes);
        assert!(
            !records.games.is_empty() || !records.problems.is_empty(),
            "{name}: neither games nor an error"
        );
        if fields[2].is_empty() {
            continue;
        }
        assert_eq!(records.games.len().to_string(), fields[2], "{name}");
        assert_eq!(records.games[0].plies().to_string(), fields[3], "{name}");
        // The index has `*` where that reader did not look at the result.
        if fields[4] != "*" && records.games[0].result != Outcome::Unknown {
            assert_eq!(records.games[0].result.text(), fields[4], "{name}");
        }
    }
}

/// A move list long enough that anything quadratic shows.
#[test]
fn long_and_deep_texts_take_no_time() {
    let mut deep = String::from("炮二平五");
    for _ in 0..50_000 {
        deep += "(炮二平五";
    }
    assert!(records::read("deep", deep.as_bytes()).games[0].node_count() > 50_000);
    let junk = "x! ".repeat(200_000);
    assert!(records::read("junk", junk.as_bytes()).problems.len() <= 1_001);
    let m: Move = "h2e2".parse().unwrap();
    assert!(Position::startpos().is_legal(m));
}
