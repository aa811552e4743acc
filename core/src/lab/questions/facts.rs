//! Counts over a whole repository, computed once for all kinds.

use std::collections::{HashMap, HashSet};

use super::mentions::mentions;
use super::world::{BUILT, role};
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::lang::resolve::names::{digest, file_name};
use crate::lang::{Parsed, Role};
use crate::source::FileId;

/// How often each name occurs, by the name's digest.
#[derive(Default)]
pub(super) struct Names(HashMap<u64, u32>);

impl Names {
    fn add(&mut self, name: &str) {
        *self.0.entry(digest(name)).or_default() += 1;
    }

    pub(super) fn count(&self, name: &str) -> u32 {
        self.0.get(&digest(name)).copied().unwrap_or(0)
    }
}

/// Counts over a repository, without files that a build produced.
#[derive(Default)]
pub(super) struct Facts {
    /// One for each file.
    pub roles: Vec<Role>,
    /// Definitions in code, by name and by qualified name.
    pub names: Names,
    pub qualified: Names,
    /// Files by name.
    pub files: Names,
    /// Calls, by the called name, whatever it refers to.
    pub calls: Names,
    /// Names in code, calls included, without definitions, imports, comments and strings.
    pub mentions: Names,
    /// Definitions that a test runner calls because of what precedes them: `#[tokio::test]`,
    /// `@Test`.
    pub marked: HashSet<SymbolId>,
}

impl Facts {
    pub(super) fn new(index: &Index) -> Self {
        let mut facts = Self::default();
        let all = (0..)
            .map(FileId)
            .zip(&index.repo.files)
            .zip(index.parsed.iter());
        for ((id, file), parsed) in all {
            let role = role(index, &file.path);
            facts.roles.push(role);
            if role == BUILT {
                continue;
            }
            facts.files.add(file_name(&file.path));
            if parsed.language.is_code() {
                facts.add(id, &file.text, parsed);
            }
        }
        facts
    }

    fn add(&mut self, file: FileId, text: &str, parsed: &Parsed) {
        for symbol in &parsed.symbols {
            self.names.add(&symbol.name);
            self.qualified.add(&symbol.qualified);
        }
        for call in &parsed.calls {
            self.calls.add(&call.name);
        }
        for name in mentions(text, parsed) {
            self.mentions.add(name);
        }
        let is_mark = |row: &str| {
            let row = row.trim_start();
            (row.starts_with("#[") || row.starts_with('@')) && row.to_lowercase().contains("test")
        };
        let rows = (1u32..).zip(text.lines());
        let marks: Vec<u32> = rows
            .filter(|(_, row)| is_mark(row))
            .map(|(at, _)| at)
            .collect();
        for (at, symbol) in (0..).zip(&parsed.symbols) {
            let (start, end) = (symbol.lines.start().0, symbol.name_line.0);
            let next = marks.partition_point(|mark| *mark < start);
            if marks.get(next).is_some_and(|mark| *mark < end) {
                self.marked.insert(SymbolId { file, at });
            }
        }
    }
}
