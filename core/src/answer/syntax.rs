//! The syntax of the definitions that an answer mentions.

use super::definition::Definition;
use super::prose::{Quote, Sentence, is_field, quote, sentences};
use crate::index::Index;
use crate::parse::shape::{Implemented, Shape};
use crate::source::FileId;

/// Shapes of definitions, which the index computes on first use.
pub(super) struct Syntax<'i> {
    index: &'i Index,
}

impl<'i> Syntax<'i> {
    pub(crate) fn new(index: &'i Index) -> Self {
        Self { index }
    }

    /// Returns the shape of a definition; if it cannot be read, an empty one, which proves nothing.
    pub(crate) fn shape(&self, definition: &Definition<'_>) -> Shape {
        let file = self.index.shapes(definition.file);
        let shape = file.symbols.get(definition.at as usize);
        shape.cloned().unwrap_or_default()
    }

    /// Returns the implementations in a file that are written apart from their types.
    pub(crate) fn implemented(&self, file: FileId) -> Vec<Implemented> {
        let file = self.index.shapes(file);
        file.implemented.clone()
    }

    /// Returns what a definition's documentation says first; `None` if it has none, or none that
    /// can be quoted.
    pub(crate) fn quote(&self, definition: &Definition<'_>) -> Option<Quote> {
        let doc = definition.symbol.doc.trim();
        if doc.split_whitespace().count() < 2 || doc.starts_with([':', '@', '\\']) {
            return None;
        }
        let shape = self.shape(definition);
        let whole = shape.documentation.iter().flat_map(|documentation| {
            let text: Vec<&str> = documentation
                .text
                .iter()
                .map(String::as_str)
                .take_while(|line| !is_tag(line))
                .collect();
            sentences(&text.join("\n"), documentation.lines.start())
        });
        let whole: Vec<Sentence> = whole.collect();
        if let Some(at) = begin(&whole, doc) {
            return quote(&whole, at);
        }
        // A sentence that was cut may have had a condition after the cut.
        let only = Sentence {
            text: doc.to_owned(),
            lines: definition.symbol.lines,
        };
        match doc.ends_with('…') {
            true => None,
            false => quote(&[only], 0),
        }
    }
}

/// Returns the sentence that `doc`, the start of the documentation, begins with.
fn begin(sentences: &[Sentence], doc: &str) -> Option<usize> {
    let doc = doc.trim_end_matches('…');
    sentences.iter().position(|sentence| {
        let text = sentence.text.trim_end_matches(" …");
        doc.starts_with(text) || text.starts_with(doc)
    })
}

/// Whether a line is a tag (`@param x`, `\param x`, `:param x:`), after which documentation
/// describes parts.
fn is_tag(line: &str) -> bool {
    line.trim_start().starts_with(['@', '\\']) || is_field(line)
}
