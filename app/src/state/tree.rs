//! The files of a repository as a tree, flattened in display order.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A folder or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The path from the repository's root, without a trailing `/`.
    pub path: String,
    /// 0 at the root.
    pub depth: usize,
    pub is_folder: bool,
    /// The index after the last node below this one.
    end: usize,
}

impl Node {
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// What a key press means in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMeaning {
    /// Moves the cursor to a row.
    Go(usize),
    /// Opens or closes the folder under the cursor.
    Toggle,
    /// Opens the file under the cursor; opens or closes a folder.
    Choose,
}

/// The nodes in depth-first order, folders before files. The tree grows file by file, so that a
/// large one does not block the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The indices of the folders around the last file, outermost first.
    around: Vec<usize>,
}

impl Tree {
    /// Adds files in display order, which is the order in which the engine sends them.
    pub fn extend(&mut self, files: Vec<String>) {
        for path in files {
            self.leave(&path);
            self.enter(&path);
            self.push(path, false);
        }
    }

    /// Leaves the folders that do not contain `path`.
    fn leave(&mut self, path: &str) {
        let holds = |at: &&usize| {
            let folder = self.nodes.get(**at);
            let rest = folder.and_then(|folder| path.strip_prefix(folder.path.as_str()));
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let held = self.around.iter().take_while(holds).count();
        self.around.truncate(held);
    }

    /// Enters the folders that contain `path`.
    fn enter(&mut self, path: &str) {
        let folders = path.match_indices('/').skip(self.around.len());
        for (end, _) in folders {
            let at = self.nodes.len();
            self.push(path.get(..end).unwrap_or(path).to_owned(), true);
            self.around.push(at);
        }
    }

    fn push(&mut self, path: String, is_folder: bool) {
        let end = self.nodes.len() + 1;
        self.nodes.push(Node {
            path,
            depth: self.around.len(),
            is_folder,
            end,
        });
        for &at in &self.around {
            if let Some(folder) = self.nodes.get_mut(at) {
                folder.end = end;
            }
        }
    }

    pub fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// The indices of the visible nodes, given the paths of the open folders.
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

    /// What a key means when the cursor is on `row` of the `visible` nodes; `None` for keys that
    /// the tree does not handle.
    pub fn meaning(
        &self,
        key: &str,
        row: usize,
        visible: &[usize],
        open: &HashSet<String>,
    ) -> Option<KeyMeaning> {
        let node_at = |row: usize| self.node(*visible.get(row)?);
        let node = node_at(row)?;
        let is_open = open.contains(&node.path);
        let last = visible.len().saturating_sub(1);
        let below = (row + 1).min(last);
        let is_around =
            |above: &usize| node_at(*above).is_some_and(|above| above.depth < node.depth);
        Some(match key {
            "ArrowDown" => KeyMeaning::Go(below),
            "ArrowUp" => KeyMeaning::Go(row.saturating_sub(1)),
            "Home" => KeyMeaning::Go(0),
            "End" => KeyMeaning::Go(last),
            "ArrowRight" if node.is_folder && !is_open => KeyMeaning::Toggle,
            "ArrowRight" if node.is_folder => KeyMeaning::Go(below),
            "ArrowLeft" if node.is_folder && is_open => KeyMeaning::Toggle,
            "ArrowLeft" => KeyMeaning::Go((0..row).rev().find(is_around).unwrap_or(row)),
            "Enter" | " " => KeyMeaning::Choose,
            _ => return None,
        })
    }

    /// The folders open at first: those on the way to the first level that offers a choice.
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
                [(at, only)] if count <= 3 || only.name() == "src" => {
                    open.insert(only.path.clone());
                    range = at + 1..only.end;
                }
                _ => return open,
            }
        }
    }

    /// How many of `hits` (path → count) are at or below a node; a folder adds up its files.
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

    /// The files whose paths contain every word of `query`, best first: matches in the name before
    /// matches in folders, shorter paths before longer ones. At most `limit`.
    pub fn matching(&self, query: &str, limit: usize) -> Vec<&Node> {
        let query = query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let files = self.nodes.iter().filter(|node| !node.is_folder);
        let mut found: Vec<((u8, usize), &Node)> = files
            .filter_map(|file| rank(&file.path, &words).map(|rank| (rank, file)))
            .collect();
        found.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.path.cmp(&right.path)));
        let best = found.into_iter().take(limit);
        best.map(|(_, file)| file).collect()
    }
}

