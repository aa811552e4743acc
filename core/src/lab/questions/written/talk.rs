//! One request, and what its reply is read for.

use super::alignment;
use super::desk::Desk;
use super::pathfinder::{self, Asked};
use crate::eval::GoldSpan;

/// A question that a model wrote, after all checks of code.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub question: String,
    /// Sorted, each once.
    pub files: Vec<String>,
    /// Empty where only files are known.
    pub spans: Vec<GoldSpan>,
    /// Where the model wrote one.
    pub answer: Option<String>,
    /// What a pair is about: see [`alignment::Dimension`].
    pub dimension: Option<&'static str>,
}

/// A question, or why it was dropped.
pub(super) type Written = Result<Found, &'static str>;

/// What a reply came to.
#[derive(Debug)]
pub(super) enum After {
    /// Questions, and why paths were taken out of them.
    Questions(Vec<Written>, Vec<&'static str>),
    /// Something else is asked before there is a question.
    Next(Talk),
}

/// What the reply is read for.
#[derive(Debug)]
pub(super) enum Stage {
    /// Questions with the files that answer them.
    Questions(Asked),
    /// An explanation of a chunk.
    Explanation(alignment::Chunk, Option<String>),
    /// A question with its answer about a chunk.
    Pair(alignment::Chunk),
    /// The grade of a pair.
    Grade(Found),
}

/// One request without the model's name, and how its reply is read.
#[derive(Debug)]
pub(super) struct Talk {
    /// Holds no text of the repository.
    pub system: String,
    pub user: String,
    /// Tokens of the answer.
    pub max_tokens: u32,
    /// How freely words are chosen.
    pub temperature: f32,
    pub stage: Stage,
}

/// Words are chosen freely where questions are written: the same file gives several.
pub(super) const WRITING: f32 = 0.7;

impl Talk {
    /// Reads the reply; fails if it has not the form that was asked for, with what is said to the
    /// model.
    pub(super) fn read(&self, desk: &Desk, text: &str) -> Result<After, &'static str> {
        match &self.stage {
            Stage::Questions(asked) => pathfinder::read(desk, asked, text),
            Stage::Explanation(chunk, examples) => {
                alignment::read_explanation(desk, chunk, examples.as_deref(), text)
            }
            Stage::Pair(chunk) => alignment::read_pair(desk, chunk, text),
            Stage::Grade(found) => alignment::read_grade(found, text),
        }
    }

    /// Whether a question is lost if nothing comes of this request.
    pub(super) fn holds_question(&self) -> bool {
        matches!(self.stage, Stage::Grade(_))
    }
}
