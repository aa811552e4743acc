//! Answers a question from the current state of the open repository.

use footnote_core::answer::{self, Answer, Resolved};
use footnote_core::embed::Embedding;
use footnote_core::index::Index;
use footnote_core::pipeline::{Chosen, Made, Preset};
use footnote_core::search::{Question, compared_by_meaning};

use super::repo::OpenRepo;
use super::views::{self, Measured};
use crate::platform::clock::now_ms;
use crate::worker::protocol::{AnswerView, AsksFirstView, ByPipeline};

/// Most earlier questions to consider: each may depend on the one before it.
const MAX_EARLIER: usize = 16;

/// A question as typed, and as searched.
#[derive(Clone, Debug)]
pub struct Asked {
    typed: Question,
    resolved: Resolved,
}

impl Asked {
    /// Reads a question that follows the `earlier` ones of its conversation, oldest first.
    pub fn new(index: &Index, typed: Question, earlier: &[String]) -> Self {
        let last = earlier.len().saturating_sub(MAX_EARLIER);
        let earlier = earlier.get(last..).unwrap_or_default();
        let earlier: Vec<&str> = earlier.iter().map(String::as_str).collect();
        let resolved = answer::resolve(index, &typed, &earlier);
        Self { typed, resolved }
    }

    /// Limits the question to these folders, whatever else it is limited to.
    pub fn within_folders<'f>(self, index: &Index, folders: impl Iterator<Item = &'f str>) -> Self {
        let scope: String = folders.map(|folder| format!("@{folder}/ ")).collect();
        let scoped = Question::new(&format!("{scope}{}", self.question().written()));
        match scoped {
            Ok(scoped) if !scope.is_empty() => {
                let scoped = answer::resolve(index, &scoped, &[]);
                let note = answer::joined(self.resolved.note.clone(), scoped.note);
                let resolved = Resolved { note, ..scoped };
                Self { resolved, ..self }
            }
            _ => self,
        }
    }

    /// The question as searched.
    pub fn question(&self) -> &Question {
        &self.resolved.question
    }

    /// Notes in an answer how the question was understood.
    pub fn note_in(&self, view: &mut AnswerView) {
        let (typed, searched) = (self.typed.text(), self.question().written());
        view.question = typed.to_owned();
        view.asked_as = (typed != searched).then_some(searched);
        view.note = answer::joined(self.resolved.note.clone(), view.note.take());
    }
}

/// Returns the answer by words, and the data it was made from; its milliseconds count from
/// `started`.
pub fn first(open: &OpenRepo, asked: &Asked, started: f64) -> (AnswerView, answer::Asked) {
    let vectors = open.vectors.borrow();
    let found = answer::ask(&open.index, &vectors, asked.question(), None);
    let measured = Measured {
        refined: false,
        milliseconds: 0.0,
        compared_by_meaning: compared_by_meaning(&open.index, &vectors, None) as u32,
    };
    (view(open, asked, &found, measured, started), found)
}

/// Returns the answer that also uses meaning, as far as there is an `embedding`; `before` is the
/// data that the first answer was made from.
pub fn refined(
    open: &OpenRepo,
    asked: &Asked,
    embedding: Option<&Embedding>,
    before: &answer::Asked,
    started: f64,
) -> AnswerView {
    let vectors = open.vectors.borrow();
    let found = answer::ask_again(&open.index, &vectors, asked.question(), embedding, before);
    let compared = compared_by_meaning(&open.index, &vectors, embedding);
    let measured = Measured {
        refined: true,
        milliseconds: 0.0,
        compared_by_meaning: compared as u32,
    };
    view(open, asked, &found, measured, started)
}

