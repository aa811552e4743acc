//! Cuts a repository's [`Index`] into other chunks. Nothing is read or parsed again: the new index
//! shares files, symbols and graph with the original.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use super::builder::{add_words, spans};
use super::{Bm25, Index, first_chunks};
use crate::chunk::{Chunk, Cut, chunk_file};
use crate::index::bm25::Bm25Builder;
use crate::job::{Job, Progress, Step};
use crate::source::FileId;

/// The job that re-cuts an index. A step cuts one file and indexes its words; progress counts
/// files.
pub struct Recut<'i> {
    from: &'i Index,
    cut: Cut,
    read: usize,
    chunks: Vec<Chunk>,
    spans: Vec<Range<u32>>,
    words: Bm25Builder,
}

impl<'i> Recut<'i> {
    /// Re-cuts the repository of `from` by `cut`.
    pub fn new(from: &'i Index, cut: Cut) -> Self {
        Self {
            from,
            cut,
            read: 0,
            chunks: Vec::new(),
            spans: Vec::new(),
            words: Bm25::builder(),
        }
    }

    fn cut_next(&mut self) {
        let id = FileId(self.read as u32);
        self.read += 1;
        let Some((file, parsed)) = self.from.file(id) else {
            return;
        };
        let chunks = chunk_file(id, &file.text, parsed, self.cut.chunking);
        let spans = spans(file, &chunks);
        add_words(&mut self.words, file, parsed, &chunks, &spans);
        self.chunks.extend(chunks);
        self.spans.extend(spans);
    }

    fn finish(&mut self) -> Index {
        let chunks = std::mem::take(&mut self.chunks);
        Index {
            repo: Arc::clone(&self.from.repo),
            parsed: Arc::clone(&self.from.parsed),
            graph: Arc::clone(&self.from.graph),
            history: Arc::clone(&self.from.history),
            header: self.cut.header,
            first_chunks: first_chunks(&chunks, self.from.repo.files.len()),
            chunks,
            spans: std::mem::take(&mut self.spans),
            bm25: std::mem::take(&mut self.words).finish(),
            paths: OnceLock::new(),
            last_lines: Mutex::default(),
            shapes: Arc::clone(&self.from.shapes),
            table: OnceLock::new(),
            taught: Mutex::default(),
            texts: Mutex::default(),
        }
    }
}

impl Job for Recut<'_> {
    type Output = Index;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Index>, Infallible> {
        let total = self.from.repo.files.len();
        if self.read >= total {
            return Ok(Step::Done(self.finish()));
        }
        self.cut_next();
        Ok(Step::Working(Progress {
            done: self.read as u64,
            total: total as u64,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{Chunking, Header};
    use crate::index::IndexBuilder;
    use crate::index::tests::{index, repo};
    use crate::job::run_to_end;

    const FILES: [(&str, &str); 3] = [
        (
            "a/one.py",
            "import os\n\n\ndef first():\n    return os.name\n\n\nclass Second:\n    pass\n",
        ),
        ("a/two.rs", "fn third() -> u8 {\n    7\n}\n"),
        ("notes.md", "# Title\n\nSome words.\n"),
    ];

    #[test]
    fn a_repository_that_is_cut_again_equals_one_cut_so_from_the_start() {
        let whole = index(&FILES);
        for chunking in Chunking::all().chain([Chunking::all().last().unwrap().sized(40, 10)]) {
            let Ok(fresh) = run_to_end(IndexBuilder::new(repo(&FILES), chunking));
            let Ok(again) = run_to_end(Recut::new(&whole, chunking.into()));
            assert_eq!(again.chunks, fresh.chunks, "{chunking:?}");
            for query in ["first", "third", "words", "os"] {
                assert_eq!(
                    again.bm25.search(&[query], 9),
                    fresh.bm25.search(&[query], 9),
                    "{chunking:?} {query}"
                );
            }
            for (id, _) in fresh.chunk_ids() {
                assert_eq!(again.text_of(id), fresh.text_of(id));
                assert_eq!(again.embedding_text(id), fresh.embedding_text(id));
            }
        }
    }

    #[test]
    fn the_header_is_what_an_encoder_reads_first() {
        let whole = index(&FILES);
        for (header, expected) in [
            (Header::Symbol, "one.py first\nimport os"),
            (Header::FilePath, "FILEPATH: a/one.py\nimport os"),
            (
                Header::Metadata,
                "file: a/one.py\nmodule: a.one\nholds: a function\nimports: os\nimport os",
            ),
        ] {
            let cut = Cut {
                header,
                ..Cut::default()
            };
            let Ok(again) = run_to_end(Recut::new(&whole, cut));
            let (id, _) = again
                .chunk_ids()
                .find(|(id, _)| again.title(*id) == "first")
                .unwrap();
            let text = again.embedding_text(id);
            assert!(text.starts_with(expected), "{text}");
        }
    }
}
