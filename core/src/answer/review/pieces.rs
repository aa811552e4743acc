//! Splits paragraphs into sentences with their citations.

use std::ops::Range;

use super::is_claim;
use crate::cite::scan::{Atom, AtomKind};
use crate::markdown::growing::Kind;

/// A sentence, or another part of an answer that is reviewed as a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub at: Range<usize>,
}

/// Words before citations that state nothing.
const LABELS: [&str; 30] = [
    "a",
    "also",
    "and",
    "at",
    "citation",
    "citations",
    "code",
    "evidence",
    "file",
    "files",
    "for",
    "from",
    "in",
    "line",
    "lines",
    "location",
    "locations",
    "more",
    "of",
    "or",
    "ref",
    "reference",
    "references",
    "refs",
    "see",
    "source",
    "sources",
    "the",
    "to",
    "where",
];

/// Words that end with a full stop inside a sentence.
const ABBREVIATIONS: [&str; 24] = [
    "al", "approx", "ca", "cf", "ch", "col", "dr", "e.g", "eg", "eq", "fig", "i.e", "ie", "incl",
    "mr", "mrs", "ms", "no", "p", "pp", "resp", "sec", "vs", "z.b",
];

/// Beginnings of pieces in which the model speaks of itself, the reader or the answer.
const ASIDES: [&str; 36] = [
    "i ",
    "i'm ",
    "i’m ",
    "i'd ",
    "i'll ",
    "i've ",
    "we can now",
    "let me ",
    "let's ",
    "let’s ",
    "let us ",
    "here is ",
    "here are ",
    "here's ",
    "here’s ",
    "below is ",
    "below are ",
    "hope ",
    "hopefully",
    "if you ",
    "feel free",
    "please ",
    "sure",
    "certainly",
    "of course",
    "great question",
    "good question",
    "thanks",
    "thank you",
    "note: i ",
    "based on the provided",
    "based on the evidence",
    "would you ",
    "to answer ",
    "as an ai",
    "happy to ",
];

impl Piece {
    /// Makes a piece of `at` without white space and table delimiters at its ends.
    pub(crate) fn whole(text: &str, at: Range<usize>) -> Self {
        let line = text.get(at.clone()).unwrap_or_default();
        let start = at.start + line.len() - line.trim_start().len();
        let end = start + line.trim().len();
        Self {
            at: start..end.max(start),
        }
    }

    /// Whether it states something about the repository; for the rule see the [module
    /// documentation](super).
    pub(crate) fn is_statement(&self, text: &str, atoms: &[Atom], kind: Kind) -> bool {
        let piece = text.get(self.at.clone()).unwrap_or_default();
        let n_words = words(text, self.at.clone(), atoms, is_claim);
        let is_cited = atoms.iter().any(is_claim);
        let plain = piece
            .trim_start_matches(['*', '_', ' ', '('])
            .to_lowercase();
        let end = piece.trim_end_matches(['*', '_', ' ', ')', '"', '”']);
        let leads = end.ends_with([':', '：']);
        let asks = end.ends_with(['?', '？']);
        match kind {
            Kind::Heading | Kind::Rule | Kind::Code => false,
            Kind::Row => n_words.all >= 2 || is_cited && n_words.all >= 1,
            Kind::Prose if is_cited => n_words.plain >= 2 || n_words.code >= 1,
            Kind::Prose => {
                n_words.all >= 3
                    && !leads
                    && !asks
                    && !ASIDES.iter().any(|start| plain.starts_with(start))
            }
        }
    }
}

struct Words {
    /// Number of words that are not labels.
    plain: usize,
    /// Number of all words; inline code counts as one.
    all: usize,
    code: usize,
}

/// Counts the words of `at` outside the atoms for which `skips` returns true.
fn words(text: &str, at: Range<usize>, atoms: &[Atom], skips: impl Fn(&Atom) -> bool) -> Words {
    let mut count = Words {
        plain: 0,
        all: 0,
        code: 0,
    };
    let mut from = at.start;
    let inside = |atom: &&Atom| atom.at.start >= at.start && atom.at.end <= at.end;
    for atom in atoms.iter().filter(inside) {
        add_words(
            text.get(from..atom.at.start).unwrap_or_default(),
            &mut count,
        );
        from = atom.at.end;
        match &atom.kind {
            _ if skips(atom) => {}
            AtomKind::Quote(inside) => {
                add_words(text.get(inside.clone()).unwrap_or_default(), &mut count)
            }
            AtomKind::Code(_) => {
                count.code += 1;
                count.all += 1;
            }
            _ => {}
        }
    }
    add_words(text.get(from..at.end).unwrap_or_default(), &mut count);
    count
}

