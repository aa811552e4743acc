//! Which encoder computes the vectors: the one that comes with the page, or one that the user
//! added.

use std::rc::Rc;

use footnote_core::index::Vectors;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::Encoders;
use crate::platform::idb::StorageError;
use crate::platform::{device, simd};
use crate::worker::encoder_protocol::PoolingView;
use crate::worker::model_files::Brought;
use crate::worker::pool::{Model, Source};
use crate::worker::protocol::{EncoderView, JobId, VectorsView};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::notices;
use crate::worker::serve::records::ModelKind;
use crate::worker::serve::repo::OpenRepo;

/// The note saved with an encoder that uses the first token's vector.
const FIRST: &str = "first";

/// The setting that says which build of the encoder is faster, and in which browser that was
/// measured.
const BUILD: &str = "encoder build";
const RELAXED: &str = "relaxed";
const PLAIN: &str = "plain";

/// Why no chunk is read closely while the transformer is off.
const OFF: &str = "Close reading is off in the settings.";

impl Encoders {
    /// The encoder that computes the vectors.
    pub(super) fn view(&self) -> EncoderView {
        EncoderView {
            brought: match self.pool.source() {
                Source::Own => None,
                Source::Brought { files, .. } => Some(files.name),
            },
            is_kept: self.is_kept.get(),
        }
    }

    /// The model that computes the vectors, or will.
    pub fn model(&self) -> Model {
        self.pool.model().unwrap_or_else(Model::own)
    }

    /// Switches to the encoder of a request, or to Footnote's own if there is none. The previous
    /// one continues if it cannot be used.
    pub(super) async fn choose(
        self: &Rc<Self>,
        job: JobId,
        source: Source,
        keep: bool,
        cancel: &Cancel,
    ) {
        self.is_restored.set(true);
        let choice = self.choices.get() + 1;
        self.choices.set(choice);
        if let Some(open) = self.shelf.current() {
            self.save_vectors(&open).await;
        }
        self.pool.use_model(source.clone());
        let loaded = self.when_loaded(cancel).await;
        if self.choices.get() != choice {
            return self.services.end(job, self.vectors_view());
        }
        if self.pool.is_off() {
            // It was switched off meanwhile; this encoder runs when it is switched on again.
            return self.services.end(job, self.vectors_view());
        }
        if let Err(why) = loaded {
            self.pool.go_back();
            self.begin_anew().await;
            if !cancel.asked() {
                self.services.fail(job, notices::encoder(&why));
            }
            return;
        }
        self.keep_encoder(job, Some(&source).filter(|_| keep)).await;
        self.begin_anew().await;
        self.services.end(job, self.vectors_view());
    }

    /// Switches the transformer on or off. Its saved vectors stay, and one that was chosen before
    /// comes back.
    pub(super) async fn read_closely(self: &Rc<Self>, job: JobId, on: bool) {
        if self.pool.is_off() == on {
            match on {
                true => {
                    self.pool.switch_on();
                    self.start_pool().await;
                }
                false => self.pool.switch_off(OFF),
            }
            self.begin_anew().await;
        }
        self.services.end(job, self.vectors_view());
    }

    /// Waits until the encoders have loaded their model, or failed to.
    async fn when_loaded(&self, cancel: &Cancel) -> Result<(), String> {
        loop {
            let change = self.services.changed.changed();
            match self.pool.is_loaded() {
                Some(loaded) => return loaded,
                None if cancel.asked() => return Err("it was stopped".to_owned()),
                None => change.await,
            }
        }
    }

    /// Saves an encoder for the next visit, or deletes the saved one.
    async fn keep_encoder(&self, job: JobId, source: Option<&Source>) {
        let storage = &self.services.storage;
        let (is_there, kept) = match source {
            Some(Source::Brought { files, pooling }) => {
                let note = match pooling {
                    PoolingView::Mean => "",
                    PoolingView::First => FIRST,
                };
                let kept = storage.keep_model(ModelKind::Encoder, files, note).await;
                (true, kept)
            }
            Some(Source::Own) | None => (false, storage.forget_model(ModelKind::Encoder).await),
        };
        self.is_kept.set(is_there && kept.is_ok());
        match kept {
            Ok(()) => {}
            // If nothing can be saved, there is nothing to delete.
            Err(StorageError::Unavailable(_)) if !is_there => {}
            Err(error) => self.services.warn(job, notices::storage(&error)),
        }
    }

