//! `--archives DIR`: a folder of archives is indexed before it is served. What is indexed already
//! is left alone, so the same command starts the server again.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use footnote_core::index::file::{EXTENSION, is_index_file};
use footnote_core::source::{HEAD_BYTES, is_archive};

use crate::Result;
use crate::database::{Database, Options, Package, access};
use crate::index;

/// Indexes the archives of a folder into the folder of index files. An archive that cannot be read
/// is named and left out.
pub fn index(archives: &Path, indexes: &Path) -> Result<()> {
    let (files, found): (Vec<_>, Vec<_>) = found(archives)?
        .into_iter()
        .partition(|path| path.extension().is_some_and(|it| it == EXTENSION));
    for file in files {
        let (file, indexes) = (file.display(), indexes.display());
        tracing::warn!("{file} is skipped: index files belong in {indexes}");
    }
    let failed = index::fill(indexes, &found)?;
    check(archives, found.len(), failed)
}

/// Pushes the archives of a folder into a database. Everybody may read them, except those that are
/// there already for certain groups. An archive that cannot be read is named and left out.
pub async fn push(archives: &Path, address: &str) -> Result<()> {
    let found = found(archives)?;
    let database = Database::prepare(address, Options::default()).await?;
    let mut failed = 0;
    for path in &found {
        match Package::read(path, None, access::groups(&[])) {
            Ok(package) => {
                let change = database.push_within_groups(&package).await?;
                tracing::info!(repository = package.name, ?change, "pushed");
            }
            Err(error) => {
                failed += 1;
                tracing::warn!("left out: {error}");
            }
        }
    }
    check(archives, found.len(), failed)
}

/// Whether there is anything to serve.
fn check(archives: &Path, found: usize, failed: usize) -> Result<()> {
    let folder = archives.display();
    if found == 0 {
        let what = "no zip, tar, tar.gz, crate or whl file in it";
        return Err(format!("{folder}: {what}. Put archives there, or name another folder").into());
    }
    match failed == found {
        true => Err(format!("none of the {found} archives of {folder} can be read").into()),
        false => Ok(()),
    }
}

/// The archives and index files of a folder, by name. Other files, such as a list of checksums, are
/// passed over.
fn found(folder: &Path) -> Result<Vec<PathBuf>> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || !path.is_file() {
            continue;
        }
        let mut head = Vec::new();
        let file = File::open(&path);
        let read = file.and_then(|file| file.take(HEAD_BYTES as u64).read_to_end(&mut head));
        if let Err(error) = read {
            tracing::warn!("left out: {}: {error}", path.display());
        } else if is_index_file(&head) || is_archive(&name, &head) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_found_and_other_files_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        };
        let zip = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        write("b.zip", zip);
        write("a.whl", zip);
        write(".hidden.zip", zip);
        write("SHA256SUMS", b"1234  b.zip\n");
        std::fs::create_dir(folder.path().join("c.zip")).unwrap();
        let found = found(folder.path()).unwrap();
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap()).collect();
        assert_eq!(names, ["a.whl", "b.zip"]);
    }

    #[test]
    fn a_folder_without_archives_says_what_to_put_there() {
        let folder = tempfile::tempdir().unwrap();
        let indexes = folder.path().join("indexes");
        let error = index(folder.path(), &indexes).unwrap_err().to_string();
        assert!(error.contains("Put archives there"), "{error}");
        std::fs::write(folder.path().join("broken.zip"), b"PK\x03\x04").unwrap();
        let error = index(folder.path(), &indexes).unwrap_err().to_string();
        assert!(error.contains("none of the 1 archives"), "{error}");
    }
}
