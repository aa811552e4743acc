//! The facts about a repository for the card of an export, from its manifests and the text of its
//! licence.

use std::collections::BTreeSet;

use super::Repository;
use crate::eval::Item;
use crate::lang::Role;
use crate::lang::manifest::{Fact, FactKind, facts};
use crate::source::Repo;

impl Repository {
    /// The facts that `repo` states about itself, and sentences about what is missing.
    pub fn of(repo: &Repo) -> (Self, Vec<String>) {
        let mut repository = described(repo);
        let mut notes = Vec::new();
        if repository.license.is_none() {
            repository.license = licence_file(repo);
            notes.push(match &repository.license {
                Some(line) => {
                    format!("No manifest states a licence; its own text starts “{line}”.")
                }
                None => {
                    "The archive states no licence: find out before you share the set.".to_owned()
                }
            });
        }
        (repository, notes)
    }
}

/// A sentence about gold files that are not in the repository, if there are any.
pub fn missing(items: &[Item], repo: &Repo) -> Option<String> {
    let gold: BTreeSet<&str> = items
        .iter()
        .flat_map(|item| item.gold_files.iter().map(String::as_str))
        .collect();
    let lacking = gold.iter().filter(|file| repo.find(file).is_none());
    let lacking = lacking.count();
    (lacking > 0).then(|| {
        format!(
            "{lacking} of the {} gold files are not in {}: the set may be about another version.",
            gold.len(),
            repo.name
        )
    })
}

fn described(repo: &Repo) -> Repository {
    let facts = top_facts(repo);
    let stated = |what: FactKind| {
        let fact = facts.iter().find(|fact| fact.what == what);
        fact.map(|fact| fact.value.clone())
    };
    let digest = repo.digest();
    Repository {
        name: stated(FactKind::Name).unwrap_or_else(|| repo.name.clone()),
        version: stated(FactKind::Version),
        license: stated(FactKind::License),
        archive_hash: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// The facts of the topmost manifests; those of nested packages are about the packages.
fn top_facts(repo: &Repo) -> Vec<Fact> {
    let depth = |path: &str| path.matches('/').count();
    let manifests: Vec<_> = repo
        .files
        .iter()
        .filter(|file| Role::of(&file.path) == Role::Manifest)
        .map(|file| (depth(&file.path), facts(&file.path, &file.text)))
        .filter(|(_, facts)| !facts.is_empty())
        .collect();
    let top = manifests.iter().map(|(depth, _)| *depth).min();
    let of_top = manifests
        .into_iter()
        .filter(|(depth, _)| Some(*depth) == top);
    of_top.flat_map(|(_, facts)| facts).collect()
}

/// The first line of the licence file that names a licence; some files start with a copyright line.
fn licence_file(repo: &Repo) -> Option<String> {
    let is_licence = |path: &str| {
        let stem = path.split('.').next().unwrap_or(path).to_lowercase();
        ["license", "licence", "copying"].contains(&stem.as_str())
    };
    let file = repo.files.iter().find(|file| is_licence(&file.path))?;
    let line = file.text.lines().map(str::trim).find(|it| !it.is_empty())?;
    let words = line.to_lowercase();
    let names_one = words.contains("license") || words.contains("licence");
    names_one.then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tests::repo;

    #[test]
    fn the_highest_manifest_speaks_for_the_repository() {
        let top = r#"{"name": "pot", "version": "2.0.0", "license": "MIT"}"#;
        let below = r#"{"name": "lid", "version": "9.0.0", "license": "ISC"}"#;
        let repo = repo(&[("package.json", top), ("a/package.json", below)]);
        let (repository, notes) = Repository::of(&repo);
        assert_eq!(repository.name, "pot");
        assert_eq!(repository.version.as_deref(), Some("2.0.0"));
        assert_eq!(repository.license.as_deref(), Some("MIT"));
        assert_eq!(repository.archive_hash.len(), 64);
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn without_a_manifest_the_text_of_the_licence_is_quoted_if_it_names_one() {
        let code = ("a.py", "A = 1\n");
        for (text, expected) in [
            ("\n   Apache License\nVersion 2.0\n", Some("Apache License")),
            ("Copyright 2010 Tea\n", None),
        ] {
            let repo = repo(&[code, ("LICENSE.txt", text)]);
            let (repository, notes) = Repository::of(&repo);
            assert_eq!(repository.license.as_deref(), expected);
            assert_eq!((&repository.name, notes.len()), (&repo.name, 1));
        }
    }
}
