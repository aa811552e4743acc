//! Reads index files, a block a step. Everything that a file says is checked before it is used.

use super::blocks::{BLOCK, BLOCK_HEAD, Blocks, unpack};
use super::header::{self, About, Codec, Entry, TEXTS, half};
use super::vectors::{MODEL, SavedVectors, TABLE, read_model, read_table};
use super::{FileError, Limits};
use crate::index::Index;
use crate::index::format::beside::{is_section, texts_of};
use crate::index::format::{self, Bytes, Opened};
use crate::job::{Job, Progress, Step, run_to_end};
use crate::source::Repo;
use crate::source::path::{is_clean, is_deceptive, shown};

/// The most that DEFLATE can shrink, rounded up: a part that claims more lies.
const MAX_RATIO: u64 = 1100;

/// Longest text of a file, in bytes: archives give at most a quarter of it before decoding.
const MAX_FILE_TEXT: usize = 4 << 20;

/// An index file whose header was read and whose sizes were checked. Nothing is unpacked yet.
pub struct IndexFile<B> {
    bytes: B,
    about: About,
    entries: Vec<Entry>,
    /// Where each section starts.
    starts: Vec<u64>,
    limits: Limits,
}

/// What an index file holds.
pub struct Decoded {
    /// What it says about itself, compared with what is inside.
    pub about: About,
    /// The index, without vectors.
    pub index: Index,
    /// The static encoder's vectors of all chunks, for [`crate::index::TableVectors::of_saved`].
    pub table: Option<SavedVectors>,
    /// The embedding model's vectors of some or all chunks.
    pub model: Option<SavedVectors>,
}

impl About {
    /// Reads what the file that starts with `bytes` says about itself. Its first megabyte and a
    /// few bytes are always enough.
    ///
    /// # Errors
    /// [`FileError`] if it is not an index file of a version that can be read, or its header is
    /// damaged.
    pub fn read(bytes: &impl Bytes) -> Result<Self, FileError> {
        Ok(header::decode(bytes, &Limits::STANDARD)?.0)
    }
}

impl<B: Bytes> IndexFile<B> {
    /// Reads the header of a whole file.
    ///
    /// # Errors
    /// [`FileError`] if it is not an index file of a version that can be read, if it is cut, if its
    /// header is damaged, or if it says that it is too large.
    pub fn open(bytes: B) -> Result<Self, FileError> {
        Self::within(bytes, Limits::STANDARD)
    }

    /// Like [`IndexFile::open`], with other limits.
    ///
    /// # Errors
    /// As of [`IndexFile::open`].
    pub fn within(bytes: B, limits: Limits) -> Result<Self, FileError> {
        let (about, entries, start) = header::decode(&bytes, &limits)?;
        let starts = check_sizes(&entries, start, bytes.length() as u64, &limits)?;
        Ok(Self {
            bytes,
            about,
            entries,
            starts,
            limits,
        })
    }

    /// Returns what the file says about itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Starts to unpack and check everything.
    ///
    /// # Errors
    /// [`FileError::WithoutText`] if the source text was left out.
    pub fn decoding(self) -> Result<Decoding<B>, FileError> {
        if !self.about.has_text {
            let archive = self.about.archive.map(|archive| archive.name);
            return Err(FileError::WithoutText { archive });
        }
        Ok(Decoding::new(self, None))
    }

    /// Starts to unpack and check everything, with the text of the repository that the file was
    /// made from. Text inside the file is not used.
    pub fn decoding_beside(self, repo: Repo) -> Decoding<B> {
        Decoding::new(self, Some(repo))
    }

    /// Unpacks and checks everything in one go.
    ///
    /// # Errors
    /// [`FileError`] for whatever is not as it should be.
    pub fn decode(self) -> Result<Decoded, FileError> {
        run_to_end(self.decoding()?)
    }
}

/// Compares the sizes of the sections with the limits and the length of the file; returns where
/// each starts.
fn check_sizes(
    entries: &[Entry],
    mut at: u64,
    length: u64,
    limits: &Limits,
) -> Result<Vec<u64>, FileError> {
    let mut starts = Vec::with_capacity(entries.len());
    let mut total = 0u64;
    for entry in entries {
        let limit = match &*entry.name {
            TEXTS => limits.text_bytes,
            _ => limits.section_bytes,
        };
        total = total.saturating_add(entry.raw);
        let too_large = |bytes, limit| FileError::TooLarge {
            section: entry.name.clone(),
            bytes,
            limit,
        };
        if entry.raw > limit {
            return Err(too_large(entry.raw, limit));
        }
        if total > limits.total_bytes {
            return Err(too_large(total, limits.total_bytes));
        }
        if entry.codec != Codec::LeftOut && entry.raw > entry.packed.saturating_mul(MAX_RATIO) {
            let detail = "it is too short for what it says it unpacks to";
            return Err(FileError::damaged(&entry.name, detail));
        }
        starts.push(at);
        at = at.saturating_add(entry.packed);
        if at > length {
            return Err(FileError::Cut {
                section: entry.name.clone(),
                found: length,
                expected: at,
            });
        }
    }
    if at != length {
        let last = entries.last().map_or(header::HEADER, |entry| &*entry.name);
        return Err(FileError::damaged(
            last,
            "bytes follow that belong to nothing",
        ));
    }
    Ok(starts)
}

