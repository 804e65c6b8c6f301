//! `chuhe convert`: game files and notations into one another.

use super::{CliError, CliResult, file_error};
use crate::notation::{ChineseStyle, Notation, Script};
use crate::position::Position;
use crate::records::{self, Game, LeftOut, PgnStyle, Records, TextEncoding, encode};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Turn game files into one another: PGN, XQF, CBR, CBL, CBF, DhtmlXQ, move lists, FEN, EPD, JSON
///
/// Reads PGN in any notation and encoding, XQF, CBR, CBL, CBF, PFC, DhtmlXQ, UBB, move lists, FEN
/// and EPD files; the format is found by the content. Start, variations, comments, result and tags
/// are kept as far as the format written has a place for them; what it has none for is named on
/// stderr, game by game. What cannot be read is named there with file, line and text, and the rest
/// is converted.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all was read, 1 something was not, 2 nothing was.\n\nExamples:\n  \
    chuhe convert game.xqf\n  \
    chuhe convert games/ --to pgn-iccs --out all.pgn\n  \
    chuhe convert games.pgn --to xqf --out folder\n  \
    chuhe convert games/ --to cbl --out library.cbl\n  \
    chuhe convert old.pgn --encoding gbk --crlf --out for-old-programs.pgn\n  \
    echo '炮二平五 马8进7' | chuhe convert - --to moves --notation wxf\n  \
    chuhe convert games/ --check"
)]
pub(super) struct Args {
    /// Files or folders to read; `-` is stdin
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = To::PgnChinese)]
    to: To,
    /// File to write, for several games as XQF, CBR or CBF a folder [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Notation of --to moves: uci, iccs, wxf, chinese, chinese-traditional [default: chinese]
    #[arg(long, value_name = "NAME")]
    notation: Option<Notation>,
    /// Encoding of texts written: utf-8, utf-8-bom, gbk, big5
    #[arg(long, value_name = "NAME", default_value_t = TextEncoding::Utf8)]
    encoding: TextEncoding,
    /// Traditional Chinese letters in moves
    #[arg(long)]
    traditional: bool,
    /// End lines of texts as Windows does
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
    /// The main line and the result, a line a game, in the notation of --notation
    Moves,
    /// A line a game, as after UCI's `position`: startpos moves h2e2 …
    Uci,
    /// A JSON object a game and line
    Json,
    /// The start position of each game with its tags as operations, a line a game
    Epd,
    /// The positions of the main line of each game from start to end, one a line
    Fen,
    /// DhtmlXQ text (UBB) as in forum posts
    Dhtmlxq,
    /// XQStudio 1.0; several games go into a folder, one file each
    Xqf,
    /// CCBridge's record; several games go into a folder, one file each
    Cbr,
    /// CCBridge's library of games
    Cbl,
    /// CCBridge's XML; several games go into a folder, one file each
    Cbf,
}

impl To {
    /// The name of the format in messages.
    fn name(self) -> &'static str {
        match self {
            To::PgnChinese | To::PgnWxf | To::PgnIccs => "PGN",
            To::Moves => "move list",
            To::Uci => "UCI line",
            To::Json => "JSON",
            To::Epd => "EPD",
            To::Fen => "FEN list",
            To::Dhtmlxq => "DhtmlXQ",
            To::Xqf => "XQF",
            To::Cbr => "CBR",
            To::Cbl => "CBL",
            To::Cbf => "CBF",
        }
    }

    /// The extension of its files, if a file holds one game.
    fn one_game(self) -> Option<&'static str> {
        match self {
            To::Xqf => Some("xqf"),
            To::Cbr => Some("cbr"),
            To::Cbf => Some("cbf"),
            _ => None,
        }
    }

    fn is_text(self) -> bool {
        !matches!(self, To::Xqf | To::Cbr | To::Cbl)
    }
}

pub(super) fn run(args: &Args) -> CliResult {
    let files = files_of(&args.inputs)?;
    if files.is_empty() {
        return Err(CliError::Input("there is no file in the folder".into()));
    }
    args.check_options()?;
    let (mut all, mut opened) = (Vec::new(), Vec::new());
    for file in &files {
        let Some(bytes) = bytes_or_skip(file, &files)? else {
            continue;
        };
        let records = records::read(&file.display().to_string(), &bytes);
        for problem in &records.problems {
            eprintln!("{problem}");
        }
        all.push(records);
        opened.push(file.clone());
    }
    let games = items(&opened, &all);
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

/// The files under the inputs, those of a folder in order of name.
pub(super) fn files_of(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for input in inputs {
        collect(input, &mut files)?;
    }
    Ok(files)
}

/// What is in a file. One of several that cannot be opened is told and left out: it does not keep
/// the others from being read.
pub(super) fn bytes_or_skip(file: &Path, files: &[PathBuf]) -> Result<Option<Vec<u8>>, CliError> {
    match bytes_of(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if files.len() > 1 => {
            eprintln!("chuhe: {e}");
            Ok(None)
        }
        Err(e) => Err(e),
    }
}

/// The files under a path, in order of name.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), CliError> {
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

/// A game with the file it is from and its number among those read there.
struct Item<'a> {
    file: &'a Path,
    number: usize,
    game: &'a Game,
}

fn items<'a>(files: &'a [PathBuf], all: &'a [Records]) -> Vec<Item<'a>> {
    let of_file = |(file, records): (&'a PathBuf, &'a Records)| {
        let games = records.games.iter().zip(1..);
        games.map(move |(game, number)| Item { file, number, game })
    };
    files.iter().zip(all).flat_map(of_file).collect()
}

