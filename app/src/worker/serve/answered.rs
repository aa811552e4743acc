//! The answer to a question with what is known of the open repository at the moment.

use footnote_core::answer;
use footnote_core::embed::Embedding;
use footnote_core::search::Question;

use super::repo::OpenRepo;
use super::views::{self, Measured};
use crate::platform::clock::now_ms;
use crate::worker::protocol::AnswerView;

/// The answer with what is known now; its milliseconds count from `started`.
pub fn answered(
    open: &OpenRepo,
    question: &Question,
    embedding: Option<&Embedding>,
    refined: bool,
    started: f64,
) -> AnswerView {
    let index = &open.index;
    let vectors = open.vectors.borrow();
    let asked = answer::ask(index, &vectors, question, embedding);
    let compared = embedding.map_or(0, |_| vectors.count() as u32);
    let mut view = views::answer(
        index,
        question.text(),
        &asked.answer,
        &asked.hits,
        Measured {
            refined,
            milliseconds: 0.0,
            compared_by_meaning: compared,
        },
    );
    view.milliseconds = now_ms() - started;
    view
}
