//! The models that come with the page.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use footnote_core::embed::cpu::CpuEmbedder;
use footnote_core::embed::{Embedder, ModelFiles, TableEncoder};
use footnote_core::index::file::SavedVectors;
use footnote_core::index::{Index, TableJob, TableVectors};
use footnote_core::job::run_to_end;

use crate::{Result, archive};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/models");

/// The folder with the encoder.
pub const ENCODER: &str = "all-MiniLM-L6-v2-int8";

/// The folder with the static encoder.
pub const TABLE: &str = "footnote-code-table-1";

/// Adds the static encoder's vectors of all chunks to an index, as the page does.
pub fn with_table(index: Index) -> Result<Arc<Index>> {
    with_saved_table(index, None)
}

/// Like [`with_table`], with vectors that were saved, if the same encoder computed them.
pub fn with_saved_table(index: Index, saved: Option<SavedVectors>) -> Result<Arc<Index>> {
    let index = Arc::new(index);
    let encoder = table()?;
    let taken = saved.and_then(|it| TableVectors::of_saved(&index, Arc::clone(&encoder), it));
    let table = taken.unwrap_or_else(|| {
        let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), encoder));
        table
    });
    index.set_table(table);
    Ok(index)
}

/// The static encoder, loaded once and then kept.
pub fn table() -> Result<Arc<TableEncoder>> {
    static LOADED: Mutex<Option<Arc<TableEncoder>>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(encoder) = &*loaded {
        return Ok(Arc::clone(encoder));
    }
    let encoder = Arc::new(read(TABLE, |files| Ok(TableEncoder::new(files)?))?);
    Ok(Arc::clone(loaded.insert(encoder)))
}

/// The encoder, on the processor.
pub fn open() -> Result<Box<dyn Embedder + Send>> {
    open_from(&folder(ENCODER))
}

/// The encoder in a given folder, on the processor.
pub fn open_from(folder: &Path) -> Result<Box<dyn Embedder + Send>> {
    read_from(folder, |files| {
        Ok(Box::new(CpuEmbedder::new(files)?) as Box<dyn Embedder + Send>)
    })
}

/// Loads a model that comes with the page, by the name of its folder.
pub fn read<M>(name: &str, load: impl FnOnce(ModelFiles) -> Result<M>) -> Result<M> {
    read_from(&folder(name), load)
}

/// The folder of a model that comes with the page.
pub fn folder(name: &str) -> PathBuf {
    Path::new(FOLDER).join(name)
}

fn read_from<M>(folder: &Path, load: impl FnOnce(ModelFiles) -> Result<M>) -> Result<M> {
    let read = |name| archive::read(&folder.join(name));
    let (manifest, onnx, tokenizer) = (
        read("model.json")?,
        read("model.onnx")?,
        read("tokenizer.json")?,
    );
    load(ModelFiles {
        manifest: &manifest,
        onnx: onnx.into(),
        tokenizer: &tokenizer,
    })
}
