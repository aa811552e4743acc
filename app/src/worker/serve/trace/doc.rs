//! A trace as shown and exported: with names and lines instead of ids.

use std::collections::BTreeSet;

use footnote_core::chunk::ChunkId;
use footnote_core::index::Index;
use footnote_core::search::features::query_features;
use footnote_core::search::pack::{BUDGET_CHARS, Packing, pack};
use footnote_core::search::presets::Preset;
use footnote_core::search::trace::{Entry, Trace};
use footnote_core::search::{Context, Hit, compared_by_meaning, rank_files};
use serde::Serialize;

use crate::worker::serve::document::Place;

use super::super::views;

/// Most hits and files of a strategy to show.
const SHOWN: usize = 12;

/// One question under one or more strategies.
#[derive(Clone, Debug, Serialize)]
pub struct TraceDoc {
    pub repository: String,
    pub question: String,
    pub chunks: usize,
    /// Those of `chunks` that have a vector.
    pub compared_by_meaning: usize,
    /// The transformer that was used, and how many chunks it has read.
    pub encoder: Option<String>,
    pub read_by_encoder: usize,
    pub reading: Vec<QueryFeatureDoc>,
    /// Time spent looking up what the question mentions.
    pub reading_milliseconds: f64,
    pub strategies: Vec<RunDoc>,
}

#[derive(Clone, Debug, Serialize)]
pub struct QueryFeatureDoc {
    pub label: &'static str,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct RunDoc {
    pub name: String,
    pub title: String,
    pub about: String,
    /// Over all steps.
    pub milliseconds: f64,
    /// Time the encoders spent on token vectors, if these are compared.
    pub token_milliseconds: f64,
    pub steps: Vec<StepDoc>,
    pub files: Vec<FileDoc>,
    pub lines: Vec<HitDoc>,
    pub contexts: Vec<ContextDoc>,
}

/// The hits that fit into [`BUDGET_CHARS`], under one way of packing.
#[derive(Clone, Debug, Serialize)]
pub struct ContextDoc {
    pub packing: &'static str,
    pub files: usize,
    pub characters: usize,
    pub lines: Vec<Place>,
}

#[derive(Clone, Debug, Serialize)]
pub struct StepDoc {
    pub name: &'static str,
    pub about: &'static str,
    pub candidates: usize,
    pub milliseconds: f64,
    pub moves: Vec<MoveDoc>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MoveDoc {
    pub place: Place,
    /// Rank before the step, counted from 1; `None` if the step added the hit.
    pub from: Option<usize>,
    pub to: usize,
    pub gain: f32,
    pub why: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct FileDoc {
    pub path: String,
    pub score: f32,
    /// How likely it belongs to the answer, 0–1; 0 for files beyond those considered.
    pub confidence: f32,
}

#[derive(Clone, Debug, Serialize)]
pub struct HitDoc {
    pub place: Place,
    pub title: String,
    pub score: f32,
    pub parts: Vec<PartDoc>,
    pub excerpt: String,
    /// Its rank after each step, counted from 1; `None` if it was not among the best.
    pub ranks: Vec<Option<usize>>,
}

/// A step's or list's contribution to a score.
#[derive(Clone, Debug, Serialize)]
pub struct PartDoc {
    pub name: String,
    pub raw: f32,
    pub weighted: f32,
}

impl TraceDoc {
    pub fn new(context: &Context<'_>, reading_milliseconds: f64) -> Self {
        let features = query_features(context).into_iter();
        Self {
            repository: context.index.repo.name.clone(),
            question: context.question.text().to_owned(),
            chunks: context.index.chunks.len(),
            compared_by_meaning: compared_by_meaning(
                context.index,
                context.vectors,
                context.embedding,
            ),
            encoder: None,
            read_by_encoder: context.vectors.count(),
            reading: features
                .map(|feature| QueryFeatureDoc {
                    label: feature.label,
                    text: feature.text,
                })
                .collect(),
            reading_milliseconds,
            strategies: Vec::new(),
        }
    }
}

impl RunDoc {
    pub fn new(context: &Context<'_>, preset: &Preset, trace: &Trace) -> Self {
        let index = context.index;
        let files = rank_files(index, context.question, &trace.hits);
        let lines = trace.hits.iter().take(SHOWN);
        Self {
            name: preset.name.to_owned(),
            title: preset.title.to_owned(),
            about: preset.about.to_owned(),
            milliseconds: trace.entries.iter().map(|entry| entry.milliseconds).sum(),
            token_milliseconds: 0.0,
            steps: trace.entries.iter().map(|it| step(index, it)).collect(),
            files: files
                .iter()
                .take(SHOWN)
                .map(|file| FileDoc {
                    path: views::path(index, file.file),
                    score: file.score,
                    confidence: file.confidence,
                })
                .collect(),
            lines: lines.filter_map(|it| hit(index, trace, it)).collect(),
            contexts: Packing::ALL
                .map(|packing| packed(index, trace, packing))
                .into(),
        }
    }
}

fn packed(index: &Index, trace: &Trace, packing: Packing) -> ContextDoc {
    let packed = pack(index, &trace.hits, packing, BUDGET_CHARS);
    let lines = packed
        .iter()
        .filter_map(|part| Some(Place::new(index.path_of(part.chunk)?, part.lines)));
    let lines: Vec<Place> = lines.collect();
    let files: BTreeSet<&str> = lines.iter().map(|place| place.path.as_str()).collect();
    ContextDoc {
        packing: packing.name(),
        files: files.len(),
        characters: packed.iter().map(|part| part.chars).sum(),
        lines,
    }
}

fn step(index: &Index, entry: &Entry) -> StepDoc {
    let moves = entry.moves.iter().filter_map(|moved| {
        Some(MoveDoc {
            place: place(index, moved.chunk)?,
            from: moved.from,
            to: moved.to,
            gain: moved.gain,
            why: moved.why.clone(),
        })
    });
    StepDoc {
        name: entry.name,
        about: entry.about,
        candidates: entry.candidates,
        milliseconds: entry.milliseconds,
        moves: moves.collect(),
    }
}

fn hit(index: &Index, trace: &Trace, hit: &Hit) -> Option<HitDoc> {
    let view = views::evidence_of(index, hit)?;
    let rank = |entry: &Entry| {
        let at = entry.best.iter().position(|&chunk| chunk == hit.chunk);
        at.map(|at| at + 1)
    };
    let parts = view.parts.into_iter().map(|part| PartDoc {
        name: part.name,
        raw: part.raw,
        weighted: part.weighted,
    });
    Some(HitDoc {
        place: Place {
            path: view.path,
            start: view.start,
            end: view.end,
        },
        title: view.title,
        score: view.score,
        parts: parts.collect(),
        excerpt: view.excerpt,
        ranks: trace.entries.iter().map(rank).collect(),
    })
}

fn place(index: &Index, chunk: ChunkId) -> Option<Place> {
    Some(Place::new(
        index.path_of(chunk)?,
        index.trimmed_lines(chunk)?,
    ))
}
