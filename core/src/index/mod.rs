//! The immutable index of one repository: files, symbols, chunks, words; vectors lie beside it,
//! because they arrive later and one by one.
//!
//! [`IndexBuilder`] builds an [`Index`] from a [`Repo`], file by file; [`mod@format`] turns it into
//! bytes and back; [`Bm25`] finds chunks by words and [`Vectors`] by meaning; [`Graph`] knows who
//! imports and calls whom.

pub mod bm25;
mod builder;
mod cut;
pub mod file;
pub mod format;
pub mod graph;
mod history;
pub(crate) mod paths;
mod permalink;
mod read;
mod recheck;
mod reuse;
mod shapes;
mod table;
pub mod taught;
pub(crate) mod texts;
pub(crate) mod tokens;
mod vectors;

#[cfg(test)]
pub(crate) mod tests;

pub use bm25::Bm25;
pub use builder::{BuildStage, IndexBuilder};
pub use cut::Recut;
pub use graph::Graph;
use graph::SymbolId;
pub use history::HistoryWords;
use paths::Paths;
pub use permalink::Permalinks;
pub use read::ReadFile;
pub use recheck::Recheck;
use shapes::FileShapes;
pub use table::{TableJob, TableVectors};
use taught::Taught;
pub use texts::{Text, Texts, Writer};
pub use tokens::question_tokens;
pub use vectors::Vectors;

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::chunk::{self, Chunk, ChunkId, Header};
use crate::lang::resolve::names::Names;
use crate::lang::{Parsed, Symbol};
use crate::lines::{Line, LineIndex, LineRange, Row};
use crate::source::{FileId, Repo, SourceFile};

/// Identifies a vector across repositories: a digest of model id and embedded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentKey(pub [u8; 16]);

impl ContentKey {
    /// Takes the first 16 bytes of the BLAKE3 digest of model id and text.
    pub fn of(model_id: &str, embedding_text: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(model_id.len() as u64).to_le_bytes());
        hasher.update(model_id.as_bytes());
        hasher.update(embedding_text.as_bytes());
        Self(half(&hasher.finalize()))
    }
}

/// Returns the first 16 bytes of a digest.
fn half(digest: &blake3::Hash) -> [u8; 16] {
    let mut half = [0; 16];
    for (to, from) in half.iter_mut().zip(digest.as_bytes()) {
        *to = *from;
    }
    half
}

/// Everything known about one repository except its vectors.
pub struct Index {
    /// The files, and metadata about them.
    pub repo: Arc<Repo>,
    /// One per file, in the order of `repo.files`.
    pub parsed: Arc<Vec<Parsed>>,
    /// Sorted by file, then first line.
    pub chunks: Vec<Chunk>,
    /// The words of the chunks.
    pub bm25: Bm25,
    /// What contains, calls, imports and inherits what.
    pub graph: Arc<Graph>,
    /// What commits say about the files.
    pub history: Arc<HistoryWords>,
    /// What an encoder reads before each chunk.
    header: Header,
    /// The bytes of each chunk in its file's text.
    spans: Vec<Range<u32>>,
    /// The first chunk of each file; one more entry than files.
    first_chunks: Vec<u32>,
    /// The files by name; computed on first use.
    paths: OnceLock<Paths>,
    /// What the syntax of definitions says; computed on first use.
    shapes: Arc<FileShapes>,
    /// The static encoder's vectors of the chunks, once they have arrived.
    table: OnceLock<TableVectors>,
    /// The lines of the file that was asked for last: lists look at one file's lines in turn.
    last_lines: Mutex<Option<(FileId, Arc<LineIndex>)>>,
    /// What the repository was taught.
    taught: Mutex<Option<Arc<Taught>>>,
    /// The descriptions of the chunks.
    texts: Mutex<Option<Arc<Texts>>>,
}

