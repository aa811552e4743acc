//! Embedding texts of several lengths and batch sizes, and loading the model.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use footnote_core::embed::{CpuEmbedder, ModelFiles};

/// (Tokens per text, special ones included; texts per batch).
const SIZES: [(usize, usize); 6] = [(12, 1), (64, 1), (128, 1), (256, 1), (64, 8), (128, 8)];

fn embed(c: &mut Criterion) {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/models/all-MiniLM-L6-v2-int8");
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_default();
    let (manifest, onnx, tokenizer) = (
        read("model.json"),
        read("model.onnx"),
        read("tokenizer.json"),
    );
    let files = ModelFiles {
        manifest: &manifest,
        onnx: onnx.as_slice().into(),
        tokenizer: &tokenizer,
    };
    let mut group = c.benchmark_group("embed");
    group.sample_size(20);
    group.bench_function("load", |b| {
        b.iter(|| CpuEmbedder::new(files.clone()).is_ok())
    });
    let Ok(mut embedder) = CpuEmbedder::new(files) else {
        return;
    };
    for (tokens, count) in SIZES {
        let text = vec!["the"; tokens - 2].join(" ");
        let texts = vec![text.as_str(); count];
        group.throughput(Throughput::Elements((tokens * count) as u64));
        let id = BenchmarkId::from_parameter(format!("{count}x{tokens}"));
        group.bench_function(id, |b| {
            b.iter(|| {
                embedder
                    .encode(black_box(&texts))
                    .map(|encoded| encoded.tokens)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, embed);
criterion_main!(benches);
