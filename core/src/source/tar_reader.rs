//! The entries of a tar stream, plain or gzip-compressed, one at a time.
//!
//! The `tar` crate's own iterator borrows its archive, so it cannot be kept between two steps of a
//! job. Its headers and extension records are used here, with a loop of our own.

use std::borrow::Cow;
use std::io::{self, Cursor, ErrorKind, Read};

use encoding_rs::WINDOWS_1252;
use flate2::bufread::MultiGzDecoder;
use tar::{EntryType, Header, PaxExtensions};

use super::collect::Collector;
use super::error::{SkipReason, SourceError};
use super::git::commit_in;
use super::meter::Meter;

const BLOCK: usize = 512;
/// Long names and extension records are smaller; a larger one is skipped.
const MAX_EXTENSION_BYTES: u64 = 64 << 10;
/// How much of an entry that is not kept is skipped in one step.
const PASS_BYTES: u64 = 4 << 20;

enum Input {
    Plain(Cursor<Vec<u8>>),
    Gzip(Box<MultiGzDecoder<Cursor<Vec<u8>>>>),
}

impl Input {
    fn consumed(&self) -> u64 {
        match self {
            Input::Plain(cursor) => cursor.position(),
            Input::Gzip(decoder) => decoder.get_ref().position(),
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::Plain(cursor) => cursor.read(buffer),
            Input::Gzip(decoder) => decoder.read(buffer),
        }
    }
}

/// The content of extension records about the next entry.
#[derive(Debug, Default)]
struct Extensions {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

pub(super) struct TarReader {
    input: Input,
    meter: Meter,
    archive_name: String,
    extensions: Extensions,
    /// Bytes to skip before the next header.
    skip: u64,
    entries: u64,
    zero_blocks: u8,
    /// Whether the last entry was read; the rest is only read to see whether the archive is
    /// complete.
    is_draining: bool,
    scratch: Vec<u8>,
}

/// One header, with the extensions applied.
struct Entry {
    name: String,
    kind: EntryType,
    size: u64,
    is_sparse: bool,
}

impl TarReader {
    pub(crate) fn plain(bytes: Vec<u8>, collector: &Collector) -> Self {
        Self::new(Input::Plain(Cursor::new(bytes)), 0, collector)
    }

    pub(crate) fn gzip(bytes: Vec<u8>, collector: &Collector) -> Self {
        let packed = bytes.len() as u64;
        let decoder = MultiGzDecoder::new(Cursor::new(bytes));
        Self::new(Input::Gzip(Box::new(decoder)), packed, collector)
    }

    fn new(input: Input, packed: u64, collector: &Collector) -> Self {
        let archive_name = collector.archive_name.clone();
        Self {
            input,
            meter: Meter::new(packed, collector.limits, archive_name.clone()),
            archive_name,
            extensions: Extensions::default(),
            skip: 0,
            entries: 0,
            zero_blocks: 0,
            is_draining: false,
            scratch: Vec::new(),
        }
    }

    /// Bytes of the archive that were read so far.
    pub(crate) fn consumed(&self) -> u64 {
        self.input.consumed()
    }

    /// Reads the next entry into `collector`, or skips a part of a large one; false at the end.
    pub(crate) fn step(&mut self, collector: &mut Collector) -> Result<bool, SourceError> {
        if self.is_draining {
            return self.drain();
        }
        if self.skip > 0 {
            self.pass_over()?;
            return Ok(true);
        }
        let Some(header) = self.header()? else {
            return Ok(true);
        };
        let size = match self.extensions.size {
            Some(size) => size,
            None => header
                .entry_size()
                .map_err(|_| self.damaged("the size of an entry is not a number"))?,
        };
        // Links and folders have no content, whatever their headers say.
        let kind = header.entry_type();
        let has_content = !(kind.is_hard_link() || kind.is_symlink() || kind.is_dir());
        self.skip = if has_content { padded(size) } else { 0 };
        if self.read_extension(kind, size, collector)? {
            return Ok(true);
        }
        self.entries += 1;
        collector.count_entry()?;
        let extensions = std::mem::take(&mut self.extensions);
        let entry = Entry {
            name: decode_name(&extensions.name.map_or(header.path_bytes(), Cow::Owned)),
            kind,
            size,
            is_sparse: extensions.is_sparse,
        };
        self.read_entry(entry, collector)?;
        Ok(true)
    }

