//! What is held of each index file of a folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use footnote_core::search::across::Member;

use crate::serve::source::{Bytes, IndexFile, Reply, Repository, Trouble};
use crate::serve::stamp::Stamp;

/// All files of a folder, by name.
#[derive(Default)]
pub struct Held {
    pub shelves: BTreeMap<String, Arc<Shelf>>,
    /// Files that could not be read, as they were then: they are not read again until they change.
    pub refused: BTreeMap<String, Stamp>,
}

impl Held {
    /// The number of chunks of all repositories.
    pub fn chunks(&self) -> usize {
        self.shelves
            .values()
            .map(|it| it.member.chunk_count())
            .sum()
    }
}

/// One repository.
pub struct Shelf {
    /// The name of its index file.
    pub file: String,
    pub path: PathBuf,
    /// As the file was when it was read.
    pub stamp: Stamp,
    /// A digest of the file's bytes.
    pub tag: String,
    pub member: Member,
}

impl Shelf {
    pub fn repository(&self) -> Repository {
        Repository {
            repository: self.member.name().to_owned(),
            index: self.file.clone(),
            size: self.stamp.length(),
            files: self.member.file_count(),
            chunks: self.member.chunk_count(),
        }
    }

    /// Opens the file, if it is still the one that was read.
    pub fn open(&self) -> Result<IndexFile, Trouble> {
        let changed = || {
            let what = "the index file is being replaced";
            Trouble::Busy(format!("{what}. Ask again in a few seconds"))
        };
        let file = File::open(&self.path).map_err(|_| changed())?;
        let metadata = file.metadata().map_err(|_| changed())?;
        if Stamp::from(&metadata) != self.stamp {
            return Err(changed());
        }
        Ok(IndexFile {
            size: self.stamp.length(),
            tag: self.tag.clone(),
            bytes: Box::new(Opened(Arc::new(Mutex::new(file)))),
        })
    }
}

struct Opened(Arc<Mutex<File>>);

impl Bytes for Opened {
    fn read(&self, range: Range<u64>) -> Reply<'_, Vec<u8>> {
        let file = Arc::clone(&self.0);
        let read = move || {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let length = usize::try_from(range.end.saturating_sub(range.start));
            let mut bytes = vec![0; length.map_err(std::io::Error::other)?];
            file.seek(SeekFrom::Start(range.start))?;
            file.read_exact(&mut bytes)?;
            Ok(bytes)
        };
        Box::pin(async move {
            let failed = |error: std::io::Error| Trouble::Failed(error.to_string());
            let done = tokio::task::spawn_blocking(read).await;
            done.map_err(|error| Trouble::Failed(error.to_string()))?
                .map_err(failed)
        })
    }
}
