//! What index files need to know about the sections of a saved index.

use super::{BODY, FormatError, HEAD, Reader};
use crate::source::Repo;

/// Number of sections.
pub(crate) const SECTIONS: usize = BODY.len() + 1;

/// Whether a section of a saved index has this name.
pub(crate) fn is_section(name: &str) -> bool {
    name == HEAD || BODY.contains(&name)
}

/// Why the text of a saved index cannot be taken from a repository.
pub(crate) enum TextsError {
    /// The section cannot be read.
    Format(FormatError),
    /// The repository lacks this file, or has another text in it.
    Other(String),
}

/// Returns section `texts` for section `files`, with the text of a repository.
pub(crate) fn texts_of(files: &[u8], repo: &Repo) -> Result<Vec<u8>, TextsError> {
    let mut reader = Reader::new("files", files);
    let count: u32 = reader.next().map_err(TextsError::Format)?;
    let mut texts = Vec::new();
    for _ in 0..count {
        let (path, length): (&str, u32) = reader.next().map_err(TextsError::Format)?;
        let file = repo.find(path).and_then(|id| repo.file(id));
        match file.filter(|file| file.text.len() == length as usize) {
            Some(file) => texts.extend_from_slice(file.text.as_bytes()),
            None => return Err(TextsError::Other(path.to_owned())),
        }
    }
    reader.end().map_err(TextsError::Format)?;
    Ok(texts)
}
