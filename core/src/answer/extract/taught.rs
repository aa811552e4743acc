//! What a repository was taught, for questions that no sentence can be made for: the files that
//! similar questions lead to.

use super::likely_files;
use crate::answer::{Answer, joined};
use crate::index::Index;
use crate::search::{Hit, Question, TAUGHT};

/// Adds those files to the refusal; returns it unchanged if nothing that was taught is related to
/// the question.
pub(super) fn beside(index: &Index, question: &Question, hits: &[Hit], refusal: Answer) -> Answer {
    if hits.iter().all(|hit| hit.raw(TAUGHT).is_none()) {
        return refusal;
    }
    let files = likely_files(index, question, hits);
    let paths = files.iter().filter_map(|it| index.repo.file(it.file));
    let paths: Vec<String> = paths.map(|file| format!("`{}`", file.path)).collect();
    let note = format!("Questions like this one lead to {}.", paths.join(", "));
    Answer {
        note: joined(refusal.note, Some(note)),
        files,
        ..refusal
    }
}
