//! Where the host of a repository shows a file's lines on the web, from what the archive says of
//! itself: the clone's remote or a manifest names the repository, and the clone, the archive's
//! comment or the registry's own record names the commit.

use crate::lang::manifest::{FactKind, facts};
use crate::source::{Repo, address, is_commit};

/// How a host writes the address of a file and of its lines.
struct Host {
    name: &'static str,
    /// Between the repository and the commit.
    before: &'static str,
    /// Whether `HEAD` in the place of a commit means the newest version.
    knows_head: bool,
    /// Before the first line and before the last.
    lines: [&'static str; 2],
}

const HOSTS: [Host; 4] = [
    Host {
        name: "github.com",
        before: "/blob/",
        knows_head: true,
        lines: ["#L", "-L"],
    },
    Host {
        name: "gitlab.com",
        before: "/-/blob/",
        knows_head: true,
        lines: ["#L", "-"],
    },
    Host {
        name: "codeberg.org",
        before: "/src/commit/",
        knows_head: false,
        lines: ["#L", "-L"],
    },
    Host {
        name: "bitbucket.org",
        before: "/src/",
        knows_head: true,
        lines: ["#lines-", ":"],
    },
];

/// The newest version, where an archive names no commit.
const NEWEST: &str = "HEAD";

/// Addresses of a repository's lines at its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permalinks {
    /// For example `github.com`.
    pub host: &'static str,
    /// What each address begins with, up to the path in the repository.
    pub before: String,
    /// The archive's folder in the repository, with a `/` at its end; empty for its root.
    pub folder: String,
    /// What stands before the first line and before the last.
    pub lines: [&'static str; 2],
    /// The commit; without one, addresses lead to the newest version, where lines may differ.
    pub commit: Option<String>,
}

impl Permalinks {
    /// Finds where `repo` is hosted. `None` if the archive does not say, or names a host whose
    /// addresses are not known here.
    pub fn of(repo: &Repo) -> Option<Self> {
        let record = Record::of(repo);
        let from_manifests = || manifest_addresses(repo).find(|it| host_of(it).is_some());
        let repository = repo
            .history
            .remote
            .clone()
            .filter(|it| host_of(it).is_some());
        let repository = repository.or_else(from_manifests)?;
        let host = host_of(&repository)?;
        // A clone, or what the host packed, begins at the root of the repository; the package of a
        // registry begins at its own folder.
        let (commit, folder) = match repo.history.commit.clone() {
            Some(commit) => (Some(commit), String::new()),
            None => (record.commit, record.folder),
        };
        let at = match &commit {
            Some(commit) => commit,
            None if host.knows_head => NEWEST,
            None => return None,
        };
        Some(Self {
            host: host.name,
            before: format!("{repository}{}{at}/", host.before),
            folder,
            lines: host.lines,
            commit,
        })
    }
}

fn host_of(address: &str) -> Option<&'static Host> {
    let rest = address.strip_prefix("https://")?;
    let host = rest.split('/').next()?;
    HOSTS.iter().find(|known| known.name == host)
}

/// The addresses in the manifests of the top folder, in their order.
fn manifest_addresses(repo: &Repo) -> impl Iterator<Item = String> {
    let top = repo.files.iter().filter(|file| !file.path.contains('/'));
    top.flat_map(|file| {
        let facts = facts(&file.path, &file.text).into_iter();
        // A Go module is named by the address of its repository.
        let is_module = file.path == "go.mod";
        let urls = facts.filter_map(move |fact| match fact.what {
            FactKind::Url => Some(fact.value),
            FactKind::Name if is_module => Some(format!("https://{}", fact.value)),
            _ => None,
        });
        urls.filter_map(|url| address(&url)).collect::<Vec<_>>()
    })
}

/// What a registry's archive records of the commit that it was made from.
#[derive(Debug, Default, PartialEq, Eq)]
struct Record {
    commit: Option<String>,
    /// The package's folder in the repository, with a `/` at its end; empty for its root.
    folder: String,
}

