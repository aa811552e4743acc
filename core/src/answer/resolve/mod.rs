//! What a question means where it stands: in a conversation, misspelt, or in another language than the code's.

mod follow_up;
mod language;
mod scope;
mod spelling;

pub use scope::{resolve, scoped};

use crate::index::Index;
use crate::search::Question;

/// A question as it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// What is searched and answered.
    pub question: Question,
    /// How the question was read, where that is not as it was written; a sentence.
    pub note: Option<String>,
}

/// Reads a question behind the `earlier` ones of its conversation, oldest first.
fn in_words(index: &Index, question: &Question, earlier: &[&str]) -> Resolved {
    if let Some(standalone) = follow_up::standalone(index, question.text(), earlier)
        && let Ok(resolved) = Question::new(&standalone)
    {
        return Resolved {
            note: Some(format!("Asked as: “{standalone}”")),
            question: resolved,
        };
    }
    if let Some(name) = language::other_than_english(question.text()) {
        let note = format!(
            "Names and comments in code are mostly English. This question seems to be in {name}, so \
             it is compared by meaning more than by its words. Lists and yes or no need English."
        );
        return Resolved {
            question: question.clone(),
            note: Some(note),
        };
    }
    if let Some((corrected, words)) = spelling::corrected(index, question.text())
        && let Ok(resolved) = Question::new(&corrected)
    {
        return Resolved {
            note: Some(format!("Read as {words}.")),
            question: resolved,
        };
    }
    Resolved {
        question: question.clone(),
        note: None,
    }
}
