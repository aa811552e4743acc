//! The rows of both parts, with their metadata.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::formats::{Codec, Comparison, Exchange, Format, Shape};
use super::text::{fingerprint, json_line, normalised, template_tokens};
use super::{ExportError, File, METADATA, Options, Part, Preference, Set, Split, Why};
use crate::eval::Item;

/// The values of `answer` in the metadata.
pub(super) const FROM_FILES: &str = "files";
pub(super) const FROM_REFERENCE: &str = "reference";

/// A row with its metadata.
pub(super) struct Row {
    pub(super) part: Part,
    /// The row as a trainer reads it.
    pub(super) value: Value,
    /// Its line of metadata, without part and number.
    pub(super) metadata: serde_json::Map<String, Value>,
    pub(super) strategy: String,
    /// Whether the answer is a list of files.
    pub(super) lists_files: bool,
    normalised: String,
}

/// The rows in the order of the set, the training part first; `notes` gets what was left out.
pub(super) fn collect(
    format: &Format,
    set: &Set,
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<Vec<Row>, ExportError> {
    let parts = parts(set.split)?;
    let mut rows = match &format.shape {
        Shape::Answers(codec) => questions(codec, set, options, &parts, notes),
        Shape::Pairs(codec) => pairs(codec, set, options, &parts, notes),
    };
    if rows.is_empty() {
        return Err(if format.answers() {
            ExportError::Empty
        } else {
            ExportError::NoPairs
        });
    }
    rows.sort_by_key(|row| row.part);
    if rows.first().is_none_or(|row| row.part != Part::Train) {
        return Err(ExportError::NoTraining(rows.len()));
    }
    if rows.iter().all(|row| row.part == Part::Train) {
        let mlx = if format.mlx { "; MLX asks for one" } else { "" };
        notes.push(format!(
            "No row is for validation, so there is no valid.jsonl{mlx}."
        ));
    }
    let both = on_both_sides(&rows);
    if both > 0 {
        notes.push(format!(
            "Rows for validation with the wording of a row for training: {both}. Results on them \
             measure memory."
        ));
    }
    Ok(rows)
}

/// The part of each id in the split.
fn parts(split: &Split) -> Result<BTreeMap<&str, Part>, ExportError> {
    let mut parts: BTreeMap<&str, Part> = BTreeMap::new();
    for (part, ids) in [(Part::Train, &split.train), (Part::Valid, &split.valid)] {
        for id in ids {
            if parts.insert(id, part).is_some_and(|before| before != part) {
                return Err(ExportError::InBothParts(id.clone()));
            }
        }
    }
    Ok(parts)
}

/// Counts what was left out, by reason, and collects the chat template marks that were found.
#[derive(Default)]
struct Tally {
    left_out: BTreeMap<&'static str, usize>,
    marked: usize,
    marks: BTreeSet<&'static str>,
}

impl Tally {
    fn leave_out(&mut self, reason: &'static str) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    fn look_at(&mut self, texts: &[&str]) {
        let found: Vec<_> = texts
            .iter()
            .flat_map(|text| template_tokens(text))
            .collect();
        self.marked += usize::from(!found.is_empty());
        self.marks.extend(found);
    }

    fn say(self, what: &str, notes: &mut Vec<String>) {
        for (reason, n) in self.left_out {
            notes.push(format!("Left out: {what} {reason} ({n})."));
        }
        if self.marked > 0 {
            let marks = self.marks.into_iter().collect::<Vec<_>>().join(" ");
            notes.push(format!(
                "Rows with text that looks like marks of a chat template ({marks}): {}. It is kept \
                 as it is; check that your trainer does not read it as control tokens.",
                self.marked
            ));
        }
    }
}

fn questions(
    codec: &Codec<Exchange>,
    set: &Set,
    options: &Options,
    parts: &BTreeMap<&str, Part>,
    notes: &mut Vec<String>,
) -> Vec<Row> {
    let mut tally = Tally::default();
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for item in set.items {
        let Some(&part) = parts.get(item.id.as_str()) else {
            tally.leave_out("in neither part of the split");
            continue;
        };
        if !seen.insert(item.id.as_str()) {
            tally.leave_out("with an id that another has");
        } else if item.query.trim().is_empty() {
            tally.leave_out("without words");
        } else if let Some((answer, lists_files)) = answer(item) {
            tally.look_at(&[&item.query, &answer]);
            let system = if lists_files {
                &options.files_system
            } else {
                &options.answer_system
            };
            rows.push(Row {
                part,
                value: (codec.write)(&Exchange {
                    system: stated(system),
                    question: item.query.clone(),
                    answer,
                }),
                metadata: item_metadata(item, lists_files, set),
                strategy: strategy(&item.id, item.category.as_deref(), set),
                lists_files,
                normalised: normalised(&item.query),
            });
        } else {
            tally.leave_out("without an answer and without gold files");
        }
    }
    tally.say("questions", notes);
    rows
}

/// The system text, unless it is blank.
fn stated(system: &Option<String>) -> Option<String> {
    system.clone().filter(|system| !system.trim().is_empty())
}

/// The answer to a question, and whether it is its list of files.
fn answer(item: &Item) -> Option<(String, bool)> {
    if let Some(answer) = &item.reference_answer
        && !answer.trim().is_empty()
    {
        return Some((answer.clone(), false));
    }
    let files: BTreeSet<&str> = item.gold_files.iter().map(String::as_str).collect();
    (!files.is_empty()).then(|| (json!(files).to_string(), true))
}

fn item_metadata(item: &Item, lists_files: bool, set: &Set) -> serde_json::Map<String, Value> {
    let mut metadata = serde_json::Map::new();
    metadata.insert("id".to_owned(), item.id.as_str().into());
    metadata.insert("fingerprint".to_owned(), fingerprint(&[&item.query]).into());
    let from = if lists_files {
        FROM_FILES
    } else {
        FROM_REFERENCE
    };
    metadata.insert("answer".to_owned(), from.into());
    let spans: Vec<Value> = item
        .gold_spans
        .iter()
        .map(|span| json!({ "file": span.file, "start": span.start, "end": span.end }))
        .collect();
    metadata.insert("archive".to_owned(), item.archive.as_str().into());
    metadata.insert("gold_files".to_owned(), json!(item.gold_files));
    metadata.insert("gold_spans".to_owned(), spans.into());
    for (key, text) in [("category", &item.category), ("source", &item.source)] {
        if let Some(text) = text {
            metadata.insert(key.to_owned(), text.as_str().into());
        }
    }
    add_facts(&mut metadata, &item.id, set);
    metadata
}

fn add_facts(metadata: &mut serde_json::Map<String, Value>, id: &str, set: &Set) {
    let Some(facts) = set.facts.get(id) else {
        return;
    };
    if let Some(strategy) = &facts.strategy {
        metadata.insert("strategy".to_owned(), strategy.as_str().into());
    }
    if let Some(rating) = facts.rating {
        metadata.insert("rating".to_owned(), rating.into());
    }
    if !facts.tags.is_empty() {
        metadata.insert("tags".to_owned(), json!(facts.tags));
    }
}

fn strategy(id: &str, category: Option<&str>, set: &Set) -> String {
    let stated = set
        .facts
        .get(id)
        .and_then(|facts| facts.strategy.as_deref());
    stated.or(category).unwrap_or("not stated").to_owned()
}

fn pairs(
    codec: &Codec<Comparison>,
    set: &Set,
    options: &Options,
    parts: &BTreeMap<&str, Part>,
    notes: &mut Vec<String>,
) -> Vec<Row> {
    let with_category = |item: &'_ Item| Some((item.id.clone(), item.category.clone()?));
    let categories: BTreeMap<String, String> = set.items.iter().filter_map(with_category).collect();
    let mut tally = Tally::default();
    let mut rows = Vec::new();
    for pair in set.preferences {
        let texts = [pair.question.as_str(), &pair.chosen, &pair.rejected];
        let Some(&part) = parts.get(pair.id.as_str()) else {
            tally.leave_out("of a question in neither part of the split");
            continue;
        };
        if texts.iter().any(|text| text.trim().is_empty()) {
            tally.leave_out("with an empty text");
        } else if pair.chosen == pair.rejected {
            tally.leave_out("whose two answers are the same");
        } else {
            tally.look_at(&texts);
            rows.push(Row {
                part,
                value: (codec.write)(&Comparison {
                    system: stated(&options.answer_system),
                    question: pair.question.clone(),
                    chosen: pair.chosen.clone(),
                    rejected: pair.rejected.clone(),
                }),
                metadata: pair_metadata(pair, set),
                strategy: strategy(&pair.id, categories.get(&pair.id).map(String::as_str), set),
                lists_files: false,
                normalised: normalised(&pair.question),
            });
        }
    }
    tally.say("pairs", notes);
    rows
}

fn pair_metadata(pair: &Preference, set: &Set) -> serde_json::Map<String, Value> {
    let why = match pair.why {
        Why::Rating { chosen, rejected } => {
            json!({ "kind": "rating", "chosen": chosen, "rejected": rejected })
        }
        Why::Judge { win_rate } => json!({ "kind": "judge", "win_rate": win_rate }),
        Why::Reward { chosen, rejected } => {
            json!({ "kind": "reward", "chosen": chosen, "rejected": rejected })
        }
        Why::Unknown => Value::Null,
    };
    let mut metadata = serde_json::Map::new();
    metadata.insert("id".to_owned(), pair.id.as_str().into());
    let print = fingerprint(&[&pair.question, &pair.chosen, &pair.rejected]);
    metadata.insert("fingerprint".to_owned(), print.into());
    metadata.insert("why".to_owned(), why);
    add_facts(&mut metadata, &pair.id, set);
    metadata
}

/// Number of validation rows whose question is also in the training part.
pub(super) fn on_both_sides(rows: &[Row]) -> usize {
    let learnt: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.part == Part::Train)
        .map(|row| row.normalised.as_str())
        .collect();
    rows.iter()
        .filter(|row| row.part == Part::Valid && learnt.contains(row.normalised.as_str()))
        .count()
}

/// Whether that part has rows, and so a file.
pub(super) fn has(rows: &[Row], part: Part) -> bool {
    rows.iter().any(|row| row.part == part)
}

/// The files of the parts that have rows, and the metadata.
pub(super) fn files(rows: &[Row]) -> Vec<File> {
    let mut files = Vec::new();
    let mut metadata = String::new();
    for part in Part::ALL {
        let mut text = String::new();
        let of_part = rows.iter().filter(|row| row.part == part);
        for (number, row) in (1_u64..).zip(of_part) {
            text.push_str(&json_line(&row.value));
            let mut line = row.metadata.clone();
            line.insert("split".to_owned(), part.name().into());
            line.insert("row".to_owned(), number.into());
            metadata.push_str(&json_line(&Value::Object(line)));
        }
        if !text.is_empty() {
            files.push(File {
                name: part.file().to_owned(),
                text,
            });
        }
    }
    files.push(File {
        name: METADATA.to_owned(),
        text: metadata,
    });
    files
}
