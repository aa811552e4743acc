//! A file of questions, in any of the supported formats.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::{BadLine, File, detect, import};
use crate::eval::Item;
use crate::eval::set::{SetError, parse_set};

/// The first bytes of a zip.
const ZIP: &[u8] = b"PK\x03\x04";
/// Limit on the total size of an archive's files; a set of 100,000 questions has a tenth of it.
const MAX_BYTES: u64 = 400 << 20;

/// The questions of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brought {
    /// In the order of the file.
    pub items: Vec<Item>,
    /// The format of another tool, if it has one.
    pub format: Option<&'static str>,
    /// Lines that could not be read.
    pub bad: Vec<BadLine>,
}

/// Why a file contains no questions.
#[derive(Debug, thiserror::Error)]
pub enum BroughtError {
    /// It is neither a set nor rows of a format; holds what is wrong with the set.
    #[error(transparent)]
    NoSet(#[from] SetError),
    /// The archive cannot be read.
    #[error("it is a zip that cannot be read: {0}")]
    Zip(String),
    /// The archive has no rows.
    #[error("it contains no .jsonl file with questions")]
    NoRows,
    /// The rows are not questions.
    #[error("it contains pairs of answers, which are not a question set")]
    Pairs,
}

/// Reads a question set, rows in one of the formats, or an archive made by [`super::zipped()`].
/// `archive` is the key for rows that name no archive.
pub fn brought(name: &str, bytes: &[u8], archive: &str) -> Result<Brought, BroughtError> {
    let files = match bytes.starts_with(ZIP) {
        true => unzipped(bytes)?,
        false => vec![File {
            name: name.to_owned(),
            text: String::from_utf8_lossy(bytes).into_owned(),
        }],
    };
    let error = match &files[..] {
        [file] => match parse_set(&file.text) {
            Ok(items) => {
                return Ok(Brought {
                    items,
                    ..Brought::default()
                });
            }
            Err(error) => error.into(),
        },
        _ => BroughtError::NoRows,
    };
    let Some(format) = files.iter().find_map(|file| detect(&file.text)) else {
        return Err(error);
    };
    if !format.answers() {
        return Err(BroughtError::Pairs);
    }
    let imported = import(format, &files, archive);
    match imported.items.is_empty() {
        true => Err(error),
        false => Ok(Brought {
            items: imported.items,
            format: Some(format.name),
            bad: imported.bad,
        }),
    }
}

fn unzipped(bytes: &[u8]) -> Result<Vec<File>, BroughtError> {
    let broken = |error: &dyn std::fmt::Display| BroughtError::Zip(error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let mut files = Vec::new();
    let mut room = MAX_BYTES;
    for at in 0..archive.len() {
        let entry = archive.by_index(at).map_err(|error| broken(&error))?;
        let name = entry.name().map_err(|error| broken(&error))?.into_owned();
        if !name.ends_with(".jsonl") {
            continue;
        }
        let mut read = Vec::new();
        let mut entry = entry.take(room);
        entry
            .read_to_end(&mut read)
            .map_err(|error| broken(&error))?;
        room -= read.len() as u64;
        if room == 0 {
            return Err(broken(&"its files are larger than 400 MB in all"));
        }
        files.push(File {
            name,
            text: String::from_utf8_lossy(&read).into_owned(),
        });
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::set::write_set;
    use crate::lab::export::{merge, zipped};

    const ROWS: &str = "{\"messages\":[{\"role\":\"user\",\"content\":\"Where is tea made?\"},\
        {\"role\":\"assistant\",\"content\":\"[\\\"pot.py\\\"]\"}]}\n";

    fn item() -> Item {
        Item {
            id: "one".to_owned(),
            archive: "tea".to_owned(),
            query: "Where is tea made?".to_owned(),
            gold_files: vec!["pot.py".to_owned()],
            gold_spans: Vec::new(),
            category: None,
            reference_answer: None,
            source: None,
        }
    }

    fn file(name: &str, text: &str) -> File {
        File {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_set_its_rows_and_an_archive_of_rows_are_read() {
        let set = write_set(&[item()]);
        let zip = zipped("out", &[file("train.jsonl", ROWS), file("README.md", "x")]).unwrap();
        for (bytes, format) in [
            (set.as_bytes(), None),
            (ROWS.as_bytes(), Some("messages")),
            (&zip[..], Some("messages")),
        ] {
            let read = brought("some.jsonl", bytes, "tea").unwrap();
            assert_eq!(read.format, format);
            assert_eq!(read.items.len(), 1, "{format:?}");
            assert_eq!(read.items[0].gold_files, ["pot.py"], "{format:?}");
            assert!(read.bad.is_empty());
        }
    }

    #[test]
    fn a_set_of_100_000_lines_with_duplicates_is_read_and_merged() {
        let line = |at: usize| Item {
            id: format!("q{}", at % 99_000),
            query: format!("Where is tea {} made?", at % 99_000),
            ..item()
        };
        let items: Vec<Item> = (0..100_000).map(line).collect();
        let read = brought("big.jsonl", write_set(&items).as_bytes(), "tea").unwrap();
        assert_eq!(read.items.len(), 100_000);
        let merged = merge(&[], read.items);
        assert_eq!((merged.added, merged.same_id), (99_000, 1_000));
        assert!(merged.conflicts.is_empty());
    }

    #[test]
    fn a_file_without_questions_is_refused_with_the_reason() {
        let said =
            |role: &str, text: &str| format!("[{{\"role\":\"{role}\",\"content\":\"{text}\"}}]");
        let pairs = format!(
            "{{\"prompt\":{},\"chosen\":{},\"rejected\":{}}}\n",
            said("user", "q"),
            said("assistant", "a"),
            said("assistant", "b")
        );
        let empty = zipped("out", &[file("README.md", "x")]).unwrap();
        for (bytes, why) in [
            (&b"Here are some questions"[..], "line 1"),
            (pairs.as_bytes(), "pairs of answers"),
            (b"PK\x03\x04 and nothing more", "cannot be read"),
            (&empty[..], "no .jsonl file"),
        ] {
            let error = brought("some", bytes, "tea").unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
