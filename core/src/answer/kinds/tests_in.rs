//! Which tests a file, a folder, a class or the project has; see [`super::testing`].

use super::Kind;
use super::listing::{Place, in_files, in_order, n_of, named, none, place};
use super::paths;
use super::subject::Subject;
use super::teller::Teller;
use super::testing::tests_of;
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, code, text};
use crate::lang::{Role, SymbolId};
use crate::source::FileId;

/// Words for what is listed.
macro_rules! tests {
    () => {
        "tests|test_functions|test_cases|testcases|test_methods|unit_tests|test_names|specs"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "tests-in",
    wordings: &[
        concat!("ASK? ", tests!(), " REL X"),
        concat!(
            "ASK ",
            tests!(),
            " does|do X contain|have|define|hold|run|include"
        ),
        concat!("ASK? names of ASK? ", tests!(), " REL X"),
        "ASK? every|each|any|all test|test_function|test_case|unit_test REL X",
        concat!("how_many ", tests!(), " REL X"),
        concat!("how_many ", tests!(), " does|do X contain|have|define|hold"),
        concat!("ASK? ", tests!(), " REL?"),
        concat!("how_many ", tests!(), " REL?"),
        concat!("X ", tests!()),
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let (files, shown) = match looked_at(teller, &read.x) {
        Some(Place::Files(files, shown)) => (files, shown),
        Some(Place::Symbols(symbols)) => {
            let said = symbols.iter().map(|id| of_class(teller, *id));
            return said.filter(|said| *said).count() > 0;
        }
        None => return false,
    };
    let all: Vec<Entry> = files
        .iter()
        .flat_map(|file| tests_of(teller, *file))
        .collect();
    if all.is_empty() {
        // “the tests of sessions.py” may be in other files.
        let is_tests = |file: &FileId| Role::of(teller.path(*file)) == Role::Test;
        let is_all = files.len() == teller.index.repo.files.len();
        return (is_all || files.iter().all(is_tests))
            && none(teller, &files, shown, "defines", "test");
    }
    list(teller, all, shown)
}

/// States the tests inside a file of tests; nothing if none are recognised.
pub(super) fn say_inside(teller: &mut Teller<'_, '_>, file: FileId) -> bool {
    let inside = tests_of(teller, file);
    let lead = vec![code(teller.path(file))];
    !inside.is_empty() && list(teller, inside, lead)
}

/// Returns the files that the words name; all files for the project.
fn looked_at(teller: &Teller<'_, '_>, words: &str) -> Option<Place> {
    let is_project = words.is_empty() || teller.subject(words) == Some(Subject::Project);
    let all = || (0..teller.index.repo.files.len() as u32).map(FileId);
    if is_project {
        let files = in_order(teller, all().collect());
        return Some(Place::Files(files, vec![text("The repository")]));
    }
    if let Some(folder) = paths::folder(teller.index, words) {
        let inside = all().filter(|file| teller.path(*file).starts_with(&folder));
        return Some(Place::Files(inside.collect(), vec![code(folder.clone())]));
    }
    place(teller, words)
}

fn list(teller: &mut Teller<'_, '_>, mut entries: Vec<Entry>, mut lead: Vec<Span>) -> bool {
    let n = n_of(teller, &mut entries, "test", "tests");
    lead.push(text(format!(" has {n}{}: ", in_files(&entries))));
    teller.list(lead, entries)
}

/// States the tests inside a class or a module.
fn of_class(teller: &mut Teller<'_, '_>, id: SymbolId) -> bool {
    let Some(definition) = teller
        .definition(id)
        .filter(|definition| definition.is_container())
    else {
        return false;
    };
    let lines = definition.symbol.lines;
    let inside: Vec<Entry> = tests_of(teller, id.file)
        .into_iter()
        .filter(|entry| lines.encloses(entry.source.lines))
        .collect();
    !inside.is_empty() && list(teller, inside, named(teller, id))
}
