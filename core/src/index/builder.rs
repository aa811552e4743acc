//! Builds an [`Index`] from a [`Repo`], one file per step.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

use super::Index;
use super::bm25::{Bm25, Bm25Builder};
use super::graph::{Graph, GraphBuilder};
use super::read::{Elsewhere, ReadFile, State};
use super::reuse::Reuse;
use crate::chunk::{Chunk, Chunking};
use crate::job::{Job, Progress, Step};
use crate::lang::{Parsed, Symbol};
use crate::lines::{LineIndex, LineRange};
use crate::source::{FileId, Repo, SkipReason, SourceFile};

/// The stage of an [`IndexBuilder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStage {
    /// Parsing files and cutting them into chunks.
    Parse,
    /// Indexing the words of chunks.
    Words,
    /// Following imports and calls.
    Graph,
}

/// The job that builds an [`Index`]. A step handles one file; progress counts files and restarts
/// from 0 in each [`BuildStage`] (in [`BuildStage::Graph`], each file counts once per pass).
pub struct IndexBuilder {
    repo: Repo,
    chunking: Chunking,
    /// Number of files to read, and how many of them were read.
    to_read: usize,
    read: usize,
    /// The skipped ones among them, by position.
    unread: BTreeMap<usize, SkipReason>,
    /// Files that others read, or that were read before their turn.
    elsewhere: Elsewhere,
    /// Whether the last step found nothing to do until others have read their files.
    is_waiting: bool,
    parsed: Vec<Parsed>,
    chunks: Vec<Chunk>,
    spans: Vec<Range<u32>>,
    /// Number of chunks after each file.
    chunks_after: Vec<usize>,
    words: Bm25Builder,
    files_with_words: usize,
    links: GraphBuilder,
    symbols: usize,
    /// An older version, and the file of it that each file was reused from.
    reuse: Option<Reuse>,
    taken: Vec<Option<FileId>>,
    reused: usize,
}

impl IndexBuilder {
    /// Builds the index of `repo`, with files cut by `chunking`.
    pub fn new(repo: Repo, chunking: Chunking) -> Self {
        Self {
            to_read: repo.files.len(),
            read: 0,
            unread: BTreeMap::new(),
            elsewhere: Elsewhere::default(),
            is_waiting: false,
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
            reuse: None,
            taken: Vec::new(),
            reused: 0,
        }
    }

    /// Like [`IndexBuilder::new`], but reuses what `older` knows of a file with the same text,
    /// whatever its path. `older` must be cut by the same chunking. The resulting index is the
    /// same, byte for byte.
    pub fn reusing(repo: Repo, chunking: Chunking, older: Arc<Index>) -> Self {
        Self {
            reuse: Some(Reuse::new(older)),
            ..Self::new(repo, chunking)
        }
    }

    /// Returns the stage of the next step.
    pub fn stage(&self) -> BuildStage {
        if self.read < self.to_read {
            BuildStage::Parse
        } else if self.files_with_words < self.repo.files.len() {
            BuildStage::Words
        } else {
            BuildStage::Graph
        }
    }

    /// Returns the file that the next step reads in [`BuildStage::Parse`], and whether it is read
    /// before its turn; `None` if others have all remaining files.
    pub fn reads_next(&self) -> Option<(&str, bool)> {
        let at = self.to_read_next()?;
        let file = self.repo.files.get(at)?;
        Some((file.path.as_str(), at > self.read))
    }

    /// Returns the position of the file that the next step reads, or takes from the reader that has
    /// read it.
    fn to_read_next(&self) -> Option<usize> {
        match self.elsewhere.state(self.read) {
            State::Away => self.elsewhere.next_unread(self.read, self.to_read),
            State::Unread | State::Read => (self.read < self.to_read).then_some(self.read),
        }
    }

    /// Returns the repository's files, by the positions that [`IndexBuilder::offer`] returns.
    pub fn files(&self) -> &[SourceFile] {
        &self.repo.files
    }

