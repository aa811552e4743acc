//! Pairs the files of two versions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::FileWhat;
use crate::hash::FastMap;
use crate::source::{FileId, Repo, SourceFile};

/// A file of each version, or of only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub what: FileWhat,
    pub old: Option<FileId>,
    pub new: Option<FileId>,
}

/// A line that occurs in more files of a version than this says nothing about where a file went.
const MAX_HOLDERS: usize = 8;

/// Lines that are shorter, such as `else:` and `}`, say nothing either.
const MIN_LINE: usize = 5;

/// The number of equal files, and all other files in pairs, sorted by path.
pub(super) fn pairs(old: &Repo, new: &Repo) -> (usize, Vec<Pair>) {
    let mut equal = 0;
    let mut pairs = Vec::new();
    let mut went = Vec::new();
    let mut came = Vec::new();
    for (id, file) in ids(new) {
        let Some(before) = old.find(&file.path) else {
            came.push(id);
            continue;
        };
        match old
            .file(before)
            .is_some_and(|before| before.text == file.text)
        {
            true => equal += 1,
            false => pairs.push(Pair {
                what: FileWhat::Changed,
                old: Some(before),
                new: Some(id),
            }),
        }
    }
    went.extend(ids(old).filter_map(|(id, file)| new.find(&file.path).is_none().then_some(id)));
    let mut loose = LooseFiles {
        old,
        new,
        went,
        came,
        pairs,
    };
    loose.pair_equal();
    loose.pair_alike();
    let mut pairs = loose.rest();
    pairs.sort_by_cached_key(|pair| {
        let of_new = pair.new.and_then(|id| new.file(id));
        let shown = of_new.or_else(|| old.file(pair.old?));
        (shown.map(|file| file.path.clone()), pair.what)
    });
    (equal, pairs)
}

fn ids(repo: &Repo) -> impl Iterator<Item = (FileId, &SourceFile)> {
    (0..).map(FileId).zip(&repo.files)
}

/// Files whose path only one of the versions has.
struct LooseFiles<'r> {
    old: &'r Repo,
    new: &'r Repo,
    went: Vec<FileId>,
    came: Vec<FileId>,
    pairs: Vec<Pair>,
}

impl<'r> LooseFiles<'r> {
    /// Pairs files with the same text; if there are several, those whose paths have the longest
    /// common end.
    fn pair_equal(&mut self) {
        type Sides = (Vec<FileId>, Vec<FileId>);
        let mut by_text: BTreeMap<[u8; 32], Sides> = BTreeMap::new();
        let digest = |file: Option<&SourceFile>| {
            let text = file.map_or("", |file| &file.text);
            (!text.trim().is_empty()).then(|| *blake3::hash(text.as_bytes()).as_bytes())
        };
        for &id in &self.went {
            if let Some(digest) = digest(self.old.file(id)) {
                by_text.entry(digest).or_default().0.push(id);
            }
        }
        for &id in &self.came {
            // A file that only the newer version has stays unpaired.
            let sides = digest(self.new.file(id)).and_then(|digest| by_text.get_mut(&digest));
            if let Some((_, came)) = sides {
                came.push(id);
            }
        }
        for (went, came) in by_text.into_values() {
            for (old, new) in by_ends(self.old, went, self.new, came) {
                self.pair(FileWhat::Moved, old, new);
            }
        }
        self.forget_paired();
    }

    /// Pairs files that have more than half of their lines in common, the most similar first.
    fn pair_alike(&mut self) {
        let mut found: Vec<_> = self
            .alike()
            .into_iter()
            .map(|((old, new), share)| {
                let (a, b) = (path(self.old, old), path(self.new, new));
                // The order does not depend on which version comes first.
                let order = (
                    Reverse(share),
                    Reverse(common_end(a, b)),
                    a.min(b),
                    a.max(b),
                );
                (order, old, new)
            })
            .collect();
        found.sort();
        let mut taken = (BTreeSet::new(), BTreeSet::new());
        let mut chosen = Vec::new();
        for (_, old, new) in found {
            if !taken.0.contains(&old) && !taken.1.contains(&new) {
                taken.0.insert(old);
                taken.1.insert(new);
                chosen.push((old, new));
            }
        }
        for (old, new) in chosen {
            self.pair(FileWhat::MovedAndChanged, old, new);
        }
        self.forget_paired();
    }

