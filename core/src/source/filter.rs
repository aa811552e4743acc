//! Decisions that need all entries: the top folder, ignore rules (which may come after the files
//! that they apply to), copies of other projects, order and duplicates, and the history of the
//! files.

use super::collect::{Collector, TopFolder};
use super::error::{SkipReason, Skipped, SourceError, summary};
use super::git::{GitFiles, Walk};
use super::ignored::{Rules, is_rule_file};
use super::{Repo, SourceFile, rules};
use crate::job::{Job, Progress, Step};

/// Files per step.
const BATCH: usize = 256;

/// The last part of reading. Progress is in files.
#[derive(Debug)]
pub(super) struct Filter {
    archive_name: String,
    repo_name: String,
    rules: Rules,
    rule_files: std::vec::IntoIter<usize>,
    waiting: std::vec::IntoIter<SourceFile>,
    total: u64,
    kept: Vec<SourceFile>,
    /// Files in copies of other projects; they are kept after all if nothing else is code.
    copied: Vec<SourceFile>,
    skipped: Vec<Skipped>,
    commits: Walk,
    /// The commit that the archive itself names.
    commit: Option<String>,
}

impl Filter {
    pub(crate) fn new(collector: Collector, repo_name: String) -> Self {
        let Collector {
            archive_name,
            mut files,
            mut skipped,
            top,
            git,
            commit,
            ..
        } = collector;
        let prefix = match &top {
            TopFolder::One(folder) => format!("{folder}/"),
            _ => String::new(),
        };
        if !prefix.is_empty() {
            let paths = files
                .iter_mut()
                .map(|file| &mut file.path)
                .chain(skipped.iter_mut().map(|file| &mut file.path));
            for path in paths.filter(|path| path.starts_with(&prefix)) {
                path.drain(..prefix.len());
            }
        }
        // Sorting is stable: of several files with the same path, the first in the archive is kept.
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let rule_files: Vec<usize> = files
            .iter()
            .enumerate()
            .filter(|(_, file)| is_rule_file(&file.path))
            .map(|(at, _)| at)
            .collect();
        let mut filter = Self {
            archive_name,
            repo_name,
            rules: Rules::default(),
            rule_files: rule_files.into_iter(),
            total: files.len() as u64,
            waiting: files.into_iter(),
            kept: Vec::new(),
            copied: Vec::new(),
            skipped,
            commit,
            commits: Walk::new(match git.belongs_to(&prefix) {
                true => git,
                false => GitFiles::default(),
            }),
        };
        filter.kept.reserve(filter.waiting.len());
        filter
    }

    /// Number of files that are left out so far.
    pub(crate) fn skipped(&self) -> usize {
        self.skipped.len() + self.copied.len()
    }

    /// Number of files that are kept so far.
    pub(crate) fn kept(&self) -> usize {
        self.kept.len()
    }

    fn place(&mut self, file: SourceFile) {
        let is_twin = |last: &SourceFile| last.path == file.path;
        let reason =
            if self.kept.last().is_some_and(is_twin) || self.copied.last().is_some_and(is_twin) {
                Some(SkipReason::Duplicate)
            } else if let Some(rule_file) = self.rules.ignoring(&file.path) {
                Some(SkipReason::Ignored { rule_file })
            } else if rules::is_catalogue(&file.path) {
                Some(SkipReason::Data)
            } else if rules::is_copied(&file.path) || rules::is_installed(&file.path, 0) {
                self.copied.push(file);
                return;
            } else {
                None
            };
        match reason {
            Some(reason) => self.skipped.push(Skipped {
                path: file.path,
                reason,
            }),
            None => self.kept.push(file),
        }
    }

    fn finish(&mut self) -> Result<Repo, SourceError> {
        let mut files = std::mem::take(&mut self.kept);
        let mut skipped = std::mem::take(&mut self.skipped);
        let copied = std::mem::take(&mut self.copied);
        if files.iter().any(|file| rules::is_code(&file.path)) {
            skipped.extend(copied.into_iter().map(|file| Skipped {
                path: file.path,
                reason: SkipReason::Vendored,
            }));
        } else {
            // Some packages have all their own code in `vendor`: better that than nothing.
            files.extend(copied);
            files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        let name = std::mem::take(&mut self.archive_name);
        let mut history = self.commits.finish(&files);
        history.commit = history.commit.or_else(|| self.commit.take());
        match (files.is_empty(), skipped.is_empty()) {
            (true, true) => Err(SourceError::NoFiles { name }),
            (true, false) => Err(SourceError::NoSourceFiles {
                skipped: skipped.len(),
                reasons: summary(&skipped),
                name,
            }),
            (false, _) => Ok(Repo {
                name: std::mem::take(&mut self.repo_name),
                history,
                files,
                skipped,
            }),
        }
    }
}

impl Job for Filter {
    type Output = Repo;
    type Error = SourceError;

    fn step(&mut self) -> Result<Step<Repo>, SourceError> {
        let waiting = self.waiting.as_slice();
        let mut is_reading_rules = false;
        for at in self.rule_files.by_ref().take(BATCH) {
            is_reading_rules = true;
            if let Some(file) = waiting.get(at) {
                self.rules.add(&file.path, &file.text);
            }
        }
        if !is_reading_rules {
            for _ in 0..BATCH {
                match self.waiting.next() {
                    Some(file) => self.place(file),
                    None if self.commits.step() => break,
                    None => return self.finish().map(Step::Done),
                }
            }
        }
        Ok(Step::Working(Progress {
            done: self.total - self.waiting.len() as u64,
            total: self.total,
        }))
    }
}
