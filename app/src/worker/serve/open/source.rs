//! Sources, and how they become a [`Repo`]: an archive or a folder, passed on by the page, fetched
//! along with it, or saved by an interrupted reading.

use std::rc::Rc;

use footnote_core::job::Progress;
use footnote_core::source::{
    ArchiveReader, FolderReader, Repo, Scope, SourceError, Survey, unwanted,
};
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, File};

use super::ahead::{Ahead, Unpacking};
use super::parsers::Parsers;
use crate::platform::clock::now_ms;
use crate::platform::fetch;
use crate::worker::protocol::{Notice, ProgressView, Stage};
use crate::worker::serve::cancel::Cancel;
use crate::worker::serve::notices;
use crate::worker::serve::records::{Pending, PendingRecord};
use crate::worker::serve::slices::{Slice, run};
use crate::worker::serve::storage::Interrupted;

/// Shortest time between two reports, in milliseconds.
const REPORT_MS: f64 = 100.0;

/// Why a job ended early.
#[derive(Debug)]
pub enum Ended {
    /// It was stopped; the page knows.
    Stopped,
    Failed(Box<Notice>),
    /// There is more text than fits.
    TooMuch {
        notice: Box<Notice>,
        survey: Box<Survey>,
    },
}

impl From<Notice> for Ended {
    fn from(notice: Notice) -> Self {
        Ended::Failed(Box::new(notice))
    }
}

/// An archive or folder to read, whose bytes are not in memory yet.
pub enum Source {
    Archive {
        file_name: String,
        blob: Blob,
    },
    Folder {
        name: String,
        files: Vec<(String, Blob)>,
    },
}

impl Source {
    /// The archive attached to a request.
    pub fn archive(file_name: String, body: JsValue) -> Result<Self, Notice> {
        let blob = body
            .dyn_into()
            .map_err(|_| notices::unreadable(&file_name, "no file came with it"))?;
        Ok(Source::Archive { file_name, blob })
    }

    /// The folder whose files are attached to a request.
    pub fn folder(name: String, paths: Vec<String>, body: &JsValue) -> Result<Self, Notice> {
        let bodies: &Array = body
            .dyn_ref()
            .ok_or_else(|| notices::unreadable(&name, "no files came with it"))?;
        let files = bodies
            .iter()
            .filter_map(|body| body.dyn_into::<File>().ok());
        let files = paths.into_iter().zip(files.map(Blob::from)).collect();
        Ok(Source::Folder { name, files })
    }

    /// The source saved by an interrupted reading.
    pub fn interrupted(found: Interrupted) -> Self {
        let blob = found.blob;
        match found.pending.record {
            PendingRecord::Archive { file_name } => Source::Archive { file_name, blob },
            PendingRecord::Folder { name, files } => {
                let mut start = 0.0;
                let cut = files.into_iter().filter_map(|(path, bytes)| {
                    let end = start + bytes;
                    let part = blob.slice_with_f64_and_f64(start, end).ok()?;
                    start = end;
                    Some((path, part))
                });
                let files = cut.collect();
                Source::Folder { name, files }
            }
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Source::Archive { file_name, .. } => file_name,
            Source::Folder { name, .. } => name,
        }
    }

    /// What to store until it has been read: a description, and all bytes as one blob, which takes
    /// no memory. `None` if the browser cannot join the files.
    pub fn pending(&self, resumed: u32) -> Option<(Pending, Blob)> {
        let (record, blob) = match self {
            Source::Archive { file_name, blob } => {
                let file_name = file_name.clone();
                (PendingRecord::Archive { file_name }, blob.clone())
            }
            Source::Folder { name, files } => {
                let wanted = files
                    .iter()
                    .filter(|(path, blob)| unwanted(path, blob.size() as u64).is_none());
                let parts: Array = wanted.clone().map(|(_, blob)| blob).collect();
                let blob = Blob::new_with_blob_sequence(&parts).ok()?;
                let record = PendingRecord::Folder {
                    name: name.clone(),
                    files: wanted
                        .map(|(path, blob)| (path.clone(), blob.size()))
                        .collect(),
                };
                (record, blob)
            }
        };
        Some((Pending { record, resumed }, blob))
    }

