//! One annotator's file: JSON lines. The first line says who rated which set.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::review::Review;

/// The format that is written, and the newest that can be read.
const FORMAT: u64 = 1;
/// Largest file, in bytes.
const MAX_BYTES: usize = 256 * 1024 * 1024;
/// Largest line, in bytes; the longest review needs less.
const MAX_LINE: usize = 1024 * 1024;
/// Most characters of an annotator's name and of a set's hash.
const MAX_NAME: usize = 200;

/// The reviews of one annotator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The annotator's name, as typed in.
    pub annotator: String,
    /// The hash of the question set that was rated.
    pub set: String,
    /// By the question's id.
    pub reviews: BTreeMap<String, Review>,
}

impl Annotations {
    /// The file in the form that [`read`] reads: the header, then one review per line.
    pub fn to_jsonl(&self) -> String {
        let header = json!({"annotator": self.annotator, "set": self.set, "format": FORMAT});
        let mut out = format!("{header}\n");
        for review in self.reviews.values() {
            out.push_str(&review.to_json().to_string());
            out.push('\n');
        }
        out
    }
}

/// A line that is not a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// A file that was read, and what in it could not be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The reviews of questions that are in the set.
    pub annotations: Annotations,
    /// Lines that are not reviews.
    pub rejected: Vec<Rejected>,
    /// Reviews of questions that are not in the set, with their line numbers, so that nothing is
    /// lost.
    pub unknown: Vec<(usize, Review)>,
    /// Number of reviews that were replaced by a later one of the same question.
    pub repeated: usize,
    /// Whether the file is for another set than the one that is open.
    pub is_of_another_set: bool,
}

/// Why a file cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file has only blank lines, or none.
    #[error("the file is empty")]
    Empty,
    /// The first line is not a header.
    #[error("line {line} does not say who rated which set: {reason}")]
    Header {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The file was written by a later version of Footnote.
    #[error(
        "the file has format {0}, but this version reads up to {FORMAT}; open it with a newer \
         Footnote"
    )]
    Newer(u64),
    /// The file is larger than any group of raters could need.
    #[error("the file has {0} bytes, more than {MAX_BYTES}")]
    TooLarge(usize),
}

/// Reads an annotator's file for the set with the hash `set`; `is_known` says whether a question is
/// in that set. Bad lines do not affect the good ones. If a question has two reviews, the last one
/// counts.
pub fn read(jsonl: &str, set: &str, is_known: impl Fn(&str) -> bool) -> Result<Reading, ReadError> {
    if jsonl.len() > MAX_BYTES {
        return Err(ReadError::TooLarge(jsonl.len()));
    }
    let text = jsonl.trim_start_matches('\u{feff}');
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line))
        .filter(|(_, line)| !line.trim().is_empty());
    let (line, first) = lines.next().ok_or(ReadError::Empty)?;
    let annotations = header(line, first)?;
    let mut reading = Reading {
        is_of_another_set: annotations.set != set,
        annotations,
        ..Reading::default()
    };
    for (line, text) in lines {
        match parse(text).and_then(|value| Review::from_json(&value)) {
            Err(reason) => reading.rejected.push(Rejected { line, reason }),
            Ok(review) if !is_known(&review.id) => reading.unknown.push((line, review)),
            Ok(review) => {
                let reviews = &mut reading.annotations.reviews;
                let replaced = reviews.insert(review.id.clone(), review);
                reading.repeated += usize::from(replaced.is_some());
            }
        }
    }
    Ok(reading)
}

fn parse(line: &str) -> Result<Value, String> {
    if line.len() > MAX_LINE {
        return Err(format!(
            "the line has {} bytes, more than {MAX_LINE}",
            line.len()
        ));
    }
    serde_json::from_str(line).map_err(|error| format!("the line is not JSON: {error}"))
}

