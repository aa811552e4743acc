//! Where a question wants its answer from: “in src/app”, “in the library itself”, “not in tests”.

use std::collections::BTreeSet;

use super::super::subject::{self, Subject};
use super::super::teller::Teller;
use super::super::{evidence, wording};
use crate::answer::kinds;
use crate::answer::notes::text;
use crate::lang::{Language, Role};
use crate::search::Within;
use crate::source::FileId;

/// What is said where a limit to files cannot tell tests from sources.
const TESTS_INSIDE: &str = "Tests inside source files are not told apart.";

/// The files that entries of a list must lie in.
pub(in super::super) struct Place {
    pub shown: String,
    /// What the reader must know about the limit, as a sentence.
    caveat: Option<&'static str>,
    within: Within,
}

/// Phrases for the project's own code, without tests, documents and examples. `_` joins words;
/// `OWN` is the project's own name.
const ITSELF: &[&str] = &[
    "in_the_library_itself",
    "in_the_package_itself",
    "in_the_code_itself",
    "the_library_code_itself",
    "the_library_itself",
    "the_package_itself",
    "OWN_itself",
];

/// Phrases for the code outside tests.
const OUTSIDE_TESTS: &[&str] = &[
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
    "leaving_out_tests",
    "leaving_out_the_tests",
    "ignoring_tests",
    "ignoring_the_tests",
    "tests_aside",
    "besides_tests",
    "besides_the_tests",
    "other_than_tests",
    "other_than_in_tests",
    "except_in_tests",
    "excluding_the_tests",
    "excluding_test_files",
];

/// Phrases for the tests.
const IN_TESTS: &[&str] = &["in_the_tests", "in_tests", "from_tests", "inside_tests"];

/// Phrases for the documents, and for the examples.
const IN_DOCS: &[&str] = &["in_the_docs", "in_docs", "in_the_documentation"];
const IN_EXAMPLES: &[&str] = &["in_the_examples", "in_examples"];

/// Phrases that often mean it.
const IN_THE_LIBRARY: &[&str] = &[
    "in_the_library_code",
    "in_the_OWN_package",
    "in_the_OWN_library",
    "in_the_library",
];

/// Takes the phrase that names a place out of the words.
pub(super) fn take(teller: &Teller<'_, '_>, words: &mut Vec<String>) -> Option<Place> {
    let place = take_outside_tests(teller, words);
    let place = place.or_else(|| {
        let is_there = take_phrase(teller, words, IN_THE_LIBRARY);
        is_there.then(|| by_role(teller, Role::Source))
    });
    let place = place.or_else(|| take_role(teller, words));
    folder(teller, words).or(place)
}

/// Takes “in tests”, “in the docs” or “in the examples” out of the words.
pub(super) fn take_role(teller: &Teller<'_, '_>, words: &mut Vec<String>) -> Option<Place> {
    let roles = [
        (IN_TESTS, Role::Test),
        (IN_DOCS, Role::Docs),
        (IN_EXAMPLES, Role::Example),
    ];
    let mut roles = roles.into_iter();
    let (_, role) = roles.find(|(phrases, _)| take_phrase(teller, words, phrases))?;
    Some(by_role(teller, role))
}

/// Takes a phrase for the code outside tests out of the words.
pub(super) fn take_outside_tests(
    teller: &Teller<'_, '_>,
    words: &mut Vec<String>,
) -> Option<Place> {
    let is_itself = take_phrase(teller, words, ITSELF);
    let is_there = take_phrase(teller, words, OUTSIDE_TESTS);
    if is_itself {
        let shown = "in the project’s own code";
        return Some(of_roles(teller, shown, true, |role| role == Role::Source));
    }
    is_there.then(|| by_role(teller, Role::Source))
}

