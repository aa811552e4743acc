//! Ranks files by their ranked chunks, estimates how likely each belongs to the answer, and selects
//! the files that answer a question.

pub mod confidence;

use std::collections::BTreeMap;

use super::params::Param;
use super::steps::taught;
use super::{Hit, Params, Question, chosen};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::source::FileId;

/// Parameters of the file ranking, which `evaluate` can change.
pub(super) static PARAMS: &[&Param] = &[&POOL];

/// Share of each further chunk's score that its file gains, halved from chunk to chunk.
static POOL: Param = Param::new("pool", 0.15);

/// A file with the hits found in it.
#[derive(Clone, Debug, PartialEq)]
pub struct FileHit {
    /// The file.
    pub file: FileId,
    /// The score that files are ranked by: that of its hits together.
    pub score: f32,
    /// How likely the file belongs to the answer, 0–1: see [`confidence`]. 0 for files beyond the
    /// first [`confidence::CONSIDERED`].
    pub confidence: f32,
    /// Whether it belongs to the answer: the best file does, others by their confidence.
    pub answers: bool,
    /// Its chunks among the hits, best first; never empty.
    pub chunks: Vec<ChunkId>,
}

/// Ranks the files of `hits` with the best measured parameters: see [`pool`].
pub fn rank_files(index: &Index, question: &Question, hits: &[Hit]) -> Vec<FileHit> {
    ranked(index, question, hits, &Params::default())
}

/// Like [`rank_files`], with other parameters. If the hits went through the step `taught`, the
/// files' confidence comes from the teaching; if a model chose files, they are the answer.
pub fn ranked(index: &Index, question: &Question, hits: &[Hit], params: &Params) -> Vec<FileHit> {
    let mut files = pool(index, hits, params);
    let threshold = match by_teaching(index, hits) {
        Some((taught, threshold)) => {
            for file in &mut files {
                file.confidence = taught.get(&file.file).copied().unwrap_or_default();
            }
            threshold
        }
        None => {
            let features = confidence::features(index, question, &files);
            for (file, features) in files.iter_mut().zip(&features) {
                file.confidence = confidence::confidence(features);
            }
            confidence::THRESHOLD
        }
    };
    choose(&mut files, threshold);
    let chosen = chosen::files(index, hits);
    if !chosen.is_empty() {
        for file in &mut files {
            file.answers = chosen.contains(&file.file);
        }
    }
    files
}

/// Whether the file at this position, best first, belongs to the answer: the best one does, others
/// by their probability.
pub(crate) fn answers(at: usize, probability: f32, threshold: f32) -> bool {
    at == 0 || probability >= threshold
}

fn choose(files: &mut [FileHit], threshold: f32) {
    for (at, file) in files.iter_mut().enumerate() {
        file.answers = answers(at, file.confidence, threshold);
    }
}

/// Returns the files' probabilities by the step `taught`, and the threshold for the answer; `None`
/// if the step had no say.
fn by_teaching(index: &Index, hits: &[Hit]) -> Option<(BTreeMap<FileId, f32>, f32)> {
    let taught = index.taught()?;
    let file = |hit: &Hit| {
        let probability = hit.raw(taught::NAME)?;
        Some((index.chunk(hit.chunk)?.file, probability))
    };
    let files: BTreeMap<FileId, f32> = hits.iter().filter_map(file).collect();
    (!files.is_empty()).then_some((files, taught.teaching().gate.threshold))
}

/// The files of `hits`, best first.
pub(crate) fn files_of(index: &Index, hits: &[Hit], params: &Params) -> Vec<FileId> {
    let files = pool(index, hits, params).into_iter();
    files.map(|hit| hit.file).collect()
}

/// Pools chunks by file: the best chunk's score plus a small share of the next ones', halved from
/// chunk to chunk. One good chunk decides; among files with equally good ones, the file that has
/// several is more likely the answer.
pub(super) fn pool(index: &Index, hits: &[Hit], params: &Params) -> Vec<FileHit> {
    let mut files: BTreeMap<FileId, (f32, f32, Vec<ChunkId>)> = BTreeMap::new();
    for hit in hits {
        let Some(chunk) = index.chunk(hit.chunk) else {
            continue;
        };
        let (score, share, chunks) = files.entry(chunk.file).or_insert((0.0, 1.0, Vec::new()));
        *score += *share * hit.score;
        *share = if chunks.is_empty() {
            params.get(&POOL)
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
            confidence: 0.0,
            answers: false,
            chunks,
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    ranked
}

/// Returns the files that answer the question (PathFinder's output), in the order of `ranked`.
pub fn answer_files(ranked: &[FileHit]) -> Vec<FileId> {
    let wanted = ranked.iter().filter(|file| file.answers);
    wanted.map(|file| file.file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_file_always_answers_and_others_by_their_confidence() {
        for (confidences, expected) in [
            (vec![], vec![]),
            (vec![0.1], vec![0]),
            (vec![0.1, 0.2, 0.99], vec![0, 2]),
            (vec![0.9, 0.99, 0.2, 0.0], vec![0, 1]),
        ] {
            let file = |(at, &confidence): (u32, &f32)| FileHit {
                file: FileId(at),
                score: 1.0,
                confidence,
                answers: false,
                chunks: vec![ChunkId(at)],
            };
            let mut ranked: Vec<FileHit> = (0..).zip(&confidences).map(file).collect();
            choose(&mut ranked, confidence::THRESHOLD);
            let expected: Vec<FileId> = expected.into_iter().map(FileId).collect();
            assert_eq!(answer_files(&ranked), expected, "{confidences:?}");
        }
    }
}
