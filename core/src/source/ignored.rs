//! `.gitignore` and `.footnoteignore` rules, nested as in git.
//!
//! The last matching rule of the deepest rule file decides. `.footnoteignore` takes precedence over
//! every `.gitignore`, because it is written for this purpose. As in git, a file below an ignored
//! folder cannot be included again.

use std::collections::HashMap;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::limits::{MAX_RULE_FILE_BYTES, MAX_RULE_FILES};
use super::path::file_name;

const GIT: &str = ".gitignore";
const OURS: &str = ".footnoteignore";

/// All rule files of a repository.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// By folder; the empty path is the root.
    ours: HashMap<String, Gitignore>,
    git: HashMap<String, Gitignore>,
    /// A cache by folder: the rule file that ignores it, if there is one.
    folders: HashMap<String, Option<String>>,
}

pub(super) fn is_rule_file(path: &str) -> bool {
    matches!(file_name(path), GIT | OURS)
}

impl Rules {
    /// Reads one rule file. Patterns that git could not parse either are ignored.
    pub(crate) fn add(&mut self, path: &str, text: &str) {
        let full = self.ours.len() + self.git.len() >= MAX_RULE_FILES;
        if full || text.len() > MAX_RULE_FILE_BYTES {
            return;
        }
        let mut builder = GitignoreBuilder::new("");
        for line in text.lines() {
            // A rule that cannot be parsed ignores nothing.
            builder.add_line(None, line).ok();
        }
        let Ok(matcher) = builder.build() else {
            return;
        };
        if matcher.is_empty() {
            return;
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let files = if file_name(path) == OURS {
            &mut self.ours
        } else {
            &mut self.git
        };
        files.insert(folder.to_owned(), matcher);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ours.is_empty() && self.git.is_empty()
    }

    /// The rule file that ignores the file at `path`, if there is one.
    pub(crate) fn ignoring(&mut self, path: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        for (end, _) in path.match_indices('/') {
            let Some(folder) = path.get(..end) else {
                continue;
            };
            let known = match self.folders.get(folder) {
                Some(known) => known.clone(),
                None => {
                    let found = self.deciding(folder, true);
                    self.folders.insert(folder.to_owned(), found.clone());
                    found
                }
            };
            if known.is_some() {
                return known;
            }
        }
        self.deciding(path, false)
    }

    /// The rule file that ignores exactly `path`, regardless of its folders.
    fn deciding(&self, path: &str, is_folder: bool) -> Option<String> {
        for (name, files) in [(OURS, &self.ours), (GIT, &self.git)] {
            if files.is_empty() {
                continue;
            }
            let mut folder = path;
            loop {
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
                let inner = path.get(folder.len()..).unwrap_or(path);
                let inner = inner.strip_prefix('/').unwrap_or(inner);
                if let Some(matcher) = files.get(folder) {
                    let found = matcher.matched(inner, is_folder);
                    if found.is_whitelist() {
                        return None;
                    }
                    if found.is_ignore() {
                        return Some(if folder.is_empty() {
                            name.to_owned()
                        } else {
                            format!("{folder}/{name}")
                        });
                    }
                }
                if folder.is_empty() {
                    break;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(files: &[(&str, &str)]) -> Rules {
        let mut rules = Rules::default();
        for (path, text) in files {
            rules.add(path, text);
        }
        rules
    }

    #[test]
    fn each_kind_of_rule_decides_as_git_does() {
        // (rules of the root, path, ignored)
        for (root, path, ignored) in [
            ("*.log", "a/b.log", true),
            ("*.log\n!keep.log", "a/keep.log", false),
            ("!keep.log\n*.log", "keep.log", true),
            ("/build", "build/x.py", true),
            ("/build", "src/build/x.py", false),
            ("build/", "src/build/x.py", true),
            ("build/", "src/build", false),
            ("doc/*.txt", "doc/a.txt", true),
            ("doc/*.txt", "doc/sub/a.txt", false),
            ("doc/**/a.txt", "doc/x/y/a.txt", true),
            // Git cannot include a file again if its folder is ignored.
            ("out/\n!out/keep.py", "out/keep.py", true),
            ("out/*\n!out/keep.py", "out/keep.py", false),
            ("# *.py\n\n\\#x", "a.py", false),
            ("\\#x", "#x", true),
            ("a[", "a.py", false),
            ("foo?.c", "foo1.c", true),
            ("*.py \n", "a.py", true),
        ] {
            let found = rules(&[(GIT, root)]).ignoring(path);
            assert_eq!(found.is_some(), ignored, "{root:?} on {path}");
        }
    }

    #[test]
    fn deeper_rule_files_and_ours_go_first() {
        let mut rules = rules(&[
            (GIT, "*.tmp\ndist/\n"),
            ("sub/.gitignore", "!a.tmp\n*.gen\n/local\n"),
            (OURS, "docs/\n!b.tmp\n"),
        ]);
        for (path, rule_file) in [
            ("a.tmp", Some(".gitignore")),
            ("sub/a.tmp", None),
            ("sub/x/a.tmp", None),
            ("sub/z.tmp", Some(".gitignore")),
            ("x.gen", None),
            ("sub/x/y.gen", Some("sub/.gitignore")),
            ("sub/local/x", Some("sub/.gitignore")),
            ("sub/x/local/x", None),
            ("docs/a.md", Some(".footnoteignore")),
            ("b.tmp", None),
            ("sub/dist/x.py", Some(".gitignore")),
        ] {
            assert_eq!(rules.ignoring(path).as_deref(), rule_file, "{path}");
        }
    }

    #[test]
    fn oversized_and_broken_rule_files_ignore_nothing() {
        let huge = "*.py\n".repeat(20_000);
        let mut rules = rules(&[(GIT, &huge), ("a/.gitignore", "[\n{")]);
        assert_eq!(rules.ignoring("a/x.py"), None);
    }
}
