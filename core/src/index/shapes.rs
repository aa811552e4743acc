//! What the syntax of definitions says, computed per file on first use. It is never saved; one
//! question reads the same few files many times, and the next often reads them again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Index;
use crate::parse::shape::{FileShape, shapes};
use crate::source::FileId;

/// Number of files whose shapes are kept.
const MOST_FILES: usize = 64;

/// Larger files are not parsed again: nothing that only their syntax shows is stated.
const MAX_BYTES: usize = 400_000;

/// The shapes of some files.
#[derive(Default)]
pub(super) struct FileShapes(Mutex<HashMap<FileId, Arc<FileShape>>>);

impl Index {
    /// Returns the shapes of a file's definitions, in the order of its symbols.
    pub(crate) fn shapes(&self, file: FileId) -> Arc<FileShape> {
        // A panicking thread leaves the map intact: each entry is inserted by one call.
        let mut known = self.shapes.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&file) {
            return Arc::clone(known);
        }
        if known.len() >= MOST_FILES {
            known.clear();
        }
        let made = self
            .file(file)
            .filter(|(source, _)| source.text.len() <= MAX_BYTES)
            .map_or_else(FileShape::default, |(source, parsed)| {
                shapes(parsed.language, &source.text, &parsed.symbols)
            });
        let made = Arc::new(made);
        known.insert(file, Arc::clone(&made));
        made
    }
}
