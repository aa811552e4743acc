//! Building the word index and querying it. The synthetic repository has 30,000 chunks.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};
use footnote_core::index::{Bm25, Index, question_tokens};

const QUESTIONS: [&str; 3] = [
    "where are redirects followed and how is the method changed",
    "get_user_path cache error",
    "How does the query parse a value when the file index of the model view is written to the http cache token?",
];

fn build(index: &Index) -> Bm25 {
    let mut builder = Bm25::builder();
    for (id, _) in index.chunk_ids() {
        let names = index.symbols_in(id).map(|symbol| symbol.name.as_str());
        let (text, path) = (index.text_of(id), index.path_of(id));
        builder.add(text.unwrap_or_default(), path.unwrap_or_default(), names);
    }
    builder.finish()
}

fn bm25(c: &mut Criterion) {
    for (name, repo) in common::repos(3_000) {
        let index = common::index(repo);
        let mut group = c.benchmark_group(format!("bm25/{name}-{}-chunks", index.chunks.len()));
        group.sample_size(10);
        group.bench_function("build", |b| b.iter(|| build(&index)));
        for (at, question) in QUESTIONS.into_iter().enumerate() {
            let tokens = question_tokens(question);
            group.bench_function(format!("question-{at}-{}-tokens", tokens.len()), |b| {
                b.iter(|| index.bm25.search(&tokens, 50));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, bm25);
criterion_main!(benches);
