//! How the errors went down, as a picture.

use core::fmt::Write;
use serde::{Deserialize, Serialize};

/// What an epoch brought.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Number, from 1.
    pub number: usize,
    /// Rate of learning at its end.
    pub rate: f32,
    /// Mean squared error of the win probability over the epoch's own positions, as they came.
    pub training: f64,
    /// The same over the positions kept apart, after the epoch; `None` if there are none.
    pub validation: Option<f64>,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 80.0;
const BOTTOM: f64 = 50.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 20.0;

/// The curves of both errors over the epochs, as a whole SVG document.
pub fn svg(history: &[Epoch]) -> String {
    let values = history
        .iter()
        .flat_map(|e| [Some(e.training), e.validation])
        .flatten();
    let (mut low, mut high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    if low >= high {
        (low, high) = if low == f64::MAX {
            (0.0, 1.0)
        } else {
            (low * 0.9, high * 1.1 + 1e-9)
        };
    }
    let last = history.len().max(2) as f64;
    let x = |n: usize| LEFT + (WIDTH - LEFT - RIGHT) * (n as f64 - 1.0) / (last - 1.0);
    let y = |v: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - v) / (high - low);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>Training</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    for i in 0..=5 {
        let v = low + (high - low) * f64::from(i) / 5.0;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{v:.5}</text>",
            WIDTH - RIGHT,
            y(v),
            y(v),
            LEFT - 8.0,
            y(v) + 4.0
        );
    }
    let step = (history.len() / 10).max(1);
    for e in history.iter().step_by(step) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(e.number),
            HEIGHT - BOTTOM + 20.0,
            e.number
        );
    }
    let mut curve = |name: &str, ink: &str, row: f64, of: &dyn Fn(&Epoch) -> Option<f64>| {
        let points: Vec<String> = history
            .iter()
            .filter_map(|e| Some(format!("{:.1},{:.1}", x(e.number), y(of(e)?))))
            .collect();
        if points.is_empty() {
            return;
        }
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{ink}\">{name}</text>",
            points.join(" "),
            WIDTH - RIGHT - 4.0,
            TOP + row
        );
    };
    curve("training", "#1f5fa8", 14.0, &|e| Some(e.training));
    curve("validation", "#b3201b", 32.0, &|e| e.validation);
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"22\">mean squared error of the win probability, by epoch</text>\n\
         </svg>"
    );
    out
}
