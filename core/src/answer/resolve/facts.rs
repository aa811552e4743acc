//! Facts that limit a search to the files that have them: `@imports:os`, `@holds:class`,
//! `@holds:function`, `@module:app.core`. They are the facts that RepoQA-SA stores with each chunk
//! (section 3.1).

use std::collections::BTreeSet;

use crate::chunk::metadata::{is_class, is_function, module};
use crate::index::Index;
use crate::lang::Parsed;
use crate::source::FileId;

/// A fact that a question names, and the files that it is true of.
pub(super) struct Fact {
    /// As written after the `@`.
    pub name: String,
    pub files: BTreeSet<FileId>,
}

impl Fact {
    /// Returns `None` if `name` is not a fact.
    pub fn read(index: &Index, name: &str) -> Option<Self> {
        let (fact, value) = name.split_once(':')?;
        if value.is_empty() {
            return None;
        }
        let is_true: &dyn Fn(&str, &Parsed) -> bool = match (fact, value) {
            ("imports", value) => &|_, parsed| {
                let mut imports = parsed.imports.iter();
                imports.any(|import| is_of_module(&import.module, value))
            },
            ("module", value) => &|path, _| is_of_module(&module(path), value),
            ("holds", "class") => &|_, parsed| parsed.symbols.iter().any(|it| is_class(it.kind)),
            ("holds", "function") => {
                &|_, parsed| parsed.symbols.iter().any(|it| is_function(it.kind))
            }
            _ => return None,
        };
        let files = index.repo.files.iter().zip(index.parsed.iter());
        let files = (0..).map(FileId).zip(files);
        let found = files.filter(|(_, (file, parsed))| is_true(&file.path, parsed));
        Some(Self {
            name: name.to_owned(),
            files: found.map(|(id, _)| id).collect(),
        })
    }
}

/// Returns what the reader should know about facts that are true of no file, or of none in the
/// named places.
pub(super) fn note(facts: &[Fact], is_limited: bool) -> Option<String> {
    if let Some(none) = facts.iter().find(|fact| fact.files.is_empty()) {
        let name = &none.name;
        return Some(format!("No file matches `@{name}`, so it was left out."));
    }
    let why = "No file matches all that the question asks for. The whole repository was searched.";
    (!facts.is_empty() && !is_limited).then(|| why.to_owned())
}

/// Whether a module is `wanted`, a part of it, or ends with it: `os.path` belongs to `os`, and
/// `requests.sessions` to `sessions`.
fn is_of_module(module: &str, wanted: &str) -> bool {
    let is_sign = |sign: char| matches!(sign, '.' | '/' | ':');
    let mut starts = module.match_indices(wanted).map(|(at, _)| at);
    starts.any(|at| {
        let before = module.get(..at).unwrap_or_default();
        let after = module.get(at + wanted.len()..).unwrap_or_default();
        let begins = before.is_empty() || before.ends_with(is_sign);
        begins && (after.is_empty() || after.starts_with(is_sign))
    })
}
