//! Entry files: `mod.rs`, `__init__.py`, `index.ts`. They hold little text, so words seldom find them, but they
//! are where a folder is described and where names are handed on that other packages define.

use std::collections::BTreeMap;

use super::names::overlap;
use super::path::{ENTRY_STEMS, own_name};
use super::{role_of, with_new};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::lang::Role;
use crate::lines::Line;
use crate::search::{Context, Hit};
use crate::source::FileId;

pub fn entry(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let mut gains = reexports(context);
    for (file, path) in entry_files(context.index) {
        let overlap = overlap(&context.analysis, own_name(path), |word| word.in_paths);
        let gain = context.params.entry * overlap;
        let known = hits
            .iter()
            .find(|hit| of_file(context.index, hit.chunk) == Some(file));
        let chunk = known
            .map(|hit| hit.chunk)
            .or_else(|| context.index.chunk_at(file, Line(1)));
        if let Some(chunk) = chunk.filter(|_| gain > 0.0) {
            *gains.entry(chunk).or_insert(0.0) += gain;
        }
    }
    with_new("entry", hits, &gains)
}

fn of_file(index: &Index, chunk: ChunkId) -> Option<FileId> {
    index.chunk(chunk).map(|chunk| chunk.file)
}

/// Source files that stand for their folder.
fn entry_files(index: &Index) -> impl Iterator<Item = (FileId, &str)> {
    let files = (0..).map(FileId).zip(&index.repo.files);
    let files = files.map(|(id, file)| (id, file.path.as_str()));
    files.filter(|(id, path)| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name);
        ENTRY_STEMS.contains(&stem)
            && Role::of(path) == Role::Source
            && index.chunk_at(*id, Line(1)).is_some()
    })
}

/// The lines of entry files that hand on a name of the question which no file here defines.
fn reexports(context: &Context<'_>) -> BTreeMap<ChunkId, f32> {
    let (index, question) = (context.index, context.question);
    let mut gains = BTreeMap::new();
    let is_known = |name: &&String| {
        let mut mentions = context.analysis.mentions.iter();
        !mentions.any(|mention| mention.name.eq_ignore_ascii_case(name))
    };
    let names: Vec<&String> = question.names().iter().filter(is_known).collect();
    if names.is_empty() || context.params.reexport <= 0.0 {
        return gains;
    }
    for (file, _) in entry_files(index) {
        let imports = index
            .parsed
            .get(file.0 as usize)
            .map(|parsed| &parsed.imports);
        for import in imports.into_iter().flatten() {
            let holds = import.names.iter().any(|own| names.contains(&&own.name));
            let chunk = index.chunk_at(file, import.lines.start()).filter(|_| holds);
            if let Some(chunk) = chunk.filter(|&id| role_of(index, id) == Some(Role::Source)) {
                gains.insert(chunk, context.params.reexport);
            }
        }
    }
    gains
}
