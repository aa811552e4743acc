//! Answers a question without a model. The page, the command line and the example all go this way.

use std::collections::HashMap;

use super::resolve::resolve;
use super::{Answer, Fit, answer};
use crate::chunk::ChunkId;
use crate::embed::{EmbedError, Embedder, Embedding, Quantised};
use crate::index::{ContentKey, Index, Vectors};
use crate::search::{Hit, Question, Strategy, candidates_to_compare, search};

/// Number of hits that an answer is made from.
pub const HITS: usize = 50;

/// Number of best candidates by words that a question compares by meaning before it is answered
/// again.
pub const CANDIDATES: usize = 50;

/// An answer and the hits it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// At most [`HITS`], best first.
    pub hits: Vec<Hit>,
    /// What the hits say about the question.
    pub answer: Answer,
}

/// Answers with the vectors that have arrived; by words alone if the question has no `embedding`.
pub fn ask(
    index: &Index,
    vectors: &Vectors,
    question: &Question,
    embedding: Option<&Embedding>,
) -> Asked {
    let strategy = Strategy::default();
    let hits = search(index, vectors, question, embedding, &strategy, HITS);
    let answer = answer(index, question, &hits);
    Asked { hits, answer }
}

/// Answers again now that vectors have arrived. What rules said `before` does not depend on
/// vectors, so it is reused.
pub fn ask_again(
    index: &Index,
    vectors: &Vectors,
    question: &Question,
    embedding: Option<&Embedding>,
    before: &Asked,
) -> Asked {
    if before.answer.fit != Fit::Exact {
        return ask(index, vectors, question, embedding);
    }
    let strategy = Strategy::default();
    Asked {
        hits: search(index, vectors, question, embedding, &strategy, HITS),
        answer: before.answer.clone(),
    }
}

/// Like [`ask`], for a question that follows the `earlier` ones of its conversation, oldest first.
/// Misspelt words are read as what they probably mean.
pub fn ask_after(
    index: &Index,
    vectors: &Vectors,
    question: &Question,
    embedding: Option<&Embedding>,
    earlier: &[&str],
) -> Asked {
    let resolved = resolve(index, question, earlier);
    let mut asked = ask(index, vectors, &resolved.question, embedding);
    resolved.said_in(&mut asked.answer);
    asked
}

/// Joins two notes, one after the other.
pub fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first} {second}")),
        (first, second) => first.or(second),
    }
}

/// Returns the chunks whose vectors a question waits for.
pub fn candidates(index: &Index, question: &Question) -> Vec<ChunkId> {
    candidates_to_compare(index, question, CANDIDATES)
}

/// Computes the vectors of the question and its candidates, for [`ask`]. Chunks with the same text
/// share a vector, and all vectors are rounded like the stored ones.
///
/// # Errors
/// [`EmbedError`] if the model cannot embed these texts.
pub fn compare(
    index: &Index,
    question: &Question,
    embedder: &mut dyn Embedder,
) -> Result<(Vectors, Embedding), EmbedError> {
    let candidates = candidates(index, question);
    let texts: Vec<String> = candidates
        .iter()
        .map(|&chunk| index.embedding_text(chunk))
        .collect();
    let mut wanted = vec![question.text()];
    wanted.extend(texts.iter().map(String::as_str));
    let mut embeddings = embedder.embed(&wanted)?.into_iter();
    let own = embeddings.next();
    let own = own.ok_or_else(|| EmbedError::Run("it gave no vector".to_owned()))?;
    let id = embedder.model_id();
    let known: HashMap<ContentKey, Quantised> = texts
        .iter()
        .map(|text| ContentKey::of(id, text))
        .zip(embeddings.map(|embedding| Quantised::new(&embedding)))
        .collect();
    let mut vectors = Vectors::new(embedder.dimension(), index.chunks.len());
    for (chunk, _) in index.chunk_ids() {
        let key = ContentKey::of(id, &index.embedding_text(chunk));
        if let Some(vector) = known.get(&key) {
            vectors.set(chunk, vector);
        }
    }
    Ok((vectors, Quantised::new(&own).to_embedding()))
}
