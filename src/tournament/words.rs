//! Words on a line: splitting as a shell does, numbers, and suggestions for misspelt names.

/// Splits at blanks; quotes keep blanks, a backslash keeps the next character.
///
/// # Errors
/// A quote that is not closed.
pub fn split_words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut inside, mut open) = (Vec::new(), String::new(), false, None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, open) {
            (q, Some(o)) if q == o => open = None,
            ('\\', None | Some('"')) => {
                word.extend(chars.next());
                inside = true;
            }
            ('"' | '\'', None) => {
                open = Some(c);
                inside = true;
            }
            (c, None) if c.is_whitespace() => {
                if inside {
                    words.push(std::mem::take(&mut word));
                    inside = false;
                }
            }
            (c, _) => {
                word.push(c);
                inside = true;
            }
        }
    }
    if open.is_some() {
        return Err(format!("quote not closed in {text:?}"));
    }
    if inside {
        words.push(word);
    }
    Ok(words)
}

/// The candidate nearest to a misspelt word, if one is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|c| (distance(&word, &c.to_lowercase()), c))
        .filter(|(d, c)| *d <= c.len().max(3) / 3)
        .min_by_key(|x| x.0)
        .map(|x| x.1)
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let best = (diagonal + usize::from(ca != cb))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = best;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting() {
        assert_eq!(
            split_words(r#"a 'b c' "d \"e" f\ g"#).unwrap(),
            ["a", "b c", "d \"e", "f g"]
        );
        assert_eq!(split_words("  ").unwrap(), Vec::<String>::new());
        assert_eq!(split_words("''").unwrap(), [""]);
        assert!(split_words("a 'b").is_err());
    }

    #[test]
    fn suggestions() {
        assert_eq!(
            nearest("hashsise", ["hashsize", "threads"]),
            Some("hashsize")
        );
        assert_eq!(nearest("zzz", ["hashsize", "threads"]), None);
    }
}
