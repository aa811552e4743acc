//! What stands in the question word for word: the places of a stack trace, and quotations.

use std::collections::BTreeMap;

use super::{with_gains, with_new};
use crate::chunk::ChunkId;
use crate::search::{Context, Hit};

/// The places of a pasted stack trace: the place of the error first, the others half as much.
pub fn frames(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.frames;
    let frames = context.analysis.frames.iter().enumerate();
    let gains: BTreeMap<ChunkId, f32> = frames
        .map(|(at, &chunk)| (chunk, if at == 0 { weight } else { weight / 2.0 }))
        .collect();
    if gains.is_empty() {
        return hits;
    }
    with_new("frames", hits, &gains)
}

/// Candidates that hold a quotation with its punctuation.
pub fn quotes(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let quotes = &context.analysis.quotes;
    if quotes.is_empty() {
        return hits;
    }
    with_gains("quotes", hits, |hit| {
        let text = context.index.text_of(hit.chunk)?;
        let held = quotes.iter().any(|quote| text.contains(quote.as_str()));
        held.then_some(context.params.quotes)
    })
}
