//! Index files: opened without parsing, and written. They may come from anybody, so core checks
//! everything that they say; citations are checked against the text inside, as always.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use footnote_core::chunk::Chunking;
use footnote_core::embed::Quantised;
use footnote_core::index::file::{
    Contents, Decoded, Encoding, FileError, IndexFile, PackedVectors, SavedVectors, is_index_file,
};
use footnote_core::index::{ContentKey, Recheck};
use footnote_core::job::Progress;
use footnote_core::source::Repo;
use web_sys::Blob;

use super::source::Ended;
use super::{Opener, Opening};
use crate::platform::fetch;
use crate::platform::outside::Outside;
use crate::worker::protocol::{Event, ExportView, JobId, OpenEvent, ProgressView, Stage};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::notices;
use crate::worker::serve::records::repo_key;
use crate::worker::serve::repo::OpenRepo;
use crate::worker::serve::slices::{Slice, run};

/// Bytes that say whether a file is an index file.
const HEAD_BYTES: i32 = 16;

/// The version that files are marked with; the native program has the same.
const MADE_BY: &str = env!("CARGO_PKG_VERSION");

/// Whether a file is an index file. One that cannot be read is none: reading it as an archive
/// reports the error.
pub(super) async fn is_index(blob: &Blob) -> bool {
    let head = blob.slice_with_i32_and_i32(0, HEAD_BYTES);
    match head {
        Ok(head) => fetch::read(&head)
            .await
            .is_ok_and(|bytes| is_index_file(&bytes)),
        Err(_) => false,
    }
}

impl Opening {
    /// Opens the index file that the user dropped or picked.
    pub(super) async fn open_dropped(&self, name: &str, blob: &Blob) -> Result<(), Ended> {
        let bytes = fetch::outside(blob).await;
        let bytes = bytes.map_err(|detail| notices::unreadable(name, &detail))?;
        self.open_file(name, bytes).await.map(|_| ())
    }

    /// Opens an index file and saves the repository; returns its key.
    pub(super) async fn open_file(&self, name: &str, bytes: Outside) -> Result<String, Ended> {
        let refused = |error: FileError| Ended::from(notices::refused_index_file(name, &error));
        let decoding = IndexFile::open(bytes).and_then(IndexFile::decoding);
        let report = |_: &_, progress: Progress| self.tell_bytes("", progress);
        let decoded = run(decoding.map_err(refused)?, &self.cancel, report).await;
        let decoded = decoded.map_err(refused)?.ok_or(Ended::Stopped)?;
        let Decoded {
            index,
            table,
            model,
            ..
        } = decoded;
        let key = repo_key(&index.repo.digest());
        // What this browser made of an archive with the same text need not be checked.
        if self.open_known(&key, None).await? {
            return Ok(key);
        }
        self.unchecked.set(true);
        let open = self.announce(key.clone(), index, true).await?;
        open.from_file.set(true);
        open.brought.replace(table);
        self.opener.encoders.start(&open);
        // Questions are answered meanwhile. Nothing is saved before: what is saved is trusted.
        let recheck = Recheck::new(Arc::clone(&open.index), Chunking::FUNCTION);
        let Ok(fits) = run(recheck, &self.cancel, |_, _| {}).await;
        match fits.filter(|_| self.opener.shelf.is_current(&open)) {
            Some(true) => {
                self.services().tell(self.job, OpenEvent::Checked);
                if let Some(model) = model {
                    self.keep_vectors(&open, &model).await;
                }
                self.save(&open).await;
            }
            Some(false) => self.index_again(&open).await?,
            None => {}
        }
        Ok(key)
    }

