//! The code language model: which one is used, and what it computes for lines and blocks. It is
//! started when a strategy needs it, and stopped when none has needed it for a while. [`running`]
//! is its worker, [`ahead`] what it reads in idle time.

mod ahead;
mod running;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use footnote_core::code_model::{ModelInput, TokenProbability};
use footnote_core::compress::score::ami::{Ami, ami_of, model_inputs, perplexities_of};
use footnote_core::index::ContentKey;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::cancel::Cancel;
use super::notices;
use super::records::ModelKind;
use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use crate::platform::clock::{now_ms, sleep};
use crate::platform::idb::StorageError;
use crate::worker::code_model_protocol::tokens;
use crate::worker::encoder_protocol::Backend;
use crate::worker::model_files::Brought;
use crate::worker::protocol::{CodeModelRequest, CodeModelView, JobId};
use running::{Gpu, Running};

/// Blocks or texts to read at a time: a cancel is handled after each batch.
const BATCH: usize = 16;
/// The same on a GPU, which needs many to be fully used.
const GPU_BATCH: usize = 64;
/// Most scores of blocks to keep.
const MAX_KEPT: usize = 20_000;
/// Milliseconds without work after which the worker is stopped, which frees its memory.
const IDLE_MS: u32 = 180_000;

/// The choice of the code language model, its worker, and what it has read.
pub struct CodeModels {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    /// `None` for Footnote's own.
    brought: RefCell<Option<Brought>>,
    /// Whether the user's model was saved.
    is_kept: Cell<bool>,
    /// Whether storage was searched for a saved model, or another one was chosen.
    is_restored: Cell<bool>,
    /// Counts choices: the last one wins.
    choices: Cell<u32>,
    running: RefCell<Option<Rc<Running>>>,
    gpu: Rc<Gpu>,
    /// Scores of blocks, each block with its question.
    ami: RefCell<BTreeMap<ContentKey, Ami>>,
    /// Perplexities of lines, by the text of their snippet.
    lines: RefCell<BTreeMap<ContentKey, Vec<f32>>>,
    used_at: Cell<f64>,
    /// Whether the idle watcher is running.
    is_watched: Cell<bool>,
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

    fn batch(&self) -> usize {
        match self.running.backend() {
            Backend::Gpu { .. } => GPU_BATCH,
            Backend::Cpu { .. } => BATCH,
        }
    }
}

