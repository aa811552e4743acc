//! Where a question wants its answer from: “in src/app”, “in the library itself”, “not in tests”.

use std::collections::BTreeSet;

use super::super::subject::{self, Subject};
use super::super::teller::Teller;
use super::super::{evidence, wording};
use crate::lang::Role;
use crate::search::Within;
use crate::source::FileId;

/// The files that entries of a list must lie in.
pub(super) struct Place {
    pub shown: String,
    within: Within,
}

/// Phrases for the code outside tests. `_` joins words; `OWN` is the project's own name.
const OUTSIDE_TESTS: &[&str] = &[
    "in_the_library_itself",
    "in_the_package_itself",
    "in_the_code_itself",
    "in_the_library_code",
    "the_library_code_itself",
    "the_library_itself",
    "the_package_itself",
    "in_the_OWN_package",
    "in_the_OWN_library",
    "OWN_itself",
    "in_the_library",
    "outside_of_the_tests",
    "outside_of_tests",
    "outside_the_tests",
    "outside_tests",
    "not_in_the_tests",
    "not_in_tests",
    "not_the_tests",
    "not_tests",
    "without_tests",
    "excluding_tests",
    "except_tests",
    "apart_from_tests",
];

/// Takes the phrase that names a place out of the words.
pub(super) fn take(teller: &Teller<'_, '_>, words: &mut Vec<String>) -> Option<Place> {
    let mut place = None;
    for phrase in OUTSIDE_TESTS {
        let phrase = phrase.replace("OWN", &teller.own_name().to_lowercase());
        let parts: Vec<&str> = phrase.split('_').collect();
        let is_it = |part: &[String]| {
            part.iter()
                .map(|word| word.to_lowercase())
                .eq(parts.iter().copied())
        };
        if let Some(at) = words.windows(parts.len()).position(is_it) {
            words.drain(at..at + parts.len());
            place = outside_tests(teller);
        }
    }
    folder(teller, words).or(place)
}

/// Takes “in src/app” out of the words if that is a folder and something else is named, too.
fn folder(teller: &Teller<'_, '_>, words: &mut Vec<String>) -> Option<Place> {
    let is_place = |pair: &[String]| match pair {
        [before, path] => {
            wording::is_one_of(before, "in inside within under of from") && path.contains('/')
        }
        _ => false,
    };
    let at = words.windows(2).position(is_place)?;
    let others = words
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != at + 1);
    let is_code =
        |word: &str| word.contains(['_', '.', ':']) || word.chars().skip(1).any(char::is_uppercase);
    if !others.into_iter().any(|(_, word)| is_code(word)) {
        return None;
    }
    let name = words.get(at + 1)?.clone();
    let found = subject::find(teller.index, &name)?;
    let Subject::Files(..) = &found else {
        return None;
    };
    let files: BTreeSet<FileId> = evidence::files(teller.index, &found).into_iter().collect();
    words.drain(at..at + 2);
    Some(Place {
        shown: format!("in {name}"),
        within: Within::new(vec![name], files),
    })
}

fn outside_tests(teller: &Teller<'_, '_>) -> Option<Place> {
    let all = (0..).map(FileId).zip(&teller.index.repo.files);
    let own = all.filter(|(_, file)| Role::of(&file.path) == Role::Source);
    let files: BTreeSet<FileId> = own.map(|(id, _)| id).collect();
    let top = |file: &FileId| {
        let path = teller.path(*file);
        path.split_once('/')
            .map_or(path.to_owned(), |(folder, _)| format!("{folder}/"))
    };
    let names: BTreeSet<String> = files.iter().map(top).collect();
    (!files.is_empty()).then(|| Place {
        shown: "outside tests".to_owned(),
        within: Within::new(names.into_iter().collect(), files),
    })
}

/// Tells an answer whose lists only hold what lies in the place. An answer of which nothing does
/// says so.
pub(super) fn within<T>(
    teller: &mut Teller<'_, '_>,
    place: Option<&Place>,
    tell: impl FnOnce(&mut Teller<'_, '_>) -> Option<T>,
) -> Option<T> {
    let Some(place) = place else {
        return tell(teller);
    };
    let before = teller.notes.within.replace(place.within.clone());
    let told = tell(teller);
    teller.notes.within = before;
    let told = told?;
    let mut notes = teller.notes.footnotes.iter();
    if !notes.any(|note| place.within.holds(note.source.file())) {
        teller.note = Some(format!("None of it is {}.", place.shown));
    }
    Some(told)
}
