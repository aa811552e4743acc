//! The libraries that files import.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::Gold;
use super::world::World;
use crate::index::graph::Target;
use crate::lang::{Language, Role};
use crate::source::FileId;

/// The imports of one file, by library.
pub(super) type Libraries<'i> = BTreeMap<&'i str, Vec<Gold>>;

/// The libraries that source files of each language import: a question about a C header should not
/// ask for a Python package.
pub(super) fn by_language<'i>(world: &World<'i>) -> BTreeMap<Language, BTreeSet<&'i str>> {
    let mut all: BTreeMap<Language, BTreeSet<&str>> = BTreeMap::new();
    for file in world.files(Role::Source) {
        if let Some((_, parsed)) = world.index.file(file) {
            let own = all.entry(parsed.language).or_default();
            own.extend(libraries(world, file).into_keys());
        }
    }
    all
}

pub(super) fn libraries<'i>(world: &World<'i>, file: FileId) -> Libraries<'i> {
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
