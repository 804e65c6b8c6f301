//! Move text: dialects, tandem pieces, refusals, round trips, equality with pyffish.

use chuhe::notation::{
    ChineseStyle, Digits, MoveTextError, Notation, PawnColumns, Script, parse_move,
};
use chuhe::position::{Position, Setup};
use chuhe::types::{Color, Move, Piece, PieceType, Square};
use std::collections::HashSet;
use std::path::Path;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Every notation and every style of Chinese.
fn all_notations() -> Vec<Notation> {
    let mut all = vec![Notation::Coordinate, Notation::Iccs, Notation::Wxf];
    for script in [Script::Simplified, Script::Traditional] {
        for digits in [Digits::ChineseForRed, Digits::Chinese, Digits::Arabic] {
            for full_width in [false, true] {
                for pawns in [PawnColumns::OrderAndFile, PawnColumns::Ordinal] {
                    all.push(Notation::Chinese(ChineseStyle {
                        script,
                        digits,
                        full_width,
                        pawns,
                    }));
                }
            }
        }
    }
    all
}

#[test]
fn dialects() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let black = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
    let tandem = "3k5/9/9/9/9/7C1/9/7C1/9/4K4 w";
    let three = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w";
    let five = "3k4P/8P/8P/8P/8P/9/9/9/9/5K3 w";
    let two_files = "3k5/9/2P1P4/2P1P4/9/9/9/9/9/5K3 w";
    let black_files = "3k5/9/9/9/9/9/2p1p4/2p1p4/9/5K3 b";
    let elephants = "3k5/9/9/9/9/2B6/9/9/9/2B1K4 w";
    for (fen, mv, texts) in [
        (
            start,
            "h2e2",
            "h2e2 H2E2 H2-E2 h2-e2 Ｈ２－Ｅ２ ｈ２ｅ２ C2=5 c2=5 C2.5 Ｃ２＝５ Ｃ２．５ 炮二平五 砲二平五 \
             包二平五 炮2平5 炮２平５ 炮二平5 Che2",
        ),
        (
            start,
            "h0g2",
            "H2+3 N2+3 n2+3 马二进三 馬二進三 傌二进三 马2进3 Hg2 Ng2",
        ),
        (
            start,
            "g0e2",
            "E3+5 B3+5 b3+5 e3+5 相三进五 象三進五 相3进5",
        ),
        (start, "f0e1", "A4+5 a4+5 仕四进五 士四進五 Afe1"),
        (start, "i0i2", "R1+2 车一进二 車一進二 俥一进二 車1進2"),
        (start, "e0e1", "K5+1 帅五进一 帥五進一 将五进一 將５進１"),
        (start, "g3g4", "P3+1 p3+1 兵三进一 卒3进1 g4"),
        (
            black,
            "h7e7",
            "h7e7 H7-E7 C8=5 c8.5 炮8平5 砲８平５ 炮八平五 包八平五",
        ),
        (black, "h9g7", "H8+7 n8+7 马8进7 馬８進７ 傌八进七"),
        (
            tandem,
            "h4i4",
            "C+=1 +C=1 +c.1 c+.1 前炮平一 前砲平1 炮前平一 前包平１ 前炮二平一",
        ),
        (
            tandem,
            "h2i2",
            "C-=1 -C=1 -C.1 后炮平一 後砲平一 后二炮平一",
        ),
        (tandem, "h4h5", "C++1 +C+1 前炮进一"),
        (tandem, "h2h1", "C--1 -C-1 后炮退一 後炮退1"),
        (
            three,
            "e6f6",
            "25=4 P.=4 .P=4 P==4 中兵平四 二兵平四 兵中平四 Pb=4 中五平四 中兵五平四",
        ),
        (
            three,
            "e7f7",
            "15=4 +P=4 P+=4 前兵平四 一兵平四 前卒平四 +5=4 Pa=4 1P=4",
        ),
        (three, "e5f5", "35=4 -P=4 后兵平四 三兵平四 後兵平4 Pc=4"),
        (five, "i7h7", "31=2 三兵平二 中兵平二"),
        (five, "i5h5", "51=2 五兵平二 后兵平二"),
        (five, "i8h8", "21=2 二兵平二"),
        (
            two_files,
            "e7f7",
            "15=4 前五平四 前5平4 一兵平四 +5=4 前兵五平四 前五兵平四 前兵平四",
        ),
        (
            two_files,
            "e6f6",
            "25=4 后五平四 二兵平四 後五平四 后兵平四",
        ),
        (two_files, "c7b7", "17=8 前七平八 三兵平八 前兵平八"),
        (two_files, "c6d6", "27=6 后七平六 四兵平六"),
        (black_files, "c2b2", "13=2 前3平2 一卒平2 前三平二 前卒平2"),
        (black_files, "e3f3", "25=6 后5平6 四卒平6 後５平６"),
        (elephants, "c0e2", "E7+5 相七进五 象七进五 后相进五 -B+5"),
        (elephants, "c4e2", "E7-5 相七退五 前相退五"),
    ] {
        let p = position(fen);
        for text in texts.split_whitespace() {
            match parse_move(&p, text) {
                Ok(m) => assert_eq!(m.to_string(), mv, "{text}"),
                Err(e) => panic!("{text} for {mv} in {fen}: {e}"),
            }
        }
    }
}

