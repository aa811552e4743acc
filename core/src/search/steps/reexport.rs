//! Names that a package re-exports: it does not define them, so the place is the entry file
//! (`mod.rs`, `__init__.py`, `index.ts`) that imports them for everyone.

use std::collections::BTreeMap;

use super::path::ENTRY_STEMS;
use super::{Group, StepSpec};
use super::{role_of, with_new};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lang::Role;
use crate::search::params::Param;
use crate::search::{Context, Hit};
use crate::source::FileId;

/// Gain of the place where a package re-exports a name that another one defines.
static GAIN: Param = Param::new("reexport", 0.5);

pub(super) static REEXPORT: StepSpec = StepSpec {
    name: "reexport",
    about: "The file re-exports a name from the question that another package defines.",
    why: |_, _| "re-exports a name from the question that another package defines".to_owned(),
    group: Group::Graph,
    compares: None,
    params: &[&GAIN],
    apply: reexport,
};

fn reexport(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let is_undefined = |name: &&String| {
        let mut mentions = context.analysis.mentions.iter();
        !mentions.any(|mention| mention.name.eq_ignore_ascii_case(name))
    };
    let names = context.question.names().iter().filter(is_undefined);
    let names: Vec<&String> = names.collect();
    if names.is_empty() || context.params.get(&GAIN) <= 0.0 {
        return hits;
    }
    let mut gains: BTreeMap<ChunkId, f32> = BTreeMap::new();
    for (at, file) in context.index.repo.files.iter().enumerate() {
        if is_entry(&file.path) {
            let chunks = handing_on(context.index, FileId(at as u32), &names);
            gains.extend(chunks.map(|chunk| (chunk, context.params.get(&GAIN))));
        }
    }
    with_new("reexport", hits, &gains)
}

fn is_entry(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    ENTRY_STEMS.contains(&stem)
}

/// Returns the chunks of source code whose imports name one of `names`.
fn handing_on(index: &Index, file: FileId, names: &[&String]) -> impl Iterator<Item = ChunkId> {
    let parsed = index.parsed.get(file.0 as usize);
    let imports = parsed.into_iter().flat_map(|parsed| &parsed.imports);
    imports
        .filter(|import| import.names.iter().any(|own| names.contains(&&own.name)))
        .filter_map(move |import| index.chunk_at(file, import.lines.start()))
        .filter(|&chunk| role_of(index, chunk) == Some(Role::Source))
}
