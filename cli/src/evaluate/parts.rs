//! `--parts FILE`: the best files of each question with every part of their scores, one question
//! per line, for fitting weights (`core/benches/runs/2026-11-table/fit.py`).

use std::collections::BTreeMap;

use footnote_core::eval::Item;
use footnote_core::index::Index;
use footnote_core::search::{FileHit, Hit};
use serde_json::{Value, json};

use super::settings::Run;

/// How many files of a question are written.
const FILES: usize = 40;
pub fn line(run: &Run, item: &Item, index: &Index, hits: &[Hit], ranked: &[FileHit]) -> Value {
    let files = ranked.iter().take(FILES);
    // The same as in the ranking of files: the second chunk adds this share, each further one half
    // of the previous share.
    let further = run.params.value("pool").unwrap_or(0.0);
    let files: Vec<Value> = files
        .map(|file| of(file, item, index, hits, further))
        .collect();
    json!({
        "strategy": run.name,
        "id": item.id,
        "archive": item.archive,
        "gold": item.gold_files.len(),
        "words": item.query.split_whitespace().count(),
        "files": files,
    })
}

fn of(file: &FileHit, item: &Item, index: &Index, hits: &[Hit], further: f32) -> Value {
    let source = index.repo.file(file.file);
    let path = source.map(|file| file.path.clone()).unwrap_or_default();
    let mut parts: BTreeMap<&str, f32> = BTreeMap::new();
    let mut best: BTreeMap<&str, f32> = BTreeMap::new();
    let mut share = 1.0;
    for (at, chunk) in file.chunks.iter().enumerate() {
        let parts_of = hits.iter().find(|hit| hit.chunk == *chunk);
        for part in parts_of.iter().flat_map(|hit| &hit.parts) {
            *parts.entry(part.name).or_default() += share * part.weighted;
            let best = best.entry(part.name).or_insert(part.raw);
            *best = best.max(part.raw);
        }
        share = if at == 0 { further } else { share / 2.0 };
    }
    json!({
        "gold": item.gold_files.contains(&path),
        "path": path,
        "bytes": source.map_or(0, |file| file.text.len()),
        "score": file.score,
        "chunks": file.chunks.len(),
        "parts": parts,
        "best": best,
    })
}
