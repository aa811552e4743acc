//! Kinds of questions that rules answer from syntax trees, graph, manifests and documents, without
//! search.
//!
//! A kind is one file here and one line in [`KINDS`]: how it is worded ([`wording`]) and how its
//! answer is stated. A question is matched against the wordings in the order of the list; the first
//! kind that states something has answered it. A question of no kind is answered by search.

mod bases;
mod belongs;
mod bounds;
mod built;
mod by_default;
mod callees;
mod callers;
mod calls;
mod changelog;
mod class_members;
mod constants;
mod coupled;
mod declared;
mod defaults;
mod definition;
mod definitions;
mod documents;
mod entry_points;
mod enumeration;
mod environment;
mod evidence;
mod examples;
mod export_list;
mod exports;
mod files;
mod hops;
mod how_to;
mod impact;
mod implementations;
mod importers;
mod imports;
mod inheritance;
mod inherits;
mod keyed;
mod libraries;
mod listing;
mod lookup;
mod modules;
mod named;
mod overloads;
mod overrides;
mod overview;
mod parameters;
mod path;
mod paths;
mod programs;
mod public;
mod public_api;
mod public_modules;
mod purpose;
mod raises;
mod relation;
mod requirements;
mod reworded;
mod say;
mod scope;
mod search;
mod sections;
mod since;
mod steps;
mod subclasses;
mod subject;
mod survey;
mod takes;
mod teller;
mod test_checks;
mod testing;
#[cfg(test)]
mod tests;
mod tests_in;
mod tests_of;
mod texts;
mod todo;
mod unfinished;
mod usages;
mod uses;
mod value;
mod wanted;
mod which;
mod word;
mod wording;

use std::collections::HashSet;
use std::sync::LazyLock;

use super::facts;
use super::notes::Notes;
use crate::index::Index;
use crate::search::Question;
use crate::source::FileId;
pub(super) use steps::{Around, steps_around};
use subject::Subject;
use teller::Teller;
use wording::{Plain, Read};

/// A kind of question.
struct Kind {
    /// The name in records and in `footnote ask --json`.
    name: &'static str,
    /// How it is worded; see [`wording`].
    wordings: &'static [&'static str],
    /// States the answer; returns false if it could state nothing, and then another kind is tried.
    state: fn(&mut Teller<'_, '_>, &Read) -> bool,
}

/// All kinds that read wordings, those with more specific wordings first; [`reworded`] and
/// [`relation`] come after them.
const KINDS: &[&Kind] = &[
    &documents::KIND,
    &how_to::KIND,
    &since::KIND,
    &changelog::KIND,
    &belongs::KIND,
    &todo::KIND,
    &tests_in::KIND,
    &tests_of::KIND,
    &test_checks::KIND,
    &impact::KIND,
    &path::KIND,
    &environment::KIND,
    &raises::KIND,
    &word::KIND,
    &usages::KIND,
    &requirements::KIND,
    &declared::KIND,
    &programs::KIND,
    &examples::KIND,
    &libraries::KIND,
    &imports::KIND,
    &calls::KIND,
    &uses::KIND,
    &importers::KIND,
    &coupled::KIND,
    &callers::KIND,
    &callees::KIND,
    &overrides::KIND,
    &inherits::KIND,
    &subclasses::KIND,
    &bases::KIND,
    &defaults::KIND,
    &by_default::KIND,
    &takes::KIND,
    &bounds::KIND,
    &constants::KIND,
    &value::KIND,
    &public_modules::KIND,
    &public_api::KIND,
    &files::KIND,
    &definitions::KIND,
    &definition::KIND,
    &steps::KIND,
    &entry_points::KIND,
    &modules::KIND,
    &purpose::KIND,
    &overview::KIND,
    &enumeration::KIND,
    &definitions::TERSE,
    &definition::TERSE,
    &value::TERSE,
];

/// How the kinds read a question.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The question is of this kind, and its answer was stated.
    Told {
        /// The name of the kind.
        kind: &'static str,
        /// What the reader should know about how the question was read.
        note: Option<String>,
        /// Whether it may not answer the question.
        is_guess: bool,
    },
    /// The question is of a kind and cannot be answered; a sentence for the reader says why.
    Refused(String),
    /// The question is worded like one of a kind, but nothing could be stated: what search finds
    /// may not answer it.
    Unanswered,
    /// The question is of no kind.
    Open,
}

/// Kinds that search answers too if their own rules have nothing to say.
const ANSWERED_BY_SEARCH: &[&str] = &[
    "steps",
    "overview",
    "documents",
    "by default",
    "constants",
    "definition",
    "since",
    "relation",
    "enumeration",
];

