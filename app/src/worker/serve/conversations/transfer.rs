//! Conversations as a whole: searched, exported, imported, and their rated answers as a set.

use std::rc::Rc;

use footnote_core::search::Question;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use super::exchange::{ConversationFile, ImportError, RepositoryOf};
use super::parts::{Handout, day};
use super::recheck::{Tally, is_derived, recheck};
use super::records::{About, Book, Key, answer_record, headline, rating_record};
use super::{Change, Conversations, formats, not_imported, rated, search, stored};
use crate::platform::clock::today_ms;
use crate::platform::fetch;
use crate::worker::protocol::{
    AnswerView, ConversationEvent, ConversationId, ConversationView, Event, ExportView, JobId,
    Notice, Rating,
};
use crate::worker::serve::answered::answered;
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::export;
use crate::worker::serve::notices;
use crate::worker::serve::records::prefix;
use crate::worker::serve::repo::OpenRepo;

impl Conversations {
    pub(super) async fn search_conversations(&self, job: JobId, open: &OpenRepo, query: &str) {
        let found = search::search(&self.book(open).await, query);
        self.services.end(job, ConversationEvent::Found(found));
    }

    pub(super) async fn export_conversation(
        &self,
        job: JobId,
        open: &OpenRepo,
        id: ConversationId,
        format: &str,
    ) {
        let book = self.book(open).await;
        let conversation = book.conversation(id);
        if conversation.turns.is_empty() {
            return self.services.fail(job, notices::nothing_to_export());
        }
        let day = day(today_ms());
        let handout = Handout {
            title: &book.title(id),
            repository: &open.index.repo.name,
            day: &day,
            conversation: &conversation,
        };
        let stem = export::stem("footnote", handout.title);
        let file = export::file(&formats::ALL, format, &stem, |write| {
            write(&handout, &open.index, &open.key)
        });
        match file {
            Ok(file) => self.services.end(job, Event::Exported(file)),
            Err(error) => self.services.fail(job, notices::not_exported(&error)),
        }
    }

    pub(super) async fn export_rated(&self, job: JobId, open: &OpenRepo, rating: Rating) {
        let name = &open.index.repo.name;
        let word = match rating {
            Rating::Good => "good",
            Rating::Bad => "bad",
        };
        match rated::set(&self.book(open).await, name, rating) {
            Ok(text) if text.is_empty() => self.services.fail(job, notices::nothing_rated(word)),
            Ok(text) => {
                let file = ExportView {
                    file_name: format!("{}.jsonl", export::stem(word, name)),
                    media_type: "application/jsonl".to_owned(),
                    text,
                };
                self.services.end(job, Event::Exported(file));
            }
            Err(error) => self
                .services
                .fail(job, notices::internal(&error.to_string())),
        }
    }

    /// Takes an exported conversation in as a new one, with everything in it checked again.
    pub(super) async fn import_conversation(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        body: JsValue,
        cancel: &Cancel,
    ) {
        let file = match read(body, open).await {
            Ok(file) => file,
            Err(notice) => return self.services.fail(job, notice),
        };
        let origin = file.repository.clone();
        let today = today_ms();
        let mut view = file.into_view(ConversationId(today as u64), today);
        let mut tally = Tally::default();
        for turn in &mut view.turns {
            let derived = self.derived(open, &turn.answer, cancel).await;
            if cancel.asked() {
                return;
            }
            let (answer, own) = recheck(&open.index, turn.answer.clone(), &derived);
            turn.answer = answer;
            tally += own;
        }
        view.about = Some(about(&origin, &open.key, tally));
        match records(&open.key, &view) {
            Ok(changes) => self.keep(job, open, changes).await,
            Err(error) => {
                return self
                    .services
                    .fail(job, notices::internal(&error.to_string()));
            }
        }
        self.services.end(job, ConversationEvent::Opened(view));
    }

    /// What Footnote itself answers to the question: by words, and, where that is not all of the answer,
    /// by meaning too.
    async fn derived(
        &self,
        open: &Rc<OpenRepo>,
        answer: &AnswerView,
        cancel: &Cancel,
    ) -> Vec<AnswerView> {
        let Ok(question) = Question::new(&answer.question) else {
            return Vec::new();
        };
        let mut derived = vec![answered(open, &question, None, true, 0.0)];
        if !is_derived(answer, &derived)
            && let Some(embedding) = self.encoders.compare(open, &question, cancel).await
        {
            derived.push(answered(open, &question, Some(&embedding), true, 0.0));
        }
        derived
    }

    /// Everything that is kept of the conversations of a repository.
    async fn book(&self, open: &OpenRepo) -> Book {
        let all = prefix(&open.key);
        Book::read(
            &open.key,
            self.records(&open.key, &open.unsaved, &all).await,
        )
    }
}

async fn read(body: JsValue, open: &OpenRepo) -> Result<ConversationFile, Notice> {
    let refused = |error: ImportError| not_imported(&error);
    let missing = || notices::unreadable("the conversation", "no file came with it");
    let blob: Blob = body.dyn_into().map_err(|_| missing())?;
    let bytes = fetch::read(&blob)
        .await
        .map_err(|detail| notices::unreadable("the conversation", &detail))?;
    let file = ConversationFile::read(&bytes).map_err(refused)?;
    file.belongs_to(&open.index, &open.key).map_err(refused)?;
    Ok(file)
}

/// What the reader should know of an imported conversation.
fn about(origin: &RepositoryOf, key: &str, tally: Tally) -> String {
    let Tally {
        statements,
        verified,
    } = tally;
    let result = format!("{verified} of {statements} statements verified");
    match origin.key == key {
        true => format!("Imported and checked again: {result}."),
        false => format!(
            "Imported from {}, which is not what is open here, and checked again: {result} in this version.",
            origin.name
        ),
    }
}

/// The records of a whole conversation, which is the one that is open from now on.
fn records(repo: &str, view: &ConversationView) -> Result<Vec<Change>, serde_json::Error> {
    let first = view.turns.first().map(|turn| &turn.answer.question);
    let about = About {
        title: view.title.clone(),
        first: first.map(|first| headline(first)).unwrap_or_default(),
        about: view.about.clone(),
    };
    let mut changes = vec![
        Change::Put(Key::About(view.id).of(repo), stored::write(&about)?),
        Change::Put(Key::Open.of(repo), view.id.0.to_string()),
    ];
    for turn in &view.turns {
        let at = turn.answer.asked_at as u64;
        let answer = answer_record(&turn.answer)?;
        changes.push(Change::Put(Key::Turn(view.id, at).of(repo), answer));
        if let Some(rating) = turn.rating {
            let key = Key::Rating(view.id, at).of(repo);
            changes.push(Change::Put(key, rating_record(rating)?));
        }
    }
    Ok(changes)
}
