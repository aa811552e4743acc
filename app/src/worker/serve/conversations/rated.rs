//! Rated answers as a question set: one JSON object per line, as `footnote_core::eval::set` reads
//! it, so that `footnote evaluate` can measure retrieval on the questions that a reader really
//! asked.
//!
//! Good and bad answers are two files. A good answer's footnotes become its gold files and lines if
//! they passed the check: the reader vouches for the rest. Nobody has said what would have been
//! right for a bad answer, so its gold stays empty, and its citations are only in `footnotes`;
//! measuring on that file makes no sense until somebody has filled in the gold. `archive` is the
//! name of the repository: add it to the `archives.json` beside the set. Fields beyond those of an
//! [`Item`] say how the answer was made; the reader of sets skips them.

use footnote_core::eval::Item;
use footnote_core::eval::set::GoldSpan;
use serde::Serialize;

use super::records::Book;
use super::search::plain;
use super::stored::{FileRecord, RatingRecord};
use crate::worker::protocol::{AnswerView, CheckView, ConversationId, FootnoteView, Rating};

/// The strategy that answers questions.
const STRATEGY: &str = "default";

#[derive(Serialize)]
struct Rated<'a> {
    #[serde(flatten)]
    item: Item,
    rating: RatingRecord,
    /// Milliseconds since 1970.
    asked_at: f64,
    strategy: &'static str,
    compared_by_meaning: u32,
    /// The language model that wrote the answer.
    model: Option<&'a str>,
    files: Vec<FileRecord>,
    footnotes: Vec<RatedNote<'a>>,
}

#[derive(Serialize)]
struct RatedNote<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    verdict: &'static str,
}

/// The set of all answers with this rating, oldest first; empty if there is none.
pub fn set(book: &Book, repository: &str, rating: Rating) -> Result<String, serde_json::Error> {
    let mut out = String::new();
    for (&(id, at), answer) in &book.turns {
        if book.ratings.get(&(id, at)) == Some(&rating) {
            let line = serde_json::to_string(&rated(id, at, answer, repository, rating))?;
            out.push_str(&line);
            out.push('\n');
        }
    }
    Ok(out)
}

fn rated<'a>(
    id: ConversationId,
    at: u64,
    answer: &'a AnswerView,
    repository: &str,
    rating: Rating,
) -> Rated<'a> {
    // If a language model wrote text, the reader's rating is about that.
    let notes = match &answer.written {
        Some(written) => &written.footnotes,
        None => &answer.footnotes,
    };
    let is_good = rating == Rating::Good;
    let (gold_files, gold_spans) = match is_good {
        true => gold(notes),
        false => (Vec::new(), Vec::new()),
    };
    let item = Item {
        id: format!("{}-{at}", id.0),
        archive: repository.to_owned(),
        query: answer.question.clone(),
        gold_files,
        gold_spans,
        category: Some("rated".to_owned()),
        reference_answer: is_good.then(|| text(answer)),
        source: Some("an answer rated by a reader".to_owned()),
    };
    let note = |note: &'a FootnoteView| RatedNote {
        file: &note.path,
        start: note.start,
        end: note.end,
        verdict: note.check.verdict().spec().name,
    };
    Rated {
        item,
        rating: rating.into(),
        asked_at: at as f64,
        strategy: STRATEGY,
        compared_by_meaning: answer.compared_by_meaning,
        model: answer.written.as_ref().map(|it| it.model.as_str()),
        files: answer.files.iter().cloned().map(FileRecord::from).collect(),
        footnotes: notes.iter().map(note).collect(),
    }
}

/// The files and lines with the answer: those that passed the check, without duplicates.
fn gold(notes: &[FootnoteView]) -> (Vec<String>, Vec<GoldSpan>) {
    let holds = |note: &&FootnoteView| {
        matches!(
            note.check,
            CheckView::Proven
                | CheckView::Supported
                | CheckView::LinesExist
                | CheckView::Repaired { .. }
        )
    };
    let (mut files, mut spans): (Vec<String>, Vec<GoldSpan>) = Default::default();
    for note in notes.iter().filter(holds) {
        if !files.contains(&note.path) {
            files.push(note.path.clone());
        }
        let span = GoldSpan {
            file: note.path.clone(),
            start: note.start,
            end: note.end,
        };
        if !spans.contains(&span) {
            spans.push(span);
        }
    }
    (files, spans)
}

fn text(answer: &AnswerView) -> String {
    match &answer.written {
        Some(written) => written.text.clone(),
        None => {
            let statements: Vec<String> = answer.statements.iter().map(plain).collect();
            statements.join("\n")
        }
    }
}
