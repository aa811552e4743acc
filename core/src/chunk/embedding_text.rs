//! What an encoder reads of a chunk.

use super::{Chunk, ChunkKind};
use crate::lang::{Parsed, Symbol};
use crate::lines::{Line, LineIndex};
use crate::source::SourceFile;

/// The encoder sees about 256 tokens; more characters than these are never among them.
const MAX_BYTES: usize = 3_000;

/// A header – the file's name, the symbol with its owners – then the chunk's text. Without the
/// directory, so that a file which moves between versions keeps its vectors. Parts that do not hold
/// their symbol's first line get its signature and documentation too.
pub fn embedding_text(file: &SourceFile, parsed: &Parsed, chunk: &Chunk) -> String {
    let index = LineIndex::new(&file.text);
    let body = index.slice(&file.text, chunk.lines).unwrap_or_default();
    with_header(&file.path, parsed, chunk, body)
}

/// As [`embedding_text`], where the chunk's text is at hand.
pub(crate) fn with_header(path: &str, parsed: &Parsed, chunk: &Chunk, body: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let symbol = chunk.symbol.and_then(|at| parsed.symbols.get(at as usize));
    let mut text = String::with_capacity(body.len().min(MAX_BYTES) + 200);
    text.push_str(name);
    if let Some(symbol) = symbol {
        text.push(' ');
        text.push_str(&symbol.qualified);
        if chunk.kind == ChunkKind::Part && !holds(chunk, symbol.name_line) {
            push_signature(&mut text, symbol);
        }
    }
    text.push('\n');
    text.push_str(prefix(body.trim(), MAX_BYTES));
    text
}

fn push_signature(text: &mut String, symbol: &Symbol) {
    for line in [&symbol.signature, &symbol.doc] {
        if !line.is_empty() {
            text.push('\n');
            text.push_str(line);
        }
    }
}

fn holds(chunk: &Chunk, line: Line) -> bool {
    chunk.lines.contains(line)
}

/// The longest prefix of at most `limit` bytes that does not cut a character.
fn prefix(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}
