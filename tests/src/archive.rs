//! Archives made on the spot, for tests.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;

/// A zip of these paths and contents.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in files {
        writer
            .start_file(*path, SimpleFileOptions::default())
            .expect("an entry");
        writer.write_all(content).expect("content");
    }
    writer.finish().expect("a zip").into_inner()
}

/// A tar of these paths and contents.
pub fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder
            .append_data(&mut header, path, *content)
            .expect("an entry");
    }
    builder.into_inner().expect("a tar")
}

/// A tar.gz of these paths and contents.
pub fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    gzip(&tar(files))
}

/// These bytes, compressed with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("a gzip")
}

/// Writes `bytes` as `name` into `folder`.
pub fn save(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the archive is written");
    path
}

/// The files below a folder, sorted by their paths, which are relative to it.
pub fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("a path below it");
            let name = name.to_string_lossy().replace('\\', "/");
            found.push((name, std::fs::read(&path).expect("a file")));
        }
    }
    found.sort();
    found
}
