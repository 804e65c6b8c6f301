//! Verdicts and labels in words, English and Chinese, built from the evidence alone: every claim
//! names pieces, points, plies and the article, so that a reader can check it on the board.

use super::classify::{SideClass, WindowMove};
use super::game::Judgement;
use super::label::{Label, Note};
use super::ruleset::RuleSet;
use super::threat::{Threat, ThreatForm};
use super::verdict::{Reason, Verdict};
use crate::types::{Color, Move, Piece, PieceType, Square};
use std::fmt::Write;

/// A language of explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lang {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

use Lang::{Chinese, English};

impl Judgement {
    /// The verdict and its reason in one or two sentences.
    pub fn explain(&self, rules: &RuleSet, lang: Lang) -> String {
        match self.classes {
            Some(classes) => self.explain_repetition(classes, rules, lang),
            None => self.explain_end(rules, lang),
        }
    }

    fn explain_end(&self, rules: &RuleSet, lang: Lang) -> String {
        let (en, zh) = match self.reason {
            Reason::Checkmate => ("is in check and has no legal move", "被将死"),
            Reason::Stalemate => ("has no legal move (stalemate)", "被困毙"),
            Reason::IllegalMove => ("made an illegal move", "走棋违反行棋规定"),
            _ => ("", ""),
        };
        let article = self.reason.article();
        if let Verdict::Loses(side) = self.verdict {
            return match lang {
                English => format!("{} loses: it {en} (Art. {article}).", name(side, lang)),
                Chinese => format!("{}负：{zh}（第{article}条）。", name(side, lang)),
            };
        }
        let rounds = rules.natural_limit.unwrap_or(0);
        match (self.reason, lang) {
            (Reason::NaturalLimit, English) => {
                format!("Draw: {rounds} rounds without a capture (Art. {article}, 23.3).")
            }
            (Reason::NaturalLimit, Chinese) => {
                format!("和棋：连续{rounds}回合双方均未吃子（第{article}、23.3条）。")
            }
            (Reason::NoAttackers, English) => {
                format!("Draw: neither side has a piece that can attack (Art. {article}).")
            }
            (Reason::NoAttackers, Chinese) => {
                format!("和棋：双方均无取胜可能（第{article}条）。")
            }
            (_, English) => "The game goes on.".into(),
            (_, Chinese) => "对局继续。".into(),
        }
    }

    fn explain_repetition(&self, classes: [SideClass; 2], rules: &RuleSet, lang: Lang) -> String {
        let red = self.side_in_words(Color::Red, classes[0], lang);
        let black = self.side_in_words(Color::Black, classes[1], lang);
        let accused = match self.verdict {
            Verdict::Loses(side) => Some(side),
            _ => self.must_vary,
        };
        let (first, second) = if accused == Some(Color::Black) {
            (black, red)
        } else {
            (red, black)
        };
        let n = self.cycle.map_or(0, |c| c.occurrences);
        let head = match (self.verdict, self.must_vary, lang) {
            (Verdict::Loses(side), _, English) => format!("{} loses", name(side, lang)),
            (Verdict::Loses(side), _, Chinese) => format!("{}负", name(side, lang)),
            (_, Some(side), English) => {
                format!("Occurrence {n}: {} must vary or loses", name(side, lang))
            }
            (_, Some(side), Chinese) => {
                format!("局面第{n}次出现，{}必须变着，不变判负", name(side, lang))
            }
            (_, _, English) => "Draw".into(),
            (_, _, Chinese) => "和棋".into(),
        };
        let law = self.law(rules, lang);
        match lang {
            English => format!("{head}: {first}; {second}. {law}"),
            Chinese => format!("{head}：{first}；{second}。{law}"),
        }
    }

    fn side_in_words(&self, side: Color, class: SideClass, lang: Lang) -> String {
        let own: Vec<&WindowMove> = self.moves.iter().filter(|w| w.side == side).collect();
        let mut text = match (class, lang) {
            (SideClass::Permitted, English) => {
                format!("{} makes permitted moves (25.2)", name(side, lang))
            }
            (SideClass::Permitted, Chinese) => format!("{}为允许着法（25.2）", name(side, lang)),
            (_, English) => {
                format!(
                    "every move of {} in the cycle is {}",
                    name(side, lang),
                    class_name(class, lang)
                )
            }
            (_, Chinese) => format!(
                "{}步步是打，为{}",
                name(side, lang),
                class_name(class, lang)
            ),
        };
        // One loop is enough: the same moves recur.
        let loop_plies = self.cycle.map_or(usize::MAX, |c| c.length);
        let mut parts: Vec<(String, Vec<usize>)> = Vec::new();
        for w in own.iter().take(loop_plies.div_ceil(2)) {
            let why = w.why(lang);
            match parts.iter_mut().find(|(text, _)| *text == why) {
                Some((_, plies)) => plies.push(w.ply),
                None => parts.push((why, vec![w.ply])),
            }
        }
        let list: Vec<String> = parts
            .into_iter()
            .map(|(why, plies)| {
                let plies: Vec<String> = plies.iter().map(usize::to_string).collect();
                match lang {
                    English => format!("ply {}: {why}", plies.join(", ")),
                    Chinese => format!("第{}步：{why}", plies.join("、")),
                }
            })
            .collect();
        if !list.is_empty() {
            let _ = match lang {
                English => write!(text, " ({})", list.join("; ")),
                Chinese => write!(text, "（{}）", list.join("；")),
            };
        }
        text
    }