/// Unpacks an index file and opens its index; progress counts bytes, then files.
pub struct Decoding<B> {
    file: IndexFile<B>,
    /// Has the text, if that is not taken from the file.
    repo: Option<Repo>,
    /// The section that is being unpacked.
    next: usize,
    open: Open,
    sections: Vec<(String, Blocks)>,
    done: u64,
    index: Option<Opened>,
}

#[derive(Default)]
struct Open {
    /// Position in the section.
    at: u64,
    blocks: Blocks,
    hasher: blake3::Hasher,
}

impl<B: Bytes> Decoding<B> {
    fn new(file: IndexFile<B>, repo: Option<Repo>) -> Self {
        Self {
            file,
            repo,
            next: 0,
            open: Open::default(),
            sections: Vec::new(),
            done: 0,
            index: None,
        }
    }

    /// Unpacks the next block, or closes the section at its end.
    fn unpack_next(&mut self, entry: &Entry, start: u64) -> Result<(), FileError> {
        let is_known = is_section(&entry.name) || [TABLE, MODEL].contains(&&*entry.name);
        // A later version may add parts that this one does not know.
        if !is_known || (entry.name == TEXTS && self.repo.is_some()) {
            self.next += 1;
            return Ok(());
        }
        let left = entry.raw - self.open.blocks.length() as u64;
        if left == 0 {
            return self.close(entry);
        }
        let damaged = |detail| FileError::damaged(&entry.name, detail);
        let cut = || damaged("it ends in the middle of a block");
        let in_section = entry.packed - self.open.at;
        let read = |at: u64, length: u64| {
            let mut bytes = vec![0; length as usize];
            self.file.bytes.read((start + at) as usize, &mut bytes);
            bytes
        };
        if in_section < BLOCK_HEAD as u64 {
            return Err(cut());
        }
        let head = read(self.open.at, BLOCK_HEAD as u64);
        let head = head.first_chunk().copied().unwrap_or_default();
        let packed = u64::from(u32::from_le_bytes(head));
        if packed > in_section - BLOCK_HEAD as u64 {
            return Err(cut());
        }
        let raw = left.min(BLOCK as u64);
        if packed > raw {
            return Err(damaged("a block is longer than what it holds"));
        }
        let block = read(self.open.at + BLOCK_HEAD as u64, packed);
        let block = unpack(&block, raw as usize);
        let block = block.ok_or_else(|| damaged("a block cannot be unpacked"))?;
        self.open.hasher.update(&block);
        self.open.blocks.push(block);
        self.open.at += BLOCK_HEAD as u64 + packed;
        self.done += BLOCK_HEAD as u64 + packed;
        Ok(())
    }

    fn close(&mut self, entry: &Entry) -> Result<(), FileError> {
        let open = std::mem::take(&mut self.open);
        if open.at != entry.packed {
            let detail = "it contains more than it says";
            return Err(FileError::damaged(&entry.name, detail));
        }
        if half(&open.hasher.finalize()) != entry.digest {
            let detail = "its bytes are not those that were written";
            return Err(FileError::damaged(&entry.name, detail));
        }
        self.sections.push((entry.name.clone(), open.blocks));
        self.next += 1;
        Ok(())
    }

    /// Opens the index, once everything is unpacked.
    fn open_index(&mut self) -> Result<Opened, FileError> {
        if let Some(repo) = self.repo.take() {
            self.add_texts(&repo)?;
        }
        let (own, vectors) = std::mem::take(&mut self.sections)
            .into_iter()
            .partition(|(name, _)| is_section(name));
        self.sections = vectors;
        let own: Vec<(String, Blocks)> = own;
        let opened = format::open(own)?;
        check_repo(opened.repo())?;
        Ok(opened)
    }

