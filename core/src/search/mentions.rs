//! Names of the repository that a question mentions: as written, in words, or misspelt.

use std::collections::BTreeSet;

use super::Question;
use crate::chunk::ChunkId;
use crate::index::tokens::{identifiers, is_stop_word};
use crate::index::{Bm25, Index};
use crate::lang::{Symbol, SymbolKind};

/// How the question spells a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spelling {
    /// As code: `resolve_redirects`, `HTTPAdapter`, quoted, or capitalised inside a sentence.
    Code,
    /// As several words: "resolve redirects".
    Split,
    /// As a plain word that is also a name: "redirects".
    Word,
    /// Not a name in the repository, but similar to one.
    Fuzzy,
}

/// A name with the chunks that define it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The name as the repository spells it.
    pub name: String,
    /// How the question spells it.
    pub spelling: Spelling,
    /// 0–1: how certain it is that this name is meant, and how few definitions it has.
    pub weight: f32,
    /// The chunks that define it.
    pub definers: Vec<ChunkId>,
}

/// Number of chunks with a name up to which all their symbols are compared; above it, only the
/// chunks' own symbols are.
const MANY: usize = 400;
/// A name with more definitions carries no information.
const MAX_DEFINERS: usize = 60;
/// Longest run of words that is tried as one name.
const MAX_RUN: usize = 4;
/// Maximum number of words of a question tried as names; not every word of a pasted file is
/// searched.
const MAX_WORDS: usize = 160;

/// Returns the names that the question mentions, each once, in order of spelling.
pub fn mentions(index: &Index, question: &Question) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut seen = BTreeSet::new();
    for name in question.names() {
        if seen.insert(name.to_lowercase()) {
            found.extend(code(index, name));
        }
    }
    let words: Vec<&str> = identifiers(question.text()).take(MAX_WORDS).collect();
    for (at, &word) in words.iter().enumerate() {
        let is_capital = at > 0 && is_capitalised(word);
        if is_capital && seen.insert(word.to_lowercase()) {
            found.extend(mention(index, word, Spelling::Code, None));
        }
    }
    for run in runs(&words) {
        if seen.insert(run.clone()) {
            found.extend(mention(index, &run, Spelling::Split, None));
        }
    }
    for &word in &words {
        let lower = word.to_lowercase();
        if word.len() > 2 && !is_stop_word(&lower) && seen.insert(lower) {
            found.extend(mention(index, word, Spelling::Word, None));
        }
    }
    found.sort_by_key(|mention| mention.spelling);
    found
}

/// Finds a name written as code: by itself, by its last part, or by a similar name.
fn code(index: &Index, name: &str) -> Option<Mention> {
    let (owner, last) = match name.rsplit_once('.') {
        Some((owner, last)) => (Some(owner), last),
        None => (None, name),
    };
    mention(index, last, Spelling::Code, owner)
        .or_else(|| mention(index, similar(&index.bm25, last)?, Spelling::Fuzzy, None))
}

/// Joins runs of words: "resolve redirects" → `resolve_redirects` and `resolveredirects`, if the
/// repository has the word.
fn runs(words: &[&str]) -> Vec<String> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut runs = Vec::new();
    for length in 2..=MAX_RUN {
        for run in lower.windows(length) {
            let at_edge = |word: Option<&String>| word.is_some_and(|word| is_stop_word(word));
            if at_edge(run.first()) || at_edge(run.last()) {
                continue;
            }
            runs.extend([run.join("_"), run.concat()]);
        }
    }
    runs
}

fn is_capitalised(word: &str) -> bool {
    let mut chars = word.chars();
    word.len() > 2 && chars.next().is_some_and(char::is_uppercase) && chars.any(char::is_lowercase)
}

