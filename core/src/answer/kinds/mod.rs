//! Kinds of questions that code answers exactly, from syntax trees, graph, manifests and documents.
//!
//! A kind is one file here and one line in [`KINDS`]: how it is worded ([`wording`]) and how its answer is
//! stated. A question is held against the wordings in the order of the list; the first kind that states
//! something has answered it. A question of no kind goes the usual way, by search.

mod bases;
mod built;
mod callees;
mod callers;
mod class_members;
mod coupled;
mod defaults;
mod definition;
mod definitions;
mod evidence;
mod exports;
mod files;
mod implementations;
mod importers;
mod imports;
mod inheritance;
mod libraries;
mod listing;
mod lookup;
mod overrides;
mod parameters;
mod paths;
mod public;
mod public_api;
mod say;
mod subclasses;
mod subject;
mod teller;
mod testing;
#[cfg(test)]
mod tests;
mod tests_in;
mod uses;
mod value;
mod wanted;
mod which;
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
    &libraries::KIND,
    &imports::KIND,
    &uses::KIND,
    &importers::KIND,
    &coupled::KIND,
    &callers::KIND,
    &callees::KIND,
    &overrides::KIND,
    &subclasses::KIND,
    &bases::KIND,
    &defaults::KIND,
    &value::KIND,
    &tests_in::KIND,
    &public_api::KIND,
    &files::KIND,
    &definitions::KIND,
    &definition::KIND,
    &definitions::TERSE,
    &definition::TERSE,
    &value::TERSE,
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
    let plain = Plain::new(question.text())?;
    let mut teller = Teller::new(index, question, notes);
    let mut unanswered: Vec<(&str, Read)> = Vec::new();
    for kind in KINDS {
        for wording in kind.wordings {
            let Some(read) = plain.read(wording) else {
                continue;
            };
            if (kind.state)(&mut teller, &read) {
                return Some(Told {
                    kind: kind.name,
                    note: teller.note,
                });
            }
            unanswered.push((kind.name, read));
        }
    }
    which::state(&mut teller, &unanswered).then_some(Told {
        kind: which::NAME,
        note: teller.note,
    })
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
