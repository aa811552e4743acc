//! The text of a chunk that an encoder reads.

use super::{Chunk, ChunkKind, Metadata};
use crate::lang::{Parsed, Symbol};
use crate::lines::{Line, LineIndex};
use crate::source::SourceFile;

/// The encoder sees about 256 tokens; these never span more bytes than this.
const MAX_BYTES: usize = 3_000;

/// What an encoder reads before a chunk's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// The file's name and the qualified symbol; the app uses this. The directory is left out, so
    /// that a file that moves between versions keeps its vectors.
    #[default]
    Symbol,
    /// `FILEPATH: ` and the path (Grounded, section 3.1).
    FilePath,
    /// The file, its module, whether the chunk holds a class or a function, and what the file
    /// imports (RepoQA-SA, section 3.1).
    Metadata,
}

/// A header (the file's name and the qualified symbol), then the chunk's text. The directory is
/// left out, so that a file that moves between versions keeps its vectors. Parts that do not hold
/// their symbol's first line also get its signature and documentation.
pub fn embedding_text(file: &SourceFile, parsed: &Parsed, chunk: &Chunk) -> String {
    let index = LineIndex::new(&file.text);
    let body = index.slice(&file.text, chunk.lines).unwrap_or_default();
    with_header(Header::Symbol, &file.path, parsed, chunk, body)
}

/// As [`embedding_text`], for a caller that has the chunk's text.
pub(crate) fn with_header(
    header: Header,
    path: &str,
    parsed: &Parsed,
    chunk: &Chunk,
    body: &str,
) -> String {
    let body = prefix(body.trim(), MAX_BYTES);
    match header {
        Header::Symbol => with_symbol(path, parsed, chunk, body),
        Header::FilePath => format!("FILEPATH: {path}\n{body}"),
        Header::Metadata => {
            let metadata = Metadata::new(path, parsed, chunk);
            format!("{}\n{body}", metadata.header())
        }
    }
}

fn with_symbol(path: &str, parsed: &Parsed, chunk: &Chunk, body: &str) -> String {
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
    text.push_str(body);
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

/// The longest prefix of at most `limit` bytes that ends at a character boundary.
fn prefix(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}
