//! Compares an index with what its own text gives: an index that came from somebody else may say of
//! a file what is not in it, and a statement derived from that would look proven.

use super::format::same_parsed;
use super::{Index, ReadFile};
use crate::chunk::{Chunk, Chunking};
use crate::source::FileId;

impl Index {
    /// Whether reading `file` again finds the same symbols, imports and calls, and cuts it into the
    /// same chunks. False too for an index that was made by another version of the parser. The
    /// graph is always built from these when an index is opened, so nothing else has to be
    /// compared; words and vectors decide only which lines are looked at.
    pub fn is_as_read(&self, file: FileId, chunking: Chunking) -> bool {
        let (Some(source), Some(parsed)) = (self.repo.file(file), self.parsed.get(file.0 as usize))
        else {
            return false;
        };
        let Ok(read) = ReadFile::of(source, chunking) else {
            return false;
        };
        let is_same = |(own, read): (&Chunk, &Chunk)| {
            own.lines == read.lines && own.kind == read.kind && own.symbol == read.symbol
        };
        let own: Vec<&Chunk> = self.chunks_of(file).map(|(_, chunk)| chunk).collect();
        own.len() == read.chunks.len()
            && own.into_iter().zip(&read.chunks).all(is_same)
            && same_parsed(parsed, &read.parsed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::index::tests::whole_index;
    use crate::lines::{Line, LineRange};

    const CODE: &str = "import os\n\nclass Store(Base):\n    def get(self, key):\n        \
                        return load(key)\n";

    fn index() -> Index {
        whole_index(
            "store-1.0",
            &[("README.md", "# Store\n"), ("store.py", CODE)],
        )
    }

    fn fits(index: &Index) -> bool {
        let files = 0..index.repo.files.len() as u32;
        files
            .map(FileId)
            .all(|file| index.is_as_read(file, Chunking::FUNCTION))
    }

    #[test]
    fn an_index_fits_the_text_that_it_was_made_from() {
        assert!(fits(&index()));
    }

    /// A change that a lie could make to an index.
    type Lie = fn(&mut Index);

    #[test]
    fn whatever_an_index_claims_beyond_its_text_is_found() {
        let lies: [(&str, Lie); 9] = [
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
            ("one chunk less", |index| {
                let mut repo = (*index.repo).clone();
                repo.files[1].text.push_str("\ndef put(self):\n    pass\n");
                index.repo = Arc::new(repo);
            }),
        ];
        for (what, lie) in lies {
            let mut index = index();
            lie(&mut index);
            assert!(!fits(&index), "{what}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_fits_nothing() {
        assert!(!index().is_as_read(FileId(9), Chunking::FUNCTION));
    }
}
