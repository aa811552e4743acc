//! The static encoder. It is fetched once, and gives every chunk of a repository a vector within
//! seconds, in the engine itself.

use std::rc::Rc;
use std::sync::Arc;

use footnote_core::embed::TableEncoder;
use footnote_core::index::{TableJob, TableVectors};
use footnote_core::job::{Job as _, Step};

use super::Encoders;
use crate::platform::clock::now_ms;
use crate::platform::workers;
use crate::worker::model_files::Fetched;
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::repo::{ByTable, OpenRepo};
use crate::worker::serve::slices::Slice;
use crate::worker::serve::{described, taught};

/// The folder of the static encoder.
const TABLE: &str = "footnote-code-table-1";

impl Encoders {
    /// Gives every chunk a vector. If the table is unavailable, words and the transformer do
    /// without it.
    pub(super) async fn add_table(&self, open: &Rc<OpenRepo>) {
        let started = now_ms();
        let state = match self.encode_all(open).await {
            Ok(()) => {
                let milliseconds = now_ms() - started;
                taught::restore(&self.services.storage, open).await;
                described::written(&self.services.storage, open).await;
                ByTable::Ready { milliseconds }
            }
            Err(why) => ByTable::Failed(why),
        };
        open.by_table.replace(state);
        self.report(open);
        self.services.changed.notify();
    }

    /// Waits until the table has given every chunk a vector, or until it is known that it will not.
    pub async fn table_settled(&self, open: &OpenRepo, cancel: &Cancel) {
        while *open.by_table.borrow() == ByTable::Waiting
            && !cancel.asked()
            && self.shelf.is_current(open)
        {
            self.services.changed.changed().await;
        }
    }

    async fn encode_all(&self, open: &OpenRepo) -> Result<(), String> {
        let before = open.before.take();
        let encoder = self.table().await?;
        let brought = open.brought.take();
        // Those of another table cannot be compared with a question.
        let brought = brought
            .and_then(|saved| TableVectors::of_saved(&open.index, Arc::clone(&encoder), saved));
        if let Some(table) = brought {
            open.index.set_table(table);
            return Ok(());
        }
        let index = Arc::clone(&open.index);
        let mut job = match before {
            Some(before) => TableJob::reusing(index, encoder, before),
            None => TableJob::new(index, encoder),
        };
        let mut slice = Slice::default();
        while self.shelf.is_current(open) {
            let Ok(step) = job.step();
            if let Step::Done(table) = step {
                open.index.set_table(table);
                return Ok(());
            }
            slice.pause().await;
        }
        Err("another repository was opened".to_owned())
    }

    /// Returns the encoder, fetching it on first use.
    async fn table(&self) -> Result<Arc<TableEncoder>, String> {
        if let Some(known) = self.table.borrow().as_ref() {
            return Ok(Arc::clone(known));
        }
        let base = workers::base_url().map_err(|error| error.to_string())?;
        let files = Fetched::new(&format!("{base}models/{TABLE}/")).await?;
        let encoder = Arc::new(files.load(TableEncoder::new)?);
        *self.table.borrow_mut() = Some(Arc::clone(&encoder));
        Ok(encoder)
    }
}
