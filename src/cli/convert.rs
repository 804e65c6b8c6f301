//! `chuhe convert`: game files and notations into one another.

use super::{CliError, CliResult, file_error};
use crate::notation::{ChineseStyle, Notation, Script};
use crate::records::{self, Game, PgnStyle, Records, TextEncoding, encode};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Turn game files into PGN, XQF, move lists or JSON
///
/// Reads PGN in any notation and encoding, XQF, CBR, CBL, CBF, DhtmlXQ, UBB, move lists, FEN and
/// EPD files; the format is found by the content. Comments and variations are kept, except in
/// `uci`, which has the main lines only, and `epd`, which has the starts. What cannot be read is named on stderr with file, line
/// and text, and the rest is converted.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all was read, 1 something was not, 2 nothing was.\n\nExamples:\n  \
    chuhe convert game.xqf\n  \
    chuhe convert games/ --to pgn-iccs --out all.pgn\n  \
    chuhe convert old.pgn --encoding gbk --crlf --out for-old-programs.pgn\n  \
    echo '炮二平五 马8进7' | chuhe convert - --to uci\n  \
    chuhe convert games/ --check"
)]
pub(super) struct Args {
    /// Files or folders to read; `-` is stdin
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = To::PgnChinese)]
    to: To,
    /// File to write, for several games as XQF a folder [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Encoding of what is written: utf-8, utf-8-bom, gbk, big5
    #[arg(long, value_name = "NAME", default_value_t = TextEncoding::Utf8)]
    encoding: TextEncoding,
    /// Traditional Chinese letters
    #[arg(long)]
    traditional: bool,
    /// End lines as Windows does
    #[arg(long)]
    crlf: bool,
    /// Write nothing; print a table of formats and files read
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum To {
    /// PGN with 炮二平五
    PgnChinese,
    /// PGN with C2=5
    PgnWxf,
    /// PGN with H2-E2
    PgnIccs,
    /// A line a game, as after UCI's `position`: startpos moves h2e2 …
    Uci,
    /// A JSON object a game and line
    Json,
    /// The start position of each game with its tags as operations, a line a game
    Epd,
    /// XQStudio 1.0; several games go into a folder, one file each
    Xqf,
}

pub(super) fn run(args: &Args) -> CliResult {
    let mut files = Vec::new();
    for input in &args.inputs {
        collect(input, &mut files)?;
    }
    if files.is_empty() {
        return Err(CliError::Input("there is no file in the folder".into()));
    }
    let (mut all, mut opened) = (Vec::new(), Vec::new());
    for file in &files {
        // One file that cannot be opened does not keep the others from being read.
        let bytes = match bytes_of(file) {
            Ok(bytes) => bytes,
            Err(e) if files.len() > 1 => {
                eprintln!("chuhe: {e}");
                continue;
            }
            Err(e) => return Err(e),
        };
        let records = records::read(&file.display().to_string(), &bytes);
        for problem in &records.problems {
            eprintln!("{problem}");
        }
        all.push(records);
        opened.push(file.clone());
    }
    let games: Vec<&Game> = all.iter().flat_map(|r| &r.games).collect();
    if args.check {
        print_table(&opened, &all)?;
    } else if !games.is_empty() {
        write_out(args, &games)?;
    }
    Ok(if games.is_empty() {
        ExitCode::from(2)
    } else if opened.len() < files.len() || all.iter().any(Records::has_errors) {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// The files under a path, in order of name.
pub(super) fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), CliError> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let failed = |e: std::io::Error| CliError::Input(format!("{}: {e}", path.display()));
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
        .map_err(failed)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    entries.sort();
    for entry in entries {
        // A link that leads back to a folder above would never end.
        if !entry.is_dir() || !entry.is_symlink() {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

pub(super) fn bytes_of(file: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|mut f| f.read_to_end(&mut bytes))
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(e) => Err(CliError::Input(format!("{}: {e}", file.display()))),
    }
}

fn write_out(args: &Args, games: &[&Game]) -> Result<(), CliError> {
    let mut text = String::new();
    let chinese = ChineseStyle {
        script: if args.traditional {
            Script::Traditional
        } else {
            Script::Simplified
        },
        ..ChineseStyle::FILES
    };
    for game in games {
        let notation = match args.to {
            To::PgnChinese => Notation::Chinese(chinese),
            To::PgnWxf => Notation::Wxf,
            To::PgnIccs => Notation::Iccs,
            To::Uci => {
                text.push_str(&game.to_uci_line());
                text.push('\n');
                continue;
            }
            To::Json => {
                text.push_str(&game.to_json());
                text.push('\n');
                continue;
            }
            To::Epd => {
                text.push_str(&game.to_epd_line());
                text.push('\n');
                continue;
            }
            To::Xqf => return write_xqf(args, games),
        };
        let style = PgnStyle {
            notation,
            crlf: args.crlf,
        };
        game.push_pgn(style, &mut text);
    }
    let bytes = encode(&text, args.encoding).map_err(|c| {
        CliError::Input(format!(
            "--encoding {}: {c:?} cannot be written in it; utf-8 and gbk have every letter",
            args.encoding
        ))
    })?;
    write_bytes(args.out.as_deref(), &bytes)
}

fn write_bytes(out: Option<&Path>, bytes: &[u8]) -> Result<(), CliError> {
    match out {
        None => Ok(std::io::stdout().lock().write_all(bytes)?),
        Some(file) => std::fs::write(file, bytes).map_err(|e| file_error(file, &e)),
    }
}

/// An XQF file holds one game: several become `1.xqf`, `2.xqf` … in the folder `--out`.
fn write_xqf(args: &Args, games: &[&Game]) -> Result<(), CliError> {
    if let [game] = games {
        return write_bytes(args.out.as_deref(), &game.to_xqf());
    }
    let Some(folder) = &args.out else {
        let n = games.len();
        return Err(CliError::Input(format!(
            "an XQF file holds one game, and there are {n}: --out FOLDER takes a file for each"
        )));
    };
    std::fs::create_dir_all(folder).map_err(|e| file_error(folder, &e))?;
    let digits = games.len().to_string().len();
    for (i, game) in games.iter().enumerate() {
        let file = folder.join(format!("{:0digits$}.xqf", i + 1));
        write_bytes(Some(&file), &game.to_xqf())?;
    }
    Ok(())
}

/// Formats with the numbers of files read without an error and of all, games and moves.
fn print_table(files: &[PathBuf], all: &[Records]) -> Result<(), CliError> {
    #[derive(Default)]
    struct Row {
        files: usize,
        whole: usize,
        games: usize,
        plies: usize,
        variations: usize,
        comments: usize,
    }
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for (file, records) in files.iter().zip(all) {
        let name = match records.format {
            Some(format) => format.to_string(),
            None => {
                let extension = file.extension().unwrap_or_default();
                format!("unknown ({})", extension.display())
            }
        };
        let row = rows.entry(name).or_default();
        row.files += 1;
        row.whole += usize::from(!records.has_errors());
        row.games += records.games.len();
        for game in &records.games {
            row.plies += game.plies();
            row.variations += game.variation_count();
            row.comments += game.comment_count();
        }
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<24} {:>9} {:>7} {:>8} {:>8} {:>10} {:>8}",
        "format", "read", "files", "games", "plies", "variations", "comments"
    )?;
    for (name, row) in rows {
        writeln!(
            out,
            "{name:<24} {:>9} {:>7} {:>8} {:>8} {:>10} {:>8}",
            row.whole, row.files, row.games, row.plies, row.variations, row.comments
        )?;
    }
    Ok(())
}
