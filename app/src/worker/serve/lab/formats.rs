//! The files that the laboratory saves: a question set, and the results of pipelines on it. A new
//! format is a row in one of the lists.

use footnote_core::eval::Item;
use footnote_core::eval::set::write_set;
use footnote_core::lab::agreement::{Annotations, Key, Report};
use footnote_core::lab::runs::{Run, compare};
use serde_json::{Value, json};

use super::html;
use crate::worker::protocol::FormatSpec;
use crate::worker::serve::export;

/// Runs with their question set.
pub struct Runs<'b> {
    pub runs: &'b [Run],
    pub items: &'b [Item],
    pub baseline: usize,
}

pub type WriteSet = fn(&[Item]) -> Result<String, serde_json::Error>;
pub type WriteRuns = fn(&Runs<'_>) -> Result<String, serde_json::Error>;
pub type WriteReviews = fn(&Annotations) -> Result<String, serde_json::Error>;
pub type WriteAgreement = fn(&Report) -> Result<String, serde_json::Error>;
pub type WriteKey = fn(&Key) -> Result<String, serde_json::Error>;

/// In the order in which they are offered.
pub const SET: [export::Format<WriteSet>; 1] = [export::Format {
    spec: FormatSpec {
        name: "jsonl",
        title: "a question set",
        about: "for footnote evaluate and footnote export",
        extension: "jsonl",
        media_type: "application/jsonl",
    },
    write: |items| Ok(write_set(items)),
}];

/// In the order in which they are offered.
pub const REVIEWS: [export::Format<WriteReviews>; 1] = [export::Format {
    spec: FormatSpec {
        name: "jsonl",
        title: "my review file",
        about: "for footnote agreement, and for whoever collects them",
        extension: "jsonl",
        media_type: "application/jsonl",
    },
    write: |reviews| Ok(reviews.to_jsonl()),
}];

/// In the order in which they are offered.
pub const AGREEMENT: [export::Format<WriteAgreement>; 1] = [export::Format {
    spec: FormatSpec {
        name: "json",
        title: "JSON",
        about: "every coefficient, as footnote agreement --json prints it",
        extension: "json",
        media_type: "application/json",
    },
    write: |report| serde_json::to_string_pretty(&report.to_json()),
}];

/// In the order in which they are offered.
pub const KEY: [export::Format<WriteKey>; 1] = [export::Format {
    spec: FormatSpec {
        name: "json",
        title: "the key",
        about: "which pipeline made which answer",
        extension: "json",
        media_type: "application/json",
    },
    write: |key| serde_json::to_string_pretty(&key.to_json()),
}];

/// In the order in which they are offered.
pub const RUNS: [export::Format<WriteRuns>; 3] = [
    export::Format {
        spec: FormatSpec::HTML,
        write: |runs| Ok(html::file(runs)),
    },
    export::Format {
        spec: FormatSpec {
            name: "csv",
            title: "CSV",
            about: "for a spreadsheet",
            extension: "csv",
            media_type: "text/csv",
        },
        write: |runs| Ok(comparison(runs).to_csv()),
    },
    export::Format {
        spec: FormatSpec {
            name: "json",
            title: "JSON",
            about: "the figures, and what each pipeline found for each question",
            extension: "json",
            media_type: "application/json",
        },
        write: |runs| serde_json::to_string_pretty(&all(runs)),
    },
];

fn comparison(runs: &Runs<'_>) -> footnote_core::lab::runs::Comparison {
    let items: Vec<&Item> = runs.items.iter().collect();
    let all: Vec<&Run> = runs.runs.iter().collect();
    compare(&all, &items, Some(runs.baseline))
}

fn all(runs: &Runs<'_>) -> Value {
    let each: Vec<Value> = runs.runs.iter().map(Run::to_json).collect();
    json!({ "comparison": comparison(runs).to_json(), "runs": each })
}