    /// Returns files for another reader to read in parallel, as positions in
    /// [`IndexBuilder::files`], ascending and with about `bytes` bytes of text. This builder does
    /// not read them until [`IndexBuilder::put`] was called for each. Empty if an older index is
    /// reused.
    pub fn offer(&mut self, bytes: usize) -> Vec<usize> {
        if self.reuse.is_some() || self.stage() != BuildStage::Parse {
            return Vec::new();
        }
        self.elsewhere.offer(&self.repo.files, self.read, bytes)
    }

    /// Marks this file as being read by another reader.
    pub fn send(&mut self, at: usize) {
        if self.reuse.is_none() && (self.read..self.to_read).contains(&at) {
            self.elsewhere.send(at);
        }
    }

    /// Takes the result of another reader; `None` returns the file unread.
    pub fn put(&mut self, at: usize, read: Option<ReadFile>) {
        if (self.read..self.to_read).contains(&at) {
            self.elsewhere.put(at, read);
            self.is_waiting = false;
        }
    }

    /// Whether there is nothing to do until [`IndexBuilder::put`] is called: a step would change
    /// nothing.
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// Returns the number of files read so far, skipped ones included.
    pub fn read(&self) -> usize {
        self.read
    }

    /// Returns the number of files reused from an older index so far.
    pub fn reused(&self) -> usize {
        self.reused
    }

