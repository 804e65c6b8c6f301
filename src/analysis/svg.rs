//! Pictures of the board as SVG: palace lines, the river with its letters, star marks, round
//! pieces, arrows, and coordinates as the notation counts them.

use super::game::GameReport;
use crate::notation::Notation;
use crate::position::Position;
use crate::records::Game;
use crate::types::{Color, FILES, Move, RANKS, Square};
use core::fmt::Write;

/// Distance of two lines.
const STEP: i32 = 60;
/// From the border to the first line.
const MARGIN: i32 = 60;
/// Width of a picture.
const WIDTH: i32 = 2 * MARGIN + 8 * STEP;
/// Height of a picture.
const HEIGHT: i32 = 2 * MARGIN + 9 * STEP;

/// Where the cannons and pawns start: the points with star marks.
const STARS: [(usize, usize); 14] = [
    (1, 2),
    (7, 2),
    (1, 7),
    (7, 7),
    (0, 3),
    (2, 3),
    (4, 3),
    (6, 3),
    (8, 3),
    (0, 6),
    (2, 6),
    (4, 6),
    (6, 6),
    (8, 6),
];

fn point(file: usize, rank: usize) -> (i32, i32) {
    let rank = (RANKS - 1 - rank) as i32;
    (MARGIN + STEP * file as i32, MARGIN + STEP * rank)
}

fn place(s: Square) -> (i32, i32) {
    point(s.file(), s.rank())
}

/// The position with Red below, as a whole SVG document. The arrows are drawn the first one
/// strongest; coordinates are those of the notation, left out for `None`.
pub fn board_svg(position: &Position, arrows: &[Move], coordinates: Option<Notation>) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"'Noto Serif CJK SC','Noto Sans CJK SC',\
         'Songti SC',SimSun,KaiTi,serif\">\n<title>{}</title>\n",
        position.fen()
    );
    out.push_str(&grid_svg());
    if let Some(notation) = coordinates {
        push_coordinates(notation, &mut out);
    }
    for s in Square::all() {
        let Some(piece) = position.piece_on(s) else {
            continue;
        };
        let (x, y) = place(s);
        let ink = match piece.color() {
            Color::Red => "#b3201b",
            Color::Black => "#1c1c1c",
        };
        let _ = writeln!(
            out,
            "<g><circle cx=\"{x}\" cy=\"{y}\" r=\"27\" fill=\"#f9ecd0\" stroke=\"{ink}\" \
             stroke-width=\"2\"/><circle cx=\"{x}\" cy=\"{y}\" r=\"23\" fill=\"none\" \
             stroke=\"{ink}\"/><text x=\"{x}\" y=\"{}\" font-size=\"31\" text-anchor=\"middle\" \
             fill=\"{ink}\">{}</text></g>",
            y + 11,
            piece.chinese()
        );
    }
    for (i, &m) in arrows.iter().enumerate() {
        push_arrow(m, if i == 0 { 0.8 } else { 0.4 }, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

impl GameReport {
    /// The board before each turning point with the ply: the better move as the strong arrow, the
    /// move played as the weak one.
    pub fn pictures(&self, game: &Game, coordinates: Notation) -> Vec<(usize, String)> {
        let mut position = game.start().clone();
        let mut out = Vec::new();
        for m in &self.moves {
            if m.is_turning_point() {
                let arrows: Vec<Move> = m.best.first().copied().into_iter().chain([m.mv]).collect();
                out.push((m.ply, board_svg(&position, &arrows, Some(coordinates))));
            }
            position.make(m.mv);
        }
        out
    }
}

/// The empty board without the frame of a document.
pub(super) fn grid_svg() -> String {
    let mut out = format!(
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#e9c98f\"/>\n\
         <g stroke=\"#5b3d1e\" stroke-width=\"1.5\" fill=\"none\">\n"
    );
    let (left, top) = point(0, 9);
    let (right, bottom) = point(8, 0);
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" stroke-width=\"3\"/>",
        left - 6,
        top - 6,
        right - left + 12,
        bottom - top + 12
    );
    let mut path = String::new();
    for rank in 0..RANKS {
        let y = point(0, rank).1;
        let _ = write!(path, "M{left} {y}H{right}");
    }
    for file in 0..FILES {
        let x = point(file, 0).0;
        if file == 0 || file == FILES - 1 {
            let _ = write!(path, "M{x} {top}V{bottom}");
        } else {
            let (north, south) = (point(0, 5).1, point(0, 4).1);
            let _ = write!(path, "M{x} {top}V{north}M{x} {south}V{bottom}");
        }
    }
    for (low, high) in [(0, 2), (7, 9)] {
        for (from, to) in [((3, low), (5, high)), ((3, high), (5, low))] {
            let ((x, y), (u, v)) = (point(from.0, from.1), point(to.0, to.1));
            let _ = write!(path, "M{x} {y}L{u} {v}");
        }
    }
    for (file, rank) in STARS {
        let (x, y) = point(file, rank);
        for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            if (dx < 0 && file == 0) || (dx > 0 && file == FILES - 1) {
                continue;
            }
            let (a, b) = (x + 5 * dx, y + 5 * dy);
            let _ = write!(path, "M{a} {}V{b}H{}", b + 9 * dy, a + 9 * dx);
        }
    }
    let _ = writeln!(out, "<path d=\"{path}\"/>\n</g>");
    let river = (point(0, 4).1 + point(0, 5).1) / 2 + 12;
    for (text, x) in [("楚河", point(2, 0).0), ("漢界", point(6, 0).0)] {
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{river}\" font-size=\"34\" letter-spacing=\"14\" \
             text-anchor=\"middle\" fill=\"#5b3d1e\">{text}</text>"
        );
    }
    out
}

