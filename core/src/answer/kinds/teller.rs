//! What the kinds share: the current question, and the ways to put an answer into sentences.

use super::subject::{self, Subject};
use crate::answer::Span;
use crate::answer::definition::Definition;
use crate::answer::notes::{DEFINITION, Entry, Notes, Source, code, text, tidy};
use crate::answer::syntax::Syntax;
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::lang::{Symbol, SymbolKind};
use crate::lines::LineRange;
use crate::search::Question;
use crate::source::FileId;

/// A question that is being answered.
pub(super) struct Teller<'a, 'i> {
    pub index: &'i Index,
    pub question: &'a Question,
    pub notes: &'a mut Notes<'i>,
    /// The syntax of definitions, read on demand.
    pub syntax: Syntax<'i>,
    /// What the reader should know about how the question was read, as a sentence.
    pub note: Option<String>,
    /// Whether the question surely asks for an exact answer, even if none could be given.
    pub is_recognised: bool,
    /// Whether the statements, though true, may not answer the question.
    pub is_guess: bool,
}

impl<'a, 'i> Teller<'a, 'i> {
    pub(crate) fn new(index: &'i Index, question: &'a Question, notes: &'a mut Notes<'i>) -> Self {
        Self {
            index,
            question,
            notes,
            syntax: Syntax::new(index),
            note: None,
            is_recognised: false,
            is_guess: false,
        }
    }

    /// Returns what the words name: a file, a folder, definitions, a library or the project.
    pub(crate) fn subject(&self, words: &str) -> Option<Subject> {
        subject::find(self.index, words)
    }

    /// Returns the files that the words name; those of the project's own code if there are no
    /// words.
    pub(crate) fn files(&self, words: &str) -> Option<(Vec<FileId>, Vec<Span>)> {
        let found = match words.is_empty() {
            true => Subject::Project,
            false => self.subject(words)?,
        };
        let files = super::evidence::files(self.index, &found);
        let shown = match found {
            Subject::Project => vec![text("The project’s own code")],
            Subject::Files(_, name) => vec![code(name)],
            _ => return None,
        };
        Some((files, shown))
    }

    /// Like [`Teller::subject`], but only for definitions.
    pub(crate) fn symbols_subject(&self, words: &str) -> Option<Subject> {
        subject::find_symbols(self.index, words)
    }

    /// Returns the definitions that the words name.
    pub(crate) fn symbols(&self, words: &str) -> Option<(Vec<SymbolId>, String)> {
        match subject::find_symbols(self.index, words)? {
            Subject::Symbols(symbols, name) => Some((symbols, name)),
            _ => None,
        }
    }

    pub(crate) fn definition(&self, id: SymbolId) -> Option<Definition<'i>> {
        Definition::new(self.index, id.file, id.at)
    }

    /// Returns a definition if it is a method.
    pub(crate) fn method(&self, id: SymbolId) -> Option<&'i Symbol> {
        let symbol = self.index.symbol(id)?;
        (symbol.kind == SymbolKind::Method).then_some(symbol)
    }

    /// Returns everything with exactly this name, headings and keys included, by file.
    pub(crate) fn by_name(&self, name: &str) -> Vec<SymbolId> {
        self.index.names().every(&self.index.parsed, name)
    }

    /// Returns the repository's name without its version: `requests` of `requests-2.32.5`.
    pub(crate) fn own_name(&self) -> &'i str {
        let name = &self.index.repo.name;
        let is_version = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        let split = name.rsplit_once('-');
        split
            .filter(|(_, rest)| is_version(rest))
            .map_or(name, |(name, _)| name)
    }

    pub(crate) fn path(&self, file: FileId) -> &'i str {
        self.index.repo.file(file).map_or("", |file| &file.path)
    }

    pub(crate) fn file_text(&self, file: FileId) -> &'i str {
        self.index.repo.file(file).map_or("", |file| &file.text)
    }

    /// Returns the definitions of a file, with their ids.
    pub(crate) fn defined_in(
        &self,
        file: FileId,
    ) -> impl Iterator<Item = (SymbolId, &'i Symbol)> + use<'i> {
        let parsed = self.index.parsed.get(file.0 as usize);
        let symbols = parsed.map_or(&[][..], |parsed| &parsed.symbols);
        (0..)
            .zip(symbols)
            .map(move |(at, symbol)| (SymbolId { file, at }, symbol))
    }

    /// Returns a definition as a list entry, proven by the line with its name.
    pub(crate) fn defined(&self, id: SymbolId) -> Option<Entry> {
        let symbol = self.index.symbol(id)?;
        Some(Entry {
            name: symbol.qualified.clone(),
            detail: String::new(),
            source: Source {
                file: id.file,
                lines: LineRange::new(symbol.name_line, symbol.name_line),
                quotes: vec![symbol.name.clone()],
                why: DEFINITION.to_owned(),
            },
        })
    }

    /// States `lead`, the names of the entries, and a full stop. All entries can be opened below
    /// it.
    pub(crate) fn list(&mut self, lead: Vec<Span>, entries: Vec<Entry>) -> bool {
        self.notes.list(lead, entries)
    }

    /// States one sentence; adds a full stop.
    pub(crate) fn say(&mut self, mut spans: Vec<Span>, sources: &[Source]) -> bool {
        spans.push(text("."));
        self.notes.state(tidy(spans), sources)
    }
}

/// Returns a number with its noun: `3 files`, `1 file`.
pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}
