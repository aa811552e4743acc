//! One request, and how its reply is read.

use super::alignment;
use super::desk::Desk;
use super::pathfinder::{self, Asked};
use crate::eval::GoldSpan;

/// A question by a model that passed all checks by code.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub question: String,
    /// Sorted, without duplicates.
    pub files: Vec<String>,
    /// Empty if only files are known.
    pub spans: Vec<GoldSpan>,
    /// The answer, if the model wrote one.
    pub answer: Option<String>,
    /// The dimension of a pair: see [`alignment::Dimension`].
    pub dimension: Option<&'static str>,
}

/// A question, or why it was dropped.
pub(super) type Written = Result<Found, &'static str>;

/// The result of a reply.
#[derive(Debug)]
pub(super) enum After {
    /// Questions, and why paths were removed from them.
    Questions(Vec<Written>, Vec<&'static str>),
    /// Another request is needed before there is a question.
    Next(Talk),
}

/// What the reply should contain.
#[derive(Debug)]
pub(super) enum Stage {
    /// Questions with the files that answer them.
    Questions(Asked),
    /// An explanation of a chunk.
    Explanation(alignment::Chunk, Option<String>),
    /// A question about a chunk, with its answer.
    Pair(alignment::Chunk),
    /// The grade of a pair.
    Grade(Found),
}

/// One request without the model's name, and how its reply is read.
#[derive(Debug)]
pub(super) struct Talk {
    /// Contains no text of the repository.
    pub system: String,
    pub user: String,
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// The sampling temperature.
    pub temperature: f32,
    pub stage: Stage,
}

/// The temperature for writing questions: high, so that one file gives several.
pub(super) const WRITING: f32 = 0.7;

impl Talk {
    /// Reads the reply. If it does not have the requested form, the error is the text for the
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

    /// Whether a question is lost if this request fails.
    pub(super) fn holds_question(&self) -> bool {
        matches!(self.stage, Stage::Grade(_))
    }
}
