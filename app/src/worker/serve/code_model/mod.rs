//! The language model that reads code: which one, and what it makes of lines and blocks. It is started when a strategy
//! needs it and ended when none did for a while. [`running`] is its worker, [`ahead`] what it reads in idle time.

mod ahead;
mod running;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use footnote_core::compress::score::ami::{
    Ami, Reading, TokenProbability, ami_of, perplexities_of, readings,
};
use footnote_core::index::ContentKey;
use gloo::timers::callback::Timeout;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use super::repo::OpenRepo;
use super::steps::Stop;
use super::{Engine, notices};
use crate::platform::clock::now_ms;
use crate::worker::code_model_protocol::tokens;
use crate::worker::protocol::{CodeModelRequest, CodeModelView, Event, JobId};
pub use running::Brought;
use running::Running;

/// Blocks or texts that are read at once: a stop is heard after them.
const BATCH: usize = 16;
/// Scores of blocks that are kept.
const MAX_KEPT: usize = 20_000;
/// After so many milliseconds without work the worker ends; its memory is free then.
const IDLE_MS: u32 = 180_000;

/// Which model reads code, its worker, and what was read.
#[derive(Default)]
pub struct CodeModels {
    /// None is Footnote's own.
    brought: RefCell<Option<Brought>>,
    /// Whether the brought one was saved.
    is_kept: Cell<bool>,
    /// Whether storage was asked for one that was kept.
    is_restored: Cell<bool>,
    running: RefCell<Option<Rc<Running>>>,
    /// Of blocks, each with its question.
    ami: RefCell<BTreeMap<ContentKey, Ami>>,
    /// Of pieces, by their text.
    lines: RefCell<BTreeMap<ContentKey, Vec<f32>>>,
    used_at: Cell<f64>,
    is_ahead: Cell<bool>,
}

/// A model that is loaded.
struct Loaded {
    id: String,
    running: Rc<Running>,
}

impl Loaded {
    fn key(&self, what: &str, text: &str) -> ContentKey {
        ContentKey::of(&format!("{} {what}", self.id), text)
    }
}

impl Engine {
    /// Takes another model, or Footnote's own again.
    pub(super) async fn choose_code_model(
        self: &Rc<Self>,
        job: JobId,
        request: CodeModelRequest,
        body: &JsValue,
        stop: &Stop,
    ) {
        let models = &self.code_models;
        models.is_restored.set(true);
        let (new, keep) = match request {
            CodeModelRequest::UseOwn => (None, false),
            CodeModelRequest::Bring { name, keep } => match brought(name, body) {
                Some(brought) => (Some(brought), keep),
                None => return self.fail(job, notices::no_model_files()),
            },
        };
        let earlier = models.brought.replace(new.clone());
        let earlier_running = models.running.take();
        match self.loaded(stop).await {
            Ok(_) => {}
            Err(_) if stop.asked() => {}
            // What was used before is used on.
            Err(why) => {
                models.brought.replace(earlier);
                models.running.replace(earlier_running);
                return self.fail(job, notices::code_model(&why));
            }
        }
        let kept = match (&new, keep) {
            (Some(new), true) => self.storage.keep_model(new).await.map(|()| true),
            _ => self.storage.forget_model().await.map(|()| false),
        };
        match kept {
            Ok(is_kept) => models.is_kept.set(is_kept),
            Err(error) => {
                models.is_kept.set(false);
                if keep {
                    self.warn(job, notices::storage(&error));
                }
            }
        }
        self.post(job, &Event::CodeModel(self.code_model_view()));
    }

    /// Which model reads code.
    pub(super) fn code_model_view(&self) -> CodeModelView {
        let models = &self.code_models;
        CodeModelView {
            brought: models.brought.borrow().as_ref().map(|it| it.name.clone()),
            is_kept: models.is_kept.get(),
        }
    }

    /// The id of the model that reads code, once it is loaded; the error says why it cannot be used.
    pub(super) async fn code_model(self: &Rc<Self>, stop: &Stop) -> Result<String, String> {
        Ok(self.loaded(stop).await?.id)
    }

    async fn loaded(self: &Rc<Self>, stop: &Stop) -> Result<Loaded, String> {
        self.restore_model().await;
        let running = self.running()?;
        self.use_model();
        loop {
            let change = self.changed.changed();
            match running.model() {
                Some(Ok(id)) => return Ok(Loaded { id, running }),
                Some(Err(why)) => {
                    // The next use tries again: the network or the memory may have been short.
                    self.code_models.running.take();
                    return Err(why);
                }
                None if stop.asked() => return Err("it was stopped".to_owned()),
                None => change.await,
            }
        }
    }

    /// The model that the user had kept, if there is one.
    async fn restore_model(&self) {
        if !self.code_models.is_restored.replace(true)
            && let Ok(Some(kept)) = self.storage.kept_model().await
        {
            self.code_models.brought.replace(Some(kept));
            self.code_models.is_kept.set(true);
        }
    }

    fn running(self: &Rc<Self>) -> Result<Rc<Running>, String> {
        let models = &self.code_models;
        if let Some(running) = models.running.borrow().as_ref() {
            return Ok(Rc::clone(running));
        }
        let weak = Rc::downgrade(self);
        let on_change = move || {
            if let Some(engine) = weak.upgrade() {
                engine.changed.notify();
            }
        };
        let running = Running::start(models.brought.borrow().clone(), on_change)?;
        let running = Rc::new(running);
        models.running.replace(Some(Rc::clone(&running)));
        Ok(running)
    }

