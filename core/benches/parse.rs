//! Parsing, in bytes per second for each language, on its fixture repeated to about 256 KiB; and
//! the first file of a language, which includes compiling its queries.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use footnote_core::lang::Language;
use footnote_core::parse::parse_as;

const BYTES: usize = 256 * 1024;

/// The sources of a language's fixture, joined; `None` if it has none.
fn fixture(language: Language) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/languages");
    let folder = root.join(format!("{language:?}").to_lowercase());
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        // Recovering from broken sources has a different cost.
        .filter(|path| !path.ends_with("expected.txt") && !path.ends_with("broken.py"))
        .collect();
    paths.sort();
    let texts = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    let text: Vec<String> = texts.collect();
    (!text.is_empty()).then(|| text.join("\n"))
}

fn parse(c: &mut Criterion) {
    let mut group = c.benchmark_group("parse");
    group.sample_size(10);
    for language in Language::ALL_CODE {
        let Some(one) = fixture(language) else {
            continue;
        };
        let text = one.repeat(BYTES.div_ceil(one.len()));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{language:?}"), |b| {
            b.iter(|| parse_as(language, black_box(&text)));
        });
    }
    group.finish();
}

fn first(c: &mut Criterion) {
    let mut group = c.benchmark_group("parse-first-file");
    group.sample_size(10);
    for language in Language::ALL_CODE {
        group.bench_function(format!("{language:?}"), |b| {
            // Compiled queries are thread-local, so a new thread compiles them again.
            b.iter(|| std::thread::spawn(move || parse_as(language, black_box("x"))).join());
        });
    }
    group.finish();
}

criterion_group!(benches, first, parse);
criterion_main!(benches);
