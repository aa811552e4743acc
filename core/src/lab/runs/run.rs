//! A run: one pipeline or strategy on one set of questions.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::record;
use super::row::Row;
use crate::eval::Item;

/// The format that is written, and the newest that can be read.
const FORMAT: u64 = 1;

/// Why a run cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// It was written by a later version of Footnote.
    #[error(
        "the run has format {0}, but this version reads up to {FORMAT}; open it with a newer \
         Footnote"
    )]
    Newer(u64),
    /// A field is missing or of the wrong kind.
    #[error("“{field}” of the run is missing or not {expected}")]
    Field {
        /// Its name.
        field: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A row cannot be used.
    #[error("the row of question {id} cannot be read: {reason}")]
    Row {
        /// The question's id.
        id: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// How a run was made: everything that another person needs to repeat it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunMeta {
    /// The versions of Footnote, the encoder and other components, by name.
    pub versions: BTreeMap<String, String>,
    /// Hash of the index.
    pub index: String,
    /// Hash of the set of questions.
    pub set: String,
    /// Settings of the pipeline; any JSON.
    pub settings: Value,
    /// The seed of all random draws.
    pub seed: u64,
    /// The language model's name; `None` if none was used.
    pub model: Option<String>,
    /// Hash of the prompt; `None` if no model was used.
    pub prompt: Option<String>,
    /// Durations by stage, in milliseconds.
    pub durations: BTreeMap<String, f64>,
}

impl RunMeta {
    /// The metadata as a JSON object.
    pub fn to_json(&self) -> Value {
        json!({
            "versions": self.versions,
            "index": self.index,
            "set": self.set,
            "settings": self.settings,
            "seed": self.seed,
            "model": self.model,
            "prompt": self.prompt,
            "durations_ms": self.durations,
        })
    }

    /// Reads what [`RunMeta::to_json`] writes.
    pub fn from_json(value: &Value) -> Result<Self, RunError> {
        let text = |key: &str| {
            let text = value.get(key).and_then(Value::as_str).map(str::to_owned);
            text.ok_or_else(|| wrong(key, "text"))
        };
        let optional = |key: &str| match value.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => text(key).map(Some),
        };
        let seed = value.get("seed").and_then(Value::as_u64);
        Ok(Self {
            versions: entries(value, "versions", "texts by name", |it| {
                it.as_str().map(str::to_owned)
            })?,
            index: text("index")?,
            set: text("set")?,
            settings: value.get("settings").cloned().unwrap_or_default(),
            seed: seed.ok_or_else(|| wrong("seed", "a whole number"))?,
            model: optional("model")?,
            prompt: optional("prompt")?,
            durations: entries(value, "durations_ms", "numbers by name", Value::as_f64)?,
        })
    }

    /// The names of what differs between two runs apart from durations, in order. Runs that differ
    /// in `set` were not asked the same questions.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        [
            ("set", self.set != other.set),
            ("index", self.index != other.index),
            ("versions", self.versions != other.versions),
            ("settings", self.settings != other.settings),
            ("seed", self.seed != other.seed),
            ("model", self.model != other.model),
            ("prompt", self.prompt != other.prompt),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect()
    }
}

/// One pipeline or strategy on one set.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The name of the pipeline or strategy.
    pub name: String,
    /// How it was made.
    pub meta: RunMeta,
    /// By the question's id.
    pub rows: BTreeMap<String, Row>,
    /// Why a question has no row, by the question's id, if known.
    pub failed: BTreeMap<String, String>,
}

impl Run {
    /// The whole run as a JSON object.
    pub fn to_json(&self) -> Value {
        let rows = self.rows.iter();
        let rows = rows.map(|(id, row)| (id.clone(), record::to_json(row)));
        json!({
            "format": FORMAT,
            "strategy": self.name,
            "run_meta": self.meta.to_json(),
            "rows": rows.collect::<Map<String, Value>>(),
            "failed": self.failed,
        })
    }

    /// Reads what [`Run::to_json`] writes.
    pub fn from_json(value: &Value) -> Result<Self, RunError> {
        match value.get("format").and_then(Value::as_u64) {
            Some(FORMAT) => {}
            Some(newer) if newer > FORMAT => return Err(RunError::Newer(newer)),
            _ => return Err(wrong("format", "1")),
        }
        let name = value.get("strategy").and_then(Value::as_str);
        let name = name.ok_or_else(|| wrong("strategy", "text"))?;
        let meta = value.get("run_meta");
        let meta = meta.ok_or_else(|| wrong("run_meta", "an object"))?;
        let rows = value.get("rows").and_then(Value::as_object);
        let rows = rows.ok_or_else(|| wrong("rows", "an object"))?;
        let row = |(id, value): (&String, &Value)| match record::from_json(value) {
            Ok(row) => Ok((id.clone(), row)),
            Err(reason) => Err(RunError::Row {
                id: id.clone(),
                reason,
            }),
        };
        Ok(Self {
            name: name.to_owned(),
            meta: RunMeta::from_json(meta)?,
            rows: rows.iter().map(row).collect::<Result<_, _>>()?,
            failed: entries(value, "failed", "texts by name", |it| {
                it.as_str().map(str::to_owned)
            })?,
        })
    }

    /// Scores every row again. Returns the ids of rows whose question is not among `items`; those
    /// rows stay as they are.
    pub fn rescore(&mut self, items: &[&Item]) -> Vec<String> {
        let by_id: BTreeMap<&str, &Item> = items.iter().map(|it| (it.id.as_str(), *it)).collect();
        let mut left = Vec::new();
        for (id, row) in &mut self.rows {
            match by_id.get(id.as_str()) {
                Some(item) => row.rescore(item),
                None => left.push(id.clone()),
            }
        }
        left
    }
}

fn wrong(field: &str, expected: &'static str) -> RunError {
    RunError::Field {
        field: field.to_owned(),
        expected,
    }
}

/// The entries of an object; empty if the field is missing.
fn entries<T>(
    value: &Value,
    field: &str,
    expected: &'static str,
    read: fn(&Value) -> Option<T>,
) -> Result<BTreeMap<String, T>, RunError> {
    match value.get(field) {
        None | Some(Value::Null) => Ok(BTreeMap::new()),
        Some(Value::Object(object)) => {
            let entries = object.iter();
            let entries = entries.map(|(key, value)| Some((key.clone(), read(value)?)));
            let entries: Option<_> = entries.collect();
            entries.ok_or_else(|| wrong(field, expected))
        }
        Some(_) => Err(wrong(field, expected)),
    }
}
