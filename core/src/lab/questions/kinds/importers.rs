//! Which files import a file of the repository.

use std::collections::BTreeMap;

use super::Kind;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::world::World;
use crate::lang::{Language, Role};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "importers",
    title: "Which files import a file?",
    draft,
};

/// Most files in an answer.
const MOST: usize = 8;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    for file in world.files(Role::Source) {
        let mut by_file: BTreeMap<FileId, Vec<Gold>> = BTreeMap::new();
        for link in world.index.graph.importers(file) {
            if world.is_in_test(link.file, link.lines) {
                continue;
            }
            let gold = by_file.entry(link.file).or_default();
            if !gold.contains(&(link.file, link.lines)) {
                gold.push((link.file, link.lines));
            }
        }
        by_file.retain(|importer, _| world.role(*importer) == Role::Source);
        if by_file.is_empty() {
            continue;
        }
        if by_file.len() > MOST {
            drafts.refuse("too many files import it");
            continue;
        }
        // Who imports a module of a package imports the package as well.
        if world.path(file).ends_with("__init__.py") {
            drafts.refuse("it stands for a whole package");
            continue;
        }
        let called = world.file_called(file);
        let language = world.index.file(file).map(|(_, parsed)| parsed.language);
        let wordings = wordings(language, called);
        let paths: Vec<String> = by_file
            .keys()
            .map(|it| format!("`{}`", world.path(*it)))
            .collect();
        let gold = by_file.into_values().flatten().collect();
        drafts.push(
            &wordings,
            gold,
            format!("It is imported by {}.", paths.join(", ")),
        );
    }
}

/// The question in the words of the language.
fn wordings(language: Option<Language>, called: &str) -> Vec<String> {
    match language {
        Some(Language::C | Language::Cpp) => vec![
            format!("Which files include {called} directly?"),
            format!("Where is {called} included directly?"),
        ],
        Some(Language::Rust) => vec![
            format!("Which files declare or import the module of {called}, tests apart?"),
            format!("Where is the module of {called} declared or imported, tests apart?"),
        ],
        _ => vec![
            format!("Which files import {called} directly, tests and examples apart?"),
            format!("Where is {called} imported directly, tests and examples apart?"),
        ],
    }
}
