//! Data that lies beside the project (`../shared/data`) and is no part of it: tests that use it
//! are skipped with a message where it is absent.

use chuhe::position::Position;
use chuhe::types::Move;
use std::path::PathBuf;
use std::process::Command;

/// The file or folder under `../shared/data` (or the folder that `CHUHE_SHARED` names), if it is
/// there.
pub fn path(name: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("CHUHE_SHARED") {
        Some(root) => PathBuf::from(root),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

/// All games of `games.tsv.zst` as start and moves; none where the file or the `zstd` program is
/// absent.
pub fn games() -> Vec<(Position, Vec<Move>)> {
    let Some(path) = path("games.tsv.zst") else {
        return Vec::new();
    };
    let output = match Command::new("zstd").arg("-dc").arg(&path).output() {
        Ok(output) if output.status.success() => output.stdout,
        _ => {
            println!("skipped: zstd cannot unpack {}", path.display());
            return Vec::new();
        }
    };
    let text = String::from_utf8_lossy(&output);
    text.lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let start = match fields[7] {
                "startpos" => Position::startpos(),
                fen => Position::from_fen(fen).expect("a legal start"),
            };
            let moves = fields[8].split_whitespace();
            (start, moves.map(|m| m.parse().expect("a move")).collect())
        })
        .collect()
}