#[test]
fn written_text() {
    let style = ChineseStyle::default();
    let ordinal = ChineseStyle {
        pawns: PawnColumns::Ordinal,
        ..style
    };
    let traditional = ChineseStyle {
        script: Script::Traditional,
        full_width: true,
        ..style
    };
    let two_files = "3k5/9/2P1P4/2P1P4/9/9/9/9/9/5K3 w";
    for (fen, mv, style, text) in [
        (two_files, "e7f7", style, "前五平四"),
        (two_files, "c6d6", style, "后七平六"),
        (two_files, "e7f7", ordinal, "一兵平四"),
        (two_files, "c6d6", ordinal, "四兵平六"),
        ("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w", "e6f6", style, "中兵平四"),
        ("3k5/8P/8P/8P/8P/9/9/9/9/5K3 w", "i7h7", style, "二兵平二"),
        (
            "3k5/9/9/9/9/7c1/9/7c1/9/4K4 b",
            "h2h1",
            traditional,
            "前砲進１",
        ),
        ("3k5/9/9/9/9/7c1/9/7c1/9/4K4 b", "h4i4", style, "后炮平9"),
        ("3k5/9/5a3/9/9/9/9/9/9/4K4 b", "f7e8", style, "士6退5"),
        ("3k5/4a4/9/9/9/9/9/9/9/4K4 b", "e8f7", style, "士5进6"),
        (
            "3k5/R8/9/9/9/9/9/9/R8/4K4 w",
            "a1d1",
            traditional,
            "後車平六",
        ),
    ] {
        let p = position(fen);
        let m: Move = mv.parse().unwrap();
        assert!(p.is_legal(m), "{mv} in {fen}");
        assert_eq!(Notation::Chinese(style).text(&p, m), text, "{mv} in {fen}");
    }
    let p = Position::startpos();
    let moves: Vec<Move> = ["h2e2", "h9g7", "h0g2", "h0g2"]
        .map(|m| m.parse().unwrap())
        .to_vec();
    assert_eq!(
        Notation::Chinese(style).line(&p, &moves),
        "炮二平五 马8进7 马二进三"
    );
}

#[test]
fn refusals_say_why() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    for (fen, text, error) in [
        (
            start,
            "炮二平二",
            "炮二平二 is illegal: the piece does not move that way",
        ),
        (
            start,
            "炮三平五",
            "炮三平五: no red cannon stands where the text says",
        ),
        (
            start,
            "前炮平五",
            "前炮平五: no red cannon stands where the text says",
        ),
        (
            start,
            "h2h9x",
            "\"h2h9x\" is no move: h2e2, H2-E2, C2=5 and 炮二平五 are",
        ),
        (
            start,
            "",
            "\"\" is no move: h2e2, H2-E2, C2=5 and 炮二平五 are",
        ),
        (
            start,
            "马二进五",
            "马二进五 is illegal: the piece does not move that way",
        ),
        (
            start,
            "h9g7",
            "h9g7 is illegal: that piece belongs to the other side",
        ),
        (
            start,
            "R1+8",
            "R1+8 (i0i8) is illegal: the piece does not move that way",
        ),
        (
            start,
            "Ce2",
            "Ce2 can mean h2e2 (炮二平五) or b2e2 (炮八平五); write one of these",
        ),
        (
            "4k4/4r4/9/9/9/9/9/9/4R4/4K4 w",
            "车五平四",
            "车五平四 (e1f1) is illegal: it exposes the king",
        ),
        (
            "3k5/9/9/9/4R4/9/9/4R4/9/3AK4 w",
            "车五平四",
            "车五平四 can mean e5f5 (前车平四) or e2f2 (后车平四); write one of these",
        ),
        (
            "3k5/9/2P1P4/2P1P4/9/9/9/9/9/5K3 w",
            "前兵进一",
            "前兵进一 can mean e7e8 (前五进一) or c7c8 (前七进一); write one of these",
        ),
        (
            "3k5/8P/8P/8P/8P/9/9/9/9/5K3 w",
            "中兵平二",
            "中兵平二 can mean i7h7 (二兵平二) or i6h6 (三兵平二); write one of these",
        ),
        (
            "3k5/8P/8P/8P/8P/9/9/9/9/5K3 w",
            "兵一平二",
            "兵一平二 can mean i8h8 (一兵平二), i7h7 (二兵平二), i6h6 (三兵平二) or i5h5 (四兵平二); \
             write one of these",
        ),
    ] {
        let e = parse_move(&position(fen), text).unwrap_err();
        assert_eq!(e.to_string(), error, "{text} in {fen}");
        assert_eq!(e.text(), text);
    }
    // Written without 前, but only one of the two can move there.
    let p = position("3k5/9/9/9/4R4/9/9/4RC3/9/3AK4 w");
    assert_eq!(parse_move(&p, "车五平二").unwrap().to_string(), "e5h5");
}