fn header(line: usize, text: &str) -> Result<Annotations, ReadError> {
    let bad = |reason: String| ReadError::Header { line, reason };
    let value = parse(text).map_err(bad)?;
    let format = value.get("format").and_then(Value::as_u64);
    match format {
        Some(FORMAT) => {}
        Some(newer) if newer > FORMAT => return Err(ReadError::Newer(newer)),
        _ => return Err(bad(format!("“format” is not {FORMAT}"))),
    }
    let name = |key: &str| {
        let name = value.get(key).and_then(Value::as_str).map(str::trim);
        let name = name.filter(|name| !name.is_empty() && name.chars().nth(MAX_NAME).is_none());
        name.map(str::to_owned).ok_or_else(|| {
            bad(format!(
                "“{key}” is not a text of 1 to {MAX_NAME} characters"
            ))
        })
    };
    Ok(Annotations {
        annotator: name("annotator")?,
        set: name("set")?,
        reviews: BTreeMap::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"annotator": "Ada", "set": "9be2", "format": 1}"#;

    fn read_all(jsonl: &str) -> Reading {
        read(jsonl, "9be2", |id| id.starts_with('q')).unwrap()
    }

    #[test]
    fn a_file_comes_back_as_it_was_written() {
        let reviews = (0..50).map(|n| {
            let review = Review {
                id: format!("q{n}"),
                keep: Some(n % 3 > 0),
                rating: Some(1 + n % 10),
                ..Review::default()
            };
            (review.id.clone(), review)
        });
        let annotations = Annotations {
            annotator: "Ada L.".to_owned(),
            set: "9be2".to_owned(),
            reviews: reviews.collect(),
        };
        let expected = Reading {
            annotations: annotations.clone(),
            ..Reading::default()
        };
        assert_eq!(read_all(&annotations.to_jsonl()), expected);
    }

    #[test]
    fn bad_lines_are_named_and_good_ones_kept() {
        let reading = read_all(&format!(
            "\u{feff}\n{HEADER}\r\n{{\"id\": \"q1\", \"keep\": true}}\r\n\nnonsense\n\
             {{\"id\": \"q2\", \"rating\": 11}}\n{{\"id\": \"x1\", \"rating\": 3}}\n\
             {{\"id\": \"q1\", \"keep\": false}}\n{{\"id\": \"q3\"}}"
        ));
        let ids: Vec<&String> = reading.annotations.reviews.keys().collect();
        assert_eq!(ids, ["q1", "q3"]);
        assert_eq!(reading.annotations.reviews["q1"].keep, Some(false));
        assert_eq!(reading.repeated, 1);
        let rejected = reading.rejected.iter().map(|it| it.line);
        assert_eq!(rejected.collect::<Vec<_>>(), [5, 6]);
        assert!(
            reading.rejected[0]
                .reason
                .starts_with("the line is not JSON")
        );
        assert_eq!(reading.unknown.len(), 1);
        assert_eq!(
            (reading.unknown[0].0, reading.unknown[0].1.rating),
            (7, Some(3))
        );
        assert!(!reading.is_of_another_set);
    }

    #[test]
    fn a_file_of_another_set_is_read_and_marked() {
        let reading = read(&format!("{HEADER}\n{{\"id\": \"q1\"}}"), "other", |_| true).unwrap();
        assert!(reading.is_of_another_set);
        assert_eq!(reading.annotations.reviews.len(), 1);
    }

    #[test]
    fn a_file_without_a_header_is_refused_with_a_reason() {
        for (text, reason) in [
            ("", "the file is empty"),
            ("\n \n", "the file is empty"),
            (
                "{\"id\": \"q1\"}",
                "line 1 does not say who rated which set: “format”",
            ),
            ("\n[1]", "line 2 does not say"),
            (
                "Ada",
                "line 1 does not say who rated which set: the line is not JSON",
            ),
            (
                r#"{"annotator": " ", "set": "9", "format": 1}"#,
                "line 1 does not say who rated which set: “annotator”",
            ),
            (
                r#"{"annotator": "Ada", "set": "9", "format": 2}"#,
                "the file has format 2",
            ),
        ] {
            let error = read(text, "9be2", |_| true).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_rejected_alone() {
        let long = "x".repeat(MAX_LINE + 1);
        let reading = read_all(&format!("{HEADER}\n{long}\n{{\"id\": \"q1\"}}"));
        assert_eq!(reading.rejected.len(), 1);
        assert_eq!(reading.annotations.reviews.len(), 1);
    }

    #[test]
    fn a_hundred_thousand_lines_are_read() {
        let lines =
            (0..100_000).map(|n| format!("{{\"id\": \"q{}\", \"rating\": 5}}\n", n % 60_000));
        let reading = read_all(&format!("{HEADER}\n{}", lines.collect::<String>()));
        assert_eq!(reading.annotations.reviews.len(), 60_000);
        assert_eq!((reading.repeated, reading.rejected.len()), (40_000, 0));
    }
}
