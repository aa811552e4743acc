//! Kinds of questions that code answers exactly, from syntax trees, graph, manifests and documents.
//!
//! A kind is one file here and one line in [`KINDS`]: how it is worded ([`wording`]) and how its answer is
//! stated. A question is held against the wordings in the order of the list; the first kind that states
//! something has answered it. A question of no kind goes the usual way, by search.

mod callees;
mod callers;
mod coupled;
mod environment;
mod evidence;
mod hops;
mod impact;
mod importers;
mod imports;
mod libraries;
mod named;
mod path;
mod raises;
mod say;
mod scope;
mod search;
mod subject;
mod teller;
mod test_checks;
#[cfg(test)]
mod tests;
mod tests_of;
mod texts;
mod todo;
mod usages;
mod uses;
mod word;
mod wording;

use super::notes::Notes;
use crate::index::Index;
use crate::search::Question;
use subject::Subject;
use teller::Teller;
use wording::{Plain, Read};

/// A kind of question.
struct Kind {
    /// What records and `footnote ask --json` call it.
    name: &'static str,
    /// How it is worded; see [`wording`].
    wordings: &'static [&'static str],
    /// States the answer; false if nothing could be stated, and another kind is tried.
    state: fn(&mut Teller<'_, '_>, &Read) -> bool,
}

/// All kinds, those with the more special wordings first.
const KINDS: &[&Kind] = &[
    &todo::KIND,
    &tests_of::KIND,
    &test_checks::KIND,
    &impact::KIND,
    &path::KIND,
    &environment::KIND,
    &raises::KIND,
    &word::KIND,
    &usages::KIND,
    &libraries::KIND,
    &imports::KIND,
    &uses::KIND,
    &importers::KIND,
    &coupled::KIND,
    &callers::KIND,
    &callees::KIND,
];

/// What a kind says of a question.
pub(super) struct Told {
    /// The name of the kind.
    pub kind: &'static str,
    /// What the reader should know about how the question was read.
    pub note: Option<String>,
}

/// States the answer if the question is of a kind and its subjects are there.
pub(super) fn state<'i>(
    index: &'i Index,
    question: &Question,
    notes: &mut Notes<'i>,
) -> Option<Told> {
    let mut teller = Teller::new(index, question, notes);
    if search::state(&mut teller) {
        return Some(Told {
            kind: search::NAME,
            note: teller.note,
        });
    }
    let plain = Plain::new(question.text())?;
    for kind in KINDS {
        for wording in kind.wordings {
            let read = plain.read(wording);
            if read.is_some_and(|read| (kind.state)(&mut teller, &read)) {
                return Some(Told {
                    kind: kind.name,
                    note: teller.note,
                });
            }
        }
    }
    None
}

/// Whether manifests are asked first: a project's dependencies are declared there.
pub(super) fn is_about_manifests(index: &Index, question: &Question) -> bool {
    let text = question.text().to_lowercase();
    let is_declared = ["depend", "require"].iter().any(|word| text.contains(word));
    let Some(plain) = Plain::new(question.text()).filter(|_| is_declared) else {
        return false;
    };
    let about_project = |kind: &Kind| {
        let readings = kind
            .wordings
            .iter()
            .filter_map(|wording| plain.read(wording));
        let mut subjects = readings.map(|read| subject::find(index, &read.x));
        subjects.any(|found| found == Some(Subject::Project))
    };
    [&libraries::KIND, &imports::KIND, &uses::KIND]
        .into_iter()
        .any(about_project)
}