impl Index {
    /// Puts the parts together; `chunks` must be sorted by file. Chunks that extend past their
    /// file's text have no text.
    pub(crate) fn assemble(
        repo: Repo,
        parsed: Vec<Parsed>,
        chunks: Vec<Chunk>,
        spans: Vec<Range<u32>>,
        bm25: Bm25,
        graph: Graph,
    ) -> Self {
        let first_chunks = first_chunks(&chunks, repo.files.len());
        Self {
            history: Arc::new(HistoryWords::new(&repo)),
            header: Header::default(),
            repo: Arc::new(repo),
            parsed: Arc::new(parsed),
            chunks,
            bm25,
            graph: Arc::new(graph),
            spans,
            first_chunks,
            paths: OnceLock::new(),
            last_lines: Mutex::default(),
            shapes: Arc::default(),
            table: OnceLock::new(),
            taught: Mutex::default(),
            texts: Mutex::default(),
        }
    }

    /// Returns the static encoder's vectors of the chunks, once they have arrived.
    pub fn table(&self) -> Option<&TableVectors> {
        self.table.get()
    }

    /// Sets the vectors that [`TableJob`] computed for this index; they stay. Vectors for another
    /// number of chunks are rejected.
    pub fn set_table(&self, table: TableVectors) {
        if table.vectors().chunk_count() == self.chunks.len() {
            // A second set of the same vectors is not needed.
            let _ = self.table.set(table);
        }
    }

    /// Returns what the repository was taught, if anything.
    pub fn taught(&self) -> Option<Arc<Taught>> {
        let taught = self.taught.lock();
        taught.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces what the repository was taught; `None` forgets it.
    pub fn set_taught(&self, taught: Option<Arc<Taught>>) {
        *self.taught.lock().unwrap_or_else(PoisonError::into_inner) = taught;
    }

    /// Returns the chunks' descriptions, once [`crate::describe::Describe`] has written them.
    pub fn texts(&self) -> Option<Arc<Texts>> {
        let texts = self.texts.lock();
        texts.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the chunks' descriptions, or forgets them. Descriptions for another number of chunks
    /// are rejected.
    pub fn set_texts(&self, texts: Option<Arc<Texts>>) {
        let fits = texts.filter(|texts| texts.len() == self.chunks.len());
        *self.texts.lock().unwrap_or_else(PoisonError::into_inner) = fits;
    }

    /// Returns the definitions of code by name.
    pub(crate) fn names(&self) -> &Names {
        self.graph.names()
    }

    /// Returns the files by name.
    pub(crate) fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::new(&self.repo))
    }

    /// Returns the chunk `id`, if the index has it.
    pub fn chunk(&self, id: ChunkId) -> Option<&Chunk> {
        self.chunks.get(id.0 as usize)
    }

    /// Returns the file `id` and what was parsed in it.
    pub fn file(&self, id: FileId) -> Option<(&SourceFile, &Parsed)> {
        Some((self.repo.file(id)?, self.parsed.get(id.0 as usize)?))
    }

    /// Returns all chunks with their ids.
    pub fn chunk_ids(&self) -> impl Iterator<Item = (ChunkId, &Chunk)> {
        (0..).map(ChunkId).zip(&self.chunks)
    }

    /// Returns the chunks of a file with their ids, by first line.
    pub(crate) fn chunks_of(&self, file: FileId) -> impl Iterator<Item = (ChunkId, &Chunk)> {
        let at = |file: usize| self.first_chunks.get(file).copied().unwrap_or(0);
        let range = at(file.0 as usize)..at(file.0 as usize + 1);
        range.filter_map(|at| Some((ChunkId(at), self.chunk(ChunkId(at))?)))
    }

    /// Returns the first chunk of each file, and the number of chunks.
    pub(crate) fn first_chunks(&self) -> &[u32] {
        &self.first_chunks
    }

    /// Returns the first chunk of `file` that contains `line`.
    pub fn chunk_at(&self, file: FileId, line: Line) -> Option<ChunkId> {
        let mut chunks = self.chunks_of(file);
        chunks
            .find(|(_, chunk)| chunk.lines.contains(line))
            .map(|(id, _)| id)
    }

    /// Returns the path of the chunk's file.
    pub fn path_of(&self, id: ChunkId) -> Option<&str> {
        Some(&self.repo.file(self.chunk(id)?.file)?.path)
    }

