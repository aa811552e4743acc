//! What the question contains verbatim: the places of a stack trace, and quotations.

use std::collections::BTreeMap;

use super::{Group, StepSpec};
use super::{with_gains, with_new};
use crate::chunk::ChunkId;
use crate::search::params::Param;
use crate::search::{Context, Hit};

/// Gain of a place in a pasted stack trace.
static FRAME: Param = Param::new("frames", 1.0);

pub(super) static FRAMES: StepSpec = StepSpec {
    name: "frames",
    about: "A pasted stack trace goes through the chunk.",
    why: |_, _| "the stack trace goes through it".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&FRAME],
    apply: frames,
};

/// The places of a pasted stack trace: the place of the error gains fully, the others half.
fn frames(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.get(&FRAME);
    let frames = context.analysis.frames.iter().enumerate();
    let gains: BTreeMap<ChunkId, f32> = frames
        .map(|(at, &chunk)| (chunk, if at == 0 { weight } else { weight / 2.0 }))
        .collect();
    if gains.is_empty() {
        return hits;
    }
    with_new("frames", hits, &gains)
}

/// Gain of a chunk that contains a quotation.
static QUOTE: Param = Param::new("quotes", 0.4);

pub(super) static QUOTES: StepSpec = StepSpec {
    name: "quotes",
    about: "The chunk contains a quotation from the question, letter for letter.",
    why: |_, _| "contains a quotation from the question".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&QUOTE],
    apply: quotes,
};

/// Candidates that contain a quotation with its punctuation.
fn quotes(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let quotes = &context.analysis.quotes;
    if quotes.is_empty() {
        return hits;
    }
    with_gains("quotes", hits, |hit| {
        let text = context.index.text_of(hit.chunk)?;
        let held = quotes.iter().any(|quote| text.contains(quote.as_str()));
        held.then_some(context.params.get(&QUOTE))
    })
}
