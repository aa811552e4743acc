//! Checking an answer with 20 citations, whole and as it streams. Target: 15 ms on Django.

mod common;

use std::fmt::Write;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use footnote_core::answer::review::{Progress, Reviewer};
use footnote_core::cite::Evidence;
use footnote_core::index::Index;

const CITATIONS: usize = 20;

/// An answer that cites definitions all over the repository. Of every five citations three are
/// right, one has only the end of the path and one the wrong lines, so that repairs are measured
/// too.
fn answer(index: &Index) -> String {
    let mut text = String::from("# How it works\n\n");
    let step = (index.chunks.len() / CITATIONS).max(1);
    let named = index.chunk_ids().filter_map(|(id, chunk)| {
        let symbol = index.symbol_of(id)?;
        Some((index.path_of(id)?, symbol, chunk))
    });
    for (at, (path, symbol, _)) in named.step_by(step / 2).take(CITATIONS).enumerate() {
        let lines = symbol.lines;
        let name = &symbol.name;
        let (path, lines) = match at % 5 {
            3 => (path.rsplit('/').next().unwrap_or(path), lines.to_string()),
            4 => (path, "1-2".to_owned()),
            _ => (path, lines.to_string()),
        };
        let _ = writeln!(
            text,
            "- The definition of `{name}` is one of those that decide what happens next, and is called when the \
             request has been read [{path}:{lines}]."
        );
    }
    text
}

fn citation(c: &mut Criterion) {
    let evidence = Evidence::everything();
    for (name, repo) in common::repos(1_000) {
        let index = common::index(repo);
        let text = answer(&index);
        let mut group =
            c.benchmark_group(format!("citation/{name}-{}-files", index.repo.files.len()));
        group.sample_size(20);
        group.bench_function("20 citations", |b| {
            b.iter_batched(
                Reviewer::new,
                |mut reviewer| {
                    reviewer
                        .advance(&index, &evidence, &text, Progress::Finished)
                        .notes
                        .len()
                },
                BatchSize::SmallInput,
            )
        });
        group.bench_function("20 citations, a token at a time", |b| {
            b.iter_batched(
                Reviewer::new,
                |mut reviewer| {
                    for end in (0..text.len()).step_by(4) {
                        let text = text
                            .get(..text.floor_char_boundary(end))
                            .unwrap_or_default();
                        reviewer.advance(&index, &evidence, text, Progress::Growing);
                    }
                    reviewer
                        .advance(&index, &evidence, &text, Progress::Finished)
                        .notes
                        .len()
                },
                BatchSize::SmallInput,
            )
        });
        group.finish();
    }
}

criterion_group!(benches, citation);
criterion_main!(benches);
