//! The syntax of the definitions that an answer speaks of.

use super::definition::Definition;
use super::prose::{Quote, Sentence, is_field, quote, sentences};
use crate::index::Index;
use crate::parse::shape::{Implemented, Shape};
use crate::source::FileId;

/// Shapes of definitions, which the index makes when they are first asked for.
pub(super) struct Syntax<'i> {
    index: &'i Index,
}

impl<'i> Syntax<'i> {
    pub(crate) fn new(index: &'i Index) -> Self {
        Self { index }
    }

    /// The shape of a definition; an empty one, which proves nothing, if it cannot be read.
    pub(crate) fn shape(&self, definition: &Definition<'_>) -> Shape {
        let file = self.index.shapes(definition.file);
        let shape = file.symbols.get(definition.at as usize);
        shape.cloned().unwrap_or_default()
    }

    /// The implementations of a file that stand apart from their types.
    pub(crate) fn implemented(&self, file: FileId) -> Vec<Implemented> {
        let file = self.index.shapes(file);
        file.implemented.clone()
    }

    /// What the documentation of a definition says first; `None` if it has none, or none that can
    /// be quoted.
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
        // A sentence that was cut may have had a condition behind the cut.
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

/// The sentence with which `doc`, the start of a documentation, begins.
fn begin(sentences: &[Sentence], doc: &str) -> Option<usize> {
    let doc = doc.trim_end_matches('…');
    sentences.iter().position(|sentence| {
        let text = sentence.text.trim_end_matches(" …");
        doc.starts_with(text) || text.starts_with(doc)
    })
}

/// `@param x`, `\param x`, `:param x:`: from here on a documentation describes parts.
fn is_tag(line: &str) -> bool {
    line.trim_start().starts_with(['@', '\\']) || is_field(line)
}
