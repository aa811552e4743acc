//! The files of a repository as a tree, flattened in the order in which it is shown.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::worker::protocol::FileEntry;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    /// Path from the repository's root, without a final `/`.
    pub path: String,
    /// 0 at the root.
    pub depth: usize,
    pub is_folder: bool,
    /// Index after the last node below this one.
    end: usize,
}

/// Nodes in depth-first order, folders before files, each sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Folder<'a> {
    folders: BTreeMap<&'a str, Folder<'a>>,
    files: Vec<&'a str>,
}

impl Tree {
    pub fn new(files: &[FileEntry]) -> Self {
        let mut root = Folder::default();
        for file in files {
            let (folders, name) = match file.path.rsplit_once('/') {
                Some((folders, name)) => (Some(folders), name),
                None => (None, file.path.as_str()),
            };
            let folders = folders.into_iter().flat_map(|folders| folders.split('/'));
            let mut folder = &mut root;
            for part in folders {
                folder = folder.folders.entry(part).or_default();
            }
            folder.files.push(name);
        }
        let mut tree = Tree::default();
        tree.add(root, "", 0);
        tree
    }

    fn add(&mut self, folder: Folder, prefix: &str, depth: usize) {
        for (name, inner) in folder.folders {
            let path = format!("{prefix}{name}");
            let at = self.nodes.len();
            self.nodes.push(Node {
                name: name.to_owned(),
                path: path.clone(),
                depth,
                is_folder: true,
                end: 0,
            });
            self.add(inner, &format!("{path}/"), depth + 1);
            let end = self.nodes.len();
            if let Some(node) = self.nodes.get_mut(at) {
                node.end = end;
            }
        }
        let mut files = folder.files;
        files.sort_by_cached_key(|name| name.to_lowercase());
        for name in files {
            let end = self.nodes.len() + 1;
            self.nodes.push(Node {
                name: name.to_owned(),
                path: format!("{prefix}{name}"),
                depth,
                is_folder: false,
                end,
            });
        }
    }

    pub fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// Indices of the nodes to show when the folders of these paths are open.
    pub fn visible(&self, open: &HashSet<String>) -> Vec<usize> {
        let mut shown = Vec::new();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            shown.push(at);
            let closed = node.is_folder && !open.contains(&node.path);
            at = if closed { node.end } else { at + 1 };
        }
        shown
    }

    /// Folders that are open at first: those on the way to the first level that offers a choice.
    pub fn opened_at_first(&self) -> HashSet<String> {
        let mut open = HashSet::new();
        let mut range = 0..self.nodes.len();
        loop {
            let inside = |node: &&Node| node.is_folder;
            let mut folders = Vec::new();
            let mut at = range.start;
            let mut count = 0;
            while at < range.end {
                let Some(node) = self.nodes.get(at) else {
                    break;
                };
                count += 1;
                if inside(&node) {
                    folders.push((at, node));
                }
                at = node.end;
            }
            match folders.as_slice() {
                [(at, only)] if count <= 3 || only.name == "src" => {
                    open.insert(only.path.clone());
                    range = at + 1..only.end;
                }
                _ => return open,
            }
        }
    }

    /// How many of `hits` (path → count) lie at or below each node; folders gather those of their files.
    pub fn hit_count(&self, at: usize, hits: &HashMap<String, u32>) -> u32 {
        let Some(node) = self.nodes.get(at) else {
            return 0;
        };
        if !node.is_folder {
            return hits.get(&node.path).copied().unwrap_or(0);
        }
        let below = format!("{}/", node.path);
        let inside = |(path, count): (&String, &u32)| path.starts_with(&below).then_some(*count);
        hits.iter().filter_map(inside).sum()
    }
}

/// The folders that hold `path`, outermost first.
pub fn ancestors(path: &str) -> Vec<String> {
    path.match_indices('/')
        .filter_map(|(at, _)| path.get(..at).map(str::to_owned))
        .collect()
}

