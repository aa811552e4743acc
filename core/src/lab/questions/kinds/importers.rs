//! Which files import a file of the repository.

use std::collections::BTreeMap;

use super::Kind;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::world::World;
use crate::lang::Role;
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
        let called = world.file_called(file);
        let wordings = [
            format!("Which files import {called}, tests and examples apart?"),
            format!("What depends on {called}, tests and examples apart?"),
        ];
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
