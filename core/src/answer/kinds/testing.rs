//! The tests of a file: functions that a framework runs, recognised by their names or by what
//! stands above them, and calls with a title (`it("sends", …)`).

use super::listing::{is_local, parsed, slice};
use super::teller::Teller;
use crate::answer::notes::{DEFINITION, Entry, Source};
use crate::lang::{Call, Language, Role, Symbol, SymbolKind};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Annotations and attributes that mark tests, by their last part.
const MARKS: [&str; 18] = [
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
    "Property",
    "Fact",
    "Theory",
    "TestMethod",
    "DataTestMethod",
    "TestCase",
    "test",
    "rstest",
    "test_case",
    "wasm_bindgen_test",
    "quickcheck",
    "test_log",
    "DataProvider",
];

/// Functions that run a test with a title.
const RUNNERS: [&str; 8] = [
    "it",
    "test",
    "specify",
    "scenario",
    "testWidgets",
    "property",
    "xit",
    "fit",
];

/// Test macros in C and C++.
const MACROS: [&str; 7] = [
    "TEST(",
    "TEST_F(",
    "TEST_P(",
    "TYPED_TEST(",
    "TEST_CASE(",
    "SCENARIO(",
    "TEST_METHOD(",
];

/// Returns all tests of a file, by line.
pub(super) fn tests_of(teller: &Teller<'_, '_>, file: FileId) -> Vec<Entry> {
    let Some(parsed) = parsed(teller, file).filter(|parsed| parsed.language.is_code()) else {
        return Vec::new();
    };
    let is_test_file = Role::of(teller.path(file)) == Role::Test;
    let mut found: Vec<Entry> = teller
        .defined_in(file)
        .filter(|(_, symbol)| !is_local(parsed, symbol))
        .filter(|(_, symbol)| is_test(teller, file, symbol, parsed.language, is_test_file))
        .filter_map(|(id, _)| teller.defined(id))
        .collect();
    if is_test_file {
        let titled = parsed
            .calls
            .iter()
            .filter_map(|call| titled(teller, file, call));
        found.extend(titled);
        if matches!(parsed.language, Language::C | Language::Cpp) {
            found.extend(by_macro(teller, file));
        }
    }
    found.sort_by_key(|entry| entry.source.lines.start());
    found
}

fn is_test(
    teller: &Teller<'_, '_>,
    file: FileId,
    symbol: &Symbol,
    language: Language,
    is_test_file: bool,
) -> bool {
    if !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method) {
        return false;
    }
    let starts = |words: &[&str]| words.iter().any(|word| symbol.name.starts_with(word));
    let by_name = is_test_file
        && match language {
            Language::Python | Language::Ruby | Language::Swift | Language::Php => {
                starts(&["test"])
            }
            Language::Java | Language::Kotlin => starts(&["test"]),
            Language::Go => starts(&["Test", "Benchmark", "Fuzz", "Example"]),
            _ => false,
        };
    by_name || is_marked(teller, file, symbol)
}

/// Whether `@Test`, `#[tokio::test]` or `[Fact]` stands above the name.
fn is_marked(teller: &Teller<'_, '_>, file: FileId, symbol: &Symbol) -> bool {
    let head = LineRange::new(symbol.lines.start(), symbol.name_line);
    let mut lines = slice(teller, file, head).lines().map(str::trim_start);
    lines.any(|line| {
        let mark = ["#[", "[", "@"]
            .iter()
            .find_map(|sign| line.strip_prefix(sign));
        let path = mark.and_then(|mark| mark.split(['(', ']', ' ', ',']).next());
        let last = path.and_then(|path| path.rsplit([':', '.']).next());
        last.is_some_and(|last| MARKS.contains(&last.trim()))
    })
}

/// Returns a call that runs a test, with its title.
fn titled(teller: &Teller<'_, '_>, file: FileId, call: &Call) -> Option<Entry> {
    let runs = |name: &str| RUNNERS.contains(&name);
    let receiver = call.receiver.as_deref();
    let is_runner = match receiver {
        None => runs(&call.name),
        Some(receiver) => {
            runs(receiver) && matches!(call.name.as_str(), "only" | "skip" | "concurrent")
        }
    };
    if !is_runner {
        return None;
    }
    // A title that does not fit on the call's line stands on the next one.
    let lines = [call.line, Line(call.line.0 + 1)].map(|end| LineRange::new(call.line, end));
    lines.into_iter().find_map(|lines| {
        let written = slice(teller, file, lines);
        let from = written.find(call.name.as_str())? + call.name.len();
        let behind = written
            .get(from..)?
            .trim_start_matches(['(', ' ', '\n', '\r', '\t']);
        let sign = behind
            .chars()
            .next()
            .filter(|sign| matches!(sign, '"' | '\'' | '`'))?;
        let title = behind.get(1..)?.split(sign).next()?.to_owned();
        (!title.is_empty()).then(|| of_title(file, lines, title))
    })
}

/// Finds `TEST(Suite, Name)` and `TEST_CASE("sends")`.
fn by_macro(teller: &Teller<'_, '_>, file: FileId) -> Vec<Entry> {
    let lines = teller.file_text(file).lines().zip(1u32..);
    let tests = lines.filter_map(|(line, at)| {
        let inner = MACROS
            .iter()
            .find_map(|name| line.trim_start().strip_prefix(name))?;
        let title = match inner.strip_prefix('"') {
            Some(title) => title.split('"').next()?.to_owned(),
            None => inner.split(')').next()?.to_owned(),
        };
        (!title.is_empty()).then(|| of_title(file, LineRange::new(Line(at), Line(at)), title))
    });
    tests.collect()
}

fn of_title(file: FileId, lines: LineRange, title: String) -> Entry {
    Entry {
        source: Source {
            file,
            lines,
            quotes: vec![title.clone()],
            why: DEFINITION.to_owned(),
        },
        name: title,
        detail: String::new(),
    }
}
