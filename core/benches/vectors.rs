//! Where the exact scan stops being instant: the nearest 50 of 384-dimensional int8 vectors, by
//! scan and by graph. Building a large graph takes minutes, so the graph is measured up to
//! FOOTNOTE_GRAPH_LIMIT vectors (10,000 by default). Its recall of the scan's best ten and its
//! memory (on Linux) are printed beside its time.

mod common;

use std::time::Instant;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use footnote_core::chunk::ChunkId;
use footnote_core::embed::Quantised;
use footnote_core::index::Vectors;

const DIMENSION: usize = 384;

fn filled(count: u32) -> Vectors {
    let mut vectors = Vectors::new(DIMENSION, count as usize);
    for at in 0..count {
        let vector = Quantised::new(&common::embedding(at, DIMENSION));
        vectors.set(ChunkId(at), &vector);
    }
    vectors
}

/// The resident memory of this process in MB; 0 where it is not known.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    kilobytes.map_or(0.0, |number| number.parse().unwrap_or(0.0) * 1.024e-3)
}

/// Builds the graph. Returns the seconds it took and its recall of the scan's best ten.
fn build_graph(vectors: &mut Vectors) -> (f64, f64) {
    let queries: Vec<_> = (0..100)
        .map(|at| common::embedding(1_000_000 + at, DIMENSION))
        .collect();
    let exact: Vec<_> = queries
        .iter()
        .map(|query| vectors.nearest(query, 10))
        .collect();
    let start = Instant::now();
    vectors.build_graph();
    let seconds = start.elapsed().as_secs_f64();
    let mut found = 0;
    for (query, exact) in queries.iter().zip(exact) {
        let near = vectors.nearest(query, 10);
        found += near
            .iter()
            .filter(|(id, _)| exact.iter().any(|(other, _)| other == id))
            .count();
    }
    (seconds, found as f64 / 1_000.0)
}

#[allow(clippy::print_stdout)]
fn vectors(c: &mut Criterion) {
    let limit = std::env::var("FOOTNOTE_GRAPH_LIMIT").ok();
    let limit = limit.and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let query = common::embedding(1_000_003, DIMENSION);
    let mut group = c.benchmark_group("vectors/nearest-50");
    group.sample_size(20);
    for count in [1_000, 10_000, 50_000, 100_000, 200_000] {
        let mut vectors = filled(count);
        group.bench_function(BenchmarkId::new("scan", count), |b| {
            b.iter(|| vectors.nearest(&query, 50));
        });
        if count > limit {
            continue;
        }
        let before = resident_mb();
        let (seconds, recall) = build_graph(&mut vectors);
        let memory = resident_mb() - before;
        println!("graph of {count}: built in {seconds:.1} s, recall {recall:.3}, {memory:.0} MB");
        group.bench_function(BenchmarkId::new("graph", count), |b| {
            b.iter(|| vectors.nearest(&query, 50));
        });
    }
    group.finish();
}

criterion_group!(benches, vectors);
criterion_main!(benches);
