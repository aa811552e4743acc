//! Converts an [`Index`] to named sections of bytes and back.
//!
//! `head` comes first in meaning: magic, version, then a checksum for each other section, so that a
//! damaged or foreign index is an error and never a wrong answer. Texts are one blob, words are
//! varints, the rest is postcard of the records in [`records`]. Vectors are not part of it: they
//! are stored one by one under their [`super::ContentKey`]. Neither is the graph, which is rebuilt:
//! see [`super::graph`].

pub(super) mod beside;
mod bytes;
mod carried;
mod checksum;
mod codes;
mod history;
mod opened;
mod records;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::bm25::{Bm25, BytesError};
use super::{Index, builder};
use crate::chunk::Chunk;
use crate::job::run_to_end;
use crate::lang::Parsed;
use crate::lines::{Line, LineRange};
use crate::source::{FileId, History, Repo, SourceFile};
pub use bytes::{Bytes, Section};
use bytes::{Pieces, Taken};
pub use carried::{carried, carry};
pub use checksum::checksum;
use history::{decode_history, encode_history};
pub use opened::Opened;
use records::{DeclaredRecord, HeadRecord, ParsedRecord, SkippedRecord};

/// The version that [`encode`] writes.
pub const FORMAT_VERSION: u32 = 4;

/// The oldest version that [`decode`] reads.
pub const OLDEST_READABLE: u32 = 1;

/// First bytes of the head section.
const MAGIC: &[u8; 8] = b"footnote";

/// The section that [`version_of`] reads.
pub const HEAD: &str = "head";

/// The other sections, in the order of their checksums. `history` came with version 2, `declared`
/// with version 3; since version 4 `history` also tells where the files come from.
const BODY: [&str; 7] = [
    "files", "texts", "parsed", "chunks", "words", "history", "declared",
];

/// Why bytes cannot be opened as an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Written by a Footnote that is too old or too new.
    #[error(
        "The saved index has format version {found}, but this Footnote reads versions {OLDEST_READABLE} to {FORMAT_VERSION}. Delete it and drop the archive again"
    )]
    OtherVersion {
        /// The version it was written in.
        found: u32,
    },
    /// A section is missing.
    #[error(
        "The saved index lacks its part “{section}”, as if saving had been cut short. Delete it and drop the archive again (this Footnote reads format versions {OLDEST_READABLE} to {FORMAT_VERSION})"
    )]
    Missing {
        /// Name of the section.
        section: &'static str,
    },
    /// A checksum does not match, or the bytes cannot be read.
    #[error(
        "The saved index is damaged: {detail}. Delete it and drop the archive again (this Footnote reads format versions {OLDEST_READABLE} to {FORMAT_VERSION}; damaged part: {section})"
    )]
    Damaged {
        /// Name of the section.
        section: &'static str,
        /// What is wrong.
        detail: String,
    },
}

fn damaged(section: &'static str, detail: impl ToString) -> FormatError {
    FormatError::Damaged {
        section,
        detail: detail.to_string(),
    }
}

/// Returns the format version that a head section names, readable or not.
pub(crate) fn version_of(head: &[u8]) -> Result<u32, FormatError> {
    let rest = head
        .strip_prefix(MAGIC)
        .ok_or_else(|| damaged(HEAD, "it does not start like a saved index"))?;
    let version = rest
        .first_chunk::<4>()
        .ok_or_else(|| damaged(HEAD, "it ends too early"))?;
    Ok(u32::from_le_bytes(*version))
}

/// Returns the sections of an index, each made on demand, the head last: a section of a large
/// repository has tens of megabytes, and a browser has little room for all of them at once.
pub fn encode(index: &Index) -> impl Iterator<Item = Section<'_>> {
    let mut checksums = Vec::new();
    let names = BODY.into_iter().chain([HEAD]);
    names.map(move |name| {
        let whole = |bytes: Vec<u8>| vec![Cow::Owned(bytes)];
        let pieces = match name {
            "files" => whole(encode_files(index)),
            "texts" => encode_texts(index),
            "parsed" => encode_parsed(index),
            "chunks" => whole(encode_chunks(index)),
            "words" => whole(index.bm25.to_bytes()),
            "history" => whole(encode_history(&index.repo.history)),
            "declared" => encode_declared(index),
            _ => whole(encode_head(index, std::mem::take(&mut checksums))),
        };
        let section = Section { name, pieces };
        checksums.push(section.checksum());
        section
    })
}