    fn read_entry(&mut self, entry: Entry, collector: &mut Collector) -> Result<(), SourceError> {
        let Entry { name, kind, .. } = entry;
        if kind.is_dir() || (kind.is_file() && name.ends_with('/')) {
            collector.folder(&name);
            return Ok(());
        }
        let refused = if kind.is_symlink() || kind.is_hard_link() {
            Some(SkipReason::Link)
        } else if kind.is_gnu_sparse() || entry.is_sparse {
            Some(SkipReason::Unreadable("a sparse file".to_owned()))
        } else if !kind.is_file() && !kind.is_contiguous() {
            Some(SkipReason::Unreadable("not an ordinary file".to_owned()))
        } else {
            None
        };
        if let Some(reason) = refused {
            collector.skip(&name, reason);
            return Ok(());
        }
        let Some(path) = collector.wanted(&name) else {
            return Ok(());
        };
        if entry.size > collector.limit_of(&path) {
            collector.too_large(path, entry.size);
            return Ok(());
        }
        self.read_body(entry.size)?;
        collector.keep(path, &self.scratch);
        Ok(())
    }

    /// The next header; `None` at a block of zeros or at the end.
    fn header(&mut self) -> Result<Option<Header>, SourceError> {
        let mut block = [0; BLOCK];
        let filled = self.fill(&mut block)?;
        if filled == 0 {
            // Archives without the closing blocks of zeros are common, and complete.
            self.is_draining = true;
            return Ok(None);
        }
        if filled < BLOCK {
            return Err(if self.entries == 0 {
                self.no_archive()
            } else {
                self.too_short()
            });
        }
        if block.iter().all(|&byte| byte == 0) {
            self.zero_blocks += 1;
            self.is_draining = self.zero_blocks == 2;
            return Ok(None);
        }
        self.zero_blocks = 0;
        if !is_header(&block) {
            return Err(if self.entries == 0 {
                self.no_archive()
            } else {
                self.damaged("the header of an entry does not match its checksum")
            });
        }
        Ok(Some(Header::from_byte_slice(&block).clone()))
    }

