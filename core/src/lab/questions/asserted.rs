//! The lines on which a test asserts something.

use crate::index::tokens::identifiers;
use crate::lines::{Line, LineRange};

/// Most lines of one assertion.
const MOST: usize = 12;

/// What an assertion calls in any language, beside names that begin with `assert`.
const ASSERTS: [&str; 17] = [
    "expect",
    "raises",
    "warns",
    "throws",
    "should",
    "equal",
    "deepEqual",
    "strictEqual",
    "notEqual",
    "EXPECT_EQ",
    "EXPECT_NE",
    "EXPECT_TRUE",
    "EXPECT_FALSE",
    "CHECK",
    "REQUIRE",
    "XCTAssertEqual",
    "XCTAssertTrue",
];

/// The assertions in `body`, some lines of a file.
pub(super) fn assertions(rows: &[&str], body: LineRange) -> Vec<LineRange> {
    let mut found: Vec<LineRange> = Vec::new();
    let mut at = body.start().0 as usize;
    let end = (body.end().0 as usize).min(rows.len());
    while at <= end {
        let row = rows.get(at.wrapping_sub(1)).copied().unwrap_or_default();
        if !asserts(row) {
            at += 1;
            continue;
        }
        let last = last_row(rows, at, end);
        found.push(LineRange::new(Line(at as u32), Line(last as u32)));
        at = last + 1;
    }
    found
}

/// Whether a line begins an assertion, outside of comments and strings.
fn asserts(row: &str) -> bool {
    let trimmed = row.trim_start();
    if ["//", "#", "*", "/*", "def ", "fn ", "async "]
        .iter()
        .any(|start| trimmed.starts_with(start))
    {
        return false;
    }
    identifiers(row).any(|name| {
        let is_assert = name.to_lowercase().starts_with("assert");
        (is_assert || ASSERTS.contains(&name)) && is_called(row, name, is_assert)
    })
}

/// Whether the first place of `name` in a line stands outside of strings and is followed by what
/// follows an assertion's name: `assert x`, `assert_eq!(`, `assert.equal(`, `expect(`.
fn is_called(row: &str, name: &str, is_assert: bool) -> bool {
    let Some(at) = row.find(name) else {
        return false;
    };
    let before = row.get(..at).unwrap_or_default();
    let is_in_string = ['"', '\'']
        .iter()
        .any(|it| before.matches(*it).count() % 2 == 1);
    let after = row.get(at + name.len()..).unwrap_or_default();
    let is_statement = is_assert && before.trim().is_empty() && after.starts_with(' ');
    let is_path = is_assert && (after.starts_with('.') || after.starts_with("::<"));
    let is_call = after.starts_with(['(', '!']);
    !is_in_string && (is_call || is_statement || is_path)
}

/// The last row of a statement: where its brackets are closed, with the block that it opens.
fn last_row(rows: &[&str], first: usize, end: usize) -> usize {
    let row = |at: usize| rows.get(at.wrapping_sub(1)).copied().unwrap_or_default();
    let mut depth = 0i32;
    for last in first..=end.min(first + MOST) {
        depth += row(last).matches(['(', '[', '{']).count() as i32;
        depth -= row(last).matches([')', ']', '}']).count() as i32;
        if depth > 0 {
            continue;
        }
        // `with raises(Error):` asserts something about the lines below it.
        return match row(last).trim_end().ends_with(':') {
            true => block_end(rows, first, last, end),
            false => last,
        };
    }
    first
}

/// The last row of the block below row `last` that is indented further than row `first`.
fn block_end(rows: &[&str], first: usize, last: usize, end: usize) -> usize {
    let row = |at: usize| rows.get(at.wrapping_sub(1)).copied().unwrap_or_default();
    let indent = |row: &str| row.len() - row.trim_start().len();
    let outer = indent(row(first));
    let mut block = last;
    for at in last + 1..=end.min(first + MOST) {
        if row(at).trim().is_empty() {
            continue;
        }
        if indent(row(at)) <= outer {
            break;
        }
        block = at;
    }
    block
}
