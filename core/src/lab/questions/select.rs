//! Drafts → a set: duplicates folded, drawn in turn over kinds, folders and numbers of files.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, Drafts, Gold};
use super::{Count, Made, Order};
use crate::embed::Embedding;
use crate::eval::{GoldSpan, Item};
use crate::index::Index;
use crate::lang::resolve::names::folder;
use crate::random::Random;
use crate::source::FileId;

/// Questions as near as this with other gold lines have two right answers: neither is kept.
const SAME: f32 = 0.985;

/// A draft in one wording.
struct Chosen {
    kind: usize,
    question: String,
    draft: Draft,
}

pub(super) fn select(index: &Index, order: &Order, drafts: Vec<Drafts>) -> Made {
    let mut random = Random::new(order.seed);
    let mut counts: Vec<Count> = drafts.iter().map(count).collect();
    let mut chosen = Vec::new();
    for (kind, drafts) in drafts.into_iter().enumerate() {
        for draft in drafts.kept {
            let at = random.below(draft.wordings.len());
            let question = draft.wordings.get(at).cloned().unwrap_or_default();
            chosen.push(Chosen {
                kind,
                question,
                draft,
            });
        }
    }
    fold_equal(&mut chosen, &mut counts);
    random.shuffle(&mut chosen);
    let mut drawn = draw(index, order, chosen, &mut counts);
    drawn.sort_by_key(|it| (it.kind, it.draft.gold.first().copied()));
    for it in &drawn {
        if let Some(count) = counts.get_mut(it.kind) {
            count.kept += 1;
        }
    }
    let short = (drawn.len() < order.count).then(|| {
        format!(
            "The repository gives {} different questions of these kinds, not {}: \
             why others were dropped is counted by kind.",
            drawn.len(),
            order.count
        )
    });
    let items = drawn
        .iter()
        .map(|it| item(index, order, &counts, it))
        .collect();
    Made {
        items,
        counts,
        short,
    }
}

fn count(drafts: &Drafts) -> Count {
    Count {
        kind: drafts.kind,
        made: drafts.made,
        kept: 0,
        dropped: drafts.dropped.clone(),
    }
}

/// Drops questions that stand there already, and all of those that have two answers.
fn fold_equal(chosen: &mut Vec<Chosen>, counts: &mut [Count]) {
    let mut by_text: BTreeMap<String, BTreeSet<Vec<Gold>>> = BTreeMap::new();
    for it in chosen.iter() {
        let golds = by_text.entry(normal(&it.question)).or_default();
        golds.insert(it.draft.gold.clone());
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    chosen.retain(|it| {
        let text = normal(&it.question);
        let has_two = by_text.get(&text).is_some_and(|golds| golds.len() > 1);
        let why = match has_two {
            true => "several places answer the same question",
            false if seen.insert(text) => return true,
            false => "the same question stands there already",
        };
        refuse(counts, it.kind, why);
        false
    });
}

fn refuse(counts: &mut [Count], kind: usize, why: &'static str) {
    if let Some(count) = counts.get_mut(kind) {
        *count.dropped.entry(why).or_default() += 1;
    }
}

fn normal(question: &str) -> String {
    let words = question.split(|it: char| !(it.is_alphanumeric() || it == '_'));
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Draws in turn from the kind, the folder and the number of gold files that have given least.
fn draw(index: &Index, order: &Order, chosen: Vec<Chosen>, counts: &mut [Count]) -> Vec<Chosen> {
    let mut groups: BTreeMap<(usize, String, usize), Vec<Chosen>> = BTreeMap::new();
    for it in chosen {
        let n_files = files(&it.draft.gold).len().min(3);
        groups
            .entry((it.kind, folder_of(index, &it.draft), n_files))
            .or_default()
            .push(it);
    }
    let mut near = Near::new(index, order.near);
    let mut given: BTreeMap<usize, usize> = BTreeMap::new();
    let mut taken: BTreeMap<(usize, String, usize), usize> = BTreeMap::new();
    let mut drawn = Vec::new();
    while drawn.len() < order.count {
        let least = groups.keys().min_by_key(|key| {
            let of_kind = given.get(&key.0).copied().unwrap_or(0);
            (of_kind, taken.get(*key).copied().unwrap_or(0))
        });
        let Some(key) = least.cloned() else {
            break;
        };
        let group = groups.entry(key.clone()).or_default();
        let Some(it) = group.pop() else {
            groups.remove(&key);
            continue;
        };
        match near.takes(&it) {
            Ok(()) => {
                *given.entry(key.0).or_default() += 1;
                *taken.entry(key).or_default() += 1;
                drawn.push(it);
            }
            Err(why) => refuse(counts, it.kind, why),
        }
    }
    drawn
}

/// The folder of the first file that answers.
fn folder_of(index: &Index, draft: &Draft) -> String {
    let first = draft.gold.first();
    let file = first.and_then(|(file, _)| index.repo.file(*file));
    file.map_or("", |file| folder(&file.path)).to_owned()
}

fn files(gold: &[Gold]) -> BTreeSet<FileId> {
    gold.iter().map(|(file, _)| *file).collect()
}

/// Finds questions that are nearly the same by the static encoder, where that is there.
struct Near<'i> {
    index: &'i Index,
    least: f32,
    /// Of what was taken: kind, vector, gold.
    known: Vec<(usize, Embedding, Vec<Gold>)>,
}

impl<'i> Near<'i> {
    fn new(index: &'i Index, least: f32) -> Self {
        Self {
            index,
            least,
            known: Vec::new(),
        }
    }

    fn takes(&mut self, it: &Chosen) -> Result<(), &'static str> {
        let Some(vector) = self
            .index
            .table()
            .and_then(|table| table.embed(&it.question))
        else {
            return Ok(());
        };
        for (_, other, gold) in self.known.iter().filter(|(kind, ..)| *kind == it.kind) {
            let cosine = vector.cosine(other);
            if *gold == it.draft.gold && cosine >= self.least {
                return Err("nearly the same question stands there already");
            }
            // Names differ where the words around them do not: only sentences are told apart so.
            if it.draft.is_sentence && cosine >= SAME {
                return Err("several places answer nearly the same question");
            }
        }
        self.known.push((it.kind, vector, it.draft.gold.clone()));
        Ok(())
    }
}

fn item(index: &Index, order: &Order, counts: &[Count], it: &Chosen) -> Item {
    let path = |file: FileId| index.repo.file(file).map_or("", |it| &it.path).to_owned();
    let kind = counts.get(it.kind).map_or("", |count| count.kind);
    let spans = it.draft.gold.iter().map(|(file, lines)| GoldSpan {
        file: path(*file),
        start: lines.start().0,
        end: lines.end().0,
    });
    let gold_files: Vec<String> = files(&it.draft.gold).into_iter().map(path).collect();
    let digest =
        blake3::hash(format!("{kind}\n{}\n{}", it.question, gold_files.join("\n")).as_bytes());
    let digest = digest.to_hex();
    Item {
        id: format!("{kind}-{}", digest.get(..10).unwrap_or_default()),
        archive: order.archive.clone(),
        query: it.question.clone(),
        gold_spans: spans.collect(),
        gold_files,
        category: Some(kind.to_owned()),
        reference_answer: Some(it.draft.answer.clone()),
        source: Some(format!(
            "made by Footnote from the repository, seed {}",
            order.seed
        )),
    }
}
