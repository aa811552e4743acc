//! Texts written by models and by code ↔ JSON lines, one per chunk, to store, export and import
//! them.

use serde_json::{Value, json};

use super::{Written, WrittenText, key};
use crate::index::{ContentKey, Index, Texts, Writer};

/// Most characters of a text that are read.
const MAX_CHARACTERS: usize = 4_000;

/// Why a file cannot be read as texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A line is not a text.
    #[error("Line {line} of the file does not hold a description: {why}")]
    Line {
        /// Its number, counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

/// All texts, one per line: `path`, `start`, `end`, `title`, `text`, `writer` (`code` or a model's
/// name), `doubts` and `key`.
pub fn export(index: &Index, texts: &Texts) -> String {
    let mut lines = String::new();
    for (chunk, it) in index.chunk_ids() {
        let Some(text) = texts.of(chunk) else {
            continue;
        };
        let writer = match &text.writer {
            Writer::Code => "code",
            Writer::Model(name) => name,
        };
        let line = json!({
            "path": index.path_of(chunk),
            "start": it.lines.start().0,
            "end": it.lines.end().0,
            "title": index.title(chunk),
            "text": text.text,
            "writer": writer,
            "doubts": text.doubts,
            "key": hex(&key(index, chunk)),
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines
}

/// Reads the models' texts from an [`export`]. Texts written by code are left out, because they are
/// written again.
///
/// # Errors
/// The first line that is not a text.
pub fn read(lines: &str) -> Result<Written, RecordError> {
    let mut written = Written::default();
    for (at, line) in lines.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |why: &str| RecordError::Line {
            line: at + 1,
            why: why.to_owned(),
        };
        let value: Value =
            serde_json::from_str(line).map_err(|_| wrong("it is not a JSON object"))?;
        let field = |name: &str| value.get(name).and_then(Value::as_str);
        let (Some(text), Some(writer)) = (field("text"), field("writer")) else {
            return Err(wrong("“text” or “writer” is missing"));
        };
        let key = field("key").and_then(unhex);
        let key = key.ok_or_else(|| wrong("“key” is not 32 hexadecimal digits"))?;
        if writer != "code" && !text.trim().is_empty() {
            let text = text.chars().take(MAX_CHARACTERS).collect();
            let model = writer.chars().take(200).collect();
            written.0.insert(key, WrittenText { text, model });
        }
    }
    Ok(written)
}

fn hex(key: &ContentKey) -> String {
    key.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<ContentKey> {
    let digits = text.as_bytes().as_chunks::<2>();
    let mut key = [0; 16];
    if digits.0.len() != key.len() || !digits.1.is_empty() {
        return None;
    }
    for (to, pair) in key.iter_mut().zip(digits.0) {
        let pair = std::str::from_utf8(pair).ok()?;
        *to = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(ContentKey(key))
}

/// The models' texts alone, without an index, as they are stored. [`read`] reads them.
pub fn write(written: &Written) -> String {
    let lines = written.0.iter().map(|(key, it)| {
        let line = json!({ "key": hex(key), "writer": it.model, "text": it.text });
        format!("{line}\n")
    });
    lines.collect()
}
