//! Reads exported files. A bad line is reported, and the good ones are kept.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::formats::{Comparison, Exchange, Format, Shape};
use super::rows::{FROM_FILES, FROM_REFERENCE};
use super::text::fingerprint;
use super::{File, ItemFacts, METADATA, Part, Preference, Split, Why};
use crate::eval::{GoldSpan, Item};

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Name of the file.
    pub file: String,
    /// Counted from 1, blank lines included.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// The contents of the files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The questions; empty for the formats of pairs.
    pub items: Vec<Item>,
    /// The pairs; empty for the other formats.
    pub preferences: Vec<Preference>,
    /// Which part each came from.
    pub split: Split,
    /// Further facts from the metadata.
    pub facts: BTreeMap<String, ItemFacts>,
    /// Lines that could not be read, in the order of the files.
    pub bad: Vec<BadLine>,
}

/// Reads `train.jsonl`, `valid.jsonl` and `metadata.jsonl` of `files`; other names are ignored, and
/// a folder before the name does not matter. A single JSONL file with another name is read as the
/// training part.
///
/// `archive` is the archive's key for rows without metadata. Their ids are made from archive and
/// question, so reading a file twice gives the same ids.
pub fn import(format: &Format, files: &[File], archive: &str) -> Imported {
    let mut imported = Imported::default();
    let known = Known::read(files, &mut imported.bad);
    for (part, file) in parts(files) {
        // Not `lines()`: one carriage return at the end is part of the line end, any others belong
        // to the text.
        for (at, line) in file.text.split('\n').enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let number = at + 1;
            let read = read_line(format, line, |print| known.of(part, number, print), archive);
            match read {
                Ok(row) => imported.add(row, part),
                Err(reason) => imported.bad.push(BadLine {
                    file: file.name.clone(),
                    line: number,
                    reason,
                }),
            }
        }
    }
    imported
}

/// The files with rows.
fn parts(files: &[File]) -> Vec<(Part, &File)> {
    let of = |part: Part| {
        files
            .iter()
            .find(|file| base_name(&file.name) == part.file())
    };
    let named: Vec<_> = Part::ALL
        .into_iter()
        .filter_map(|part| Some((part, of(part)?)))
        .collect();
    if !named.is_empty() {
        return named;
    }
    let is_jsonl =
        |file: &&File| file.name.ends_with(".jsonl") && base_name(&file.name) != METADATA;
    let mut others = files.iter().filter(is_jsonl);
    match (others.next(), others.next()) {
        (Some(only), None) => vec![(Part::Train, only)],
        _ => Vec::new(),
    }
}

fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

enum Read {
    Question(Item, ItemFacts),
    Pair(Preference, ItemFacts),
}

impl Imported {
    fn add(&mut self, row: Read, part: Part) {
        let (id, facts) = match row {
            Read::Question(item, facts) => {
                let id = item.id.clone();
                self.items.push(item);
                (id, facts)
            }
            Read::Pair(pair, facts) => {
                let id = pair.id.clone();
                self.preferences.push(pair);
                (id, facts)
            }
        };
        let ids = match part {
            Part::Train => &mut self.split.train,
            Part::Valid => &mut self.split.valid,
        };
        if ids.last() != Some(&id) {
            ids.push(id.clone());
        }
        if facts != ItemFacts::default() {
            self.facts.insert(id, facts);
        }
    }
}

fn read_line<'k>(
    format: &Format,
    line: &str,
    known: impl Fn(&str) -> Option<&'k Value>,
    archive: &str,
) -> Result<Read, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    if !value.is_object() {
        return Err("not an object".to_owned());
    }
    match &format.shape {
        Shape::Answers(codec) => {
            let row = (codec.read)(&value)?;
            let metadata = known(&fingerprint(&[&row.question]));
            Ok(Read::Question(
                item(row, metadata, archive),
                facts(metadata),
            ))
        }
        Shape::Pairs(codec) => {
            let row = (codec.read)(&value)?;
            let print = fingerprint(&[&row.question, &row.chosen, &row.rejected]);
            let metadata = known(&print);
            Ok(Read::Pair(
                preference(row, metadata, archive),
                facts(metadata),
            ))
        }
    }
}

fn item(row: Exchange, metadata: Option<&Value>, archive: &str) -> Item {
    let string = |key: &str| metadata.and_then(|known| string(known, key));
    let archive = string("archive").unwrap_or_else(|| archive.to_owned());
    let stated_files = metadata.map(gold_files).unwrap_or_default();
    let from_files = match string("answer").as_deref() {
        Some(FROM_FILES) => true,
        Some(FROM_REFERENCE) => false,
        _ => stated_files.is_empty(),
    };
    let listed = from_files.then(|| file_list(&row.answer)).flatten();
    let (gold_files, reference_answer) = match listed {
        // The order of the set, unless the answer was changed.
        Some(files) if same_files(&files, &stated_files) => (stated_files, None),
        Some(files) => (files, None),
        None => (stated_files, Some(row.answer)),
    };
    Item {
        id: string("id").unwrap_or_else(|| new_id(&archive, &row.question)),
        archive,
        query: row.question,
        gold_files,
        gold_spans: metadata.map(gold_spans).unwrap_or_default(),
        category: string("category"),
        reference_answer,
        source: string("source"),
    }
}

