//! Splits a sentence into tokens: names, values, quotations, words and signs, without its
//! citations.

use std::ops::Range;

use crate::cite::attributed::prose_name;
use crate::cite::names::{Certainty, path};
use crate::cite::scan::{Atom, AtomKind};

/// How a term was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Between backticks.
    Code,
    /// A bare word that can only be a name.
    Bare,
    /// Between quotation marks.
    Quote,
    /// A number, in digits or in words.
    Number,
    /// A file path, in any style.
    Path,
}

/// Something that a sentence is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// Its text without marks; a number as digits.
    pub text: String,
    pub style: Style,
}

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Term(Term),
    /// In lower case.
    Word(String),
    /// One of `,` `;` `:` `(` `)` `—`, or `s` for a genitive.
    Sign(char),
}

/// Numbers as words.
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// Kinds of definitions: a capitalised word after one of them is a name.
const KINDS: [&str; 10] = [
    "class",
    "enum",
    "function",
    "interface",
    "method",
    "struct",
    "trait",
    "type",
    "exception",
    "module",
];

/// Returns the value of a number word.
pub(crate) fn number_word(word: &str) -> Option<usize> {
    NUMBERS.iter().position(|known| *known == word)
}

/// Returns the tokens of the sentence at `at` of `text`; `atoms` are its own.
pub(super) fn tokens(text: &str, at: Range<usize>, atoms: &[Atom]) -> Vec<Token> {
    let mut found = Vec::new();
    let mut from = at.start;
    let slice = |at: Range<usize>| text.get(at).unwrap_or_default();
    for atom in atoms
        .iter()
        .filter(|atom| atom.at.start >= at.start && atom.at.end <= at.end)
    {
        prose(slice(from..atom.at.start), &mut found);
        from = atom.at.end;
        match &atom.kind {
            AtomKind::Code(inside) => found.push(code(slice(inside.clone()).trim())),
            AtomKind::Quote(inside) => found.push(term(slice(inside.clone()), Style::Quote)),
            AtomKind::Claims(_) => {}
            AtomKind::Address => found.push(Token::Word("://".to_owned())),
        }
    }
    prose(slice(from..at.end), &mut found);
    found
}

fn term(text: &str, style: Style) -> Token {
    Token::Term(Term {
        text: text.to_owned(),
        style,
    })
}

fn code(code: &str) -> Token {
    let is_path =
        matches!(path(code), Some((_, Certainty::File))) && !code.contains(['(', '=', ' ']);
    match is_path {
        true => term(code, Style::Path),
        false => term(code, Style::Code),
    }
}

fn prose(text: &str, found: &mut Vec<Token>) {
    let mut rest = text;
    // `Session`'s
    if matches!(found.last(), Some(Token::Term(_))) {
        for genitive in ["'s ", "’s "] {
            if let Some(after) = rest.strip_prefix(genitive) {
                found.push(Token::Sign('s'));
                rest = after;
            }
        }
    }
    while let Some((quote, before, after)) = single_quote(rest) {
        plain(before, found);
        found.push(term(quote, Style::Quote));
        rest = after;
    }
    plain(rest, found);
}

/// Returns the first text between single quotation marks, with what stands before and after it.
fn single_quote(text: &str) -> Option<(&str, &str, &str)> {
    for (at, open) in text.char_indices() {
        let close = match open {
            '\'' => '\'',
            '‘' => '’',
            _ => continue,
        };
        let before = text.get(..at)?;
        let starts = before
            .chars()
            .next_back()
            .is_none_or(|c| c.is_whitespace() || c == '(');
        let inside = text.get(at + open.len_utf8()..)?;
        if !starts || inside.starts_with(char::is_whitespace) {
            continue;
        }
        let ends = inside.match_indices(close).find(|(end, _)| {
            let behind = inside.get(end + close.len_utf8()..).unwrap_or_default();
            behind.chars().next().is_none_or(|c| !c.is_alphanumeric())
        });
        if let Some((end, _)) = ends {
            return Some((
                inside.get(..end)?,
                before,
                inside.get(end + close.len_utf8()..)?,
            ));
        }
    }
    None
}

fn plain(text: &str, found: &mut Vec<Token>) {
    let mut runs = text.split_whitespace().peekable();
    while let Some(run) = runs.next() {
        let mut run = run.trim_start_matches(['*', '_', '"']);
        while let Some(rest) = run.strip_prefix('(') {
            found.push(Token::Sign('('));
            run = rest;
        }
        let word = run.trim_end_matches(|c: char| ".,;:!?)*—–".contains(c));
        let is_call = run
            .get(word.len()..)
            .is_some_and(|end| end.starts_with(')'))
            && word.ends_with('(');
        let word = match is_call {
            true => run.get(..word.len() + 1).unwrap_or(word),
            false => word,
        };
        // `one of` is not a count.
        if word == "one" && runs.peek() == Some(&"of") {
            found.push(Token::Word(word.to_owned()));
        } else if word == "single" {
            found.push(term("1", Style::Number));
        } else if !word.is_empty() {
            bare(word, found);
        }
        for sign in run.get(word.len()..).unwrap_or_default().chars() {
            match sign {
                ',' | ';' | ':' | ')' => found.push(Token::Sign(sign)),
                '—' | '–' => found.push(Token::Sign('—')),
                _ => {}
            }
        }
    }
}

fn bare(word: &str, found: &mut Vec<Token>) {
    if matches!(word, "-" | "—" | "–") {
        found.push(Token::Sign('—'));
        return;
    }
    let (stem, is_genitive) = match word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")) {
        Some(stem) => (stem, true),
        None => (word, false),
    };
    let lower = stem.to_lowercase();
    let names_kind =
        matches!(found.last(), Some(Token::Word(word)) if KINDS.contains(&word.as_str()));
    if names_kind && stem.starts_with(char::is_uppercase) && stem.chars().all(char::is_alphanumeric)
    {
        found.push(term(stem, Style::Bare));
        return;
    }
    if let Some(value) = number_word(&lower) {
        found.push(term(&value.to_string(), Style::Number));
    } else if is_number(stem) {
        found.push(term(stem, Style::Number));
    } else if matches!(path(stem), Some((_, Certainty::File))) && stem.contains('.') {
        found.push(term(stem, Style::Path));
    } else if prose_name(stem).is_some_and(|item| !item.is_doubtful) {
        found.push(term(stem, Style::Bare));
    } else {
        found.push(Token::Word(lower));
    }
    if is_genitive {
        found.push(Token::Sign('s'));
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches('-');
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '_' | ','))
        && digits.matches('.').count() < 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cite::scan::scan;

    #[test]
    fn a_sentence_becomes_terms_words_and_signs() {
        let text = "The method `a.b()` of `C`'s base takes two values ('x y', 3.5) [a.py:1-2].";
        let (atoms, _) = scan(text, 0..text.len(), true);
        let listed: Vec<String> = tokens(text, 0..text.len(), &atoms)
            .into_iter()
            .map(|token| match token {
                Token::Term(term) => format!("{:?}:{}", term.style, term.text),
                Token::Word(word) => word,
                Token::Sign(sign) => sign.to_string(),
            })
            .collect();
        assert_eq!(
            listed.join(" "),
            "the method Code:a.b() of Code:C s base takes Number:2 values ( Quote:x y , \
             Number:3.5 )"
        );
    }
}
