//! Descriptions: what the parts of the open repository do, in words, written by code or by the
//! connected model.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::chunk::ChunkId;
use footnote_core::describe::{self, Written};
use footnote_core::index::{Text, Texts, Writer};
use footnote_core::lab::describing::{DescribeOrder, Describing, PROMPTS, Prompt, Scope};
use footnote_core::lab::questions::{Ask, Budget, Reply};
use footnote_core::model::prompt::answer_tokens;
use footnote_core::search::{Question, Strategy, search};
use wasm_bindgen::JsValue;

use super::asking::{Asking, NotSaid};
use super::make::bytes;
use super::task::Outlook;
use super::{Laboratory, MOST};
use crate::words::count;
use crate::worker::protocol::{
    Event, ExportView, JobId, LabDescribeOrderView, LabDescribeRequest, LabDescribeScope,
    LabDescribedView, LabEvent, LabGrantView, LabTextView, Notice,
};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::connect::Connection;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::{described, export, notices};

/// The purpose of these requests, as shown in the ledger.
const PURPOSE: &str = "descriptions of code";

/// Most tokens of one prompt, not counting the answer.
const WINDOW: usize = 6_000;

/// Number of parts shown at a time.
const SHOWN: usize = 50;

/// The notes about a run for the reader.
#[derive(Default)]
struct Told {
    note: Option<String>,
    unsaved: Option<String>,
}

impl Laboratory {
    pub(super) async fn descriptions(
        &self,
        job: JobId,
        request: LabDescribeRequest,
        body: JsValue,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        let storage = &self.services.storage;
        match request {
            LabDescribeRequest::Show { filter } => {
                self.tell_described(job, &open, &filter, Told::default(), cancel)
                    .await;
            }
            LabDescribeRequest::Forget => {
                let forgotten = described::forget(storage, &open).await;
                forgotten.map_err(|error| notices::storage(&error))?;
                self.tell_described(job, &open, "", Told::default(), cancel)
                    .await;
            }
            LabDescribeRequest::Export => self.export_described(job, &open, cancel).await,
            LabDescribeRequest::Read { file_name } => {
                let text = bytes(body)
                    .await
                    .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                let read = text.and_then(|text| describe::read(&text).map_err(|it| it.to_string()));
                let read = read.map_err(|why| notices::no_descriptions(&file_name, &why))?;
                let mut written = Written::clone(&*described::written(storage, &open).await);
                written.0.extend(read.0);
                let told = self.take_described(&open, written).await;
                self.tell_described(job, &open, "", told, cancel).await;
            }
        }
        Ok(())
    }

    pub(super) async fn outlook_of_describing(
        &self,
        open: &Rc<OpenRepo>,
        connection: &Connection,
        order: &LabDescribeOrderView,
    ) -> Result<Outlook, Notice> {
        let mut run = self.describing(open, connection, order).await?;
        let estimate = run.estimate();
        let first = run.request(&connection.model);
        Ok(Outlook {
            estimate,
            first: first.map(|ask| ask.chat),
        })
    }

    /// Creates a run whose budget is not known yet.
    async fn describing(
        &self,
        open: &Rc<OpenRepo>,
        connection: &Connection,
        order: &LabDescribeOrderView,
    ) -> Result<Describing, Notice> {
        let window = connection.window;
        let room = window.saturating_sub(answer_tokens(window)) as usize;
        let prompt = Prompt::from_name(&order.prompt).or(PROMPTS.first());
        let prompt = prompt.ok_or_else(|| notices::internal("there is no prompt"))?;
        let order = DescribeOrder {
            scope: scope(open, &order.scope)?,
            prompt,
            window: WINDOW.min(room),
        };
        let before = described::written(&self.services.storage, open).await;
        let before = Written::clone(&before);
        Ok(Describing::new(Arc::clone(&open.index), order, before))
    }

    pub(super) async fn describe(
        &self,
        job: JobId,
        (open, connection): (&Rc<OpenRepo>, &Rc<Connection>),
        order: LabDescribeOrderView,
        grant: LabGrantView,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        self.encoders.table_settled(open, cancel).await;
        let mut run = self.describing(open, connection, &order).await?;
        run.allow(Budget {
            requests: grant.most.requests,
            tokens: grant.most.tokens.into(),
        });
        let wanted = (run.progress().1 as u32, grant.most);
        let asking = Asking::new(self, (open, connection), (job, cancel), wanted);
        let is_paused = self.have_described(&mut run, &asking).await;
        if !self.is_wanted(open, job) {
            return Ok(());
        }
        let is_spent = run.is_spent() || asking.is_spent();
        let told = self.take_described(open, run.written().clone()).await;
        let told = Told {
            note: Some(ended(&run, is_paused, is_spent)),
            ..told
        };
        self.working.set(None);
        self.tell_described(job, open, "", told, &Cancel::default())
            .await;
        Ok(())
    }

    /// Asks until everything is described; returns true if the user paused it.
    async fn have_described(&self, run: &mut Describing, asking: &Asking<'_>) -> bool {
        while let Some(Ask { key, chat, .. }) = run.request(&asking.connection.model) {
            match asking.said(&key, PURPOSE, chat).await {
                Ok(said) => run.answer(Reply {
                    text: &said.text,
                    answer_tokens: said.tokens,
                    from_cache: said.is_from_earlier,
                }),
                Err(NotSaid::Over) => return !asking.is_spent(),
                Err(NotSaid::Failed(failure)) => run.fail(&failure.what()),
            }
            asking.view.borrow_mut().done = run.progress().0 as u32;
            asking.tell();
            if asking.cancel.asked() {
                return true;
            }
        }
        false
    }