impl Record {
    fn of(repo: &Repo) -> Self {
        let json = |path: &str| {
            let file = repo.find(path).and_then(|id| repo.file(id))?;
            serde_json::from_str::<serde_json::Value>(&file.text).ok()
        };
        let text = |value: &serde_json::Value, at: &str| {
            let found = value.pointer(at)?.as_str()?;
            Some(found.to_owned())
        };
        let (commit, folder) = if let Some(cargo) = json(".cargo_vcs_info.json") {
            (text(&cargo, "/git/sha1"), text(&cargo, "/path_in_vcs"))
        } else if let Some(npm) = json("package.json") {
            (text(&npm, "/gitHead"), text(&npm, "/repository/directory"))
        } else {
            (None, None)
        };
        let folder = folder.unwrap_or_default();
        let folder = folder.trim_start_matches("./").trim_matches('/');
        let is_inside = folder.split('/').all(|part| part != ".." && part != ".");
        Self {
            commit: commit.filter(|commit| is_commit(commit)),
            folder: match folder.is_empty() || !is_inside {
                true => String::new(),
                false => format!("{folder}/"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{History, SourceFile};

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn repo(history: History, files: &[(&str, &str)]) -> Repo {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        let mut files: Vec<SourceFile> = files.iter().map(file).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Repo {
            files,
            history,
            ..Repo::default()
        }
    }

    fn start_of(repo: &Repo) -> Option<String> {
        Permalinks::of(repo).map(|links| links.before + &links.folder)
    }

    #[test]
    fn each_archive_leads_to_what_it_names() {
        let commit = || History {
            commit: Some(COMMIT.to_owned()),
            ..History::default()
        };
        let cargo = "[package]\nname = \"a\"\nrepository = \"https://github.com/a/b.git\"\n";
        let vcs = format!("{{\"git\": {{\"sha1\": \"{COMMIT}\"}}, \"path_in_vcs\": \"crates/a\"}}");
        let npm = "{\"repository\": {\"type\": \"git\", \"url\": \"git+https://gitlab.com/a/b.git\", \
                   \"directory\": \"packages/a\"}}";
        let cases: [(&str, Repo, String); 6] = [
            (
                "a zip of the host with a manifest",
                repo(commit(), &[("Cargo.toml", cargo)]),
                format!("https://github.com/a/b/blob/{COMMIT}/"),
            ),
            (
                "a crate",
                repo(
                    History::default(),
                    &[("Cargo.toml", cargo), (".cargo_vcs_info.json", &vcs)],
                ),
                format!("https://github.com/a/b/blob/{COMMIT}/crates/a/"),
            ),
            (
                "an npm package",
                repo(History::default(), &[("package.json", npm)]),
                "https://gitlab.com/a/b/-/blob/HEAD/packages/a/".to_owned(),
            ),
            (
                "a Python package",
                repo(
                    commit(),
                    &[(
                        "pyproject.toml",
                        "[project]\nname = \"a\"\n[project.urls]\nDocs = \"https://a.example/b/c\"\n\
                         Source = \"https://codeberg.org/a/b/\"\n",
                    )],
                ),
                format!("https://codeberg.org/a/b/src/commit/{COMMIT}/"),
            ),
            (
                "a clone",
                repo(
                    History {
                        remote: Some("https://bitbucket.org/a/b".to_owned()),
                        ..commit()
                    },
                    &[("Cargo.toml", cargo)],
                ),
                format!("https://bitbucket.org/a/b/src/{COMMIT}/"),
            ),
            (
                "a Go module",
                repo(
                    commit(),
                    &[("go.mod", "module github.com/a/b/v2\n\ngo 1.22\n")],
                ),
                format!("https://github.com/a/b/blob/{COMMIT}/"),
            ),
        ];
        for (what, repo, wanted) in cases {
            assert_eq!(start_of(&repo), Some(wanted), "{what}");
        }
    }

    #[test]
    fn an_archive_packed_by_the_host_begins_at_the_root_despite_its_manifest() {
        let npm = "{\"repository\": {\"url\": \"https://github.com/a/b\", \"directory\": \"packages/a\"}}";
        let history = History {
            commit: Some(COMMIT.to_owned()),
            ..History::default()
        };
        let repo = repo(history, &[("package.json", npm)]);
        let wanted = format!("https://github.com/a/b/blob/{COMMIT}/");
        assert_eq!(start_of(&repo), Some(wanted));
    }

    #[test]
    fn an_archive_that_names_no_known_host_has_no_links() {
        let cargo = |url: &str| format!("[package]\nname = \"a\"\nrepository = \"{url}\"\n");
        for url in [
            "https://git.example/a/b",
            "https://github.com/a",
            // It has no address of the newest version.
            "https://codeberg.org/a/b",
            "nowhere",
        ] {
            let repo = repo(History::default(), &[("Cargo.toml", &cargo(url))]);
            assert_eq!(Permalinks::of(&repo), None, "{url}");
        }
        assert_eq!(Permalinks::of(&repo(History::default(), &[])), None);
    }

    #[test]
    fn a_record_cannot_lead_out_of_the_repository() {
        let npm = "{\"gitHead\": \"main\", \"repository\": {\"url\": \"https://github.com/a/b\", \
                   \"directory\": \"../../evil/c\"}}";
        let repo = repo(History::default(), &[("package.json", npm)]);
        let wanted = "https://github.com/a/b/blob/HEAD/";
        assert_eq!(start_of(&repo).as_deref(), Some(wanted));
    }
}
