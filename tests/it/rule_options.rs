//! Rule books in both protocols: the options, scores that rest on a rule and their message.

use crate::harness::Engine;

/// A rook chases an unprotected elephant; the next i1g1 brings the third occurrence.
const CHASE: &str = "position fen 3aka3/9/9/9/6b2/9/9/9/8R/3K5 w moves \
                     i1g1 g5i7 g1i1 i7g5 i1g1 g5i7 g1i1 i7g5";
/// A rook checks for ever; the next e5d5 brings the third occurrence.
const CHECK: &str = "position fen 3k5/9/9/9/R8/9/9/9/9/5K3 w moves \
                     a5d5 d9e9 d5e5 e9d9 e5d5 d9e9 d5e5 e9d9";

fn ask(e: &mut Engine, position: &str, mv: &str) -> String {
    e.send(position);
    e.send(&format!("go depth 3 searchmoves {mv}"));
    e.lines_until("bestmove").join("\n")
}

#[test]
fn a_score_by_rule_is_explained() {
    let mut e = Engine::uci();
    for (position, mv, word, article) in [
        (CHASE, "i1g1", "rook i1 attacks the elephant i7", "29.1"),
        (CHECK, "e5d5", "rook d5 gives check", "24.1"),
    ] {
        let said = ask(&mut e, position, mv);
        assert!(said.contains("score cp -29499"), "{said}");
        let message = said
            .lines()
            .find(|l| l.starts_with("info string rules cxa1999: "))
            .unwrap_or_else(|| panic!("no message: {said}"));
        for part in ["Red loses", word, article, "ply"] {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}

#[test]
fn the_rule_book_is_an_option() {
    let mut e = Engine::uci();
    // The Asian book forbids the chase too, the computers' simplest rule forbids nothing.
    e.send("setoption name Repetition Rule value AsianRule");
    assert!(ask(&mut e, CHASE, "i1g1").contains("info string rules axf: "));
    e.send("setoption name Repetition Rule value AllowRepetition");
    for (position, mv) in [(CHASE, "i1g1"), (CHECK, "e5d5")] {
        let said = ask(&mut e, position, mv);
        assert!(said.contains("score cp 0 "), "{said}");
        assert!(!said.contains("info string rules"), "{said}");
    }
    e.send("setoption name Repetition Rule value ChessRule");
    let complaint = e.expect("info string option Repetition Rule: \"ChessRule\" is none of");
    assert!(complaint.contains("ChineseRule2020"), "{complaint}");
    e.send("isready");
    e.expect("readyok");
}

#[test]
fn the_book_has_its_own_words_in_ucci() {
    let mut e = Engine::start();
    e.send("ucci");
    let options = e.lines_until("ucciok");
    let has = |line: &str| options.iter().any(|l| l == line);
    assert!(has(
        "option repetition type combo default chineserule var chineserule var chineserule2020 \
         var asianrule var leaguerule var alwaysdraw"
    ));
    assert!(has(
        "option naturallimit type spin default 60 min 0 max 1000"
    ));
    let said = ask(&mut e, CHASE, "i1g1");
    assert!(said.contains("info message rules cxa1999: "), "{said}");
    e.send("setoption repetition alwaysdraw");
    let said = ask(&mut e, CHASE, "i1g1");
    assert!(!said.contains("info message rules"), "{said}");
}

/// A client that bans every move but the one the engine holds forbidden knows the rules of its
/// event better: the engine plays it.
#[test]
fn bans_win_over_own_judgement() {
    let mut e = Engine::uci();
    let others = [
        "d0d1", "i1a1", "i1b1", "i1c1", "i1d1", "i1e1", "i1f1", "i1h1", "i1i0", "i1i2", "i1i3",
        "i1i4", "i1i5", "i1i6", "i1i7", "i1i8", "i1i9",
    ];
    e.send(CHASE);
    e.send(&format!("banmoves {}", others.join(" ")));
    e.send("go depth 5");
    assert_eq!(e.best_move(), "i1g1");
}

#[test]
fn the_natural_limit_is_an_option() {
    // Mate in two with two plies left before sixty rounds.
    let late = "position fen 5k3/9/9/9/9/9/9/9/R8/3K5 w - - 118 90\ngo depth 5";
    let mut e = Engine::uci();
    e.send(late);
    let said = e.lines_until("bestmove").join("\n");
    assert!(!said.contains("score mate"), "{said}");
    for limit in ["0", "100"] {
        e.send(&format!("setoption name Natural Limit value {limit}"));
        e.send(late);
        let said = e.lines_until("bestmove").join("\n");
        assert!(said.contains("score mate 2"), "{limit}: {said}");
    }
}