    /// Puts the worker's end off.
    fn use_model(self: &Rc<Self>) {
        self.code_models.used_at.set(now_ms());
        let weak = Rc::downgrade(self);
        Timeout::new(IDLE_MS, move || {
            let engine = weak.upgrade();
            let models = engine.as_ref().map(|engine| &engine.code_models);
            if let Some(models) = models
                && now_ms() - models.used_at.get() >= f64::from(IDLE_MS)
            {
                models.running.take();
            }
        })
        .forget();
    }

    /// What each block of each piece does to the question's perplexity.
    pub(super) async fn ami(
        self: &Rc<Self>,
        question: &str,
        pieces: &[Vec<String>],
        stop: &Stop,
    ) -> Result<Vec<Vec<Ami>>, String> {
        let model = self.loaded(stop).await?;
        let what = format!("ami {question}");
        let key = |text: &String| model.key(&what, text);
        let missing = {
            let known = self.code_models.ami.borrow();
            let mut missing: BTreeMap<ContentKey, &String> = BTreeMap::new();
            for text in pieces.iter().flatten() {
                if !known.contains_key(&key(text)) {
                    missing.insert(key(text), text);
                }
            }
            missing
        };
        let missing: Vec<(ContentKey, &String)> = missing.into_iter().collect();
        for batch in missing.chunks(BATCH) {
            let blocks: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
            let read = self
                .read(&model, &readings(question, &blocks), stop)
                .await?;
            let scores = ami_of(question, &read);
            let mut known = self.code_models.ami.borrow_mut();
            known.extend(batch.iter().map(|(key, _)| *key).zip(scores));
        }
        let mut known = self.code_models.ami.borrow_mut();
        let of = |text: &String| known.get(&key(text)).copied().unwrap_or_default();
        let scores = pieces.iter().map(|texts| texts.iter().map(of).collect());
        let scores = scores.collect();
        if known.len() > MAX_KEPT {
            known.clear();
        }
        Ok(scores)
    }

    /// The perplexities of each text's lines: those that were read before, in this or an earlier visit, and the
    /// rest, which is kept.
    pub(super) async fn perplexities(
        self: &Rc<Self>,
        open: &OpenRepo,
        texts: &[String],
        stop: &Stop,
    ) -> Result<Vec<Vec<f32>>, String> {
        let model = self.loaded(stop).await?;
        let keys: Vec<ContentKey> = texts.iter().map(|text| model.key("lines", text)).collect();
        self.find_read(open, &keys).await;
        let missing: Vec<(ContentKey, &String)> = {
            let known = self.code_models.lines.borrow();
            let all = keys.iter().copied().zip(texts);
            all.filter(|(key, _)| !known.contains_key(key)).collect()
        };
        for batch in missing.chunks(BATCH) {
            let readings: Vec<Reading> =
                batch.iter().map(|(_, text)| Reading::Text(text)).collect();
            let read = self.read(&model, &readings, stop).await?;
            let lines = |((key, text), tokens): (&(ContentKey, &String), &Vec<_>)| {
                (*key, perplexities_of(text, tokens))
            };
            let read: Vec<(ContentKey, Vec<f32>)> = batch.iter().zip(&read).map(lines).collect();
            // What cannot be kept is read again.
            if open.keep.get() {
                let _ = self.storage.keep_read(&open.key, &read).await;
            }
            self.code_models.lines.borrow_mut().extend(read);
        }
        let known = self.code_models.lines.borrow();
        let of = |key: &ContentKey| known.get(key).cloned().unwrap_or_default();
        Ok(keys.iter().map(of).collect())
    }

    /// Takes what an earlier visit read.
    async fn find_read(&self, open: &OpenRepo, keys: &[ContentKey]) {
        let missing: Vec<ContentKey> = {
            let known = self.code_models.lines.borrow();
            let all = keys.iter().filter(|key| !known.contains_key(key));
            all.copied().collect()
        };
        let found = self.storage.read_before(&open.key, &missing).await;
        let mut known = self.code_models.lines.borrow_mut();
        if known.len() > MAX_KEPT {
            known.clear();
        }
        known.extend(found.unwrap_or_default());
    }

    /// The tokens of each text, as the model sees them.
    async fn read(
        self: &Rc<Self>,
        model: &Loaded,
        readings: &[Reading<'_>],
        stop: &Stop,
    ) -> Result<Vec<Vec<TokenProbability>>, String> {
        self.use_model();
        let work = model.running.give(readings);
        loop {
            let change = self.changed.changed();
            if let Some(answer) = model.running.take(work) {
                return Ok(answer?.iter().map(|views| tokens(views)).collect());
            }
            if stop.asked() {
                return Err("it was stopped".to_owned());
            }
            change.await;
        }
    }
}

/// The files of a model that came with a request.
fn brought(name: String, body: &JsValue) -> Option<Brought> {
    let files: &Array = body.dyn_ref()?;
    Some(Brought {
        name,
        onnx: files.get(0).dyn_into().ok()?,
        tokenizer: files.get(1).dyn_into().ok()?,
    })
}