/// Takes the phrases out of the words; returns whether there was one.
fn take_phrase(teller: &Teller<'_, '_>, words: &mut Vec<String>, phrases: &[&str]) -> bool {
    let mut is_there = false;
    for phrase in phrases {
        let phrase = phrase.replace("OWN", &teller.own_name().to_lowercase());
        let parts: Vec<&str> = phrase.split('_').collect();
        let is_it = |part: &[String]| {
            part.iter()
                .map(|word| word.to_lowercase())
                .eq(parts.iter().copied())
        };
        if let Some(at) = words.windows(parts.len()).position(is_it) {
            words.drain(at..at + parts.len());
            is_there = true;
        }
    }
    is_there
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
        caveat: None,
        within: Within::new(vec![name], files),
    })
}

/// Takes “files under src” out of the words, up to the “files”, if that is a folder at the root and
/// something else is named, too.
pub(super) fn take_root_folder(teller: &Teller<'_, '_>, words: &mut Vec<String>) -> Option<Place> {
    let is_place = |three: &[String]| match three {
        [files, before, _] => {
            wording::is_one_of(files, "files modules code places")
                && wording::is_one_of(before, "in inside within under below from")
        }
        _ => false,
    };
    let at = words.windows(3).position(is_place)? + 1;
    let name = words.get(at + 1)?.trim_matches('/').to_owned();
    let inside = format!("{name}/");
    let files = (0..).map(FileId).zip(&teller.index.repo.files);
    let files: BTreeSet<FileId> = files
        .filter(|(_, file)| file.path.starts_with(&inside))
        .map(|(id, _)| id)
        .collect();
    let mut others = words.iter().skip(at + 2);
    let is_other_named = others.any(|word| kinds::names_something(teller.index, word));
    if files.is_empty() || !is_other_named {
        return None;
    }
    words.drain(at..at + 2);
    Some(Place {
        shown: format!("in {inside}"),
        caveat: None,
        within: Within::new(vec![inside], files),
    })
}

/// Returns the files of a role; for sources, all but those of tests.
fn by_role(teller: &Teller<'_, '_>, role: Role) -> Place {
    let shown = match role {
        Role::Test => "in test files",
        Role::Docs => "in the documents",
        Role::Example => "in the examples",
        _ => "outside test files",
    };
    let is_about_tests = matches!(role, Role::Test | Role::Source);
    of_roles(teller, shown, is_about_tests, |of_file| match role {
        Role::Source => of_file != Role::Test,
        role => of_file == role,
    })
}

fn of_roles(
    teller: &Teller<'_, '_>,
    shown: &str,
    is_about_tests: bool,
    is_there: impl Fn(Role) -> bool,
) -> Place {
    let all = (0..).map(FileId).zip(&teller.index.repo.files);
    let own = all.filter(|(_, file)| is_there(Role::of(&file.path)));
    Place {
        shown: shown.to_owned(),
        caveat: (is_about_tests && has_tests_inside(teller)).then_some(TESTS_INSIDE),
        within: Within::of_phrase(shown, own.map(|(id, _)| id).collect()),
    }
}

/// Whether source files hold tests of their own, as in Rust.
fn has_tests_inside(teller: &Teller<'_, '_>) -> bool {
    let mut parsed = teller.index.parsed.iter();
    parsed.any(|parsed| parsed.language == Language::Rust)
}

/// Tells an answer whose lists only hold what lies in the place. An answer of which nothing does
/// says so.
pub(in super::super) fn within<T>(
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
    if let Some(caveat) = place.caveat {
        teller.note = Some(caveat.to_owned());
        teller.is_guess = true;
    }
    let mut notes = teller.notes.footnotes.iter();
    if !notes.any(|note| place.within.holds(note.source.file())) {
        teller.note = Some(format!("None of it is {}.", place.shown));
        // What was said holds elsewhere only.
        teller.is_guess = true;
        for said in &mut teller.notes.statements {
            said.spans.retain(|span| *span != text("Yes. "));
        }
    }
    Some(told)
}