fn encode_head(index: &Index, checksums: Vec<u64>) -> Vec<u8> {
    let head = HeadRecord {
        name: &index.repo.name,
        checksums,
        skipped: index.repo.skipped.iter().map(SkippedRecord::from).collect(),
    };
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    let start = bytes.len();
    push(&mut bytes, &head);
    let sum = checksum(bytes.get(start..).unwrap_or_default());
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Reads what [`encode`] wrote, like [`open`], and completes it.
pub fn decode<N: AsRef<str>, B: Bytes>(
    sections: impl IntoIterator<Item = (N, B)>,
) -> Result<Index, FormatError> {
    let Ok(index) = run_to_end(open(sections)?);
    Ok(index)
}

/// Reads what [`encode`] wrote. Sections with other names are ignored, their order does not matter,
/// and each is dropped once it is read.
pub fn open<N: AsRef<str>, B: Bytes>(
    sections: impl IntoIterator<Item = (N, B)>,
) -> Result<Opened, FormatError> {
    let mut saved = Saved {
        sections: sections.into_iter().collect(),
        checksums: Vec::new(),
    };
    let (version, mut repo) = saved.repository()?;
    let mut parsed = decode_parsed(&saved.checked("parsed")?, repo.files.len())?;
    let (chunks, spans) = decode_chunks(&saved.checked("chunks")?, &repo, &parsed)?;
    let bm25 = Bm25::from_bytes(&saved.checked("words")?);
    let bm25 = bm25.map_err(|error: BytesError| damaged("words", error))?;
    if bm25.chunk_count() != chunks.len() {
        return Err(damaged("words", "it was made for another number of chunks"));
    }
    if version > 1 {
        repo.history = decode_history(&saved.checked("history")?, version, repo.files.len())?;
    }
    let mut next = 0;
    if version > 2 {
        decode_declared(&saved.checked("declared")?, &mut parsed)?;
        next = repo.files.len();
    }
    Ok(Opened {
        repo,
        parsed,
        chunks,
        spans,
        bm25: Some(bm25),
        next,
    })
}

/// Reads only the files, if other sections may be damaged: an index can be rebuilt from them.
pub fn repository<N: AsRef<str>, B: Bytes>(
    sections: impl IntoIterator<Item = (N, B)>,
) -> Result<Repo, FormatError> {
    let mut saved = Saved {
        sections: sections.into_iter().collect(),
        checksums: Vec::new(),
    };
    let (version, mut repo) = saved.repository()?;
    let history = saved.checked("history");
    let history = history.and_then(|bytes| decode_history(&bytes, version, repo.files.len()));
    // The commit history is worth less than the files.
    repo.history = history.unwrap_or_default();
    Ok(repo)
}

/// The sections that are not read yet.
struct Saved<N, B> {
    sections: Vec<(N, B)>,
    /// In the order of [`BODY`].
    checksums: Vec<u64>,
}

impl<N: AsRef<str>, B: Bytes> Saved<N, B> {
    /// Returns the version, and the files with those that were skipped; takes the checksums.
    fn repository(&mut self) -> Result<(u32, Repo), FormatError> {
        let head = self.take(HEAD)?;
        let (head, _) = Taken::new(&head).rest();
        let version = version_of(&head)?;
        let (mut repo, checksums) = decode_head(&head)?;
        self.checksums = checksums;
        let files = self.checked("files")?;
        let texts = self.take("texts")?;
        let mut texts = Taken::new(&texts);
        let found = decode_files(&files, &mut texts);
        // Damage to the texts is reported as such, whatever it did to the files.
        let (rest, sum) = texts.rest();
        self.check("texts", sum)?;
        if !rest.is_empty() {
            return Err(damaged("texts", "it contains more than the files"));
        }
        repo.files = found?;
        Ok((version, repo))
    }

    fn take(&mut self, name: &'static str) -> Result<B, FormatError> {
        let mut sections = self.sections.iter();
        let at = sections.position(|(found, _)| found.as_ref() == name);
        let at = at.ok_or(FormatError::Missing { section: name })?;
        Ok(self.sections.swap_remove(at).1)
    }

    fn checked(&mut self, name: &'static str) -> Result<Vec<u8>, FormatError> {
        let (bytes, sum) = Taken::new(&self.take(name)?).rest();
        self.check(name, sum)?;
        Ok(bytes)
    }

    fn check(&self, name: &'static str, sum: u64) -> Result<(), FormatError> {
        let at = BODY.iter().position(|&section| section == name);
        match at.and_then(|at| self.checksums.get(at)) == Some(&sum) {
            true => Ok(()),
            false => Err(damaged(name, "its bytes are not those that were saved")),
        }
    }
}

/// Returns the number of sections besides the head in a version.
fn sections_of(version: u32) -> usize {
    match version {
        0 | 1 => BODY.len() - 2,
        2 => BODY.len() - 1,
        _ => BODY.len(),
    }
}

fn decode_head(bytes: &[u8]) -> Result<(Repo, Vec<u64>), FormatError> {
    let found = version_of(bytes)?;
    if !(OLDEST_READABLE..=FORMAT_VERSION).contains(&found) {
        return Err(FormatError::OtherVersion { found });
    }
    let body = bytes.get(MAGIC.len() + 4..).unwrap_or_default();
    let (body, sum) = body
        .split_last_chunk::<8>()
        .ok_or_else(|| damaged(HEAD, "it ends too early"))?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err(damaged(HEAD, "its bytes are not those that were saved"));
    }
    let head: HeadRecord = postcard::from_bytes(body).map_err(|error| damaged(HEAD, error))?;
    // The checksum does not cover the version; a changed version shows here.
    if head.checksums.len() != sections_of(found) {
        return Err(damaged(HEAD, "its version differs from that of its parts"));
    }
    let skipped = head.skipped.into_iter().map(SkippedRecord::into_skipped);
    let repo = Repo {
        name: head.name.to_owned(),
        files: Vec::new(),
        skipped: skipped.collect(),
        history: History::default(),
    };
    Ok((repo, head.checksums))
}

