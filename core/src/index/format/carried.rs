//! Serialises files that one worker read for another worker of the same version; never saved.

use super::records::{DeclaredRecord, ParsedRecord};
use super::{ChunkRecord, FormatError, Reader, damaged, of_chunk, push, to_chunk};
use crate::index::ReadFile;

/// Serialises files, in order; `None` marks one that could not be read.
pub fn carry(files: &[Option<ReadFile>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    push(&mut bytes, &(files.len() as u32));
    for file in files {
        push(&mut bytes, &file.is_some());
        let Some(file) = file else { continue };
        push(&mut bytes, &ParsedRecord::from(&file.parsed));
        push(&mut bytes, &DeclaredRecord::from(&file.parsed));
        push(&mut bytes, &(file.chunks.len() as u32));
        for (chunk, span) in file.chunks.iter().zip(&file.spans) {
            push(&mut bytes, &(of_chunk(chunk), span.start, span.end));
        }
    }
    bytes
}

/// Reads the files that [`carry`] serialised.
///
/// # Errors
/// [`FormatError`] if the bytes are something else.
pub fn carried(bytes: &[u8]) -> Result<Vec<Option<ReadFile>>, FormatError> {
    let mut reader = Reader::new(SECTION, bytes);
    let count: u32 = reader.next()?;
    let mut files = Vec::with_capacity((count as usize).min(bytes.len()));
    for _ in 0..count {
        files.push(match reader.next()? {
            true => Some(file(&mut reader)?),
            false => None,
        });
    }
    reader.end()?;
    Ok(files)
}

/// The name of these bytes in errors.
const SECTION: &str = "carried";

fn file(reader: &mut Reader<'_>) -> Result<ReadFile, FormatError> {
    let record: ParsedRecord = reader.next()?;
    let parsed = record.into_parsed();
    let mut parsed = parsed.ok_or_else(|| damaged(SECTION, "it names an unknown kind"))?;
    let record: DeclaredRecord = reader.next()?;
    let added = record.add_to(&mut parsed);
    added.ok_or_else(|| damaged(SECTION, "it names an unknown symbol"))?;
    let count: u32 = reader.next()?;
    let (mut chunks, mut spans) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (record, start, end): (ChunkRecord, u32, u32) = reader.next()?;
        let chunk = to_chunk(record, std::slice::from_ref(&parsed));
        chunks.push(chunk.ok_or_else(|| damaged(SECTION, "a number is out of range"))?);
        spans.push(start..end);
    }
    Ok(ReadFile {
        parsed,
        chunks,
        spans,
    })
}
