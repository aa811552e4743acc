//! Checks a small repository beside each language's fixture: where its imports, calls and bases
//! lead.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::tests::{imports, index, name};
use super::*;
use crate::index::Index;
use crate::lang::Language;

const EXPECTED: &str = "expected.txt";

/// Returns the repositories of the languages that have one.
fn repositories() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/languages");
    let folders = Language::ALL_CODE.map(|language| {
        let name = format!("{language:?}").to_lowercase();
        root.join(name).join("repository")
    });
    folders
        .into_iter()
        .filter(|folder| folder.is_dir())
        .collect()
}

/// Collects all files below `folder` except the listing: path from `root` and text.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if !path.ends_with(EXPECTED) {
            let name = path.strip_prefix(root).unwrap().to_string_lossy();
            files.push((name.into_owned(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Returns, for each file with any: `import line target`, `call line caller -> callee weight`,
/// `base line class < base`.
fn listing(index: &Index) -> String {
    let mut out = String::new();
    for (file, source) in (0..).map(FileId).zip(&index.repo.files) {
        let mut lines: Vec<(u32, String)> = Vec::new();
        for import in imports(index, &source.path) {
            let (line, target) = import.split_once(' ').unwrap();
            lines.push((line.parse().unwrap(), format!("import {line} {target}")));
        }
        let symbols = &index.parsed[file.0 as usize].symbols;
        for id in (0..symbols.len() as u32).map(|at| SymbolId { file, at }) {
            for (base, line) in index.graph.bases(id) {
                let (class, base) = (name(index, id), name(index, base));
                lines.push((line.0, format!("base {} {class} < {base}", line.0)));
            }
            for call in index.graph.callees(id) {
                let (caller, callee) = (name(index, id), name(index, call.callee));
                let (line, weight) = (call.line.0, call.weight);
                lines.push((line, format!("call {line} {caller} -> {callee} {weight}")));
            }
        }
        lines.sort_by_key(|(line, _)| *line);
        if !lines.is_empty() {
            writeln!(out, "# {}", source.path).unwrap();
        }
        for (_, line) in lines {
            writeln!(out, "{line}").unwrap();
        }
    }
    out
}

#[test]
fn imports_calls_and_inheritance_of_a_repository_are_listed_beside_it() {
    for folder in repositories() {
        let mut files = Vec::new();
        collect(&folder, &folder, &mut files);
        let borrowed: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let found = listing(&index(&borrowed));
        let expected = folder.join(EXPECTED);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &found).unwrap();
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, wanted, "{}", folder.display());
    }
}
