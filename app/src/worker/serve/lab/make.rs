//! Sets made by code, and sets from the user's files.

use std::sync::Arc;

use footnote_core::eval::set::{digest, parse_set, write_set};
use footnote_core::lab::export::{brought, merge};
use footnote_core::lab::questions::{MakeQuestions, Order};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use super::{Laboratory, MOST, views};
use crate::platform::fetch;
use crate::worker::protocol::{JobId, Notice};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::{notices, slices};

/// Largest size of a question file in bytes.
const MAX_BYTES: f64 = 200e6;

impl Laboratory {
    pub(super) async fn make(
        &self,
        job: JobId,
        count: u32,
        seed: u32,
        kinds: Vec<String>,
        cancel: &Cancel,
    ) -> Result<(), Notice> {
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        // The static encoder finds near duplicates.
        self.encoders.table_settled(&open, cancel).await;
        let order = Order {
            count: count as usize,
            seed: seed.into(),
            kinds,
            ..Order::new(&open.index.repo.name)
        };
        let making = MakeQuestions::new(Arc::clone(&open.index), order);
        let Ok(made) = slices::run(making, cancel, |_, _| {}).await;
        if let Some(made) = made.filter(|_| self.is_wanted(&open, job)) {
            let told = views::made(&made);
            let set = digest(&write_set(&made.items));
            self.take(job, made.items, told, set).await;
        }
        Ok(())
    }

    /// Makes a set of the questions whose answers the user rated good.
    pub(super) async fn rated(&self, job: JobId, cancel: &Cancel) -> Result<(), Notice> {
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return Ok(());
        };
        let set = self.conversations.good_answers(&open).await?;
        if !self.is_wanted(&open, job) {
            return Ok(());
        }
        let items = parse_set(&set).map_err(|_| notices::nothing_rated("good"))?;
        let merged = merge(&[], items);
        let reading = views::Reading {
            file_name: "your ratings",
            format: None,
            n_read: merged.items.len(),
            merged: &merged,
            bad: &[],
            is_added: false,
        };
        let told = views::read(&reading, Some(&open));
        self.take(job, merged.items, told, digest(&set)).await;
        Ok(())
    }

    /// Reads a set from the user's file, in any supported format; with `adds`, it is added to the
    /// current set.
    pub(super) async fn read(
        &self,
        job: JobId,
        file_name: &str,
        adds: bool,
        body: JsValue,
    ) -> Result<(), Notice> {
        let open = self.shelf.current();
        let archive = open.as_ref().map_or("", |open| &open.index.repo.name);
        let bytes = bytes(body).await;
        let bytes = bytes.map_err(|why| notices::not_a_set(file_name, &why))?;
        if open.as_ref().is_some_and(|open| !self.is_wanted(open, job)) {
            return Ok(());
        }
        let brought = brought(file_name, &bytes, archive);
        let brought = brought.map_err(|error| notices::not_a_set(file_name, &error.to_string()))?;
        let before = match adds {
            true => self.bench.borrow().items.clone(),
            false => Vec::new(),
        };
        let (bad, format, n_read) = (brought.bad, brought.format, brought.items.len());
        let mut merged = merge(&before, brought.items);
        merged.items.truncate(MOST as usize);
        let reading = views::Reading {
            file_name,
            format,
            n_read,
            merged: &merged,
            bad: &bad,
            is_added: adds && !before.is_empty(),
        };
        let told = views::read(&reading, open.as_deref());
        // Reviews identify a set by its file, if it has one.
        let set = match (format, reading.is_added) {
            (None, false) => digest(&String::from_utf8_lossy(&bytes)),
            _ => digest(&write_set(&merged.items)),
        };
        self.take(job, merged.items, told, set).await;
        Ok(())
    }
}

/// Reads a user's file; an error says why it cannot be read.
pub async fn bytes(body: JsValue) -> Result<Vec<u8>, String> {
    let missing = |_| "no file came with it".to_owned();
    let blob: Blob = body.dyn_into().map_err(missing)?;
    if blob.size() > MAX_BYTES {
        return Err(format!("it is larger than {:.0} MB", MAX_BYTES / 1e6));
    }
    fetch::read(&blob).await
}

/// Reads a user's file as text.
pub async fn text(body: JsValue) -> Result<String, String> {
    let bytes = bytes(body).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