fn push_coordinates(notation: Notation, out: &mut String) {
    let mut text = |x: i32, y: i32, t: char| {
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"16\" text-anchor=\"middle\" \
             fill=\"#5b3d1e\">{t}</text>"
        );
    };
    let digit = |n: usize| (b'0' + n as u8) as char;
    for file in 0..FILES {
        let x = point(file, 0).0;
        let (below, above) = match notation {
            Notation::Coordinate => ((b'a' + file as u8) as char, (b'a' + file as u8) as char),
            Notation::Iccs => ((b'A' + file as u8) as char, (b'A' + file as u8) as char),
            Notation::Wxf => (digit(FILES - file), digit(file + 1)),
            Notation::Chinese(_) => {
                let name = "九八七六五四三二一".chars().nth(file);
                (name.unwrap_or(' '), digit(file + 1))
            }
        };
        text(x, HEIGHT - 10, below);
        text(x, 22, above);
    }
    if matches!(notation, Notation::Coordinate | Notation::Iccs) {
        for rank in 0..RANKS {
            let y = point(0, rank).1 + 6;
            text(15, y, digit(rank));
            text(WIDTH - 15, y, digit(rank));
        }
    }
}

fn push_arrow(m: Move, strength: f64, out: &mut String) {
    let ((x, y), (u, v)) = (place(m.from()), place(m.to()));
    let (dx, dy) = (f64::from(u - x), f64::from(v - y));
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    // From the rim of the piece to the point; the head is 22 long and 22 wide.
    let at = |along: f64, aside: f64| {
        format!(
            "{:.1} {:.1}",
            f64::from(x) + along * dx - aside * dy,
            f64::from(y) + along * dy + aside * dx
        )
    };
    let (tail, neck, tip) = (20.0, length - 26.0, length - 4.0);
    let corners = [
        at(tail, 4.0),
        at(neck, 4.0),
        at(neck, 11.0),
        at(tip, 0.0),
        at(neck, -11.0),
        at(neck, -4.0),
        at(tail, -4.0),
    ];
    let _ = writeln!(
        out,
        "<path d=\"M{}Z\" fill=\"#1667c7\" fill-opacity=\"{strength}\"/>",
        corners.join("L")
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::ChineseStyle;

    #[test]
    fn a_board_has_all_that_belongs_to_it() {
        let p = Position::startpos();
        let m: Move = "h2e2".parse().unwrap();
        let chinese = Notation::Chinese(ChineseStyle::default());
        let svg = board_svg(&p, &[m], Some(chinese));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<circle").count(), 64);
        assert!(svg.contains(">楚河</text>") && svg.contains(">漢界</text>"));
        assert!(svg.contains(">九</text>") && svg.contains(">9</text>"));
        assert_eq!(svg.matches("fill-opacity").count(), 1);
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        let plain = board_svg(&p, &[], None);
        assert!(!plain.contains(">九</text>") && !plain.contains("fill-opacity"));
    }
}