/// Encodes path and text length of each file.
fn encode_files(index: &Index) -> Vec<u8> {
    let mut bytes = Vec::new();
    push(&mut bytes, &(index.repo.files.len() as u32));
    for file in &index.repo.files {
        push(&mut bytes, &(file.path.as_str(), file.text.len() as u32));
    }
    bytes
}

fn encode_texts(index: &Index) -> Vec<Cow<'_, [u8]>> {
    let texts = index.repo.files.iter().map(|file| file.text.as_bytes());
    texts.map(Cow::Borrowed).collect()
}

fn decode_files(
    bytes: &[u8],
    texts: &mut Taken<impl Bytes>,
) -> Result<Vec<SourceFile>, FormatError> {
    let mut reader = Reader::new("files", bytes);
    let count: u32 = reader.next()?;
    let mut files: Vec<SourceFile> = Vec::with_capacity((count as usize).min(bytes.len()));
    for _ in 0..count {
        let (path, length): (&str, u32) = reader.next()?;
        let text = texts
            .next(length as usize)
            .ok_or_else(|| damaged("texts", "it ends too early"))?;
        let text = String::from_utf8(text).map_err(|error| damaged("texts", error))?;
        if files
            .last()
            .is_some_and(|before| before.path.as_str() >= path)
        {
            return Err(damaged("files", "its paths are not in order"));
        }
        files.push(SourceFile {
            path: path.to_owned(),
            text,
        });
    }
    reader.end()?;
    Ok(files)
}

fn encode_parsed(index: &Index) -> Vec<Cow<'static, [u8]>> {
    let mut pieces = Pieces::default();
    for parsed in index.parsed.iter() {
        push(pieces.open(), &ParsedRecord::from(parsed));
    }
    pieces.into_pieces()
}

fn decode_parsed(bytes: &[u8], files: usize) -> Result<Vec<Parsed>, FormatError> {
    let mut reader = Reader::new("parsed", bytes);
    let mut all = Vec::with_capacity(files);
    for _ in 0..files {
        let record: ParsedRecord = reader.next()?;
        let parsed = record.into_parsed();
        all.push(parsed.ok_or_else(|| damaged("parsed", "it names an unknown kind"))?);
    }
    reader.end()?;
    Ok(all)
}

