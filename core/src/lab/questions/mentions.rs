//! The names that a file's code mentions, so that a name which occurs other than in calls (in a
//! macro, as a callback, in a table of functions) is not asked about as if calls were all.

use std::collections::HashSet;

use crate::lang::Parsed;

/// What a line of comment begins with; `#` is Python's, not `#define` or `#[derive]`.
const COMMENTS: [&str; 4] = ["//", "*", "# ", "/*"];

/// What a line begins with that only passes a name on.
const EXPORTS: [&str; 5] = [
    "export {",
    "export *",
    "module.exports",
    "exports.",
    "pub use",
];

/// Every mention of a name, in order: not where it is defined, imported or exported, and neither
/// in lines of comment nor in text between three quotes.
pub(super) fn mentions<'t>(text: &'t str, parsed: &Parsed) -> Vec<&'t str> {
    let defined: HashSet<(u32, &str)> = parsed
        .symbols
        .iter()
        .map(|symbol| (symbol.name_line.0, symbol.name.as_str()))
        .collect();
    let imported: HashSet<u32> = parsed
        .imports
        .iter()
        .flat_map(|import| import.lines.start().0..=import.lines.end().0)
        .collect();
    let mut mentions = Vec::new();
    let mut is_text = false;
    for (at, row) in (1u32..).zip(text.lines()) {
        let was_text = is_text;
        let toggles = row.matches("\"\"\"").count() + row.matches("'''").count();
        is_text ^= toggles % 2 == 1;
        if was_text || toggles > 0 || imported.contains(&at) || is_aside(row.trim_start()) {
            continue;
        }
        mentions.extend(names(row).filter(|name| !defined.contains(&(at, *name))));
    }
    mentions
}

/// Whether a line is a comment or passes a name on.
fn is_aside(row: &str) -> bool {
    COMMENTS
        .iter()
        .chain(&EXPORTS)
        .any(|start| row.starts_with(start))
}

/// The identifiers of a line, without those that are a whole string: `"name"`.
fn names(row: &str) -> impl Iterator<Item = &str> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut at = 0;
    let runs = row.split(move |it| !is_word(it)).map(move |run| {
        let start = at;
        let end = start + run.len();
        let sign = row.get(end..).and_then(|rest| rest.chars().next());
        at = end + sign.map_or(0, char::len_utf8);
        let before = row.get(..start).and_then(|text| text.chars().next_back());
        let is_quoted = before == sign && matches!(sign, Some('"' | '\'' | '`'));
        (run, is_quoted)
    });
    runs.filter(|(run, is_quoted)| !run.is_empty() && !is_quoted)
        .map(|(run, _)| run)
}
