//! Two versions of a repository → what changed: files, and the definitions in them.
//!
//! [`Comparison`] is the job that compares two [`Index`]es, one pair of files per step; [`Changes`]
//! is its result. Every entry carries its verified lines ([`Verified`]) in each version that has
//! it.
//!
//! # What counts as a change
//!
//! - Files are paired if they have the same path, else if they have the same text, else if more
//!   than half of their lines are the same. Files without text are paired by path alone. A moved
//!   file is one entry: its definitions are not reported as moved.
//! - Definitions of two paired files are paired by qualified name. Their code is compared token by
//!   token, so comments, documentation, white space, and a trailing comma of a list over several
//!   lines make no difference; how a literal is spelt (`'a'`, `"a"`) does.
//! - A *signature* is everything before the body: decorators, attributes, bases. A constant has
//!   none: its value is its body. Members of a class are definitions of their own; a change of a
//!   member is not a change of its class.
//! - A definition is *renamed* if it is gone and one with the same code has appeared under another
//!   name; it is *moved* if one with the same name and code has appeared in another place. Both are
//!   reported only if exactly one disappeared and one appeared, and for other names only if there
//!   is enough code ([`LEAST_CODE`]). A definition that moved and also changed its body is listed
//!   as removed and added: nothing proves that the two are the same.
//! - Sections of documents and keys of configuration files are not definitions; only their files
//!   are listed.

mod code;
mod files;
mod loose;
mod pair;
#[cfg(test)]
mod tests;
mod version;

use std::convert::Infallible;

pub use loose::LEAST_CODE;
pub use version::{NamedVersion, Version, older_first};

use crate::cite::Verified;
use crate::index::Index;
use crate::job::{Job, Progress, Step};
use crate::lang::SymbolKind;
use crate::source::FileId;
use files::Pair;
use loose::Loose;

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileWhat {
    /// Only the newer version has it.
    Added,
    /// Only the older version has it.
    Removed,
    /// Same path, different text.
    Changed,
    /// Same text, different path.
    Moved,
    /// Different path, and some of the lines differ.
    MovedAndChanged,
}

/// What happened to a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// Only the newer version has it.
    Added,
    /// Only the older version has it.
    Removed,
    /// Same name in both versions, different code.
    Changed {
        /// What stands before its body differs.
        signature: bool,
        /// Its body differs, members not counted.
        body: bool,
    },
    /// Same code, different name.
    Renamed {
        /// What stands before its body differs in more than the name.
        signature: bool,
    },
    /// Same name and code, in another file or another definition.
    Moved {
        /// What stands before its body differs.
        signature: bool,
    },
}

/// A definition in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What it is.
    pub kind: SymbolKind,
    /// Its own name.
    pub name: String,
    /// Its name with those of its owners: `Session.send`.
    pub qualified: String,
    /// Its declaration, on one line.
    pub signature: String,
    /// Its lines.
    pub source: Verified,
}

/// The lines of each version that differ from the other, from the first to the last; `None` for a
/// version that only lacks lines of the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differing {
    /// In the older version.
    pub old: Option<Verified>,
    /// In the newer version.
    pub new: Option<Verified>,
}

/// A definition that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionChange {
    /// What happened to it.
    pub what: What,
    /// The definition in the older version; `None` if it was added.
    pub old: Option<Definition>,
    /// The definition in the newer version; `None` if it was removed.
    pub new: Option<Definition>,
    /// Its file, as a position in [`Changes::files`]; for a moved definition, the file that it is
    /// in now.
    pub file: usize,
    /// Whether its owner was added or removed too, and is listed itself.
    pub is_part: bool,
    /// Where its code differs, if it changed.
    pub differing: Differing,
}

impl DefinitionChange {
    /// The definition in the newer version, else in the older one.
    pub fn shown(&self) -> Option<(Version, &Definition)> {
        let new = self.new.as_ref().map(|it| (Version::New, it));
        new.or_else(|| self.old.as_ref().map(|it| (Version::Old, it)))
    }
}

/// A file that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// What happened to it.
    pub what: FileWhat,
    /// The file in the older version.
    pub old: Option<FileId>,
    /// The file in the newer version.
    pub new: Option<FileId>,
    /// Whether only comments, documentation and layout differ in its code, or only white space in
    /// its text.
    pub is_layout: bool,
    /// Where it differs outside of definitions.
    pub outside: Differing,
}

/// What changed between two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Number of files with the same path and text in both versions.
    pub equal: usize,
    /// All other files, sorted by path: the newer version's, else the older's.
    pub files: Vec<FileChange>,
    /// Sorted by file, then by line.
    pub definitions: Vec<DefinitionChange>,
}

/// The job that compares two indexes. Each step compares two files; progress counts the files that
/// differ.
pub struct Comparison<'i> {
    old: &'i Index,
    new: &'i Index,
    pairs: Vec<Pair>,
    next: usize,
    went: Vec<Loose>,
    came: Vec<Loose>,
    changes: Changes,
}

impl<'i> Comparison<'i> {
    /// Pairs the files. Their code is read later, in the steps.
    pub fn new(old: &'i Index, new: &'i Index) -> Self {
        let (equal, pairs) = files::pairs(&old.repo, &new.repo);
        Self {
            old,
            new,
            pairs,
            next: 0,
            went: Vec::new(),
            came: Vec::new(),
            changes: Changes {
                equal,
                ..Changes::default()
            },
        }
    }

    fn compare(&mut self, at: usize, pair: Pair) {
        let read = |index: &'i Index, file: Option<FileId>| {
            file.and_then(|file| code::FileCode::read(index, file))
        };
        let found = match pair.what {
            FileWhat::Moved => pair::Found::default(),
            _ => pair::compare(read(self.old, pair.old), read(self.new, pair.new), at),
        };
        self.changes.files.push(FileChange {
            what: pair.what,
            old: pair.old,
            new: pair.new,
            is_layout: found.is_layout,
            outside: found.outside,
        });
        self.changes.definitions.extend(found.changed);
        self.went.extend(found.went);
        self.came.extend(found.came);
    }

    fn finish(&mut self) -> Changes {
        let mut changes = std::mem::take(&mut self.changes);
        let (went, came) = (
            std::mem::take(&mut self.went),
            std::mem::take(&mut self.came),
        );
        changes.definitions.extend(loose::settle(went, came));
        changes.definitions.sort_by_key(|change| {
            let lines = change.shown().map(|(_, shown)| shown.source.lines());
            let lines = lines.map(|lines| (lines.start(), lines.end()));
            (change.file, lines, change.what)
        });
        changes
    }
}

impl Job for Comparison<'_> {
    type Output = Changes;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Changes>, Infallible> {
        let at = self.next;
        let Some(&pair) = self.pairs.get(at) else {
            return Ok(Step::Done(self.finish()));
        };
        self.compare(at, pair);
        self.next += 1;
        let (done, total) = (self.next as u64, self.pairs.len() as u64);
        Ok(Step::Working(Progress { done, total }))
    }
}

/// Returns what changed from `old` to `new`.
pub fn compare(old: &Index, new: &Index) -> Changes {
    let Ok(changes) = crate::job::run_to_end(Comparison::new(old, new));
    changes
}
