//! CBF out, the XML of CCBridge (象棋桥).

use super::encoding::TextEncoding;
use super::tree::{Game, NodeId};
use super::xml::CBF_TAGS;
use crate::types::Square;
use std::fmt::Write;

impl Game {
    /// The game as a CBF file that will be encoded so: its start, all lines with their comments,
    /// the result, and the tags that CBF has elements for.
    pub fn to_cbf(&self, encoding: TextEncoding) -> String {
        let name = match encoding {
            TextEncoding::Gb18030 => "GB18030",
            TextEncoding::Big5 => "Big5",
            TextEncoding::Utf8 | TextEncoding::Utf8Bom | TextEncoding::Utf16 => "UTF-8",
        };
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"{name}\"?>\n<ChineseChessRecord Version=\"1.0\">\n <Head>\n"
        );
        for (element, tag) in CBF_TAGS {
            push_element(&mut out, element, &escape(self.field(tag)));
        }
        push_element(&mut out, "RecordResult", &self.result.figure().to_string());
        push_element(&mut out, "FEN", &self.start().fen());
        out.push_str(" </Head>\n <MoveList>\n");
        for node in self.walk() {
            self.push_cbf_move(node, &mut out);
        }
        out.push_str(" </MoveList>\n</ChineseChessRecord>\n");
        out
    }

    fn push_cbf_move(&self, node: NodeId, out: &mut String) {
        let value = match node {
            NodeId::ROOT => "00-00".to_owned(),
            _ => format!(
                "{}-{}",
                point(self.mv(node).from()),
                point(self.mv(node).to())
            ),
        };
        let end = if self.next(node).is_none() {
            " end=\"1\""
        } else {
            ""
        };
        let branch = if self.sibling(node).is_some() {
            " branch=\"1\""
        } else {
            ""
        };
        let _ = write!(out, "  <Move value=\"{value}\"{end}{branch}");
        let text = escape(&self.remarks(node));
        let _ = match text.is_empty() {
            true => writeln!(out, " />"),
            false => writeln!(out, ">{text}</Move>"),
        };
    }
}

fn push_element(out: &mut String, name: &str, text: &str) {
    let _ = match text.is_empty() {
        true => writeln!(out, "  <{name} />"),
        false => writeln!(out, "  <{name}>{text}</{name}>"),
    };
}

/// File from the left and rank from the top.
fn point(s: Square) -> String {
    format!("{}{}", s.file(), 9 - s.rank())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
