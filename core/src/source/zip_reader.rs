//! The entries of a zip archive, one at a time.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{Cursor, Read};

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::collect::Collector;
use super::error::{SkipReason, SourceError};
use super::git::commit_in;
use super::meter::Meter;

/// Deflate cannot produce more than this many bytes from one.
const DEFLATE_MAX_RATIO: u64 = 1032;

pub(super) struct ZipReader {
    archive: ZipArchive<Cursor<Vec<u8>>>,
    next: usize,
    meter: Meter,
    /// Compressed bytes of the entries so far.
    packed_done: u64,
    scratch: Vec<u8>,
}

/// An entry, as the directory describes it.
struct Entry {
    name: String,
    is_link: bool,
    is_encrypted: bool,
    packed: u64,
    /// As declared, limited to what the compressed bytes can produce.
    unpacked: u64,
}

impl ZipReader {
    /// Reads the directory. Counts are checked before anything is allocated for them.
    pub(crate) fn open(bytes: Vec<u8>, collector: &mut Collector) -> Result<Self, SourceError> {
        let name = collector.archive_name.clone();
        let Some(end) = find_end(&bytes) else {
            return Err(SourceError::Truncated { name });
        };
        collector.check_entries(declared_entries(&bytes, end))?;
        let packed = bytes.len() as u64;
        let mut archive = parse(bytes, &name)?;
        if archive.has_duplicate_names() {
            let start = archive.central_directory_start() as usize;
            let bytes = archive.into_inner().into_inner();
            for duplicate in duplicates(&bytes, start) {
                collector.skip(&duplicate, SkipReason::Duplicate);
            }
            archive = parse(bytes, &name)?;
        }
        check_passwords(&archive, &name)?;
        collector.commit = commit_in(archive.comment());
        Ok(Self {
            archive,
            next: 0,
            meter: Meter::new(packed, collector.limits, name),
            packed_done: 0,
            scratch: Vec::new(),
        })
    }

    /// Bytes of the archive that were read so far.
    pub(crate) fn consumed(&self) -> u64 {
        self.packed_done
    }

    /// Reads the next entry into `collector`; false if there is none.
    pub(crate) fn step(&mut self, collector: &mut Collector) -> Result<bool, SourceError> {
        let at = self.next;
        if at >= self.archive.len() {
            return Ok(false);
        }
        self.next += 1;
        collector.count_entry()?;
        let Some(entry) = self.entry(at) else {
            collector.skip(
                &format!("entry {}", at + 1),
                SkipReason::Unreadable("its header is damaged".to_owned()),
            );
            return Ok(true);
        };
        self.packed_done = self.packed_done.saturating_add(entry.packed);
        if entry.name.ends_with(['/', '\\']) {
            collector.folder(&entry.name);
            return Ok(true);
        }
        let refused = if entry.is_link {
            Some(SkipReason::Link)
        } else if entry.is_encrypted {
            Some(SkipReason::Encrypted)
        } else {
            None
        };
        if let Some(reason) = refused {
            collector.skip(&entry.name, reason);
            return Ok(true);
        }
        match collector.wanted(&entry.name) {
            Some(path) => self.read(at, &entry, path, collector)?,
            None => self.meter.add(entry.unpacked)?,
        }
        Ok(true)
    }

    /// Inflates one entry, up to one byte more than a source file may have.
    fn read(
        &mut self,
        at: usize,
        entry: &Entry,
        path: String,
        collector: &mut Collector,
    ) -> Result<(), SourceError> {
        let limit = collector.limit_of(&path);
        self.scratch.clear();
        let outcome = match self.archive.by_index(at) {
            Ok(file) => file.take(limit + 1).read_to_end(&mut self.scratch),
            Err(error) => {
                let reason = SkipReason::Unreadable(describe(&error));
                collector.skip(&entry.name, reason);
                return Ok(());
            }
        };
        let unpacked = self.scratch.len() as u64;
        if unpacked > limit {
            let known = entry.unpacked.max(unpacked);
            self.meter.add(known)?;
            collector.too_large(path, known);
            return Ok(());
        }
        self.meter.add(unpacked)?;
        match outcome {
            Ok(_) => collector.keep(path, &self.scratch),
            Err(error) => {
                let reason = SkipReason::Unreadable(error.to_string());
                collector.skip(&entry.name, reason);
            }
        }
        Ok(())
    }

