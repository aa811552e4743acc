//! The vectors of an index's chunks: int8, arriving one by one, searched by an exact scan or by an
//! HNSW graph (Malkov and Yashunin 2016, as built by instant-distance).
//!
//! The page always scans: that takes 20 ms for 200,000 vectors. The graph would take less, but
//! takes minutes to build, in one call that cannot be interrupted
//! (`core/benches/runs/2026-11-dev`). Evaluations, which ask hundreds of questions of one
//! repository, build it above [`SCAN_LIMIT`].

use std::sync::Arc;

use instant_distance::{Builder, HnswMap, Point, Search};

use super::bm25::best;
use crate::chunk::ChunkId;
use crate::embed::{Embedding, Quantised, dot};

/// Evaluations also scan up to this many vectors.
pub(crate) const SCAN_LIMIT: usize = 100_000;

/// Number of candidates that the graph search keeps: more are more exact and slower. Longer lists
/// are scanned.
const GRAPH_CANDIDATES: usize = 200;

/// Any fixed number: the same vectors give the same graph on one thread.
const GRAPH_SEED: u64 = 0x466f_6f74_6e6f_7465;

/// Vectors by chunk, some of which may still be missing.
pub struct Vectors {
    dimension: usize,
    /// One row of `dimension` values per chunk; shared with the graph.
    values: Arc<Vec<i8>>,
    /// One over the length of each row; 0 while it is missing or if it is a zero vector.
    factors: Arc<Vec<f32>>,
    present: Vec<bool>,
    count: usize,
    graph: Option<HnswMap<Row, ChunkId>>,
}

impl Vectors {
    /// Reserves room for `chunk_count` vectors of `dimension` values, all missing.
    pub fn new(dimension: usize, chunk_count: usize) -> Self {
        Self {
            dimension,
            values: Arc::new(vec![0; dimension * chunk_count]),
            factors: Arc::new(vec![0.0; chunk_count]),
            present: vec![false; chunk_count],
            count: 0,
            graph: None,
        }
    }

    /// Returns the same vectors without a graph; the values are shared, not copied.
    pub fn shared(&self) -> Self {
        Self {
            dimension: self.dimension,
            values: Arc::clone(&self.values),
            factors: Arc::clone(&self.factors),
            present: self.present.clone(),
            count: self.count,
            graph: None,
        }
    }

    /// Stores or replaces a vector and drops a previously built graph. Returns false and stores
    /// nothing if the chunk or the dimension does not fit.
    pub fn set(&mut self, chunk: ChunkId, vector: &Quantised) -> bool {
        let at = chunk.0 as usize;
        if at >= self.present.len() || vector.dimension() != self.dimension {
            return false;
        }
        self.graph = None;
        let start = at * self.dimension;
        let row = Arc::make_mut(&mut self.values).get_mut(start..start + self.dimension);
        let factor = Arc::make_mut(&mut self.factors).get_mut(at);
        let (Some(row), Some(factor), Some(present)) = (row, factor, self.present.get_mut(at))
        else {
            return false;
        };
        row.copy_from_slice(vector.values());
        *factor = inverse_length(vector.values());
        if !*present {
            self.count += 1;
        }
        *present = true;
        true
    }

    /// Returns the chunk's vector as stored, scaled to length 1.
    pub fn get(&self, chunk: ChunkId) -> Option<Quantised> {
        let (values, scale) = self.row(chunk)?;
        Some(Quantised::from_parts(values.to_vec(), scale))
    }

    /// Whether the vector of `chunk` has arrived.
    pub fn has(&self, chunk: ChunkId) -> bool {
        self.present.get(chunk.0 as usize).copied().unwrap_or(false)
    }

    /// Returns all rows one after another, those of missing vectors as zeros.
    pub(super) fn values(&self) -> &[i8] {
        &self.values
    }

    /// Returns the number of vectors that have arrived.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of chunks that have a vector or will have one.
    pub fn chunk_count(&self) -> usize {
        self.present.len()
    }

    /// Returns the number of values in a vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Whether no vector is missing.
    pub fn is_complete(&self) -> bool {
        self.count == self.present.len()
    }

    /// Returns the chunks whose vector is missing, ascending.
    pub fn missing(&self) -> impl Iterator<Item = ChunkId> {
        let absent = self
            .present
            .iter()
            .enumerate()
            .filter(|(_, present)| !**present);
        absent.map(|(at, _)| ChunkId(at as u32))
    }

    /// Returns the cosine of `query` and the chunk's vector; `None` while it is missing.
    pub fn cosine(&self, query: &Embedding, chunk: ChunkId) -> Option<f32> {
        self.cosine_to(&Prepared::new(query, self.dimension)?, chunk)
    }

    /// Returns the cosine of `query` and the sum of the unit vectors of `chunks`; `None` if all of
    /// them are missing.
    pub fn cosine_of_all(
        &self,
        query: &Embedding,
        chunks: impl Iterator<Item = ChunkId>,
    ) -> Option<f32> {
        let mean = self.mean(chunks);
        let is_there = mean.values().iter().any(|&value| value != 0.0);
        is_there.then(|| mean.cosine(query))
    }

