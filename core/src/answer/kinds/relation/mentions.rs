//! Finds what a question names: the words that denote a file, a definition or a library.

use crate::answer::kinds::subject::{self, KINDS_OF_SUBJECTS, Subject};
use crate::answer::kinds::teller::Teller;

/// What is named, and where in the question.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    pub subject: Subject,
    /// The position of its first word.
    pub at: usize,
    /// The position after its last word.
    pub end: usize,
}

/// Returns the things that the words name, at most three, in order.
pub(super) fn find(teller: &Teller<'_, '_>, words: &[String]) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match mention(teller, words, at, word) {
            Some(mention) => {
                at = mention.end.max(at + 1);
                let is_new = found.iter().all(|known| known.subject != mention.subject);
                if is_new {
                    found.push(mention);
                }
            }
            None => at += 1,
        }
    }
    found.truncate(3);
    found
}

/// Returns what the word at `at` names, together with the neighbouring words that say what it is.
fn mention(teller: &Teller<'_, '_>, words: &[String], at: usize, word: &str) -> Option<Mention> {
    let lower = word.to_lowercase();
    let looks_so = word.contains(['.', '/', '_', ':']) || word.chars().any(char::is_uppercase);
    let next = words.get(at + 1).map(|word| word.to_lowercase());
    let before = at
        .checked_sub(1)
        .and_then(|at| words.get(at))
        .map(|word| word.to_lowercase());
    let says_kind = |word: &Option<String>| {
        word.as_ref()
            .is_some_and(|word| KINDS_OF_SUBJECTS.contains(&word.as_str()))
    };
    let is_word = super::super::is_word_of_asking(&lower) || lower.len() < 3;
    if is_word && !looks_so && !says_kind(&next) && !says_kind(&before) {
        return None;
    }
    if KINDS_OF_SUBJECTS.contains(&lower.as_str()) {
        return None;
    }
    let (phrase, end) = match (says_kind(&next), says_kind(&before)) {
        (true, _) => (format!("{word} {}", next?), at + 2),
        (false, true) => (format!("{} {word}", before?), at + 1),
        (false, false) => (word.to_owned(), at + 1),
    };
    let subject = subject::find(teller.index, &phrase)?;
    let is_project_word = subject == Subject::Project && !looks_so;
    (!is_project_word || matches!(lower.as_str(), "project" | "repository")).then_some(Mention {
        subject,
        at,
        end,
    })
}
