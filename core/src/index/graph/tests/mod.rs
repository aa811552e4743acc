//! Small repositories in every language, and where their imports and calls lead.

mod calls;
mod imports;
mod inside;
mod types;

use super::*;
use crate::chunk::Chunking;
use crate::index::{Index, IndexBuilder, format};
use crate::job::run_to_end;
use crate::source::{Repo, SourceFile};
use calls::CALLS;

pub(super) fn index(files: &[(&str, &str)]) -> Index {
    let mut files: Vec<SourceFile> = files
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let repo = Repo {
        name: "sample-1.0".to_owned(),
        files,
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
}

fn path(index: &Index, file: FileId) -> &str {
    &index.repo.file(file).unwrap().path
}

fn symbol(index: &Index, qualified: &str) -> SymbolId {
    for (file, parsed) in (0..).map(FileId).zip(index.parsed.iter()) {
        for (at, symbol) in (0..).zip(&parsed.symbols) {
            if symbol.qualified == qualified {
                return SymbolId { file, at };
            }
        }
    }
    panic!("no symbol {qualified}")
}

pub(super) fn name(index: &Index, id: SymbolId) -> &str {
    &index.parsed[id.file.0 as usize].symbols[id.at as usize].qualified
}

/// Returns `line target`, where a target is a path, `lib:name` or `missing`.
pub(super) fn imports(index: &Index, from: &str) -> Vec<String> {
    let file = index.repo.find(from).unwrap();
    let mut found: Vec<String> = Vec::new();
    for link in index.graph.imports(file) {
        let target = match link.target {
            Target::File(file) => path(index, file).to_owned(),
            Target::Library(id) => format!("lib:{}", index.graph.library(id)),
            Target::Missing => "missing".to_owned(),
        };
        let line = format!("{} {target}", link.lines.start().0);
        if !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

#[test]
fn callers_importers_bases_and_paths_are_found_from_the_other_end() {
    let index = index(CALLS[0].0);
    let graph = &index.graph;
    let callers = graph.callers(symbol(&index, "Base.start"));
    assert_eq!(name(&index, callers[0].caller.unwrap()), "App.run");
    let util = index.repo.find("util.py").unwrap();
    let importers: Vec<_> = graph
        .importers(util)
        .map(|link| path(&index, link.file))
        .collect();
    assert_eq!(importers, ["app.py", "app.py"]);
    let bases = graph.bases(symbol(&index, "App"));
    assert_eq!(bases, [(symbol(&index, "Base"), Line(6))]);
    assert_eq!(
        graph.subclasses(symbol(&index, "Base")),
        [(symbol(&index, "App"), Line(6))]
    );
    let near = graph.neighbours(index.repo.find("base.py").unwrap(), 3);
    let near: Vec<_> = near
        .iter()
        .map(|(file, hops)| (path(&index, *file), *hops))
        .collect();
    assert_eq!(near, [("app.py", 1), ("util.py", 2), ("impl.py", 3)]);
    let way = graph
        .shortest_path(symbol(&index, "App.stop"), symbol(&index, "Base.start"))
        .unwrap();
    assert_eq!(way.len(), 3);
    assert_eq!(way[1].symbol(), Some(symbol(&index, "App.run")));
}

#[test]
fn imported_things_are_distinguished_through_reexports() {
    let index = index(&[
        (
            "pkg/__init__.py",
            "from .a import C, f, LIMIT\nfrom . import a\n",
        ),
        ("pkg/a.py", "class C: ...\ndef f(): ...\nLIMIT = 1\n"),
        (
            "main.py",
            "from pkg import C, f, LIMIT, a\nimport sys\nfrom json import load\n",
        ),
    ]);
    let links = index.graph.imports(index.repo.find("main.py").unwrap());
    let kinds: Vec<_> = links.iter().map(|link| (link.kind, link.thing)).collect();
    assert_eq!(
        kinds,
        [
            (ImportKind::FromFile, Some(Thing::Class)),
            (ImportKind::FromFile, Some(Thing::Function)),
            (ImportKind::FromFile, Some(Thing::Assignment)),
            (ImportKind::FromFile, Some(Thing::Module)),
            (ImportKind::Library, None),
            (ImportKind::FromLibrary, None),
        ]
    );
    assert_eq!(links[0].symbol, Some(symbol(&index, "C")));
}

#[test]
fn circular_imports_and_inheritance_end() {
    let index = index(&[
        (
            "a.py",
            "from b import *\nclass A(B):\n    def f(self):\n        self.missing_everywhere()\n        unknown()\n",
        ),
        (
            "b.py",
            "from a import *\nfrom a import unknown\nclass B(A): ...\n",
        ),
        ("x.rs", "mod x;\nuse self::x::y;\n"),
    ]);
    assert_eq!(index.graph.callees(symbol(&index, "A.f")), []);
    assert_eq!(index.graph.stats().inherits, 2);
}

#[test]
fn a_saved_index_opens_with_the_same_graph() {
    let index = index(CALLS[0].0);
    let sections = format::encode(&index);
    let read =
        format::decode(sections.map(|section| (section.name, section.into_bytes()))).unwrap();
    assert_eq!(read.graph.stats(), index.graph.stats());
    assert_eq!(read.graph.all_imports(), index.graph.all_imports());
    assert!(read.graph.stats().calls.resolved_share() > 0.9);
}
