//! A sentence that reports what the lines say: “The docstring of `f` says “…”.”
//!
//! It is proven if every quotation occurs in the cited lines word for word, is not cut out of a
//! sentence whose rest reverses its meaning, and if the rest of the sentence only says where it
//! stands.

mod frame;

use super::scene::Scene;
use super::token::{Style, Term, Token};
use super::{Proof, Truth, is_among};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Words that reverse the meaning of their sentence. A quotation without them does not say what was
/// written.
const TURNS: &str = "\
    after although avoid barely before but cannot deprecated except fails false hardly however \
    if instead longer must neither never no none nor not nothing only rather should than \
    unless unlike until when without wrong";

/// How far around a quotation the words of its sentence are searched, in bytes.
const REACH: usize = 400;

/// Returns whether the sentence reports what stands in the cited lines; `None` if it quotes
/// nothing.
pub(super) fn truth(scene: &Scene<'_>, tokens: &[Token]) -> Option<Truth> {
    let quotes: Vec<&Term> = tokens.iter().filter_map(quoted).collect();
    if quotes.is_empty() {
        return None;
    }
    let mut proofs = Vec::new();
    for quote in &quotes {
        match find(scene, &quote.text) {
            Some(found) => proofs.push(found),
            None => return Some(Truth::Unknown),
        }
    }
    // A sentence that consists of nothing but a quotation reports it.
    let is_all = tokens
        .iter()
        .all(|token| matches!(token, Token::Sign(_)) || quoted(token).is_some());
    let is_led = is_all || frame::is_frame(scene, tokens, &proofs);
    Some(match is_led {
        true => Truth::Yes(proofs),
        false => Truth::Unknown,
    })
}

/// Returns a quotation in any marks. Code of several plain words counts as one.
fn quoted(token: &Token) -> Option<&Term> {
    let Token::Term(term) = token else {
        return None;
    };
    let is_text = |text: &str| {
        text.split_whitespace().count() >= 3
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || " ,.-'’!?".contains(c))
    };
    let is_quote = term.style == Style::Quote || term.style == Style::Code && is_text(&term.text);
    is_quote.then_some(term)
}

/// Text as a reader sees it: without comment and markup signs, with the line of each byte.
struct Plain {
    text: String,
    lines: Vec<(usize, Line)>,
}

impl Plain {
    fn of(text: &str, first: Line) -> Self {
        let mut plain = Self {
            text: String::new(),
            lines: Vec::new(),
        };
        for (at, line) in (0..).zip(text.lines()) {
            plain.lines.push((plain.text.len(), Line(first.0 + at)));
            let line = line.trim();
            let bare = line
                .trim_start_matches(['#', '/', '*', '>', ';', '!'])
                .trim_start();
            match bare.is_empty() {
                // An empty line ends a sentence.
                true => plain.text.push('\n'),
                false => {
                    push_words(bare, &mut plain.text);
                    plain.text.push(' ');
                }
            }
        }
        plain
    }

    fn line_of(&self, at: usize) -> Line {
        let after = self.lines.partition_point(|(start, _)| *start <= at);
        let known = after.checked_sub(1).and_then(|at| self.lines.get(at));
        known.map_or(Line(1), |(_, line)| *line)
    }
}

/// Appends words with one space between them, without code and emphasis marks, with plain quotation
/// marks.
fn push_words(text: &str, out: &mut String) {
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        for sign in word.chars() {
            match sign {
                '`' | '*' | '\\' => {}
                '‘' | '’' => out.push('\''),
                '“' | '”' => out.push('"'),
                other => out.push(other),
            }
        }
    }
}

/// Returns text normalised like quotations, with one space between words.
fn plain_text(text: &str) -> String {
    let mut plain = String::new();
    push_words(text.trim(), &mut plain);
    plain
}

/// Returns where the cited lines contain a quotation whole.
fn find(scene: &Scene<'_>, quote: &str) -> Option<Proof> {
    let wanted = plain_text(quote);
    // A full stop or comma at the end may belong to the surrounding sentence.
    let wanted = wanted.trim_end_matches([',', '.']);
    if !wanted.contains(char::is_alphanumeric) {
        return None;
    }
    for (file, lines) in scene.cited {
        let Some(text) = text_of(scene, *file, *lines) else {
            continue;
        };
        let plain = Plain::of(text, lines.start());
        let mut from = 0;
        while let Some(found) = plain.text.get(from..).and_then(|rest| rest.find(wanted)) {
            let at = from + found;
            let end = at + wanted.len();
            from = at + wanted.chars().next().map_or(1, char::len_utf8);
            if is_apart(&plain.text, at, end) && is_whole(&plain.text, at, end) {
                return Some(Proof {
                    file: *file,
                    lines: LineRange::new(plain.line_of(at), plain.line_of(end.saturating_sub(1))),
                    what: "quotation",
                });
            }
        }
    }
    None
}

fn text_of<'a>(scene: &Scene<'a>, file: FileId, lines: LineRange) -> Option<&'a str> {
    let text = &scene.index.repo.file(file)?.text;
    scene.index.lines(file)?.slice(text, lines)
}

/// Whether no word continues past its ends.
fn is_apart(text: &str, at: usize, end: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.get(end..).and_then(|text| text.chars().next());
    let first = text.get(at..end).and_then(|text| text.chars().next());
    let last = text.get(at..end).and_then(|text| text.chars().next_back());
    let joins = |a: Option<char>, b: Option<char>| a.is_some_and(is_part) && b.is_some_and(is_part);
    !joins(before, first) && !joins(last, after)
}

/// Whether the part of its sentence that was left out does not reverse its meaning.
fn is_whole(text: &str, at: usize, end: usize) -> bool {
    let before = text
        .get(text.floor_char_boundary(at.saturating_sub(REACH))..at)
        .unwrap_or_default();
    let after = text.get(end..text.ceil_char_boundary((end + REACH).min(text.len())));
    let after = after.unwrap_or_default();
    let start = ends(before).last().unwrap_or(0);
    let stop = ends(after).next().unwrap_or(after.len());
    let left_out = [before.get(start..), after.get(..stop)];
    let mut words = left_out
        .into_iter()
        .flatten()
        .flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '\'')));
    !words.any(|word| {
        let word = word.to_lowercase();
        is_among(TURNS, &word) || word.ends_with("n't")
    })
}

/// Returns where sentences end: after a full stop before a space, at empty lines, at quotation
/// marks.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let mut signs = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, sign)) = signs.next() {
            let is_end = match sign {
                '.' | '!' | '?' => signs.peek().is_none_or(|(_, next)| next.is_whitespace()),
                '\n' | '"' | '{' | '}' | ';' => true,
                _ => false,
            };
            if is_end {
                return Some(at + sign.len_utf8());
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_whole_if_nothing_left_out_turns_it() {
        for (text, quote, expected) in [
            ("Never pass the key. It is kept.", "pass the key", false),
            (
                "Never pass the key. It is kept.",
                "Never pass the key",
                true,
            ),
            ("Never pass the key. It is kept.", "It is kept", true),
            ("It is safe unless closed.", "It is safe", false),
            ("raise E(\"no such thing\")", "no such thing", true),
            ("Sends the request and waits.", "Sends the request", true),
        ] {
            let at = text.find(quote).unwrap();
            assert_eq!(
                is_whole(text, at, at + quote.len()),
                expected,
                "{text}: {quote}"
            );
        }
    }
}
