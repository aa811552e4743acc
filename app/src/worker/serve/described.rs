//! What the chunks of the open repository do, in words: made when it is first searched, from what models wrote before
//! and from code.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::describe::{self, Describe, Written};

use super::cancel::Cancel;
use super::repo::OpenRepo;
use super::slices;
use super::storage::Storage;
use crate::platform::idb::StorageError;

/// Its name in the laboratory's store.
const NAME: &str = "texts";

/// What models wrote of the repository, as it was kept; nothing if it cannot be read.
pub async fn kept(storage: &Storage, open: &OpenRepo) -> Written {
    let text = storage.lab_text(&open.key, NAME).await;
    let text = text.ok().flatten().unwrap_or_default();
    describe::read(&text).unwrap_or_default()
}

/// Keeps what models wrote; why it could not be, if so.
pub async fn keep(storage: &Storage, open: &OpenRepo, written: &Written) -> Result<(), String> {
    if !open.keep.get() {
        return Err("this repository is not saved yet".to_owned());
    }
    let text = describe::write(written);
    let kept = storage.keep_lab_text(&open.key, NAME, &text).await;
    kept.map_err(|error| error.to_string())
}

/// Deletes it.
pub async fn forget(storage: &Storage, open: &OpenRepo) -> Result<(), StorageError> {
    open.index.set_texts(None);
    match open.keep.get() {
        true => storage.forget_lab(&open.key, NAME).await,
        false => Ok(()),
    }
}

/// Gives the repository its texts if models wrote some of them before the page was left.
pub async fn restore(storage: &Storage, open: &Rc<OpenRepo>) {
    let written = kept(storage, open).await;
    if !written.0.is_empty() && open.index.texts().is_none() {
        write(open, written, &Cancel::default()).await;
    }
}

/// Gives the repository a text for each chunk, unless it has them.
pub async fn settle(storage: &Storage, open: &Rc<OpenRepo>, cancel: &Cancel) {
    if open.index.texts().is_none() {
        let written = kept(storage, open).await;
        write(open, written, cancel).await;
    }
}

/// Gives the repository a text for each chunk, those of models among them.
pub async fn write(open: &Rc<OpenRepo>, written: Written, cancel: &Cancel) {
    let job = Describe::new(Arc::clone(&open.index), written);
    let Ok(texts) = slices::run(job, cancel, |_, _| {}).await;
    if let Some(texts) = texts {
        open.index.set_texts(Some(Arc::new(texts)));
    }
}
