//! Writing an index to bytes and reading it back, which a page reload waits for.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use footnote_core::index::format::{decode, encode};

fn format(c: &mut Criterion) {
    for (name, repo) in common::repos(1_000) {
        let index = common::index(repo);
        let sections: Vec<_> = encode(&index)
            .map(|section| (section.name, section.into_bytes()))
            .collect();
        let bytes: usize = sections.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut group = c.benchmark_group(format!("format/{name}-{}-chunks", index.chunks.len()));
        group
            .sample_size(10)
            .throughput(Throughput::Bytes(bytes as u64));
        group.bench_function("encode", |b| {
            b.iter(|| {
                encode(&index)
                    .map(|section| section.length())
                    .sum::<usize>()
            })
        });
        group.bench_function("decode", |b| {
            b.iter(|| {
                let borrowed = sections.iter().map(|(name, bytes)| (*name, bytes));
                decode(borrowed).map(|index| index.chunks.len())
            });
        });
        group.finish();
    }
}

criterion_group!(benches, format);
criterion_main!(benches);
