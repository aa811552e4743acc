//! Compares an index with what its own text gives: an index that came from somebody else may say of
//! a file what is not in it, and a statement derived from that would look proven.

use std::convert::Infallible;
use std::ops::Deref;

use super::bm25::{Bm25, Bm25Builder};
use super::builder::add_words;
use super::format::same_parsed;
use super::{Index, ReadFile};
use crate::chunk::{Chunk, Chunking};
use crate::job::{Job, Progress, Step};
use crate::source::FileId;

/// Reads every file of an index again, one a step, and tells whether the index says the same of it:
/// symbols, imports, calls, chunks and words. False too for an index that another version of the
/// parser made. The graph is not compared, because it is built from these when an index is opened.
/// Progress is in files.
///
/// What the text does not hold cannot be compared: the repository's name, the files that were left
/// out and what commits say remain the word of whoever made the index.
pub struct Recheck<I> {
    index: I,
    chunking: Chunking,
    words: Bm25Builder,
    next: usize,
}

impl<I: Deref<Target = Index>> Recheck<I> {
    /// Begins to compare an index whose files were cut this way.
    pub fn new(index: I, chunking: Chunking) -> Self {
        Self {
            index,
            chunking,
            words: Bm25::builder(),
            next: 0,
        }
    }

    /// Whether the next file is as the index says; counts its words.
    fn next_fits(&mut self) -> bool {
        let at = self.next;
        self.next += 1;
        let index = &self.index;
        let (Some(file), Some(parsed)) = (index.repo.files.get(at), index.parsed.get(at)) else {
            return false;
        };
        let Ok(read) = ReadFile::of(file, self.chunking) else {
            return false;
        };
        let own = index.chunks_of(FileId(at as u32)).map(|(_, chunk)| chunk);
        let is_same = same_chunks(own, &read.chunks) && same_parsed(parsed, &read.parsed);
        add_words(
            &mut self.words,
            file,
            &read.parsed,
            &read.chunks,
            &read.spans,
        );
        is_same
    }
}

impl<I: Deref<Target = Index>> Job for Recheck<I> {
    type Output = bool;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<bool>, Infallible> {
        let total = self.index.repo.files.len();
        if self.next >= total {
            let words = std::mem::replace(&mut self.words, Bm25::builder());
            let is_same = words.finish().to_bytes() == self.index.bm25.to_bytes();
            return Ok(Step::Done(is_same));
        }
        Ok(match self.next_fits() {
            true => Step::Working(Progress {
                done: self.next as u64,
                total: total as u64,
            }),
            false => Step::Done(false),
        })
    }
}

fn same_chunks<'c>(own: impl Iterator<Item = &'c Chunk>, read: &[Chunk]) -> bool {
    let of = |chunk: &Chunk| (chunk.lines, chunk.kind, chunk.symbol);
    own.map(of).eq(read.iter().map(of))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::index::tests::whole_index;
    use crate::job::run_to_end;
    use crate::lines::{Line, LineRange};

    const CODE: &str = "import os\n\nclass Store(Base):\n    def get(self, key):\n        \
                        return load(key)\n";

    fn index() -> Index {
        whole_index(
            "store-1.0",
            &[("README.md", "# Store\n"), ("store.py", CODE)],
        )
    }

    fn fits(index: Index) -> bool {
        let Ok(fits) = run_to_end(Recheck::new(&index, Chunking::FUNCTION));
        fits
    }

    #[test]
    fn an_index_fits_the_text_that_it_was_made_from() {
        assert!(fits(index()));
    }

    /// A change that a lie could make to an index.
    type Lie = fn(&mut Index);

    #[test]
    fn anything_an_index_claims_beyond_its_text_is_found() {
        let lies: [(&str, Lie); 10] = [
            ("a call", |index| {
                Arc::make_mut(&mut index.parsed)[1].calls[0].name = "erase".to_owned();
            }),
            ("no call", |index| {
                Arc::make_mut(&mut index.parsed)[1].calls.clear()
            }),
            ("an import", |index| {
                Arc::make_mut(&mut index.parsed)[1].imports[0].module = "socket".to_owned();
            }),
            ("a base", |index| {
                Arc::make_mut(&mut index.parsed)[1].bases[0].name = "Vault".to_owned();
            }),
            ("a symbol", |index| {
                Arc::make_mut(&mut index.parsed)[1].symbols[0].name = "Vault".to_owned();
            }),
            ("documentation", |index| {
                Arc::make_mut(&mut index.parsed)[1].symbols[0].doc = "Safe.".to_owned();
            }),
            ("a package", |index| {
                Arc::make_mut(&mut index.parsed)[1]
                    .packages
                    .push("vault".to_owned());
            }),
            ("other lines", |index| {
                index.chunks[1].lines = LineRange::new(Line(1), Line(1));
            }),
            ("words", |index| {
                let other = whole_index(
                    "other-1.0",
                    &[("README.md", "# Vault\n"), ("store.py", CODE)],
                );
                index.bm25 = other.bm25.clone();
            }),
            ("one chunk less", |index| {
                let mut repo = (*index.repo).clone();
                repo.files[1].text.push_str("\ndef put(self):\n    pass\n");
                index.repo = Arc::new(repo);
            }),
        ];
        for (what, lie) in lies {
            let mut index = index();
            lie(&mut index);
            assert!(!fits(index), "{what}");
        }
    }
}
