//! Which tests exercise a definition or a file, and what shows it: a call, a name, an import.

mod found;
mod names;

use super::Kind;
use super::named;
use super::subject::Subject;
use super::teller::{Teller, counted};
use super::tests_in;
use super::texts::{is_test, polar};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{SEARCHED, Source, code, text};
use crate::index::graph::SymbolId;
use crate::lang::Role;
use crate::lines::{LineIndex, LineRange};
use crate::source::FileId;
use found::{Found, of_files, of_symbols};

pub(super) const KIND: Kind = Kind {
    name: "tests-of",
    wordings: &[
        "ASK? unit|integration? tests|test|specs|unittests|testcases|test_cases|test_files|test_functions that? are|is|do|does|would? cover|covers|covering|exercise|exercises|exercising|test|tests|testing|call|calls|use|uses|touch|touches|hit|hits|verify|verifies|check|checks|run|runs X",
        "what|which|who tests|covers|exercises X",
        "ASK? unit|integration? tests|test|specs|test_cases|test_coverage|coverage for|of|against|covering|about|on X",
        "is|are X unit? tested|covered|exercised by|in? a|any|the|some? tests|test|unit_tests|specs|test_suite? at_all?",
        "is|are there a|an|any|some? unit|integration? test|tests|specs|coverage|test_coverage for|of|that_cover|that_covers|that_test|that_tests|covering|that_exercise X",
        "does|do X have a|any|some? unit|integration? test|tests|coverage|test_coverage|specs",
        "where is|are X tested|covered|exercised",
        "how is|are X tested|covered",
        "by? which|what|in_which tests|test|test_files is|are X covered|tested|exercised|called|used by?",
        "X is|are tested|covered where|by_what|by_which_tests|by_which_test",
        "X tests",
    ],
    state,
};

/// Maximum number of test files whose tests are listed, too.
const MAX_OPENED: usize = 3;

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if let Some((ids, name)) = named::symbols(teller, &read.x) {
        let is_own = |id: &SymbolId| {
            let symbol = teller.index.symbol(*id);
            symbol.is_some_and(|symbol| is_test(teller.index, id.file, symbol.name_line))
        };
        if ids.iter().all(is_own) {
            return false;
        }
        let found = of_symbols(teller, &ids);
        let proof = named::lines(teller, &ids);
        return say(teller, &name, found, &proof);
    }
    let Some(Subject::Files(files, name)) = teller.subject(&read.x) else {
        return false;
    };
    if files
        .iter()
        .any(|file| Role::of(teller.path(*file)) == Role::Test)
    {
        return false;
    }
    let found = of_files(teller, &files);
    let first = files.first().map(|file| {
        let lines = LineIndex::new(teller.file_text(*file)).all();
        (*file, lines)
    });
    let proof: Vec<(FileId, LineRange)> = first.into_iter().collect();
    let test_files: Vec<FileId> = found.own.iter().map(|it| it.source.file).collect();
    let is_said = say(teller, &name, found, &proof);
    if test_files.len() <= MAX_OPENED {
        for file in test_files {
            tests_in::say_inside(teller, file);
        }
    }
    is_said
}

fn say(
    teller: &mut Teller<'_, '_>,
    name: &str,
    found: Found,
    proof: &[(FileId, LineRange)],
) -> bool {
    let subject = code(name.to_owned());
    let (own, others) = match found.own.is_empty() {
        true => (found.others, Vec::new()),
        false => (found.own, found.others),
    };
    if own.is_empty() && found.maybe.is_empty() && found.by_name.is_empty() {
        return untested(teller, subject, proof);
    }
    let mut is_said = false;
    if !own.is_empty() {
        let n = own.len();
        let lead = text(polar(teller, true));
        let noun = match (found.by_file, others.is_empty()) {
            (true, _) => counted(n, "test file", "test files"),
            (false, true) => counted(n, "test", "tests"),
            (false, false) => counted(n, "test of its own", "tests of its own"),
        };
        let rest = text(format!(" is exercised by {noun}: "));
        is_said = teller.list(vec![lead, subject.clone(), rest], own);
    }
    if !others.is_empty() {
        let noun = counted(others.len(), "other test", "other tests");
        let lead = vec![subject.clone(), text(format!(" is also used by {noun}: "))];
        is_said |= teller.list(lead, others);
    }
    if !found.by_name.is_empty() {
        // That they run it cannot be seen.
        let noun = match is_said {
            true => counted(found.by_name.len(), "more test", "more tests"),
            false => counted(found.by_name.len(), "test", "tests"),
        };
        let verb = if found.by_name.len() == 1 {
            "is"
        } else {
            "are"
        };
        let lead = text(format!("{noun} {verb} named after "));
        is_said |= teller.list(vec![lead, subject.clone(), text(": ")], found.by_name);
    }
    if !found.maybe.is_empty() {
        let lead = vec![
            subject,
            text(" may also be called, on objects of unknown type, by "),
        ];
        is_said |= teller.list(lead, found.maybe);
    }
    is_said
}

fn untested(teller: &mut Teller<'_, '_>, subject: Span, proof: &[(FileId, LineRange)]) -> bool {
    let files = &teller.index.repo.files;
    let n = files
        .iter()
        .filter(|file| Role::of(&file.path) == Role::Test)
        .count();
    let mut spans = vec![text(polar(teller, false))];
    if n == 0 {
        spans.extend([
            text("The repository, as it was given, contains no test files, and so no test of "),
            subject,
        ]);
    } else {
        let n = counted(n, "searched test file", "searched test files");
        spans.extend([
            subject,
            text(format!(
                " is exercised by no test that Footnote can find: none in {n} calls it, imports it \
                 or is named after it"
            )),
        ]);
    }
    let sources: Vec<Source> = proof
        .iter()
        .map(|(file, lines)| Source {
            file: *file,
            lines: *lines,
            quotes: Vec::new(),
            why: SEARCHED.to_owned(),
        })
        .collect();
    teller.say(spans, &sources)
}
