//! The list of saved repositories.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use footnote_core::model::protocol::Secret;
use wasm_bindgen_futures::spawn_local;

use super::hosted::{self, Hosted};
use super::services::Services;
use super::shelf::Shelf;
use super::{batch, notices};
use crate::platform::idb::StorageError;
use crate::worker::pool::VECTOR_BYTES;
use crate::worker::protocol::{JobId, KeyView, SavedRequest, SavedView};

/// Lists and deletes saved repositories.
pub struct SavedRepos {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    /// The repositories deleted since they were last about to be saved.
    deleted: RefCell<BTreeSet<String>>,
    /// The index files beside the page, once they were looked for.
    hosted: RefCell<Hosted>,
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
                SavedRequest::ShowToken { token } => saved.show_token(job, token.as_ref()).await,
                SavedRequest::Delete { repo } => saved.delete(job, &repo).await,
            }
        });
    }

    pub async fn list(&self, job: JobId) {
        let bytes_each = batch::bytes_each(VECTOR_BYTES);
        match self.services.storage.list(bytes_each).await {
            Ok(view) => {
                let Hosted { files, server } = self.hosted.borrow().clone();
                let hosted = files;
                let view = SavedView {
                    hosted,
                    server,
                    ..view
                };
                self.services.end(job, view);
            }
            Err(StorageError::Unavailable(_)) => {
                let Hosted { files, server } = self.hosted.borrow().clone();
                let view = SavedView {
                    repos: Vec::new(),
                    used_bytes: None,
                    quota_bytes: None,
                    available: false,
                    hosted: files,
                    server,
                };
                self.services.end(job, view);
            }
            Err(error) => self.services.fail(job, notices::storage(&error)),
        }
    }

    /// Lists what is saved, and the index files beside the page.
    async fn look_beside(&self, job: JobId) {
        match hosted::list(&self.services.server).await {
            Ok(found) => {
                self.hosted.replace(found);
            }
            Err(detail) => self.services.warn(job, notices::no_index_list(&detail)),
        }
        self.list(job).await;
    }

    /// Shows the server a token, or none, and lists what that may read.
    async fn show_token(&self, job: JobId, token: Option<&KeyView>) {
        match token.map(|token| Secret::new(token.expose())).transpose() {
            Ok(token) => {
                let server = &self.services.server;
                let before = server.show_token(token);
                match hosted::list(server).await {
                    Ok(found) => {
                        self.hosted.replace(found);
                    }
                    Err(detail) => {
                        // One that the server does not know would make it refuse everything.
                        server.show_token(before);
                        self.services.warn(job, notices::refused_token(&detail));
                    }
                }
                self.list(job).await;
            }
            Err(error) => self.services.fail(job, notices::bad_token(&error)),
        }
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