/// The folders that contain `path`, outermost first.
pub fn ancestors(path: &str) -> Vec<String> {
    path.match_indices('/')
        .filter_map(|(at, _)| path.get(..at).map(str::to_owned))
        .collect()
}

/// The sort key of a match, lower being better; `None` if a word is missing.
fn rank(path: &str, words: &[&str]) -> Option<(u8, usize)> {
    let lower = lowercase(path);
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

/// Borrows the path where possible: most are lower case already, and a large repository has many.
fn lowercase(path: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    match path.bytes().all(is_lower) {
        true => Cow::Borrowed(path),
        false => Cow::Owned(path.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> Tree {
        let mut tree = Tree::default();
        // In two parts, as large repositories arrive.
        let (first, last) = paths.split_at(paths.len() / 2);
        for part in [first, last] {
            tree.extend(part.iter().map(|path| (*path).to_owned()).collect());
        }
        tree
    }

    fn shown(tree: &Tree, open: &[&str]) -> Vec<String> {
        let open = open.iter().map(|path| (*path).into()).collect();
        tree.visible(&open)
            .into_iter()
            .filter_map(|at| tree.node(at))
            .map(|node| format!("{}{}", "  ".repeat(node.depth), node.name()))
            .collect()
    }

    const PATHS: [&str; 6] = [
        "docs/index.md",
        "src/requests/api.py",
        "src/requests/sessions.py",
        "src/setup.py",
        "pyproject.toml",
        "README.md",
    ];

    #[test]
    fn folders_hide_what_is_in_them_until_they_are_open() {
        let tree = tree(&PATHS);
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
    fn keys_walk_the_rows_and_open_and_close_folders() {
        let tree = tree(&PATHS);
        let open = HashSet::from(["src".to_owned()]);
        // docs, src, src/requests, src/setup.py, pyproject.toml, README.md
        let visible = tree.visible(&open);
        let meaning = |key, row| tree.meaning(key, row, &visible, &open);
        assert_eq!(meaning("ArrowDown", 0), Some(KeyMeaning::Go(1)));
        assert_eq!(meaning("ArrowDown", 5), Some(KeyMeaning::Go(5)));
        assert_eq!(meaning("ArrowUp", 0), Some(KeyMeaning::Go(0)));
        assert_eq!(meaning("Home", 3), Some(KeyMeaning::Go(0)));
        assert_eq!(meaning("End", 3), Some(KeyMeaning::Go(5)));
        assert_eq!(meaning("ArrowRight", 0), Some(KeyMeaning::Toggle));
        assert_eq!(meaning("ArrowRight", 1), Some(KeyMeaning::Go(2)));
        assert_eq!(meaning("ArrowRight", 3), None);
        assert_eq!(meaning("ArrowLeft", 1), Some(KeyMeaning::Toggle));
        assert_eq!(meaning("ArrowLeft", 3), Some(KeyMeaning::Go(1)));
        assert_eq!(meaning("ArrowLeft", 0), Some(KeyMeaning::Go(0)));
        assert_eq!(meaning("Enter", 0), Some(KeyMeaning::Choose));
        assert_eq!(meaning("a", 0), None);
        assert_eq!(meaning("ArrowDown", 6), None);
    }

    #[test]
    fn a_folder_that_is_the_only_choice_is_open_at_first() {
        let deep = tree(&["a/b/x.rs", "a/b/y.rs", "README.md"]);
        let mut open: Vec<_> = deep.opened_at_first().into_iter().collect();
        open.sort();
        assert_eq!(open, ["a", "a/b"]);
        assert!(tree(&PATHS).opened_at_first().is_empty());
    }

    #[test]
    fn a_closed_folder_counts_the_hits_below_it() {
        let tree = tree(&PATHS);
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
        let tree = tree(&["api/x.py", "src/requests/API.py", "src/myapi.py", "z.py"]);
        let paths = tree.matching("API", 9).into_iter();
        let paths: Vec<_> = paths.map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["src/requests/API.py", "src/myapi.py", "api/x.py"]);
        assert_eq!(tree.matching("src api", 1).len(), 1);
        assert!(tree.matching("nowhere", 9).is_empty());
    }

    #[test]
    fn the_folders_around_a_file_are_found() {
        assert_eq!(ancestors("a/b/c.rs"), ["a", "a/b"]);
        assert!(ancestors("c.rs").is_empty());
    }
}
