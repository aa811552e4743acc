//! Cutting parsed files into chunks, with each chunking.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use footnote_core::chunk::{Chunking, chunk_file};
use footnote_core::parse::parse;
use footnote_core::source::FileId;

fn chunk(c: &mut Criterion) {
    for (name, repo) in common::repos(200) {
        let parsed: Vec<_> = repo.files.iter().map(|f| parse(&f.path, &f.text)).collect();
        let bytes: usize = repo.files.iter().map(|file| file.text.len()).sum();
        let mut group = c.benchmark_group(format!("chunk/{name}"));
        group
            .sample_size(10)
            .throughput(Throughput::Bytes(bytes as u64));
        for chunking in Chunking::all() {
            group.bench_function(chunking.name(), |b| {
                b.iter(|| {
                    let files = repo.files.iter().zip(&parsed).zip(0..);
                    files
                        .map(|((file, parsed), at)| {
                            chunk_file(FileId(at), &file.text, parsed, chunking).len()
                        })
                        .sum::<usize>()
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, chunk);
criterion_main!(benches);
