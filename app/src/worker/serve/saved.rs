//! The list of saved repositories.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::open::readable;
use super::{Engine, batch, notices};
use crate::platform::idb::StorageError;
use crate::worker::pool::VECTOR_BYTES;
use crate::worker::protocol::{Event, JobId, SavedRequest, SavedView};

impl Engine {
    pub(super) fn serve_saved(self: &Rc<Self>, job: JobId, request: SavedRequest) {
        let engine = Rc::clone(self);
        spawn_local(async move {
            match request {
                SavedRequest::List => engine.list_saved(job).await,
                SavedRequest::Delete { repo } => engine.delete_saved(job, &repo).await,
            }
        });
    }

    pub(super) async fn list_saved(&self, job: JobId) {
        let bytes_each = batch::bytes_each(VECTOR_BYTES);
        match self.storage.list(bytes_each, readable).await {
            Ok(view) => self.end(job, view),
            Err(StorageError::Unavailable(_)) => self.end(
                job,
                SavedView {
                    repos: Vec::new(),
                    used_bytes: None,
                    quota_bytes: None,
                    available: false,
                },
            ),
            Err(error) => self.fail(job, notices::storage(&error)),
        }
    }

    async fn delete_saved(&self, job: JobId, repo: &str) {
        if let Some(open) = self.current().filter(|open| open.key == repo) {
            // It can still be asked, but nothing of it may be saved under a key that is gone.
            open.keep.set(false);
        }
        match self.storage.delete(repo).await {
            Ok(()) => self.list_saved(job).await,
            Err(error) => self.fail(job, notices::storage(&error)),
        }
    }

    /// Forgets the open repository; the next start shows none.
    pub(super) async fn close(self: &Rc<Self>, job: JobId) {
        self.stop_opening();
        self.stop_inspecting();
        self.inspected.take();
        if let Some(open) = self.open.take() {
            self.save_vectors(&open).await;
        }
        // Without storage there is nothing to forget.
        let _ = self.storage.forget_last().await;
        self.end(job, Event::Done);
    }
}
