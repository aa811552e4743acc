//! The list of saved repositories.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::services::Services;
use super::shelf::Shelf;
use super::{batch, notices};
use crate::platform::idb::StorageError;
use crate::worker::pool::VECTOR_BYTES;
use crate::worker::protocol::{JobId, SavedRequest, SavedView};

/// Lists and deletes saved repositories.
pub struct SavedRepos {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
}

impl SavedRepos {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
        })
    }

    pub fn serve(self: &Rc<Self>, job: JobId, request: SavedRequest) {
        let saved = Rc::clone(self);
        spawn_local(async move {
            match request {
                SavedRequest::List => saved.list(job).await,
                SavedRequest::Delete { repo } => saved.delete(job, &repo).await,
            }
        });
    }

    pub async fn list(&self, job: JobId) {
        let bytes_each = batch::bytes_each(VECTOR_BYTES);
        match self.services.storage.list(bytes_each).await {
            Ok(view) => self.services.end(job, view),
            Err(StorageError::Unavailable(_)) => self.services.end(
                job,
                SavedView {
                    repos: Vec::new(),
                    used_bytes: None,
                    quota_bytes: None,
                    available: false,
                },
            ),
            Err(error) => self.services.fail(job, notices::storage(&error)),
        }
    }

    async fn delete(&self, job: JobId, repo: &str) {
        if let Some(open) = self.shelf.current().filter(|open| open.key == repo) {
            // Questions to it still work, but nothing may be saved under a deleted key.
            open.keep.set(false);
        }
        match self.services.storage.delete(repo).await {
            Ok(()) => self.list(job).await,
            Err(error) => self.services.fail(job, notices::storage(&error)),
        }
    }
}