/// States the answer if the question is of a kind and its subjects exist.
pub(super) fn state<'i>(index: &'i Index, question: &Question, notes: &mut Notes<'i>) -> Reading {
    let mut teller = Teller::new(index, question, notes);
    if search::state(&mut teller) {
        return told(search::NAME, teller);
    }
    if unfinished::state(&mut teller) {
        return told(unfinished::NAME, teller);
    }
    let (place, text) = reworded::place(&teller);
    let Some(plain) = Plain::new(&text) else {
        return Reading::Open;
    };
    let mut unanswered: Vec<(&'static str, Read)> = Vec::new();
    let kind = reworded::within(&mut teller, place.as_ref(), |teller| {
        told_by(teller, &plain, KINDS, &mut unanswered)
    });
    if let Some(kind) = kind {
        return told(kind, teller);
    }
    if let Some(kind) = reworded::state(&mut teller) {
        return told(kind, teller);
    }
    let last = [&relation::KIND, &relation::connections::KIND];
    if let Some(kind) = told_by(&mut teller, &plain, &last, &mut unanswered) {
        return told(kind, teller);
    }
    unanswered.retain(|(name, _)| !ANSWERED_BY_SEARCH.contains(name));
    let is_exact = !unanswered.is_empty() || teller.is_recognised;
    if which::state(&mut teller, &unanswered) {
        return told(which::NAME, teller);
    }
    match is_exact {
        true => Reading::Unanswered,
        false => Reading::Open,
    }
}

/// Returns the first of the kinds that reads the question and states something; adds those that
/// read it in vain.
fn told_by(
    teller: &mut Teller<'_, '_>,
    plain: &Plain,
    kinds: &[&Kind],
    unanswered: &mut Vec<(&'static str, Read)>,
) -> Option<&'static str> {
    for kind in kinds {
        for wording in kind.wordings {
            let Some(read) = plain.read(wording) else {
                continue;
            };
            teller.is_guess = false;
            if (kind.state)(teller, &read) {
                return Some(kind.name);
            }
            // Nothing was stated, so nothing is a guess.
            teller.is_guess = false;
            unanswered.push((kind.name, read));
        }
    }
    None
}

fn told(kind: &'static str, teller: Teller<'_, '_>) -> Reading {
    let is_guess = teller.is_guess;
    match (teller.note, teller.notes.statements.is_empty()) {
        (Some(why), true) => Reading::Refused(why),
        (note, _) => Reading::Told {
            kind,
            note,
            is_guess,
        },
    }
}

/// Returns the words that name a question's subject: by its kind, else the last name in it.
pub(super) fn subject_words(index: &Index, text: &str) -> Option<String> {
    let plain = Plain::new(text)?;
    let of_kind = KINDS
        .iter()
        .flat_map(|kind| kind.wordings)
        .find_map(|wording| {
            let read = plain.read(wording)?;
            let (name, _) = subject::bare(&read.x);
            (!name.is_empty() && subject::find(index, &read.x).is_some()).then_some(name)
        });
    let text = plain.text();
    let named = || {
        let mut words = text.split_whitespace().rev();
        words
            .find(|word| names_code(index, word))
            .map(str::to_owned)
    };
    of_kind.or_else(named)
}

/// Whether some kind's wordings use this word, so that it is not misspelt.
pub(super) fn is_word_of_asking(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let of_kinds = KINDS.iter().flat_map(|kind| kind.wordings);
        wording::words(of_kinds).collect()
    });
    WORDS.contains(word)
}

/// Whether a word is written as code, or capitalised inside a sentence, and names something.
fn names_code(index: &Index, word: &str) -> bool {
    let looks_so = word.contains(['_', '.', '/', '`'])
        || word.chars().any(char::is_uppercase)
        || word.len() > 3;
    looks_so && names_something(index, word)
}

/// Whether the words name a file, a definition or a library.
pub(super) fn names_something(index: &Index, words: &str) -> bool {
    !matches!(subject::find(index, words), None | Some(Subject::Project))
}

/// Whether a build made the file from sources in the same package.
pub(super) fn is_built(index: &Index, file: FileId) -> bool {
    built::is_built(index, file)
}

/// Whether manifests are asked first: they declare a project's dependencies.
pub(super) fn is_about_manifests(index: &Index, question: &Question) -> bool {
    let text = question.text().to_lowercase();
    if facts::asks_when_needed(&text) {
        return true;
    }
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
