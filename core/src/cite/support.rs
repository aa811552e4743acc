//! Whether the words of a sentence occur in the lines that it cites. That is not a proof: it shows
//! that the sentence is about these lines, not that it is true.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Evidence;
use super::attributed::{Item, Need, items};
use super::facts::{is_among, number_word};
use super::held::{Area, contains_words};
use super::scan::{Atom, AtomKind};
use super::vocabulary::{DENIALS, is_denial};
use super::words::without_claims;
use crate::index::Index;
use crate::index::tokens::{code_tokens, question_tokens};
use crate::lines::LineRange;
use crate::search::stem::stem;
use crate::source::FileId;

/// Longest citation that can support a sentence, in lines: in a longer one, all words are found.
const MOST_LINES: u32 = 60;
/// Share of the words that must occur in the lines. Calibrated on the corpus of statements, see
/// `core/benches/runs/2026-11-verdicts`.
const ENOUGH: f32 = 0.85;
/// Minimum number of words: fewer say nothing.
const FEWEST: usize = 3;

/// Words that change what a sentence claims: they must occur in the lines, whatever the share.
const WEIGHTY: &str = "\
    after again all always any anyone anything audited before best both cannot certified every \
    everything exactly except faster fastest first fully guaranteed guarantees instead last \
    least less more most must neither never no nobody none nor not nothing once only optimised \
    optimized otherwise reliable reviewed robust safe safely same secure securely standard \
    tested trusted twice unless unlike until well without";

/// Returns which of the cited lines, as far as they were sent, hold words of the statement at `at`
/// of `text`; `None` if together they do not hold what it says.
pub(super) fn support(
    index: &Index,
    evidence: &Evidence,
    cited: &[(FileId, LineRange)],
    text: &str,
    at: Range<usize>,
    atoms: &[Atom],
) -> Option<Vec<bool>> {
    if cited.iter().any(|(_, lines)| lines.count() > MOST_LINES) {
        return None;
    }
    let sent: Vec<Vec<(FileId, LineRange)>> = cited
        .iter()
        .map(|(file, lines)| {
            let parts = evidence.sent(*file, *lines).into_iter();
            parts.map(|part| (*file, part)).collect()
        })
        .collect();
    let areas: Vec<Area<'_>> = sent
        .iter()
        .flatten()
        .filter_map(|(file, lines)| Area::new(index, *file, *lines))
        .collect();
    let bare = without_claims(text.get(at.clone()).unwrap_or_default());
    let own = items(text, at.clone(), atoms);
    let has_all = holds_items(&areas, &own)
        && holds_numbers(&areas, &bare)
        && holds_quotes(&areas, text, &at, atoms);
    if !has_all {
        return None;
    }
    let lines: Vec<Lines> = sent.iter().map(|parts| Lines::of(index, parts)).collect();
    let all = Lines::join(&lines);
    if !agrees(&bare, &all) {
        return None;
    }
    let words: BTreeSet<String> = question_tokens(&bare)
        .iter()
        .filter(|token| !token.starts_with(|c: char| c.is_ascii_digit()))
        .map(|token| stem(token))
        .collect();
    let found = words
        .iter()
        .filter(|word| all.stems.contains(*word))
        .count();
    if words.len() < FEWEST || (found as f32) < ENOUGH * words.len() as f32 {
        return None;
    }
    let adds = |lines: &Lines| words.iter().any(|word| lines.stems.contains(word));
    Some(lines.iter().map(adds).collect())
}

/// Whether every name and long quotation occurs in some cited lines, those of context included.
fn holds_items(areas: &[Area<'_>], items: &[Item]) -> bool {
    let mut items = items.iter().filter(|item| !item.is_doubtful);
    items.all(|item| {
        matches!(item.need, Need::Number(_)) || areas.iter().any(|area| area.holds(item))
    })
}

/// Whether every number, in digits or in words, occurs in the lines.
fn holds_numbers(areas: &[Area<'_>], statement: &str) -> bool {
    let words = statement.split(|c: char| c.is_whitespace() || "–—/(),;:`\"“”'".contains(c));
    let mut numbers = words.filter_map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let digits = bare.trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
        let value = number_word(&bare.to_lowercase())
            .filter(|value| *value > 1)
            .map(|value| value as f64);
        value.or_else(|| digits.replace(['_', ','], "").parse().ok())
    });
    numbers.all(|value: f64| areas.iter().any(|area| area.has_value(value)))
}

/// Whether every quotation occurs there, including those of one or two words.
fn holds_quotes(areas: &[Area<'_>], text: &str, at: &Range<usize>, atoms: &[Atom]) -> bool {
    let inside = atoms
        .iter()
        .filter(|atom| atom.at.start >= at.start && atom.at.end <= at.end);
    let mut quotes = inside.filter_map(|atom| match &atom.kind {
        AtomKind::Quote(inside) => text.get(inside.clone()),
        _ => None,
    });
    quotes.all(|quote| {
        areas
            .iter()
            .any(|area| contains_words(area.text(), quote.trim()))
    })
}

/// The words of the cited lines.
struct Lines {
    stems: BTreeSet<String>,
    words: BTreeSet<String>,
    has_denial: bool,
}

impl Lines {
    fn of(index: &Index, parts: &[(FileId, LineRange)]) -> Self {
        let mut found = Self {
            stems: BTreeSet::new(),
            words: BTreeSet::new(),
            has_denial: false,
        };
        for (file, lines) in parts {
            let text = index.repo.file(*file).map_or("", |file| file.text.as_str());
            let text = index
                .lines(*file)
                .and_then(|numbered| numbered.slice(text, *lines));
            let text = text.unwrap_or_default();
            found.has_denial |= text.contains(['!']) || text.contains("n't");
            for token in code_tokens(text) {
                found.has_denial |= DENIALS.contains(&token.as_str());
                found.stems.insert(stem(&token));
                found.words.insert(token);
            }
            let path = index.repo.file(*file).map_or("", |file| file.path.as_str());
            found
                .stems
                .extend(code_tokens(path).iter().map(|token| stem(token)));
        }
        found
    }

    fn join(all: &[Self]) -> Self {
        Self {
            stems: all
                .iter()
                .flat_map(|lines| lines.stems.iter().cloned())
                .collect(),
            words: all
                .iter()
                .flat_map(|lines| lines.words.iter().cloned())
                .collect(),
            has_denial: all.iter().any(|lines| lines.has_denial),
        }
    }
}

/// Whether sentence and lines agree in negation, and the lines contain the words that change a
/// claim.
fn agrees(statement: &str, lines: &Lines) -> bool {
    let words = statement
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase);
    let mut weighty =
        words.filter(|word| is_among(WEIGHTY, word) && !DENIALS.contains(&word.as_str()));
    is_denial(statement) == lines.has_denial && weighty.all(|word| lines.words.contains(&word))
}