impl CodeModels {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            brought: RefCell::default(),
            is_kept: Cell::default(),
            is_restored: Cell::default(),
            choices: Cell::default(),
            running: RefCell::default(),
            gpu: Rc::default(),
            ami: RefCell::default(),
            lines: RefCell::default(),
            used_at: Cell::default(),
            is_watched: Cell::default(),
            is_ahead: Cell::default(),
        })
    }

    /// Switches to another model, or back to Footnote's own.
    pub async fn choose(
        self: &Rc<Self>,
        job: JobId,
        request: CodeModelRequest,
        body: &JsValue,
        cancel: &Cancel,
    ) {
        self.is_restored.set(true);
        let choice = self.choices.get() + 1;
        self.choices.set(choice);
        let (new, keep) = match request {
            CodeModelRequest::UseOwn => (None, false),
            CodeModelRequest::Bring { name, keep } => match Brought::new(name, body) {
                Some(brought) => (Some(brought), keep),
                None => {
                    return self
                        .services
                        .fail(job, notices::internal("no files came with a model"));
                }
            },
        };
        // The previous model stays in use until the new one is loaded.
        let candidate = match self.start_model(new.clone()) {
            Ok(candidate) => candidate,
            Err(why) => return self.services.fail(job, notices::code_model(&why)),
        };
        match self.when_ready(&candidate, cancel).await {
            Ok(_) => {}
            Err(_) if cancel.asked() => return,
            Err(why) => return self.services.fail(job, notices::code_model(&why)),
        }
        // Another may have been chosen in the meantime.
        if self.choices.get() == choice {
            self.brought.replace(new.clone());
            self.running.replace(Some(candidate));
            self.use_model();
            self.watch_idle();
            self.keep_model(job, new.filter(|_| keep)).await;
        }
        self.services.end(job, self.view());
    }

    /// Saves a model for the next visit, or deletes the saved one.
    async fn keep_model(&self, job: JobId, model: Option<Brought>) {
        let storage = &self.services.storage;
        let kept = match &model {
            Some(model) => storage.keep_model(ModelKind::Code, model, "").await,
            None => storage.forget_model(ModelKind::Code).await,
        };
        let is_kept = model.is_some() && kept.is_ok();
        self.is_kept.set(is_kept);
        match kept {
            Ok(()) => {}
            // If nothing can be saved, there is nothing to delete.
            Err(StorageError::Unavailable(_)) if model.is_none() => {}
            Err(error) => self.services.warn(job, notices::storage(&error)),
        }
    }

    /// The code language model in use.
    pub fn view(&self) -> CodeModelView {
        CodeModelView {
            brought: self.brought.borrow().as_ref().map(|it| it.name.clone()),
            is_kept: self.is_kept.get(),
        }
    }

    /// Returns the id of the code language model, once it is loaded. An error says why it cannot be
    /// used.
    pub async fn id(self: &Rc<Self>, cancel: &Cancel) -> Result<String, String> {
        Ok(self.loaded(cancel).await?.id)
    }

    /// Where the last model ran.
    pub fn backend(&self) -> Backend {
        let running = self.running.borrow();
        running.as_ref().map(|it| it.backend()).unwrap_or_default()
    }

    async fn loaded(self: &Rc<Self>, cancel: &Cancel) -> Result<Loaded, String> {
        self.restore_model().await;
        let running = self.running()?;
        self.use_model();
        let id = self.when_ready(&running, cancel).await?;
        Ok(Loaded { id, running })
    }

    /// Waits until a model is loaded; returns its id, or why it cannot be used.
    async fn when_ready(&self, running: &Running, cancel: &Cancel) -> Result<String, String> {
        loop {
            let change = self.services.changed.changed();
            match running.model() {
                Some(ready) => return ready,
                None if cancel.asked() => return Err("it was stopped".to_owned()),
                None => change.await,
            }
        }
    }

    /// Loads the model that the user saved, if there is one and no other was chosen.
    async fn restore_model(&self) {
        if self.is_restored.get() {
            return;
        }
        let kept = self.services.storage.kept_model(ModelKind::Code).await;
        if !self.is_restored.replace(true)
            && let Ok(Some((kept, _))) = kept
        {
            self.brought.replace(Some(kept));
            self.is_kept.set(true);
        }
    }

    /// Returns the worker of the chosen model. A worker that failed is started again: the network
    /// or the memory may have been short.
    fn running(self: &Rc<Self>) -> Result<Rc<Running>, String> {
        if let Some(running) = self.running.borrow().as_ref()
            && !matches!(running.model(), Some(Err(_)))
        {
            return Ok(Rc::clone(running));
        }
        let brought = self.brought.borrow().clone();
        let running = self.start_model(brought)?;
        self.running.replace(Some(Rc::clone(&running)));
        self.watch_idle();
        Ok(running)
    }

    fn start_model(&self, brought: Option<Brought>) -> Result<Rc<Running>, String> {
        let services = Rc::clone(&self.services);
        let on_change = move || services.changed.notify();
        Running::start(brought, &self.gpu, on_change).map(Rc::new)
    }

    /// Postpones the worker's end.
    fn use_model(&self) {
        self.used_at.set(now_ms());
    }

    /// Stops the worker after it was idle for a while.
    fn watch_idle(self: &Rc<Self>) {
        if self.is_watched.replace(true) {
            return;
        }
        let models = Rc::clone(self);
        spawn_local(async move {
            while models.running.borrow().is_some() {
                sleep(IDLE_MS).await;
                let is_idle = now_ms() - models.used_at.get() >= f64::from(IDLE_MS);
                // One piece of work on a large model may take longer.
                let holders = models.running.borrow().as_ref().map_or(0, Rc::strong_count);
                if is_idle && holders <= 1 {
                    models.running.take();
                }
            }
            models.is_watched.set(false);
        });
    }

    /// Scores how each block of each snippet changes the question's perplexity.
    pub async fn ami(
        self: &Rc<Self>,
        question: &str,
        pieces: &[Vec<String>],
        cancel: &Cancel,
    ) -> Result<Vec<Vec<Ami>>, String> {
        let model = self.loaded(cancel).await?;
        let what = format!("ami {question}");
        let key = |text: &String| model.key(&what, text);
        let missing = {
            let known = self.ami.borrow();
            let mut missing: BTreeMap<ContentKey, &String> = BTreeMap::new();
            for text in pieces.iter().flatten() {
                if !known.contains_key(&key(text)) {
                    missing.insert(key(text), text);
                }
            }
            missing
        };
        let missing: Vec<(ContentKey, &String)> = missing.into_iter().collect();
        for batch in missing.chunks(model.batch()) {
            let blocks: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
            let read = self
                .read(&model, &model_inputs(question, &blocks), cancel)
                .await?;
            let scores = ami_of(question, &read);
            let mut known = self.ami.borrow_mut();
            known.extend(batch.iter().map(|(key, _)| *key).zip(scores));
        }
        let mut known = self.ami.borrow_mut();
        let of = |text: &String| known.get(&key(text)).copied().unwrap_or_default();
        let scores = pieces.iter().map(|texts| texts.iter().map(of).collect());
        let scores = scores.collect();
        if known.len() > MAX_KEPT {
            known.clear();
        }
        Ok(scores)
    }

    /// Returns the perplexities of each text's lines. Texts that were read before, in this or an
    /// earlier visit, are reused; the others are read and stored.
    pub async fn perplexities(
        self: &Rc<Self>,
        open: &OpenRepo,
        texts: &[String],
        cancel: &Cancel,
    ) -> Result<Vec<Vec<f32>>, String> {
        let model = self.loaded(cancel).await?;
        let keys: Vec<ContentKey> = texts.iter().map(|text| model.key("lines", text)).collect();
        self.find_read(open, &keys).await;
        let missing: Vec<(ContentKey, &String)> = {
            let known = self.lines.borrow();
            let all = keys.iter().copied().zip(texts);
            all.filter(|(key, _)| !known.contains_key(key)).collect()
        };
        for batch in missing.chunks(model.batch()) {
            let inputs: Vec<ModelInput> = batch
                .iter()
                .map(|(_, text)| ModelInput::Text(text))
                .collect();
            let read = self.read(&model, &inputs, cancel).await?;
            let lines = |((key, text), tokens): (&(ContentKey, &String), &Vec<_>)| {
                (*key, perplexities_of(text, tokens))
            };
            let read: Vec<(ContentKey, Vec<f32>)> = batch.iter().zip(&read).map(lines).collect();
            // What cannot be stored is read again next time.
            if open.keep.get() && self.shelf.is_current(open) {
                let _ = self.services.storage.keep_read(&open.key, &read).await;
            }
            self.lines.borrow_mut().extend(read);
        }
        let known = self.lines.borrow();
        let of = |key: &ContentKey| known.get(key).cloned().unwrap_or_default();
        Ok(keys.iter().map(of).collect())
    }

    /// Loads what was read in an earlier visit.
    async fn find_read(&self, open: &OpenRepo, keys: &[ContentKey]) {
        let missing: Vec<ContentKey> = {
            let known = self.lines.borrow();
            let all = keys.iter().filter(|key| !known.contains_key(key));
            all.copied().collect()
        };
        let found = self.services.storage.read_before(&open.key, &missing).await;
        let mut known = self.lines.borrow_mut();
        if known.len() > MAX_KEPT {
            known.clear();
        }
        known.extend(found.unwrap_or_default());
    }

    /// Returns the tokens of each text, as the model sees them.
    async fn read(
        self: &Rc<Self>,
        model: &Loaded,
        inputs: &[ModelInput<'_>],
        cancel: &Cancel,
    ) -> Result<Vec<Vec<TokenProbability>>, String> {
        self.use_model();
        let work = model.running.give(inputs);
        loop {
            let change = self.services.changed.changed();
            if let Some(answer) = model.running.take(work) {
                return Ok(answer?.iter().map(|views| tokens(views)).collect());
            }
            if cancel.asked() {
                model.running.forget(work);
                return Err("it was stopped".to_owned());
            }
            change.await;
        }
    }
}