    /// Starts the encoders, with the one that the user saved if there is one and no other was
    /// chosen.
    pub(super) async fn start_pool(self: &Rc<Self>) {
        if self.pool.is_off() {
            return;
        }
        if self.is_restored.replace(true) {
            return self.pool.start();
        }
        self.choose_build().await;
        let kept = self.services.storage.kept_model(ModelKind::Encoder).await;
        // Another may have been chosen in the meantime.
        let is_chosen = self.choices.get() > 0;
        match kept {
            Ok(Some((files, note))) if !is_chosen => {
                self.is_kept.set(true);
                self.use_kept(files, &note);
            }
            _ => self.pool.start(),
        }
    }

    /// Runs the encoders in the build that is faster here, which is measured once per browser
    /// version.
    async fn choose_build(&self) {
        let (storage, browser) = (&self.services.storage, device::browser());
        let kept = storage.setting(BUILD).await;
        let kept = kept.as_deref().and_then(|kept| kept.split_once(' '));
        if let Some((build, _)) = kept.filter(|(_, of)| *of == browser) {
            return simd::know(build == RELAXED);
        }
        let is_relaxed = simd::is_relaxed_faster();
        let build = if is_relaxed { RELAXED } else { PLAIN };
        // Without storage, it is measured again next time.
        let _ = storage
            .keep_setting(BUILD, &format!("{build} {browser}"))
            .await;
    }

    fn use_kept(self: &Rc<Self>, files: Brought, note: &str) {
        let pooling = match note {
            FIRST => PoolingView::First,
            _ => PoolingView::Mean,
        };
        self.pool.use_model(Source::Brought { files, pooling });
        let encoders = Rc::clone(self);
        spawn_local(async move {
            let Err(why) = encoders.when_loaded(&Cancel::default()).await else {
                return;
            };
            if encoders.choices.get() == 0 && !encoders.pool.is_off() {
                encoders.pool.go_back();
                if let Some(open) = encoders.shelf.current() {
                    encoders.services.warn(open.job, notices::encoder(&why));
                }
                encoders.begin_anew().await;
            }
        });
    }

    /// Waits until it is known which model computes the vectors, and prepares the repository for
    /// that model's vectors. Pending questions are asked again.
    pub(super) async fn begin(&self, open: &OpenRepo) {
        let model = loop {
            let change = self.services.changed.changed();
            match (self.pool.model(), self.pool.unusable()) {
                (Some(model), _) => break model,
                (None, Some(_)) => break Model::own(),
                (None, None) => change.await,
            }
        };
        let mut work = open.work.borrow_mut();
        work.failed = self.pool.unusable();
        work.backend = self.pool.backend();
        work.encoder = self.view();
        if work.model.as_ref() != Some(&model) {
            let vectors = Vectors::new(model.dimension, open.index.chunks.len());
            open.vectors.replace(vectors);
            work.begin_with(model);
        }
    }

    /// Like [`Encoders::begin`] and what follows it, for the open repository with another model or
    /// other saved vectors.
    pub async fn begin_anew(self: &Rc<Self>) {
        let Some(open) = self.shelf.current() else {
            return;
        };
        self.begin(&open).await;
        self.prepare(&open).await;
        self.report(&open);
        self.services.changed.notify();
        self.feed();
        self.keep_reporting(open);
    }

    fn vectors_view(&self) -> VectorsView {
        match self.shelf.current() {
            Some(open) => open.vectors_view(),
            None => VectorsView {
                encoder: Box::new(self.view()),
                ..VectorsView::default()
            },
        }
    }

    /// The encoder attached to a request.
    pub(super) fn brought(name: String, pooling: PoolingView, body: &JsValue) -> Option<Source> {
        let files = Brought::new(name, body)?;
        Some(Source::Brought { files, pooling })
    }
}