/// Returns the chunks that define `name`, using the names field of the word index, so that no other
/// chunk is examined.
fn mention(index: &Index, name: &str, spelling: Spelling, owner: Option<&str>) -> Option<Mention> {
    let lower = name.to_lowercase();
    let (chunks, counts) = index.bm25.postings(&lower)?;
    let named: Vec<ChunkId> = chunks
        .iter()
        .zip(counts)
        .filter(|(_, counts)| counts[2] > 0)
        .map(|(&chunk, _)| ChunkId(chunk))
        .collect();
    let is_common = named.len() > MANY;
    let mut definers: Vec<(ChunkId, &Symbol)> = Vec::new();
    for &chunk in &named {
        let own = index
            .symbol_of(chunk)
            .filter(|symbol| defines(symbol, &lower));
        let symbol = match own {
            None if is_common => None,
            None => index
                .symbols_in(chunk)
                .find(|symbol| defines(symbol, &lower)),
            some => some,
        };
        definers.extend(symbol.map(|symbol| (chunk, symbol)));
    }
    prefer(&mut definers, |symbol| symbol.name == name);
    if let Some(owner) = owner {
        let last = owner.rsplit('.').next().unwrap_or(owner).to_lowercase();
        prefer(&mut definers, |symbol| {
            let mut owners = symbol.qualified.split('.').rev().skip(1);
            owners.any(|owner| owner.to_lowercase() == last)
        });
    }
    if definers.is_empty() || definers.len() > MAX_DEFINERS {
        return None;
    }
    let rarity = 1.0 / (1.0 + (definers.len() as f32).ln());
    let sure = match spelling {
        Spelling::Code => 1.0,
        // The rarer a word is in the whole repository, the more likely it is meant as a name.
        Spelling::Split | Spelling::Word => commonness(&index.bm25, &lower),
        Spelling::Fuzzy => 0.5,
    };
    Some(Mention {
        name: definers.first()?.1.name.clone(),
        spelling,
        weight: rarity * sure,
        definers: definers.into_iter().map(|(chunk, _)| chunk).collect(),
    })
}

/// Keeps what passes `test`, or everything if nothing does.
fn prefer<'s>(definers: &mut Vec<(ChunkId, &'s Symbol)>, test: impl Fn(&'s Symbol) -> bool) {
    if definers.iter().any(|(_, symbol)| test(symbol)) {
        definers.retain(|(_, symbol)| test(symbol));
    }
}

fn defines(symbol: &Symbol, lower: &str) -> bool {
    !matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key)
        && symbol.name.len() == lower.len()
        && symbol.name.to_lowercase() == lower
}

/// Returns the inverse document frequency as a share of the largest possible one.
fn commonness(bm25: &Bm25, term: &str) -> f32 {
    bm25.idf(term) / bm25.idf("").max(f32::MIN_POSITIVE)
}

/// Returns the name most similar to one that the repository does not have: at most one edit per
/// four characters, the same first letter.
fn similar<'i>(bm25: &'i Bm25, name: &str) -> Option<&'i str> {
    let lower = name.to_lowercase();
    let allowed = (lower.chars().count() / 4).min(2);
    if allowed == 0 || bm25.document_frequency(&lower) > 0 {
        return None;
    }
    let first = lower.chars().next()?.to_string();
    let wanted: Vec<char> = lower.chars().collect();
    let mut best: Option<(usize, &str)> = None;
    for term in bm25.terms_from(&first) {
        if term.len().abs_diff(lower.len()) > allowed {
            continue;
        }
        let limit = best.map_or(allowed, |(distance, _)| distance.saturating_sub(1));
        let named = || {
            let counts = bm25.postings(term).map(|(_, counts)| counts);
            counts.is_some_and(|counts| counts.iter().any(|count| count[2] > 0))
        };
        if let Some(distance) = distance(&wanted, term, limit).filter(|_| named()) {
            best = Some((distance, term));
        }
        if best.is_some_and(|(distance, _)| distance <= 1) {
            break;
        }
    }
    best.map(|(_, term)| term)
}

/// Returns the Levenshtein distance if it is at most `limit`.
fn distance(wanted: &[char], term: &str, limit: usize) -> Option<usize> {
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (at, c) in term.chars().enumerate() {
        let mut diagonal = at;
        let mut left = at + 1;
        let mut smallest = left;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, &w) in row.iter_mut().skip(1).zip(wanted) {
            let change = diagonal + usize::from(c != w);
            diagonal = *cell;
            left = change.min(*cell + 1).min(left + 1);
            *cell = left;
            smallest = smallest.min(left);
        }
        if smallest > limit {
            return None;
        }
    }
    row.last().copied().filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_counted() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        for (a, b, limit, expected) in [
            ("redirect", "redirect", 0, Some(0)),
            ("redirct", "redirect", 2, Some(1)),
            ("resolve_redirets", "resolve_redirects", 2, Some(1)),
            ("adatper", "adapter", 2, Some(2)),
            ("adatper", "adapter", 1, None),
            ("", "ab", 2, Some(2)),
        ] {
            assert_eq!(distance(&chars(a), b, limit), expected, "{a} {b}");
        }
    }

    #[test]
    fn neighbouring_words_are_tried_as_one_name() {
        let runs = runs(&["how", "are", "Tick", "labels", "drawn"]);
        assert!(runs.contains(&"tick_labels".to_owned()), "{runs:?}");
        assert!(runs.contains(&"ticklabels".to_owned()));
        assert!(!runs.iter().any(|run| run.starts_with("are")));
    }
}
