//! Finds what a piece of unfinished code needs from the repository: RepoBench's first question
//! ("which snippet does the next line use"), asked from an editor's clipboard.
//!
//! [`Fragment`] is the code as given; [`Reader::needs`] finds what it imports, names and resembles,
//! best first, each with its reasons.

mod read;
mod resolve;
mod score;
#[cfg(test)]
mod tests;
mod wording;

pub use score::Weights;
pub use wording::{Fragment, LAST_LINES, is_asked, question};

use std::collections::BTreeMap;

use crate::hash::FastMap;
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::lang::resolve::Facts;
use crate::lang::{Language, SymbolKind};
use crate::lines::Line;
use crate::source::FileId;
use read::{Code, Name};
use resolve::{Imported, Leads};

/// Maximum number of needs that are returned.
pub const MAX_NEEDS: usize = 10;

/// Maximum number of definitions with one name that may all be meant.
const MAX_OF_NAME: usize = 3;

/// A definition that the code needs, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The definition.
    pub symbol: SymbolId,
    /// The line of the code that imports it.
    pub imported: Option<Line>,
    /// The lines of the code that name it, ascending.
    pub used: Vec<Line>,
    /// Whether one of the last lines names it.
    pub is_in_last: bool,
    /// How much the last lines resemble it, 0–1.
    pub similarity: f32,
    /// The score that needs are ranked by.
    pub score: f32,
}

/// A name that was not found in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The name.
    pub name: String,
    /// The line of the code that contains it.
    pub line: Line,
    /// The file that it is imported from; `None` if the name is only called.
    pub file: Option<FileId>,
}

/// What the code needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Needs {
    /// The language it was read as.
    pub language: Language,
    /// The number of last lines that counted most.
    pub last_lines: usize,
    /// Best first, at most [`MAX_NEEDS`].
    pub needs: Vec<Need>,
    /// Files that it imports as a whole, with the lines.
    pub files: Vec<(FileId, Line)>,
    /// Names that were not found.
    pub unknown: Vec<Unknown>,
}

/// Reads unfinished code against one repository. Creating one looks at all its files.
pub struct Reader<'i> {
    index: &'i Index,
    facts: Facts,
    /// The names that the repository's own code calls.
    called: FastMap<&'i str, ()>,
}

impl<'i> Reader<'i> {
    /// Creates a reader for what `index` holds.
    pub fn new(index: &'i Index) -> Self {
        let calls = index.parsed.iter().flat_map(|parsed| &parsed.calls);
        Self {
            index,
            facts: Facts::new(&index.repo, &index.parsed),
            called: calls.map(|call| (call.name.as_str(), ())).collect(),
        }
    }

    /// Returns what the code needs, best first.
    pub fn needs(&self, fragment: &Fragment) -> Needs {
        let code = Code::new(self.index, fragment);
        let imported = resolve::imported(self.index, &self.facts, &code);
        let mut found = self.found(&code, &imported);
        let similar = score::similar(self.index, &code);
        for symbol in similar.keys() {
            found.entry(*symbol).or_default();
        }
        let mut needs = score::ranked(self.index, &code, found, &similar, &Weights::NEEDS);
        needs.truncate(MAX_NEEDS);
        Needs {
            language: code.parsed.language,
            last_lines: fragment.last_lines,
            needs,
            files: files(&imported),
            unknown: self.unknown(&code, &imported),
        }
    }

    /// Returns how much the code needs each of these definitions; larger is more.
    pub fn scores(
        &self,
        fragment: &Fragment,
        candidates: &[SymbolId],
        weights: &Weights,
    ) -> Vec<f32> {
        let code = Code::new(self.index, fragment);
        let imported = resolve::imported(self.index, &self.facts, &code);
        let mut found = self.found(&code, &imported);
        found.retain(|symbol, _| candidates.contains(symbol));
        for symbol in candidates {
            found.entry(*symbol).or_default();
        }
        let similar = score::similar_among(self.index, &code, candidates);
        let ranked = score::ranked(self.index, &code, found, &similar, weights);
        let score = |symbol: &SymbolId| ranked.iter().find(|it| it.symbol == *symbol);
        let scores = candidates.iter().map(score);
        scores.map(|need| need.map_or(0.0, |it| it.score)).collect()
    }

    /// Returns what the code imports and names.
    fn found(&self, code: &Code, imported: &[Imported]) -> BTreeMap<SymbolId, Found> {
        let mut found: BTreeMap<SymbolId, Found> = BTreeMap::new();
        for it in imported {
            if let Leads::Symbol(symbol) = it.leads {
                found
                    .entry(symbol)
                    .or_default()
                    .imported
                    .get_or_insert(it.line);
            }
        }
        let mut names = Names {
            reader: self,
            code,
            imported,
            by_name: FastMap::default(),
        };
        for name in &code.names {
            if imported.iter().any(|it| it.line == name.line) {
                continue;
            }
            for (symbol, import) in names.meant(name, &found) {
                let entry = found.entry(symbol).or_default();
                entry.imported = entry.imported.or(import);
                if entry.used.last() != Some(&name.line) {
                    entry.used.push(name.line);
                }
                entry.is_member |= name.of.is_some();
            }
        }
        found
    }

