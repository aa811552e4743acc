//! Rust: `mod` items form the module tree of each crate target, and `use` paths walk it (Rust
//! reference, "Module source filenames" and "Use declarations").

use super::FAMILY;
use crate::hash::FastMap;
use crate::lang::Language;
use crate::lang::family;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{file_name, folder, join};
use crate::lang::resolve::{Binds, Found, Place, is_module_alias, named};
use crate::lang::{Import, Parsed, SymbolKind};
use crate::lines::{Line, Row};
use crate::source::{FileId, Repo};

/// Deepest module that is followed.
const MAX_DEPTH: usize = 64;

/// The module trees of the repository's crates.
#[derive(Default)]
pub(super) struct Crates {
    /// The root file of each target.
    roots: Vec<FileId>,
    /// Library roots by crate name, `-` written as `_`: an index into `roots`.
    libraries: FastMap<String, u32>,
    /// Files by root and path: `a::b`, empty for the root itself.
    modules: FastMap<(u32, String), FileId>,
    /// Root and path of each module file.
    of_file: FastMap<u32, (u32, String)>,
}

impl Crates {
    pub fn new(repo: &Repo, parsed: &[Parsed]) -> Self {
        let mut crates = Self::default();
        let manifests = repo
            .files
            .iter()
            .filter(|file| file_name(&file.path) == "Cargo.toml");
        for manifest in manifests {
            crates.add_package(repo, parsed, folder(&manifest.path), &manifest.text);
        }
        // Without a manifest, the conventional roots are still roots.
        for (file, at) in repo.files.iter().zip(0u32..) {
            let is_root = matches!(file_name(&file.path), "lib.rs" | "main.rs");
            if is_root && !crates.of_file.contains_key(&at) {
                crates.add_root(repo, parsed, FileId(at));
            }
        }
        crates
    }

    fn add_package(&mut self, repo: &Repo, parsed: &[Parsed], dir: &str, manifest: &str) {
        let entry = |table: &str, key: &str| toml_value(manifest, table, key);
        let Some(package) = entry("package", "name") else {
            return;
        };
        let path = entry("lib", "path").unwrap_or_else(|| "src/lib.rs".to_owned());
        if let Some(file) = join(dir, &path).and_then(|path| repo.find(&path)) {
            let root = self.add_root(repo, parsed, file);
            let name = entry("lib", "name").unwrap_or(package);
            self.libraries.insert(name.replace('-', "_"), root);
        }
        for file in target_files(repo, dir) {
            self.add_root(repo, parsed, file);
        }
    }

    /// Follows the `mod` items from a root file; a file keeps the first path where it was found.
    fn add_root(&mut self, repo: &Repo, parsed: &[Parsed], file: FileId) -> u32 {
        if let Some(known) = self.roots.iter().position(|root| *root == file) {
            return known as u32;
        }
        let root = self.roots.len() as u32;
        self.roots.push(file);
        let mut open = vec![(file, String::new(), 0)];
        while let Some((file, path, depth)) = open.pop() {
            if self.modules.insert((root, path.clone()), file).is_some() {
                continue;
            }
            self.of_file.entry(file.0).or_insert((root, path.clone()));
            if depth < MAX_DEPTH {
                for (name, child) in children(repo, parsed, file, depth == 0) {
                    open.push((child, joined(&path, &name), depth + 1));
                }
            }
        }
        root
    }
}

/// Returns the targets of a package that cargo finds automatically.
fn target_files(repo: &Repo, dir: &str) -> Vec<FileId> {
    let start = |name: &str| join(dir, name).unwrap_or_default();
    let mut files: Vec<FileId> = ["src/main.rs", "build.rs"]
        .iter()
        .filter_map(|name| repo.find(&start(name)))
        .collect();
    for folder in ["src/bin/", "tests/", "examples/", "benches/"] {
        let prefix = format!("{}/", start(folder));
        let from = repo
            .files
            .partition_point(|file| file.path.as_str() < prefix.as_str());
        let inside = repo.files.iter().zip(0u32..).skip(from);
        for (file, at) in inside.take_while(|(file, _)| file.path.starts_with(&prefix)) {
            let rest = file.path.get(prefix.len()..).unwrap_or_default();
            let is_target = match rest.split_once('/') {
                None => rest.ends_with(".rs"),
                Some((_, inner)) => inner == "main.rs",
            };
            if is_target {
                files.push(FileId(at));
            }
        }
    }
    files
}

