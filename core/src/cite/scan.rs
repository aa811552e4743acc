//! The parts of a paragraph that are more than words: citations, inline code, quotations, links.
//!
//! One pass from the left with a bounded look ahead, so that the parts of a text that grows are the same
//! however it arrived: what could still change with more text lies behind the *horizon*.

use std::ops::Range;

use super::claim::Claim;
use super::location::{Location, MAX_BYTES, line_part, location, locations};
use super::names::{Certainty, is_file, path};

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    pub at: Range<usize>,
    pub kind: AtomKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AtomKind {
    Claims(Vec<Claim>),
    /// Inline code: the bytes between the backticks.
    Code(Range<usize>),
    /// A quotation: the bytes between the marks.
    Quote(Range<usize>),
    /// An address, or the target of a link.
    Address,
}

/// Bytes behind a path in which its lines are looked for.
const LOOK_AHEAD: usize = 48;
/// Bytes behind the word `lines` in which their numbers and their file are looked for.
const LINES_BEFORE: usize = 160;
/// Longest quotation, in bytes.
const MAX_QUOTE: usize = 400;

/// The atoms of the paragraph at `at` of `text`, in order, and the horizon: the byte up to which they are final.
/// It is the end of a paragraph that is closed.
pub(crate) fn scan(text: &str, at: Range<usize>, is_closed: bool) -> (Vec<Atom>, usize) {
    let mut scanner = Scanner {
        text,
        end: at.end,
        is_closed,
        atoms: Vec::new(),
    };
    let horizon = scanner.run(at.start);
    (scanner.atoms, horizon)
}

struct Scanner<'t> {
    text: &'t str,
    end: usize,
    is_closed: bool,
    atoms: Vec<Atom>,
}

/// What stands at a position.
enum Found {
    /// An atom; the scan goes on behind it.
    Atom(Atom),
    /// Nothing up to this byte.
    Nothing(usize),
    /// It depends on what follows.
    Open,
}

