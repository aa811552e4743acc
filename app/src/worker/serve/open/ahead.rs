//! Files that are read while the archive is still being unpacked: the other readers would have
//! nothing to do until then. Whether a file stays in the repository shows later; reading one in vain
//! costs little.

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
    /// Files that were given, or that were kept before.
    given: usize,
}

/// What was read of files before all of them were known.
pub struct Ahead<B = Rc<Parsers>> {
    readers: B,
    /// By the path in the archive: `None` until it was read. Of files of one path the first counts,
    /// as it does in the repository.
    files: BTreeMap<String, Option<ReadFile>>,
    /// The paths of each batch that is away.
    away: BTreeMap<BatchId, Vec<String>>,
    /// What paths in the repository lack at their start.
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
            // Fewer than before: they were too much, and none is kept any more.
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
    /// Nothing was read yet.
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
            for (path, read) in paths.into_iter().zip(read) {
                match read {
                    Some(read) => drop(self.files.insert(path, Some(read))),
                    None => drop(self.files.remove(&path)),
                }
            }
        }
    }

    /// Hands over to a builder what was read, and what the others are still at.
    pub fn into_helped(mut self, builder: &mut IndexBuilder) -> Helped<B> {
        self.take();
        let mut places = BTreeMap::new();
        for (at, file) in builder.files().iter().enumerate() {
            places.insert(format!("{}{}", self.stripped, file.path), at);
        }
        for (path, read) in self.files {
            match (places.get(&path), read) {
                (Some(&at), Some(read)) => builder.put(at, Some(read)),
                (Some(&at), None) => builder.send(at),
                (None, _) => {}
            }
        }
        // A file that was left out has no place: what comes of it goes past the last.
        let nowhere = builder.files().len();
        let place = |path: &String| places.get(path).copied().unwrap_or(nowhere);
        let away = self.away.iter();
        Helped {
            away: away
                .map(|(batch, paths)| (*batch, paths.iter().map(place).collect()))
                .collect(),
            readers: self.readers,
        }
    }
}
