//! A question before it is selected.

use std::collections::BTreeMap;

use super::world::World;
use crate::index::graph::SymbolId;
use crate::index::tokens::{identifiers, name_parts};
use crate::lines::LineRange;
use crate::source::FileId;

/// Most places that may answer a question.
const MAX_SPANS: usize = 24;

/// Lines of a file that answer a question.
pub(super) type Gold = (FileId, LineRange);

/// A question in several wordings, one of which is chosen at random.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub wordings: Vec<String>,
    /// The first is the place that the question is about.
    pub gold: Vec<Gold>,
    pub answer: String,
    /// Whether the question is a sentence that names nothing: if another is nearly the same, its
    /// place may be just as good an answer.
    pub is_sentence: bool,
}

/// The drafts of one kind.
#[derive(Debug)]
pub(super) struct Drafts {
    pub kind: &'static str,
    pub kept: Vec<Draft>,
    /// Number of drafts made, including those that were dropped.
    pub made: usize,
    /// Number of dropped drafts, by reason.
    pub dropped: BTreeMap<&'static str, usize>,
}

impl Drafts {
    pub(super) fn new(kind: &'static str) -> Self {
        Self {
            kind,
            kept: Vec::new(),
            made: 0,
            dropped: BTreeMap::new(),
        }
    }

    /// Adds a draft that names what it asks about.
    pub(super) fn push(&mut self, wordings: &[String], gold: Vec<Gold>, answer: String) {
        self.made += 1;
        let gold = joined(gold);
        if gold.is_empty() || wordings.is_empty() {
            return self.drop("no line of the repository answers it");
        }
        // If some were left out, the gold would no longer be complete.
        if gold.len() > MAX_SPANS {
            return self.drop("too many places answer it");
        }
        self.kept.push(Draft {
            wordings: wordings.to_vec(),
            gold,
            answer,
            is_sentence: false,
        });
    }

    /// Adds a draft whose wording must not reveal the name of the definition that answers it.
    pub(super) fn push_hiding(
        &mut self,
        world: &World<'_>,
        symbol: SymbolId,
        mut wordings: Vec<String>,
    ) {
        let Some(definition) = world.index.symbol(symbol) else {
            return;
        };
        wordings.retain(|wording| !gives_away(wording, &definition.name));
        if wordings.is_empty() {
            self.made += 1;
            return self.drop("its sentence gives the name away");
        }
        let answer = world.told(symbol);
        self.push(&wordings, world.gold(symbol).into_iter().collect(), answer);
        if let Some(draft) = self.kept.last_mut() {
            draft.is_sentence = true;
        }
    }

    /// Counts a draft that was not made, by reason.
    pub(super) fn drop(&mut self, why: &'static str) {
        *self.dropped.entry(why).or_default() += 1;
    }

    /// Counts a draft that could not be worded.
    pub(super) fn refuse(&mut self, why: &'static str) {
        self.made += 1;
        self.drop(why);
    }
}

/// Sorted by file and line; adjoining ranges are joined.
fn joined(mut gold: Vec<Gold>) -> Vec<Gold> {
    gold.sort_unstable();
    let mut joined: Vec<Gold> = Vec::new();
    for (file, lines) in gold {
        match joined.last_mut() {
            Some((known, last)) if *known == file && lines.start().0 <= last.end().0 + 1 => {
                *last = LineRange::new(last.start(), last.end().max(lines.end()));
            }
            _ => joined.push((file, lines)),
        }
    }
    joined
}

/// Whether a sentence contains a name, as it is written or as consecutive words.
pub(super) fn gives_away(sentence: &str, name: &str) -> bool {
    let parts = name_parts(name);
    let words: Vec<String> = identifiers(sentence).flat_map(name_parts).collect();
    !parts.is_empty() && words.windows(parts.len()).any(|window| window == parts)
}
