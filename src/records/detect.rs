//! Which format a file has, by its bytes; the name only helps to name what cannot be read.

use super::{Format, ccbridge, dhtmlxq, lists, xqf};

/// What a file was found to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A format that is read from bytes.
    Binary(Format),
    /// A text; its format is found in the decoded text.
    Text,
    /// A format that is known and cannot be read.
    Unsupported(&'static str),
    /// None that is known.
    Unknown,
}

/// Programs by the extensions of files that are told by nothing else.
const EXTENSIONS: [(&str, &str); 8] = [
    ("che", "象棋世家"),
    ("chn", "联众象棋 (ourgame)"),
    ("ccm", "QQ象棋"),
    ("mxq", "弈天象棋 (movesky)"),
    ("xqi", "新浪象棋 or XQI"),
    ("xgf", "谢谢象棋 (XieXie)"),
    ("xqr", "XQR"),
    ("obk", "an opening book (obk)"),
];

/// So many control characters are put down to a damaged text, however short.
const FEW_CONTROLS: usize = 8;

pub(super) fn of_bytes(name: &str, bytes: &[u8]) -> Kind {
    if xqf::is_xqf(bytes) {
        return Kind::Binary(Format::Xqf);
    }
    if ccbridge::is_record(bytes) {
        return Kind::Binary(Format::Cbr);
    }
    if ccbridge::is_library(bytes) {
        return Kind::Binary(Format::Cbl);
    }
    if ccbridge::is_old_library(bytes) {
        return Kind::Unsupported("CCBridge's compressed libraries (CBL before version 3)");
    }
    if bytes.starts_with(b"learnchess") {
        return Kind::Unsupported("learnchess (BIN)");
    }
    if bytes.starts_with(b"SQLite format 3\0") {
        return Kind::Unsupported("a SQLite database (opening book)");
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Kind::Unsupported("a ZIP archive");
    }
    // Texts have hardly any control characters, whatever their encoding, unless in UTF-16.
    let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let head = &bytes[..bytes.len().min(4096)];
    let controls = head.iter().filter(|&&b| is_control(b)).count();
    if utf16 || controls <= FEW_CONTROLS.max(head.len() / 20) {
        return Kind::Text;
    }
    let extension = name
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match EXTENSIONS.iter().find(|x| x.0 == extension) {
        Some((_, program)) => Kind::Unsupported(program),
        None => Kind::Unknown,
    }
}

/// Whether a byte is none of a text: DOS's end of file and the signs for blanks are.
fn is_control(b: u8) -> bool {
    b.is_ascii_control() && !matches!(b, b'\t'..=b'\r' | 0x1a)
}

/// The format of a text; `Err` names one that cannot be read.
pub(super) fn of_text(text: &str) -> Result<Format, &'static str> {
    let start = text.trim_start();
    if start.starts_with("{\"tags\"") || start.starts_with("{\"start_fen\"") {
        return Ok(Format::Json);
    }
    if start.starts_with('{') && text.contains("\"rootmove\"") {
        return Err("learnchess (JSON)");
    }
    if start.starts_with('<') && text.contains("<ChineseChessRecord") {
        return Ok(Format::Cbf);
    }
    if start.starts_with("<?xml") && (text.contains("<n ") || text.contains("<n\t")) {
        return Ok(Format::Pfc);
    }
    if dhtmlxq::is_dhtmlxq(text) {
        return Ok(Format::DhtmlXq);
    }
    if dhtmlxq::is_digits(text) {
        return Ok(Format::Ubb);
    }
    if lists::is_table(text) {
        return Ok(Format::Table);
    }
    if lists::is_list(text) {
        return Ok(Format::List);
    }
    // A tree drawn in text: one row a ply, with arrows between.
    if text.contains('↓') && text.contains("开始") && text.contains('…') {
        return Err("learnchess (game trees drawn as text)");
    }
    Ok(if start.starts_with('[') {
        Format::Pgn
    } else {
        Format::Moves
    })
}
