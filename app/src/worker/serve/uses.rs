//! Who uses a file and its definitions, and what they use, for the outline.

use std::collections::BTreeMap;

use footnote_core::index::Index;
use footnote_core::index::graph::{CallLink, ImportLink, SymbolId, Target};
use footnote_core::lines::Line;
use footnote_core::source::FileId;

use crate::worker::protocol::{SymbolUsesView, UseList, UseView, UsesView};

/// Most entries of a list; a function of a large repository can have thousands of callers.
const MAX_ENTRIES: usize = 60;

/// Returns `None` if there is no such file.
pub fn of_file(index: &Index, path: &str) -> Option<UsesView> {
    uses(index, index.repo.find(path)?)
}

fn uses(index: &Index, file: FileId) -> Option<UsesView> {
    let (source, parsed) = index.file(file)?;
    let graph = &index.graph;
    let importers = graph.importers(file).filter(|link| link.file != file);
    let imports = graph.imports(file).iter();
    let ids = (0..).map(|at| SymbolId { file, at });
    let symbols = ids.zip(&parsed.symbols);
    let has_node = symbols.filter(|(id, _)| graph.symbol_node(*id).is_some());
    Some(UsesView {
        path: source.path.clone(),
        used_by: list(importers.filter_map(|link| importer(index, link))),
        uses: list(imports.filter_map(|link| imported(index, link))),
        symbols: has_node
            .map(|(id, symbol)| SymbolUsesView {
                kind: symbol.kind.name().to_owned(),
                qualified: symbol.qualified.clone(),
                start: symbol.lines.start().0,
                end: symbol.lines.end().0,
                used_by: list(users(index, id)),
                uses: list(used(index, id)),
            })
            .collect(),
    })
}

/// Collects each distinct other end with its first line, in order of appearance.
fn list(all: impl Iterator<Item = UseView>) -> UseList {
    let mut known: BTreeMap<(String, String), ()> = BTreeMap::new();
    let mut found = UseList::default();
    for one in all {
        let key = (one.name.clone(), one.path.clone());
        if known.insert(key, ()).is_some() {
            continue;
        }
        found.total += 1;
        if found.entries.len() < MAX_ENTRIES {
            found.entries.push(one);
        }
    }
    found
}

fn importer(index: &Index, link: &ImportLink) -> Option<UseView> {
    let path = path(index, link.file)?;
    Some(certain(path.clone(), path, link.lines.start()))
}

fn imported(index: &Index, link: &ImportLink) -> Option<UseView> {
    let name = match link.target {
        Target::File(target) if target == link.file => return None,
        Target::File(target) => path(index, target)?,
        Target::Library(id) => index.graph.library(id).to_owned(),
        Target::Missing => return None,
    };
    Some(certain(name, path(index, link.file)?, link.lines.start()))
}

/// Callers and subclasses of a definition.
fn users(index: &Index, id: SymbolId) -> impl Iterator<Item = UseView> {
    let subclasses = index.graph.subclasses(id).into_iter();
    let subclasses = subclasses.filter_map(move |(class, line)| {
        Some(certain(name(index, class)?, path(index, class.file)?, line))
    });
    let callers = index.graph.callers(id).into_iter();
    let callers = callers.filter(move |call| call.caller != Some(id));
    subclasses.chain(callers.filter_map(move |call| {
        let caller = match call.caller {
            Some(caller) => name(index, caller)?,
            None => path(index, call.file)?,
        };
        called(index, caller, &call)
    }))
}

/// The definitions that a definition calls or inherits from.
fn used(index: &Index, id: SymbolId) -> impl Iterator<Item = UseView> {
    let bases = index.graph.bases(id).into_iter();
    let bases = bases.filter_map(move |(class, line)| {
        Some(certain(name(index, class)?, path(index, id.file)?, line))
    });
    let callees = index.graph.callees(id).into_iter();
    let callees = callees.filter(move |call| call.callee != id);
    bases.chain(callees.filter_map(move |call| called(index, name(index, call.callee)?, &call)))
}

fn called(index: &Index, name: String, call: &CallLink) -> Option<UseView> {
    Some(UseView {
        is_certain: call.is_certain(),
        ..certain(name, path(index, call.file)?, call.line)
    })
}

fn certain(name: String, path: String, line: Line) -> UseView {
    UseView {
        name,
        path,
        line: line.0,
        is_certain: true,
    }
}

fn name(index: &Index, id: SymbolId) -> Option<String> {
    let (_, parsed) = index.file(id.file)?;
    Some(parsed.symbols.get(id.at as usize)?.qualified.clone())
}

fn path(index: &Index, file: FileId) -> Option<String> {
    Some(index.repo.file(file)?.path.clone())
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::index;
    use super::*;

    fn said(list: &UseList) -> Vec<String> {
        let entries = list.entries.iter();
        entries
            .map(|entry| format!("{} {}:{}", entry.name, entry.path, entry.line))
            .collect()
    }

    #[test]
    fn a_file_is_used_by_its_importers_and_uses_what_it_imports() {
        let index = index();
        let of = |path| uses(&index, index.repo.find(path).unwrap()).unwrap();
        assert_eq!(
            said(&of("mail/parts.py").used_by),
            ["mail/office.py mail/office.py:2"]
        );
        assert_eq!(
            said(&of("mail/office.py").uses),
            ["socket mail/office.py:1", "mail/parts.py mail/office.py:2"]
        );
    }

    #[test]
    fn a_definition_is_used_by_its_callers_once_each_and_uses_what_it_calls() {
        let index = index();
        let parts = uses(&index, index.repo.find("mail/parts.py").unwrap()).unwrap();
        let pack = &parts.symbols[0];
        assert_eq!(pack.qualified, "pack");
        assert_eq!(said(&pack.used_by), ["open mail/office.py:5"]);
        assert_eq!(said(&pack.uses), ["fold mail/parts.py:2"]);
    }

    #[test]
    fn long_lists_are_cut_but_counted() {
        let many = (0..100).map(|at| certain(at.to_string(), "a.py".into(), Line(at + 1)));
        let list = list(many);
        assert_eq!((list.total, list.entries.len()), (100, MAX_ENTRIES));
    }
}
