//! Drafts → a set: duplicates are folded, and kinds, folders and numbers of files are balanced.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, Drafts, Gold};
use super::fold::{self, Compared, EQUAL, Near, normal};
use super::{Count, Made, Order};
use crate::eval::{GoldSpan, Item};
use crate::index::Index;
use crate::lang::resolve::names::folder;
use crate::random::Random;
use crate::source::FileId;

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
            "The repository gives {} different questions of these kinds, not {}: the counts by \
             kind say why others were dropped.",
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

/// Drops questions that occur already, and all versions of those that have two answers.
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
            false => EQUAL,
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

/// Draws questions in turn, skipping those that are nearly the same as one already drawn.
fn draw(index: &Index, order: &Order, chosen: Vec<Chosen>, counts: &mut [Count]) -> Vec<Chosen> {
    let place = |it: &Chosen| {
        let n_files = files(&it.draft.gold).len().min(3);
        (it.kind, folder_of(index, &it.draft), n_files)
    };
    let mut near = Near::new(order.near, |a: &Vec<Gold>, b| a == b);
    let takes = |it: &Chosen| {
        let compared = Compared {
            group: it.kind,
            question: &it.question,
            gold: it.draft.gold.clone(),
            is_sentence: it.draft.is_sentence,
        };
        let taken = near.takes(index, compared);
        if let Err(why) = taken {
            refuse(counts, it.kind, why);
        }
        taken.is_ok()
    };
    fold::draw(chosen, order.count, place, takes)
}

/// The folder of the first gold file.
fn folder_of(index: &Index, draft: &Draft) -> String {
    let first = draft.gold.first();
    let file = first.and_then(|(file, _)| index.repo.file(*file));
    file.map_or("", |file| folder(&file.path)).to_owned()
}

fn files(gold: &[Gold]) -> BTreeSet<FileId> {
    gold.iter().map(|(file, _)| *file).collect()
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
    Item {
        id: fold::id(kind, &it.question, &gold_files),
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