/// Whether two results of parsing are the same, in everything that is saved of them.
pub(super) fn same_parsed(one: &Parsed, other: &Parsed) -> bool {
    let bytes = |parsed: &Parsed| {
        let mut bytes = Vec::new();
        push(&mut bytes, &ParsedRecord::from(parsed));
        push(&mut bytes, &DeclaredRecord::from(parsed));
        bytes
    };
    bytes(one) == bytes(other)
}

fn encode_declared(index: &Index) -> Vec<Cow<'static, [u8]>> {
    let mut pieces = Pieces::default();
    for parsed in index.parsed.iter() {
        push(pieces.open(), &DeclaredRecord::from(parsed));
    }
    pieces.into_pieces()
}

fn decode_declared(bytes: &[u8], parsed: &mut [Parsed]) -> Result<(), FormatError> {
    let mut reader = Reader::new("declared", bytes);
    for parsed in parsed {
        let record: DeclaredRecord = reader.next()?;
        let added = record.add_to(parsed);
        added.ok_or_else(|| damaged("declared", "it names an unknown symbol"))?;
    }
    reader.end()
}

/// One chunk: file, first line, number of lines, kind, symbol plus one.
type ChunkRecord = (u32, u32, u32, u8, u32);

fn encode_chunks(index: &Index) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(index.chunks.len() * 8);
    push(&mut bytes, &(index.chunks.len() as u32));
    for chunk in &index.chunks {
        push(&mut bytes, &of_chunk(chunk));
    }
    bytes
}

fn of_chunk(chunk: &Chunk) -> ChunkRecord {
    let symbol = chunk.symbol.map_or(0, |at| at.saturating_add(1));
    let (first, count) = (chunk.lines.start().0, chunk.lines.count());
    let kind = codes::of_chunk(chunk.kind);
    (chunk.file.0, first, count, kind, symbol)
}

fn decode_chunks(
    bytes: &[u8],
    repo: &Repo,
    parsed: &[Parsed],
) -> Result<(Vec<Chunk>, Vec<Range<u32>>), FormatError> {
    let mut reader = Reader::new("chunks", bytes);
    let count: u32 = reader.next()?;
    let mut chunks: Vec<Chunk> = Vec::with_capacity((count as usize).min(bytes.len()));
    for _ in 0..count {
        let chunk = to_chunk(reader.next()?, parsed);
        let chunk = chunk.ok_or_else(|| damaged("chunks", "a number is out of range"))?;
        let before = chunks.last().map_or(FileId(0), |before| before.file);
        if chunk.file < before {
            return Err(damaged("chunks", "its files are not in order"));
        }
        chunks.push(chunk);
    }
    reader.end()?;
    let mut spans = Vec::with_capacity(chunks.len());
    for of_file in chunks.chunk_by(|a, b| a.file == b.file) {
        let file = of_file.first().and_then(|chunk| repo.file(chunk.file));
        let file = file.ok_or_else(|| damaged("chunks", "it names an unknown file"))?;
        spans.extend(builder::spans(file, of_file));
    }
    Ok((chunks, spans))
}

fn to_chunk(record: ChunkRecord, parsed: &[Parsed]) -> Option<Chunk> {
    let (file, first, count, kind, symbol) = record;
    let last = first.checked_add(count.checked_sub(1)?)?;
    let symbols = &parsed.get(file as usize)?.symbols;
    let symbol = symbol.checked_sub(1);
    if symbol.is_some_and(|at| at as usize >= symbols.len()) {
        return None;
    }
    Some(Chunk {
        file: FileId(file),
        lines: LineRange::new(Line(first), Line(last)),
        kind: codes::to_chunk(kind)?,
        symbol,
    })
}

/// Appends a record. Postcard fails on records only for lack of space, and a `Vec` grows.
fn push(bytes: &mut Vec<u8>, record: &impl Serialize) {
    if let Ok(all) = postcard::to_extend(record, std::mem::take(bytes)) {
        *bytes = all;
    }
}

/// Reads records one after another.
struct Reader<'a> {
    section: &'static str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn new(section: &'static str, rest: &'a [u8]) -> Self {
        Self { section, rest }
    }

    fn next<T: Deserialize<'a>>(&mut self) -> Result<T, FormatError> {
        let read = postcard::take_from_bytes(self.rest);
        let (record, rest) = read.map_err(|error| damaged(self.section, error))?;
        self.rest = rest;
        Ok(record)
    }

    fn end(&self) -> Result<(), FormatError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(damaged(self.section, "it contains more than it should"))
        }
    }
}
