//! The vectors in an index file: the rows of int8 values, as they are kept in memory.
//!
//! Section `table` has a row for each chunk. Section `model` starts with a bit for each chunk,
//! whether its vector is there, then come the rows of those that are.

use super::{Encoder, FileError};
use crate::chunk::ChunkId;
use crate::embed::Quantised;
use crate::index::Vectors;

/// The static encoder's vectors.
pub(super) const TABLE: &str = "table";

/// The embedding model's vectors.
pub(super) const MODEL: &str = "model";

/// The vectors of a model, ready to be written. They are a copy, because others may arrive while a
/// file is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedVectors {
    pub(super) encoder: Encoder,
    pub(super) bytes: Vec<u8>,
}

impl PackedVectors {
    /// Copies the vectors that are there; `None` if there are none.
    pub fn new(id: &str, vectors: &Vectors) -> Option<Self> {
        if vectors.count() == 0 {
            return None;
        }
        let mut bytes = vec![0; vectors.chunk_count().div_ceil(8)];
        for at in 0..vectors.chunk_count() {
            if let (true, Some(byte)) = (vectors.has(ChunkId(at as u32)), bytes.get_mut(at / 8)) {
                *byte |= 1 << (at % 8);
            }
        }
        let rows = vectors.values().chunks_exact(vectors.dimension().max(1));
        for (_, row) in (0..).zip(rows).filter(|(at, _)| vectors.has(ChunkId(*at))) {
            bytes.extend(row.iter().map(|value| value.to_le_bytes()[0]));
        }
        let encoder = Encoder {
            id: id.to_owned(),
            dimension: vectors.dimension() as u32,
        };
        Some(Self { encoder, bytes })
    }
}

/// Returns the rows of vectors of which none is missing.
pub(super) fn rows(vectors: &Vectors) -> Vec<u8> {
    let values = vectors.values().iter();
    values.map(|value| value.to_le_bytes()[0]).collect()
}

/// Vectors as they were read, and whose they are.
pub struct SavedVectors {
    /// The encoder that computed them.
    pub encoder: Encoder,
    /// One place for each chunk.
    pub vectors: Vectors,
}

/// Reads section `table`, which must hold a vector for each chunk.
pub(super) fn read_table(
    encoder: Encoder,
    bytes: &[u8],
    chunks: usize,
) -> Result<SavedVectors, FileError> {
    let dimension = encoder.dimension as usize;
    if chunks.checked_mul(dimension) != Some(bytes.len()) {
        return Err(wrong_count(TABLE));
    }
    let rows = (0..).map(ChunkId).zip(bytes.chunks_exact(dimension.max(1)));
    let vectors = filled(dimension, chunks, rows);
    Ok(SavedVectors { encoder, vectors })
}

/// Reads section `model`. Room is made for the vectors that are missing: at most `limit` bytes.
pub(super) fn read_model(
    encoder: Encoder,
    bytes: &[u8],
    chunks: usize,
    limit: u64,
) -> Result<SavedVectors, FileError> {
    let dimension = encoder.dimension as usize;
    let all = chunks as u64 * u64::from(encoder.dimension);
    if all > limit {
        return Err(FileError::TooLarge {
            section: MODEL.to_owned(),
            bytes: all,
            limit,
        });
    }
    let (present, rows) = bytes
        .split_at_checked(chunks.div_ceil(8))
        .ok_or_else(|| wrong_count(MODEL))?;
    let bit = |at: usize| {
        present
            .get(at / 8)
            .is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    };
    if (chunks..present.len() * 8).any(bit) {
        return Err(wrong_count(MODEL));
    }
    let there: Vec<ChunkId> = (0..chunks)
        .filter(|&at| bit(at))
        .map(|at| ChunkId(at as u32))
        .collect();
    if there.len().checked_mul(dimension) != Some(rows.len()) {
        return Err(wrong_count(MODEL));
    }
    let rows = there.into_iter().zip(rows.chunks_exact(dimension.max(1)));
    let vectors = filled(dimension, chunks, rows);
    Ok(SavedVectors { encoder, vectors })
}

fn filled<'a>(
    dimension: usize,
    chunks: usize,
    rows: impl Iterator<Item = (ChunkId, &'a [u8])>,
) -> Vectors {
    let mut vectors = Vectors::new(dimension, chunks);
    for (chunk, row) in rows {
        let values = row.iter().map(|byte| i8::from_le_bytes([*byte])).collect();
        vectors.set(chunk, &Quantised::from_parts(values, 1.0));
    }
    vectors
}

fn wrong_count(section: &str) -> FileError {
    FileError::damaged(section, "it was made for another number of chunks")
}