    /// Returns the number of symbols found so far.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// Returns the number of chunks made so far.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    fn progress(&self, done: usize, total: usize) -> Progress {
        Progress {
            done: done as u64,
            total: total as u64,
        }
    }

    fn parse_next(&mut self) {
        let at = self.read;
        if let State::Away = self.elsewhere.state(at) {
            self.read_ahead();
            return;
        }
        self.read += 1;
        if let Err(reason) = self.read_file(at) {
            self.unread.insert(at, reason);
        }
        if self.read >= self.to_read && !self.unread.is_empty() {
            let mut places = 0..;
            let mut unread = std::mem::take(&mut self.unread);
            self.repo.skip(|_| unread.remove(&places.next()?));
        }
    }

    /// Uses the time while another reader has the next file: reads a later one, else indexes the
    /// words of those already read.
    fn read_ahead(&mut self) {
        if let Some(at) = self.to_read_next()
            && let Some(file) = self.repo.files.get(at)
        {
            let read = ReadFile::of(file, self.chunking);
            self.elsewhere.put(at, read.ok());
            return;
        }
        // Files that are left out shift the following ones once all are read.
        let is_in_place = self.unread.is_empty() && self.files_with_words < self.parsed.len();
        match is_in_place {
            true => self.index_next(),
            false => self.is_waiting = true,
        }
    }

    /// Reads a file, or takes what an older index or another reader knows of it.
    fn read_file(&mut self, at: usize) -> Result<(), SkipReason> {
        let read = self.elsewhere.take(at);
        let Some(file) = self.repo.files.get(at) else {
            return Ok(());
        };
        let id = FileId(self.parsed.len() as u32);
        let known = self.reuse.as_ref().and_then(|reuse| {
            let of = reuse.find(file)?;
            Some((of, reuse.take(of, id)?))
        });
        let taken = known.as_ref().map(|(of, _)| *of);
        let read = match (known, read) {
            (Some((_, (parsed, chunks))), _) => ReadFile {
                spans: spans(file, &chunks),
                parsed,
                chunks,
            },
            (None, Some(read)) => read,
            (None, None) => ReadFile::of(file, self.chunking)?,
        };
        self.spans.extend(read.spans);
        let chunks = read.chunks.into_iter();
        self.chunks
            .extend(chunks.map(|chunk| Chunk { file: id, ..chunk }));
        self.chunks_after.push(self.chunks.len());
        self.symbols += read.parsed.symbols.len();
        self.parsed.push(read.parsed);
        self.reused += usize::from(taken.is_some());
        self.taken.push(taken);
        Ok(())
    }

    fn index_next(&mut self) {
        let at = self.files_with_words;
        self.files_with_words += 1;
        let (Some(file), Some(parsed)) = (self.repo.files.get(at), self.parsed.get(at)) else {
            return;
        };
        let last = self.chunks_after.get(at).copied().unwrap_or_default();
        let by_line = ByLine::new(parsed);
        let first = self.words.chunk_count();
        let taken = self.taken.get(at).copied().flatten();
        while self.words.chunk_count() < last {
            let next = self.words.chunk_count();
            if let (Some(reuse), Some(of)) = (&mut self.reuse, taken)
                && reuse.add_words(&mut self.words, of, next - first, &file.path)
            {
                continue;
            }
            let (Some(chunk), Some(span)) = (self.chunks.get(next), self.spans.get(next)) else {
                return;
            };
            add_chunk(&mut self.words, file, (parsed, &by_line), chunk, span);
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
            return Ok(Step::Working(self.progress(self.read, self.to_read)));
        }
        if self.files_with_words < self.repo.files.len() {
            self.index_next();
            let (done, total) = (self.files_with_words, self.repo.files.len());
            return Ok(Step::Working(self.progress(done, total)));
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

/// Indexes the words of all chunks of a file.
pub(super) fn add_words(
    words: &mut Bm25Builder,
    file: &SourceFile,
    parsed: &Parsed,
    chunks: &[Chunk],
    spans: &[Range<u32>],
) {
    let by_line = ByLine::new(parsed);
    for (chunk, span) in chunks.iter().zip(spans) {
        add_chunk(words, file, (parsed, &by_line), chunk, span);
    }
}

/// Indexes the words of one chunk, which has these bytes of its file.
fn add_chunk(
    words: &mut Bm25Builder,
    file: &SourceFile,
    (parsed, by_line): (&Parsed, &ByLine<'_>),
    chunk: &Chunk,
    span: &Range<u32>,
) {
    let body = file.text.get(span.start as usize..span.end as usize);
    let names = names(parsed, by_line, chunk);
    words.add(body.unwrap_or_default(), &file.path, names);
}

/// A file's symbols by the line of their name. A file can have as many chunks as symbols, so
/// examining all symbols for each chunk would take quadratic time.
struct ByLine<'p>(Vec<&'p Symbol>);

impl<'p> ByLine<'p> {
    fn new(parsed: &'p Parsed) -> Self {
        let mut symbols: Vec<&Symbol> = parsed.symbols.iter().collect();
        symbols.sort_by_key(|symbol| symbol.name_line);
        Self(symbols)
    }

    fn within(&self, lines: LineRange) -> impl Iterator<Item = &'p Symbol> {
        let from = self
            .0
            .partition_point(|symbol| symbol.name_line < lines.start());
        let rest = self.0.get(from..).unwrap_or_default().iter().copied();
        rest.take_while(move |symbol| symbol.name_line <= lines.end())
    }
}

/// Returns the names that a chunk is found by: those of the symbols that start in it, and its own
/// symbol with its owners.
fn names<'p>(
    parsed: &'p Parsed,
    by_line: &'p ByLine<'p>,
    chunk: &'p Chunk,
) -> impl Iterator<Item = &'p str> {
    let own = chunk.symbol.and_then(|at| parsed.symbols.get(at as usize));
    let inside = by_line
        .within(chunk.lines)
        .filter(move |symbol| own.is_none_or(|own| !std::ptr::eq(own, *symbol)));
    let own = own.map(|symbol| symbol.qualified.as_str());
    own.into_iter()
        .chain(inside.map(|symbol| symbol.name.as_str()))
}

/// Returns the byte range of each chunk of `file` in its text.
pub(super) fn spans(file: &SourceFile, chunks: &[Chunk]) -> Vec<Range<u32>> {
    let index = LineIndex::new(&file.text);
    let span = |chunk: &Chunk| {
        let bytes = index.bytes(chunk.lines).unwrap_or(0..0);
        bytes.start as u32..bytes.end as u32
    };
    chunks.iter().map(span).collect()
}
