//! Turns sentences into a quotation: verbatim, and never without a `not` or an `if` that belongs to
//! it.

use super::code_block::short_block_below;
use super::{Sentence, code_list, spans};
use crate::answer::Span;
use crate::answer::notes::{text, tidy, words_of};
use crate::lines::{Line, LineRange};

/// Longest quotation, in characters; a longer sentence ends in an ellipsis.
const MAX_QUOTE: usize = 280;
/// Longest quotation, in characters, if cutting would change what it says.
const MAX_WHOLE: usize = 1_000;
/// Maximum number of lines between a sentence and one that qualifies it.
const MAX_GAP: u32 = 2;

/// Words that qualify a statement.
const LIMITS: [&str; 35] = [
    "aren't",
    "but",
    "can't",
    "cannot",
    "currently",
    "deprecated",
    "didn't",
    "doesn't",
    "don't",
    "except",
    "however",
    "if",
    "instead",
    "isn't",
    "neither",
    "never",
    "no",
    "nor",
    "not",
    "nothing",
    "only",
    "otherwise",
    "provided",
    "rarely",
    "shouldn't",
    "todo",
    "unless",
    "unsupported",
    "until",
    "when",
    "while",
    "without",
    "won't",
    "wouldn't",
    "yet",
];
/// The ones that only say when their own sentence holds: at the start of the next sentence they
/// belong to that one.
const CONDITIONS: [&str; 4] = ["if", "until", "when", "while"];

/// What documentation says, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    /// Its words, with markup turned into code.
    pub spans: Vec<Span>,
    /// The code that it announces, by line.
    pub code: Vec<String>,
    /// The lines that all of it comes from.
    pub lines: LineRange,
}

impl Quote {
    /// Returns the words between quotation marks, then the code.
    pub(crate) fn in_quotes(&self) -> Vec<Span> {
        let mut out = vec![text("“")];
        out.extend(self.spans.iter().cloned());
        out.push(text("”"));
        if !self.code.is_empty() {
            out.push(text(" "));
            out.extend(code_list(&self.code, "and"));
        }
        tidy(out)
    }

    /// Returns the words and the code that must occur in the lines cited for it.
    pub(crate) fn words(&self) -> Vec<String> {
        [words_of(&self.spans), self.code.clone()].concat()
    }

    /// Adds the short code block below the quotation, if its last words announce one with a colon.
    /// `body` is the text that it comes from, and `first` the line that the text begins on.
    pub(crate) fn with_code_below(mut self, body: &str, first: Line) -> Self {
        let Some(Span::Text(said)) = self.spans.last_mut() else {
            return self;
        };
        let announcement = said.trim_end().strip_suffix(" …");
        let Some(announcement) = announcement.filter(|it| it.ends_with(':')) else {
            return self;
        };
        let block = short_block_below(body, first, self.lines.end());
        if let Some((last, _)) = block.last() {
            self.lines = LineRange::new(self.lines.start(), *last);
            // What was left out follows.
            *said = announcement.to_owned();
            self.code = block.into_iter().map(|(_, line)| line).collect();
        }
        self
    }
}

/// Quotes the sentence at `at`, together with the following ones that it is incomplete without.
/// Returns `None` if it is too long to quote and cannot be cut.
pub(crate) fn quote(sentences: &[Sentence], at: usize) -> Option<Quote> {
    let first = sentences.get(at)?;
    let mut said = first.text.clone();
    let mut lines = first.lines;
    let opens_list = said.ends_with(':');
    for next in sentences.get(at + 1..).unwrap_or_default() {
        let gap = next.lines.start().0.saturating_sub(lines.end().0);
        let is_item = said.ends_with(':') || opens_list && gap <= 1;
        let limits = takes_back(&next.text);
        if gap > MAX_GAP || !(is_item || limits) {
            break;
        }
        let length = said.chars().count() + next.text.chars().count();
        if length > MAX_WHOLE || !limits && length > MAX_QUOTE {
            said.push_str(" …");
            break;
        }
        let joint = match said.ends_with(['.', '!', '?', ':']) {
            true => " ",
            false => " … ",
        };
        said = format!("{said}{joint}{}", next.text);
        lines = LineRange::new(lines.start(), next.lines.end());
    }
    let is_alone = lines == first.lines;
    let said = match is_alone {
        true => cut(&said)?,
        false => said,
    };
    let said = match said.strip_suffix(':') {
        Some(open) => format!("{}: …", open.trim_end_matches(':')),
        None => said,
    };
    Some(Quote {
        spans: spans(&said),
        code: Vec::new(),
        lines,
    })
}

