//! The questions of a run without duplicates, and the set that is drawn from them.

use std::collections::BTreeSet;

use super::talk::Found;
use super::{Strategy, WrittenOrder};
use crate::eval::{GoldSpan, Item};
use crate::index::Index;
use crate::lab::questions::fold::{self, Compared, EQUAL, Near, normal};
use crate::lang::resolve::names::folder;
use crate::random::Random;

/// The files and lines that answer a question.
type Gold = (Vec<String>, Vec<GoldSpan>);

/// A question that was kept.
pub(super) struct Keep {
    /// The index of its strategy in the run.
    pub turn: usize,
    pub strategy: &'static Strategy,
    pub found: Found,
    /// The model that wrote it.
    pub model: String,
}

pub(super) struct Kept {
    all: Vec<Keep>,
    texts: BTreeSet<String>,
    near: Near<Gold>,
}

impl Kept {
    pub(super) fn new(near: f32) -> Self {
        Self {
            all: Vec::new(),
            texts: BTreeSet::new(),
            near: Near::new(near, is_same),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The kept questions of one strategy, in order.
    pub(super) fn of(&self, turn: usize) -> impl Iterator<Item = &Found> {
        let of_turn = self.all.iter().filter(move |it| it.turn == turn);
        of_turn.map(|it| &it.found)
    }

    /// Adds a question, unless it is a duplicate.
    pub(super) fn take(&mut self, index: &Index, it: Keep) -> Result<(), &'static str> {
        let text = normal(&it.found.question);
        if self.texts.contains(&text) {
            return Err(EQUAL);
        }
        let compared = Compared {
            group: 0,
            question: &it.found.question,
            gold: (it.found.files.clone(), it.found.spans.clone()),
            // A pair names its file, so with other files it is another question.
            is_sentence: it.found.spans.is_empty(),
        };
        self.near.takes(index, compared)?;
        self.texts.insert(text);
        self.all.push(it);
        Ok(())
    }

    /// Draws up to the ordered number of questions, in turn from strategies, folders and numbers of
    /// files; each with the index of its strategy.
    pub(super) fn draw(&self, order: &WrittenOrder) -> Vec<(usize, Item)> {
        let mut all: Vec<&Keep> = self.all.iter().collect();
        Random::new(order.seed).shuffle(&mut all);
        let place = |it: &&Keep| {
            let first = it.found.files.first().map_or("", |path| folder(path));
            (it.turn, first.to_owned(), it.found.files.len().min(3))
        };
        let mut drawn = fold::draw(all, order.count, place, |_| true);
        drawn.sort_by_key(|it| (it.turn, &it.found.files, &it.found.question));
        let drawn = drawn.into_iter();
        drawn.map(|it| (it.turn, item(order, it))).collect()
    }
}

/// Whether two similar questions ask for the same: they share a file, and lines if both name some.
fn is_same((files, spans): &Gold, (other_files, other_spans): &Gold) -> bool {
    let overlaps = |span: &GoldSpan| {
        let mut others = other_spans.iter();
        others.any(|it| it.file == span.file && it.lines().overlaps(span.lines()))
    };
    files.iter().any(|file| other_files.contains(file))
        && (spans.is_empty() || other_spans.is_empty() || spans.iter().any(overlaps))
}

fn item(order: &WrittenOrder, it: &Keep) -> Item {
    let name = it.strategy.name;
    let found = &it.found;
    let about = found
        .dimension
        .map_or(String::new(), |about| format!(" ({about})"));
    Item {
        id: fold::id(name, &found.question, &found.files),
        archive: order.archive.clone(),
        query: found.question.clone(),
        gold_files: found.files.clone(),
        gold_spans: found.spans.clone(),
        category: Some(name.to_owned()),
        reference_answer: found.answer.clone(),
        source: Some(format!(
            "written by {}, strategy {name}{about}, seed {}",
            it.model, order.seed
        )),
    }
}
