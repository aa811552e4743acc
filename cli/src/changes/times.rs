//! How much time reusing an older version saves.

use std::sync::Arc;
use std::time::Instant;

use footnote_core::changes::compare;
use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::{Job, Step, run_to_end};
use footnote_core::source::Repo;
use serde::Serialize;

/// How often each is measured, alternating; the shortest time counts.
const TIMES: usize = 5;

/// How long the newer version takes to index, without reading its archive.
#[derive(Debug, Serialize)]
pub struct Times {
    /// How many files of the newer version were reused from the older one.
    pub reused: usize,
    /// How many files it has.
    pub files: usize,
    /// Milliseconds to index all files.
    pub whole_ms: f64,
    /// Milliseconds to make the same index by reusing what the older version shares.
    pub reusing_ms: f64,
    /// Milliseconds to compare both.
    pub compare_ms: f64,
}

pub fn measure(old: &Arc<Index>, new: &Index) -> Times {
    let mut times = Times {
        reused: 0,
        files: new.repo.files.len(),
        whole_ms: f64::INFINITY,
        reusing_ms: f64::INFINITY,
        compare_ms: f64::INFINITY,
    };
    for _ in 0..TIMES {
        let repo = Repo::clone(&new.repo);
        let start = Instant::now();
        let Ok(whole) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
        times.whole_ms = times.whole_ms.min(ms(start));
        drop(whole);

        let repo = Repo::clone(&new.repo);
        let start = Instant::now();
        let mut builder = IndexBuilder::reusing(repo, Chunking::FUNCTION, Arc::clone(old));
        loop {
            times.reused = times.reused.max(builder.reused());
            let Ok(step) = builder.step();
            if let Step::Done(index) = step {
                times.reusing_ms = times.reusing_ms.min(ms(start));
                drop(index);
                break;
            }
        }

        let start = Instant::now();
        let changes = compare(old, new);
        times.compare_ms = times.compare_ms.min(ms(start));
        drop(changes);
    }
    times
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