    /// Reads a long name or an extension record; false if the entry is neither.
    fn read_extension(
        &mut self,
        kind: EntryType,
        size: u64,
        collector: &mut Collector,
    ) -> Result<bool, SourceError> {
        let is_name = kind.is_gnu_longname();
        let is_pax = kind.is_pax_local_extensions();
        let is_global = kind.is_pax_global_extensions();
        if kind.is_gnu_longlink() {
            return Ok(true);
        }
        if !is_name && !is_pax && !is_global {
            return Ok(false);
        }
        if size > MAX_EXTENSION_BYTES {
            return Ok(true);
        }
        self.read_body(size)?;
        if is_name {
            let end = self.scratch.iter().position(|&byte| byte == 0);
            let name = self.scratch.get(..end.unwrap_or(self.scratch.len()));
            self.extensions.name = name.map(<[u8]>::to_vec);
            return Ok(true);
        }
        if is_global {
            let mut records = PaxExtensions::new(&self.scratch).flatten();
            let comment = records.find(|record| record.key_bytes() == b"comment");
            collector.commit = comment.and_then(|it| commit_in(it.value_bytes()));
            return Ok(true);
        }
        for record in PaxExtensions::new(&self.scratch).flatten() {
            match record.key_bytes() {
                b"path" => self.extensions.name = Some(record.value_bytes().to_vec()),
                b"size" => {
                    self.extensions.size = record.value().ok().and_then(|size| size.parse().ok());
                }
                key => self.extensions.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
        }
        Ok(true)
    }

    /// Reads an entry of `size` bytes, and its padding, into the scratch buffer.
    fn read_body(&mut self, size: u64) -> Result<(), SourceError> {
        let mut body = std::mem::take(&mut self.scratch);
        body.clear();
        body.resize(size as usize, 0);
        let filled = self.fill(&mut body)?;
        self.scratch = body;
        if (filled as u64) < size {
            return Err(self.too_short());
        }
        self.skip = padded(size) - size;
        Ok(())
    }

    fn pass_over(&mut self) -> Result<(), SourceError> {
        let wanted = self.skip.min(PASS_BYTES);
        let passed = self.discard(wanted).map_err(|error| self.broken(&error))?;
        self.meter.add(passed)?;
        self.skip -= passed;
        if passed < wanted {
            return Err(self.too_short());
        }
        Ok(())
    }

    /// Skips what follows the last entry: a gzip stream shows only at its end whether it is
    /// complete and undamaged. Foreign bytes after it do no harm.
    fn drain(&mut self) -> Result<bool, SourceError> {
        match self.discard(PASS_BYTES) {
            Ok(passed) => {
                self.meter.add(passed)?;
                let is_end = passed < PASS_BYTES;
                if is_end && self.entries == 0 && self.zero_blocks == 0 {
                    return Err(self.no_archive());
                }
                Ok(!is_end)
            }
            Err(error) if is_foreign_tail(&error) => Ok(false),
            Err(error) => Err(self.broken(&error)),
        }
    }

    fn discard(&mut self, bytes: u64) -> io::Result<u64> {
        io::copy(&mut self.input.by_ref().take(bytes), &mut io::sink())
    }

    /// Fills `buffer` as far as the input lasts.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, SourceError> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.input.read(rest) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.broken(&error)),
            }
        }
        self.meter.add(filled as u64)?;
        Ok(filled)
    }

    fn broken(&self, error: &io::Error) -> SourceError {
        match error.kind() {
            ErrorKind::UnexpectedEof => self.too_short(),
            _ => self.damaged(&error.to_string()),
        }
    }

    fn no_archive(&self) -> SourceError {
        SourceError::NotAnArchive {
            name: self.archive_name.clone(),
        }
    }

    fn too_short(&self) -> SourceError {
        SourceError::Truncated {
            name: self.archive_name.clone(),
        }
    }

    fn damaged(&self, detail: &str) -> SourceError {
        SourceError::Damaged {
            name: self.archive_name.clone(),
            detail: detail.to_owned(),
        }
    }
}

/// Whether the error means that the bytes after the last gzip member do not start another one.
fn is_foreign_tail(error: &io::Error) -> bool {
    error.kind() == ErrorKind::InvalidInput && error.to_string().contains("gzip header")
}

/// The size padded to whole blocks.
fn padded(size: u64) -> u64 {
    size.checked_next_multiple_of(BLOCK as u64).unwrap_or(size)
}

/// Whether a block is a tar header: the checksum is the sum of all bytes, with its own field as
/// spaces.
pub(super) fn is_header(block: &[u8; BLOCK]) -> bool {
    let sum = |bytes: &[u8]| -> u32 { bytes.iter().map(|&byte| u32::from(byte)).sum() };
    let (before, rest) = block.split_at(148);
    let (field, after) = rest.split_at(8);
    let sum = sum(before) + 32 * field.len() as u32 + sum(after);
    Header::from_byte_slice(block)
        .cksum()
        .is_ok_and(|stored| stored == sum)
}

fn decode_name(raw: &[u8]) -> String {
    match std::str::from_utf8(raw) {
        Ok(name) => name.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(raw).0.into_owned(),
    }
}
