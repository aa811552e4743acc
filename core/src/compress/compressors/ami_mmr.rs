//! AMI, less what resembles lines already chosen (RepoDistill, section 2.2).

use super::{CompressorSpec, Missing, blocks};
use crate::compress::Scored;
use crate::compress::score::{Block, by_model};
use crate::compress::select::{self, Selection, Unit, mmr};

pub(super) static AMI_MMR: CompressorSpec = CompressorSpec {
    name: "ami-mmr",
    title: "Code model, no repetition",
    about: "Blocks that make the question less surprising to a code model and do not repeat each \
            other (RepoDistill).",
    needs: Some(Missing::Model),
    values: by_model,
    units: blocks,
    keep: |scored, selection, units| {
        keep_by_mmr(scored, selection, units);
        selection.fill(units);
    },
};

fn keep_by_mmr(scored: &Scored, selection: &mut Selection<'_>, units: &[Unit]) {
    let units: Vec<&Unit> = select::sorted(units);
    let blocks: Vec<Option<&Block>> = units.iter().map(|unit| block(scored, unit)).collect();
    let vector = |at: usize| blocks.get(at).copied().flatten()?.vector.as_ref();
    let similarity = |a: usize, b: usize| match (vector(a), vector(b)) {
        (Some(a), Some(b)) => a.cosine(b),
        _ => 0.0,
    };
    let relevance: Vec<f32> = units.iter().map(|unit| unit.value).collect();
    mmr::greedy(scored.lambda, &relevance, similarity, |at| {
        let unit = units.get(at);
        unit.is_some_and(|unit| selection.keep(unit.piece, unit.rows.clone()))
    });
}

fn block<'s>(scored: &'s Scored, unit: &Unit) -> Option<&'s Block> {
    let blocks = scored.blocks.get(unit.piece)?;
    blocks.iter().find(|block| block.rows == unit.rows)
}