    /// Makes the index from the text that the file brought, in place of the file's own. Says so
    /// afterwards: until then, the file's own index answers.
    async fn index_again(&self, open: &OpenRepo) -> Result<(), Ended> {
        let repo = Repo::clone(&open.index.repo);
        // Nothing is reused, least of all from the file's own index.
        let index = self.build(repo, None, None).await?;
        if !self.opener.shelf.is_current(open) {
            return Ok(());
        }
        self.unchecked.set(false);
        let open = self.announce(open.key.clone(), index, true).await?;
        let name = &open.index.repo.name;
        self.services()
            .warn(self.job, notices::index_file_differs(name));
        open.from_file.set(true);
        self.opener.encoders.start(&open);
        self.save(&open).await;
        Ok(())
    }

    /// Tells the page how many bytes have arrived or are unpacked.
    pub(super) fn tell_bytes(&self, note: &str, progress: Progress) {
        let view = ProgressView {
            stage: Stage::Unpack,
            done: progress.done,
            total: progress.total,
            unit: "bytes".to_owned(),
            note: note.to_owned(),
        };
        self.services().tell(self.job, OpenEvent::Progress(view));
    }

    /// Saves the embedding model's vectors and lets the encoders take them. If that fails, they
    /// compute them.
    async fn keep_vectors(&self, open: &OpenRepo, saved: &SavedVectors) {
        let storage = &self.services().storage;
        let has_some = storage.batches(&open.key).await;
        if has_some.is_ok_and(|batches| !batches.is_empty()) {
            return;
        }
        let mut slice = Slice::default();
        let mut vectors: BTreeMap<ContentKey, Vec<u8>> = BTreeMap::new();
        let mut chunks = 0;
        for (id, _) in open.index.chunk_ids() {
            let Some(vector) = saved.vectors.get(id) else {
                continue;
            };
            chunks += 1;
            let key = open.index.key(id, &saved.encoder.id);
            vectors
                .entry(key)
                .or_insert_with(|| Quantised::to_bytes(&vector));
            slice.pause().await;
            if !self.opener.shelf.is_current(open) {
                return;
            }
        }
        let vectors: Vec<_> = vectors.into_iter().collect();
        let writer = (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
        let _ = storage
            .save_batch(&open.key, writer, &vectors, chunks)
            .await;
        self.opener.encoders.begin_anew().await;
    }
}

impl Opener {
    /// Writes the open repository as an index file.
    pub(super) async fn save_index(&self, job: JobId, cancel: &Cancel) {
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        if let Some(file) = self.written(job, &open, cancel).await {
            self.services.end(job, Event::Exported(file));
        }
        self.services.jobs.ended(job);
    }

    async fn written(
        &self,
        job: JobId,
        open: &Rc<OpenRepo>,
        cancel: &Cancel,
    ) -> Option<ExportView> {
        // With the vectors of the table the file is the one that the native program makes.
        self.encoders.table_settled(open, cancel).await;
        let contents = Contents {
            index: &open.index,
            model: complete(open),
            archive: None,
            made_by: MADE_BY,
            with_text: true,
        };
        let report = |_: &_, progress: Progress| {
            let view = ProgressView {
                stage: Stage::Save,
                done: progress.done,
                total: progress.total,
                unit: "parts".to_owned(),
                note: String::new(),
            };
            self.services.tell(job, OpenEvent::Progress(view));
        };
        let Ok(encoded) = run(Encoding::new(contents), cancel, report).await;
        encoded.map(|encoded| ExportView {
            file_name: encoded.about.file_name(),
            media_type: "application/octet-stream".to_owned(),
            bytes: encoded.into_pieces().collect::<Vec<_>>().concat(),
        })
    }
}

/// The embedding model's vectors, once no chunk lacks one: part of them would make another file for
/// each moment.
fn complete(open: &OpenRepo) -> Option<PackedVectors> {
    let (work, vectors) = (open.work.borrow(), open.vectors.borrow());
    let model = work.model.as_ref()?;
    let is_complete = vectors.is_complete();
    is_complete
        .then(|| PackedVectors::new(&model.id, &vectors))
        .flatten()
}
