//! Built indexes, kept under the names of their archives, since building them takes most of a run.
//! Delete the folder after a change of parsing, chunks or words.

use std::path::Path;

use footnote_core::chunk;
use footnote_core::index::format::{decode, encode};
use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::run_to_end;
use footnote_core::source::ArchiveReader;

use super::Result;

/// The index of `archive`, from `folder` if it is kept there.
pub fn open(archive: &Path, folder: Option<&Path>) -> Result<Index> {
    let name = archive.file_name().unwrap_or_default();
    let Some(folder) = folder.map(|folder| folder.join(name)) else {
        return build(archive);
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
    let index = build(archive)?;
    std::fs::create_dir_all(&folder)?;
    for section in encode(&index) {
        std::fs::write(folder.join(section.name), section.into_bytes())?;
    }
    Ok(index)
}

fn build(archive: &Path) -> Result<Index> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let bytes =
        std::fs::read(archive).map_err(|error| format!("{error}: {}", archive.display()))?;
    let repo = run_to_end(ArchiveReader::open(&name, bytes)?)?;
    let Ok(index) = run_to_end(IndexBuilder::new(repo, chunk::Strategy::Function));
    Ok(index)
}