impl Args {
    /// Refuses options that have no meaning for the format written.
    fn check_options(&self) -> Result<(), CliError> {
        let chinese = matches!(self.notation, None | Some(Notation::Chinese(_)));
        let refused = if self.notation.is_some() && self.to != To::Moves {
            "--notation is for --to moves; --to pgn-wxf and its like name theirs"
        } else if self.traditional
            && !(self.to == To::PgnChinese || self.to == To::Moves && chinese)
        {
            "--traditional is for moves in Chinese: --to pgn-chinese or moves"
        } else if !self.to.is_text() && (self.crlf || self.encoding != TextEncoding::Utf8) {
            "--encoding and --crlf are for texts, and XQF, CBR and CBL are none"
        } else {
            return Ok(());
        };
        Err(CliError::Input(refused.into()))
    }

    fn notation(&self) -> Notation {
        let traditional = match self.to {
            To::PgnWxf => return Notation::Wxf,
            To::PgnIccs => return Notation::Iccs,
            _ => match self.notation {
                None => self.traditional,
                Some(Notation::Chinese(style)) => {
                    self.traditional || style.script == Script::Traditional
                }
                Some(other) => return other,
            },
        };
        let script = if traditional {
            Script::Traditional
        } else {
            Script::Simplified
        };
        Notation::Chinese(ChineseStyle {
            script,
            ..ChineseStyle::FILES
        })
    }

    /// One game in the format; texts in UTF-8.
    fn form(&self, game: &Game) -> Vec<u8> {
        let text = match self.to {
            To::PgnChinese | To::PgnWxf | To::PgnIccs => game.to_pgn(PgnStyle {
                notation: self.notation(),
                crlf: false,
            }),
            To::Moves => game.to_moves_line(self.notation()) + "\n",
            To::Uci => game.to_uci_line() + "\n",
            To::Json => game.to_json() + "\n",
            To::Epd => game.to_epd_line() + "\n",
            To::Fen => game.to_fen_lines(),
            To::Dhtmlxq => game.to_dhtmlxq(),
            To::Cbf => game.to_cbf(self.encoding),
            To::Xqf => return game.to_xqf(),
            // A library is made of records.
            To::Cbr | To::Cbl => return game.to_cbr(),
        };
        text.into_bytes()
    }

    /// What goes into the file: a text in its encoding, other forms as they are.
    fn encoded(&self, form: Vec<u8>) -> Result<Vec<u8>, CliError> {
        if !self.to.is_text() {
            return Ok(form);
        }
        let mut text = String::from_utf8_lossy(&form).into_owned();
        if self.crlf {
            text = text.replace('\n', "\r\n");
        }
        match encode(&text, self.encoding) {
            Ok(bytes) => Ok(bytes.into_owned()),
            Err(c) => Err(CliError::Input(format!(
                "--encoding {}: {c:?} cannot be written in it; utf-8 and gbk have every letter",
                self.encoding
            ))),
        }
    }
}

fn write_out(args: &Args, items: &[Item]) -> Result<(), CliError> {
    if let (Some(extension), true) = (args.to.one_game(), items.len() > 1) {
        return write_folder(args, items, extension);
    }
    let mut forms = Vec::new();
    for item in items {
        let form = args.form(item.game);
        warn_of_losses(args, item, &form);
        forms.extend(form);
    }
    if args.to == To::Cbl {
        let games: Vec<&Game> = items.iter().map(|item| item.game).collect();
        forms = records::to_cbl(&games);
    }
    write_bytes(args.out.as_deref(), &args.encoded(forms)?)
}

fn write_bytes(out: Option<&Path>, bytes: &[u8]) -> Result<(), CliError> {
    match out {
        None => Ok(std::io::stdout().lock().write_all(bytes)?),
        Some(file) => std::fs::write(file, bytes).map_err(|e| file_error(file, &e)),
    }
}

/// Where a file holds one game, several become `1.xqf`, `2.xqf` … in the folder `--out`.
fn write_folder(args: &Args, items: &[Item], extension: &str) -> Result<(), CliError> {
    let (name, n) = (args.to.name(), items.len());
    let Some(folder) = args.out.as_ref().filter(|out| !out.is_file()) else {
        let is_file = match &args.out {
            Some(file) => format!(", and {} is a file", file.display()),
            None => String::new(),
        };
        let what = format!("a {name} file holds one game, and there are {n}{is_file}");
        return Err(CliError::Input(format!(
            "{what}: --out FOLDER takes a file for each"
        )));
    };
    std::fs::create_dir_all(folder).map_err(|e| file_error(folder, &e))?;
    let digits = n.to_string().len();
    for (i, item) in items.iter().enumerate() {
        let form = args.form(item.game);
        warn_of_losses(args, item, &form);
        let file = folder.join(format!("{:0digits$}.{extension}", i + 1));
        write_bytes(Some(&file), &args.encoded(form)?)?;
    }
    Ok(())
}

/// Reads a form again and names on stderr what of the game is not in it.
fn warn_of_losses(args: &Args, item: &Item, form: &[u8]) {
    let game = item.game;
    let kept = match args.to {
        // Moves are there as the positions they lead to.
        To::Fen => Some(game.main_line_only()),
        _ => records::read("", form).games.into_iter().next(),
    };
    let kept = kept.unwrap_or_else(|| Game::new(Position::startpos()));
    let left_out = LeftOut::of(game, &kept);
    if left_out.is_empty() {
        return;
    }
    let players = match (game.red(), game.black()) {
        (None, None) => String::new(),
        (red, black) => format!(" ({} - {})", red.unwrap_or("?"), black.unwrap_or("?")),
    };
    eprintln!(
        "{}: game {}{players}: no place in {} for {left_out}; left out",
        item.file.display(),
        item.number,
        args.to.name()
    );
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
