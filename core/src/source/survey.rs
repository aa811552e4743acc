//! Where the text of a repository is: the folders to choose from before anything is indexed.

use std::collections::{BTreeMap, HashMap};

use super::{FileId, Repo, SkipReason, Skipped, SourceFile};

/// Most rows of a survey that a person will look through.
const MAX_ROWS: usize = 40;
/// A folder with less than this share of all text gets no row of its own.
const LEAST_SHARE: f64 = 0.005;
/// A folder with more than this share is split into its subfolders.
const LARGEST_SHARE: f64 = 0.1;

/// Folders that together contain all files, each file in exactly one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    rows: Vec<Row>,
    by_folder: HashMap<String, usize>,
}

/// A folder, without its subfolders that have rows of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Without a final `/`; empty for the top.
    pub folder: String,
    /// Number of files.
    pub files: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Whether some of its subfolders have rows of their own.
    pub is_rest: bool,
}

/// Files and bytes of a folder, subfolders included.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    files: u64,
    bytes: u64,
}

impl Survey {
    /// Surveys files by paths and sizes. Heavy folders are split, light ones are counted with their
    /// parent.
    pub fn new<'a>(files: impl Iterator<Item = (&'a str, u64)> + Clone) -> Self {
        let sizes = sizes(files.clone());
        let folders = listed(&sizes);
        let mut survey = Self::with_folders(folders);
        for (path, bytes) in files {
            if let Some(row) = survey.row_of(path).and_then(|at| survey.rows.get_mut(at)) {
                row.files += 1;
                row.bytes += bytes;
            }
        }
        let rows = std::mem::take(&mut survey.rows).into_iter();
        Self::with_rows(rows.filter(|row| row.files > 0).collect())
    }

    /// Sorted by folder.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row that a file is in.
    pub(crate) fn row_of(&self, path: &str) -> Option<usize> {
        let mut folder = path;
        loop {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            match self.by_folder.get(folder) {
                Some(&at) => return Some(at),
                None if folder.is_empty() => return None,
                None => {}
            }
        }
    }

    fn with_folders(folders: Vec<String>) -> Self {
        let is_rest = |folder: &str| {
            let below = |other: &String| is_below(other, folder);
            folders.iter().any(below)
        };
        let row = |folder: &String| Row {
            is_rest: is_rest(folder),
            folder: folder.clone(),
            ..Row::default()
        };
        Self::with_rows(folders.iter().map(row).collect())
    }

    fn with_rows(rows: Vec<Row>) -> Self {
        let named = rows.iter().enumerate();
        Self {
            by_folder: named.map(|(at, row)| (row.folder.clone(), at)).collect(),
            rows,
        }
    }
}

/// The rows of a survey that are not read.
#[derive(Clone, Debug)]
pub struct Scope {
    survey: Survey,
    left_out: Vec<usize>,
}

impl Scope {
    /// `left_out` holds indices of rows.
    pub fn new(survey: Survey, left_out: Vec<usize>) -> Self {
        Self { survey, left_out }
    }

    /// Whether a file is not read.
    pub(crate) fn leaves_out(&self, path: &str) -> bool {
        let row = self.survey.row_of(path);
        row.is_some_and(|row| self.left_out.contains(&row))
    }
}

impl Repo {
    /// The survey it is based on.
    pub fn survey(&self) -> Survey {
        let files = self.files.iter();
        Survey::new(files.map(|file| (file.path.as_str(), file.text.len() as u64)))
    }

    /// Moves files outside the scope to the skipped ones.
    pub fn leave_out(&mut self, scope: &Scope) {
        let leaves_out = |file: &SourceFile| scope.leaves_out(&file.path);
        self.skip(|file| leaves_out(file).then_some(SkipReason::LeftOut));
    }

    /// Moves files for which `reason` returns a reason to the skipped ones; it is called for each
    /// file in order.
    pub fn skip(&mut self, mut reason: impl FnMut(&SourceFile) -> Option<SkipReason>) {
        let mut places = BTreeMap::new();
        let files = std::mem::take(&mut self.files);
        for (before, file) in (0..).zip(files) {
            match reason(&file) {
                Some(reason) => self.skipped.push(Skipped {
                    path: file.path,
                    reason,
                }),
                None => {
                    places.insert(FileId(before), FileId(self.files.len() as u32));
                    self.files.push(file);
                }
            }
        }
        self.files.shrink_to_fit();
        self.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        let commits = std::mem::take(&mut self.history.files).into_iter();
        let kept = commits.filter_map(|(file, at)| Some((*places.get(&file)?, at)));
        self.history.files = kept.collect();
    }
}

/// The sizes of all folders that contain files.
fn sizes<'a>(files: impl Iterator<Item = (&'a str, u64)>) -> BTreeMap<&'a str, Size> {
    let mut sizes: BTreeMap<&str, Size> = BTreeMap::new();
    for (path, bytes) in files {
        let mut folder = path;
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            let size = sizes.entry(folder).or_default();
            size.files += 1;
            size.bytes += bytes;
        }
    }
    sizes
}