/// Whether a sentence qualifies the one before it: it does so within its first words.
fn takes_back(sentence: &str) -> bool {
    let mut words = sentence.split_whitespace().map(plain_word);
    let starts = words.by_ref().take(4);
    starts
        .into_iter()
        .any(|word| is_limit(&word) && !CONDITIONS.contains(&word.as_str()))
}

fn plain_word(word: &str) -> String {
    let word = word.replace('’', "'");
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

fn is_limit(word: &str) -> bool {
    LIMITS.binary_search(&word).is_ok()
}

/// Cuts a sentence to at most [`MAX_QUOTE`] characters, between words and outside code spans. A
/// sentence with a qualifying word after the cut stays whole.
fn cut(sentence: &str) -> Option<String> {
    if sentence.chars().count() <= MAX_QUOTE {
        return Some(sentence.to_owned());
    }
    let mut out = String::new();
    for word in sentence.split_whitespace() {
        if out.chars().count() + word.chars().count() > MAX_QUOTE {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.matches('`').count() % 2 == 1
        && let Some(open) = out.rfind('`')
    {
        out.truncate(open);
    }
    let left = sentence.get(out.len()..).unwrap_or_default();
    if left
        .split_whitespace()
        .any(|word| is_limit(&plain_word(word)))
    {
        return (sentence.chars().count() <= MAX_WHOLE).then(|| sentence.to_owned());
    }
    Some(format!("{} …", out.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::super::sentences;
    use super::*;
    use crate::lines::Line;

    fn quoted(body: &str) -> Option<String> {
        let quote = quote(&sentences(body, Line(1)), 0)?;
        let statement = crate::answer::Statement {
            spans: quote.in_quotes(),
            footnotes: Vec::new(),
            items: Vec::new(),
        };
        Some(statement.plain())
    }

    #[test]
    fn words_that_can_be_looked_up_are_sorted() {
        assert!(LIMITS.is_sorted());
    }

    #[test]
    fn a_quotation_holds_what_takes_it_back() {
        for (body, expected) in [
            ("Encrypts it. Fast.", "“Encrypts it.”"),
            ("Encrypts it", "“Encrypts it”"),
            (
                "Encrypts it. This does not work yet.",
                "“Encrypts it. This does not work yet.”",
            ),
            (
                "Encrypts it.\n\nNot implemented. Ask later.",
                "“Encrypts it. Not implemented.”",
            ),
            ("Sends it. If it fails, tries again.", "“Sends it.”"),
            ("Sends it.\n\nThe rest is more.", "“Sends it.”"),
            (
                "Tries again if:\n- the job failed\n- nobody stopped it",
                "“Tries again if: the job failed … nobody stopped it”",
            ),
            ("Create one::\n\n    >>> x", "“Create one: …”"),
        ] {
            assert_eq!(quoted(body).as_deref(), Some(expected), "{body}");
        }
    }

    #[test]
    fn long_sentences_are_cut_between_words_unless_that_loses_a_condition() {
        let long = "word ".repeat(100);
        let short = cut(&long).unwrap();
        assert!(short.chars().count() <= MAX_QUOTE + 2 && short.ends_with("word …"));
        let code = format!("{} `a {} b`", "x".repeat(270), "c".repeat(20));
        assert_eq!(cut(&code).unwrap().matches('`').count(), 0);
        for limit in ["unless it is off", "but never twice", "if it’s there"] {
            let limited = format!("{}{limit}", "word ".repeat(70));
            assert_eq!(cut(&limited).as_deref(), Some(limited.as_str()));
            let endless = format!("{}{limit}", "word ".repeat(300));
            assert_eq!(cut(&endless), None);
        }
    }
}
