//! Ranked chunks → ranked files, and the set of files that answers a question.

use std::collections::BTreeMap;

use super::{Hit, Params};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::source::FileId;

/// A file with the hits found in it.
#[derive(Clone, Debug, PartialEq)]
pub struct FileHit {
    pub file: FileId,
    pub score: f32,
    /// Its chunks among the hits, best first; never empty.
    pub chunks: Vec<ChunkId>,
}

/// Most files that a question is answered with; gold answers have one to four as a rule (PathFinder).
const MAX_SET: usize = 4;

/// Pools chunks by file with the measured best numbers: see [`pool`].
pub fn rank_files(index: &Index, hits: &[Hit]) -> Vec<FileHit> {
    pool(index, hits, &Params::default())
}

/// Pools chunks by file: the best chunk's score and a small share of the next ones', halved from
/// chunk to chunk. One good chunk decides; among files with equally good ones, the file that holds
/// several is the likelier answer.
pub fn pool(index: &Index, hits: &[Hit], params: &Params) -> Vec<FileHit> {
    let mut files: BTreeMap<FileId, (f32, f32, Vec<ChunkId>)> = BTreeMap::new();
    for hit in hits {
        let Some(chunk) = index.chunk(hit.chunk) else {
            continue;
        };
        let (score, share, chunks) = files.entry(chunk.file).or_insert((0.0, 1.0, Vec::new()));
        *score += *share * hit.score;
        *share = if chunks.is_empty() {
            params.pool
        } else {
            *share / 2.0
        };
        chunks.push(hit.chunk);
    }
    let mut ranked: Vec<FileHit> = files
        .into_iter()
        .map(|(file, (score, _, chunks))| FileHit {
            file,
            score,
            chunks,
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    ranked
}

/// The files that answer the question with the measured best numbers: see [`cut`].
pub fn answer_files(ranked: &[FileHit]) -> Vec<FileId> {
    cut(ranked, &Params::default())
}

/// The files that answer the question, best first (PathFinder's output): those nearly as good as the
/// best one, at most four.
pub fn cut(ranked: &[FileHit], params: &Params) -> Vec<FileId> {
    let best = ranked.first().map_or(0.0, |file| file.score);
    ranked
        .iter()
        .take(MAX_SET)
        .take_while(|file| file.score >= params.set_share * best)
        .map(|file| file.file)
        .collect()
}