    /// Returns the sum of the unit vectors of `chunks`, scaled to length 1; zero if all of them are
    /// missing.
    pub(crate) fn mean(&self, chunks: impl Iterator<Item = ChunkId>) -> Embedding {
        let mut sum = vec![0.0; self.dimension];
        for (row, factor) in chunks.filter_map(|chunk| self.row(chunk)) {
            for (sum, &value) in sum.iter_mut().zip(row) {
                *sum += f32::from(value) * factor;
            }
        }
        Embedding::from_raw(sum)
    }

    /// Returns the `n` nearest available vectors with their cosines, nearest first, equal ones by
    /// id. Exact unless a graph was built; empty if the dimensions differ.
    pub fn nearest(&self, query: &Embedding, n: usize) -> Vec<(ChunkId, f32)> {
        let Some(query) = Prepared::new(query, self.dimension) else {
            return Vec::new();
        };
        match &self.graph {
            Some(graph) if n <= GRAPH_CANDIDATES / 2 => search_graph(graph, query, n),
            _ => self.scan(&query, n),
        }
    }

    fn scan(&self, query: &Prepared, n: usize) -> Vec<(ChunkId, f32)> {
        if self.dimension == 0 {
            return Vec::new();
        }
        let rows = self.values.chunks_exact(self.dimension);
        let scored = rows.zip(self.factors.iter()).zip(&self.present).enumerate();
        let scored = scored.filter(|(_, (_, present))| **present);
        let scored = scored.map(|(at, ((row, factor), _))| {
            let cosine = dot(row, &query.values) as f32 * factor * query.factor;
            (ChunkId(at as u32), cosine)
        });
        best(scored.collect(), n)
    }

    /// Whether no vector is missing, a graph would pay off over hundreds of questions, and none is
    /// built.
    pub fn wants_graph(&self) -> bool {
        self.graph.is_none() && self.count > SCAN_LIMIT && self.is_complete()
    }

    /// Builds the graph over the available vectors, in one call that takes seconds to minutes (see
    /// `core/benches/runs`). The next [`Vectors::set`] drops it.
    pub fn build_graph(&mut self) {
        let present = self
            .present
            .iter()
            .enumerate()
            .filter(|(_, present)| **present);
        let chunks: Vec<ChunkId> = present.map(|(at, _)| ChunkId(at as u32)).collect();
        let row = |chunk: &ChunkId| Row {
            values: Arc::clone(&self.values),
            factors: Arc::clone(&self.factors),
            at: chunk.0 as usize,
            dimension: self.dimension,
        };
        let rows = chunks.iter().map(row).collect();
        let builder = Builder::default()
            .seed(GRAPH_SEED)
            .ef_construction(GRAPH_CANDIDATES / 2)
            .ef_search(GRAPH_CANDIDATES);
        self.graph = Some(builder.build(rows, chunks));
    }

    fn row(&self, chunk: ChunkId) -> Option<(&[i8], f32)> {
        let at = chunk.0 as usize;
        if !self.has(chunk) {
            return None;
        }
        let start = at * self.dimension;
        let row = self.values.get(start..start + self.dimension)?;
        Some((row, *self.factors.get(at)?))
    }

    fn cosine_to(&self, query: &Prepared, chunk: ChunkId) -> Option<f32> {
        let (row, factor) = self.row(chunk)?;
        Some(dot(row, &query.values) as f32 * factor * query.factor)
    }
}

/// A query in the stored form.
struct Prepared {
    values: Vec<i8>,
    factor: f32,
}

impl Prepared {
    fn new(query: &Embedding, dimension: usize) -> Option<Self> {
        let values = Quantised::new(query).into_values();
        (values.len() == dimension).then(|| Self {
            factor: inverse_length(&values),
            values,
        })
    }
}

fn inverse_length(values: &[i8]) -> f32 {
    let square = dot(values, values);
    if square > 0 {
        1.0 / (square as f32).sqrt()
    } else {
        0.0
    }
}

/// A row of the shared values, as a point of the graph.
#[derive(Clone)]
struct Row {
    values: Arc<Vec<i8>>,
    factors: Arc<Vec<f32>>,
    at: usize,
    dimension: usize,
}

impl Row {
    fn parts(&self) -> (&[i8], f32) {
        let start = self.at * self.dimension;
        let row = self.values.get(start..start + self.dimension);
        let factor = self.factors.get(self.at).copied();
        (row.unwrap_or_default(), factor.unwrap_or_default())
    }
}

impl Point for Row {
    fn distance(&self, other: &Self) -> f32 {
        let ((a, of_a), (b, of_b)) = (self.parts(), other.parts());
        1.0 - dot(a, b) as f32 * of_a * of_b
    }
}