fn preference(row: Comparison, metadata: Option<&Value>, archive: &str) -> Preference {
    Preference {
        id: metadata
            .and_then(|known| string(known, "id"))
            .unwrap_or_else(|| new_id(archive, &row.question)),
        why: metadata
            .and_then(|known| why(known.get("why")?))
            .unwrap_or(Why::Unknown),
        question: row.question,
        chosen: row.chosen,
        rejected: row.rejected,
    }
}

fn new_id(archive: &str, question: &str) -> String {
    format!("imported-{}", fingerprint(&[archive, question]))
}

fn why(value: &Value) -> Option<Why> {
    let number = |key: &str| value.get(key).and_then(Value::as_f64);
    match value.get("kind")?.as_str()? {
        "rating" => Some(Why::Rating {
            chosen: number("chosen")?,
            rejected: number("rejected")?,
        }),
        "judge" => Some(Why::Judge {
            win_rate: number("win_rate")?,
        }),
        "reward" => Some(Why::Reward {
            chosen: number("chosen")?,
            rejected: number("rejected")?,
        }),
        _ => None,
    }
}

/// The file names, if the answer is a JSON list of them.
fn file_list(answer: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(answer.trim()).ok()?;
    let files = value.as_array()?;
    files
        .iter()
        .map(|file| file.as_str().map(str::to_owned))
        .collect()
}

fn same_files(a: &[String], b: &[String]) -> bool {
    a.iter().collect::<BTreeSet<_>>() == b.iter().collect::<BTreeSet<_>>()
}

fn string(metadata: &Value, key: &str) -> Option<String> {
    metadata.get(key)?.as_str().map(str::to_owned)
}

fn strings(metadata: &Value, key: &str) -> Vec<String> {
    let list = metadata.get(key).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

fn gold_files(metadata: &Value) -> Vec<String> {
    strings(metadata, "gold_files")
}

fn gold_spans(metadata: &Value) -> Vec<GoldSpan> {
    let spans = metadata.get("gold_spans").and_then(Value::as_array);
    let line = |span: &Value, key: &str| u32::try_from(span.get(key)?.as_u64()?).ok();
    spans
        .into_iter()
        .flatten()
        .filter_map(|span| {
            Some(GoldSpan {
                file: string(span, "file")?,
                start: line(span, "start")?,
                end: line(span, "end")?,
            })
        })
        .collect()
}

fn facts(metadata: Option<&Value>) -> ItemFacts {
    let Some(metadata) = metadata else {
        return ItemFacts::default();
    };
    ItemFacts {
        strategy: string(metadata, "strategy"),
        rating: metadata.get("rating").and_then(Value::as_f64),
        tags: strings(metadata, "tags"),
    }
}

/// The parsed lines of `metadata.jsonl`.
#[derive(Default)]
struct Known {
    by_row: BTreeMap<(String, usize), Value>,
    /// The row of each text at export, to find texts that moved to another row.
    by_print: BTreeMap<String, (String, usize)>,
}

impl Known {
    fn read(files: &[File], bad: &mut Vec<BadLine>) -> Self {
        let mut known = Self::default();
        let Some(file) = files.iter().find(|file| base_name(&file.name) == METADATA) else {
            return known;
        };
        for (at, line) in file.text.split('\n').enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            if let Err(reason) = known.add(line) {
                bad.push(BadLine {
                    file: file.name.clone(),
                    line: at + 1,
                    reason,
                });
            }
        }
        known
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let value: Value =
            serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
        let split = string(&value, "split").ok_or("`split` is missing")?;
        let row = value
            .get("row")
            .and_then(Value::as_u64)
            .ok_or("`row` is missing")?;
        let row = usize::try_from(row).map_err(|error| error.to_string())?;
        for key in ["id", "fingerprint"] {
            string(&value, key).ok_or_else(|| format!("`{key}` is missing"))?;
        }
        if let Some(print) = string(&value, "fingerprint") {
            self.by_print
                .entry(print)
                .or_insert_with(|| (split.clone(), row));
        }
        self.by_row.insert((split, row), value);
        Ok(())
    }

    /// The metadata of the row with that text: by its number, or else where the text was when it
    /// was exported.
    fn of(&self, part: Part, row: usize, print: &str) -> Option<&Value> {
        let here = self.by_row.get(&(part.name().to_owned(), row));
        let is_it =
            |value: &&Value| value.get("fingerprint").and_then(Value::as_str) == Some(print);
        here.filter(is_it)
            .or_else(|| self.by_row.get(self.by_print.get(print)?))
    }
}
