//! Scans parts without marks: addresses, and paths whose lines stand before or after them.

use super::{Atom, AtomKind, Found, Scanner};
use crate::cite::Flaw;
use crate::cite::location::{Location, line_part, location};
use crate::cite::names::{is_file, path};
use crate::lines::LineRange;

/// Number of bytes after a path in which its lines are searched.
const LOOK_AHEAD: usize = 48;
/// Number of bytes after the word `lines` in which the numbers and the file are searched.
const LINES_BEFORE: usize = 160;

impl Scanner<'_> {
    /// Finds the lines after a path that ends at `end`: `` `a.py` (lines 1-2) ``.
    pub(super) fn lines_behind(&self, at: usize, written: &str, end: usize) -> Option<Found> {
        let (path, certainty) = path(written)?;
        if !is_file(&path, certainty) {
            return None;
        }
        let rest = self.rest(end);
        // One byte more than is read: a number may continue after it.
        let is_short = rest.trim_start_matches('*').len() <= LOOK_AHEAD;
        if is_short && !self.is_closed && !rest.contains('\n') {
            return Some(Found::Open);
        }
        let (length, lines) = lines_at(rest)?;
        let place = Location {
            path,
            lines,
            certainty,
        };
        let whole = at..end + length;
        Some(self.claims(whole.clone(), at, vec![(0..whole.len(), place)]))
    }

    /// Scans a word outside all marks: an address, a citation without brackets, or nothing.
    pub(super) fn word(&self, at: usize) -> Found {
        let rest = self.rest(at);
        let whole = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if self.is_open(at + whole) {
            return Found::Open;
        }
        let run = rest.get(..whole).unwrap_or_default();
        if run.contains("://") || run.starts_with("www.") || run.starts_with("mailto:") {
            return Found::Atom(Atom {
                at: at..at + whole,
                kind: AtomKind::Address,
            });
        }
        let length = run
            .find(['`', '[', ']', '<', '>', '"', '“', '”', '【', '】', '«'])
            .unwrap_or(whole);
        let word = run.get(..length.max(1)).unwrap_or(run);
        let skipped = word.len() - word.trim_start_matches(['(', '*', '{', '\'', '‘']).len();
        let start = at + skipped;
        let written = word.get(skipped..).unwrap_or_default();
        if written.eq_ignore_ascii_case("line") || written.eq_ignore_ascii_case("lines") {
            return self.lines_in_front(start, start + written.len());
        }
        let first = written
            .find([',', ';'])
            .map_or(written, |cut| written.get(..cut).unwrap_or(written));
        let bare = first.trim_end_matches(['.', ':', '*', ')', '!', '?', '}', '\'', '’']);
        let end = start + bare.len();
        let Some(place) = location(bare).filter(|place| is_file(&place.path, place.certainty))
        else {
            return Found::Nothing(start + first.len());
        };
        match &place.lines {
            Err(Flaw::NoLines) => match self.lines_behind(start, bare, end) {
                Some(found) => found,
                None => Found::Nothing(end),
            },
            Err(Flaw::Unreadable(_)) => Found::Nothing(end),
            _ => self.claims(start..end, start, vec![(0..bare.len(), place)]),
        }
    }

    /// Finds `lines 10-20 of a.py`.
    fn lines_in_front(&self, start: usize, word_end: usize) -> Found {
        let whole = self.rest(word_end);
        let is_short = whole.len() <= LINES_BEFORE && !self.is_closed && !whole.contains('\n');
        let rest = whole
            .get(..whole.floor_char_boundary(LINES_BEFORE))
            .unwrap_or(whole);
        let rest = rest.split('\n').next().unwrap_or(rest);
        let goes_on = |end: usize| whole.get(end..).is_some_and(starts_within_a_word);
        let parsed = || {
            let of = [" of ", " in "]
                .iter()
                .filter_map(|of| Some((rest.find(of)?, of.len())))
                .min()?;
            let lines = line_part(&format!(":{}", rest.get(..of.0)?.trim()))?;
            let after = rest.get(of.0 + of.1..)?;
            let after = after.strip_prefix("the file ").unwrap_or(after);
            let length = after.find(char::is_whitespace).unwrap_or(after.len());
            let name = after.get(..length)?;
            if goes_on(rest.len() - after.len() + length) {
                return None;
            }
            let name = name.trim_end_matches(['.', ',', ';', ':', ')', '?', '!']);
            let (path, certainty) = path(name)?;
            let end = word_end + rest.len() - after.len() + name.len();
            is_file(&path, certainty).then_some((
                end,
                Location {
                    path,
                    lines,
                    certainty,
                },
            ))
        };
        let starts_with_number = rest
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit() || c == 'L');
        if rest.trim_start().is_empty() && !self.is_closed || is_short && starts_with_number {
            return Found::Open;
        }
        match parsed().filter(|_| starts_with_number) {
            Some((end, place)) => self.claims(start..end, start, vec![(0..end - start, place)]),
            None => Found::Nothing(word_end),
        }
    }
}

/// Whether a word that ends before `rest` would continue in it.
fn starts_within_a_word(rest: &str) -> bool {
    rest.starts_with(|c: char| !c.is_whitespace())
}

/// Returns the lines that directly follow a path in running text, and how many bytes they take.
fn lines_at(text: &str) -> Option<(usize, Result<LineRange, Flaw>)> {
    let trimmed = text.trim_start_matches('*');
    let skipped = text.len() - trimmed.len();
    let head = trimmed
        .get(..trimmed.floor_char_boundary(LOOK_AHEAD))
        .unwrap_or(trimmed);
    let head = head.split('\n').next().unwrap_or(head);
    let is_marked = |lower: &str| {
        let bare = lower.trim_start_matches([' ', ',', '(', '*', '\u{a0}']);
        let has_word = bare.starts_with("line") || bare.starts_with("ln ");
        let has_sign = bare.starts_with('l')
            && bare
                .get(1..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let opens = lower.starts_with([':', '#']);
        let is_pair = lower.trim_start().starts_with('(')
            && bare.starts_with(|c: char| c.is_ascii_digit())
            && bare.contains(['-', '–']);
        has_word || has_sign || is_pair || opens
    };
    if !is_marked(&head.to_lowercase()) {
        return None;
    }
    let in_parentheses = head.trim_start_matches([' ', ',', '*']).starts_with('(');
    if in_parentheses {
        let end = head.find(')')? + 1;
        let lines = line_part(head.get(..end)?)?;
        return Some((skipped + end, lines));
    }
    // The longest text that reads as lines: more would be the rest of the sentence.
    let ends = head.char_indices().map(|(at, c)| (at + c.len_utf8(), c));
    let candidates = ends.filter(|(_, c)| c.is_ascii_digit()).map(|(end, _)| end);
    let mut best = None;
    for end in candidates {
        if trimmed
            .get(end..)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
        {
            continue;
        }
        if let Some(lines) = head.get(..end).and_then(line_part) {
            best = Some((skipped + end, lines));
        }
    }
    best
}
