//! What a question means in its situation: in a conversation, misspelt, or in a language other than
//! the code's.

mod facts;
mod follow_up;
mod language;
mod scope;
mod spelling;

pub use scope::{resolve, scoped};

use follow_up::Standalone;
use language::Foreign;

use crate::answer::{Answer, Fit, joined};
use crate::index::Index;
use crate::search::Question;

/// A question as it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The question that is searched and answered.
    pub question: Question,
    /// How the question was read, if not as written; a sentence.
    pub note: Option<String>,
    /// How sure it is that this was asked.
    pub reading: Reading,
}

/// How sure it is that a question was read as it was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Sure,
    /// Words of two questions were put side by side: only a kind of question shows that they belong
    /// together.
    Joined,
    /// More than one word was guessed, so that another question may have been meant.
    Guess,
}

impl Resolved {
    fn as_written(question: &Question) -> Self {
        Self {
            question: question.clone(),
            note: None,
            reading: Reading::Sure,
        }
    }

    /// Returns how well an answer to the question as read fits the question as written.
    pub fn fit(&self, found: Fit) -> Fit {
        match (self.reading, found) {
            (Reading::Guess | Reading::Joined, Fit::Likely) => Fit::Closest,
            (Reading::Guess, Fit::Exact) => Fit::Likely,
            _ => found,
        }
    }

    /// Adds to an answer how the question was read, and lowers its fit accordingly.
    pub fn said_in(self, answer: &mut Answer) {
        answer.fit = self.fit(answer.fit);
        answer.note = joined(self.note, answer.note.take());
    }
}

/// Reads a question that follows the `earlier` ones of its conversation, oldest first.
fn in_words(index: &Index, question: &Question, earlier: &[&str]) -> Resolved {
    let follow_up = follow_up::standalone(index, question.text(), earlier).or_else(|| {
        let (before, last) = clauses(question.text())?;
        follow_up::standalone(index, last, &[before])
    });
    if let Some(Standalone { text, is_glued }) = follow_up
        && let Ok(resolved) = Question::new(&text)
    {
        return Resolved {
            note: Some(asked_as(&text)),
            question: resolved,
            reading: if is_glued {
                Reading::Joined
            } else {
                Reading::Sure
            },
        };
    }
    if let Some(foreign) = language::read(index, question.text()) {
        return in_english(question, foreign);
    }
    if let Some((corrected, words)) = spelling::corrected(index, question.text())
        && let Ok(resolved) = Question::new(&corrected)
    {
        return Resolved {
            reading: match words.len() {
                0 | 1 => Reading::Sure,
                _ => Reading::Guess,
            },
            note: Some(read_as(&words)),
            question: resolved,
        };
    }
    Resolved::as_written(question)
}

fn read_as(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("“{word}”")).collect();
    format!("Read as {}.", listed(&quoted))
}

fn asked_as(text: &str) -> String {
    let stop = if text.ends_with(['?', '!', '.']) {
        ""
    } else {
        "."
    };
    format!("Asked as: “{text}”{stop}")
}

/// Joins names: a, b and c.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

fn in_english(question: &Question, foreign: Foreign) -> Resolved {
    let seems = format!(
        "Names and comments in code are mostly English. This question seems to be in {}",
        foreign.language
    );
    let english = foreign.english.as_deref();
    let read = english.and_then(|english| Question::new(english).ok());
    match (read, english) {
        (Some(question), Some(english)) => Resolved {
            question,
            reading: Reading::Guess,
            note: Some(format!(
                "{seems}, so it was read word by word as “{english}”. Lists and yes-or-no answers \
                 need English."
            )),
        },
        _ => Resolved {
            question: question.clone(),
            reading: Reading::Sure,
            note: Some(format!(
                "{seems}, so it is compared by meaning more than by its words. Lists and yes-or-no \
                 answers need English."
            )),
        },
    }
}

/// Splits off a question's last clause if it depends on what stands before it: “I want to move
/// `a.ts` — who imports it?”
fn clauses(text: &str) -> Option<(&str, &str)> {
    let signs = [" — ", " – ", " - ", "; ", ". "];
    let (at, sign) = signs
        .iter()
        .filter_map(|sign| Some((text.rfind(sign)?, sign)))
        .max()?;
    let (before, last) = (text.get(..at)?, text.get(at + sign.len()..)?);
    let mut words = last.split(|c: char| !c.is_alphanumeric());
    let leans = words.any(|word| matches!(word, "it" | "them"));
    leans.then_some((before, last))
}
