//! Descriptions of the chunks of the open repository: built when it is first searched, from what
//! models wrote earlier and from code.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::describe::{self, Describe, Written};

use super::cancel::Cancel;
use super::repo::OpenRepo;
use super::slices;
use super::storage::Storage;
use crate::platform::idb::StorageError;

/// Their name in the laboratory's store.
const NAME: &str = "texts";

/// Returns what models wrote about the repository, also before the page was last closed; nothing if
/// it cannot be read.
pub async fn written(storage: &Storage, open: &OpenRepo) -> Rc<Written> {
    if let Some(written) = open.written.borrow().as_ref() {
        return Rc::clone(written);
    }
    let text = storage.lab_text(&open.key, NAME).await;
    let text = text.ok().flatten().unwrap_or_default();
    let kept = Rc::new(describe::read(&text).unwrap_or_default());
    // Something may have been written in the meantime.
    Rc::clone(open.written.borrow_mut().get_or_insert(kept))
}

/// Takes over what models wrote, and saves it; an error says why it could not be saved.
pub async fn take(storage: &Storage, open: &OpenRepo, written: Written) -> Result<(), String> {
    let text = describe::write(&written);
    open.written.replace(Some(Rc::new(written)));
    open.index.set_texts(None);
    if !open.keep.get() {
        return Err("this repository is not saved yet".to_owned());
    }
    let kept = storage.keep_lab_text(&open.key, NAME, &text).await;
    kept.map_err(|error| error.to_string())
}

/// Deletes what models wrote.
pub async fn forget(storage: &Storage, open: &OpenRepo) -> Result<(), StorageError> {
    open.written.replace(Some(Rc::default()));
    open.index.set_texts(None);
    match open.keep.get() {
        true => storage.forget_lab(&open.key, NAME).await,
        false => Ok(()),
    }
}

/// Gives the repository a description of each chunk, including those by models, unless it already
/// has them.
pub async fn settle(storage: &Storage, open: &Rc<OpenRepo>, cancel: &Cancel) {
    if open.index.texts().is_some() {
        return;
    }
    let written = written(storage, open).await;
    let job = Describe::new(Arc::clone(&open.index), Written::clone(&written));
    let Ok(texts) = slices::run(job, cancel, |_, _| {}).await;
    // If models wrote something in the meantime, the new descriptions exist already or are on their
    // way.
    let is_new = open
        .written
        .borrow()
        .as_ref()
        .is_some_and(|it| Rc::ptr_eq(it, &written));
    if let Some(texts) = texts.filter(|_| is_new) {
        open.index.set_texts(Some(Arc::new(texts)));
    }
}
