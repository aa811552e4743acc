//! The metadata that RepoQA-SA stores with each chunk (section 3.1): its module, whether it holds a
//! class or a function, and what its file imports.

use super::{Chunk, named_in};
use crate::lang::{Parsed, SymbolKind};

/// The most imports that a header names; a file can have hundreds.
const MAX_IMPORTS: usize = 12;

/// A class, or its nearest equivalent in a language.
const CLASSES: [SymbolKind; 6] = [
    SymbolKind::Class,
    SymbolKind::Interface,
    SymbolKind::Trait,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Union,
];
const FUNCTIONS: [SymbolKind; 2] = [SymbolKind::Function, SymbolKind::Method];

/// Whether a symbol is a class, or its nearest equivalent.
pub(crate) fn is_class(kind: SymbolKind) -> bool {
    CLASSES.contains(&kind)
}

/// Whether a symbol is a function or method.
pub(crate) fn is_function(kind: SymbolKind) -> bool {
    FUNCTIONS.contains(&kind)
}

/// Facts about a chunk that a question can filter by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The path of its file.
    pub path: String,
    /// The path as a module name: `requests.sessions`.
    pub module: String,
    /// Whether a class is named in its lines.
    pub has_class: bool,
    /// Whether a function or method is named in its lines.
    pub has_function: bool,
    /// The imports of its file, as written, without duplicates.
    pub imports: Vec<String>,
}

impl Metadata {
    /// The metadata of a chunk of the file at `path`.
    pub fn new(path: &str, parsed: &Parsed, chunk: &Chunk) -> Self {
        let has = |wanted: &[SymbolKind]| {
            named_in(parsed, chunk).any(|symbol| wanted.contains(&symbol.kind))
        };
        let mut imports: Vec<String> = Vec::new();
        for import in &parsed.imports {
            if !imports.contains(&import.module) {
                imports.push(import.module.clone());
            }
        }
        Self {
            path: path.to_owned(),
            module: module(path),
            has_class: has(&CLASSES),
            has_function: has(&FUNCTIONS),
            imports,
        }
    }

    /// The header that an encoder reads before the chunk.
    pub(crate) fn header(&self) -> String {
        let holds = match (self.has_class, self.has_function) {
            (true, true) => "a class, a function",
            (true, false) => "a class",
            (false, true) => "a function",
            (false, false) => "neither class nor function",
        };
        let imports = self.imports.iter().take(MAX_IMPORTS);
        let imports: Vec<&str> = imports.map(String::as_str).collect();
        let (path, module) = (&self.path, &self.module);
        let imports = imports.join(", ");
        format!("file: {path}\nmodule: {module}\nholds: {holds}\nimports: {imports}")
    }
}

/// The path without its extension, with dots for slashes; an entry file stands for its folder.
pub(crate) fn module(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let whole = match (stem, folder) {
        ("__init__" | "mod" | "index", folder) if !folder.is_empty() => folder.to_owned(),
        (stem, "") => stem.to_owned(),
        (stem, folder) => format!("{folder}/{stem}"),
    };
    whole.replace('/', ".")
}
