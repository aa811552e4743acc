//! The section `history`: what the commits say of the files, and where the files come from.

use super::{FormatError, Reader, damaged, push};
use crate::source::{FileId, History, address, is_commit};

/// Subjects of commits, then the files with the indexes of their subjects.
pub(super) type HistoryRecord<'a> = (Vec<&'a str>, Vec<(u32, Vec<u32>)>);

/// The commit and the remote of a repository.
type OriginRecord<'a> = (Option<&'a str>, Option<&'a str>);

pub(super) fn encode_history(history: &History) -> Vec<u8> {
    let subjects = history.subjects.iter().map(String::as_str).collect();
    let files = history.files.iter();
    let files = files.map(|(file, at)| (file.0, at.clone())).collect();
    let record: HistoryRecord = (subjects, files);
    let origin: OriginRecord = (history.commit.as_deref(), history.remote.as_deref());
    let mut bytes = Vec::new();
    push(&mut bytes, &record);
    push(&mut bytes, &origin);
    bytes
}

pub(super) fn decode_history(
    bytes: &[u8],
    version: u32,
    files: usize,
) -> Result<History, FormatError> {
    let mut reader = Reader::new("history", bytes);
    let (subjects, touched): HistoryRecord = reader.next()?;
    let (commit, remote): OriginRecord = match version > 3 {
        true => reader.next()?,
        false => (None, None),
    };
    reader.end()?;
    let is_known = |(file, at): &(u32, Vec<u32>)| {
        (*file as usize) < files && at.iter().all(|&at| (at as usize) < subjects.len())
    };
    if !touched.iter().all(is_known) {
        return Err(damaged("history", "a number is out of range"));
    }
    let is_named = commit.is_none_or(is_commit);
    let is_plain = remote.is_none_or(|it| address(it).as_deref() == Some(it));
    if !is_named || !is_plain {
        return Err(damaged("history", "it names no commit or no repository"));
    }
    Ok(History {
        commit: commit.map(str::to_owned),
        remote: remote.map(str::to_owned),
        subjects: subjects.into_iter().map(str::to_owned).collect(),
        files: touched
            .into_iter()
            .map(|(file, at)| (FileId(file), at))
            .collect(),
    })
}
