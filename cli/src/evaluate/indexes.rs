//! Built indexes, stored under the names of their archives, since building them takes most of a
//! run. Delete the folder after a change of parsing, chunks or words.

use std::path::Path;

use footnote_core::chunk::Chunking;
use footnote_core::index::Index;
use footnote_core::index::format::{decode, encode};

use crate::{Result, archive};

/// The index of the archive at `path`, read from `folder` if it is stored there.
pub fn open(path: &Path, folder: Option<&Path>, chunking: Chunking) -> Result<Index> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    if chunking != Chunking::FUNCTION {
        name.push(format!("-{}", chunking.name()));
    }
    let Some(folder) = folder.map(|folder| folder.join(name)) else {
        return archive::index(archive::archive_or_folder(path)?, chunking);
    };
    if folder.is_dir() {
        let mut sections = Vec::new();
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            sections.push((name, std::fs::read(entry.path())?));
        }
        return Ok(decode(sections)?);
    }
    let index = archive::index(archive::archive_or_folder(path)?, chunking)?;
    std::fs::create_dir_all(&folder)?;
    for section in encode(&index) {
        std::fs::write(folder.join(section.name), section.into_bytes())?;
    }
    Ok(index)
}
