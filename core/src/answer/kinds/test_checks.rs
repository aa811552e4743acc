//! What a test checks: what it calls in the repository, and what it asserts.

use regex::Regex;

use super::Kind;
use super::named;
use super::teller::{Teller, counted};
use super::texts::{Text, is_callable, is_test, shown};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};
use crate::index::graph::{CallLink, SymbolId};
use crate::lines::{Line, LineRange};

pub(super) const KIND: Kind = Kind {
    name: "test-checks",
    wordings: &[
        "what does|do|is|are X check|test|assert|verify|cover|exercise|prove|ensure|expect|do|checking|testing|asserting|verifying for|about?",
        "what is|are checked|tested|asserted|verified|covered|expected by|in|inside X",
        "what behaviour|behavior|things|cases|functions|code is|are|does|do X check|test|assert|verify|cover|exercise|checked|tested|asserted",
        "which functions|methods|code|classes? does|do X test|check|cover|exercise|call|verify",
        "ASK? assertions|asserts|checks|expectations REL? X",
        "explain|describe|summarise|summarize X",
        "X checks|tests|asserts what",
    ],
    state,
};

/// Maximum number of lines that an assertion spans.
const MAX_LINES: u32 = 8;

/// Matches what an assertion begins with, in any language.
const ASSERTS: &str = r"\b(?:assert\w*!?|expect\w*|should\w*|must\w*|raises|throws|fail|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|CHECK\w*|REQUIRE\w*|Assert\.\w+|require\.\w+|t\.(?:Error|Fatal)f?|verify\w*|is_err|unwrap_err|deepEqual|strictEqual|equal|notEqual)\b\s*[!.(\[ ]";

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some((ids, name)) = named::symbols(teller, &read.x) else {
        return false;
    };
    let tests: Vec<SymbolId> = ids
        .into_iter()
        .filter(|id| {
            let symbol = teller.index.symbol(*id);
            symbol.is_some_and(|symbol| is_test(teller.index, id.file, symbol.name_line))
        })
        .collect();
    let Some(first) = tests.first().copied() else {
        return false;
    };
    let before = teller.notes.statements.len();
    calls(teller, &tests, &name, first);
    asserts(teller, &tests, &name);
    teller.notes.statements.len() > before
}

/// States the definitions of the repository that the tests call, in order.
fn calls(teller: &mut Teller<'_, '_>, tests: &[SymbolId], name: &str, first: SymbolId) {
    let mut calls: Vec<CallLink> = Vec::new();
    for id in tests {
        let inner = teller.definition(*id);
        for at in inner.iter().flat_map(|definition| definition.inner()) {
            calls.extend(teller.index.graph.callees(SymbolId { file: id.file, at }));
        }
    }
    calls.retain(CallLink::is_certain);
    calls.sort_by_key(|call| (call.file, call.line));
    let mut entries: Vec<Entry> = Vec::new();
    let mut seen: Vec<SymbolId> = Vec::new();
    for call in calls {
        if seen.contains(&call.callee) || tests.contains(&call.callee) {
            continue;
        }
        seen.push(call.callee);
        let (Some(text), Some(symbol)) = (
            Text::plain(teller.index, call.file),
            teller.index.symbol(call.callee),
        ) else {
            continue;
        };
        let detail = format!(
            "{}: {}",
            teller.path(call.callee.file),
            shown(text.row(call.line))
        );
        entries.push(text.entry(call.line, symbol.qualified.clone(), detail, ""));
    }
    if entries.is_empty() {
        return;
    }
    let lead = vec![
        code(name.to_owned()),
        text(" in "),
        code(teller.path(first.file)),
        text(" exercises "),
    ];
    teller.list(lead, entries);
}

/// States the lines that assert something, or that say above a test what it must come to.
fn asserts(teller: &mut Teller<'_, '_>, tests: &[SymbolId], name: &str) {
    let Ok(pattern) = Regex::new(ASSERTS) else {
        return;
    };
    let mut entries: Vec<Entry> = Vec::new();
    for id in tests {
        let (Some(symbol), Some(text)) =
            (teller.index.symbol(*id), Text::new(teller.index, id.file))
        else {
            continue;
        };
        if !is_callable(symbol.kind) && !symbol.kind.is_container() {
            continue;
        }
        for line in (symbol.lines.start().0..=symbol.lines.end().0).map(Line) {
            let range = text.lines.bytes(LineRange::new(line, line));
            let Some(range) = range.filter(|_| line != symbol.name_line) else {
                continue;
            };
            let row = text.text.get(range.clone()).unwrap_or_default();
            let is_code = |at: usize| text.is_code(range.start + at);
            if pattern.find_iter(row).any(|found| is_code(found.start())) {
                let lines = whole(&text, line, symbol.lines.end());
                let said = text.lines.slice(text.text, lines).unwrap_or_default();
                let mut entry = text.entry(line, shown(said), text.place(line), "");
                entry.source.lines = lines;
                entries.push(entry);
            }
        }
    }
    if entries.is_empty() {
        return;
    }
    let n = counted(entries.len(), "thing", "things");
    let lead = vec![code(name.to_owned()), text(format!(" asserts {n}: "))];
    teller.list(lead, entries);
}

/// Returns the lines of a statement that begins on `line`: up to where its brackets are closed.
fn whole(text: &Text<'_>, line: Line, end: Line) -> LineRange {
    let mut depth = 0i32;
    for last in (line.0..=end.0.min(line.0 + MAX_LINES)).map(Line) {
        let row = text.row(last);
        depth += row.matches(['(', '[', '{']).count() as i32;
        depth -= row.matches([')', ']', '}']).count() as i32;
        if depth <= 0 || row.ends_with(':') {
            return LineRange::new(line, last);
        }
    }
    LineRange::new(line, line)
}
