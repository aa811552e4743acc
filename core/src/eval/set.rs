//! The formats of question sets: one JSON object a line, and `archives.json` beside them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lines::{Line, LineRange};

/// Lines of a gold file that hold the answer; 1-based, inclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldSpan {
    /// Path inside the archive's top folder.
    pub file: String,
    /// First line.
    pub start: u32,
    /// Last line, inclusive.
    pub end: u32,
}

impl GoldSpan {
    /// The same as a range.
    pub fn lines(&self) -> LineRange {
        LineRange::new(Line(self.start), Line(self.end))
    }
}

/// One question of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Unique within its set.
    pub id: String,
    /// Key into [`Archives`].
    pub archive: String,
    /// The question as it is asked.
    pub query: String,
    /// Paths inside the archive's top folder.
    pub gold_files: Vec<String>,
    /// The lines that answer it; empty where only files are known.
    #[serde(default)]
    pub gold_spans: Vec<GoldSpan>,
    /// A kind of question, to average over; the set says which there are.
    #[serde(default)]
    pub category: Option<String>,
    /// An answer that a person or a model wrote.
    #[serde(default)]
    pub reference_answer: Option<String>,
    /// Where the question comes from: a commit, an issue, a data set.
    #[serde(default)]
    pub source: Option<String>,
}

/// Where an archive comes from and how it is recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// `pypi`, `npm`, `crates` …
    pub registry: String,
    /// Of the package.
    pub name: String,
    /// Of the package.
    pub version: String,
    /// File name, such as `requests-2.32.5.tar.gz`.
    pub file: String,
    /// Of the file, in lower-case hexadecimal.
    pub sha256: String,
}

/// `archives.json`: key, such as `pypi:requests@2.32.5`, to archive.
pub type Archives = BTreeMap<String, Archive>;

/// Why a question set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// A line that is not a question in the expected form.
    #[error("line {line} of the question set is not a question: {reason}")]
    Question {
        /// Counted from 1.
        line: usize,
        /// What the JSON lacks.
        reason: serde_json::Error,
    },
    /// Blank lines at most.
    #[error("the question set is empty")]
    Empty,
    /// `archives.json` is not in the expected form.
    #[error("the list of archives cannot be read: {0}")]
    Archives(serde_json::Error),
}

/// Reads a set: one question a line, blank lines skipped.
pub fn parse_set(jsonl: &str) -> Result<Vec<Item>, SetError> {
    let items = jsonl
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|reason| SetError::Question {
                line: at + 1,
                reason,
            })
        })
        .collect::<Result<Vec<Item>, _>>()?;
    if items.is_empty() {
        return Err(SetError::Empty);
    }
    Ok(items)
}

/// Writes a set as [`parse_set`] reads it, one question a line.
pub fn write_set(items: &[Item]) -> String {
    let lines = items
        .iter()
        .filter_map(|item| serde_json::to_string(item).ok());
    lines.map(|line| line + "\n").collect()
}

/// Names a set by its text, so that what was made on it can be told from what was made on another:
/// 16 hexadecimal digits.
pub fn digest(jsonl: &str) -> String {
    let hash = blake3::hash(jsonl.as_bytes()).to_hex();
    hash.get(..16).unwrap_or_default().to_owned()
}

/// Reads `archives.json`.
pub fn parse_archives(json: &str) -> Result<Archives, SetError> {
    serde_json::from_str(json).map_err(SetError::Archives)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_one_question_a_line_and_optional_fields_may_be_missing() {
        let set = parse_set(
            r#"{"id": "a", "archive": "pypi:x@1", "query": "q", "gold_files": ["f.py"], "source": "s"}

{"id": "b", "archive": "pypi:x@1", "query": "q", "gold_files": ["f.py"], "gold_spans": [{"file": "f.py", "start": 3, "end": 5}], "category": "c"}"#,
        )
        .unwrap();
        assert_eq!(set.len(), 2);
        assert!(set[0].gold_spans.is_empty());
        assert_eq!(set[1].gold_spans[0].lines().to_string(), "3-5");
        assert_eq!(set[1].category.as_deref(), Some("c"));
        assert_eq!(parse_set(&write_set(&set)).unwrap(), set);
    }

    #[test]
    fn a_bad_line_is_named_by_its_number() {
        let error = parse_set("\n{\"id\": 3}").unwrap_err();
        assert!(error.to_string().starts_with("line 2"), "{error}");
        assert!(matches!(parse_set("\n\n"), Err(SetError::Empty)));
    }

    #[test]
    fn archives_are_found_by_key() {
        let archives = parse_archives(
            r#"{"npm:e@1": {"registry": "npm", "name": "e", "version": "1", "file": "e-1.tgz", "sha256": "00"}}"#,
        )
        .unwrap();
        assert_eq!(archives["npm:e@1"].file, "e-1.tgz");
        assert!(parse_archives("[]").is_err());
    }
}
