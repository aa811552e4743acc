//! What the laboratory stores across visits: the question set, and models' replies, so that nothing
//! is asked twice.

use std::collections::BTreeSet;

use footnote_core::eval::Item;
use footnote_core::eval::set::{parse_set, write_set};
use footnote_core::lab::agreement::{self, Annotations, Key};
use footnote_core::lab::judge::{Answerer, Pair, Preference};
use serde::{Deserialize, Serialize};

use super::pairs::Pairs;
use super::{Bench, views};
use crate::worker::protocol::{LabCountView, LabGrantView, LabOrderView, LabSetView};
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::storage::Storage;

/// Record name of the set.
const SET: &str = "set";
/// Record name of a set of anonymous answers.
const BLIND: &str = "blind";
/// Record name of the pairs of answers.
const PAIRS: &str = "pairs";

/// Stands for a missing name in saved reviews: their format needs one.
const UNNAMED: &str = "(unnamed)";

/// A set with its notes.
#[derive(Default, Serialize, Deserialize)]
pub struct Record {
    /// One question per line.
    set: String,
    /// Identifies the set in reviews.
    hash: String,
    counts: Vec<LabCountView>,
    note: Option<String>,
    order: Option<(LabOrderView, LabGrantView)>,
    is_partial: bool,
}

impl Record {
    /// The current set; if answers are being rated in its place, the questions themselves.
    pub fn of(bench: &Bench) -> Self {
        let (items, told, hash) = bench.questions();
        Self {
            set: write_set(items),
            hash: hash.to_owned(),
            counts: told.counts.clone(),
            note: told.note.clone(),
            order: told.order.clone(),
            is_partial: told.is_partial,
        }
    }
}

/// Saves a set; returns why that failed, if it did.
pub async fn keep_set(storage: &Storage, open: &OpenRepo, record: &Record) -> Option<String> {
    if !open.keep.get() {
        return Some("this repository is not saved yet".to_owned());
    }
    let text = serde_json::to_string(record).ok()?;
    let kept = storage.keep_lab_text(&open.key, SET, &text).await;
    kept.err().map(|error| error.to_string())
}

/// Returns the last saved set, with its hash; `None` if there is none or it cannot be read.
pub async fn kept_set(
    storage: &Storage,
    open: &OpenRepo,
) -> Option<(Vec<Item>, LabSetView, String)> {
    let text = storage.lab_text(&open.key, SET).await.ok()??;
    let record: Record = serde_json::from_str(&text).ok()?;
    let items = parse_set(&record.set).ok()?;
    let told = LabSetView {
        items: items.iter().map(views::item).collect(),
        counts: record.counts,
        note: record.note,
        order: record.order,
        is_partial: record.is_partial,
        ..LabSetView::default()
    };
    Some((items, told, record.hash))
}

/// A set of anonymous answers.
pub struct Blind {
    pub items: Vec<Item>,
    pub told: LabSetView,
    pub key: Key,
}

#[derive(Serialize, Deserialize)]
struct BlindRecord {
    /// The hash of the questions that they answer.
    below: String,
    /// One answer per line.
    set: String,
    note: Option<String>,
    key: String,
}

/// Saves answers to the question set with the hash `below`; returns false if that failed.
pub async fn keep_blind(storage: &Storage, open: &OpenRepo, below: &str, blind: &Blind) -> bool {
    if !open.keep.get() {
        return false;
    }
    let record = BlindRecord {
        below: below.to_owned(),
        set: write_set(&blind.items),
        note: blind.told.note.clone(),
        key: blind.key.to_json().to_string(),
    };
    let Ok(text) = serde_json::to_string(&record) else {
        return false;
    };
    let kept = storage.keep_lab_text(&open.key, BLIND, &text).await;
    kept.is_ok()
}

/// Returns the answers to the question set with that hash that were being rated when the page was
/// closed.
pub async fn kept_blind(storage: &Storage, open: &OpenRepo, below: &str) -> Option<Blind> {
    let text = storage.lab_text(&open.key, BLIND).await.ok()??;
    let record: BlindRecord = serde_json::from_str(&text).ok()?;
    if record.below != below {
        return None;
    }
    let items = parse_set(&record.set).ok()?;
    let told = LabSetView {
        items: items.iter().map(views::item).collect(),
        note: record.note,
        ..LabSetView::default()
    };
    let key = Key::read(&record.key).ok()?;
    Some(Blind { items, told, key })
}

/// Deletes them, because the user went back to the questions.
pub async fn forget_blind(storage: &Storage, open: &OpenRepo) {
    if open.keep.get() {
        // If deleting fails, they are shown once more after a reload, which costs a click.
        let _ = storage.forget_lab(&open.key, BLIND).await;
    }
}