    /// Approximate number of bytes of text: the size of the folder's files, or what an archive of
    /// this size usually holds.
    pub fn text_bytes(&self) -> f64 {
        const UNPACKED: f64 = 4.0;
        match self {
            Source::Archive { blob, .. } => blob.size() * UNPACKED,
            Source::Folder { files, .. } => files.iter().map(|(_, blob)| blob.size()).sum(),
        }
    }

    /// Reads everything, or the files in a scope, with the help of other readers if there are any.
    /// The bytes are freed as soon as they are read.
    pub async fn read(
        &self,
        scope: Option<Scope>,
        readers: Option<Rc<Parsers>>,
        cancel: &Cancel,
        report: impl Fn(ProgressView),
    ) -> Result<(Repo, Option<Ahead>), Ended> {
        match self {
            Source::Archive { file_name, blob } => {
                let bytes = fetch::read(blob)
                    .await
                    .map_err(|detail| notices::unreadable(file_name, &detail))?;
                let reader = ArchiveReader::open(file_name, bytes).map_err(bad)?;
                let unpacking = Unpacking::new(reader.within(scope), readers);
                read_archive(unpacking, cancel, report).await
            }
            Source::Folder { name, files } => {
                let reader = FolderReader::new(name).within(scope);
                let repo = read_folder(reader, files, cancel, report).await?;
                Ok((repo, readers.map(Ahead::new)))
            }
        }
    }
}

async fn read_archive(
    unpacking: Unpacking<Rc<Parsers>>,
    cancel: &Cancel,
    report: impl Fn(ProgressView),
) -> Result<(Repo, Option<Ahead>), Ended> {
    let unpacked = run(unpacking, cancel, |unpacking: &Unpacking<_>, progress| {
        let Progress { done, total } = progress;
        let reader = &unpacking.reader;
        report(ProgressView {
            stage: Stage::Unpack,
            done: done / 1_000,
            total: total / 1_000,
            unit: "kB".to_owned(),
            note: unpack_note(reader.files(), reader.skipped()),
        });
    });
    unpacked.await.map_err(bad)?.ok_or(Ended::Stopped)
}

async fn read_folder(
    mut reader: FolderReader,
    files: &[(String, Blob)],
    cancel: &Cancel,
    report: impl Fn(ProgressView),
) -> Result<Repo, Ended> {
    let total = files.len() as u64;
    let mut slice = Slice::default();
    let mut reported = now_ms();
    for (done, (path, blob)) in (1..).zip(files) {
        match unwanted(path, blob.size() as u64) {
            Some(reason) => reader.skip(path, reason).map_err(bad)?,
            None => {
                let bytes = fetch::read(blob)
                    .await
                    .map_err(|detail| notices::unreadable(path, &detail))?;
                reader.add(path, bytes).map_err(bad)?;
            }
        }
        if now_ms() - reported >= REPORT_MS {
            reported = now_ms();
            report(ProgressView {
                stage: Stage::Unpack,
                done,
                total,
                unit: "files".to_owned(),
                note: unpack_note(reader.files(), reader.skipped()),
            });
        }
        slice.pause().await;
        if cancel.asked() {
            return Err(Ended::Stopped);
        }
    }
    reader.finish().map_err(bad)
}

fn bad(error: SourceError) -> Ended {
    let notice = notices::bad_source(&error);
    match error {
        SourceError::TooMuchText { survey, .. } => Ended::TooMuch {
            notice: Box::new(notice),
            survey,
        },
        _ => notice.into(),
    }
}

fn unpack_note(files: usize, skipped: usize) -> String {
    format!("{files} files, {skipped} skipped")
}
