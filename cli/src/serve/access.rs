//! Which groups may read which repositories: `access.json` in the folder of index files.
//!
//! ```json
//! { "repositories": { "payroll-*": ["finance"], "old-shop-1.0": [] }, "others": ["staff"] }
//! ```
//!
//! A key is the name of a repository or of an index file; with `*` at its end, the beginning of
//! one. If several keys fit, the user must be in a group of each. `others` are the groups for all
//! repositories that no key fits; without it, everyone may read those. If there is no file when the
//! server starts, everyone may read everything. The file is read again whenever it has changed. One
//! that cannot be read, or that is gone while the server runs, hides everything until it can be
//! read again.

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
        Ok(Self::of_file(&folder.join(FILE))?.unwrap_or_default())
    }

    /// Reads a file; `None` if it is not there.
    fn of_file(path: &Path) -> Result<Option<Self>> {
        let failed = |why: String| format!("{}: {why}", path.display());
        match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let hint = "docs/serving.md shows such a file";
                failed(format!("{error}. {hint}")).into()
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
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

    /// The rules now. If the file was there and is gone, somebody may be replacing it, or its disk
    /// is away: that opens nothing.
    pub fn rules(&self) -> Arc<Rules> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.folder.join(FILE);
        let stamp = Stamp::of(&path);
        if stamp != held.0 {
            let hint = "put it back, or start the server again without it";
            let gone = || format!("{} is gone: {hint}", path.display()).into();
            let rules = Rules::of_file(&path).and_then(|rules| rules.ok_or_else(gone));
            let rules = rules.unwrap_or_else(|error| {
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
    fn a_file_that_changes_counts_at_once_and_one_that_is_damaged_or_gone_hides_everything() {
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
        assert!(!may());
        assert!(!may(), "it stays so");
        write(r#"{ "repositories": { "shop": ["a"] } }"#);
        assert!(may());
    }
}