    /// Pairs of files that have more than half of their lines in common, with that share in
    /// thousandths.
    fn alike(&self) -> Vec<((FileId, FileId), u64)> {
        let (old, new) = (
            Holders::new(self.old, &self.went),
            Holders::new(self.new, &self.came),
        );
        let mut common: BTreeMap<(FileId, FileId), u64> = BTreeMap::new();
        for (line, before) in &old.by_line {
            let Some(after) = new.by_line.get(line) else {
                continue;
            };
            if before.len() > MAX_HOLDERS || after.len() > MAX_HOLDERS {
                continue;
            }
            for (&a, &n) in before {
                for (&b, &m) in after {
                    *common.entry((a, b)).or_default() += u64::from(n.min(m));
                }
            }
        }
        let share = |(pair, common): ((FileId, FileId), u64)| {
            let lines = |holders: &Holders, id| holders.lines.get(&id).copied().unwrap_or(0);
            let all = lines(&old, pair.0) + lines(&new, pair.1);
            let share = 2_000 * common / all.max(1);
            (share > 500).then_some((pair, share))
        };
        common.into_iter().filter_map(share).collect()
    }

    fn pair(&mut self, what: FileWhat, old: FileId, new: FileId) {
        self.pairs.push(Pair {
            what,
            old: Some(old),
            new: Some(new),
        });
    }

    fn forget_paired(&mut self) {
        let old: BTreeSet<FileId> = self.pairs.iter().filter_map(|pair| pair.old).collect();
        let new: BTreeSet<FileId> = self.pairs.iter().filter_map(|pair| pair.new).collect();
        self.went.retain(|id| !old.contains(id));
        self.came.retain(|id| !new.contains(id));
    }

    /// All pairs, then the files without a counterpart.
    fn rest(self) -> Vec<Pair> {
        let went = self.went.into_iter().map(|id| Pair {
            what: FileWhat::Removed,
            old: Some(id),
            new: None,
        });
        let came = self.came.into_iter().map(|id| Pair {
            what: FileWhat::Added,
            old: None,
            new: Some(id),
        });
        self.pairs.into_iter().chain(went).chain(came).collect()
    }
}

/// Which files contain a line, and how often.
struct Holders<'r> {
    by_line: FastMap<&'r str, BTreeMap<FileId, u32>>,
    /// Number of lines of each file that are at least [`MIN_LINE`] long.
    lines: BTreeMap<FileId, u64>,
}

impl<'r> Holders<'r> {
    fn new(repo: &'r Repo, files: &[FileId]) -> Self {
        let mut holders = Self {
            by_line: FastMap::default(),
            lines: BTreeMap::new(),
        };
        for &id in files {
            let text = repo.file(id).map_or("", |file| &file.text);
            let lines = text.lines().map(str::trim);
            for line in lines.filter(|line| line.len() >= MIN_LINE) {
                let files = holders.by_line.entry(line).or_default();
                // One file more than the limit is enough to see that there are too many.
                if files.len() <= MAX_HOLDERS {
                    *files.entry(id).or_default() += 1;
                }
                *holders.lines.entry(id).or_default() += 1;
            }
        }
        holders
    }
}

fn path(repo: &Repo, id: FileId) -> &str {
    repo.file(id).map_or("", |file| &file.path)
}

/// Number of path components that are equal, counted from the end.
fn common_end(a: &str, b: &str) -> usize {
    let both = a.rsplit('/').zip(b.rsplit('/'));
    both.take_while(|(a, b)| a == b).count()
}

/// Pairs the files of two lists: those with the longest common end of their paths first, equals in
/// order.
fn by_ends(
    old: &Repo,
    mut went: Vec<FileId>,
    new: &Repo,
    mut came: Vec<FileId>,
) -> Vec<(FileId, FileId)> {
    let mut pairs = Vec::new();
    let names = |repo: &Repo, ids: &[FileId]| {
        let depths = ids.iter().map(|&id| path(repo, id).split('/').count());
        depths.max().unwrap_or(0)
    };
    let deepest = names(old, &went).min(names(new, &came));
    for n_names in (0..=deepest).rev() {
        if went.is_empty() || came.is_empty() {
            break;
        }
        let end = |repo: &Repo, id: FileId| {
            let names: Vec<&str> = path(repo, id).rsplit('/').take(n_names).collect();
            (names.len() == n_names).then(|| names.join("/"))
        };
        let mut by_end: BTreeMap<String, Vec<FileId>> = BTreeMap::new();
        for &id in went.iter().rev() {
            if let Some(end) = end(old, id) {
                by_end.entry(end).or_default().push(id);
            }
        }
        let mut taken = BTreeSet::new();
        came.retain(|&id| {
            let found = end(new, id).and_then(|end| by_end.get_mut(&end)?.pop());
            pairs.extend(found.map(|before| (before, id)));
            taken.extend(found);
            found.is_none()
        });
        went.retain(|id| !taken.contains(id));
    }
    pairs
}