/// Saves the reviews of a set by this page's annotator. If that fails, they last until the page is
/// closed.
pub async fn keep_reviews(storage: &Storage, open: &OpenRepo, own: &Annotations) {
    if open.keep.get() {
        let mut own = own.clone();
        if own.annotator.is_empty() {
            own.annotator = UNNAMED.to_owned();
        }
        let name = reviews(&own.set);
        // The set reports when nothing can be saved.
        let _ = storage
            .keep_lab_text(&open.key, &name, &own.to_jsonl())
            .await;
    }
}

/// Returns the saved reviews of a set by this page's annotator.
pub async fn kept_reviews(storage: &Storage, open: &OpenRepo, set: &str) -> Option<Annotations> {
    let text = storage.lab_text(&open.key, &reviews(set)).await.ok()??;
    let reading = agreement::read(&text, set, |_| true).ok()?;
    let mut own = reading.annotations;
    if own.annotator == UNNAMED {
        own.annotator.clear();
    }
    Some(own)
}

fn reviews(set: &str) -> String {
    format!("reviews/{set}")
}

/// Returns a model's earlier reply to the same request, and the tokens that its service counted.
pub async fn said_before(
    storage: &Storage,
    open: &OpenRepo,
    key: &str,
) -> Option<(String, Option<u32>)> {
    let text = storage.lab_text(&open.key, &said(key)).await.ok()??;
    serde_json::from_str(&text).ok()
}

/// Saves a model's reply; returns why that failed, if it did.
pub async fn keep_said(
    storage: &Storage,
    open: &OpenRepo,
    key: &str,
    (text, tokens): (&str, Option<u32>),
) -> Result<(), String> {
    if !open.keep.get() {
        return Err("this repository is not saved yet".to_owned());
    }
    let record = serde_json::to_string(&(text, tokens)).map_err(|error| error.to_string())?;
    let kept = storage.keep_lab_text(&open.key, &said(key), &record).await;
    kept.map_err(|error| error.to_string())
}

fn said(key: &str) -> String {
    format!("said/{key}")
}

/// Pairs of answers with the user's choices.
#[derive(Serialize, Deserialize)]
struct PairsRecord {
    /// The hash of their set.
    set: String,
    pairs: Vec<PairRecord>,
    turned: BTreeSet<String>,
    /// Name and model of each side.
    sides: Vec<(String, Option<String>)>,
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct PairRecord {
    id: String,
    question: String,
    answers: [String; 2],
    reference: Option<String>,
    rating: Option<String>,
}

/// Saves the pairs of the set with that hash. If that fails, they last until the page is closed.
pub async fn keep_pairs(storage: &Storage, open: &OpenRepo, set: &str, pairs: &Pairs) {
    if !open.keep.get() {
        return;
    }
    let each = pairs.pairs.iter().map(|pair| PairRecord {
        id: pair.id.clone(),
        question: pair.question.clone(),
        answers: pair.answers.clone(),
        reference: pair.reference.clone(),
        rating: pairs.ratings.get(&pair.id).map(|it| it.name().to_owned()),
    });
    let sides = pairs.sides.iter().flatten();
    let record = PairsRecord {
        set: set.to_owned(),
        pairs: each.collect(),
        turned: pairs.turned.clone(),
        sides: sides
            .map(|it| (it.name.clone(), it.model.clone()))
            .collect(),
        note: pairs.note.clone(),
    };
    if let Ok(text) = serde_json::to_string(&record) {
        // The set reports when nothing can be saved.
        let _ = storage.keep_lab_text(&open.key, PAIRS, &text).await;
    }
}

/// Returns the last saved pairs of a set; `None` if there are none or they cannot be read.
pub async fn kept_pairs(storage: &Storage, open: &OpenRepo, set: &str) -> Option<Pairs> {
    let text = storage.lab_text(&open.key, PAIRS).await.ok()??;
    let record: PairsRecord = serde_json::from_str(&text).ok()?;
    if record.set != set {
        return None;
    }
    let sides = record.sides.into_iter();
    let sides: Vec<Answerer> = sides
        .map(|(name, model)| Answerer { name, model })
        .collect();
    let ratings = record.pairs.iter().filter_map(|pair| {
        let preference = Preference::from_name(pair.rating.as_deref()?)?;
        Some((pair.id.clone(), preference))
    });
    Some(Pairs {
        ratings: ratings.collect(),
        sides: sides.try_into().ok(),
        turned: record.turned,
        note: record.note,
        pairs: record.pairs.into_iter().map(pair).collect(),
    })
}

fn pair(record: PairRecord) -> Pair {
    Pair {
        id: record.id,
        question: record.question,
        answers: record.answers,
        reference: record.reference,
    }
}