impl<'t> Scanner<'t> {
    fn run(&mut self, from: usize) -> usize {
        let mut at = from;
        while let Some(character) = self.rest(at).chars().next() {
            match self.read(at, character) {
                Found::Open if !self.is_closed => return at,
                Found::Open => at += character.len_utf8(),
                Found::Nothing(to) => at = to.max(at + character.len_utf8()),
                Found::Atom(atom) => {
                    at = atom.at.end.max(at + character.len_utf8());
                    self.atoms.push(atom);
                }
            }
        }
        at.min(self.end)
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..self.end).unwrap_or_default()
    }

    fn slice(&self, at: Range<usize>) -> &'t str {
        self.text.get(at).unwrap_or_default()
    }

    fn read(&self, at: usize, character: char) -> Found {
        match character {
            '\\' => Found::Nothing(
                at + 1
                    + self
                        .rest(at + 1)
                        .chars()
                        .next()
                        .map_or(0, |c| if c.is_ascii_punctuation() { 1 } else { 0 }),
            ),
            '`' => self.code(at),
            '[' => self.bracket(at, '[', ']'),
            '【' => self.bracket(at, '【', '】'),
            ']' => self.link_target(at),
            '<' => self.angle(at),
            '"' | '“' | '«' => self.quote(at, character),
            c if c.is_whitespace() => Found::Nothing(at + c.len_utf8()),
            _ => self.word(at),
        }
    }

    /// Whether more text could still change what stands up to `to`.
    fn is_open(&self, to: usize) -> bool {
        !self.is_closed && to >= self.end
    }

    fn code(&self, at: usize) -> Found {
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
            .any(|(_, place)| !matches!(&place.lines, Err(super::Flaw::NoLines)));
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

    /// A path in front of `end` whose lines stand behind it: `` `a.py` (lines 1-2) ``.
    fn lines_behind(&self, at: usize, written: &str, end: usize) -> Option<Found> {
        let (path, certainty) = path(written)?;
        if !is_file(&path, certainty) {
            return None;
        }
        let rest = self.rest(end);
        if rest.len() < LOOK_AHEAD && !self.is_closed && !rest.contains('\n') {
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

    fn bracket(&self, at: usize, open: char, close: char) -> Found {
        let inside = at + open.len_utf8();
        let Some(length) = closing(self.rest(inside), open, close) else {
            let rest = self.rest(inside);
            let is_decided = self.is_closed || rest.len() > MAX_BYTES || rest.contains('\n');
            return if is_decided {
                Found::Nothing(inside)
            } else {
                Found::Open
            };
        };
        let end = inside + length + close.len_utf8();
        if self.is_open(end) {
            return Found::Open;
        }
        let target = self.target(end);
        if target.is_none()
            && self.rest(end).starts_with('(')
            && !self.is_closed
            && !self.rest(end).contains('\n')
            && self.rest(end).len() <= MAX_BYTES
        {
            return Found::Open;
        }
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
                    (Err(super::Flaw::NoLines), _) => !is_link,
                    (Ok(lines), Certainty::Word) => lines.count() > 1 && !is_indexing,
                    (_, certainty) => certainty >= Certainty::Likely,
                })
    }

    /// The end of the target of a link that opens at `at`.
    fn target(&self, at: usize) -> Option<usize> {
        let inside = self.rest(at).strip_prefix('(')?;
        let length = closing(inside, '(', ')')?;
        Some(at + 1 + length + 1)
    }

    fn link_target(&self, at: usize) -> Found {
        let end = at + 1;
        if self.is_open(end) {
            return Found::Open;
        }
        match self.target(end) {
            Some(after) => Found::Atom(Atom {
                at: end..after,
                kind: AtomKind::Address,
            }),
            None if self.rest(end).starts_with('(') && !self.is_closed => {
                let rest = self.rest(end);
                if rest.len() > MAX_BYTES || rest.contains('\n') {
                    Found::Nothing(end)
                } else {
                    Found::Open
                }
            }
            None => Found::Nothing(end),
        }
    }

    fn angle(&self, at: usize) -> Found {
        let inside = self.rest(at + 1);
        let Some(length) = inside.find(['>', '\n']) else {
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

    fn quote(&self, at: usize, mark: char) -> Found {
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

    /// A word outside of all marks: an address, a citation without brackets, or nothing.
    fn word(&self, at: usize) -> Found {
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
            Err(super::Flaw::NoLines) => match self.lines_behind(start, bare, end) {
                Some(found) => found,
                None => Found::Nothing(end),
            },
            Err(super::Flaw::Unreadable(_)) => Found::Nothing(end),
            _ => self.claims(start..end, start, vec![(0..bare.len(), place)]),
        }
    }

    /// `lines 10-20 of a.py`.
    fn lines_in_front(&self, start: usize, word_end: usize) -> Found {
        let rest = self.rest(word_end);
        let is_short = rest.len() < LINES_BEFORE && !self.is_closed && !rest.contains('\n');
        let rest = rest
            .get(..rest.floor_char_boundary(LINES_BEFORE))
            .unwrap_or(rest);
        let rest = rest.split('\n').next().unwrap_or(rest);
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

    /// An atom of citations; the bytes of `places` count from `base`.
    fn claims(
        &self,
        bracket: Range<usize>,
        base: usize,
        places: Vec<(Range<usize>, Location)>,
    ) -> Found {
        let is_one = places.len() == 1;
        let claims = places.into_iter().map(|(part, place)| {
            let at = match is_one {
                true => bracket.clone(),
                false => base + part.start..base + part.end,
            };
            let (lines, flaw) = match place.lines {
                Ok(lines) => (Some(lines), None),
                Err(flaw) => (None, Some(flaw)),
            };
            Claim {
                raw: self.slice(at.clone()).to_owned(),
                at,
                bracket: bracket.clone(),
                path: place.path,
                lines,
                flaw,
            }
        });
        let kind = AtomKind::Claims(claims.collect());
        Found::Atom(Atom { at: bracket, kind })
    }
}

impl Found {
    fn or_open(self, is_decided: bool) -> Self {
        if is_decided { self } else { Self::Open }
    }
}

/// Bytes up to the run of exactly `ticks` backticks.
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

/// Bytes up to the sign that closes a bracket that is already open, on the same line.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        if character == '\n' || at > MAX_BYTES {
            return None;
        }
        if character == open {
            depth += 1;
        } else if character == close {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
    }
    None
}

/// The lines that stand right behind a path in running text, and how many bytes they take.
fn lines_at(text: &str) -> Option<(usize, Result<crate::lines::LineRange, super::Flaw>)> {
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
        if head
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
