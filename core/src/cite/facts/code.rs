//! The shapes of the definitions that statements speak of, made once a file and kept.

use std::collections::HashMap;
use std::sync::Arc;

use crate::index::Index;
use crate::parse::shape::{FileShape, shapes};
use crate::source::FileId;

/// Files whose shapes are kept. An answer cites a few files, many times each.
const MOST_FILES: usize = 64;

/// Larger files are not parsed again: nothing is said that only their syntax tells.
const MAX_BYTES: usize = 400_000;

/// What the syntax of the definitions of some files says; see `crate::parse::shape`.
#[derive(Clone, Default)]
pub struct Shapes {
    files: HashMap<FileId, Arc<FileShape>>,
}

impl Shapes {
    /// The shapes of a file's definitions, in the order of its symbols.
    pub(crate) fn of_file(&mut self, index: &Index, file: FileId) -> Arc<FileShape> {
        if let Some(known) = self.files.get(&file) {
            return Arc::clone(known);
        }
        if self.files.len() >= MOST_FILES {
            self.files.clear();
        }
        let made = index
            .file(file)
            .filter(|(source, _)| source.text.len() <= MAX_BYTES)
            .map_or_else(FileShape::default, |(source, parsed)| {
                shapes(parsed.language, &source.text, &parsed.symbols)
            });
        let made = Arc::new(made);
        self.files.insert(file, Arc::clone(&made));
        made
    }
}
