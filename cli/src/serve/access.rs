//! Which groups may read which repositories: `access.json` in the folder of index files.
//!
//! ```json
//! { "repositories": { "payroll-*": ["finance"], "old-shop-1.0": [] }, "others": ["staff"] }
//! ```
//!
//! A key is the name of a repository or of an index file; with `*` at its end, the beginning of
//! one. If several keys fit, the user must be in a group of each. `others` are the groups for all
//! repositories that no key fits; without it, everyone may read those. Without the file, everyone
//! may read everything. The file is read again whenever it has changed, and a file that cannot be
//! read hides everything.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use super::source::User;
use super::stamp::Stamp;
use crate::Result;

/// The name of the file.
pub const FILE: &str = "access.json";

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    #[serde(default)]
    repositories: BTreeMap<String, BTreeSet<String>>,
    others: Option<BTreeSet<String>>,
}

impl Rules {
    /// Reads the file of a folder; everyone may read everything if there is none.
    ///
    /// # Errors
    /// The file is there, but says nothing that can be understood.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let failed = |why: String| format!("{}: {why}", path.display());
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let hint = "docs/serving.md shows such a file";
                failed(format!("{error}. {hint}")).into()
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(failed(error.to_string()).into()),
        }
    }

    /// Nobody may read anything.
    fn closed() -> Self {
        Self {
            repositories: BTreeMap::new(),
            others: Some(BTreeSet::new()),
        }
    }

    /// Whether the user may read a repository, by its name and that of its index file.
    pub fn allow(&self, user: &User, repository: &str, file: &str) -> bool {
        let keys = self.repositories.iter();
        let mut rules = keys.filter(|(key, _)| fits(key, repository) || fits(key, file));
        let is_in = |groups: &BTreeSet<String>| !groups.is_disjoint(&user.groups);
        match rules.next() {
            None => self.others.as_ref().is_none_or(is_in),
            Some((_, first)) => is_in(first) && rules.all(|(_, groups)| is_in(groups)),
        }
    }

    /// The keys that fit none of these names of repositories and files: most likely mistyped.
    pub fn unused<'r>(&'r self, names: &[(&str, &str)]) -> Vec<&'r str> {
        let is_used = |key: &&str| {
            let mut names = names.iter();
            names.any(|(repository, file)| fits(key, repository) || fits(key, file))
        };
        let keys = self.repositories.keys().map(String::as_str);
        keys.filter(|key| !is_used(key)).collect()
    }
}

fn fits(key: &str, name: &str) -> bool {
    match key.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == key,
    }
}

/// The rules of a folder, as they are now.
pub struct Access {
    folder: PathBuf,
    held: Mutex<(Option<Stamp>, Arc<Rules>)>,
}

impl Access {
    /// # Errors
    /// The file is there, but cannot be read.
    pub fn open(folder: &Path) -> Result<Self> {
        let stamp = Stamp::of(&folder.join(FILE));
        let rules = Rules::read(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            held: Mutex::new((stamp, Arc::new(rules))),
        })
    }

    pub fn rules(&self) -> Arc<Rules> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(&self.folder.join(FILE));
        if stamp != held.0 {
            let rules = Rules::read(&self.folder).unwrap_or_else(|error| {
                tracing::error!("nobody may read anything: {error}");
                Rules::closed()
            });
            *held = (stamp, Arc::new(rules));
        }
        Arc::clone(&held.1)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn user(groups: &[&str]) -> User {
        User {
            name: None,
            groups: groups.iter().map(|&group| group.to_owned()).collect(),
        }
    }

    #[test]
    fn a_key_restricts_what_it_fits_and_others_the_rest() {
        let rules: Rules = serde_json::from_str(
            r#"{ "repositories": { "pay-*": ["finance"], "pay-old": ["audit"], "x.footnote": [] },
                 "others": ["staff"] }"#,
        )
        .unwrap();
        for (groups, repository, file, expected) in [
            (&["finance"][..], "pay-1.0", "p.footnote", true),
            (&["staff"], "pay-1.0", "p.footnote", false),
            (&["finance"], "pay-old", "p.footnote", false),
            (&["finance", "audit"], "pay-old", "p.footnote", true),
            (&["staff", "finance"], "x", "x.footnote", false),
            (&["staff"], "shop", "s.footnote", true),
            (&[], "shop", "s.footnote", false),
        ] {
            assert_eq!(
                rules.allow(&user(groups), repository, file),
                expected,
                "{groups:?} {repository}"
            );
        }
        let names = [("pay-2", "p.footnote"), ("shop", "x.footnote")];
        assert_eq!(rules.unused(&names), ["pay-old"]);
    }

    #[test]
    fn without_rules_everything_is_public() {
        assert!(Rules::default().allow(&User::default(), "shop", "s.footnote"));
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Rules::read(folder.path()).unwrap(), Rules::default());
    }

    #[test]
    fn a_file_that_changes_counts_at_once_and_a_damaged_one_hides_everything() {
        let folder = tempfile::tempdir().unwrap();
        let access = Access::open(folder.path()).unwrap();
        let may = || access.rules().allow(&user(&["a"]), "shop", "s.footnote");
        assert!(may());
        let write = |text: &str| std::fs::write(folder.path().join(FILE), text).unwrap();
        write(r#"{ "repositories": { "shop": ["b"] } }"#);
        assert!(!may());
        write(r#"{ "repositories": { "shop": ["b", "a"] } }"#);
        assert!(may());
        write(r#"{ "repository": {} }"#);
        assert!(!may());
        assert!(Access::open(folder.path()).is_err());
        std::fs::remove_file(folder.path().join(FILE)).unwrap();
        assert!(may());
    }
}
