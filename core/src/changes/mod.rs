//! Two versions of a repository → what changed: files, and the definitions in them.
//!
//! [`Comparison`] is the job that compares two [`Index`]es, one pair of files a step; [`Changes`]
//! is what it finds. Every entry carries the lines of each version that holds it, checked
//! ([`Verified`]).
//!
//! # What counts as a change
//!
//! - Files belong together if they have the same path, else the same text, else if more than half
//!   of their lines are the same. Files without text belong together by their path alone. A file
//!   that moved is one entry: its definitions stay where they were, in it.
//! - Definitions of such a pair belong together by their qualified name. Their code is compared
//!   token by token, so comments, documentation, white space, and a comma that only ends a list
//!   over several lines make no change; how a literal is spelt (`'a'`, `"a"`) does.
//! - A *signature* is all that stands before the body: decorators, attributes, bases. A constant
//!   has none, what it is set to is its body. Members of a class are definitions of their own and
//!   change only themselves.
//! - *Renamed* is a definition that went, while one of the same code came under another name;
//!   *moved* is one that went while one of the same name and code came in another place. It is said
//!   only where exactly one went and one came, and for other names only where there is enough code
//!   ([`LEAST_CODE`]). What moved and changed its body too is listed as removed and added: nothing
//!   proves that the two are one.
//! - Sections of documents and keys of configuration are no definitions; their files are listed.

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
    /// Same path, other text.
    Changed,
    /// Same text, other path.
    Moved,
    /// Other path, and some of its lines are others.
    MovedAndChanged,
}

/// What happened to a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// Only the newer version has it.
    Added,
    /// Only the older version has it.
    Removed,
    /// It has its name in both versions, and other code.
    Changed {
        /// What stands before its body differs.
        signature: bool,
        /// Its body differs, its members apart.
        body: bool,
    },
    /// The same code under another name.
    Renamed {
        /// What stands before its body differs by more than the name.
        signature: bool,
    },
    /// The same name and code in another file, or in another definition.
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
    /// With its owners: `Session.send`.
    pub qualified: String,
    /// Its declaration on one line.
    pub signature: String,
    /// Its lines.
    pub source: Verified,
}

/// The lines of each version that the other does not have, from the first to the last; none where a
/// version only lacks what the other has.
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
    /// As the older version has it; none if it was added.
    pub old: Option<Definition>,
    /// As the newer version has it; none if it was removed.
    pub new: Option<Definition>,
    /// Its file, as a position in [`Changes::files`]; of one that moved that in which it is now.
    pub file: usize,
    /// Whether it came or went as a part of a definition that is listed itself.
    pub is_part: bool,
    /// Where its code differs, of one that changed.
    pub differing: Differing,
}

impl DefinitionChange {
    /// As the newer version has it, else the older.
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
    /// In the older version.
    pub old: Option<FileId>,
    /// In the newer version.
    pub new: Option<FileId>,
    /// Whether nothing but comments, documentation and layout differs in its code, or white space
    /// in its text.
    pub is_layout: bool,
    /// Where it differs outside of definitions.
    pub outside: Differing,
}

/// What changed between two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files with the same path and text in both.
    pub equal: usize,
    /// All other files, by path: that of the newer version, else that of the older.
    pub files: Vec<FileChange>,
    /// By file, then by line.
    pub definitions: Vec<DefinitionChange>,
}

/// The job that compares two indexes. A step compares two files; progress counts those that differ.
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
    /// Which files belong together is found out here, their code is read later.
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

/// What changed from `old` to `new`.
pub fn compare(old: &Index, new: &Index) -> Changes {
    let Ok(changes) = crate::job::run_to_end(Comparison::new(old, new));
    changes
}
