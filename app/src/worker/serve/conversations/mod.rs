//! Conversations of the open repository: stored, listed, searched, rated, exported and imported.
//! [`records`] defines their storage, [`stored`] the form of an answer there and in exported files.
//! An export is split into [`parts`] and written as [`markdown`], [`html`] or, to be imported
//! again, [`exchange`]; [`recheck`] is what an imported conversation must pass, unless it is
//! [`signed`] by this browser.

mod cited;
pub mod exchange;
pub(super) mod formats;
mod html;
mod markdown;
mod parts;
mod rated;
pub mod recheck;
pub(super) mod records;
mod search;
mod signed;
mod stored;
#[cfg(test)]
pub(super) mod tests;
mod transfer;

use std::collections::BTreeMap;
use std::rc::Rc;

use footnote_core::index::Index;
use wasm_bindgen::JsValue;

use self::exchange::ImportError;
use self::records::{
    About, Book, Key, abouts, answer_record, headline, rating_record, ratings_of, turns_of,
};
use self::transfer::checked;
use super::cancel::Cancel;
use super::encoders::Encoders;
use super::notices;
use super::records::prefix;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use super::unsaved::{Change, Unsaved};
use crate::platform::clock::today_ms;
use crate::platform::idb::StorageError;
use crate::worker::protocol::{
    AnswerView, ConversationEvent, ConversationId, ConversationRequest, ConversationView, Event,
    JobId, Notice, Rating,
};

/// Stores the conversations of the open repository and answers requests about them.
pub struct Conversations {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
}

