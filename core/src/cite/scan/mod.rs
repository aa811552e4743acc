//! Scans a paragraph for the parts that are more than words: citations, inline code, quotations,
//! links.
//!
//! One pass from the left with bounded lookahead, so that a growing text yields the same parts
//! however it arrived: what could still change with more text lies after the *horizon*.

mod marked;
mod words;

use std::ops::Range;

use super::claim::Claim;
use super::location::{Location, RANGE_SIGNS};

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
    /// An address, or a link target.
    Address,
}

/// Returns the atoms of the paragraph at `at` of `text`, in order, and the horizon: the byte up to
/// which they are final. For a closed paragraph it is the end. For a paragraph that has grown, a
/// scan from its last horizon finds the missing atoms; from any other byte it may find other atoms
/// than a scan from the start.
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

/// Whether a citation without brackets is at the end of the text and could continue with more text:
/// its last number may lack digits, and the end of its range may be missing.
pub(crate) fn may_go_on(text: &str, atom: &Atom) -> bool {
    let written = text.get(atom.at.clone()).unwrap_or_default();
    let after = text.get(atom.at.end..).unwrap_or_default();
    let after = after.trim().trim_end_matches(['L', 'l']);
    written.ends_with(char::is_alphanumeric)
        && RANGE_SIGNS.iter().any(|sign| sign.starts_with(after))
}

struct Scanner<'t> {
    text: &'t str,
    end: usize,
    is_closed: bool,
    atoms: Vec<Atom>,
}

/// What was found at a position.
enum Found {
    /// An atom; the scan continues after it.
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
            '\\' => match self.rest(at + 1).chars().next() {
                Some(next) => Found::Nothing(at + 1 + usize::from(next.is_ascii_punctuation())),
                None => Found::Nothing(at + 1).or_open(self.is_closed),
            },
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

    /// Whether more text could still change what stands before `to`.
    fn is_open(&self, to: usize) -> bool {
        !self.is_closed && to >= self.end
    }

    /// Makes an atom of citations; the bytes of `places` count from `base`.
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
