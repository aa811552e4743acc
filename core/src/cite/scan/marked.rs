//! Scans parts between marks: inline code, brackets, links, quotations.

use std::ops::Range;

use super::{Atom, AtomKind, Found, Scanner};
use crate::cite::Flaw;
use crate::cite::location::{Location, MAX_BYTES, location, locations};
use crate::cite::names::{Certainty, is_file};

/// Longest quotation, in bytes.
const MAX_QUOTE: usize = 400;

/// Where a bracket closes.
enum Closing {
    /// After this many bytes.
    At(usize),
    Nowhere,
    /// It depends on what follows.
    Open,
}

impl Scanner<'_> {
    pub(super) fn code(&self, at: usize) -> Found {
        let rest = self.rest(at);
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        if self.is_open(at + ticks) {
            return Found::Open;
        }
        let inside = at + ticks;
        let Some(close) = closing_ticks(self.rest(inside), ticks) else {
            return if self.is_closed {
                Found::Nothing(inside)
            } else {
                Found::Open
            };
        };
        let content = inside..inside + close;
        let end = content.end + ticks;
        if self.is_open(end) {
            return Found::Open;
        }
        let code = self.slice(content.clone()).trim();
        let bare = code
            .strip_prefix('[')
            .and_then(|code| code.strip_suffix(']'));
        let places = locations(bare.unwrap_or(code));
        let has_lines = places
            .iter()
            .any(|(_, place)| !matches!(&place.lines, Err(Flaw::NoLines)));
        let is_certain = places
            .iter()
            .all(|(_, place)| is_file(&place.path, place.certainty));
        if (has_lines && is_certain) || (bare.is_some() && !places.is_empty() && is_certain) {
            let start = content.start + self.slice(content).find(bare.unwrap_or(code)).unwrap_or(0);
            return self.claims(at..end, start, places);
        }
        if let Some(found) = self.lines_behind(at, code, end) {
            return found;
        }
        Found::Atom(Atom {
            at: at..end,
            kind: AtomKind::Code(inside..inside + close),
        })
    }

    pub(super) fn bracket(&self, at: usize, open: char, close: char) -> Found {
        let inside = at + open.len_utf8();
        let length = match self.closing(inside, open, close) {
            Closing::At(length) => length,
            Closing::Nowhere => return Found::Nothing(inside),
            Closing::Open => return Found::Open,
        };
        let end = inside + length + close.len_utf8();
        if self.is_open(end) {
            return Found::Open;
        }
        let target = match self.target(end) {
            Closing::At(after) => Some(after),
            Closing::Nowhere => None,
            Closing::Open => return Found::Open,
        };
        let places = locations(self.slice(inside..inside + length));
        let is_link = target.is_some() || self.rest(end).starts_with([':', '[']);
        if self.are_citations(at, &places, is_link) {
            return self.claims(at..target.unwrap_or(end), inside, places);
        }
        let Some(after) = target else {
            return Found::Nothing(inside);
        };
        let address = self.slice(end + 1..after.saturating_sub(1)).trim();
        match location(address) {
            Some(place)
                if address.contains('#')
                    && place.lines.is_ok()
                    && is_file(&place.path, place.certainty) =>
            {
                self.claims(at..after, at, vec![(0..after - at, place)])
            }
            _ => Found::Nothing(inside),
        }
    }

    fn are_citations(&self, at: usize, places: &[(Range<usize>, Location)], is_link: bool) -> bool {
        let before = self.slice(0..at).chars().next_back();
        let is_indexing =
            before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'));
        let is_image = before == Some('!');
        !places.is_empty()
            && !is_image
            && places
                .iter()
                .all(|(_, place)| match (&place.lines, place.certainty) {
                    (Err(Flaw::NoLines), _) => !is_link,
                    (Ok(lines), Certainty::Word) => lines.count() > 1 && !is_indexing,
                    (_, certainty) => certainty >= Certainty::Likely,
                })
    }

    /// Returns the end of a link target, if one opens at `at` inside the text.
    fn target(&self, at: usize) -> Closing {
        if !self.rest(at).starts_with('(') {
            return Closing::Nowhere;
        }
        match self.closing(at + 1, '(', ')') {
            Closing::At(length) => Closing::At(at + 1 + length + 1),
            other => other,
        }
    }

    /// Returns the bytes from `inside` up to the sign that closes an open bracket, on the same
    /// line.
    fn closing(&self, inside: usize, open: char, close: char) -> Closing {
        let rest = self.rest(inside);
        let mut depth = 0;
        for (at, character) in rest.char_indices() {
            if character == '\n' || at > MAX_BYTES {
                return Closing::Nowhere;
            }
            if character == open {
                depth += 1;
            } else if character == close {
                if depth == 0 {
                    return Closing::At(at);
                }
                depth -= 1;
            }
        }
        match self.is_closed || rest.len() > MAX_BYTES {
            true => Closing::Nowhere,
            false => Closing::Open,
        }
    }

    pub(super) fn link_target(&self, at: usize) -> Found {
        let end = at + 1;
        if self.is_open(end) {
            return Found::Open;
        }
        match self.target(end) {
            Closing::At(after) => Found::Atom(Atom {
                at: end..after,
                kind: AtomKind::Address,
            }),
            Closing::Nowhere => Found::Nothing(end),
            Closing::Open => Found::Open,
        }
    }

    pub(super) fn angle(&self, at: usize) -> Found {
        let inside = self.rest(at + 1);
        // The innermost sign opens: nothing in angle brackets holds another.
        let Some(length) = inside.find(['<', '>', '\n']) else {
            let is_decided = self.is_closed || inside.len() > MAX_BYTES;
            return Found::Nothing(at + 1).or_open(is_decided);
        };
        let end = at + 1 + length;
        if !self.rest(end).starts_with('>') || length > MAX_BYTES {
            return Found::Nothing(at + 1);
        }
        let content = self.slice(at + 1..end);
        if content.contains("://") {
            return Found::Atom(Atom {
                at: at..end + 1,
                kind: AtomKind::Address,
            });
        }
        let places = locations(content);
        let is_claim = !places.is_empty()
            && places
                .iter()
                .all(|(_, place)| place.lines.is_ok() && is_file(&place.path, place.certainty));
        match is_claim {
            true => self.claims(at..end + 1, at + 1, places),
            false => Found::Nothing(at + 1),
        }
    }

    pub(super) fn quote(&self, at: usize, mark: char) -> Found {
        let inside = at + mark.len_utf8();
        let before = self.slice(0..at).chars().next_back();
        let opens = before.is_none_or(|c| !c.is_alphanumeric());
        if self.is_open(inside) {
            return Found::Open;
        }
        if !opens || self.rest(inside).starts_with(char::is_whitespace) {
            return Found::Nothing(inside);
        }
        let closes = |c: char| match mark {
            '"' => c == '"',
            '«' => c == '»',
            _ => c == '”' || c == '"',
        };
        let Some(length) = self.rest(inside).find(closes) else {
            let is_decided = self.is_closed || self.rest(inside).len() > MAX_QUOTE;
            return Found::Nothing(inside).or_open(is_decided);
        };
        if length > MAX_QUOTE {
            return Found::Nothing(inside);
        }
        let content = inside..inside + length;
        let close = self
            .rest(content.end)
            .chars()
            .next()
            .map_or(1, char::len_utf8);
        Found::Atom(Atom {
            at: at..content.end + close,
            kind: AtomKind::Quote(content),
        })
    }
}

/// Returns the bytes up to the run of exactly `ticks` backticks.
fn closing_ticks(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        let start = at + text.get(at..)?.find('`')?;
        let rest = text.get(start..)?;
        let run = rest.len() - rest.trim_start_matches('`').len();
        if run == ticks {
            return Some(start);
        }
        at = start + run;
    }
}