fn add_words(text: &str, count: &mut Words) {
    for word in text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_')))
    {
        if !word.contains(char::is_alphabetic) {
            continue;
        }
        count.all += 1;
        // A language without spaces says a lot in one run of letters.
        let weight = if word.is_ascii() {
            1
        } else {
            word.chars().count().div_ceil(6)
        };
        count.all += weight - 1;
        if LABELS.binary_search(&word.to_lowercase().as_str()).is_err() {
            count.plain += weight;
        }
    }
}

/// Returns the sentences of the paragraph at `at`, each with the citations after it. If the
/// paragraph still grows (not `is_closed`), returns only those that no further text can change.
pub(super) fn pieces(text: &str, at: Range<usize>, atoms: &[Atom], is_closed: bool) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut from = at.start;
    let mut cut = Cutter {
        text,
        end: at.end,
        atoms,
        is_closed,
    };
    while let Some(end) = cut.sentence_end(from) {
        add(&mut found, text, from..end, atoms);
        from = end;
    }
    let rest = Piece::whole(text, from..at.end);
    if is_closed {
        if !rest.at.is_empty() {
            add(&mut found, text, from..at.end, atoms);
        }
    } else if words(text, from..at.end, atoms, is_claim).plain < 2 {
        // It may turn out to be only sources for the sentence before.
        found.pop();
    }
    found
}

/// Adds a sentence; if it consists of sources only, adds them to the previous one.
fn add(found: &mut Vec<Piece>, text: &str, at: Range<usize>, atoms: &[Atom]) {
    let piece = Piece::whole(text, at);
    if piece.at.is_empty() {
        return;
    }
    let has_claims = atoms.iter().any(|atom| {
        is_claim(atom) && piece.at.start <= atom.at.start && atom.at.end <= piece.at.end
    });
    let count = words(text, piece.at.clone(), atoms, is_claim);
    match found.last_mut() {
        Some(last) if count.plain < 2 && count.code == 0 && (has_claims || count.all == 0) => {
            last.at.end = piece.at.end
        }
        _ => found.push(piece),
    }
}

struct Cutter<'t> {
    text: &'t str,
    end: usize,
    atoms: &'t [Atom],
    is_closed: bool,
}