    /// Returns the text of the chunk's lines, line ends included.
    pub fn text_of(&self, id: ChunkId) -> Option<&str> {
        let span = self.spans.get(id.0 as usize)?;
        let text = &self.repo.file(self.chunk(id)?.file)?.text;
        text.get(span.start as usize..span.end as usize)
    }

    /// Returns the chunk's lines without blank ones at its ends; all of them if all are blank.
    pub fn trimmed_lines(&self, id: ChunkId) -> Option<LineRange> {
        let lines = self.chunk(id)?.lines;
        let text = self.text_of(id)?;
        let blank = |line: &&str| line.trim().is_empty();
        let before = text.lines().take_while(blank).count() as u32;
        if before >= lines.count() {
            return Some(lines);
        }
        let after = text.lines().rev().take_while(blank).count() as u32;
        let first = Row(Row::from(lines.start()).0 + before);
        let last = Row(Row::from(lines.end()).0.saturating_sub(after));
        Some(LineRange::from_rows(first, last))
    }

    /// Returns where each line of a file starts.
    pub fn lines(&self, file: FileId) -> Option<Arc<LineIndex>> {
        let source = self.repo.file(file)?;
        let mut last = self
            .last_lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match last.as_ref() {
            Some((of, lines)) if *of == file => Some(Arc::clone(lines)),
            _ => {
                let lines = Arc::new(LineIndex::new(&source.text));
                *last = Some((file, Arc::clone(&lines)));
                Some(lines)
            }
        }
    }

    /// Returns the chunk that contains the symbol's name.
    pub(crate) fn chunk_of(&self, id: SymbolId) -> Option<ChunkId> {
        let symbol = self.symbol(id)?;
        self.chunk_at(id.file, symbol.name_line)
    }

    /// Returns a definition of the graph.
    pub fn symbol(&self, id: SymbolId) -> Option<&Symbol> {
        let parsed = self.parsed.get(id.file.0 as usize)?;
        parsed.symbols.get(id.at as usize)
    }

    /// Returns the symbol that the chunk belongs to.
    pub fn symbol_of(&self, id: ChunkId) -> Option<&Symbol> {
        let chunk = self.chunk(id)?;
        let parsed = self.parsed.get(chunk.file.0 as usize)?;
        parsed.symbols.get(chunk.symbol? as usize)
    }

    /// Returns the symbols whose names stand in the chunk's lines.
    pub fn symbols_in(&self, id: ChunkId) -> impl Iterator<Item = &Symbol> {
        let chunk = self.chunk(id);
        let parsed = chunk.and_then(|chunk| self.parsed.get(chunk.file.0 as usize));
        chunk
            .zip(parsed)
            .into_iter()
            .flat_map(|(chunk, parsed)| chunk::named_in(parsed, chunk))
    }

    /// Returns the chunk's symbol with its owners, or its heading; the file's path if it has none.
    pub fn title(&self, id: ChunkId) -> String {
        match self.symbol_of(id) {
            Some(symbol) => symbol.qualified.clone(),
            None => self.path_of(id).unwrap_or_default().to_owned(),
        }
    }

    /// Returns what an encoder reads of the chunk.
    pub fn embedding_text(&self, id: ChunkId) -> String {
        let text = || {
            let chunk = self.chunk(id)?;
            let (file, parsed) = self.file(chunk.file)?;
            Some(chunk::with_header(
                self.header,
                &file.path,
                parsed,
                chunk,
                self.text_of(id)?,
            ))
        };
        text().unwrap_or_default()
    }

    /// Returns the key under which the chunk's vector is stored.
    pub fn key(&self, id: ChunkId, model_id: &str) -> ContentKey {
        ContentKey::of(model_id, &self.embedding_text(id))
    }
}

/// Returns the first chunk of each of `n_files` files, and the number of chunks.
fn first_chunks(chunks: &[Chunk], n_files: usize) -> Vec<u32> {
    let before =
        |file: usize| chunks.partition_point(|chunk| (chunk.file.0 as usize) < file) as u32;
    (0..=n_files).map(before).collect()
}
