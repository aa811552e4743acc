//! Records what each step of a strategy moved and why, for display and for analysing failures.

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::{Context, Hit, Step, Strategy};
use crate::chunk::ChunkId;

/// Number of best hits after a step, and of best hits that it changed, that are kept.
const SHOWN: usize = 20;

/// A step-by-step record of a strategy's run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// One for the candidates, then one for each step that ran.
    pub entries: Vec<Entry>,
    /// The result, as [`Context::run`] returns it.
    pub hits: Vec<Hit>,
}

/// One step; the first makes the candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name of the step, or of the list of candidates.
    pub name: &'static str,
    /// What it does, as a sentence for people.
    pub about: &'static str,
    /// Number of candidates after it.
    pub candidates: usize,
    /// Its duration by the caller's clock.
    pub milliseconds: f64,
    /// The best hits after it, best first.
    pub best: Vec<ChunkId>,
    /// The best hits after it whose score it changed or that it added.
    pub moves: Vec<Move>,
}

/// What a step did to a hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// The hit.
    pub chunk: ChunkId,
    /// Rank before, from 1; `None` if the step added it.
    pub from: Option<usize>,
    /// Rank after, from 1.
    pub to: usize,
    /// What the step added to the score.
    pub gain: f32,
    /// The reason in a few words, for people.
    pub why: String,
}

impl Context<'_> {
    /// Like [`Context::run`], and records what each step did. `now` is the caller's clock in
    /// milliseconds: this crate reads none.
    pub fn trace(&self, strategy: &Strategy, limit: usize, now: impl Fn() -> f64) -> Trace {
        let mut started = now();
        let mut hits = strategy.lists.candidates(self);
        let mut entries = vec![Entry {
            name: strategy.lists.name(),
            about: strategy.lists.about(),
            candidates: hits.len(),
            milliseconds: now() - started,
            best: best(&hits),
            moves: Vec::new(),
        }];
        for &step in &strategy.steps {
            let before: BTreeMap<ChunkId, (usize, f32)> = (1..)
                .zip(&hits)
                .map(|(rank, hit)| (hit.chunk, (rank, hit.score)))
                .collect();
            started = now();
            hits = self.apply(step, hits);
            let milliseconds = now() - started;
            entries.push(Entry {
                name: step.name(),
                about: step.about(),
                candidates: hits.len(),
                milliseconds,
                best: best(&hits),
                moves: moves(&self.analysis, step, &before, &hits),
            });
        }
        hits.truncate(limit);
        Trace { entries, hits }
    }
}

fn best(hits: &[Hit]) -> Vec<ChunkId> {
    hits.iter().take(SHOWN).map(|hit| hit.chunk).collect()
}

fn moves(
    analysis: &Analysis,
    step: Step,
    before: &BTreeMap<ChunkId, (usize, f32)>,
    hits: &[Hit],
) -> Vec<Move> {
    let changed = (1..).zip(hits).filter_map(|(to, hit)| {
        let known = before.get(&hit.chunk);
        let gain = hit.score - known.map_or(0.0, |&(_, score)| score);
        (known.is_none() || gain != 0.0).then(|| Move {
            chunk: hit.chunk,
            from: known.map(|&(rank, _)| rank),
            to,
            gain,
            why: (step.spec().why)(analysis, hit),
        })
    });
    changed.take(SHOWN).collect()
}
