//! The static encoder's vectors of an index's chunks: every chunk has one within seconds of being
//! read.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use super::file::SavedVectors;
use super::{Index, Vectors};
use crate::chunk::ChunkId;
use crate::embed::{Embedding, Quantised, TableEncoder};
use crate::hash::FastMap;
use crate::job::{Job, Progress, Step};
use crate::source::FileId;

/// Number of chunks per step: a few milliseconds in a browser.
const CHUNKS_AT_ONCE: usize = 64;

/// A vector for every chunk, and the encoder that embeds questions.
pub struct TableVectors {
    encoder: Arc<TableEncoder>,
    vectors: Vectors,
    /// The words of the repository that the table knows, by token.
    words: Vec<(u32, Box<str>)>,
    /// Cached results of [`TableVectors::near`]: a question is searched more than once.
    near: Mutex<FastMap<Wanted, Vec<(usize, f32)>>>,
}

/// A token, the bits of the least cosine, and the maximum number of words.
type Wanted = (u32, u32, usize);

/// Number of words whose near ones are cached.
const MAX_KEPT: usize = 1_000;

impl TableVectors {
    /// Takes over vectors that were saved for this index; `None` if another encoder computed them
    /// or they belong to another number of chunks.
    pub fn of_saved(
        index: &Index,
        encoder: Arc<TableEncoder>,
        saved: SavedVectors,
    ) -> Option<Self> {
        let is_same = saved.encoder.id == encoder.id()
            && saved.vectors.dimension() == encoder.dimension()
            && saved.vectors.chunk_count() == index.chunks.len()
            && saved.vectors.is_complete();
        is_same.then(|| Self {
            words: known_words(index, &encoder),
            encoder,
            vectors: saved.vectors,
            near: Mutex::default(),
        })
    }

    /// Whether the table has the word as a whole: such a word is used in code, so it is not a typo.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.encoder.word(word).is_some()
    }

    /// Returns how much information a word carries by the table's own measure; 0 for one that it
    /// does not know as a whole.
    pub(crate) fn weight(&self, word: &str) -> f32 {
        let token = self.encoder.word(word);
        token.map_or(0.0, |token| self.encoder.weight(token))
    }

    /// Returns words of the repository that are near to `word` in meaning, with their cosines,
    /// nearest first.
    pub(crate) fn near(&self, word: &str, least: f32, most: usize) -> Vec<(&str, f32)> {
        let Some(token) = self.encoder.word(word) else {
            return Vec::new();
        };
        let wanted = (token, least.to_bits(), most);
        let mut known = self.near.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KEPT {
            known.clear();
        }
        let found = known
            .entry(wanted)
            .or_insert_with(|| self.compare(token, least, most));
        let found = found.iter();
        let word = |&(at, cosine): &(usize, f32)| Some((&*self.words.get(at)?.1, cosine));
        found.filter_map(word).collect()
    }

    /// Returns the positions of the words near to a token, for [`TableVectors::near`].
    fn compare(&self, token: u32, least: f32, most: usize) -> Vec<(usize, f32)> {
        let others = self.words.iter().enumerate();
        let others = others.filter(|(_, (other, _))| *other != token);
        let mut near: Vec<(usize, f32)> = others
            .map(|(at, (other, _))| (at, self.encoder.cosine(token, *other)))
            .filter(|&(_, cosine)| cosine >= least)
            .collect();
        let word = |at: usize| self.words.get(at).map(|(_, word)| word);
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(word(a.0).cmp(&word(b.0))));
        near.truncate(most);
        near
    }

    /// Returns the encoder's id.
    pub fn id(&self) -> &str {
        self.encoder.id()
    }

    /// Returns the vectors, one per chunk.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Returns the vector of a question; `None` if it has no word that the table knows.
    pub fn embed(&self, question: &str) -> Option<Embedding> {
        let embedding = self.encoder.vector(question);
        let has_words = embedding.values().iter().any(|&value| value != 0.0);
        has_words.then_some(embedding)
    }
}

/// Computes the vectors of an index; progress counts chunks. [`Index::set_table`] takes the result.
pub struct TableJob {
    index: Arc<Index>,
    made: Option<TableVectors>,
    next: usize,
    /// Another index that has its vectors, and the latest file looked up in it.
    known: Option<Arc<Index>>,
    latest: Option<(FileId, Option<FileId>)>,
}

impl TableJob {
    /// Reads all chunks of `index`.
    pub fn new(index: Arc<Index>, encoder: Arc<TableEncoder>) -> Self {
        let vectors = Vectors::new(encoder.dimension(), index.chunks.len());
        let made = TableVectors {
            words: known_words(&index, &encoder),
            encoder,
            vectors,
            near: Mutex::default(),
        };
        Self {
            index,
            made: Some(made),
            next: 0,
            known: None,
            latest: None,
        }
    }

    /// Like [`TableJob::new`], but takes over the vectors that `known` has of files with the same
    /// path and text, if it was cut in the same way and the same encoder computed them. The result
    /// is the same.
    pub fn reusing(index: Arc<Index>, encoder: Arc<TableEncoder>, known: Arc<Index>) -> Self {
        let is_same = known.header == index.header
            && known
                .table()
                .is_some_and(|table| table.id() == encoder.id());
        Self {
            known: is_same.then_some(known),
            ..Self::new(index, encoder)
        }
    }