fn search_graph(graph: &HnswMap<Row, ChunkId>, query: Prepared, n: usize) -> Vec<(ChunkId, f32)> {
    let point = Row {
        dimension: query.values.len(),
        values: Arc::new(query.values),
        factors: Arc::new(vec![query.factor]),
        at: 0,
    };
    let mut search = Search::default();
    let found = graph.search(&point, &mut search);
    best(
        found
            .map(|item| (*item.value, 1.0 - item.distance))
            .collect(),
        n,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns distinct unit vectors, the same on every run.
    fn embedding(seed: u32, dimension: usize) -> Embedding {
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as f32 / u32::MAX as f32 - 0.5
        };
        Embedding::from_raw((0..dimension).map(|_| next()).collect())
    }

    fn filled(count: u32, dimension: usize) -> Vectors {
        let mut vectors = Vectors::new(dimension, count as usize);
        for at in 0..count {
            assert!(vectors.set(ChunkId(at), &Quantised::new(&embedding(at, dimension))));
        }
        vectors
    }

    #[test]
    fn quantising_keeps_cosines_and_survives_bytes() {
        for seed in 0..50 {
            let exact = embedding(seed, 384);
            let quantised = Quantised::new(&exact);
            assert!(
                quantised.to_embedding().cosine(&exact) > 0.9999,
                "seed {seed}"
            );
            let bytes = quantised.to_bytes();
            assert_eq!(bytes.len(), 388);
            assert_eq!(Quantised::from_bytes(&bytes), Some(quantised));
        }
    }

    #[test]
    fn damaged_bytes_are_not_a_vector() {
        let nan = [f32::NAN.to_le_bytes().as_slice(), &[1, 2]].concat();
        for bytes in [&[][..], &[0, 0, 0], &[0, 0, 0, 0], &nan] {
            assert_eq!(Quantised::from_bytes(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn a_zero_vector_has_cosine_0() {
        let mut vectors = Vectors::new(3, 1);
        let zero = Embedding::from_raw(vec![0.0; 3]);
        assert!(vectors.set(ChunkId(0), &Quantised::new(&zero)));
        assert_eq!(vectors.cosine(&embedding(1, 3), ChunkId(0)), Some(0.0));
        assert_eq!(vectors.nearest(&zero, 5), [(ChunkId(0), 0.0)]);
    }

    #[test]
    fn missing_vectors_are_listed_and_never_found() {
        let mut vectors = Vectors::new(8, 4);
        assert!(vectors.set(ChunkId(2), &Quantised::new(&embedding(2, 8))));
        assert!(vectors.set(ChunkId(2), &Quantised::new(&embedding(2, 8))));
        assert_eq!(vectors.count(), 1);
        assert_eq!(
            vectors.missing().map(|c| c.0).collect::<Vec<_>>(),
            [0, 1, 3]
        );
        let query = embedding(0, 8);
        assert_eq!(vectors.cosine(&query, ChunkId(0)), None);
        assert_eq!(vectors.nearest(&query, 9).len(), 1);
        assert!(!vectors.set(ChunkId(4), &Quantised::new(&query)));
        assert!(!vectors.set(ChunkId(1), &Quantised::new(&embedding(1, 9))));
        assert!(vectors.nearest(&embedding(1, 9), 3).is_empty());
    }

    #[test]
    fn the_scan_finds_what_exact_cosines_find() {
        let vectors = filled(500, 64);
        for seed in 600..620 {
            let query = embedding(seed, 64);
            let mut exact: Vec<(u32, f32)> = (0..500)
                .map(|at| (at, embedding(at, 64).cosine(&query)))
                .collect();
            exact.sort_by(|a, b| b.1.total_cmp(&a.1));
            let found = vectors.nearest(&query, 10);
            for ((chunk, cosine), (_, best)) in found.iter().zip(&exact) {
                assert!((cosine - best).abs() < 0.01, "{chunk:?} {cosine} {best}");
                assert_eq!(vectors.cosine(&query, *chunk), Some(*cosine));
            }
        }
    }

    #[test]
    fn the_graph_finds_nearly_what_the_scan_finds() {
        let mut vectors = filled(400, 16);
        let queries: Vec<_> = (5_000..5_040).map(|seed| embedding(seed, 16)).collect();
        let exact: Vec<_> = queries
            .iter()
            .map(|query| vectors.nearest(query, 10))
            .collect();
        vectors.build_graph();
        assert!(vectors.graph.is_some());
        let mut same = 0;
        for (query, exact) in queries.iter().zip(&exact) {
            let found = vectors.nearest(query, 10);
            same += found
                .iter()
                .filter(|(id, _)| exact.iter().any(|(other, _)| other == id))
                .count();
        }
        assert!(same >= 380, "{same} of 400");
        assert!(vectors.set(ChunkId(0), &Quantised::new(&queries[0])));
        assert!(vectors.graph.is_none(), "a changed vector drops the graph");
        assert_eq!(vectors.nearest(&queries[0], 1)[0].0, ChunkId(0));
    }
}