/// SplitMix64, so that the positions are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// A random board on which few files hold many pieces of a kind.
fn tandem_board(random: &mut Random) -> Position {
    loop {
        let mut setup = Setup::empty();
        for color in Color::ALL {
            let mut put = |file: usize, rank: usize, kind| {
                let s = Square::new(rank * 9 + file).relative(color);
                if setup.board[s.index()].is_none() {
                    setup.board[s.index()] = Some(Piece::new(color, kind));
                }
            };
            put(3 + random.below(3), random.below(3), PieceType::King);
            let files: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(9)).collect();
            for _ in 0..random.below(7) {
                let file = files[random.below(files.len())];
                put(file, 5 + random.below(5), PieceType::Pawn);
            }
            for kind in [PieceType::Rook, PieceType::Cannon, PieceType::Knight] {
                let file = random.below(9);
                for _ in 0..random.below(3) {
                    let other = random.below(9);
                    let file = if random.below(10) < 7 { file } else { other };
                    put(file, random.below(10), kind);
                }
            }
            for _ in 0..random.below(3) {
                let (file, rank) = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)][random.below(5)];
                put(file, rank, PieceType::Advisor);
            }
            for _ in 0..random.below(3) {
                let points = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)];
                let (file, rank) = points[random.below(7)];
                put(file, rank, PieceType::Bishop);
            }
        }
        setup.stm = Color::ALL[random.below(2)];
        if let Ok(p) = Position::from_setup(&setup) {
            return p;
        }
    }
}

/// Every legal move of the position, written in every notation, is read back as itself and no
/// two moves share a text.
fn check_round_trip(p: &Position, notations: &[Notation]) {
    let moves = p.legal_moves();
    let mut seen = HashSet::new();
    for &notation in notations {
        seen.clear();
        for &m in &moves {
            let text = notation.text(p, m);
            match parse_move(p, &text) {
                Ok(back) => assert_eq!(back, m, "{text} in {}", p.fen()),
                Err(e) => panic!("{m} was written {text} in {}: {e}", p.fen()),
            }
            assert!(
                seen.insert(text),
                "{m} has no text of its own in {}",
                p.fen()
            );
        }
    }
}

/// Positions from random boards, random play and (where they are at hand) real games.
fn round_trip(boards: usize, played: usize, real: usize) -> usize {
    let notations = all_notations();
    let mut random = Random(1);
    for _ in 0..boards {
        check_round_trip(&tandem_board(&mut random), &notations);
    }
    let mut p = Position::startpos();
    for _ in 0..played {
        check_round_trip(&p, &notations);
        let moves = p.legal_moves();
        if moves.is_empty() || p.ply_count() > 150 {
            p = Position::startpos();
        } else {
            p.make(moves[random.below(moves.len())]);
        }
    }
    let mut done = 0;
    for (start, moves) in crate::shared::games().iter().step_by(7) {
        let mut p = start.clone();
        for &m in moves {
            if done < real {
                check_round_trip(&p, &notations);
                done += 1;
            }
            p.make(m);
        }
        if done == real {
            break;
        }
    }
    boards + played + done
}

#[test]
fn every_move_of_some_positions_round_trips() {
    round_trip(1_500, 1_000, 500);
}

#[test]
#[ignore = "100,000 positions: a minute"]
fn every_move_of_100_000_positions_round_trips() {
    println!("{} positions", round_trip(50_000, 25_000, 25_000));
}

/// Reference texts by pyffish; `tests/pyffish_wxf.py` wrote them and writes larger files,
/// which the environment variable `CHUHE_WXF_REFERENCE` names.
#[test]
fn wxf_equals_pyffish() {
    let file = std::env::var("CHUHE_WXF_REFERENCE").unwrap_or_else(|_| {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data");
        data.join("wxf_reference.tsv").display().to_string()
    });
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut count = 0;
    for line in text.lines() {
        let (fen, moves) = line.split_once('\t').expect("two fields");
        let p = position(fen);
        assert_eq!(moves.split(' ').count(), p.legal_moves().len(), "{fen}");
        for pair in moves.split(' ') {
            let (m, text) = pair.split_once('=').expect("move=text");
            let m: Move = m.parse().expect("a move");
            assert_eq!(Notation::Wxf.text(&p, m), text, "{m} in {fen}");
            assert_eq!(parse_move(&p, text), Ok(m), "{text} in {fen}");
            count += 1;
        }
    }
    println!("{count} moves of {} positions", text.lines().count());
    assert!(count > 1_000);
}

#[test]
fn odd_text_is_no_move_and_no_panic() {
    let p = Position::startpos();
    let letters: Vec<char> = "abchi0129-=.+炮二平五前中后进退兵１９＋Ｃ CRxk\u{1f000}é\0"
        .chars()
        .collect();
    let mut random = Random(9);
    for _ in 0..200_000 {
        let text: String = (0..random.below(8))
            .map(|_| letters[random.below(letters.len())])
            .collect();
        match parse_move(&p, &text) {
            Ok(m) => assert!(p.is_legal(m), "{text}"),
            Err(MoveTextError::Ambiguous { candidates, .. }) => assert!(candidates.len() > 1),
            Err(_) => {}
        }
    }
}