/// Returns the files of the modules that `file` declares, with their paths below it.
fn children(repo: &Repo, parsed: &[Parsed], file: FileId, is_root: bool) -> Vec<(String, FileId)> {
    let (Some(source), Some(parsed)) = (repo.file(file), parsed.get(file.0 as usize)) else {
        return Vec::new();
    };
    if parsed.language != Language::Rust {
        return Vec::new();
    }
    let own = folder(&source.path);
    let name = file_name(&source.path);
    let base = if is_root || name == "mod.rs" {
        own.to_owned()
    } else {
        join(own, name.trim_end_matches(".rs")).unwrap_or_default()
    };
    let has_paths = source.text.contains("#[path");
    let declared = parsed
        .imports
        .iter()
        .filter(|import| import.names.is_empty());
    declared
        .filter_map(|import| {
            let name = import.module.strip_prefix("self::")?;
            let inline = inline_modules(parsed, import.lines.start());
            let path = joined(&inline.join("::"), name);
            if has_paths && let Some(written) = path_attribute(&source.text, import) {
                return Some((path, repo.find(&join(own, &written)?)?));
            }
            let below = join(&base, &inline.join("/"))?;
            let candidates = [
                format!("{below}/{name}.rs"),
                format!("{below}/{name}/mod.rs"),
            ];
            let found = candidates
                .iter()
                .find_map(|path| repo.find(path.trim_start_matches('/')));
            Some((path, found?))
        })
        .collect()
}

/// Returns the value of `#[path = "…"]` above a `mod` item.
fn path_attribute(text: &str, import: &Import) -> Option<String> {
    let row = Row::from(import.lines.start()).0 as usize;
    let before: Vec<&str> = text.lines().take(row + 1).collect();
    let above = before.iter().rev().skip(1);
    let attributes = above.take_while(|line| line.trim_start().starts_with(['#', '/']));
    attributes.chain(before.last()).find_map(|line| {
        let value = line.split_once("#[path")?.1.split('"').nth(1)?;
        Some(value.to_owned())
    })
}

/// Returns the names of the inline modules around a line, outermost first.
fn inline_modules(parsed: &Parsed, line: Line) -> Vec<&str> {
    let symbols = parsed.symbols.iter();
    symbols
        .filter(|symbol| symbol.kind == SymbolKind::Module && symbol.lines.contains(line))
        .map(|symbol| symbol.name.as_str())
        .collect()
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}::{name}")
    }
}

/// Returns the value of `key = "value"` in a table. Manifests are read by line: only plain strings
/// are needed.
fn toml_value(text: &str, table: &str, key: &str) -> Option<String> {
    let mut is_inside = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            is_inside = line.trim_matches(['[', ']']) == table;
        } else if is_inside
            && let Some((name, value)) = line.split_once('=')
            && name.trim() == key
        {
            return value.split('"').nth(1).map(str::to_owned);
        }
    }
    None
}

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let line = import.lines.start();
    if import.names.is_empty() {
        let is_mod = import.module.starts_with("self::");
        let found = one(world, from, line, &import.module, None, Binds::Module);
        return match found {
            Some(found) => vec![found],
            None if is_mod => vec![Found::new(None, Place::Missing, Binds::Module)],
            None => Vec::new(),
        };
    }
    let names = named(import).filter_map(|(at, name)| {
        if is_module_alias(name) {
            one(world, from, line, &import.module, at, Binds::Module)
        } else if name.name == "*" {
            one(world, from, line, &import.module, at, Binds::All)
        } else {
            let path = format!("{}::{}", import.module, name.name);
            one(world, from, line, &path, at, Binds::Name)
        }
    });
    names.collect()
}

