//! The header of an index file: what it holds, and where.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{EXTENSION, FILE_VERSION, FileError, Limits, MAGIC, OLDEST_READABLE, READABLE_SINCE};
use crate::index::Index;
use crate::index::format::Bytes;
use crate::source::path::{is_deceptive, shown};

/// The name of the header in errors.
pub(super) const HEADER: &str = "header";

/// The section that can be left out.
pub(super) const TEXTS: &str = "texts";

/// Magic, version, oldest readers' version, length of the header.
const FRONT: usize = MAGIC.len() + 12;

/// Bytes of a digest: half of BLAKE3's.
pub(super) const DIGEST: usize = 16;

/// Most sections that a file may name.
const MAX_SECTIONS: usize = 64;

/// Longest name of a repository, an archive, an encoder or a language, in bytes.
const MAX_NAME_BYTES: usize = 1024;

/// Longest vectors that are read.
const MAX_DIMENSION: u32 = 4096;

/// How a section's bytes are packed; a number is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    /// Blocks of DEFLATE.
    Deflate,
    /// The bytes are not in the file; their digest is.
    LeftOut,
}

/// An archive that an index was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// Its file name.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
}

/// An encoder whose vectors are in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoder {
    /// The model's id.
    pub id: String,
    /// Number of values in a vector.
    pub dimension: u32,
}

/// What an index file says about itself; for display, and to find out whether it is current. The
/// numbers are those of its writer until the file is decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The name of the repository.
    pub name: String,
    /// The version of the Footnote that made it.
    pub made_by: String,
    /// The archive that it was made from, if that is known.
    pub archive: Option<Archive>,
    /// The static encoder, if every chunk's vector of it is inside.
    pub table: Option<Encoder>,
    /// The embedding model, if some chunks' vectors of it are inside.
    pub model: Option<Encoder>,
    /// Whether the source text is inside.
    pub has_text: bool,
    /// Number of files.
    pub files: u32,
    /// Number of chunks.
    pub chunks: u32,
    /// Bytes of text.
    pub text_bytes: u64,
    /// Number of files by the name of their language, most first.
    pub languages: Vec<(String, u32)>,
    /// Identifies what is inside.
    pub content: ContentHash,
    /// Bytes of the whole file; a file of another length is cut.
    pub length: u64,
}

/// Identifies the sections of an index file, whatever their compression: the first eight bytes of a
/// BLAKE3 digest. Shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 8]);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl About {
    /// Returns the file's name, the same for the same content: `NAME-<16 hex>.footnote`. It has
    /// only letters, digits, `.`, `-` and `_`.
    pub fn file_name(&self) -> String {
        const MAX_CHARS: usize = 80;
        let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
        let plain = |it: char| if is_plain(it) { it } else { '-' };
        let name: String = self.name.chars().take(MAX_CHARS).map(plain).collect();
        let name = match name.trim_matches(['.', '-']) {
            "" => "repository",
            name => name,
        };
        format!("{name}-{}.{EXTENSION}", self.content)
    }

    /// Counts the files of each language.
    pub(super) fn languages_of(index: &Index) -> Vec<(String, u32)> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for parsed in index.parsed.iter() {
            *counts.entry(parsed.language.name()).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let counts = counts.into_iter().filter(|(name, _)| !name.is_empty());
        counts.map(|(name, n)| (name.to_owned(), n)).collect()
    }
}

/// A section in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub name: String,
    pub codec: Codec,
    /// Unpacked bytes.
    pub raw: u64,
    /// Bytes in the file.
    pub packed: u64,
    /// Of the unpacked bytes.
    pub digest: [u8; DIGEST],
}

