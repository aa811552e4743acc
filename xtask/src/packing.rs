//! Zip archives of which the same files always give the same bytes.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Files by their paths, which are relative and have `/` between folders.
pub type Files = BTreeMap<String, Vec<u8>>;

/// All files below `folder`.
pub fn read(folder: &Path) -> Result<Files, String> {
    let mut files = Files::new();
    collect(folder, folder, &mut files)?;
    Ok(files)
}

fn collect(root: &Path, folder: &Path, files: &mut Files) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{error}: {}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(relative) = path.strip_prefix(root) {
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            let bytes = std::fs::read(&path);
            let bytes = bytes.map_err(|error| format!("{error}: {}", path.display()))?;
            files.insert(parts.join("/"), bytes);
        }
    }
    Ok(())
}

/// The files below one top folder, sorted by path and without times of this machine.
pub fn pack(top: &str, files: &Files, method: CompressionMethod) -> Result<Vec<u8>, String> {
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        archive
            .start_file(format!("{top}/{path}"), options)
            .map_err(|error| format!("{error}: {path}"))?;
        archive
            .write_all(bytes)
            .map_err(|error| format!("{error}: {path}"))?;
    }
    let packed = archive.finish().map_err(|error| error.to_string())?;
    Ok(packed.into_inner())
}