/// Resolves one leaf of a `use`; returns nothing if it is in the file itself.
fn one(
    world: World<'_>,
    from: FileId,
    line: Line,
    path: &str,
    at: Option<u32>,
    binds: Binds,
) -> Option<Found> {
    match walk(world, from, line, path) {
        Walked::File { file, .. } if file == from => None,
        Walked::File { file, rest } => {
            let binds = if binds == Binds::Name && rest == 0 {
                Binds::Module
            } else {
                binds
            };
            Some(Found::new(at, Place::File(file), binds))
        }
        Walked::Library(name) => Some(Found::new(at, Place::Library(name), binds)),
        Walked::Nothing => None,
    }
}

/// Where a path of modules and names leads.
enum Walked {
    /// To a module's file; this many parts of the path are names in it.
    File {
        file: FileId,
        rest: usize,
    },
    Library(String),
    Nothing,
}

/// Walks `crate::a::b`, `super::b`, `other_crate::b` or `child::b` as written in `from` at `line`.
fn walk(world: World<'_>, from: FileId, line: Line, path: &str) -> Walked {
    let Some(crates) = world.facts_of::<Crates>(&FAMILY) else {
        return Walked::Nothing;
    };
    let mut parts: Vec<&str> = path
        .split("::")
        .map(|part| part.trim_start_matches("r#"))
        .collect();
    let is_global = parts.first() == Some(&"");
    if is_global {
        parts.remove(0);
    }
    let (root, own) = match crates.of_file.get(&from.0) {
        Some((root, path)) => (Some(*root), path.as_str()),
        None => (None, ""),
    };
    let mut own: Vec<&str> = own.split("::").filter(|part| !part.is_empty()).collect();
    if let Some(parsed) = world.parsed(from) {
        own.extend(inline_modules(parsed, line));
    }
    let first = parts.first().copied().unwrap_or_default();
    let is_local = |root: u32| {
        let child = own
            .iter()
            .chain(&[first])
            .copied()
            .collect::<Vec<_>>()
            .join("::");
        crates.modules.contains_key(&(root, child))
            || world.facts.names.top(world.parsed, from, first).is_some()
    };
    let (root, absolute): (u32, Vec<&str>) = match (first, root) {
        ("crate" | "$crate", Some(root)) => (root, parts.split_off(1)),
        ("self" | "super", Some(root)) => {
            let supers = parts.iter().take_while(|part| **part == "super").count();
            let skipped = parts
                .iter()
                .take_while(|part| matches!(**part, "self" | "super"));
            let rest = parts.split_off(skipped.count());
            own.truncate(own.len().saturating_sub(supers));
            (root, own.into_iter().chain(rest).collect())
        }
        (_, Some(root)) if !is_global && is_local(root) => {
            (root, own.into_iter().chain(parts).collect())
        }
        _ => match crates.libraries.get(first) {
            Some(root) => (*root, parts.split_off(1)),
            None if matches!(first, "crate" | "self" | "super" | "") => return Walked::Nothing,
            None => return Walked::Library(first.to_owned()),
        },
    };
    for end in (0..=absolute.len()).rev() {
        let prefix = absolute.get(..end).unwrap_or_default().join("::");
        if let Some(file) = crates.modules.get(&(root, prefix)) {
            let rest = absolute.len() - end;
            return Walked::File { file: *file, rest };
        }
    }
    Walked::Nothing
}

/// See [`Family::walk_path`](crate::lang::family::Family::walk_path).
pub(super) fn walk_to_module(
    world: World<'_>,
    from: FileId,
    line: Line,
    path: &str,
) -> Option<family::Walked> {
    match walk(world, from, line, path) {
        Walked::File { file, rest } => Some(family::Walked::Module(file, rest)),
        Walked::Library(_) => Some(family::Walked::Library),
        Walked::Nothing => None,
    }
}
