//! Whether lines hold what a statement attributes to them.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::attributed::{Item, Need, is_owner, number, squeezed, squeezed_text};
use super::paths::{is_known as is_known_path, is_suffix};
use crate::index::Index;
use crate::index::tokens::identifiers;
use crate::lang::Symbol;
use crate::lines::{Line, LineIndex, LineRange};
use crate::source::FileId;

/// Cited lines with the names around them.
pub(crate) struct Area<'i> {
    path: &'i str,
    text: &'i str,
    words: HashSet<&'i str>,
    squeezed: OnceCell<String>,
    squeezed_text: OnceCell<String>,
}

impl<'i> Area<'i> {
    /// Returns the area of `lines`; `None` if they extend past the file.
    pub(crate) fn new(index: &'i Index, file: FileId, lines: LineRange) -> Option<Self> {
        let (source, parsed) = index.file(file)?;
        let text = LineIndex::new(&source.text).slice(&source.text, lines)?;
        let mut words: HashSet<&str> = identifiers(text).collect();
        for symbol in enclosing(&parsed.symbols, trimmed(text, lines)) {
            words.extend(identifiers(&symbol.qualified));
        }
        words.extend(identifiers(&source.path));
        Some(Self {
            path: &source.path,
            text,
            words,
            squeezed: OnceCell::new(),
            squeezed_text: OnceCell::new(),
        })
    }

    pub(crate) fn holds(&self, item: &Item) -> bool {
        match &item.need {
            Need::Words { words, verbatim } => {
                let has_all = !words.is_empty() && words.iter().all(|word| self.has_word(word));
                has_all || self.has_snippet(verbatim, is_sign(verbatim))
            }
            Need::File(path) => {
                is_suffix(self.path, path)
                    || self.text.contains(path.as_str())
                    || identifiers(path).all(|part| self.has_word(part))
            }
            Need::Quote(pieces) => {
                let text = self.squeezed_text.get_or_init(|| squeezed_text(self.text));
                pieces.iter().all(|piece| contains_words(text, piece))
            }
            Need::Number(value) => self.has_number(*value),
        }
    }

    /// Whether the item occurs there as written.
    pub(crate) fn has_verbatim(&self, item: &Item) -> bool {
        match &item.need {
            Need::Words { verbatim, .. } => self.has_snippet(verbatim, is_sign(verbatim)),
            _ => self.holds(item),
        }
    }

    /// Returns the text of the lines.
    pub(super) fn text(&self) -> &'i str {
        self.text
    }

    /// Whether a number with exactly this value occurs there.
    pub(super) fn has_value(&self, value: f64) -> bool {
        numbers(self.text).any(|there| is_equal(there, value))
    }

    fn has_word(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Whether a snippet occurs there: with names in it regardless of white space, without names as
    /// whole words.
    fn has_snippet(&self, verbatim: &str, is_sign: bool) -> bool {
        if verbatim.is_empty() {
            return false;
        }
        if is_sign {
            return contains_words(self.text, verbatim);
        }
        let text = self.squeezed.get_or_init(|| squeezed(self.text));
        verbatim
            .chars()
            .filter(|c| !c.is_alphanumeric() && *c != '_')
            .count()
            > 0
            && contains_words(text, verbatim)
    }

    /// Whether a number with this value occurs there, in this unit or in one expressed in words.
    fn has_number(&self, value: f64) -> bool {
        const UNITS: [f64; 6] = [1.0, 60.0, 3_600.0, 86_400.0, 1_000.0, 1_024.0];
        let mut written = numbers(self.text);
        written.any(|there| {
            UNITS.iter().any(|unit| is_equal(there, value * unit))
                || is_equal(there * 1_000.0, value)
        })
    }
}

fn is_sign(verbatim: &str) -> bool {
    !verbatim.contains(|c: char| c.is_alphanumeric() || c == '_')
}

fn is_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Returns the numbers in a text, except those inside names.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = f64> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
        .map(|word| word.trim_end_matches(|c: char| c.is_alphabetic() || c == '_' || c == '.'))
        .filter_map(|word| number(word.trim_start_matches('.')))
}

/// Whether `text` contains `piece` with no word continuing past its ends.
pub(super) fn contains_words(text: &str, piece: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let starts = piece.starts_with(is_part);
    let ends = piece.ends_with(is_part);
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(piece)) {
        let at = from + found;
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + piece.len()..)
            .and_then(|after| after.chars().next());
        let goes_on = starts && before.is_some_and(is_part) || ends && after.is_some_and(is_part);
        if !goes_on {
            return true;
        }
        from = at + piece.chars().next().map_or(1, char::len_utf8);
    }
    false
}

/// Returns `lines` of `text` without blank lines at the ends.
fn trimmed(text: &str, lines: LineRange) -> LineRange {
    let is_blank = |line: &&str| line.trim().is_empty();
    let before = text.lines().take_while(is_blank).count() as u32;
    let after = text.lines().rev().take_while(is_blank).count() as u32;
    if before + after >= lines.count() {
        return lines;
    }
    LineRange::new(Line(lines.start().0 + before), Line(lines.end().0 - after))
}

/// Returns the definitions that enclose all of `lines`. Sections of documents say nothing by
/// enclosing.
pub(super) fn enclosing(symbols: &[Symbol], lines: LineRange) -> impl Iterator<Item = &Symbol> {
    let after = symbols.partition_point(|symbol| symbol.lines.start() <= lines.start());
    let before = symbols.get(..after).unwrap_or_default();
    before
        .iter()
        .filter(move |symbol| symbol.lines.encloses(lines))
}

/// Whether every name of `item` occurs somewhere in the repository.
pub(crate) fn is_known(index: &Index, item: &Item) -> bool {
    unknown(index, item).is_none()
}

/// Returns a name of `item` that occurs nowhere in the repository.
pub(super) fn unknown(index: &Index, item: &Item) -> Option<String> {
    let is_missing = |word: &&String| {
        !is_owner(word) && index.bm25.document_frequency(&word.to_lowercase()) == 0
    };
    let known = item.known.iter();
    match &item.need {
        Need::Words { words, .. } => words.iter().chain(known).find(is_missing).cloned(),
        Need::File(path) => {
            let is_name = || identifiers(path).all(|part| !is_missing(&&part.to_owned()));
            (!is_known_path(index, path) && !is_name()).then(|| path.clone())
        }
        Need::Quote(_) | Need::Number(_) => None,
    }
}
