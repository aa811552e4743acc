//! Data for the benches: synthetic by default, and real archives too if the environment variable
//! FOOTNOTE_ARCHIVES names a folder that holds them (`cargo xtask fixtures`).
#![allow(dead_code, clippy::expect_used)]

use std::fmt::Write;
use std::path::Path;

use footnote_core::chunk::Chunking;
use footnote_core::embed::Embedding;
use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::run_to_end;
use footnote_core::source::{ArchiveReader, Repo, SourceFile};

/// Archives that are measured if they are present: small, medium, large.
const ARCHIVES: [&str; 3] = [
    "requests-2.32.5.tar.gz",
    "flask-3.1.1.tar.gz",
    "django-5.2.4.tar.gz",
];

/// Small pseudo-random numbers, the same on every run (xorshift).
pub struct Random(u32);

impl Random {
    pub fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(2_654_435_761) | 1)
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % limit
    }
}

/// A name whose frequency falls with its number, like the words of a natural language.
fn name(random: &mut Random) -> String {
    const PARTS: [&str; 16] = [
        "get", "set", "user", "path", "http", "cache", "index", "file", "query", "model", "view",
        "token", "parse", "write", "error", "value",
    ];
    let mut part = || {
        let at = random.below(16).min(random.below(16)) as usize;
        PARTS.get(at).copied().unwrap_or("x")
    };
    let (first, second) = (part(), part());
    let limit = 1 + random.below(500);
    format!("{first}_{second}_{}", random.below(limit))
}

/// `files` Python files of ten functions each.
pub fn synthetic(files: u32) -> Repo {
    let mut random = Random::new(7);
    let file = |at: u32| {
        let mut text = String::from("\"\"\"Generated for measuring.\"\"\"\nimport os\n\n");
        for _ in 0..10 {
            let _ = writeln!(
                text,
                "\ndef {}(self, {}):",
                name(&mut random),
                name(&mut random)
            );
            for _ in 0..12 {
                let (to, from, of) = (name(&mut random), name(&mut random), name(&mut random));
                let _ = writeln!(text, "    {to} = self.{from}({of}, 'some words here')");
            }
        }
        SourceFile {
            path: format!("package/module_{:05}.py", at),
            text,
        }
    };
    Repo {
        name: "synthetic".to_owned(),
        files: (0..files).map(file).collect(),
        ..Repo::default()
    }
}

/// Name and repository of everything that is measured.
pub fn repos(synthetic_files: u32) -> Vec<(String, Repo)> {
    let mut repos = vec![(
        format!("synthetic-{synthetic_files}"),
        synthetic(synthetic_files),
    )];
    let Some(folder) = std::env::var_os("FOOTNOTE_ARCHIVES") else {
        return repos;
    };
    for file in ARCHIVES {
        if let Ok(bytes) = std::fs::read(Path::new(&folder).join(file)) {
            let reader = ArchiveReader::open(file, bytes).expect("an archive");
            repos.push((
                file.to_owned(),
                run_to_end(reader).expect("a readable archive"),
            ));
        }
    }
    repos
}

pub fn index(repo: Repo) -> Index {
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
}

/// A unit vector that depends on `seed` alone. Vectors whose seeds are equal modulo 64 are close to
/// each other, like embeddings of related texts.
pub fn embedding(seed: u32, dimension: usize) -> Embedding {
    let mut topic = Random::new(seed % 64 + 1);
    let mut own = Random::new(seed + 1_000);
    let value = |random: &mut Random| random.below(2_001) as f32 / 1_000.0 - 1.0;
    let values = (0..dimension).map(|_| value(&mut topic) + value(&mut own));
    Embedding::from_raw(values.collect())
}
