//! A name in a question that several files define: which of them is meant, the question does not
//! say.

use std::collections::BTreeSet;

use super::Extract;
use crate::answer::kinds;
use crate::answer::notes::{DEFINITION, Entry, Source, code, text};
use crate::answer::relevance::is_identifier;
use crate::index::Index;
use crate::lang::{Role, Symbol, SymbolId, SymbolKind};
use crate::lines::LineRange;
use crate::source::FileId;

/// Most files that are named: a name of more, such as `to_string`, is rather a word.
const MOST: usize = 6;

impl<'i> Extract<'_, 'i> {
    /// States the files that define the one name in the question, if there are several.
    pub(super) fn namesakes(&mut self) {
        let words = self.question.text();
        let words = words.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let names: BTreeSet<&str> = words.filter(|word| is_identifier(word)).collect();
        let mut names = names.into_iter();
        let (Some(name), None) = (names.next(), names.next()) else {
            return;
        };
        let found = self.defining(name);
        let files: BTreeSet<FileId> = found.iter().map(|(id, _)| id.file).collect();
        if files.len() < 2 || files.len() > MOST || self.is_placed(&found) {
            return;
        }
        let entry = |(id, symbol): &(SymbolId, &Symbol)| Entry {
            name: self
                .index
                .repo
                .file(id.file)
                .map_or(String::new(), |file| file.path.clone()),
            detail: symbol.qualified.clone(),
            source: Source {
                file: id.file,
                lines: LineRange::new(symbol.name_line, symbol.name_line),
                quotes: vec![symbol.name.clone()],
                why: DEFINITION.to_owned(),
            },
        };
        let entries: Vec<Entry> = found.iter().map(entry).collect();
        let lead = vec![
            code(name.to_owned()),
            text(format!(" is defined in {} files: ", files.len())),
        ];
        self.notes.list(lead, entries);
    }

    /// Returns the functions and classes of this name in source files, without declarations of what
    /// another file defines.
    fn defining(&self, name: &str) -> Vec<(SymbolId, &'i Symbol)> {
        let is_code = |kind: SymbolKind| {
            matches!(kind, SymbolKind::Function | SymbolKind::Method) || kind.is_container()
        };
        let is_source = |file: FileId| {
            let source = self.index.repo.file(file);
            let is_declaration = |path: &str| {
                [".d.ts", ".d.mts", ".d.cts", ".pyi", ".h", ".hpp"]
                    .iter()
                    .any(|end| path.ends_with(end))
            };
            source.is_some_and(|source| {
                Role::of(&source.path) == Role::Source && !is_declaration(&source.path)
            }) && !kinds::is_built(self.index, file)
        };
        let index: &'i Index = self.index;
        let ids: Vec<SymbolId> = index
            .names()
            .of(&index.parsed, name)
            .map(|(id, _)| id)
            .collect();
        let all = ids
            .into_iter()
            .filter_map(|id| Some((id, index.symbol(id)?)));
        all.filter(|(id, symbol)| symbol.name == name && is_code(symbol.kind) && is_source(id.file))
            .collect()
    }

    /// Whether the question names the owner or the file of one of the definitions, too.
    fn is_placed(&self, found: &[(SymbolId, &Symbol)]) -> bool {
        let lower = self.question.text().to_lowercase();
        let words: BTreeSet<&str> = lower
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        found.iter().any(|(id, symbol)| {
            let path = self.index.repo.file(id.file);
            let path = path.map_or(String::new(), |file| file.path.to_lowercase());
            let stem = path
                .rsplit('/')
                .next()
                .and_then(|name| name.split('.').next());
            let owner = symbol.qualified.to_lowercase();
            let owner = owner.rsplit_once('.').map(|(owner, _)| owner.to_owned());
            let owner = owner.as_deref().and_then(|owner| owner.rsplit('.').next());
            let own = symbol.name.to_lowercase();
            [stem, owner]
                .into_iter()
                .flatten()
                .any(|part| part != own && words.contains(part))
        })
    }
}