/// Returns the answer by a pipeline, with the lines that would be shown to a model.
pub fn by_pipeline(
    index: &Index,
    asked: &Asked,
    preset: &Preset,
    made: &Made,
    started: f64,
) -> AnswerView {
    let mut told = made.answer.clone();
    told.fit = asked.resolved.fit(told.fit);
    let by = Some(format!("Answered by “{}”.", preset.title));
    told.note = answer::joined(answer::joined(by, told.note), made.instead());
    let searched_for = made.rewritten.as_ref();
    let searched_for = searched_for.and_then(|it| it.text.as_deref().ok());
    if let Some(text) = searched_for {
        let written = format!("The language model wrote the search query: “{text}”.");
        told.note = answer::joined(told.note, Some(written));
    }
    told.note = answer::joined(
        told.note,
        made.chosen.as_ref().and_then(|it| chose(index, it)),
    );
    let measured = Measured {
        refined: true,
        milliseconds: 0.0,
        compared_by_meaning: made.compared as u32,
    };
    let text = asked.question().text();
    let mut view = views::answer(index, text, &told, &made.hits, measured);
    asked.note_in(&mut view);
    view.milliseconds = now_ms() - started;
    view.by = Some(ByPipeline {
        name: preset.name.to_owned(),
        title: preset.title.to_owned(),
        offered: made.context().iter().map(views::offered).collect(),
        searched_for: searched_for.map(str::to_owned),
    });
    view
}

/// Says which files a model chose.
fn chose(index: &Index, chosen: &Chosen) -> Option<String> {
    let files = chosen.files.as_ref().ok()?.iter();
    let paths = files.filter_map(|&file| Some(index.repo.file(file)?.path.as_str()));
    let paths: Vec<&str> = paths.collect();
    let (n, from) = (paths.len(), chosen.from);
    let list = paths.join(", ");
    let said = format!("The language model chose {n} of {from} files: {list}.");
    Some(match chosen.unknown.len() {
        0 => said,
        1 => format!("{said} One name in its list is not among them."),
        n => format!("{said} {n} names in its list are not among them."),
    })
}

/// Returns a placeholder for an answer that says what would be sent to a model first.
pub fn asking_first(index: &Index, asked: &Asked, first: AsksFirstView) -> AnswerView {
    let told = Answer {
        kind: None,
        fit: answer::Fit::Likely,
        outcome: answer::Outcome::Nothing { why: String::new() },
        files: Vec::new(),
        note: None,
    };
    let measured = Measured {
        refined: true,
        milliseconds: 0.0,
        compared_by_meaning: 0,
    };
    let mut view = views::answer(index, asked.question().text(), &told, &[], measured);
    view.nothing = None;
    view.asks_first = Some(first);
    view
}

fn view(
    open: &OpenRepo,
    asked: &Asked,
    found: &answer::Asked,
    measured: Measured,
    started: f64,
) -> AnswerView {
    let text = asked.question().text();
    let mut told = found.answer.clone();
    told.fit = asked.resolved.fit(told.fit);
    let mut view = views::answer(&open.index, text, &told, &found.hits, measured);
    asked.note_in(&mut view);
    view.milliseconds = now_ms() - started;
    view
}

#[cfg(test)]
mod tests {
    use footnote_core::chunk::Chunking;
    use footnote_core::index::IndexBuilder;
    use footnote_core::job::run_to_end;
    use footnote_core::source::{Repo, SourceFile};

    use super::*;
    use crate::worker::serve::conversations::tests::answer;

    fn read(typed: &str, earlier: &[&str]) -> AnswerView {
        let text = "class Session:\n    def send(self):\n        pass\n";
        let repo = Repo {
            files: vec![SourceFile {
                path: "a.py".to_owned(),
                text: text.to_owned(),
            }],
            ..Repo::default()
        };
        let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
        let earlier: Vec<String> = earlier.iter().map(|it| (*it).to_owned()).collect();
        let asked = Asked::new(&index, Question::new(typed).unwrap(), &earlier);
        let mut view = answer("", &[]);
        view.note = Some("It is long.".into());
        asked.note_in(&mut view);
        view
    }

    #[test]
    fn a_follow_up_is_shown_as_typed_and_searched_as_it_is_meant() {
        let follow_up = "where is it defined?";
        let view = read(follow_up, &["Who calls Session.send?"]);
        assert_eq!(view.question, follow_up);
        assert_eq!(view.searched(), "where is Session.send defined?");
        assert_eq!(
            view.note.as_deref(),
            Some("Asked as: “where is Session.send defined?” It is long.")
        );
    }

    #[test]
    fn a_standalone_question_is_left_alone() {
        let view = read("Who calls Session.send?", &[]);
        assert_eq!(
            (view.asked_as, view.note.as_deref()),
            (None, Some("It is long."))
        );
    }
}
