//! JSON-lines files: good lines are used, the others are named by number.

use std::io::Write;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::{Result, archive};

/// How many bad lines of a file are named; the others are only counted.
const NAMED: usize = 10;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the objects of a file; reports to `err` which lines are bad, and why.
pub fn read<T: DeserializeOwned>(path: &Path, err: &mut impl Write) -> Result<Vec<T>> {
    let (good, bad) = parse(&archive::read(path)?);
    for (line, reason) in bad.iter().take(NAMED) {
        writeln!(err, "{}:{line}: left out: {reason}", path.display())?;
    }
    if bad.len() > NAMED {
        let more = bad.len() - NAMED;
        writeln!(err, "{}: left out: {more} more such lines", path.display())?;
    }
    Ok(good)
}

/// The objects, and the numbers of the bad lines with what is wrong with them.
///
/// It takes bytes, since a line cut within a character must not cost the others.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> (Vec<T>, Vec<(usize, String)>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    for (at, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(object) => good.push(object),
            Err(error) => bad.push((at + 1, reason(&error))),
        }
    }
    (good, bad)
}

/// The reason without “at line 1 column 7”, whose line number counts within the line.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    let text = text.get(..end).unwrap_or(&text);
    match error.is_data() {
        true => text.to_owned(),
        false => format!("not JSON: {text}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Named {
        name: String,
    }

    #[test]
    fn good_lines_are_used_and_bad_ones_named_by_number() {
        let text = "\u{feff}{\"name\": \"a\"}\n\nnot JSON\r\n{}\n{\"name\": \"b\"}";
        let (good, bad) = parse::<Named>(text.as_bytes());
        let names: Vec<&str> = good.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        let lines: Vec<usize> = bad.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [3, 4]);
        assert!(bad[0].1.starts_with("not JSON: "), "{bad:?}");
        assert_eq!(bad[1].1, "missing field `name`");
    }

    #[test]
    fn a_line_that_is_cut_within_a_character_costs_no_other() {
        let text = "{\"name\": \"é\"}\n{\"name\": \"ü\"}".as_bytes();
        let cut = text.iter().rposition(|&byte| byte == 0xc3).unwrap();
        let (good, bad) = parse::<Named>(&text[..=cut]);
        assert_eq!((good[0].name.as_str(), good.len()), ("é", 1));
        assert_eq!(bad.len(), 1);
        assert!(bad[0].1.starts_with("not JSON: "), "{bad:?}");
    }

    #[test]
    fn many_bad_lines_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        std::fs::write(&path, "?\n".repeat(12)).unwrap();
        let mut err = Vec::new();
        assert!(read::<Named>(&path, &mut err).unwrap().is_empty());
        let said = String::from_utf8(err).unwrap();
        assert_eq!(said.lines().count(), 11, "{said}");
        assert!(said.ends_with("left out: 2 more such lines\n"), "{said}");
    }
}
