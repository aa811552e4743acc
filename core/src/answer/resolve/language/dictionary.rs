//! Words of another language, and the English words that code and its documentation use for them.
//!
//! A line is `form, form = english english`, the best English word first; `#` begins a comment.

use std::collections::HashMap;

use crate::index::Index;
use crate::search::stem::stem;

/// Shortest part of a compound, in bytes.
const SHORTEST_PART: usize = 4;

/// See the [module](self).
pub(super) struct Dictionary {
    words: HashMap<&'static str, &'static str>,
}

impl Dictionary {
    pub(crate) fn new(lines: &'static str) -> Self {
        let words = entries(lines).flat_map(|(forms, english)| {
            let forms = forms.split(',').map(str::trim);
            forms.map(move |form| (form, english))
        });
        Self {
            words: words.collect(),
        }
    }

    /// Returns all forms, repeated if the file repeats them.
    #[cfg(test)]
    pub(crate) fn forms(&self) -> impl Iterator<Item = &'static str> {
        self.words.keys().copied()
    }

    /// Translates the question word by word. Names and numbers stay; words that neither the
    /// dictionary nor the repository has are left out. Returns `None` if fewer than two words are
    /// left.
    pub(crate) fn translated(&self, index: &Index, text: &str, small: &[&str]) -> Option<String> {
        let mut out: Vec<String> = Vec::new();
        for piece in text.split_whitespace() {
            // `l’en-tête`, `d'une`
            let piece = piece.rsplit(['’', '\'']).next().unwrap_or(piece);
            let word = piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
            for word in self.english(index, without_inversion(word), small) {
                if out.last() != Some(&word) {
                    out.push(word);
                }
            }
        }
        // “que fait X”, “was macht X”
        match out.as_slice() {
            [what, name] if what == "what" => Some(format!("what does {name} do")),
            [_, _, ..] => Some(out.join(" ")),
            _ => None,
        }
    }

    fn english(&self, index: &Index, word: &str, small: &[&str]) -> Vec<String> {
        let lower = word.to_lowercase();
        if let Some(english) = self.words.get(lower.as_str()) {
            return vec![known_best(index, english)];
        }
        if small.contains(&lower.as_str()) {
            return Vec::new();
        }
        let is_used = |word: &str| index.bm25.document_frequency(word) > 0;
        let parts = || word.split('-').filter(|part| !part.is_empty());
        match word.contains('-') && !parts().all(|part| is_used(&part.to_lowercase())) {
            true => parts()
                .flat_map(|part| self.english(index, part, small))
                .collect(),
            false => self.unknown(index, word, &lower),
        }
    }

    fn unknown(&self, index: &Index, word: &str, lower: &str) -> Vec<String> {
        if word.is_empty() {
            return Vec::new();
        }
        // Short words such as `un` also occur in comments, which says nothing.
        let is_used = || lower.len() > 3 && index.bm25.document_frequency(lower) > 0;
        let is_name = word.contains(|c: char| c.is_ascii_digit() || "_./-".contains(c))
            || word.chars().skip(1).any(char::is_uppercase);
        if is_name || is_used() {
            return vec![word.to_owned()];
        }
        self.parts(index, lower).unwrap_or_default()
    }

    /// Splits a compound: `fehlermeldung` is `fehler` and `meldung`.
    fn parts(&self, index: &Index, word: &str) -> Option<Vec<String>> {
        let ends = word.char_indices().map(|(at, _)| at);
        let mut splits = ends.filter_map(|at| word.split_at_checked(at));
        splits.find_map(|(first, second)| {
            if first.len() < SHORTEST_PART || second.len() < SHORTEST_PART {
                return None;
            }
            let joint = first.strip_suffix('s').unwrap_or(first);
            let first = self.words.get(first).or_else(|| self.words.get(joint));
            let english = [first?, self.words.get(second)?];
            Some(english.map(|english| known_best(index, english)).into())
        })
    }
}

/// Removes an inverted pronoun: of `sont-ils` and `retrouve-t-il`.
fn without_inversion(word: &str) -> &str {
    const PRONOUNS: [&str; 7] = ["-il", "-ils", "-elle", "-elles", "-on", "-vous", "-nous"];
    let mut cut = PRONOUNS.iter().filter_map(|end| word.strip_suffix(end));
    cut.next()
        .map_or(word, |word| word.strip_suffix("-t").unwrap_or(word))
}

/// Returns each form with the English words of its line.
fn entries(lines: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    lines
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(forms, english)| (forms, english.trim()))
}

/// Returns the first of the English words that the repository uses in some form.
fn known_best(index: &Index, english: &str) -> String {
    let is_used = |word: &&str| {
        let root = stem(word);
        index.bm25.document_frequency(word) > 0
            || index.bm25.terms_from(&root).any(|term| stem(term) == root)
    };
    let mut words = english.split(' ');
    let used = words.clone().find(is_used);
    used.or_else(|| words.next()).unwrap_or_default().to_owned()
}