    fn entry(&self, at: usize) -> Option<Entry> {
        let entry = self.archive.by_index_data(at).ok()?;
        // Many tools write UTF-8 without declaring it; anything else is code page 437.
        let name = match std::str::from_utf8(entry.name_raw()) {
            Ok(name) => name.to_owned(),
            Err(_) => entry.name().map(Cow::into_owned).ok()?,
        };
        let packed = entry.compressed_size();
        let possible = match entry.compression() {
            CompressionMethod::Stored => packed,
            _ => packed.saturating_mul(DEFLATE_MAX_RATIO),
        };
        Some(Entry {
            name,
            is_link: entry.is_symlink(),
            is_encrypted: entry.encrypted(),
            packed,
            unpacked: entry.size().min(possible),
        })
    }
}

fn parse(bytes: Vec<u8>, name: &str) -> Result<ZipArchive<Cursor<Vec<u8>>>, SourceError> {
    ZipArchive::new(Cursor::new(bytes)).map_err(|error| SourceError::Damaged {
        name: name.to_owned(),
        detail: describe(&error),
    })
}

fn describe(error: &ZipError) -> String {
    match error {
        ZipError::CompressionMethodNotSupported(method) => {
            format!("packed with method {method}, which Footnote does not support")
        }
        ZipError::InvalidArchive(detail) => detail.to_string(),
        ZipError::UnsupportedArchive(detail) => (*detail).to_owned(),
        ZipError::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// Refuses an archive if most of its files are encrypted.
fn check_passwords(archive: &ZipArchive<Cursor<Vec<u8>>>, name: &str) -> Result<(), SourceError> {
    let (mut files, mut encrypted) = (0_usize, 0_usize);
    for at in 0..archive.len() {
        if let Ok(entry) = archive.by_index_data(at)
            && !entry.is_dir()
        {
            files += 1;
            encrypted += usize::from(entry.encrypted());
        }
    }
    if encrypted * 2 > files {
        return Err(SourceError::PasswordProtected {
            name: name.to_owned(),
        });
    }
    Ok(())
}

/// The offset of the end record: the last one that can be followed by a comment of at most 64 KiB.
fn find_end(bytes: &[u8]) -> Option<usize> {
    const RECORD_BYTES: usize = 22;
    const MAX_COMMENT_BYTES: usize = 0xffff;
    let last = bytes.len().checked_sub(RECORD_BYTES)?;
    let first = last.saturating_sub(MAX_COMMENT_BYTES);
    (first..=last)
        .rev()
        .find(|&at| bytes.get(at..at + 4) == Some(b"PK\x05\x06"))
}

/// The number of entries that the end record (or its 64-bit version) states.
fn declared_entries(bytes: &[u8], end: usize) -> u64 {
    let short = number(bytes, end + 10, 2).unwrap_or(0);
    if short != 0xffff {
        return short;
    }
    let long = || {
        let locator = end.checked_sub(20)?;
        if bytes.get(locator..locator + 4)? != b"PK\x06\x07" {
            return None;
        }
        let record = usize::try_from(number(bytes, locator + 8, 8)?).ok()?;
        if bytes.get(record..record.checked_add(4)?)? != b"PK\x06\x06" {
            return None;
        }
        number(bytes, record + 32, 8)
    };
    long().unwrap_or(short)
}

/// The little-endian number of `width` bytes at `at`.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(width)?)?;
    Some(
        field
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte)),
    )
}

/// Names that the directory lists more than once. The zip crate keeps one entry per name and does
/// not say which it dropped.
fn duplicates(bytes: &[u8], directory: usize) -> Vec<String> {
    const HEADER_BYTES: usize = 46;
    let mut seen = HashSet::new();
    let mut duplicates = Vec::new();
    let mut at = directory;
    while bytes.get(at..at.saturating_add(4)) == Some(b"PK\x01\x02") {
        let width = |offset| number(bytes, at + offset, 2).unwrap_or(0) as usize;
        let (name, extra, comment) = (width(28), width(30), width(32));
        let start = at + HEADER_BYTES;
        let Some(raw) = bytes.get(start..start + name) else {
            break;
        };
        if !seen.insert(raw) {
            duplicates.push(String::from_utf8_lossy(raw).into_owned());
        }
        at = start + name + extra + comment;
    }
    duplicates
}
