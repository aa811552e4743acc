//! Follows the commits from the newest on, and notes which files each of them touched.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use super::History;
use super::files::GitFiles;
use super::object::{Commit, Entry, Kind, Oid, entries};
use super::origin::remote;
use super::store::Store;
use crate::source::{FileId, SourceFile};

/// Number of newest commits that are read.
const MAX_COMMITS: usize = 1_000;
/// A commit with more files says little about each of them: imports, renamings, formatting.
const MAX_TOUCHED: usize = 30;
/// Deepest nesting of folders that is followed.
const MAX_DEPTH: usize = 64;

/// The name of an object as it is written.
fn hex(oid: &Oid) -> String {
    oid.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A walk through the commits, one per step.
pub(crate) struct Walk {
    store: Store,
    /// Commits to visit, newest first; within the same second, in the order they were found.
    waiting: BinaryHeap<(i64, Reverse<usize>, Oid)>,
    seen: HashSet<Oid>,
    visited: usize,
    subjects: Vec<String>,
    /// Indices into `subjects`, by path.
    touched: BTreeMap<String, Vec<u32>>,
    commit: Option<String>,
    remote: Option<String>,
}

impl std::fmt::Debug for Walk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk")
            .field("visited", &self.visited)
            .finish_non_exhaustive()
    }
}

impl Walk {
    pub(crate) fn new(files: GitFiles) -> Self {
        let remote = files.text("config").and_then(remote);
        let store = Store::new(files);
        let head = store.head();
        Self {
            commit: head.map(|head| hex(&head)),
            remote,
            store,
            waiting: head
                .into_iter()
                .map(|head| (i64::MAX, Reverse(0), head))
                .collect(),
            seen: head.into_iter().collect(),
            visited: 0,
            subjects: Vec::new(),
            touched: BTreeMap::new(),
        }
    }

    /// Visits the next commit; false if there is none left.
    pub(crate) fn step(&mut self) -> bool {
        let Some((_, _, oid)) = self.waiting.pop().filter(|_| self.visited < MAX_COMMITS) else {
            return false;
        };
        self.visited += 1;
        if let Some(commit) = self.commit(&oid) {
            self.visit(&commit);
        }
        true
    }

    /// The history of the files of a repository.
    pub(crate) fn finish(&mut self, files: &[SourceFile]) -> History {
        let mut touched = std::mem::take(&mut self.touched);
        let known = (0..).map(FileId).zip(files);
        History {
            commit: self.commit.take(),
            remote: self.remote.take(),
            files: known
                .filter_map(|(id, file)| Some((id, touched.remove(&file.path)?)))
                .collect(),
            subjects: std::mem::take(&mut self.subjects),
        }
    }

    fn commit(&mut self, oid: &Oid) -> Option<Commit> {
        Commit::read(&*self.store.get(oid)?)
    }

    fn visit(&mut self, commit: &Commit) {
        let mut first_tree = None;
        for (at, parent) in commit.parents.iter().enumerate() {
            // In a shallow clone, the parents of the last commit are missing.
            let Some(read) = self.commit(parent) else {
                continue;
            };
            if at == 0 {
                first_tree = Some(read.tree);
            }
            if self.seen.insert(*parent) {
                let found = Reverse(self.seen.len());
                self.waiting.push((read.time, found, *parent));
            }
        }
        // Merges repeat what the merged commits say, and a first commit touches everything.
        if let (Some(before), [_]) = (first_tree, commit.parents.as_slice())
            && let Some(paths) = self.changed(before, commit.tree)
            && !commit.subject.is_empty()
        {
            let subject = self.subjects.len() as u32;
            self.subjects.push(commit.subject.clone());
            for path in paths {
                self.touched.entry(path).or_default().push(subject);
            }
        }
    }

    /// The files that are new or different in `after`; `None` if there are too many or a tree is
    /// unreadable.
    fn changed(&mut self, before: Oid, after: Oid) -> Option<Vec<String>> {
        let mut paths = Vec::new();
        let mut folders = vec![(String::new(), Some(before), after)];
        while let Some((prefix, before, after)) = folders.pop() {
            let new = self.tree(&after)?;
            let old = match before {
                Some(before) => self.tree(&before)?,
                None => Vec::new(),
            };
            let old: BTreeMap<&[u8], Entry> =
                entries(&old).map(|entry| (entry.name, entry)).collect();
            for entry in entries(&new) {
                let known = old
                    .get(entry.name)
                    .filter(|old| old.is_tree == entry.is_tree);
                if known.is_some_and(|old| old.oid == entry.oid) {
                    continue;
                }
                let name = std::str::from_utf8(entry.name).ok()?;
                let path = format!("{prefix}{name}");
                if !entry.is_tree {
                    paths.push(path);
                } else if path.matches('/').count() < MAX_DEPTH {
                    folders.push((path + "/", known.map(|old| old.oid), entry.oid));
                }
                if paths.len() + folders.len() > MAX_TOUCHED {
                    return None;
                }
            }
        }
        Some(paths)
    }

    fn tree(&mut self, oid: &Oid) -> Option<Vec<u8>> {
        let object = self.store.get(oid)?;
        (object.kind == Kind::Tree).then(|| object.bytes.clone())
    }
}