/// The folders that get a row, sorted: the top, then repeatedly the subfolders of the heaviest
/// folder that is not split yet.
fn listed(sizes: &BTreeMap<&str, Size>) -> Vec<String> {
    let weight = |folder: &str| sizes.get(folder).map_or(0, |size| size.bytes);
    let total = weight("") as f64;
    let mut folders = vec![""];
    let mut opened: Vec<&str> = Vec::new();
    while folders.len() < MAX_ROWS {
        let closed = folders.iter().filter(|folder| !opened.contains(folder));
        let Some(&heaviest) = closed.max_by_key(|folder| weight(folder)) else {
            break;
        };
        if !heaviest.is_empty() && (weight(heaviest) as f64) < total * LARGEST_SHARE {
            break;
        }
        opened.push(heaviest);
        let mut inside: Vec<&str> = children(sizes, heaviest)
            .filter(|folder| weight(folder) as f64 >= total * LEAST_SHARE)
            .collect();
        inside.sort_by_key(|folder| std::cmp::Reverse(weight(folder)));
        inside.truncate(MAX_ROWS - folders.len());
        folders.extend(inside);
    }
    folders.sort_unstable();
    folders.into_iter().map(str::to_owned).collect()
}

/// The direct subfolders of a folder.
fn children<'a>(
    sizes: &'a BTreeMap<&'a str, Size>,
    folder: &'a str,
) -> impl Iterator<Item = &'a str> {
    let below = sizes.range(folder..).map(|(&other, _)| other).skip(1);
    // A path that follows a folder in order and starts with its name need not be below it: `a`,
    // `a-b`, `a/c`.
    below
        .take_while(move |other| other.starts_with(folder))
        .filter(move |other| is_below(other, folder) && !rest(other, folder).contains('/'))
}

fn is_below(path: &str, folder: &str) -> bool {
    if folder.is_empty() {
        return !path.is_empty();
    }
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The path relative to a folder that contains it.
fn rest<'a>(path: &'a str, folder: &str) -> &'a str {
    let rest = path.get(folder.len()..).unwrap_or_default();
    rest.strip_prefix('/').unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{History, SourceFile};
    use proptest::prelude::*;

    fn survey(files: &[(&str, u64)]) -> Vec<(String, u64, u64, bool)> {
        let rows = Survey::new(files.iter().copied()).rows;
        let row = |row: Row| (row.folder, row.files, row.bytes, row.is_rest);
        rows.into_iter().map(row).collect()
    }

    #[test]
    fn heavy_folders_are_opened_and_light_ones_stay_in_that_above() {
        let files = [
            ("README.md", 5),
            ("a-b/x.py", 10),
            ("a/big/one/x.py", 500),
            ("a/big/two/x.py", 400),
            ("a/light/x.py", 1),
            ("a/x.py", 84),
        ];
        assert_eq!(
            survey(&files),
            [
                ("".into(), 1, 5, true),
                ("a".into(), 2, 85, true),
                ("a-b".into(), 1, 10, false),
                ("a/big/one".into(), 1, 500, false),
                ("a/big/two".into(), 1, 400, false),
            ]
        );
    }

    #[test]
    fn folders_that_are_left_out_are_skipped_and_the_rest_keeps_its_commits() {
        let file = |path: &str| SourceFile {
            path: path.to_owned(),
            text: "x".repeat(100),
        };
        let mut repo = Repo {
            files: ["docs/a.md", "src/b.rs", "src/c.rs"].map(file).into(),
            history: History {
                subjects: vec!["Add c".into(), "Write a".into()],
                files: BTreeMap::from([(FileId(0), vec![1]), (FileId(2), vec![0])]),
                ..History::default()
            },
            ..Repo::default()
        };
        let survey = repo.survey();
        let docs = survey.row_of("docs/a.md").unwrap();
        repo.leave_out(&Scope::new(survey, vec![docs]));
        let paths: Vec<_> = repo.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["src/b.rs", "src/c.rs"]);
        assert_eq!(repo.skipped.len(), 1);
        assert_eq!(repo.skipped[0].reason, SkipReason::LeftOut);
        assert_eq!(repo.history.files, BTreeMap::from([(FileId(1), vec![0])]));
    }

    proptest! {
        #[test]
        fn every_file_is_in_one_row(
            paths in prop::collection::btree_map("[a-c]{1,2}(/[a-c]{1,2}){0,4}", 0u64..1000, 1..200),
        ) {
            let files = paths.iter().map(|(path, bytes)| (path.as_str(), *bytes));
            let survey = Survey::new(files.clone());
            prop_assert!(survey.rows().len() <= MAX_ROWS);
            let sum = |of: fn(&Row) -> u64| survey.rows().iter().map(of).sum::<u64>();
            prop_assert_eq!(sum(|row| row.files), paths.len() as u64);
            prop_assert_eq!(sum(|row| row.bytes), paths.values().sum::<u64>());
            for (path, _) in files {
                let row = &survey.rows()[survey.row_of(path).unwrap()];
                prop_assert!(is_below(path, &row.folder));
            }
        }
    }
}
