//! [`Repo`] → [`Index`], one file a step.

use std::convert::Infallible;
use std::ops::Range;

use super::bm25::{Bm25, Bm25Builder};
use super::graph::{Graph, GraphBuilder};
use super::{Index, named_in};
use crate::chunk::{Chunk, Chunking, chunk_file};
use crate::job::{Job, Progress, Step};
use crate::lang::Parsed;
use crate::lines::LineIndex;
use crate::parse::parse;
use crate::source::{FileId, Repo, SourceFile};

/// What an [`IndexBuilder`] is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStage {
    /// Parsing and cutting files.
    Parse,
    /// Indexing their words.
    Words,
    /// Following their imports and calls.
    Graph,
}

/// The job that makes an [`Index`]. A step reads one file; progress counts files, in each
/// [`BuildStage`] from 0 (in [`BuildStage::Graph`] each file once for each of its passes).
pub struct IndexBuilder {
    repo: Repo,
    chunking: Chunking,
    parsed: Vec<Parsed>,
    chunks: Vec<Chunk>,
    spans: Vec<Range<u32>>,
    /// Number of chunks after each file.
    chunks_after: Vec<usize>,
    words: Bm25Builder,
    files_with_words: usize,
    links: GraphBuilder,
    symbols: usize,
}

impl IndexBuilder {
    /// The index of `repo`, its files cut by `chunking`.
    pub fn new(repo: Repo, chunking: Chunking) -> Self {
        Self {
            repo,
            chunking,
            parsed: Vec::new(),
            chunks: Vec::new(),
            spans: Vec::new(),
            chunks_after: Vec::new(),
            words: Bm25::builder(),
            files_with_words: 0,
            links: GraphBuilder::default(),
            symbols: 0,
        }
    }

    /// What the next step works at.
    pub fn stage(&self) -> BuildStage {
        if self.parsed.len() < self.repo.files.len() {
            BuildStage::Parse
        } else if self.files_with_words < self.repo.files.len() {
            BuildStage::Words
        } else {
            BuildStage::Graph
        }
    }

    /// Symbols found so far.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// Chunks made so far.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    fn progress(&self, done: usize) -> Progress {
        Progress {
            done: done as u64,
            total: self.repo.files.len() as u64,
        }
    }

    fn parse_next(&mut self) {
        let at = self.parsed.len();
        let Some(file) = self.repo.files.get(at) else {
            return;
        };
        let parsed = parse(&file.path, &file.text);
        let chunks = chunk_file(FileId(at as u32), &file.text, &parsed, self.chunking);
        self.spans.extend(spans(file, &chunks));
        self.chunks.extend(chunks);
        self.chunks_after.push(self.chunks.len());
        self.symbols += parsed.symbols.len();
        self.parsed.push(parsed);
    }

    fn index_next(&mut self) {
        let at = self.files_with_words;
        self.files_with_words += 1;
        let (Some(file), Some(parsed)) = (self.repo.files.get(at), self.parsed.get(at)) else {
            return;
        };
        let last = self.chunks_after.get(at).copied().unwrap_or_default();
        while self.words.chunk_count() < last {
            let next = self.words.chunk_count();
            let (Some(chunk), Some(span)) = (self.chunks.get(next), self.spans.get(next)) else {
                return;
            };
            let body = file.text.get(span.start as usize..span.end as usize);
            let names = names(parsed, chunk);
            self.words.add(body.unwrap_or_default(), &file.path, names);
        }
    }

    fn finish(&mut self, graph: Graph) -> Index {
        Index::assemble(
            std::mem::take(&mut self.repo),
            std::mem::take(&mut self.parsed),
            std::mem::take(&mut self.chunks),
            std::mem::take(&mut self.spans),
            std::mem::take(&mut self.words).finish(),
            graph,
        )
    }
}

impl Job for IndexBuilder {
    type Output = Index;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Index>, Infallible> {
        if self.stage() == BuildStage::Parse {
            self.parse_next();
            return Ok(Step::Working(self.progress(self.parsed.len())));
        }
        if self.files_with_words < self.repo.files.len() {
            self.index_next();
            return Ok(Step::Working(self.progress(self.files_with_words)));
        }
        match self.links.step(&self.repo, &self.parsed) {
            Some(graph) => Ok(Step::Done(self.finish(graph))),
            None => {
                let (done, total) = self.links.progress(self.repo.files.len());
                Ok(Step::Working(Progress {
                    done: done as u64,
                    total: total as u64,
                }))
            }
        }
    }
}

/// The names that a chunk is found by: those of the symbols that start in it, and its own symbol with
/// its owners.
fn names<'p>(parsed: &'p Parsed, chunk: &'p Chunk) -> impl Iterator<Item = &'p str> {
    let own = chunk.symbol.and_then(|at| parsed.symbols.get(at as usize));
    let inside = named_in(parsed, chunk)
        .filter(move |symbol| own.is_none_or(|own| !std::ptr::eq(own, *symbol)));
    let own = own.map(|symbol| symbol.qualified.as_str());
    own.into_iter()
        .chain(inside.map(|symbol| symbol.name.as_str()))
}

/// The bytes of each chunk of `file` in its text.
pub(super) fn spans(file: &SourceFile, chunks: &[Chunk]) -> Vec<Range<u32>> {
    let index = LineIndex::new(&file.text);
    let span = |chunk: &Chunk| {
        let bytes = index.bytes(chunk.lines).unwrap_or(0..0);
        bytes.start as u32..bytes.end as u32
    };
    chunks.iter().map(span).collect()
}
