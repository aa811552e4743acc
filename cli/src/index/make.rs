//! One archive → one index file.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use footnote_core::chunk::Chunking;
use footnote_core::embed::TableEncoder;
use footnote_core::index::file::{About, Archive, Contents, Encoded, PackedVectors, encode};
use footnote_core::index::{Index, TableJob};
use footnote_core::job::run_to_end;
use footnote_core::source::Repo;
use sha2::{Digest, Sha256};

use super::Encoder;
use super::folder::{Folder, Held};
use crate::vectors::{self, Dense};
use crate::{Result, archive, model};

/// The version that files are marked with.
const MADE_BY: &str = env!("CARGO_PKG_VERSION");

/// Makes index files in a folder.
pub struct Maker<'a> {
    folder: &'a Folder,
    /// What was in the folder at the start.
    held: Vec<Held>,
    table: Arc<TableEncoder>,
    encoder: Encoder,
    with_text: bool,
}

/// What became of an archive.
pub enum Outcome {
    Made(Box<Made>),
    /// This file holds the same already.
    Left(String),
}

/// A file that was made.
pub struct Made {
    pub file: String,
    pub bytes: u64,
    pub about: About,
    pub seconds: f64,
    /// Files of the same archive that it replaced.
    pub replaced: Vec<String>,
}

impl<'a> Maker<'a> {
    pub fn new(folder: &'a Folder, encoder: Encoder, with_text: bool) -> Result<Self> {
        Ok(Self {
            held: folder.held()?,
            table: model::table()?,
            folder,
            encoder,
            with_text,
        })
    }

    /// Makes the index file of the archive or folder at `path`, unless it is there.
    pub fn make(&self, path: &Path) -> Result<Outcome> {
        let started = Instant::now();
        let (repo, archive) = match path.is_dir() {
            true => (archive::archive_or_folder(path)?, None),
            false => {
                let bytes = archive::read(path)?;
                let archive = identify(path, &bytes);
                if let Some(held) = self
                    .held
                    .iter()
                    .find(|held| self.is_current(held, &archive))
                {
                    return Ok(Outcome::Left(held.file.clone()));
                }
                (archive::unpack(path, bytes)?, Some(archive))
            }
        };
        let encoded = self.encode(repo, archive)?;
        let name = encoded.about.file_name();
        let is_same = |held: &&Held| held.file == name && held.about.made_by == MADE_BY;
        if let Some(held) = self.held.iter().find(is_same) {
            return Ok(Outcome::Left(held.file.clone()));
        }
        let about = encoded.about.clone();
        let (file, bytes) = self.folder.add(encoded)?;
        Ok(Outcome::Made(Box::new(Made {
            replaced: self.remove_older(&about, &file)?,
            seconds: started.elapsed().as_secs_f64(),
            file,
            bytes,
            about,
        })))
    }

    /// Whether a file is what indexing the archive again would give.
    fn is_current(&self, held: &Held, archive: &Archive) -> bool {
        let about = &held.about;
        let model = about.model.as_ref().map(|encoder| &*encoder.id);
        let wanted = (self.encoder == Encoder::Full).then_some(model::ENCODER);
        let has_table = about
            .table
            .as_ref()
            .is_some_and(|it| it.id == self.table.id());
        let has_archive = about.archive.as_ref();
        has_archive.is_some_and(|it| it.sha256 == archive.sha256)
            && held.file == about.file_name()
            && about.made_by == MADE_BY
            && about.has_text == self.with_text
            && has_table
            && (model == wanted || about.chunks == 0)
    }

    fn encode(&self, repo: Repo, archive: Option<Archive>) -> Result<Encoded> {
        let index = Arc::new(archive::index(repo, Chunking::FUNCTION)?);
        let job = TableJob::new(Arc::clone(&index), Arc::clone(&self.table));
        let Ok(table) = run_to_end(job);
        index.set_table(table);
        let model = match self.encoder {
            Encoder::Table => None,
            Encoder::Full => embedded(&index)?,
        };
        Ok(encode(Contents {
            index: &index,
            model,
            archive,
            made_by: MADE_BY,
            with_text: self.with_text,
        }))
    }

    /// Removes files of the same archive that an older Footnote or other options made.
    fn remove_older(&self, about: &About, file: &str) -> Result<Vec<String>> {
        let Some(archive) = &about.archive else {
            return Ok(Vec::new());
        };
        let of_archive = |held: &&Held| {
            let known = held.about.archive.as_ref();
            known.is_some_and(|it| it.sha256 == archive.sha256) && held.file != file
        };
        let older = self.held.iter().filter(of_archive);
        older
            .map(|held| {
                self.folder.remove(&held.file)?;
                Ok(held.file.clone())
            })
            .collect()
    }
}

/// The vectors of the embedding model, of all chunks.
fn embedded(index: &Index) -> Result<Option<PackedVectors>> {
    let options = vectors::Options {
        folder: None,
        open: model::open,
        embed_limit: usize::MAX,
        compare: 0,
    };
    let dense = Dense::open(&options, index)?;
    Ok(PackedVectors::new(dense.model_id(), dense.vectors()))
}

fn identify(path: &Path, bytes: &[u8]) -> Archive {
    let name = path.file_name().unwrap_or_default();
    Archive {
        name: name.to_string_lossy().into_owned(),
        sha256: Sha256::digest(bytes).into(),
    }
}
