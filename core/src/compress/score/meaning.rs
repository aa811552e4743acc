//! Scores blocks by meaning: the cosine of the question's vector and the mean of the block's token
//! vectors, all from one pass over the piece ("late chunking").

use super::Block;
use crate::embed::{Embedding, LineVectors};

/// Sets the cosine of each block whose lines the encoder has read. A blank block has none.
pub(crate) fn score(blocks: &mut [Block], vectors: &LineVectors, question: &Embedding) {
    for block in blocks {
        block.vector = vectors
            .mean(block.rows.clone())
            .filter(|mean| mean.values().len() == question.values().len());
        let cosine = block.vector.as_ref().map(|mean| mean.cosine(question));
        block.cosine = cosine.filter(|cosine| cosine.is_finite());
    }
}
