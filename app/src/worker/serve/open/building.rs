//! Builds the index of a repository, reusing what it shares with another version that is open or
//! saved.

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;

use footnote_core::changes::NamedVersion;
use footnote_core::chunk::Chunking;
use footnote_core::index::{BuildStage, Index, IndexBuilder, format};
use footnote_core::job::Progress;
use footnote_core::source::Repo;

use super::Opening;
use super::ahead::Ahead;
use super::parsers::Parsers;
use super::reading::Reading;
use super::source::Ended;
use crate::platform::clock::now_ms;
use crate::worker::protocol::{OpenEvent, ProgressView, ReadingView, Stage};
use crate::worker::serve::load::load;
use crate::worker::serve::records::RepoRecord;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::slices::run_beside;

/// A larger saved index is not loaded beside the new one: both would have to fit into memory.
const MAX_REUSED_BYTES: f64 = 150e6;

impl Opening {
    /// Returns the job that indexes a repository and reports which files it reads.
    pub(super) fn reading(
        &self,
        repo: Repo,
        ahead: Option<Ahead>,
        older: Option<Arc<Index>>,
    ) -> Reading<impl FnMut(ReadingView), Rc<Parsers>> {
        let files = repo.files.len();
        let mut builder = match older {
            Some(older) => IndexBuilder::reusing(repo, Chunking::FUNCTION, older),
            None => IndexBuilder::new(repo, Chunking::FUNCTION),
        };
        let helped = ahead.map(|ahead| ahead.into_helped(&mut builder));
        Reading::new(builder, helped, files, &self.unread, |view| {
            self.services().tell(self.job, OpenEvent::Reading(view));
        })
    }

    /// Returns another version of a repository: the open one, or otherwise the saved one that was
    /// opened last. A repository from an index file is not such a version.
    pub(super) async fn another_version(&self, repo: &Repo) -> Option<Arc<Index>> {
        let name = NamedVersion::of(&repo.name);
        let is_of = |other: &str| name.is_of(&NamedVersion::of(other));
        let open = self.opener.shelf.current();
        let is_own = |open: &Rc<OpenRepo>| is_of(&open.index.repo.name) && !open.from_file.get();
        if let Some(open) = open.filter(is_own) {
            return Some(Arc::clone(&open.index));
        }
        // Without storage, or if it cannot be read, everything is read anew.
        let records = self.services().storage.records().await.ok()?;
        let worth = |record: &RepoRecord| {
            is_of(&record.name)
                && !record.from_file
                && record.format == format::FORMAT_VERSION
                && record.bytes <= MAX_REUSED_BYTES
        };
        let saved = records.into_iter().filter(|(_, record)| worth(record));
        let (key, _) = saved.max_by(|(_, a), (_, b)| a.opened_at.total_cmp(&b.opened_at))?;
        let index = load(self.services(), &key, &self.cancel, |_| {}).await;
        index.ok().flatten().map(Arc::new)
    }

    pub(super) async fn build(
        &self,
        repo: Repo,
        ahead: Option<Ahead>,
        older: Option<Arc<Index>>,
    ) -> Result<Index, Ended> {
        let files = repo.files.len() as u64;
        let version = older.as_ref().map(|older| {
            let named = NamedVersion::of(&older.repo.name);
            named.shown().to_owned()
        });
        let reading = self.reading(repo, ahead, older);
        let reused = Rc::clone(&reading.reused);
        let taken = || match (&version, reused.get()) {
            (None, _) | (_, 0) => String::new(),
            (Some(version), reused) => format!(", {reused} files as in {version}"),
        };
        let linked_from = Cell::new(now_ms());
        let report = |reading: &Reading<_, _>, progress: Progress| {
            let builder = &reading.builder;
            let (stage, note) = match builder.stage() {
                BuildStage::Parse => {
                    let symbols = format!("{} symbols{}", builder.symbols(), taken());
                    (Stage::Parse, symbols)
                }
                BuildStage::Words => {
                    linked_from.set(now_ms());
                    (Stage::Words, format!("{} chunks", builder.chunks()))
                }
                BuildStage::Graph => (Stage::Words, "imports and calls".to_owned()),
            };
            let view = ProgressView {
                stage,
                done: progress.done,
                total: progress.total,
                unit: "files".to_owned(),
                note,
            };
            self.services().tell(self.job, OpenEvent::Progress(view));
        };
        let built: Result<_, Infallible> = run_beside(reading, &self.cancel, report, |reading| {
            reading.builder.is_waiting()
        })
        .await;
        let index = match built {
            Ok(built) => built.ok_or(Ended::Stopped)?,
            Err(never) => match never {},
        };
        let mut view = linked(&index, files, now_ms() - linked_from.get());
        view.note += &taken();
        self.services().tell(self.job, OpenEvent::Progress(view));
        Ok(index)
    }
}

/// The results of the last stage.
fn linked(index: &Index, files: u64, milliseconds: f64) -> ProgressView {
    let chunks = index.chunks.len();
    let links = index.graph.petgraph().edge_count();
    ProgressView {
        stage: Stage::Words,
        done: files,
        total: files,
        unit: "files".to_owned(),
        note: format!("{chunks} chunks, {links} links in {milliseconds:.0} ms"),
    }
}
