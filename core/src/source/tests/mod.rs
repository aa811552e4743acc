//! Archives are built in memory; hostile ones byte by byte.

mod archives;
mod folders;
mod hostile;
mod properties;

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;

use super::*;
use crate::job::run_to_end;

type Files<'a> = &'a [(&'a str, &'a [u8])];

/// A deflated zip; names that end with `/` are folders.
fn zip_of(files: Files) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for (name, bytes) in files {
        if name.ends_with('/') {
            writer.add_directory(*name, options).unwrap();
        } else {
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

/// A zip in which one name is replaced after packing, byte for byte, because writers refuse bad
/// names.
fn zip_with_name(placeholder: &str, name: &str) -> Vec<u8> {
    assert_eq!(placeholder.len(), name.len());
    let mut bytes = zip_of(&[("ok/good.py", b"good = 1\n"), (placeholder, b"evil = 1\n")]);
    replace(&mut bytes, placeholder.as_bytes(), name.as_bytes());
    bytes
}

/// Replaces every occurrence of `from` by `to`, which has the same length.
fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let mut at = 0;
    while at + from.len() <= bytes.len() {
        if &bytes[at..at + from.len()] == from {
            bytes[at..at + from.len()].copy_from_slice(to);
        }
        at += 1;
    }
}

/// One tar header with the right checksum; `name` is written unchanged.
fn tar_header(name: &[u8], size: u64, kind: tar::EntryType) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    header.set_cksum();
    header
}

fn tar_entry(name: &[u8], bytes: &[u8], kind: tar::EntryType) -> Vec<u8> {
    let mut out = tar_header(name, bytes.len() as u64, kind)
        .as_bytes()
        .to_vec();
    out.extend_from_slice(bytes);
    out.resize(out.len().next_multiple_of(512), 0);
    out
}

fn tar_of(files: Files) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in files {
        let kind = if name.ends_with('/') {
            tar::EntryType::Directory
        } else {
            tar::EntryType::Regular
        };
        out.extend(tar_entry(name.as_bytes(), bytes, kind));
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn tgz_of(files: Files) -> Vec<u8> {
    gzip(&tar_of(files))
}

fn read(name: &str, bytes: Vec<u8>) -> Result<Repo, SourceError> {
    run_to_end(ArchiveReader::open(name, bytes)?)
}

fn read_with(limits: Limits, name: &str, bytes: Vec<u8>) -> Result<Repo, SourceError> {
    run_to_end(ArchiveReader::with_limits(name, bytes, limits)?)
}

fn paths(repo: &Repo) -> Vec<&str> {
    repo.files.iter().map(|file| file.path.as_str()).collect()
}

fn reasons(repo: &Repo) -> Vec<(&str, SkipReason)> {
    repo.skipped
        .iter()
        .map(|file| (file.path.as_str(), file.reason.clone()))
        .collect()
}

/// The error's name, for tables.
fn kind<T>(result: &Result<T, SourceError>) -> &'static str {
    match result {
        Ok(_) => "fine",
        Err(SourceError::NotAnArchive { .. }) => "no archive",
        Err(SourceError::Truncated { .. }) => "truncated",
        Err(SourceError::Damaged { .. }) => "damaged",
        Err(SourceError::PasswordProtected { .. }) => "password",
        Err(SourceError::TooManyEntries { .. }) => "entries",
        Err(SourceError::TooLarge { .. }) => "too large",
        Err(SourceError::TooMuchText { .. }) => "too much text",
        Err(SourceError::Bomb { .. }) => "bomb",
        Err(SourceError::NoFiles { .. }) => "no files",
        Err(SourceError::NoSourceFiles { .. }) => "no source",
    }
}
