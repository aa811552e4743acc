//! What the card of an export says of the repository.

use std::collections::BTreeSet;
use std::path::Path;

use footnote_core::eval::Item;
use footnote_core::lab::export::Repository;
use footnote_core::lang::Role;
use footnote_core::lang::manifest::{Fact, FactKind, facts};
use footnote_core::source::Repo;

use crate::{Result, archive};

/// The repository of a set, and what looks odd; without an archive only the name in the set.
pub fn of(items: &[Item], path: Option<&Path>) -> Result<(Repository, Vec<String>)> {
    let keys: BTreeSet<&str> = items.iter().map(|item| item.archive.as_str()).collect();
    let mut notes = Vec::new();
    if keys.len() > 1 {
        notes.push(format!(
            "The questions are about {} repositories, and the card describes one.",
            keys.len()
        ));
    }
    let Some(path) = path else {
        let name = keys.into_iter().collect::<Vec<_>>().join(", ");
        let repository = Repository {
            name,
            archive_hash: "not known".to_owned(),
            ..Repository::default()
        };
        notes.push(
            "Version and licence of the repository are not known: name its archive with \
             --archive for the card to state them."
                .to_owned(),
        );
        return Ok((repository, notes));
    };
    let repo = archive::archive_or_folder(path)?;
    notes.extend(missing(items, &repo, path));
    let mut repository = described(&repo);
    if repository.license.is_none() {
        repository.license = licence_file(&repo);
        notes.push(match &repository.license {
            Some(line) => format!("No manifest states a licence; its own text starts “{line}”."),
            None => "The archive states no licence: find out before you share the set.".to_owned(),
        });
    }
    Ok((repository, notes))
}

/// That gold files are not in the archive, if so.
fn missing(items: &[Item], repo: &Repo, path: &Path) -> Option<String> {
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
            path.display()
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

/// The facts of the manifests that lie highest: those of packages below speak for themselves.
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

/// The first line of the licence's own text, if it names a licence; some start with a copyright.
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
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn described_as(files: &[(&str, &str)]) -> (Repository, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("tea");
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        of(&[], Some(&root)).unwrap()
    }

    #[test]
    fn the_highest_manifest_speaks_for_the_repository() {
        let top = r#"{"name": "pot", "version": "2.0.0", "license": "MIT"}"#;
        let below = r#"{"name": "lid", "version": "9.0.0", "license": "ISC"}"#;
        let (repository, notes) = described_as(&[("package.json", top), ("a/package.json", below)]);
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
            let (repository, notes) = described_as(&[code, ("LICENSE.txt", text)]);
            assert_eq!(repository.license.as_deref(), expected);
            assert_eq!((repository.name.as_str(), notes.len()), ("tea", 1));
        }
    }
}
