//! The layers of the source: who may import whom, and who may print. Reads every file under
//! `src`, takes it apart into words, and compares the modules it names with the table below.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Module and what it may import, from the ground up. `cli`, on top, may import everything;
/// what is not in the table may not exist. Several are still to be built.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("util", &[]),
    ("attacks", &["types", "util"]),
    ("position", &["types", "util", "attacks"]),
    ("rules", &["types", "util", "attacks", "position"]),
    ("notation", &["types", "util", "position"]),
    ("records", &["types", "util", "position", "notation"]),
    ("dataset", &["types", "util", "position"]),
    ("opening_book", &["types", "util", "position"]),
    ("nnue", &["types", "util", "attacks", "position"]),
    ("eval", &["types", "util", "attacks", "position", "nnue"]),
    (
        "search",
        &[
            "types", "util", "attacks", "position", "rules", "nnue", "eval",
        ],
    ),
    (
        "engine",
        &[
            "types",
            "util",
            "position",
            "rules",
            "opening_book",
            "nnue",
            "eval",
            "search",
        ],
    ),
    (
        "protocol",
        &[
            "types", "util", "position", "rules", "notation", "search", "engine",
        ],
    ),
    (
        "tournament",
        &[
            "types",
            "util",
            "position",
            "rules",
            "notation",
            "records",
            "opening_book",
        ],
    ),
    (
        "datagen",
        &[
            "types", "util", "position", "rules", "dataset", "nnue", "eval", "search",
        ],
    ),
    (
        "training",
        &["types", "util", "position", "dataset", "nnue"],
    ),
    (
        "analysis",
        &[
            "types", "util", "position", "rules", "notation", "records", "search", "engine",
        ],
    ),
    // Of `analysis`, which stands beside it, it uses the thinker and the names of openings.
    (
        "book_making",
        &[
            "types",
            "util",
            "position",
            "rules",
            "notation",
            "records",
            "opening_book",
            "search",
            "engine",
            "analysis",
        ],
    ),
];

/// Files (or folders) that may write to stdout or stderr; `tournament/process` names the pipes of
/// its children so.
const MAY_PRINT: &[&str] = &[
    "main.rs",
    "cli",
    "protocol/io",
    "analysis",
    "tournament/process",
];

/// Words that write to stdout or stderr.
const PRINTS: &[&str] = &[
    "println", "print", "eprintln", "eprint", "dbg", "stdout", "stderr",
];

/// Names, and each other character for itself; comments, texts and character literals left out.
fn words(source: &str) -> Vec<String> {
    let c: Vec<char> = source.chars().collect();
    let at = |i: usize| c.get(i).copied().unwrap_or('\0');
    let mut words = Vec::new();
    let mut i = 0;
    while i < c.len() {
        if at(i) == '/' && at(i + 1) == '/' {
            while i < c.len() && c[i] != '\n' {
                i += 1;
            }
        } else if at(i) == '/' && at(i + 1) == '*' {
            i += 2;
            while i < c.len() && !(at(i) == '*' && at(i + 1) == '/') {
                i += 1;
            }
            i += 2;
        } else if at(i) == 'r'
            && (at(i + 1) == '"' || (at(i + 1) == '#' && "\"#".contains(at(i + 2))))
        {
            let hashes = c[i + 1..].iter().take_while(|&&x| x == '#').count();
            i += 2 + hashes;
            while i < c.len() && !(c[i] == '"' && (1..=hashes).all(|h| at(i + h) == '#')) {
                i += 1;
            }
            i += 1 + hashes;
        } else if at(i) == '"' {
            i += 1;
            while i < c.len() && c[i] != '"' {
                i += 1 + usize::from(c[i] == '\\');
            }
            i += 1;
        } else if at(i) == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            i += 2; // the quote and what it quotes, or the backslash
            while i < c.len() && c[i] != '\'' {
                i += 1;
            }
            i += 1;
        } else if at(i).is_alphanumeric() || at(i) == '_' {
            let start = i;
            while at(i).is_alphanumeric() || at(i) == '_' {
                i += 1;
            }
            words.push(c[start..i].iter().collect());
        } else {
            if !at(i).is_whitespace() {
                words.push(c[i].to_string());
            }
            i += 1;
        }
    }
    words
}

/// What a file says that concerns the layers.
#[derive(Default, PartialEq, Debug)]
struct Findings {
    /// Top-level modules it names.
    imports: BTreeSet<String>,
    /// Whether it prints, tests left out.
    prints: bool,
}

