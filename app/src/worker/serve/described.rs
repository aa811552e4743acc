//! What the chunks of the open repository do, in words: made when it is first searched, from what
//! models wrote before and from code.

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

/// What models wrote of the repository, before the page was left too; nothing if that cannot be
/// read.
pub async fn written(storage: &Storage, open: &OpenRepo) -> Rc<Written> {
    if let Some(written) = open.written.borrow().as_ref() {
        return Rc::clone(written);
    }
    let text = storage.lab_text(&open.key, NAME).await;
    let text = text.ok().flatten().unwrap_or_default();
    let kept = Rc::new(describe::read(&text).unwrap_or_default());
    // Something may have been written meanwhile.
    Rc::clone(open.written.borrow_mut().get_or_insert(kept))
}

/// Takes what models wrote, and keeps it; why it could not be kept, if so.
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

/// Deletes it.
pub async fn forget(storage: &Storage, open: &OpenRepo) -> Result<(), StorageError> {
    open.written.replace(Some(Rc::default()));
    open.index.set_texts(None);
    match open.keep.get() {
        true => storage.forget_lab(&open.key, NAME).await,
        false => Ok(()),
    }
}

/// Gives the repository a text for each chunk, those of models among them, unless it has them.
pub async fn settle(storage: &Storage, open: &Rc<OpenRepo>, cancel: &Cancel) {
    if open.index.texts().is_some() {
        return;
    }
    let written = written(storage, open).await;
    let job = Describe::new(Arc::clone(&open.index), Written::clone(&written));
    let Ok(texts) = slices::run(job, cancel, |_, _| {}).await;
    // What was written meanwhile has made others, or will.
    let is_new = open
        .written
        .borrow()
        .as_ref()
        .is_some_and(|it| Rc::ptr_eq(it, &written));
    if let Some(texts) = texts.filter(|_| is_new) {
        open.index.set_texts(Some(Arc::new(texts)));
    }
}
