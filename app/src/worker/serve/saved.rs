//! The list of saved repositories.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::services::Services;
use super::shelf::Shelf;
use super::{batch, hosted, notices};
use crate::platform::idb::StorageError;
use crate::worker::pool::VECTOR_BYTES;
use crate::worker::protocol::{HostedView, JobId, SavedRequest, SavedView};

/// Lists and deletes saved repositories.
pub struct SavedRepos {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    /// The repositories deleted since they were last about to be saved.
    deleted: RefCell<BTreeSet<String>>,
    /// The index files beside the page, once they were looked for.
    hosted: RefCell<Vec<HostedView>>,
}

impl SavedRepos {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            deleted: RefCell::default(),
            hosted: RefCell::default(),
        })
    }

    /// Notes that a repository is about to be saved, however often it was deleted before.
    pub fn will_save(&self, repo: &str) {
        self.deleted.borrow_mut().remove(repo);
    }

    /// Whether a repository was deleted after [`will_save`](Self::will_save).
    pub fn is_deleted(&self, repo: &str) -> bool {
        self.deleted.borrow().contains(repo)
    }

    pub fn serve(self: &Rc<Self>, job: JobId, request: SavedRequest) {
        let saved = Rc::clone(self);
        spawn_local(async move {
            match request {
                SavedRequest::List => saved.list(job).await,
                SavedRequest::LookBeside => saved.look_beside(job).await,
                SavedRequest::Delete { repo } => saved.delete(job, &repo).await,
            }
        });
    }

    pub async fn list(&self, job: JobId) {
        let bytes_each = batch::bytes_each(VECTOR_BYTES);
        match self.services.storage.list(bytes_each).await {
            Ok(view) => {
                let hosted = self.hosted.borrow().clone();
                self.services.end(job, SavedView { hosted, ..view });
            }
            Err(StorageError::Unavailable(_)) => self.services.end(
                job,
                SavedView {
                    repos: Vec::new(),
                    used_bytes: None,
                    quota_bytes: None,
                    available: false,
                    hosted: self.hosted.borrow().clone(),
                },
            ),
            Err(error) => self.services.fail(job, notices::storage(&error)),
        }
    }

    /// Lists what is saved, and the index files beside the page.
    async fn look_beside(&self, job: JobId) {
        match hosted::list().await {
            Ok(found) => {
                self.hosted.replace(found);
            }
            Err(detail) => self.services.warn(job, notices::no_index_list(&detail)),
        }
        self.list(job).await;
    }

    async fn delete(&self, job: JobId, repo: &str) {
        if let Some(open) = self.shelf.current().filter(|open| open.key == repo) {
            // Questions to it still work, but nothing may be saved under a deleted key.
            open.keep.set(false);
        }
        self.deleted.borrow_mut().insert(repo.to_owned());
        match self.services.storage.delete(repo).await {
            Ok(()) => self.list(job).await,
            Err(error) => self.services.fail(job, notices::storage(&error)),
        }
    }
}
