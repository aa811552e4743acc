//! What a repository was taught, where no sentence can be made: the files that questions like this
//! one lead to.

use super::likely_files;
use crate::answer::{Answer, joined};
use crate::index::Index;
use crate::search::{Hit, Question, TAUGHT};

/// The refusal with those files beside it; as it is where nothing was taught that has to do with
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