#[derive(Serialize, Deserialize)]
struct Record<'a> {
    name: &'a str,
    made_by: &'a str,
    archive: Option<(&'a str, [u8; 32])>,
    table: Option<(&'a str, u32)>,
    model: Option<(&'a str, u32)>,
    files: u32,
    chunks: u32,
    text_bytes: u64,
    #[serde(borrow)]
    languages: Vec<(&'a str, u32)>,
    #[serde(borrow)]
    sections: Vec<(&'a str, u8, u64, u64, [u8; DIGEST])>,
}

/// Returns the first bytes of the BLAKE3 digest.
pub(super) fn half(digest: &blake3::Hash) -> [u8; DIGEST] {
    crate::index::half(digest)
}

/// Identifies sections and the encoders of their vectors.
pub(super) fn content(entries: &[Entry], encoders: [&Option<Encoder>; 2]) -> ContentHash {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for entry in sorted {
        add(entry.name.as_bytes());
        add(&entry.digest);
        add(&[u8::from(entry.codec == Codec::LeftOut)]);
    }
    for encoder in encoders {
        add(encoder.as_ref().map_or(&[][..], |it| it.id.as_bytes()));
    }
    let digest = hasher.finalize();
    ContentHash(*digest.as_bytes().first_chunk().unwrap_or(&[0; 8]))
}

/// Returns everything before the first section.
pub(super) fn encode(about: &About, entries: &[Entry]) -> Vec<u8> {
    let of_encoder = |it: &Encoder| (it.id.clone(), it.dimension);
    let (table, model) = (
        about.table.as_ref().map(of_encoder),
        about.model.as_ref().map(of_encoder),
    );
    let record = Record {
        name: &about.name,
        made_by: &about.made_by,
        archive: about.archive.as_ref().map(|it| (&*it.name, it.sha256)),
        table: table.as_ref().map(|(id, dimension)| (&**id, *dimension)),
        model: model.as_ref().map(|(id, dimension)| (&**id, *dimension)),
        files: about.files,
        chunks: about.chunks,
        text_bytes: about.text_bytes,
        languages: about.languages.iter().map(|(it, n)| (&**it, *n)).collect(),
        sections: entries.iter().map(of_entry).collect(),
    };
    // Postcard fails on records only for lack of space, and a `Vec` grows.
    let record = postcard::to_allocvec(&record).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FILE_VERSION.to_le_bytes());
    bytes.extend(READABLE_SINCE.to_le_bytes());
    bytes.extend((record.len() as u32).to_le_bytes());
    bytes.extend(record);
    let digest = half(&blake3::hash(&bytes));
    bytes.extend(digest);
    bytes
}

fn of_entry(entry: &Entry) -> (&str, u8, u64, u64, [u8; DIGEST]) {
    let codec = match entry.codec {
        Codec::LeftOut => 0,
        Codec::Deflate => 1,
    };
    (&entry.name, codec, entry.raw, entry.packed, entry.digest)
}

/// Reads the header; also returns where the first section starts.
pub(super) fn decode(
    file: &impl Bytes,
    limits: &Limits,
) -> Result<(About, Vec<Entry>, u64), FileError> {
    let found = file.length() as u64;
    let cut = |expected: u64| FileError::Cut {
        section: HEADER.to_owned(),
        found,
        expected,
    };
    let length = check_front(&read(file, 0, FRONT.min(file.length())), cut)?;
    if u64::from(length) > limits.header_bytes {
        return Err(FileError::TooLarge {
            section: HEADER.to_owned(),
            bytes: length.into(),
            limit: limits.header_bytes,
        });
    }
    let end = FRONT + length as usize + DIGEST;
    if found < end as u64 {
        return Err(cut(end as u64));
    }
    let bytes = read(file, 0, end);
    let (bytes, digest) = bytes
        .split_last_chunk::<DIGEST>()
        .ok_or_else(|| cut(end as u64))?;
    if half(&blake3::hash(bytes)) != *digest {
        let detail = "its bytes are not those that were written";
        return Err(FileError::damaged(HEADER, detail));
    }
    let record = bytes.get(FRONT..).unwrap_or_default();
    let (mut about, entries) = to_about(record)?;
    let packed = entries.iter().map(|entry| entry.packed);
    about.length = packed.fold(end as u64, u64::saturating_add);
    Ok((about, entries, end as u64))
}

/// Checks magic and versions; returns the length of the header.
fn check_front(front: &[u8], cut: impl Fn(u64) -> FileError) -> Result<u32, FileError> {
    let Some(rest) = front.strip_prefix(&MAGIC) else {
        // Of a cut magic, nothing but a part of it is left.
        return Err(
            match front.len() < MAGIC.len() && MAGIC.starts_with(front) {
                true if !front.is_empty() => cut(FRONT as u64),
                _ => FileError::Foreign,
            },
        );
    };
    let number = |at: usize| {
        let bytes = rest.get(at..).and_then(|rest| rest.first_chunk::<4>());
        bytes.map(|bytes| u32::from_le_bytes(*bytes))
    };
    let numbers = number(0).zip(number(4)).zip(number(8));
    let ((version, needed), length) = numbers.ok_or_else(|| cut(FRONT as u64))?;
    if version < OLDEST_READABLE {
        return Err(FileError::TooOld { found: version });
    }
    if needed > FILE_VERSION {
        return Err(FileError::TooNew { found: version });
    }
    Ok(length)
}

fn read(file: &impl Bytes, start: usize, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    file.read(start, &mut bytes);
    bytes
}

fn to_about(record: &[u8]) -> Result<(About, Vec<Entry>), FileError> {
    let damaged = |detail: &str| FileError::damaged(HEADER, detail);
    let record: Record = postcard::from_bytes(record).map_err(|it| damaged(&it.to_string()))?;
    let encoder = |it: Option<(&str, u32)>| match it {
        Some((_, dimension)) if dimension == 0 || dimension > MAX_DIMENSION => {
            Err(damaged("its vectors have an impossible length"))
        }
        it => Ok(it.map(|(id, dimension)| Encoder {
            id: id.to_owned(),
            dimension,
        })),
    };
    let (table, model) = (encoder(record.table)?, encoder(record.model)?);
    let entries = to_entries(&record.sections)?;
    let languages = record.languages.iter();
    let about = About {
        name: record.name.to_owned(),
        made_by: record.made_by.to_owned(),
        archive: record.archive.map(|(name, sha256)| Archive {
            name: name.to_owned(),
            sha256,
        }),
        has_text: !entries.iter().any(|entry| entry.codec == Codec::LeftOut),
        files: record.files,
        chunks: record.chunks,
        text_bytes: record.text_bytes,
        languages: languages.map(|(it, n)| ((*it).to_owned(), *n)).collect(),
        content: content(&entries, [&table, &model]),
        length: 0,
        table,
        model,
    };
    check_names(&about)?;
    Ok((about, entries))
}

/// Names are shown: they are short, and contain nothing that deceives.
fn check_names(about: &About) -> Result<(), FileError> {
    let encoders = [&about.table, &about.model].into_iter().flatten();
    let names = [&*about.name, &*about.made_by].into_iter();
    let names = names
        .chain(about.archive.as_ref().map(|archive| &*archive.name))
        .chain(encoders.map(|encoder| &*encoder.id))
        .chain(about.languages.iter().map(|(name, _)| &**name));
    for name in names {
        if name.len() > MAX_NAME_BYTES || name.chars().any(is_deceptive) {
            let detail = format!("it has the impossible name “{}”", shown(name));
            return Err(FileError::damaged(HEADER, detail));
        }
    }
    Ok(())
}

type SectionRecord<'a> = (&'a str, u8, u64, u64, [u8; DIGEST]);

fn to_entries(records: &[SectionRecord<'_>]) -> Result<Vec<Entry>, FileError> {
    let damaged = |detail: String| FileError::damaged(HEADER, detail);
    if records.len() > MAX_SECTIONS {
        return Err(damaged(format!("it names {} parts", records.len())));
    }
    let mut entries: Vec<Entry> = Vec::with_capacity(records.len());
    for &(name, codec, raw, packed, digest) in records {
        if name.len() > MAX_NAME_BYTES || name.chars().any(is_deceptive) {
            return Err(damaged(format!("it names a part “{}”", shown(name))));
        }
        if entries.iter().any(|entry| entry.name == name) {
            return Err(damaged(format!("it names the part “{name}” twice")));
        }
        let codec = match codec {
            // Nothing but text may be left out.
            0 if name == TEXTS && packed == 0 => Codec::LeftOut,
            1 => Codec::Deflate,
            _ => return Err(damaged(format!("“{name}” is packed in an unknown way"))),
        };
        entries.push(Entry {
            name: name.to_owned(),
            codec,
            raw,
            packed,
            digest,
        });
    }
    Ok(entries)
}
