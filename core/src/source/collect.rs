//! The part that archives and folders share: entries are counted, named, filtered, decoded and
//! kept; then [`Filter`] does what needs all of them.

use std::collections::HashSet;

use super::error::{SkipReason, Skipped, SourceError};
use super::filter::Filter;
use super::git::{GitFiles, MAX_GIT_FILE_BYTES, is_history};
use super::limits::Limits;
use super::{Scope, SourceFile, Survey, path, rules, text};

/// The folder that all entries share, as far as they have been seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TopFolder {
    Unknown,
    One(String),
    /// There are entries in several folders, or outside of folders.
    Several,
}

#[derive(Debug)]
pub(super) struct Collector {
    pub archive_name: String,
    pub limits: Limits,
    pub files: Vec<SourceFile>,
    pub skipped: Vec<Skipped>,
    pub top: TopFolder,
    /// The files that the repository's commits are read from.
    pub git: GitFiles,
    /// The commit that the archive's comment names.
    pub commit: Option<String>,
    /// Version control folders already listed, so that each takes one line instead of thousands.
    version_control: HashSet<String>,
    /// What the user chose to read; everything if `None`.
    pub scope: Option<Scope>,
    entries: u64,
    text_bytes: u64,
    /// Paths and sizes of all files, once there is more text than can be kept; the text itself is
    /// dropped then.
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
            commit: None,
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

    /// Checks that `entries` are not too many, for formats that give their number in advance.
    pub(crate) fn check_entries(&self, entries: u64) -> Result<(), SourceError> {
        if entries > self.limits.entries {
            return Err(SourceError::TooManyEntries {
                limit: self.limits.entries,
                name: self.archive_name.clone(),
            });
        }
        Ok(())
    }

    /// Notes a folder entry, which helps to find out whether the archive has a single top folder.
    pub(crate) fn folder(&mut self, raw: &str) {
        if let Some(folder) = path::clean(raw).filter(|folder| !folder.is_empty()) {
            self.see_top(&folder, true);
        }
    }

    /// Leaves out a file that cannot be read because of the archive's format.
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

    /// The cleaned path of a file whose bytes are needed; `None` if its name is enough to leave it
    /// out, in which case it is already listed as skipped.
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
            // It is listed as left out even so, because questions about its files are not possible.
            return is_history(&path).then_some(path);
        }
        let reason = rules::by_name(&path).or_else(|| {
            // The first folder may be the one that is removed from paths.
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

    /// The largest size of a wanted file, in bytes.
    pub(crate) fn limit_of(&self, path: &str) -> u64 {
        if is_history(path) {
            MAX_GIT_FILE_BYTES
        } else {
            self.limits.file_bytes
        }
    }

    /// Leaves out a wanted file of `bytes` bytes, or as many as are known.
    pub(crate) fn too_large(&mut self, path: String, bytes: u64) {
        let limit = self.limit_of(&path);
        let reason = SkipReason::TooLarge { bytes, limit };
        self.skipped.push(Skipped { path, reason });
    }

    /// Keeps a wanted file, unless its bytes are a reason to leave it out.
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

    /// Keeps a file. Once there is too much text, none is kept any more: then only the survey of
    /// where it lies is needed.
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

    /// Ends collecting, once all entries were seen; the filter does the rest.
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
