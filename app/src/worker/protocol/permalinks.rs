//! Where the host of a repository shows lines on the web. The page only offers the address; whoever
//! follows it sees it in full before.

use serde::{Deserialize, Serialize};

use crate::words::in_address;

/// What the addresses of a repository's lines are made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermalinksView {
    /// For example `github.com`.
    pub host: String,
    /// What each address begins with, up to the path in the repository.
    pub before: String,
    /// The archive's folder in the repository, with a `/` at its end; empty for its root.
    pub folder: String,
    /// What stands before the first line and before the last.
    pub lines: [String; 2],
    /// The commit that the archive names; without one, addresses lead to the newest version.
    pub commit: Option<String>,
}

impl PermalinksView {
    /// The address of lines of the file at `path`.
    pub fn address(&self, path: &str, first: u32, last: u32) -> String {
        let Self { before, folder, .. } = self;
        let [before_first, before_last] = &self.lines;
        let start = format!(
            "{before}{}{}{before_first}{first}",
            in_address(folder),
            in_address(path)
        );
        match first == last {
            true => start,
            false => format!("{start}{before_last}{last}"),
        }
    }

    /// What a link to an address promises.
    pub fn promise(&self) -> String {
        let host = &self.host;
        match &self.commit {
            Some(commit) => format!(
                "Show this place at {host}, commit {}",
                commit.get(..9).unwrap_or(commit)
            ),
            None => format!(
                "Show this file at {host}. The archive names no commit, so its newest version opens, \
                 where lines may have moved"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(lines: [&str; 2], folder: &str) -> PermalinksView {
        PermalinksView {
            host: "host.example".to_owned(),
            before: "https://host.example/a/b/blob/c/".to_owned(),
            folder: folder.to_owned(),
            lines: lines.map(str::to_owned),
            commit: None,
        }
    }

    #[test]
    fn an_address_names_the_lines_as_its_host_does_and_escapes_the_path() {
        for (links, path, lines, wanted) in [
            (
                links(["#L", "-L"], ""),
                "src/a b.rs",
                (3, 9),
                "src/a%20b.rs#L3-L9",
            ),
            (links(["#L", "-L"], ""), "a.rs", (7, 7), "a.rs#L7"),
            (
                links(["#lines-", ":"], "x y/"),
                "a.rs",
                (1, 2),
                "x%20y/a.rs#lines-1:2",
            ),
            (
                links(["#L", "-"], ""),
                "ä?#%.py",
                (1, 1),
                "%C3%A4%3F%23%25.py#L1",
            ),
        ] {
            let found = links.address(path, lines.0, lines.1);
            assert_eq!(found, format!("{}{wanted}", links.before));
        }
    }

    #[test]
    fn a_link_says_which_version_it_leads_to() {
        let newest = links(["#L", "-L"], "");
        assert!(newest.promise().contains("lines may have moved"));
        let commit = Some("0123456789abcdef".to_owned());
        let exact = PermalinksView { commit, ..newest };
        assert_eq!(
            exact.promise(),
            "Show this place at host.example, commit 012345678"
        );
    }
}
