//! Since when something has existed, or in which version it was removed: the changelog entry that
//! says so.

use std::sync::LazyLock;

use regex::Regex;

use super::Kind;
use super::changelog::items;
use super::sections::{Section, sections};
use super::teller::Teller;
use super::wording::Read;
use crate::answer::notes::{QUOTED, Source, code, text, words_of};
use crate::index::tokens::{code_tokens, question_tokens};
use crate::lines::LineRange;
use crate::search::stem::stem;
use crate::search::steps::is_changelog;

pub(super) const KIND: Kind = Kind {
    name: "since",
    wordings: &[
        "when was|were|did|is|has ANY added|introduced|removed|dropped|fixed|deprecated|changed|supported|renamed ANY",
        "since|from|in|with|by which|what version|release ANY",
        "which|what version|release added|introduced|removed|dropped|fixed|deprecated|changed|started|brought|made ANY",
        "since when ANY",
    ],
    state,
};

/// Question words that an entry need not contain.
const ASKING: &[&str] = &[
    "version",
    "versions",
    "release",
    "released",
    "since",
    "when",
    "which",
    "what",
    "start",
    "started",
    "make",
    "made",
    "introduce",
    "introduced",
    "add",
    "added",
    "bring",
    "brought",
    "support",
    "supported",
    "remove",
    "removed",
    "drop",
    "dropped",
    "was",
    "were",
    "did",
    "accept",
    "only",
    "old",
    "older",
];
/// Maximum number of entries that are stated.
const MAX_ENTRIES: usize = 2;

fn state(teller: &mut Teller<'_, '_>, _: &Read) -> bool {
    let words: Vec<String> = question_tokens(first_question(teller.question.text()))
        .into_iter()
        .filter(|word| !ASKING.contains(&word.as_str()) && !word.contains('_'))
        .map(|word| stem(&word))
        .collect();
    if words.is_empty() {
        return false;
    }
    let verb = verb(teller.question.text());
    let mut found = Vec::new();
    for section in sections(teller.index)
        .into_iter()
        .filter(|it| is_changelog(it.path))
    {
        let (body, first) = section.body(teller.index);
        let mut release = String::new();
        for (lines, said) in items(body, first) {
            if let Some(name) = release_of(&said) {
                release = name.to_owned();
            }
            let above = lines.start().0.saturating_sub(first.0) as usize;
            if let Some(name) = release_above(body, above) {
                release = name;
            }
            let stems: Vec<String> = code_tokens(&said).iter().map(|token| stem(token)).collect();
            if words.iter().all(|word| stems.contains(word)) {
                let has_verb = verb.iter().any(|verb| stems.contains(&stem(verb)));
                found.push((
                    !has_verb,
                    found.len(),
                    section,
                    lines,
                    said,
                    release.clone(),
                ));
            }
        }
    }
    // An entry with the question's verb, or a similar one, comes first.
    found.sort_by_key(|(lacks_verb, at, ..)| (*lacks_verb, *at));
    // Every entry that mentions the words is shown; only the verb says that it is the one.
    teller.is_guess = found.first().is_none_or(|(lacks_verb, ..)| *lacks_verb);
    let mut n = 0;
    for (_, _, section, lines, said, release) in found.into_iter().take(MAX_ENTRIES) {
        let name = match release.is_empty() {
            true => with_parent(teller, &section),
            false => format!("{}: {release}", section.symbol.name),
        };
        let mut quotes = words_of(&[text(said.clone())]);
        quotes.extend(words_of(&[text(name.clone())]));
        let spans = vec![
            code(section.path),
            text(format!(" says under “{name}”: “{said}”")),
        ];
        let source = Source {
            file: section.file,
            lines: LineRange::new(section.symbol.name_line, lines.end()),
            quotes,
            why: QUOTED.to_owned(),
        };
        n += usize::from(teller.say(spans, &[source]));
    }
    n > 0
}

/// Returns a section's heading, behind that of a release around it: “2.0: Added”.
fn with_parent(teller: &Teller<'_, '_>, section: &Section<'_>) -> String {
    let name = &section.symbol.name;
    let parsed = teller.index.parsed.get(section.file.0 as usize);
    let parent = section
        .symbol
        .parent
        .and_then(|at| parsed?.symbols.get(at as usize));
    let has_number = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    match parent.filter(|parent| !has_number(name) && has_number(&parent.name)) {
        Some(parent) => format!("{}: {name}", parent.name),
        None => name.clone(),
    }
}

/// Returns the first of two questions: “which release dropped it and what is the minimum now”.
fn first_question(question: &str) -> &str {
    const SECOND: [&str; 8] = [
        " and what ",
        " and which ",
        " and how ",
        " and who ",
        " and where ",
        " and when ",
        " and is ",
        " and why ",
    ];
    let lower = question.to_lowercase();
    let end = SECOND.iter().filter_map(|word| lower.find(word)).min();
    end.and_then(|end| question.get(..end)).unwrap_or(question)
}

/// Returns the version that an entry begins, in changelogs whose releases are entries of one list:
/// `` :release:`3.0.0 <2026-04-05>` ``.
fn release_of(said: &str) -> Option<&str> {
    let inner = said.strip_prefix(":release:`")?;
    inner
        .split(['`', ' '])
        .next()
        .filter(|name| !name.is_empty())
}

/// Returns the version on a line of its own above a row, as in `**3.11.0**` or `v3.11 (May 2026)`.
fn release_above(body: &str, row: usize) -> Option<String> {
    static RELEASE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"^(?:\*\*)?(?:[Vv]ersion )?v?(?P<version>\d+(?:\.\d+)+\w*)(?:\*\*)?(?:\s*\(.*\))?:?$",
        )
        .ok()
    });
    let rows: Vec<&str> = body.lines().take(row).collect();
    rows.iter().rev().find_map(|row| {
        let found = RELEASE.as_ref()?.captures(row.trim())?;
        Some(found["version"].to_owned())
    })
}

/// Returns the words that changelogs use for the question's verb.
fn verb(question: &str) -> &'static [&'static str] {
    const VERBS: &[(&[&str], &[&str])] = &[
        (
            &["remove", "drop"],
            &["remove", "removed", "drop", "dropped", "delete"],
        ),
        (&["fix"], &["fix", "fixed"]),
        (&["deprecat"], &["deprecate", "deprecated"]),
        (&["renam"], &["rename", "renamed"]),
    ];
    const ADDED: &[&str] = &[
        "add",
        "added",
        "new",
        "introduce",
        "support",
        "supported",
        "allow",
    ];
    let lower = question.to_lowercase();
    VERBS
        .iter()
        .find(|(asked, _)| asked.iter().any(|asked| lower.contains(asked)))
        .map_or(ADDED, |(_, said)| said)
}
