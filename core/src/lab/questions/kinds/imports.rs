//! Which libraries a file imports, and whether it imports one (RepoQA-SA, dependency questions): exact,
//! a no included.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;
use crate::index::graph::Target;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::world::World;
use crate::lang::{Language, Role};
use crate::source::FileId;

pub(super) const KIND: Kind = Kind {
    name: "imports",
    title: "Which libraries does a file import, and does it import one?",
    draft,
};

/// The imports of one file by library.
type Libraries<'i> = BTreeMap<&'i str, Vec<Gold>>;

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let all = by_language(world);
    for file in world.files(Role::Source) {
        let libraries = libraries(world, file);
        if libraries.is_empty() {
            continue;
        }
        let called = world.file_called(file);
        list(drafts, called, &libraries);
        let at = world.below(libraries.len());
        if let Some((library, gold)) = libraries.iter().nth(at) {
            is_imported(drafts, called, library, gold);
        }
        let language = world.index.file(file).map(|(_, parsed)| parsed.language);
        let all = language.and_then(|language| all.get(&language));
        let all: Vec<&&str> = all.into_iter().flatten().collect();
        let other = all.get(world.below(all.len()));
        if let Some(other) = other.filter(|other| !libraries.contains_key(***other)) {
            is_not_imported(drafts, called, other, &libraries);
        }
    }
}

/// What source files of each language import: nobody asks a C header for a package of Python.
fn by_language<'i>(world: &World<'i>) -> BTreeMap<Language, BTreeSet<&'i str>> {
    let mut all: BTreeMap<Language, BTreeSet<&str>> = BTreeMap::new();
    for file in world.files(Role::Source) {
        if let Some((_, parsed)) = world.index.file(file) {
            let own = all.entry(parsed.language).or_default();
            own.extend(libraries(world, file).into_keys());
        }
    }
    all
}

fn libraries<'i>(world: &World<'i>, file: FileId) -> Libraries<'i> {
    let mut libraries: Libraries<'i> = BTreeMap::new();
    for link in world.index.graph.imports(file) {
        if let Target::Library(library) = link.target {
            let gold = libraries
                .entry(world.index.graph.library(library))
                .or_default();
            if !gold.contains(&(file, link.lines)) {
                gold.push((file, link.lines));
            }
        }
    }
    libraries
}

fn list(drafts: &mut Drafts, called: &str, libraries: &Libraries<'_>) {
    let wordings = [
        format!("Which libraries does {called} import?"),
        format!("What does {called} depend on outside of this repository?"),
    ];
    let gold = libraries.values().flatten().copied().collect();
    drafts.push(&wordings, gold, format!("It imports {}.", names(libraries)));
}

fn is_imported(drafts: &mut Drafts, called: &str, library: &str, gold: &[Gold]) {
    let wordings = [
        format!("Does {called} import {library}?"),
        format!("Is {library} used in {called}?"),
    ];
    drafts.push(
        &wordings,
        gold.to_vec(),
        format!("Yes, `{called}` imports `{library}`."),
    );
}

fn is_not_imported(drafts: &mut Drafts, called: &str, library: &str, own: &Libraries<'_>) {
    let wordings = [
        format!("Does {called} import {library}?"),
        format!("Does {called} depend on {library}?"),
    ];
    let gold = own.values().flatten().copied().collect();
    let answer = format!("No. `{called}` imports {}, not `{library}`.", names(own));
    drafts.push(&wordings, gold, answer);
}

fn names(libraries: &Libraries<'_>) -> String {
    let names: Vec<String> = libraries.keys().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