impl Conversations {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>, encoders: &Rc<Encoders>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
        })
    }

    pub async fn serve(
        &self,
        job: JobId,
        request: ConversationRequest,
        body: JsValue,
        cancel: &Cancel,
    ) {
        use ConversationRequest as Wanted;
        // A conversation may be dropped right after its repository.
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        let open = &open;
        match request {
            Wanted::Open { id } => self.open_conversation(job, open, id).await,
            Wanted::List => self.list_conversations(job, open).await,
            Wanted::Rename { id, title } => {
                self.rename_conversation(job, open, id, &title).await;
                self.list_conversations(job, open).await;
            }
            Wanted::Delete { id } => {
                self.delete_conversation(job, open, id).await;
                self.list_conversations(job, open).await;
            }
            Wanted::Clear => self.clear_conversations(job, open).await,
            Wanted::Search { query } => self.search_conversations(job, open, &query).await,
            Wanted::Export { id, format } => {
                self.export_conversation(job, open, id, &format).await;
            }
            Wanted::Import => self.import_conversation(job, open, body, cancel).await,
            Wanted::ExportRated { rating } => self.export_rated(job, open, rating).await,
            Wanted::Rate {
                id,
                asked_at,
                rating,
            } => {
                self.rate(job, open, id, asked_at, rating).await;
                self.services.end(job, Event::Done);
            }
        }
    }

    /// Returns the conversation of a repository that was open last, or otherwise a new one.
    pub async fn last(&self, repo: &str, index: &Index) -> ConversationView {
        let nothing = Unsaved::default();
        let opened = self.records(repo, &nothing, &Key::Open.of(repo)).await;
        let id = match Book::read(repo, opened).open {
            Some(id) => id,
            // Versions with only one conversation per repository did not record which one was open.
            None => {
                let earlier = turns_of(repo, ConversationId::EARLIER);
                match self.records(repo, &nothing, &earlier).await.is_empty() {
                    true => ConversationId(today_ms() as u64),
                    false => ConversationId::EARLIER,
                }
            }
        };
        self.of(repo, index, &nothing, id).await
    }

    pub async fn of(
        &self,
        repo: &str,
        index: &Index,
        unsaved: &Unsaved,
        id: ConversationId,
    ) -> ConversationView {
        let mut all = Vec::new();
        for under in [
            Key::About(id).of(repo),
            turns_of(repo, id),
            ratings_of(repo, id),
        ] {
            all.extend(self.records(repo, unsaved, &under).await);
        }
        checked(&Book::read(repo, all), index, id)
    }

    async fn open_conversation(&self, job: JobId, open: &OpenRepo, id: ConversationId) {
        let view = self.of(&open.key, &open.index, &open.unsaved, id).await;
        self.services.end(job, ConversationEvent::Opened(view));
        let opened = Change::Put(Key::Open.of(&open.key), id.0.to_string());
        self.keep(job, open, vec![opened]).await;
    }

    async fn list_conversations(&self, job: JobId, open: &OpenRepo) {
        let repo = &open.key;
        let known = self.records(repo, &open.unsaved, &abouts(repo)).await;
        let abouts: BTreeMap<ConversationId, About> = Book::read(repo, known).abouts;
        let earlier = turns_of(repo, ConversationId::EARLIER);
        let earlier = self.records(repo, &open.unsaved, &earlier).await;
        let earliest = Book::read(repo, earlier.into_iter().take(1)).turns;
        let earliest = earliest.values().next();
        let first = earliest.map(|answer| answer.question.as_str());
        let saved = self.services.storage.conversation_keys(&prefix(repo)).await;
        let saved = saved.unwrap_or_default().into_iter();
        let saved = saved.map(|key| (key, String::new())).collect();
        let keys = open.unsaved.over(&prefix(repo), saved);
        let keys: Vec<String> = keys.into_iter().map(|(key, _)| key).collect();
        let list = records::list(repo, &keys, &abouts, first);
        self.services.end(job, ConversationEvent::Listed(list));
    }

    async fn rename_conversation(
        &self,
        job: JobId,
        open: &OpenRepo,
        id: ConversationId,
        title: &str,
    ) {
        let Some(mut about) = self.about(open, id).await else {
            return self.services.warn(
                job,
                notices::saved_by_later("the name of this conversation"),
            );
        };
        about.title = title.trim().to_owned();
        self.keep_about(job, open, id, &about).await;
    }

    async fn delete_conversation(&self, job: JobId, open: &OpenRepo, id: ConversationId) {
        open.unsaved.deleted(Some(id), today_ms());
        let repo = &open.key;
        let changes = vec![
            Change::Delete(Key::About(id).of(repo)),
            Change::DeleteUnder(turns_of(repo, id)),
            Change::DeleteUnder(ratings_of(repo, id)),
        ];
        self.keep(job, open, changes).await;
    }

    async fn clear_conversations(&self, job: JobId, open: &OpenRepo) {
        open.unsaved.deleted(None, today_ms());
        let all = vec![Change::DeleteUnder(prefix(&open.key))];
        self.keep(job, open, all).await;
        self.services.end(job, Event::Done);
    }

    async fn rate(
        &self,
        job: JobId,
        open: &OpenRepo,
        id: ConversationId,
        asked_at: f64,
        rating: Option<Rating>,
    ) {
        let key = Key::Rating(id, asked_at as u64).of(&open.key);
        let change = match rating.map(rating_record) {
            None => Change::Delete(key),
            Some(Ok(value)) => Change::Put(key, value),
            Some(Err(error)) => {
                return self
                    .services
                    .warn(job, notices::internal(&error.to_string()));
            }
        };
        self.keep(job, open, vec![change]).await;
    }

    /// Stores an answer to the question asked at `at_ms`. It replaces an earlier one with the same
    /// time, so it is called again whenever something was added to the answer.
    pub async fn keep_answer(
        &self,
        job: JobId,
        open: &OpenRepo,
        conversation: ConversationId,
        at_ms: f64,
        answer: &AnswerView,
    ) {
        if open.unsaved.is_too_late(conversation, at_ms) {
            return;
        }
        let key = Key::Turn(conversation, at_ms as u64).of(&open.key);
        let value = match answer_record(answer) {
            Ok(value) => value,
            Err(error) => {
                return self
                    .services
                    .warn(job, notices::internal(&error.to_string()));
            }
        };
        let opened = Change::Put(Key::Open.of(&open.key), conversation.0.to_string());
        self.keep(job, open, vec![Change::Put(key, value), opened])
            .await;
        let Some(mut about) = self.about(open, conversation).await else {
            return;
        };
        if about.first.is_empty() && conversation != ConversationId::EARLIER {
            about.first = headline(&answer.question);
            self.keep_about(job, open, conversation, &about).await;
        }
    }

    /// Returns the record of a conversation; `None` if a later version of Footnote saved it, which
    /// must not be overwritten.
    async fn about(&self, open: &OpenRepo, id: ConversationId) -> Option<About> {
        let key = Key::About(id).of(&open.key);
        let known = self.records(&open.key, &open.unsaved, &key).await;
        let mut book = Book::read(&open.key, known);
        let is_later = book.later.contains(&Key::About(id));
        (!is_later).then(|| book.abouts.remove(&id).unwrap_or_default())
    }

    async fn keep_about(&self, job: JobId, open: &OpenRepo, id: ConversationId, about: &About) {
        match stored::write(about) {
            Ok(value) => {
                let change = Change::Put(Key::About(id).of(&open.key), value);
                self.keep(job, open, vec![change]).await;
            }
            Err(error) => self
                .services
                .warn(job, notices::internal(&error.to_string())),
        }
    }

    /// Returns the records under `prefix`, saved or not, in key order. Records that cannot be read
    /// are skipped.
    async fn records(&self, repo: &str, unsaved: &Unsaved, prefix: &str) -> Vec<(String, String)> {
        debug_assert!(prefix.starts_with(repo), "{prefix} is not of {repo}");
        let saved = self.services.storage.conversation_records(prefix).await;
        unsaved.over(prefix, saved.unwrap_or_default())
    }

    /// Saves changes, or keeps them in memory if they cannot be saved (yet).
    async fn keep(&self, job: JobId, open: &OpenRepo, changes: Vec<Change>) {
        if !open.keep.get() {
            // Only what an earlier visit saved can be there to delete.
            let deletes = |change: &&Change| !matches!(change, Change::Put(..));
            let deletes: Vec<Change> = changes.iter().filter(deletes).cloned().collect();
            if !deletes.is_empty() {
                let _ = self.services.storage.change_conversations(&deletes).await;
            }
            return open.unsaved.keep(changes);
        }
        match self.services.storage.change_conversations(&changes).await {
            Ok(()) => open.unsaved.settle(&changes),
            Err(error) => {
                open.unsaved.keep(changes);
                if let StorageError::Full | StorageError::Failed(_) = error {
                    self.services.warn(job, notices::storage(&error));
                }
            }
        }
    }

    /// Saves what had to wait until the repository was saved.
    pub async fn keep_unsaved(&self, job: JobId, open: &OpenRepo) {
        let waiting = open.unsaved.take();
        if !waiting.is_empty() {
            self.keep(job, open, waiting).await;
        }
    }
}

/// Why a file was not imported, and what to do instead.
fn not_imported(error: &ImportError) -> Notice {
    let next = match error {
        ImportError::NotOne(_) => "Choose a file that was saved with “Save as JSON”.",
        ImportError::Later(_) => "Use that version to open it.",
        ImportError::Empty => "Choose a conversation with at least one answer.",
        ImportError::OtherRepository(_) => "Open that repository first, then import it.",
    };
    notices::not_imported(error.to_string(), next)
}
