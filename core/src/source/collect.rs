//! What archives and folders have in common: entries are counted, named, judged, decoded and kept;
//! the [`Filter`] then does what needs all of them.

use std::collections::HashSet;

use super::error::{SkipReason, Skipped, SourceError};
use super::filter::Filter;
use super::git::{GitFiles, MAX_GIT_FILE_BYTES, is_history};
use super::limits::Limits;
use super::{Scope, SourceFile, Survey, path, rules, text};

/// The folder that all entries share, as far as they were seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TopFolder {
    Unknown,
    One(String),
    /// Entries lie in several folders, or beside them.
    Several,
}

#[derive(Debug)]
pub(super) struct Collector {
    pub archive_name: String,
    pub limits: Limits,
    pub files: Vec<SourceFile>,
    pub skipped: Vec<Skipped>,
    pub top: TopFolder,
    /// What the repository's commits are read from.
    pub git: GitFiles,
    /// Version control folders already listed, so that each is one line instead of thousands.
    version_control: HashSet<String>,
    /// What the user chose to read; all if there is none.
    pub scope: Option<Scope>,
    entries: u64,
    text_bytes: u64,
    /// Paths and sizes of all files, once their text is more than can be kept: it is dropped then.
    unkept: Vec<(String, u64)>,
}

impl Collector {
    pub(crate) fn new(archive_name: String, limits: Limits) -> Self {
        Self {
            archive_name,
            limits,
            files: Vec::new(),
            skipped: Vec::new(),
            top: TopFolder::Unknown,
            git: GitFiles::default(),
            version_control: HashSet::new(),
            scope: None,
            entries: 0,
            text_bytes: 0,
            unkept: Vec::new(),
        }
    }

    /// Counts an entry of any kind.
    pub(crate) fn count_entry(&mut self) -> Result<(), SourceError> {
        self.entries += 1;
        self.check_entries(self.entries)
    }

    /// Whether `entries` are too many, for formats that tell before they are read.
    pub(crate) fn check_entries(&self, entries: u64) -> Result<(), SourceError> {
        if entries > self.limits.entries {
            return Err(SourceError::TooManyEntries {
                limit: self.limits.entries,
                name: self.archive_name.clone(),
            });
        }
        Ok(())
    }

    /// Takes note of a folder entry: it tells whether the archive has one top folder.
    pub(crate) fn folder(&mut self, raw: &str) {
        if let Some(folder) = path::clean(raw).filter(|folder| !folder.is_empty()) {
            self.see_top(&folder, true);
        }
    }

    /// Leaves out a file that is not read for a reason of the archive's format.
    pub(crate) fn skip(&mut self, raw: &str, reason: SkipReason) {
        match path::clean(raw).filter(|path| !path.is_empty()) {
            Some(path) => {
                self.see_top(&path, false);
                self.skipped.push(Skipped { path, reason });
            }
            None => self.skipped.push(Skipped {
                path: path::shown(raw),
                reason: SkipReason::UnsafePath,
            }),
        }
    }

    /// The cleaned path of a file whose bytes are needed; `None` if its name already decided, which
    /// is then on the list of skipped files.
    pub(crate) fn wanted(&mut self, raw: &str) -> Option<String> {
        let Some(path) = path::clean(raw).filter(|path| !path.is_empty()) else {
            self.skipped.push(Skipped {
                path: path::shown(raw),
                reason: SkipReason::UnsafePath,
            });
            return None;
        };
        if !rules::is_system_folder(&path) {
            self.see_top(&path, false);
        }
        if let Some(folder) = rules::version_control_folder(&path) {
            if self.version_control.insert(folder.to_owned()) {
                self.skipped.push(Skipped {
                    path: folder.to_owned(),
                    reason: SkipReason::VersionControl,
                });
            }
            // Listed as left out all the same: no one can ask about its files.
            return is_history(&path).then_some(path);
        }
        let reason = rules::by_name(&path).or_else(|| {
            // The first folder may be the one that is stripped.
            rules::is_installed(&path, 1).then_some(SkipReason::Vendored)
        });
        let is_left_out = |scope: &Scope| scope.leaves_out(&path);
        let reason = reason.or_else(|| {
            let is_left_out = self.scope.as_ref().is_some_and(is_left_out);
            is_left_out.then_some(SkipReason::LeftOut)
        });
        match reason {
            Some(reason) => {
                self.skipped.push(Skipped { path, reason });
                None
            }
            None => Some(path),
        }
    }

    /// How many bytes a wanted file may have.
    pub(crate) fn limit_of(&self, path: &str) -> u64 {
        if is_history(path) {
            MAX_GIT_FILE_BYTES
        } else {
            self.limits.file_bytes
        }
    }

    /// Leaves out a wanted file of `bytes` bytes, as far as they are known.
    pub(crate) fn too_large(&mut self, path: String, bytes: u64) {
        let limit = self.limit_of(&path);
        let reason = SkipReason::TooLarge { bytes, limit };
        self.skipped.push(Skipped { path, reason });
    }

    /// Keeps a wanted file, unless its bytes say otherwise.
    pub(crate) fn keep(&mut self, path: String, bytes: &[u8]) {
        if bytes.len() as u64 > self.limit_of(&path) {
            self.too_large(path, bytes.len() as u64);
            return;
        }
        if is_history(&path) {
            self.git.add(&path, bytes);
            return;
        }
        let reason = match text::decode(bytes) {
            None => SkipReason::Binary,
            Some(text) => match rules::by_text(&path, &text) {
                Some(reason) => reason,
                None => {
                    let text = text.into_owned();
                    return self.push(SourceFile { path, text });
                }
            },
        };
        self.skipped.push(Skipped { path, reason });
    }

    /// Keeps a file. Once the text is too much, none is kept any more: only where it lies is of use
    /// then.
    fn push(&mut self, file: SourceFile) {
        self.text_bytes += file.text.len() as u64;
        self.files.push(file);
        if self.text_bytes > self.limits.text_bytes {
            let size = |file: SourceFile| (file.path, file.text.len() as u64);
            let files = std::mem::take(&mut self.files).into_iter();
            self.unkept.extend(files.map(size));
        }
    }

    /// # Errors
    /// [`SourceError::TooMuchText`], with where it lies.
    pub(crate) fn check_text(&mut self) -> Result<(), SourceError> {
        if self.unkept.is_empty() {
            return Ok(());
        }
        let files = self.unkept.iter();
        Err(SourceError::TooMuchText {
            limit: self.limits.text_bytes,
            name: self.archive_name.clone(),
            survey: Box::new(Survey::new(
                files.map(|(path, bytes)| (path.as_str(), *bytes)),
            )),
        })
    }

    /// All entries were seen: what remains is a matter of the whole.
    pub(crate) fn into_filter(self, repo_name: String) -> Filter {
        Filter::new(self, repo_name)
    }

    fn see_top(&mut self, path: &str, is_folder: bool) {
        let first = path.split('/').next().unwrap_or(path);
        let is_inside = is_folder || first.len() < path.len();
        let agrees = match &self.top {
            TopFolder::Unknown => {
                self.top = TopFolder::One(first.to_owned());
                true
            }
            TopFolder::One(folder) => folder == first,
            TopFolder::Several => false,
        };
        if !agrees || !is_inside {
            self.top = TopFolder::Several;
        }
    }
}
