//! Reads files while the archive is still being unpacked, because the other readers would otherwise
//! be idle. Whether a file stays in the repository is known only later; reading one in vain costs
//! little.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use footnote_core::index::{IndexBuilder, ReadFile};
use footnote_core::job::{Job, Step};
use footnote_core::source::{ArchiveReader, Repo, SourceError, SourceFile};

use super::parsers::Parsers;
use super::reading::{BATCH_BYTES, BatchId, Beside, Helped};

/// An archive that is unpacked while its files are read.
pub struct Unpacking<B> {
    pub reader: ArchiveReader,
    ahead: Option<Ahead<B>>,
    /// Number of kept files that have been passed on, or were considered before.
    given: usize,
}

/// The files that were read before all of them were known.
pub struct Ahead<B = Rc<Parsers>> {
    readers: B,
    /// By path in the archive: `None` until the file has been read, and if it could not be. Of
    /// several files with the same path only the first is passed on, since only that one is in the
    /// repository.
    files: BTreeMap<String, Option<ReadFile>>,
    /// The paths of each batch that is being read.
    away: BTreeMap<BatchId, Vec<String>>,
    /// The prefix that paths in the repository lack.
    stripped: String,
}

impl<B: Beside> Unpacking<B> {
    pub fn new(reader: ArchiveReader, readers: Option<B>) -> Self {
        Self {
            reader,
            ahead: readers.map(Ahead::new),
            given: 0,
        }
    }

    fn exchange(&mut self) {
        let Some(ahead) = &mut self.ahead else { return };
        ahead.take();
        while ahead.readers.has_room() {
            let kept = self.reader.kept();
            // If there are fewer than before, they were too many, and none is kept any more.
            let new = kept.get(self.given..).unwrap_or_default();
            let mut bytes = 0;
            let enough = new.iter().position(|file| {
                bytes += file.text.len();
                bytes >= BATCH_BYTES
            });
            let Some(batch) = enough.and_then(|last| new.get(..=last)) else {
                return;
            };
            self.given += batch.len();
            ahead.give(batch);
        }
    }
}

impl<B: Beside> Job for Unpacking<B> {
    type Output = (Repo, Option<Ahead<B>>);
    type Error = SourceError;

    fn step(&mut self) -> Result<Step<Self::Output>, SourceError> {
        let step = self.reader.step()?;
        self.exchange();
        Ok(match step {
            Step::Working(progress) => Step::Working(progress),
            Step::Done(repo) => {
                let mut ahead = self.ahead.take();
                if let Some(ahead) = &mut ahead {
                    self.reader.stripped().clone_into(&mut ahead.stripped);
                }
                Step::Done((repo, ahead))
            }
        })
    }
}

impl<B: Beside> Ahead<B> {
    /// Nothing has been read yet.
    pub fn new(readers: B) -> Self {
        Self {
            readers,
            files: BTreeMap::new(),
            away: BTreeMap::new(),
            stripped: String::new(),
        }
    }

    fn give(&mut self, files: &[SourceFile]) {
        let mut paths = Vec::new();
        let mut texts = Vec::new();
        for file in files {
            if let Entry::Vacant(place) = self.files.entry(file.path.clone()) {
                place.insert(None);
                paths.push(file.path.clone());
                texts.push((file.path.as_str(), file.text.as_str()));
            }
        }
        if !texts.is_empty() {
            let batch = self.readers.give(&texts);
            self.away.insert(batch, paths);
        }
    }

    fn take(&mut self) {
        while let Some((batch, read)) = self.readers.take() {
            let paths = self.away.remove(&batch).unwrap_or_default();
            self.files.extend(paths.into_iter().zip(read));
        }
    }

    /// Passes on to a builder what was read, and what the others are still reading.
    pub fn into_helped(mut self, builder: &mut IndexBuilder) -> Helped<B> {
        self.take();
        let mut places = BTreeMap::new();
        for (at, file) in builder.files().iter().enumerate() {
            places.insert(format!("{}{}", self.stripped, file.path), at);
        }
        let place = |path: &String| places.get(path).copied();
        for (path, read) in self.files {
            if let (Some(at), Some(read)) = (place(&path), read) {
                builder.put(at, Some(read));
            }
        }
        // A file that was left out has no place in the repository: its result goes past the last
        // file.
        let nowhere = builder.files().len();
        let mut away = BTreeMap::new();
        for (batch, paths) in self.away {
            let places: Vec<usize> = paths
                .iter()
                .map(|path| place(path).unwrap_or(nowhere))
                .collect();
            places.iter().for_each(|&at| builder.send(at));
            away.insert(batch, places);
        }
        Helped {
            readers: self.readers,
            away,
        }
    }
}

#[cfg(test)]
mod tests {
    use footnote_core::chunk::Chunking;
    use footnote_core::index::{Index, format};
    use footnote_core::job::run_to_end;

    use super::*;
    use crate::worker::serve::open::reading::tests::Slow;
    use crate::worker::serve::open::reading::{Reading, Unread};

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    fn bytes(index: &Index) -> Vec<Vec<u8>> {
        format::encode(index).map(|it| it.into_bytes()).collect()
    }

    #[test]
    fn the_first_of_two_files_with_one_path_counts_even_if_it_was_handed_back() {
        let repo = || Repo {
            files: vec![
                file("a.py", "def first():\n    pass\n"),
                file("b.py", "def b():\n    pass\n"),
            ],
            ..Repo::default()
        };
        let mut ahead = Ahead::new(Rc::new(Slow::default()));
        ahead.stripped = "top/".to_owned();
        // The first batch is handed back; the second is still being read when the builder begins.
        ahead.give(&[file("top/a.py", "def first():\n    pass\n")]);
        ahead.take();
        ahead.give(&[
            file("top/a.py", "\n\ndef second():\n    pass\n"),
            file("top/b.py", "def b():\n    pass\n"),
            file("top/left-out.py", "def c():\n    pass\n"),
        ]);
        let mut builder = IndexBuilder::new(repo(), Chunking::FUNCTION);
        let helped = Some(ahead.into_helped(&mut builder));
        let unread = Unread::default();
        let Ok(index) = run_to_end(Reading::new(builder, helped, 2, &unread, |_| {}));
        let Ok(alone) = run_to_end(IndexBuilder::new(repo(), Chunking::FUNCTION));
        assert!(bytes(&index) == bytes(&alone));
        assert_eq!(index.parsed[0].symbols[0].name, "first");
    }
}