/// The files whose path contains every word of `query`, best first: names before folders, short
/// before long. At most `limit`.
pub fn matching<'f>(files: &'f [FileEntry], query: &str, limit: usize) -> Vec<&'f FileEntry> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut found: Vec<((u8, usize), &FileEntry)> = files
        .iter()
        .filter_map(|file| rank(&file.path, &words).map(|rank| (rank, file)))
        .collect();
    found.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.path.cmp(&right.path)));
    found
        .into_iter()
        .take(limit)
        .map(|(_, file)| file)
        .collect()
}

/// Lower is better; `None` if a word is missing.
fn rank(path: &str, words: &[&str]) -> Option<(u8, usize)> {
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let place = |word: &&str| {
        if name.starts_with(word) {
            Some(0)
        } else if name.contains(word) {
            Some(1)
        } else if lower.contains(word) {
            Some(2)
        } else {
            None
        }
    };
    let mut worst = 0;
    for word in words {
        worst = worst.max(place(word)?);
    }
    Some((worst, path.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> Vec<FileEntry> {
        paths
            .iter()
            .map(|path| FileEntry {
                path: (*path).into(),
                language: String::new(),
                lines: 1,
            })
            .collect()
    }

    fn shown(tree: &Tree, open: &[&str]) -> Vec<String> {
        let open = open.iter().map(|path| (*path).into()).collect();
        tree.visible(&open)
            .into_iter()
            .filter_map(|at| tree.node(at))
            .map(|node| format!("{}{}", "  ".repeat(node.depth), node.name))
            .collect()
    }

    const PATHS: [&str; 6] = [
        "README.md",
        "docs/index.md",
        "pyproject.toml",
        "src/requests/api.py",
        "src/requests/sessions.py",
        "src/setup.py",
    ];

    #[test]
    fn folders_come_first_and_hide_what_is_in_them_until_they_are_open() {
        let tree = Tree::new(&files(&PATHS));
        assert_eq!(
            shown(&tree, &[]),
            ["docs", "src", "pyproject.toml", "README.md"]
        );
        assert_eq!(
            shown(&tree, &["src"]),
            [
                "docs",
                "src",
                "  requests",
                "  setup.py",
                "pyproject.toml",
                "README.md"
            ]
        );
        assert_eq!(
            shown(&tree, &["src/requests"]),
            ["docs", "src", "pyproject.toml", "README.md"],
            "an open folder inside a closed one stays hidden"
        );
    }

    #[test]
    fn a_folder_that_is_the_only_choice_is_open_at_first() {
        let tree = Tree::new(&files(&["README.md", "a/b/x.rs", "a/b/y.rs"]));
        let mut open: Vec<_> = tree.opened_at_first().into_iter().collect();
        open.sort();
        assert_eq!(open, ["a", "a/b"]);
        assert!(Tree::new(&files(&PATHS)).opened_at_first().is_empty());
    }

    #[test]
    fn a_closed_folder_counts_the_hits_below_it() {
        let tree = Tree::new(&files(&PATHS));
        let hits = HashMap::from([
            ("src/requests/sessions.py".to_owned(), 3),
            ("src/setup.py".to_owned(), 1),
        ]);
        let counts: Vec<u32> = tree
            .visible(&HashSet::new())
            .into_iter()
            .map(|at| tree.hit_count(at, &hits))
            .collect();
        assert_eq!(counts, [0, 4, 0, 0]);
    }

    #[test]
    fn files_whose_name_matches_come_before_those_whose_folder_does() {
        let files = files(&["api/x.py", "src/myapi.py", "src/requests/api.py", "z.py"]);
        let paths: Vec<_> = matching(&files, "API", 9)
            .into_iter()
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(paths, ["src/requests/api.py", "src/myapi.py", "api/x.py"]);
        assert_eq!(matching(&files, "src api", 1).len(), 1);
        assert!(matching(&files, "nowhere", 9).is_empty());
    }

    #[test]
    fn the_folders_around_a_file_are_found() {
        assert_eq!(ancestors("a/b/c.rs"), ["a", "a/b"]);
        assert!(ancestors("c.rs").is_empty());
    }
}