    /// Gives the repository what models wrote, and saves it.
    async fn take_described(&self, open: &OpenRepo, written: Written) -> Told {
        let kept = described::take(&self.services.storage, open, written).await;
        Told {
            unsaved: kept.err(),
            note: None,
        }
    }

    async fn tell_described(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        filter: &str,
        told: Told,
        cancel: &Cancel,
    ) {
        self.encoders.table_settled(open, cancel).await;
        described::settle(&self.services.storage, open, cancel).await;
        let texts = open.index.texts();
        let view = texts.map(|texts| view(open, &texts, filter, told));
        let event = LabEvent::Described(view.unwrap_or_default());
        self.services.end(job, event);
    }

    async fn export_described(&self, job: JobId, open: &Rc<OpenRepo>, cancel: &Cancel) {
        described::settle(&self.services.storage, open, cancel).await;
        let texts = open.index.texts();
        let lines = texts.map(|texts| describe::export(&open.index, &texts));
        let stem = export::stem("descriptions", &open.index.repo.name);
        let file = ExportView {
            file_name: format!("{stem}.jsonl"),
            media_type: "application/jsonl".to_owned(),
            bytes: lines.unwrap_or_default().into_bytes(),
        };
        self.services.end(job, Event::Exported(file));
    }
}

/// Returns the requested chunks.
fn scope(open: &OpenRepo, wanted: &LabDescribeScope) -> Result<Scope, Notice> {
    Ok(match wanted {
        LabDescribeScope::All => Scope::All,
        LabDescribeScope::Folder(folder) => Scope::Folder(folder.clone()),
        LabDescribeScope::Best { question, count } => {
            let question = Question::new(question);
            let question = question.map_err(|error| notices::bad_question(&error))?;
            let vectors = open.vectors.borrow();
            let most = (*count).min(MOST) as usize;
            let strategy = Strategy::default();
            let hits = search(&open.index, &vectors, &question, None, &strategy, most);
            Scope::Chunks(hits.into_iter().map(|hit| hit.chunk).collect())
        }
    })
}

/// Says how a run ended, in sentences.
fn ended(run: &Describing, is_paused: bool, is_spent: bool) -> String {
    let ((done, wanted), (doubtful, lost)) = (run.progress(), run.troubles());
    let mut told = format!("{done} of {} described.", count(wanted as u64, "part"));
    if let Some(why) = run.failure() {
        told += &format!(
            " Several requests in a row failed, the last because: {}. Send again to continue.",
            why.trim_end_matches('.')
        );
    } else if is_spent {
        told +=
            " The budget is used up. Estimate and send again to continue; nothing is asked twice.";
    } else if is_paused {
        told += " Paused. Estimate and send again to continue; nothing is asked twice.";
    }
    if doubtful > 0 {
        told += &format!(" {} marked as doubtful.", are(doubtful));
    }
    if lost > 0 {
        told += &format!(
            " {} returned no description.",
            count(lost as u64, "request")
        );
    }
    told
}

fn are(n: usize) -> String {
    match n {
        1 => "1 new description is".to_owned(),
        n => format!("{n} new descriptions are"),
    }
}

fn view(open: &OpenRepo, texts: &Texts, filter: &str, told: Told) -> LabDescribedView {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let all = open.index.chunk_ids();
    let all = all.filter_map(|(id, _)| Some((id, texts.of(id)?)));
    let mut found: Vec<(ChunkId, &Text)> = all
        .filter(|(id, text)| holds(open, *id, text, &words))
        .collect();
    found.sort_by_key(|(_, text)| text.writer == Writer::Code);
    let shown = found.iter().take(SHOWN);
    LabDescribedView {
        parts: texts.len() as u32,
        by_model: texts.written().count() as u32,
        doubtful: texts
            .written()
            .filter(|(_, it)| !it.doubts.is_empty())
            .count() as u32,
        shown: shown
            .filter_map(|(id, text)| text_view(open, *id, text))
            .collect(),
        found: found.len() as u32,
        note: told.note,
        unsaved: told.unsaved,
    }
}

fn holds(open: &OpenRepo, chunk: ChunkId, text: &Text, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let path = open.index.path_of(chunk).unwrap_or_default();
    let all = format!("{path}\n{}\n{}", open.index.title(chunk), text.text).to_lowercase();
    words.iter().all(|word| all.contains(word))
}

fn text_view(open: &OpenRepo, chunk: ChunkId, text: &Text) -> Option<LabTextView> {
    let lines = open.index.chunk(chunk)?.lines;
    Some(LabTextView {
        path: open.index.path_of(chunk)?.to_owned(),
        start: lines.start().0,
        end: lines.end().0,
        title: open.index.title(chunk),
        text: text.text.clone(),
        model: match &text.writer {
            Writer::Code => None,
            Writer::Model(name) => Some(name.clone()),
        },
        doubts: text.doubts.clone(),
    })
}
