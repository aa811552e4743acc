//! Stores what a repository was taught; it is restored as soon as the static encoder has read the
//! repository.

use std::sync::Arc;

use footnote_core::index::taught::{Taught, Teaching};

use super::repo::OpenRepo;
use super::storage::Storage;
use crate::platform::idb::StorageError;

/// Its name in the laboratory's store.
const NAME: &str = "taught";

/// Saves the teaching; an error says why it could not be saved.
pub async fn keep(storage: &Storage, open: &OpenRepo, teaching: &Teaching) -> Result<(), String> {
    if !open.keep.get() {
        return Err("this repository is not saved yet".to_owned());
    }
    let bytes = teaching.to_bytes();
    let kept = storage.keep_lab_bytes(&open.key, NAME, &bytes).await;
    kept.map_err(|error| error.to_string())
}

/// Restores what a repository was taught before the page was closed. Teaching that cannot be read
/// any more, or that needs another encoder, is ignored.
pub async fn restore(storage: &Storage, open: &OpenRepo) {
    let kept = storage.lab_bytes(&open.key, NAME).await;
    let teaching = kept.ok().flatten();
    let teaching = teaching.and_then(|bytes| Teaching::from_bytes(&bytes).ok());
    let taught = teaching.and_then(|teaching| Taught::new(teaching, &open.index));
    // The repository may have been taught in the meantime.
    if open.index.taught().is_none() {
        open.index.set_taught(taught.map(Arc::new));
    }
}

/// Deletes the teaching.
pub async fn forget(storage: &Storage, open: &OpenRepo) -> Result<(), StorageError> {
    match open.keep.get() {
        true => storage.forget_lab(&open.key, NAME).await,
        false => Ok(()),
    }
}
