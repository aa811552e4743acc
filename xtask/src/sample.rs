//! `cargo xtask sample`: packs `tests/fixtures/sample-repository` into the archive that visitors
//! without one at hand can try. The same files always give the same bytes.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::shell::Result;
use xtask::paths;

/// The single top folder, as in an archive downloaded from a code host.
const TOP_FOLDER: &str = "courier-1.4.0";

/// Writes `public/samples/courier.zip`.
pub fn run() -> Result {
    let archive = archive_path();
    let folder = archive.parent().unwrap_or(&archive);
    let bytes = pack(&sources())?;
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&archive, bytes))
        .map_err(|error| format!("{error}: {}", archive.display()))?;
    println!("wrote {}", archive.display());
    Ok(())
}

fn sources() -> PathBuf {
    paths::root().join("tests/fixtures/sample-repository")
}

fn archive_path() -> PathBuf {
    paths::root().join("public/samples/courier.zip")
}

/// All files below `folder` as a zip, sorted by path and without times of this machine. They are
/// not compressed, since another version of the compressor may give other bytes.
fn pack(folder: &Path) -> Result<Vec<u8>> {
    let mut files = Vec::new();
    list(folder, folder, &mut files)?;
    files.sort();
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for path in files {
        let bytes =
            std::fs::read(folder.join(&path)).map_err(|error| format!("{error}: {path}"))?;
        archive
            .start_file(format!("{TOP_FOLDER}/{path}"), options)
            .map_err(|error| format!("{error}: {path}"))?;
        archive
            .write_all(&bytes)
            .map_err(|error| format!("{error}: {path}"))?;
    }
    let packed = archive.finish().map_err(|error| error.to_string())?;
    Ok(packed.into_inner())
}

/// Adds the paths of all files below `folder`, relative to `root` and with `/`.
fn list(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result {
    let failed = |error: std::io::Error| format!("{error}: {}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else if let Ok(relative) = path.strip_prefix(root) {
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            files.push(parts.join("/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_is_up_to_date_with_its_files() {
        let packed = pack(&sources()).unwrap();
        let kept = std::fs::read(archive_path()).unwrap();
        assert!(packed == kept, "run `cargo xtask sample`");
    }
}
