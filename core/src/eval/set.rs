//! The formats of question sets: one JSON object per line, and `archives.json` beside them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lines::{Line, LineRange};

/// Lines of a gold file that contain the answer; 1-based, inclusive.
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
    /// The span as a range of lines.
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
    /// The question, as it is asked.
    pub query: String,
    /// Paths inside the archive's top folder.
    pub gold_files: Vec<String>,
    /// The lines that answer it; empty if only files are known.
    #[serde(default)]
    pub gold_spans: Vec<GoldSpan>,
    /// The kind of question, to average over; each set has its own kinds.
    #[serde(default)]
    pub category: Option<String>,
    /// An answer that a person or a model wrote.
    #[serde(default)]
    pub reference_answer: Option<String>,
    /// The origin of the question: a commit, an issue, a data set.
    #[serde(default)]
    pub source: Option<String>,
}

/// The origin of an archive, and how to recognise it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// `pypi`, `npm`, `crates` …
    pub registry: String,
    /// Name of the package.
    pub name: String,
    /// Version of the package.
    pub version: String,
    /// File name, such as `requests-2.32.5.tar.gz`.
    pub file: String,
    /// Digest of the file, in lower-case hexadecimal.
    pub sha256: String,
}

/// `archives.json`: a key, such as `pypi:requests@2.32.5`, for each archive.
pub type Archives = BTreeMap<String, Archive>;

/// Why a question set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// A line is not a question in the expected form.
    #[error("line {line} of the question set is not a question: {reason}")]
    Question {
        /// Counted from 1.
        line: usize,
        /// What is wrong with the JSON.
        reason: serde_json::Error,
    },
    /// The set has only blank lines, or none.
    #[error("the question set is empty")]
    Empty,
    /// `archives.json` is not in the expected form.
    #[error("the list of archives cannot be read: {0}")]
    Archives(serde_json::Error),
}

/// Reads a set: one question per line; blank lines are skipped.
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

/// Writes a set in the form that [`parse_set`] reads, one question per line.
pub fn write_set(items: &[Item]) -> String {
    let lines = items
        .iter()
        .filter_map(|item| serde_json::to_string(item).ok());
    lines.map(|line| line + "\n").collect()
}

/// The digest of a set's text, 16 hexadecimal digits, to distinguish results on different sets.
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