/// Looks through one file that is the module at `depth` below the crate (`lib.rs`: 0,
/// `types/mod.rs`: 1, `types/color.rs`: 2).
fn examine(source: &str, depth: usize) -> Findings {
    let words = words(source);
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let path_sep = |i: usize| word(i) == ":" && word(i + 1) == ":";
    let mut found = Findings::default();
    // Inline modules that are open: brace depth inside, and name.
    let mut inline: Vec<(usize, String)> = Vec::new();
    let mut braces = 0;
    let mut i = 0;
    while i < words.len() {
        match word(i) {
            "{" => braces += 1,
            "}" => {
                braces -= 1;
                inline.retain(|(inside, _)| *inside <= braces);
            }
            "mod" if word(i + 2) == "{" => inline.push((braces + 1, word(i + 1).to_owned())),
            "crate" if path_sep(i + 1) => named(&words, i + 3, &mut found.imports),
            "super" if i < 2 || !path_sep(i - 2) || word(i.wrapping_sub(3)) != "super" => {
                let (mut up, mut j) = (0, i);
                while word(j) == "super" && path_sep(j + 1) {
                    up += 1;
                    j += 3;
                }
                if up > 0 && up >= depth + inline.len() {
                    named(&words, j, &mut found.imports);
                }
            }
            w if PRINTS.contains(&w)
                && (word(i + 1) == "!" || word(i + 1) == "(")
                // `Command::stdout(…)` and methods of that name are something else.
                && (i == 0 || (word(i - 1) != "." && word(i - 1) != "fn"))
                && !inline.iter().any(|(_, name)| name == "tests") =>
            {
                found.prints = true;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// The name at `i`, or the first names in the group that opens there.
fn named(words: &[String], mut i: usize, into: &mut BTreeSet<String>) {
    if words.get(i).is_none_or(|w| w != "{") {
        into.extend(words.get(i).cloned());
        return;
    }
    let (mut depth, mut first) = (1, true);
    while depth > 0 && i + 1 < words.len() {
        i += 1;
        match words[i].as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," => first |= depth == 1,
            name if depth == 1 && first => {
                into.insert(name.to_owned());
                first = false;
            }
            _ => {}
        }
    }
}

fn rust_files(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn imports_go_downwards_and_only_the_top_prints() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 20, "only {} files found", files.len());
    let mut faults = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let name = inside.to_string_lossy().replace('\\', "/");
        let parts: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
        let (layer, depth) = match parts[..] {
            ["lib" | "main"] => ("", 0),
            [.., "mod"] => (parts[0], parts.len() - 1),
            _ => (parts[0], parts.len()),
        };
        let found = examine(&fs::read_to_string(&file).unwrap(), depth);
        let may_print = MAY_PRINT
            .iter()
            .any(|p| name == *p || name == format!("{p}.rs") || name.starts_with(&format!("{p}/")));
        if found.prints && !may_print {
            faults.push(format!("{name} writes to stdout or stderr"));
        }
        if layer.is_empty() || layer == "cli" {
            continue;
        }
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(l, _)| *l == layer) else {
            faults.push(format!("{name}: the module {layer} is not in the table"));
            continue;
        };
        for import in &found.imports {
            if import != layer && !allowed.contains(&import.as_str()) {
                faults.push(format!("{name}: {layer} may not import {import}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The table goes from the ground up: a module may only import what stands above it in the list.
#[test]
fn the_table_has_no_cycle() {
    for (i, (layer, allowed)) in MAY_IMPORT.iter().enumerate() {
        for import in *allowed {
            assert!(
                MAY_IMPORT[..i].iter().any(|(l, _)| l == import),
                "{layer} → {import}"
            );
        }
    }
}

/// The reader itself: what it must find and what it must not.
#[test]
fn the_reader_finds_imports_and_prints() {
    let imports = |source: &str, depth| {
        let all: Vec<String> = examine(source, depth).imports.into_iter().collect();
        all.join(" ")
    };
    assert_eq!(imports("use crate::types::Move;", 1), "types");
    assert_eq!(imports("use crate::{a::{b, c}, d as e, f::*};", 1), "a d f");
    assert_eq!(imports("let x = crate::eval::run(y);", 1), "eval");
    assert_eq!(imports("use super::super::search::Pool;", 2), "search");
    assert_eq!(
        imports("use super::super::{search, eval::f};", 2),
        "eval search"
    );
    assert_eq!(imports("use super::search;", 1), "search");
    assert_eq!(imports("use super::sibling;", 2), "");
    assert_eq!(imports("mod tests { use super::super::sibling; }", 2), "");
    assert_eq!(
        imports("mod tests { fn f() {} } use super::super::x;", 2),
        "x"
    );
    assert_eq!(
        imports("mod tests { use super::super::super::up; }", 2),
        "up"
    );
    assert_eq!(
        imports(
            r##"/* crate::a */ // crate::b
            const T: &str = "crate::c \" crate::d"; const R: &str = r#"" crate::e"#;
            pub(crate) fn f<'a>(q: char) -> bool { q == '"' || q == '\'' } use crate::g;"##,
            1
        ),
        "g"
    );
    let prints = |source| examine(source, 1).prints;
    assert!(prints("fn f() { println!(\"x\") }"));
    assert!(prints("fn f() { std::io::stdout().lock(); }"));
    assert!(!prints(
        "fn stderr(c: Command) { c.stdout(Stdio::piped()); }"
    ));
    assert!(!prints("mod tests { fn f() { eprintln!(\"skipped\") } }"));
    assert!(!prints("fn f() { let print = \"println!()\"; } // dbg!(x)"));
}
