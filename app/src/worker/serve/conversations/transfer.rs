//! Whole conversations: searched, exported, imported, and their rated answers as a question set.

use std::rc::Rc;

use footnote_core::index::Index;
use footnote_core::search::Question;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use super::exchange::{ConversationFile, ImportError, RepositoryOf};
use super::parts::{Handout, day};
use super::recheck::{self, is_derived};
use super::records::{About, Book, Key, answer_record, headline, rating_record};
use super::signed::{self, Origin, Signature, Verifier};
use super::{Change, Conversations, exchange, formats, not_imported, rated, search, stored};
use crate::platform::clock::today_ms;
use crate::platform::fetch;
use crate::platform::signing::SigningKey;
use crate::worker::protocol::{
    AnswerView, ConversationEvent, ConversationId, ConversationView, CountsView, Event, ExportView,
    JobId, Notice, Rating,
};
use crate::worker::serve::answered::{self, Asked};
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
        let conversation = checked(&book, &open.index, id);
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
            Ok(file) if format == exchange::FORMAT.spec.name => {
                let bytes = self.signed(file.text().into_owned()).await.into_bytes();
                let file = ExportView { bytes, ..file };
                self.services.end(job, Event::Exported(file));
            }
            Ok(file) => self.services.end(job, Event::Exported(file)),
            Err(error) => self.services.fail(job, notices::not_exported(&error)),
        }
    }

    /// Signs a file with this browser's key; returns it unchanged if the browser cannot sign.
    async fn signed(&self, text: String) -> String {
        let Some(key) = self.services.storage.signing_key(true).await else {
            return text;
        };
        let Ok(code) = key.sign(text.as_bytes()).await else {
            return text;
        };
        let by = key.id().to_owned();
        signed::signed(&text, &Signature { by, code }).unwrap_or(text)
    }

    /// Returns the answers that were rated good, as a question set; empty if there are none.
    pub async fn good_answers(&self, open: &OpenRepo) -> Result<String, Notice> {
        let book = self.book(open).await;
        let set = rated::set(&book, &open.index.repo.name, Rating::Good);
        set.map_err(|error| notices::internal(&error.to_string()))
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
                    bytes: text.into_bytes(),
                };
                self.services.end(job, Event::Exported(file));
            }
            Err(error) => self
                .services
                .fail(job, notices::internal(&error.to_string())),
        }
    }

    /// Imports an exported conversation as a new one. If this browser saved it about the same
    /// files, it is taken unchanged; otherwise everything in it is checked again.
    pub(super) async fn import_conversation(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        body: JsValue,
        cancel: &Cancel,
    ) {
        let (file, bytes) = match read(body, open).await {
            Ok(read) => read,
            Err(notice) => return self.services.fail(job, notice),
        };
        let key = self.services.storage.signing_key(false).await;
        let origin = signed::origin(&bytes, key.as_ref()).await;
        let repository = file.repository.clone();
        let is_kept = origin == Origin::Own && repository.key == open.key;
        let today = today_ms();
        let mut view = file.into_view(ConversationId(today as u64), today);
        let mut earlier: Vec<String> = Vec::new();
        for turn in &mut view.turns {
            if is_kept {
                recheck::settle(&mut turn.answer);
                continue;
            }
            let derived = self.derived(open, &turn.answer, &earlier, cancel).await;
            earlier.push(turn.answer.question.clone());
            if cancel.asked() {
                return;
            }
            turn.answer = recheck::imported(&open.index, turn.answer.clone(), &derived);
        }
        view.about = Some(about(&repository, &open.key, origin, &view));
        match records(&open.key, &view) {
            Ok(changes) => self.keep(job, open, changes).await,
            Err(error) => {
                let notice = notices::internal(&error.to_string());
                return self.services.fail(job, notice);
            }
        }
        self.services.end(job, ConversationEvent::Opened(view));
    }

    /// Returns Footnote's own answers to the question that follows the `earlier` ones: by words,
    /// and, if that is not the complete answer, also by meaning.
    async fn derived(
        &self,
        open: &Rc<OpenRepo>,
        answer: &AnswerView,
        earlier: &[String],
        cancel: &Cancel,
    ) -> Vec<AnswerView> {
        let Ok(question) = Question::new(&answer.question) else {
            return Vec::new();
        };
        let asked = Asked::new(&open.index, question, earlier);
        let (by_words, found) = answered::first(open, &asked, 0.0);
        let mut derived = vec![by_words];
        if !is_derived(answer, &derived)
            && let Some(embedding) = self.encoders.compare(open, asked.question(), cancel).await
        {
            let by_meaning = answered::refined(open, &asked, Some(&embedding), &found, 0.0);
            derived.push(by_meaning);
        }
        derived
    }

    /// Returns all conversation records of a repository.
    async fn book(&self, open: &OpenRepo) -> Book {
        let all = prefix(&open.key);
        Book::read(
            &open.key,
            self.records(&open.key, &open.unsaved, &all).await,
        )
    }
}

impl Verifier for SigningKey {
    fn id(&self) -> &str {
        self.id()
    }

    async fn is_own(&self, content: &[u8], code: &str) -> bool {
        self.verify(content, code).await
    }
}

/// Returns a conversation for display; answers of earlier versions are checked as this version
/// does.
pub(super) fn checked(book: &Book, index: &Index, id: ConversationId) -> ConversationView {
    let mut view = book.conversation(id);
    let is_imported = book.is_imported_earlier(id);
    for turn in &mut view.turns {
        let at = turn.answer.asked_at as u64;
        if book.earlier.contains(&(id, at)) {
            recheck::of_earlier_version(index, &mut turn.answer, is_imported);
        }
    }
    view
}

async fn read(body: JsValue, open: &OpenRepo) -> Result<(ConversationFile, Vec<u8>), Notice> {
    let refused = |error: ImportError| not_imported(&error);
    let missing = || notices::unreadable("the conversation", "no file came with it");
    let blob: Blob = body.dyn_into().map_err(|_| missing())?;
    let bytes = fetch::read(&blob)
        .await
        .map_err(|detail| notices::unreadable("the conversation", &detail))?;
    let file = ConversationFile::read(&bytes).map_err(refused)?;
    file.belongs_to(&open.index, &open.key).map_err(refused)?;
    Ok((file, bytes))
}

/// A note for the reader of an imported conversation.
pub(super) fn about(
    repository: &RepositoryOf,
    key: &str,
    origin: Origin,
    view: &ConversationView,
) -> String {
    let is_same = repository.key == key;
    if origin == Origin::Own && is_same {
        return "Imported: this browser saved this file, and nothing in it has changed.".to_owned();
    }
    let why = match origin {
        Origin::Own => "This browser saved the file, but its answers are about different files.",
        Origin::Altered => "This browser saved the file, but it has been changed since.",
        Origin::Elsewhere => "Another browser signed the file.",
        Origin::Unsigned => "The file is not signed by this browser.",
    };
    let of = match is_same {
        true => String::new(),
        false => format!(
            " It is about {}, which is not the repository open here.",
            repository.name
        ),
    };
    let mut counts = CountsView::default();
    for turn in &view.turns {
        counts += recheck::counts(&turn.answer);
    }
    format!(
        "Imported and checked again, against the lines only: {}. {why}{of} It is not known who wrote it or what was sent to a model, so a statement is shown as proven only if Footnote itself makes the same one.",
        counts.told()
    )
}

/// The records of a whole conversation, which becomes the open one.
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