    /// Returns names that neither the code nor the repository defines.
    fn unknown(&self, code: &Code, imported: &[Imported]) -> Vec<Unknown> {
        const MOST: usize = 6;
        let mut unknown: Vec<Unknown> = Vec::new();
        for it in imported {
            if let Leads::Nameless(file) = it.leads {
                unknown.push(Unknown {
                    name: it.name.clone(),
                    line: it.line,
                    file: Some(file),
                });
            }
        }
        let family = code.parsed.language.spec().family;
        let is_known = |name: &Name| {
            let text = name.text.as_str();
            code.own.contains(text)
                || imported.iter().any(|it| it.name == text)
                || self.called.contains_key(text)
                || family.globals.split_whitespace().any(|it| it == text)
                || self
                    .index
                    .names()
                    .of(&self.index.parsed, text)
                    .next()
                    .is_some()
        };
        let imports_all = imported.iter().any(|it| matches!(it.leads, Leads::All(_)));
        let called = code
            .names
            .iter()
            .filter(|it| it.is_called && it.of.is_none());
        for name in called.filter(|it| code.is_last(it.line) && !is_known(it) && !imports_all) {
            if !unknown.iter().any(|it| it.name == name.text) {
                unknown.push(Unknown {
                    name: name.text.clone(),
                    line: name.line,
                    file: None,
                });
            }
        }
        unknown.truncate(MOST);
        unknown
    }
}

/// What was found about one definition.
#[derive(Clone, Debug, Default)]
struct Found {
    imported: Option<Line>,
    used: Vec<Line>,
    is_member: bool,
}

/// Returns the files that are imported as a whole.
fn files(imported: &[Imported]) -> Vec<(FileId, Line)> {
    let mut files: Vec<(FileId, Line)> = Vec::new();
    for it in imported {
        if let Leads::File(file) | Leads::All(file) = it.leads
            && !files.iter().any(|(known, _)| *known == file)
        {
            files.push((file, it.line));
        }
    }
    files
}

/// What names mean.
struct Names<'r, 'i> {
    reader: &'r Reader<'i>,
    code: &'r Code,
    imported: &'r [Imported],
    by_name: FastMap<&'r str, Vec<SymbolId>>,
}

impl<'r> Names<'r, '_> {
    /// Returns the definitions that a name may mean, with the lines of their imports.
    fn meant(
        &mut self,
        name: &'r Name,
        found: &BTreeMap<SymbolId, Found>,
    ) -> Vec<(SymbolId, Option<Line>)> {
        let text = name.text.as_str();
        match &name.of {
            Some(owner) => self.member(owner, text, found),
            None => self.bare(text),
        }
    }

    fn bare(&mut self, text: &'r str) -> Vec<(SymbolId, Option<Line>)> {
        let index = self.reader.index;
        let mut of_imports = self.imported.iter().filter(|it| it.name == text).peekable();
        if of_imports.peek().is_some() {
            let symbols = of_imports.filter_map(|it| match it.leads {
                Leads::Symbol(symbol) => Some((symbol, Some(it.line))),
                _ => None,
            });
            return symbols.collect();
        }
        if self.code.own.contains(text) {
            return Vec::new();
        }
        let all = self.imported.iter().filter_map(|it| match it.leads {
            Leads::All(file) => Some((resolve::definition(index, file, text)?, Some(it.line))),
            _ => None,
        });
        let all: Vec<_> = all.collect();
        if !all.is_empty() {
            return all;
        }
        let of_name = self.of_name(text).iter();
        of_name.map(|symbol| (*symbol, None)).collect()
    }

    /// Returns the definitions that another file can refer to by this name, if they are few.
    fn of_name(&mut self, text: &'r str) -> &[SymbolId] {
        let index = self.reader.index;
        let family = self.code.parsed.language.spec().family;
        self.by_name.entry(text).or_insert_with(|| {
            let all = index.names().of(&index.parsed, text);
            let all = all.filter(|(id, symbol)| {
                let parsed = index.parsed.get(id.file.0 as usize);
                let is_top = symbol.parent.is_none() && symbol.kind != SymbolKind::Method;
                is_top && parsed.is_some_and(|it| it.language.spec().family == family)
            });
            let all: Vec<SymbolId> = all.map(|(id, _)| id).take(MAX_OF_NAME + 1).collect();
            let is_telling = text.len() > 2 && all.len() <= MAX_OF_NAME;
            if is_telling { all } else { Vec::new() }
        })
    }

    fn member(
        &self,
        owner: &str,
        text: &str,
        found: &BTreeMap<SymbolId, Found>,
    ) -> Vec<(SymbolId, Option<Line>)> {
        let index = self.reader.index;
        let of_file = self.imported.iter().find_map(|it| match it.leads {
            Leads::File(file) if it.name == owner || last_part(&it.name) == owner => {
                Some((resolve::definition(index, file, text)?, Some(it.line)))
            }
            _ => None,
        });
        if let Some(found) = of_file {
            return vec![found];
        }
        // A member of a class that the code imports or names.
        let members = index.names().of(&index.parsed, text);
        let members = members.filter(|(id, symbol)| {
            let class = symbol.parent.map(|at| SymbolId { file: id.file, at });
            class.is_some_and(|class| found.contains_key(&class))
        });
        members
            .map(|(id, _)| (id, None))
            .take(MAX_OF_NAME)
            .collect()
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
