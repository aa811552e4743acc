//! What a repository was taught, in storage: it is given back as soon as the static encoder has
//! read the repository.

use std::sync::Arc;

use footnote_core::index::taught::{Taught, Teaching};

use super::repo::OpenRepo;
use super::storage::Storage;
use crate::platform::idb::StorageError;

/// Its name in the laboratory's store.
const NAME: &str = "taught";

/// Keeps it; why it could not be, if so.
pub async fn keep(storage: &Storage, open: &OpenRepo, teaching: &Teaching) -> Result<(), String> {
    if !open.keep.get() {
        return Err("this repository is not saved yet".to_owned());
    }
    let bytes = teaching.to_bytes();
    let kept = storage.keep_lab_bytes(&open.key, NAME, &bytes).await;
    kept.map_err(|error| error.to_string())
}

/// Gives a repository what it was taught before the page was left. What cannot be read any more, or
/// needs another encoder, is as if it had never been taught.
pub async fn restore(storage: &Storage, open: &OpenRepo) {
    let kept = storage.lab_bytes(&open.key, NAME).await;
    let teaching = kept.ok().flatten();
    let teaching = teaching.and_then(|bytes| Teaching::from_bytes(&bytes).ok());
    let taught = teaching.and_then(|teaching| Taught::new(teaching, &open.index));
    // Something may have been taught meanwhile.
    if open.index.taught().is_none() {
        open.index.set_taught(taught.map(Arc::new));
    }
}

/// Deletes it.
pub async fn forget(storage: &Storage, open: &OpenRepo) -> Result<(), StorageError> {
    match open.keep.get() {
        true => storage.forget_lab(&open.key, NAME).await,
        false => Ok(()),
    }
}