    fn law(&self, rules: &RuleSet, lang: Lang) -> String {
        if !rules.judges {
            return match lang {
                English => "Any repetition draws.".into(),
                Chinese => "循环局面一律判和。".into(),
            };
        }
        let (en, zh) = match (self.verdict, self.must_vary, self.reason) {
            (Verdict::Loses(_), _, Reason::PerpetualCheck) => (
                "One-sided perpetual check is never allowed and loses at once (24.1, 26.1).",
                "任何情况下不允许单方面长将，立即判负（24.1、26.1）。",
            ),
            (Verdict::Loses(_), ..) if rules.strict => (
                "The side that makes forbidden moves loses.",
                "犯禁一方判负。",
            ),
            (Verdict::Loses(_), ..) => (
                "The side whose moves are forbidden had to vary and did not (24.3, 26.4).",
                "犯禁一方应变着而不变，判负（24.3、26.4）。",
            ),
            (_, Some(_), _) => (
                "The side whose moves are forbidden must vary at once (24.3, 26.4).",
                "犯禁一方必须立即变着，若再重复一次循环即判负（24.3、26.4）。",
            ),
            (_, _, Reason::BothForbidden) => (
                "Both sides make forbidden moves and neither varies (24.2, 26.3).",
                "双方均为禁止着法，不变作和（24.2、26.3）。",
            ),
            _ => (
                "Both sides make permitted moves and neither varies (24.2, 26.2).",
                "双方均为允许着法，不变作和（24.2、26.2）。",
            ),
        };
        match lang {
            English => en.into(),
            Chinese => zh.into(),
        }
    }
}

impl Label {
    /// The word of the rule text.
    pub fn word(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (_, English) => self.name(),
            (Label::Idle, Chinese) => "闲",
            (Label::Follow, Chinese) => "跟",
            (Label::Block, Chinese) => "拦",
            (Label::Offer, Chinese) => "献",
            (Label::Exchange, Chinese) => "兑",
            (Label::Chase, Chinese) => "捉",
            (Label::Kill, Chinese) => "杀",
            (Label::Check, Chinese) => "将",
        }
    }
}

impl Lang {
    /// Red or Black, as tables have it.
    pub fn side(self, side: Color) -> &'static str {
        match (side, self) {
            (Color::Red, English) => "red",
            (Color::Black, English) => "black",
            (Color::Red, Chinese) => "红",
            (Color::Black, Chinese) => "黑",
        }
    }
}

impl WindowMove {
    /// The label of the move with its evidence, in a clause.
    pub fn why(&self, lang: Lang) -> String {
        let l = &self.labelled;
        let mover = piece_at(l.piece, l.mv.to(), lang);
        match (l.label, lang) {
            (Label::Check, English) => format!("{mover} gives check (28.1)"),
            (Label::Check, Chinese) => format!("{mover}将军（28.1）"),
            (Label::Kill, English) => {
                format!("{mover} threatens mate by {} (kill, 28.2)", moves(&l.line))
            }
            (Label::Kill, Chinese) => format!("{mover}叫杀：{}（28.2）", moves(&l.line)),
            (Label::Chase, _) => l
                .threats
                .first()
                .map_or_else(String::new, |t| chase(t, lang)),
            _ => idle(l.note, &mover, lang),
        }
    }
}