    /// Returns the vector of a chunk if it is known.
    fn known(&mut self, id: ChunkId) -> Option<Quantised> {
        let known = self.known.as_ref()?;
        let chunk = self.index.chunk(id)?;
        let file = match self.latest {
            Some((latest, found)) if latest == chunk.file => found,
            _ => {
                let found = same_file(&self.index, chunk.file, known);
                self.latest = Some((chunk.file, found));
                found
            }
        }?;
        let first =
            |index: &Index, file: FileId| index.first_chunks().get(file.0 as usize).copied();
        let nth = id.0.checked_sub(first(&self.index, chunk.file)?)?;
        let other = ChunkId(first(known, file)?.checked_add(nth)?);
        let same = known.chunk(other)?;
        let is_same = (same.file, same.lines, same.symbol) == (file, chunk.lines, chunk.symbol);
        known.table()?.vectors().get(other).filter(|_| is_same)
    }
}

/// Returns the file of `known` that has the path and the text of `file`.
fn same_file(index: &Index, file: FileId, known: &Index) -> Option<FileId> {
    let file = index.repo.file(file)?;
    let found = known.repo.find(&file.path)?;
    let is_same = known.repo.file(found)?.text == file.text;
    is_same.then_some(found)
}

/// Returns the words of the repository that the table knows, by token.
fn known_words(index: &Index, encoder: &TableEncoder) -> Vec<(u32, Box<str>)> {
    let known = encoder.words();
    let mut words: Vec<(u32, Box<str>)> = known
        .filter(|(word, _)| index.bm25.document_frequency(word) > 0)
        .map(|(word, token)| (token, word.into()))
        .collect();
    words.sort_unstable();
    words
}

impl Job for TableJob {
    type Output = TableVectors;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<TableVectors>, Infallible> {
        let total = self.index.chunks.len();
        let end = total.min(self.next + CHUNKS_AT_ONCE);
        for at in self.next..end {
            let chunk = ChunkId(at as u32);
            let known = self.known(chunk);
            if let Some(made) = &mut self.made {
                let vector = known.unwrap_or_else(|| {
                    Quantised::new(&made.encoder.vector(&self.index.embedding_text(chunk)))
                });
                made.vectors.set(chunk, &vector);
            }
        }
        self.next = end;
        match self.made.take_if(|_| end == total) {
            Some(made) => Ok(Step::Done(made)),
            None => Ok(Step::Working(Progress {
                done: end as u64,
                total: total as u64,
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::table::tests::encoder;
    use crate::index::tests::index;
    use crate::job::run_to_end;

    #[test]
    fn every_chunk_gets_the_vector_of_its_text() {
        let files: Vec<(String, String)> = (0..150)
            .map(|at| {
                (
                    format!("m{at:03}.py"),
                    format!("def name_{at}():\n    return {at}\n"),
                )
            })
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        let index = Arc::new(index(&files));
        let encoder = Arc::new(encoder());
        let mut job = TableJob::new(Arc::clone(&index), Arc::clone(&encoder));
        let Ok(Step::Working(progress)) = job.step() else {
            panic!("150 chunks are more than one step");
        };
        assert_eq!((progress.done, progress.total), (64, 150));
        let Ok(table) = run_to_end(job);
        assert!(table.vectors().is_complete());
        for (chunk, _) in index.chunk_ids() {
            let expected = encoder.vector(&index.embedding_text(chunk));
            let cosine = table.vectors().cosine(&expected, chunk).unwrap();
            assert!(cosine > 0.999, "{cosine}");
        }
        assert_eq!(table.embed("…"), None);
        index.set_table(table);
        assert!(index.table().is_some());
    }

    #[test]
    fn vectors_of_files_that_stayed_are_taken_over_and_all_others_computed() {
        let old = [
            (
                "a.py",
                "def tea():\n    return 1\n\n\ndef milk():\n    return 2\n",
            ),
            ("b.py", "def sugar():\n    return 3\n"),
        ];
        let new = [
            ("0.py", "def first():\n    return 0\n"),
            old[0],
            ("b.py", "def sugar():\n    return 4\n"),
        ];
        let encoder = Arc::new(encoder());
        let older = Arc::new(index(&old));
        let Ok(table) = run_to_end(TableJob::new(Arc::clone(&older), Arc::clone(&encoder)));
        // Recognisable, though no text has these vectors.
        let marked = Quantised::new(&encoder.vector("tea"));
        let mut table = table;
        (0..older.chunks.len() as u32).for_each(|at| {
            table.vectors.set(ChunkId(at), &marked);
        });
        older.set_table(table);
        let index = Arc::new(index(&new));
        let job = TableJob::reusing(Arc::clone(&index), Arc::clone(&encoder), older);
        let Ok(table) = run_to_end(job);
        for (chunk, it) in index.chunk_ids() {
            let is_taken = index.repo.file(it.file).unwrap().path == "a.py";
            let own = Quantised::new(&encoder.vector(&index.embedding_text(chunk)));
            // As it is after being stored, which makes it as long as a unit again.
            let mut expected = Vectors::new(encoder.dimension(), 1);
            expected.set(ChunkId(0), if is_taken { &marked } else { &own });
            let (found, expected) = (table.vectors().get(chunk), expected.get(ChunkId(0)));
            assert_eq!(found, expected, "{it:?}");
        }
    }

    #[test]
    fn an_index_without_chunks_is_done_at_once() {
        let index = Arc::new(index(&[]));
        let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::new(encoder())));
        assert_eq!(table.vectors().count(), 0);
        index.set_table(table);
    }
}
