//! Bytes of a text file to text and back: UTF-8, UTF-16, GB18030 (which contains GBK) and Big5.
//!
//! Files say nothing of their encoding. UTF-8 gives itself away; between GB18030 and Big5 the
//! letters of move texts decide, which the wrong decoding practically never produces.

use core::fmt;
use core::str::FromStr;
use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// An encoding of text files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Bom,
    /// UTF-16 with a byte order mark, either order; only read.
    Utf16,
    /// GB18030; what GBK and GB2312 have is the same there.
    Gb18030,
    /// Big5.
    Big5,
}

impl TextEncoding {
    fn codec(self) -> &'static Encoding {
        match self {
            TextEncoding::Utf8 | TextEncoding::Utf8Bom | TextEncoding::Utf16 => UTF_8,
            TextEncoding::Gb18030 => GB18030,
            TextEncoding::Big5 => BIG5,
        }
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextEncoding::Utf8 => "utf-8",
            TextEncoding::Utf8Bom => "utf-8-bom",
            TextEncoding::Utf16 => "utf-16",
            TextEncoding::Gb18030 => "gb18030",
            TextEncoding::Big5 => "big5",
        })
    }
}

impl FromStr for TextEncoding {
    type Err = String;

    fn from_str(s: &str) -> Result<TextEncoding, String> {
        Ok(match s.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => TextEncoding::Utf8,
            "utf-8-bom" | "utf8-bom" | "bom" => TextEncoding::Utf8Bom,
            "gbk" | "gb18030" | "gb2312" | "gb" => TextEncoding::Gb18030,
            "big5" => TextEncoding::Big5,
            _ => {
                return Err(format!(
                    "{s:?} is no encoding to write: utf-8, utf-8-bom, gbk and big5 are"
                ));
            }
        })
    }
}

/// How much of a file is looked at to find its encoding.
const PROBE: usize = 1 << 17;

/// Decodes a text file.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, TextEncoding) {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return (String::from_utf8_lossy(rest), TextEncoding::Utf8Bom);
    }
    if bytes.starts_with(b"\xff\xfe") {
        return (UTF_16LE.decode(bytes).0, TextEncoding::Utf16);
    }
    if bytes.starts_with(b"\xfe\xff") {
        return (UTF_16BE.decode(bytes).0, TextEncoding::Utf16);
    }
    if let Ok(text) = core::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), TextEncoding::Utf8);
    }
    // The first line that is not ASCII can lie far back, behind games without Chinese names.
    let first = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
    let start = bytes[..first]
        .iter()
        .rposition(|&b| b == b'\n')
        .unwrap_or(0);
    let probe = &bytes[start..bytes.len().min(start + PROBE)];
    let mut best = (i64::MIN, TextEncoding::Gb18030);
    for encoding in [
        TextEncoding::Gb18030,
        TextEncoding::Big5,
        TextEncoding::Utf8,
    ] {
        let (text, _) = encoding.codec().decode_without_bom_handling(probe);
        let score = plausibility(&text);
        if score > best.0 {
            best = (score, encoding);
        }
    }
    let text = best.1.codec().decode_without_bom_handling(bytes).0;
    (text, best.1)
}

/// Decodes a text of a binary file, where nothing but GBK is expected (and UTF-8 is found). Short
/// words in GBK can be valid UTF-8 by chance, but then of other letters than Chinese.
pub(super) fn decode_gbk(bytes: &[u8]) -> String {
    match core::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() || text.chars().any(|c| c >= '\u{2000}') => text.to_owned(),
        _ => GB18030.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// Letters of move texts and game records count for an encoding, what no text has against it.
fn plausibility(text: &str) -> i64 {
    text.chars()
        .map(|c| match c {
            '炮' | '砲' | '马' | '馬' | '车' | '車' | '兵' | '卒' | '象' | '相' | '士' | '仕'
            | '帅' | '帥' | '将' | '將' | '进' | '進' | '退' | '平' | '一' | '二' | '三' | '四'
            | '五' | '六' | '七' | '八' | '九' | '前' | '后' | '後' | '红' | '紅' | '黑' | '胜'
            | '勝' | '负' | '和' | '局' | '棋' | '先' | '１' | '２' | '３' | '４' | '５' | '６'
            | '７' | '８' | '９' => 4,
            '\u{fffd}' => -8,
            '\u{80}'..='\u{9f}' | '\u{e000}'..='\u{f8ff}' => -4,
            _ => 0,
        })
        .sum()
}

/// Encodes a text to be written.
///
/// # Errors
/// The first letter that the encoding does not have.
pub fn encode(text: &str, encoding: TextEncoding) -> Result<Cow<'_, [u8]>, char> {
    match encoding {
        TextEncoding::Utf8 | TextEncoding::Utf16 => Ok(Cow::Borrowed(text.as_bytes())),
        TextEncoding::Utf8Bom => {
            let mut bytes = b"\xef\xbb\xbf".to_vec();
            bytes.extend_from_slice(text.as_bytes());
            Ok(Cow::Owned(bytes))
        }
        TextEncoding::Gb18030 | TextEncoding::Big5 => {
            let (bytes, _, replaced) = encoding.codec().encode(text);
            if !replaced {
                return Ok(bytes);
            }
            let lost = |c: &char| encoding.codec().encode(c.encode_utf8(&mut [0; 4])).2;
            Err(text.chars().find(lost).unwrap_or('\u{fffd}'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_found() {
        let simplified = "[Event \"测试\"]\n1. 炮二平五 马８进７ 2. 马二进三 车９平８\n";
        let traditional = "[Event \"測試\"]\n1. 炮二平五 馬８進７ 2. 馬二進三 車９平８\n";
        for encoding in [
            TextEncoding::Utf8,
            TextEncoding::Utf8Bom,
            TextEncoding::Gb18030,
        ] {
            let bytes = encode(simplified, encoding).unwrap();
            let (text, found) = decode(&bytes);
            assert_eq!((text.as_ref(), found), (simplified, encoding));
        }
        for encoding in [
            TextEncoding::Utf8,
            TextEncoding::Gb18030,
            TextEncoding::Big5,
        ] {
            let bytes = encode(traditional, encoding).unwrap();
            let (text, found) = decode(&bytes);
            assert_eq!((text.as_ref(), found), (traditional, encoding));
        }
        assert_eq!(encode("车", TextEncoding::Big5), Err('车'));
        let utf16: Vec<u8> = core::iter::once(0xfeff_u16)
            .chain(simplified.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(decode(&utf16).0, simplified);
    }
}
