//! Archives and index files → packages for the database.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use footnote_core::chunk::Chunking;
use footnote_core::index::Index;
use footnote_core::index::file::{self, About, Archive, Contents, IndexFile};
use footnote_core::job::run_to_end;
use footnote_core::source::ArchiveReader;
use sha2::{Digest, Sha256};

use super::queue::Work;
use super::rows::{Rows, clean};
use super::write::Package;
use crate::{Result, archive, model};

impl Package {
    /// Reads an archive or an index file. Without a `name`, the repository keeps its own.
    pub fn read(path: &Path, name: Option<&str>, groups: BTreeSet<String>) -> Result<Self> {
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = archive::read(path)?;
        Self::of(&file_name, bytes, name, groups)
            .map_err(|error| format!("{}: {error}", path.display()).into())
    }

    /// Does a worker's work.
    pub fn of_work(work: Work) -> std::result::Result<Self, String> {
        let Work {
            name,
            file_name,
            groups,
            archive,
        } = work;
        Self::of(&file_name, archive, Some(&name), groups).map_err(|error| error.to_string())
    }

    fn of(
        file_name: &str,
        bytes: Vec<u8>,
        name: Option<&str>,
        groups: BTreeSet<String>,
    ) -> Result<Self> {
        let (index, about, file) = match file::is_index_file(&bytes) {
            true => opened(bytes)?,
            false => indexed(file_name, bytes)?,
        };
        let rows = Rows::new(&index).ok_or("the static encoder's vectors are missing")?;
        Ok(Self {
            name: clean(name.unwrap_or(&about.name)),
            groups,
            file_name: about.file_name(),
            content: Sha256::digest(&file).into(),
            file,
            rows,
        })
    }
}

/// The name of the repository that an archive holds, without indexing it.
pub fn name_of(path: &Path) -> Result<String> {
    Ok(clean(&archive::archive(path)?.name))
}

/// Opens an index file. Its vectors are computed again: they would decide on ranks, and nothing
/// else in the file says whether they are right.
fn opened(bytes: Vec<u8>) -> Result<(Arc<Index>, About, Vec<u8>)> {
    let decoded = IndexFile::open(bytes.as_slice())?.decode()?;
    Ok((model::with_table(decoded.index)?, decoded.about, bytes))
}

fn indexed(file_name: &str, bytes: Vec<u8>) -> Result<(Arc<Index>, About, Vec<u8>)> {
    let archive = Archive {
        name: file_name.to_owned(),
        sha256: Sha256::digest(&bytes).into(),
    };
    let repo = run_to_end(ArchiveReader::open(file_name, bytes)?)?;
    let index = model::with_table(archive::index(repo, Chunking::FUNCTION)?)?;
    let encoded = file::encode(Contents {
        index: &index,
        model: None,
        archive: Some(archive),
        made_by: env!("CARGO_PKG_VERSION"),
        with_text: true,
    });
    let about = encoded.about.clone();
    let file: Vec<u8> = encoded.into_pieces().flatten().collect();
    Ok((index, about, file))
}