impl Cutter<'_> {
    /// Returns the end of the sentence that starts at `from`, citations after its full stop
    /// included; `None` if it does not end before the text does.
    fn sentence_end(&mut self, from: usize) -> Option<usize> {
        let mut at = from;
        while at < self.end {
            if let Some(atom) = self.atom_at(at) {
                let ends_inside = match &atom.kind {
                    AtomKind::Quote(inside) => {
                        self.slice(inside.clone()).ends_with(['.', '!', '?'])
                    }
                    _ => false,
                };
                at = atom.at.end;
                if ends_inside && let Some(end) = self.boundary(at, '.') {
                    return Some(end);
                }
                continue;
            }
            let character = self.slice(at..self.end).chars().next()?;
            at += character.len_utf8();
            let is_wide = matches!(character, '。' | '！' | '？');
            if (is_wide || matches!(character, '.' | '!' | '?'))
                && !self.is_abbreviation(from, at, character)
                && let Some(end) = self.boundary(at, character)
            {
                return Some(end);
            }
        }
        None
    }

    fn slice(&self, at: Range<usize>) -> &str {
        self.text.get(at).unwrap_or_default()
    }

    fn atom_at(&self, at: usize) -> Option<&Atom> {
        let next = self.atoms.partition_point(|atom| atom.at.end <= at);
        self.atoms.get(next).filter(|atom| atom.at.start <= at)
    }

    /// Returns where the sentence ends whose full stop is before `at`; `None` if it continues.
    fn boundary(&self, at: usize, stop: char) -> Option<usize> {
        let closers = ['"', '”', '’', '\'', ')', '*', '_', '.', '!', '?', '»'];
        let mut end = at + self.plain_run(at, &closers);
        let before_claims = end;
        let mut next = self.skip_space(end);
        let mut claims = 0;
        while let Some(atom) = self
            .atom_at(next)
            .filter(|atom| is_claim(atom) && atom.at.start == next)
        {
            end = atom.at.end;
            claims += 1;
            end += self.plain_run(end, &[')', '.', ',', ';', '*']);
            next = self.skip_space(end);
        }
        let Some(following) = self.slice(next..self.end).chars().next() else {
            // More text would decide, unless there is none.
            return self.is_closed.then_some(end);
        };
        let is_apart = next > end || matches!(stop, '。' | '！' | '？') || claims > 0;
        if !is_apart {
            return None;
        }
        if following.is_lowercase() {
            // `Done. [a.py:1-2] defines it`: the citation starts the next sentence.
            return (claims > 0 && before_claims < self.skip_space(before_claims))
                .then_some(before_claims);
        }
        Some(end)
    }

    /// Returns how many bytes from `at` on consist only of `signs`. A mark that opens a quotation
    /// does not close a sentence: no piece ends inside an atom.
    fn plain_run(&self, at: usize, signs: &[char]) -> usize {
        let next = self.atoms.partition_point(|atom| atom.at.end <= at);
        let end = self.atoms.get(next).map_or(self.end, |atom| atom.at.start);
        let rest = self.slice(at..end.min(self.end));
        rest.len() - rest.trim_start_matches(signs).len()
    }

    fn skip_space(&self, at: usize) -> usize {
        let rest = self.slice(at..self.end);
        at + rest.len() - rest.trim_start().len()
    }

    /// Whether the full stop before `at` belongs to a word.
    fn is_abbreviation(&self, from: usize, at: usize, stop: char) -> bool {
        if stop != '.' {
            return false;
        }
        let before = self.slice(from..at - 1);
        let start = before
            .char_indices()
            .rev()
            .find(|(_, c)| !(c.is_alphanumeric() || *c == '.'))
            .map_or(0, |(at, c)| at + c.len_utf8());
        let word = before.get(start..).unwrap_or_default();
        let lower = word.to_lowercase();
        let is_initial = word.chars().count() == 1
            && word.chars().all(|c| c.is_uppercase() && c.is_ascii())
            && word != "I";
        let is_number = start == before.len() - before.trim_start().len()
            && !word.is_empty()
            && word.chars().all(|c| c.is_ascii_digit());
        is_initial || is_number || ABBREVIATIONS.binary_search(&lower.as_str()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cite::scan::scan;

    fn sentences(text: &str) -> Vec<&str> {
        let (atoms, _) = scan(text, 0..text.len(), true);
        let found = pieces(text, 0..text.len(), &atoms, true);
        found.into_iter().map(|piece| &text[piece.at]).collect()
    }

    #[test]
    fn tables_are_sorted() {
        assert!(LABELS.is_sorted());
        assert!(ABBREVIATIONS.is_sorted());
    }

    #[test]
    fn paragraphs_are_cut_into_sentences() {
        for (text, expected) in [
            (
                "One thing. Another thing.",
                vec!["One thing.", "Another thing."],
            ),
            (
                "It uses e.g. Redis for that. Yes.",
                vec!["It uses e.g. Redis for that.", "Yes."],
            ),
            (
                "See queue.py for more. Then stop.",
                vec!["See queue.py for more.", "Then stop."],
            ),
            (
                "A fact. [a.py:1-2] Another fact.",
                vec!["A fact. [a.py:1-2]", "Another fact."],
            ),
            (
                "A fact.[a.py:1-2] Another fact.",
                vec!["A fact.[a.py:1-2]", "Another fact."],
            ),
            (
                "A fact. [a.py:1-2] defines it.",
                vec!["A fact.", "[a.py:1-2] defines it."],
            ),
            (
                "A fact [a.py:1-2]. [b.py:3] Another.",
                vec!["A fact [a.py:1-2]. [b.py:3]", "Another."],
            ),
            (
                "A fact. Source: [a.py:1-2].",
                vec!["A fact. Source: [a.py:1-2]."],
            ),
            (
                "It says \"stop. Now.\" to all.",
                vec!["It says \"stop. Now.\" to all."],
            ),
            (
                "Set `a.b. C` to 1.5 seconds. Done now.",
                vec!["Set `a.b. C` to 1.5 seconds.", "Done now."],
            ),
            (
                "**Bold claim.** Next claim.",
                vec!["**Bold claim.**", "Next claim."],
            ),
            ("版本是三。下一句。", vec!["版本是三。", "下一句。"]),
            ("One (see above.) Two.", vec!["One (see above.)", "Two."]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }
}
