//! An archive's bytes → [`Repo`], one entry per step.

use super::collect::{Collector, TopFolder};
use super::error::SourceError;
use super::filter::Filter;
use super::limits::Limits;
use super::tar_reader::{TarReader, is_header};
use super::zip_reader::ZipReader;
use super::{Repo, Scope, SourceFile, path};
use crate::job::{Job, Progress, Step};

/// File name extensions that are not part of a repository's name, longest first.
const EXTENSIONS: [&str; 7] = [".tar.gz", ".crate", ".tgz", ".tar", ".zip", ".whl", ".gz"];

/// Top folders whose names say nothing: npm puts every package into `package/`.
const NAMELESS_FOLDERS: [&str; 1] = ["package"];

/// Reads an archive. Progress is in bytes of the archive.
pub struct ArchiveReader {
    state: State,
    collector: Collector,
    /// Size of the archive in bytes.
    total: u64,
    /// The top folder that is removed from paths, with its `/`; empty if there is none.
    stripped: String,
}

enum State {
    Zip(Box<ZipReader>),
    Tar(Box<TarReader>),
    Filter(Box<Filter>),
    Finished,
}

impl ArchiveReader {
    /// Recognises the archive by its content, whatever `file_name` says. Takes ownership of
    /// `bytes`, and frees them as soon as the last entry is read.
    ///
    /// # Errors
    /// [`SourceError`] if nothing can be read: not an archive, truncated, damaged, protected by a
    /// password, more entries than allowed.
    pub fn open(file_name: &str, bytes: Vec<u8>) -> Result<Self, SourceError> {
        Self::with_limits(file_name, bytes, Limits::STANDARD)
    }

    /// [`open`](Self::open) with other limits.
    pub(crate) fn with_limits(
        file_name: &str,
        bytes: Vec<u8>,
        limits: Limits,
    ) -> Result<Self, SourceError> {
        let mut collector = Collector::new(path::file_name(file_name).to_owned(), limits);
        let total = bytes.len() as u64;
        let state = match Format::of(&bytes) {
            Some(Format::Zip) => State::Zip(Box::new(ZipReader::open(bytes, &mut collector)?)),
            Some(Format::Gzip) => State::Tar(Box::new(TarReader::gzip(bytes, &collector))),
            Some(Format::Tar) => State::Tar(Box::new(TarReader::plain(bytes, &collector))),
            None => {
                let name = collector.archive_name;
                return Err(if is_broken_off(&name, &bytes) {
                    SourceError::Truncated { name }
                } else {
                    SourceError::NotAnArchive { name }
                });
            }
        };
        Ok(Self {
            state,
            collector,
            total,
            stripped: String::new(),
        })
    }

    /// Reads only what is in the scope, if there is one.
    pub fn within(mut self, scope: Option<Scope>) -> Self {
        self.collector.scope = scope;
        self
    }

    /// Number of files that are left out so far.
    pub fn skipped(&self) -> usize {
        match &self.state {
            State::Filter(filter) => filter.skipped(),
            _ => self.collector.skipped.len(),
        }
    }

    /// Number of files that are kept so far; ignore rules may still remove some.
    pub fn files(&self) -> usize {
        match &self.state {
            State::Filter(filter) => filter.kept(),
            _ => self.collector.files.len(),
        }
    }

    /// The files that are kept so far, in the archive's order and with its paths; empty once all
    /// entries are read.
    pub fn kept(&self) -> &[SourceFile] {
        &self.collector.files
    }

    /// The top folder that was removed from the start of paths, once all entries are read.
    pub fn stripped(&self) -> &str {
        &self.stripped
    }

    fn working(&self, consumed: u64) -> Step<Repo> {
        Step::Working(Progress {
            done: consumed.min(self.total),
            total: self.total,
        })
    }

    /// Frees the archive and starts the work that concerns all files.
    fn start_filter(&mut self) {
        let name = match &self.collector.top {
            TopFolder::One(folder) if !NAMELESS_FOLDERS.contains(&folder.as_str()) => {
                folder.clone()
            }
            _ => repo_name(&self.collector.archive_name).to_owned(),
        };
        if let TopFolder::One(folder) = &self.collector.top {
            self.stripped = format!("{folder}/");
        }
        let limits = self.collector.limits;
        let collector =
            std::mem::replace(&mut self.collector, Collector::new(String::new(), limits));
        self.state = State::Filter(Box::new(collector.into_filter(name)));
    }
}

impl Job for ArchiveReader {
    type Output = Repo;
    type Error = SourceError;

    /// Reads one entry, or a part of a large one that is not kept.
    fn step(&mut self) -> Result<Step<Repo>, SourceError> {
        let (more, consumed) = match &mut self.state {
            State::Zip(reader) => {
                let more = reader.step(&mut self.collector)?;
                (more, reader.consumed())
            }
            State::Tar(reader) => {
                let more = reader.step(&mut self.collector)?;
                (more, reader.consumed())
            }
            State::Filter(filter) => match filter.step()? {
                Step::Done(repo) => {
                    self.state = State::Finished;
                    return Ok(Step::Done(repo));
                }
                Step::Working(_) => (true, self.total),
            },
            State::Finished => return Ok(Step::Done(Repo::default())),
        };
        if more {
            return Ok(self.working(consumed));
        }
        self.collector.check_text()?;
        self.start_filter();
        Ok(self.working(self.total))
    }
}

/// Number of bytes at a file's start that [`is_archive`] looks at.
pub const HEAD_BYTES: usize = 1024;

/// Whether a file that starts like this is an archive. Whether it is intact shows only when it is
/// read.
pub fn is_archive(file_name: &str, head: &[u8]) -> bool {
    Format::of(head).is_some() || is_broken_off(file_name, head)
}

/// Whether a file is the empty result of a download that broke off at once.
fn is_broken_off(file_name: &str, bytes: &[u8]) -> bool {
    bytes.is_empty() && repo_name(file_name) != file_name
}

enum Format {
    Zip,
    Tar,
    Gzip,
}

impl Format {
    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            return Some(Format::Gzip);
        }
        // The signatures of an entry, of an empty archive, and of a split archive.
        if [&b"PK\x03\x04"[..], b"PK\x05\x06", b"PK\x07\x08"]
            .iter()
            .any(|magic| bytes.starts_with(magic))
        {
            return Some(Format::Zip);
        }
        let block: &[u8; 512] = bytes.first_chunk()?;
        let is_empty_tar =
            bytes.len() >= HEAD_BYTES && bytes.iter().take(HEAD_BYTES).all(|&byte| byte == 0);
        (is_header(block) || is_empty_tar).then_some(Format::Tar)
    }
}

/// The archive's file name without its extension.
fn repo_name(file_name: &str) -> &str {
    EXTENSIONS
        .iter()
        .find_map(|extension| {
            let split = file_name.len().checked_sub(extension.len())?;
            let (stem, end) = file_name.split_at_checked(split)?;
            (end.eq_ignore_ascii_case(extension) && !stem.is_empty()).then_some(stem)
        })
        .unwrap_or(file_name)
}