    /// Takes the text from the repository, which must be the one that the file was made from.
    fn add_texts(&mut self, repo: &Repo) -> Result<(), FileError> {
        let other = |detail: String| FileError::OtherArchive { detail };
        let missing = |section: &str| FileError::Missing {
            section: section.to_owned(),
        };
        let mut entries = self.file.entries.iter();
        let entry = entries.find(|entry| entry.name == TEXTS);
        let entry = entry.ok_or_else(|| missing(TEXTS))?;
        let files = self.sections.iter().find(|(name, _)| name == FILES);
        let (_, files) = files.ok_or_else(|| missing(FILES))?;
        let texts = texts_of(&files.to_bytes(), repo).map_err(|error| match error {
            format::beside::TextsError::Format(error) => FileError::from(error),
            format::beside::TextsError::Other(path) => {
                other(format!("“{}” is missing or differs", shown(&path)))
            }
        })?;
        if half(&blake3::hash(&texts)) != entry.digest {
            return Err(other("the text of some file differs".to_owned()));
        }
        let mut blocks = Blocks::default();
        texts
            .chunks(BLOCK)
            .for_each(|block| blocks.push(block.to_vec()));
        self.sections.push((TEXTS.to_owned(), blocks));
        Ok(())
    }

    fn finish(&mut self, index: Index) -> Result<Decoded, FileError> {
        let about = self.file.about.clone();
        let chunks = index.chunks.len();
        check_about(&about, &index)?;
        let (mut table, mut model) = (None, None);
        for (name, blocks) in std::mem::take(&mut self.sections) {
            let is_table = name == TABLE;
            let of = if is_table { &about.table } else { &about.model };
            let encoder = of.clone().ok_or_else(|| {
                FileError::damaged(&name, "the header does not say whose vectors they are")
            })?;
            let bytes = blocks.to_bytes();
            match is_table {
                true => table = Some(read_table(encoder, &bytes, chunks)?),
                false => {
                    let limit = self.file.limits.section_bytes;
                    model = Some(read_model(encoder, &bytes, chunks, limit)?);
                }
            }
        }
        for (said, found, section) in [
            (&about.table, table.is_some(), TABLE),
            (&about.model, model.is_some(), MODEL),
        ] {
            if said.is_some() && !found {
                let section = section.to_owned();
                return Err(FileError::Missing { section });
            }
        }
        Ok(Decoded {
            about,
            index,
            table,
            model,
        })
    }
}

/// The section with the paths.
const FILES: &str = "files";

impl<B: Bytes> Job for Decoding<B> {
    type Output = Decoded;
    type Error = FileError;

    fn step(&mut self) -> Result<Step<Decoded>, FileError> {
        let section = self.file.entries.get(self.next).cloned();
        if let Some((entry, &start)) = section.zip(self.file.starts.get(self.next)) {
            self.unpack_next(&entry, start)?;
            let total = self.file.entries.iter().map(|entry| entry.packed).sum();
            let done = self.done;
            return Ok(Step::Working(Progress { done, total }));
        }
        let opened = match &mut self.index {
            Some(opened) => opened,
            None => {
                let opened = self.open_index()?;
                self.index.insert(opened)
            }
        };
        let Ok(step) = opened.step();
        Ok(match step {
            Step::Working(progress) => Step::Working(progress),
            Step::Done(index) => Step::Done(self.finish(index)?),
        })
    }
}

/// Paths are those of a repository, and files are no longer than those of an archive.
fn check_repo(repo: &Repo) -> Result<(), FileError> {
    let unsafe_path = |path: &str| FileError::UnsafePath { path: shown(path) };
    for file in &repo.files {
        if !is_clean(&file.path) {
            return Err(unsafe_path(&file.path));
        }
        if file.text.len() > MAX_FILE_TEXT {
            return Err(FileError::TooLarge {
                section: TEXTS.to_owned(),
                bytes: file.text.len() as u64,
                limit: MAX_FILE_TEXT as u64,
            });
        }
    }
    // A file left out of an archive may have had any name; the name is only shown.
    let mut skipped = repo.skipped.iter();
    match skipped.find(|skipped| skipped.path.chars().any(is_deceptive)) {
        Some(skipped) => Err(unsafe_path(&skipped.path)),
        None => Ok(()),
    }
}

/// A list of files shows what their headers say, so that must be true.
fn check_about(about: &About, index: &Index) -> Result<(), FileError> {
    let text_bytes = index.repo.files.iter().map(|file| file.text.len() as u64);
    let is_true = about.name == index.repo.name
        && about.files as usize == index.repo.files.len()
        && about.chunks as usize == index.chunks.len()
        && about.text_bytes == text_bytes.sum::<u64>()
        && about.languages == About::languages_of(index);
    match is_true {
        true => Ok(()),
        false => Err(FileError::damaged(
            header::HEADER,
            "it describes another repository than the one inside",
        )),
    }
}
