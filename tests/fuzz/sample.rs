//! The repository that the targets refer to.

use std::sync::LazyLock;

use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::run_to_end;
use footnote_core::lines::{Line, LineRange};
use footnote_core::source::{Repo, SourceFile};

const FILES: [(&str, &str); 3] = [
    (
        "docs/überblick.md",
        "# Ablauf\r\n\r\n`lease` leiht einen Job aus.\r\n",
    ),
    (
        "src/queue.py",
        "LIMIT = 60\n\n\nclass Queue:\n    def lease(self, seconds=LIMIT):\n        \"\"\"Takes the most urgent job that is due.\"\"\"\n        return self.store.take(seconds)\n\n    def revive(self, job_id):\n        \"\"\"Puts a dead letter back.\"\"\"\n        self.store.reset(job_id)\n",
    ),
    (
        "src/worker.py",
        "from src.queue import Queue\n\n\ndef work(queue: Queue):\n    return queue.lease(30)\n",
    ),
];

pub static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let file = |(path, text): (&str, &str)| SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let repo = Repo {
        name: "courier-1.0".to_owned(),
        files: FILES.map(file).into(),
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
});

/// Whether the sample has these lines.
pub fn has(path: &str, start: u32, end: u32) -> bool {
    let Some(file) = INDEX.repo.find(path) else {
        return false;
    };
    let lines = INDEX.lines(file).expect("the lines of a file");
    let text = &INDEX.repo.file(file).expect("a file").text;
    start > 0
        && start <= end
        && lines
            .slice(text, LineRange::new(Line(start), Line(end)))
            .is_some()
}
