//! Turns saved sections into an [`Index`], step by step.

use std::convert::Infallible;
use std::mem;
use std::ops::Range;

use crate::chunk::Chunk;
use crate::index::Index;
use crate::index::bm25::Bm25;
use crate::index::graph::GraphBuilder;
use crate::job::{Job, Progress, Step};
use crate::lang::Parsed;
use crate::parse::parse_as;
use crate::source::Repo;

/// A saved index while it is being opened. What an older version did not save requires re-reading
/// every file, one per step: for a large repository this takes longer than a page waits for an
/// engine that does not report.
pub struct Opened {
    pub(super) repo: Repo,
    pub(super) parsed: Vec<Parsed>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) spans: Vec<Range<u32>>,
    pub(super) bm25: Option<Bm25>,
    /// The first file whose declarations are missing.
    pub(super) next: usize,
}

impl Opened {
    /// Returns the files.
    pub(in crate::index) fn repo(&self) -> &Repo {
        &self.repo
    }
}

impl Job for Opened {
    type Output = Index;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Index>, Infallible> {
        let total = self.repo.files.len() as u64;
        let file = self.repo.files.get(self.next);
        if let (Some(file), Some(parsed)) = (file, self.parsed.get_mut(self.next)) {
            declare_anew(&file.text, parsed);
            self.next += 1;
            let done = self.next as u64;
            return Ok(Step::Working(Progress { done, total }));
        }
        let graph = GraphBuilder::build(&self.repo, &self.parsed);
        Ok(Step::Done(Index::assemble(
            mem::take(&mut self.repo),
            mem::take(&mut self.parsed),
            mem::take(&mut self.chunks),
            mem::take(&mut self.spans),
            self.bm25.take().unwrap_or_else(|| Bm25::builder().finish()),
            graph,
        )))
    }
}

/// Adds what `declared` would hold of a file, read from its text: earlier versions did not save it.
/// Leaves out what belongs to a symbol that is found elsewhere today.
fn declare_anew(text: &str, parsed: &mut Parsed) {
    if !parsed.language.is_code() {
        return;
    }
    let anew = parse_as(parsed.language, text);
    let is_same = |at: u32| {
        let at = at as usize;
        match (parsed.symbols.get(at), anew.symbols.get(at)) {
            (Some(saved), Some(found)) => {
                saved.name == found.name && saved.name_line == found.name_line
            }
            _ => false,
        }
    };
    let bases = anew.bases.iter().filter(|base| is_same(base.symbol));
    let types = anew.types.iter().filter(|typed| is_same(typed.symbol));
    let (bases, types) = (bases.cloned().collect(), types.cloned().collect());
    (parsed.bases, parsed.types) = (bases, types);
    parsed.packages = anew.packages;
}
