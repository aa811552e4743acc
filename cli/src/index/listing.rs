//! `indexes.json`: the list of a folder's index files, which a page on the same site reads.

use serde_json::{Value, json};

use super::folder::{Folder, Held};
use crate::Result;
use crate::hex::hex;

/// The name of the list.
pub const NAME: &str = "indexes.json";

/// The version of the list, whoever writes it.
pub const VERSION: u32 = 1;

/// Writes the list of what is in the folder; returns the number of files. Other machines may add
/// to the folder meanwhile: it is written again until it says what is there.
pub fn update(folder: &Folder) -> Result<usize> {
    let mut list = list(&folder.held()?);
    loop {
        let text = serde_json::to_string_pretty(&list)? + "\n";
        folder.write(NAME, std::iter::once(text.into_bytes()))?;
        let held = folder.held()?;
        let now = self::list(&held);
        if now == list {
            return Ok(held.len());
        }
        list = now;
    }
}

/// Returns the list of these files.
pub fn list(held: &[Held]) -> Value {
    let indexes: Vec<Value> = held.iter().map(entry).collect();
    json!({ "version": VERSION, "indexes": indexes })
}

fn entry(held: &Held) -> Value {
    let about = &held.about;
    let languages: serde_json::Map<String, Value> = about
        .languages
        .iter()
        .map(|(name, files)| (name.clone(), json!(files)))
        .collect();
    json!({
        "name": about.name,
        "file": held.file,
        "bytes": held.bytes,
        "files": about.files,
        "chunks": about.chunks,
        "text_bytes": about.text_bytes,
        "has_text": about.has_text,
        "languages": languages,
        "archive": about.archive.as_ref().map(|archive| json!({
            "name": archive.name,
            "sha256": hex(&archive.sha256),
        })),
        "table": about.table.as_ref().map(|encoder| &encoder.id),
        "model": about.model.as_ref().map(|encoder| &encoder.id),
        "made_by": about.made_by,
    })
}