fn chase(t: &Threat, lang: Lang) -> String {
    let captor = piece_at(t.captor_piece, t.captor, lang);
    let target = piece_at(t.target_piece, t.target, lang);
    let line = moves(&t.line);
    match (t.form, lang) {
        (ThreatForm::Direct, English) => {
            format!("{captor} attacks the {target} and wins by {line} (chase, 29.1-29.3)")
        }
        (ThreatForm::Direct, Chinese) => format!("{captor}捉{target}，{line}得子（29.1-29.3）"),
        (ThreatForm::Checks, English) => {
            format!("{captor} threatens to win material by checks, {line} (chase, 29.1)")
        }
        (ThreatForm::Checks, Chinese) => {
            format!("{captor}可连续照将得子：{line}（捉，29.1）")
        }
        (ThreatForm::Exchange, English) => {
            format!("{captor} threatens to gain by the exchange {line} (chase, 29.1)")
        }
        (ThreatForm::Exchange, Chinese) => {
            format!("{captor}可通过交换得子：{line}（捉，29.1）")
        }
    }
}

fn idle(note: Note, mover: &str, lang: Lang) -> String {
    let (en, zh) = match note {
        Note::Plain => ("idle (28.9)".into(), "闲（28.9）".into()),
        Note::KingEvades => ("the king answers a check, idle".into(), "应将，闲".into()),
        Note::KingAttacks(s) => (
            format!("the king itself attacks {s}, idle (27.1)"),
            format!("帅（将）本身叫吃{s}，闲（27.1）"),
        ),
        Note::PawnAttacks(s) => (
            format!("a pawn itself attacks {s}, idle (27.2)"),
            format!("兵（卒）本身叫吃{s}，闲（27.2）"),
        ),
        Note::Known(s) => (
            format!("{s} could be won before, idle (29.2)"),
            format!("{s}原已被捉，闲（29.2）"),
        ),
        Note::TakingMated(s) => (
            format!("taking on {s} is answered by mate, idle (29.4)"),
            format!("吃{s}后即被将死，闲（29.4）"),
        ),
        Note::Exchange(a, b) => (
            format!("offers the exchange of {a} and {b} (28.5)"),
            format!("{a}与{b}邀兑（28.5）"),
        ),
        Note::Offer(s) => (
            format!("{mover} offers itself to the piece on {s} (28.6)"),
            format!("{mover}献与{s}之子（28.6）"),
        ),
        Note::Block(s) => (
            format!("{mover} blocks the piece on {s} (28.7)"),
            format!("{mover}拦{s}之子（28.7）"),
        ),
        Note::Follow(s) => (
            format!("{mover} follows the protected piece on {s} (28.8)"),
            format!("{mover}跟{s}之有根子（28.8）"),
        ),
    };
    match lang {
        English => en,
        Chinese => zh,
    }
}

fn moves(line: &[Move]) -> String {
    let words: Vec<String> = line.iter().map(Move::to_string).collect();
    words.join(" ")
}

fn name(side: Color, lang: Lang) -> &'static str {
    match (side, lang) {
        (Color::Red, English) => "Red",
        (Color::Black, English) => "Black",
        (Color::Red, Chinese) => "红方",
        (Color::Black, Chinese) => "黑方",
    }
}

fn class_name(class: SideClass, lang: Lang) -> &'static str {
    match (class, lang) {
        (SideClass::Permitted, English) => "permitted",
        (SideClass::PerpetualCheck, English) => "check",
        (SideClass::PerpetualKill, English) => "a threat of mate",
        (SideClass::PerpetualChase, English) => "a chase",
        (SideClass::Alternating, English) => "a check, threat of mate or chase",
        (SideClass::Permitted, Chinese) => "允许着法",
        (SideClass::PerpetualCheck, Chinese) => "长将",
        (SideClass::PerpetualKill, Chinese) => "长杀",
        (SideClass::PerpetualChase, Chinese) => "长捉",
        (SideClass::Alternating, Chinese) => "将杀捉交替",
    }
}

/// "rook h5", "车h5".
fn piece_at(piece: Option<Piece>, s: Square, lang: Lang) -> String {
    let Some(piece) = piece else {
        return s.to_string();
    };
    match lang {
        English => format!("{} {s}", piece.kind().name()),
        Chinese => format!("{}{s}", letter(piece)),
    }
}

fn letter(piece: Piece) -> char {
    match (piece.kind(), piece.color()) {
        (PieceType::King, Color::Red) => '帅',
        (PieceType::King, Color::Black) => '将',
        (PieceType::Advisor, Color::Red) => '仕',
        (PieceType::Advisor, Color::Black) => '士',
        (PieceType::Bishop, Color::Red) => '相',
        (PieceType::Bishop, Color::Black) => '象',
        (PieceType::Pawn, Color::Red) => '兵',
        (PieceType::Pawn, Color::Black) => '卒',
        (PieceType::Knight, _) => '马',
        (PieceType::Rook, _) => '车',
        (PieceType::Cannon, _) => '炮',
    }
}
