//! Latency of a question, by words alone and by words and meaning, over 10,000 synthetic chunks,
//! and over requests 2.32.5 if `FOOTNOTE_ARCHIVES` names a folder that holds it. Vectors are
//! pseudo-random: the time of a scan does not depend on their values.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use footnote_core::chunk::{self, ChunkId};
use footnote_core::embed::{Embedding, Quantised};
use footnote_core::index::{Index, IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::{Question, Strategy, search};
use footnote_core::source::{ArchiveReader, Repo, SourceFile};
use footnote_core::{answer, search as ranking};

const DIMENSION: usize = 384;
const QUESTION: &str = "where are redirects followed and how is the method changed";

fn bench(c: &mut Criterion) {
    questions(c, "synthetic, 10,000 chunks", &index(synthetic(10_000)));
    let archive = std::env::var_os("FOOTNOTE_ARCHIVES")
        .map(|folder| PathBuf::from(folder).join("requests-2.32.5.tar.gz"))
        .and_then(|path| std::fs::read(path).ok());
    if let Some(bytes) = archive {
        let reader = ArchiveReader::open("requests-2.32.5.tar.gz", bytes).unwrap();
        questions(c, "requests 2.32.5", &index(run_to_end(reader).unwrap()));
    }
}

fn questions(c: &mut Criterion, name: &str, index: &Index) {
    let mut group = c.benchmark_group(name);
    let mut random = Random(7);
    let mut vectors = Vectors::new(DIMENSION, index.chunks.len());
    for chunk in 0..index.chunks.len() as u32 {
        vectors.set(ChunkId(chunk), &Quantised::new(&random.embedding()));
    }
    let embedding = random.embedding();
    let question = Question::new(QUESTION).unwrap();
    // Without a teaching, its step has nothing to do: it must take no time.
    const TAUGHT: &str = "default+taught";
    let taught = Strategy::from_name(TAUGHT).unwrap();
    let all = Strategy::all().into_iter();
    let named = all.map(|strategy| (strategy.name(), strategy));
    for (name, strategy) in named.chain([(TAUGHT.into(), taught)]) {
        group.bench_function(name, |b| {
            b.iter(|| {
                black_box(search(
                    index,
                    &vectors,
                    &question,
                    Some(&embedding),
                    &strategy,
                    50,
                ))
            })
        });
    }
    let hits = search(
        index,
        &vectors,
        &question,
        Some(&embedding),
        &Strategy::default(),
        50,
    );
    group.bench_function("answer", |b| {
        b.iter(|| black_box(answer::answer(index, &question, &hits)))
    });
    group.bench_function("candidates to compare", |b| {
        b.iter(|| black_box(ranking::candidates_to_compare(index, &question, 50)))
    });
    group.finish();
}

fn index(repo: Repo) -> Index {
    let Ok(index) = run_to_end(IndexBuilder::new(repo, chunk::Chunking::FUNCTION));
    index
}

/// Files of 20 functions whose words follow Zipf's law, like those of real code.
fn synthetic(n_chunks: usize) -> Repo {
    let mut random = Random(1);
    let files = (0..n_chunks / 20)
        .map(|file| {
            let functions: Vec<String> = (0..20).map(|_| function(&mut random)).collect();
            SourceFile {
                path: format!("src/package_{:02}/module_{file:04}.py", file % 40),
                text: functions.join("\n\n"),
            }
        })
        .collect();
    Repo {
        name: "synthetic".into(),
        files,
        ..Repo::default()
    }
}

fn function(random: &mut Random) -> String {
    let mut text = format!("def {}_{}(self):\n", random.word(), random.word());
    for _ in 0..12 {
        text += &format!(
            "    {} = self.{}_{}({})\n",
            random.word(),
            random.word(),
            random.word(),
            random.word()
        );
    }
    text
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn unit(&mut self) -> f64 {
        self.next() as f64 / f64::from(1u32 << 31)
    }

    /// A word of rank r has probability proportional to 1 / r, for 20,000 words; the question's
    /// words are among the more common ones.
    fn word(&mut self) -> String {
        const ASKED: [&str; 4] = ["redirects", "followed", "method", "changed"];
        let rank = 20_000f64.powf(self.unit()) as usize;
        match rank.checked_sub(20).and_then(|at| ASKED.get(at)) {
            Some(word) => (*word).to_owned(),
            None => {
                format!("w{}", (b'a' + (rank % 26) as u8) as char).repeat(1 + rank % 3)
                    + &rank.to_string()
            }
        }
    }

    fn embedding(&mut self) -> Embedding {
        Embedding::from_raw((0..DIMENSION).map(|_| self.unit() as f32 - 0.5).collect())
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
