//! What must be known of the whole repository before one import can be followed: names, folders,
//! declared packages, and what each language's build files say.

use super::imports::{ecmascript, go, python, rust};
use super::names::{FileNames, Names, folder};
use crate::index::hash::FastMap;
use crate::lang::{Import, Parsed};
use crate::lang::{Language, Role};
use crate::lines::Row;
use crate::source::{FileId, Repo};

/// Lines at the top of a file in which its package is looked for.
const PACKAGE_LINES: usize = 400;

/// Languages whose definitions can be meant by one another's calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Python,
    Ecmascript,
    Rust,
    Go,
    Jvm,
    C,
    CSharp,
    Ruby,
    Php,
    Swift,
    Bash,
    Other,
}

impl Family {
    pub fn of(language: Language) -> Self {
        match language {
            Language::Python => Family::Python,
            Language::JavaScript | Language::TypeScript | Language::Tsx => Family::Ecmascript,
            Language::Rust => Family::Rust,
            Language::Go => Family::Go,
            Language::Java | Language::Kotlin | Language::Scala => Family::Jvm,
            Language::C | Language::Cpp => Family::C,
            Language::CSharp => Family::CSharp,
            Language::Ruby => Family::Ruby,
            Language::Php => Family::Php,
            Language::Swift => Family::Swift,
            Language::Bash => Family::Bash,
            _ => Family::Other,
        }
    }

    /// Whether members are called without `self` or `this`.
    pub fn has_implicit_self(self) -> bool {
        use Family::*;
        matches!(self, Jvm | C | CSharp | Ruby | Swift)
    }

    /// Whether a bare name can mean a definition of a file that was not imported by name.
    pub fn sees_everything(self) -> bool {
        use Family::*;
        matches!(self, C | CSharp | Ruby | Php | Swift | Bash)
    }
}

/// See the [module](self). Owned, so that a build can stop between two steps.
#[derive(Default)]
pub(super) struct Facts {
    pub names: Names,
    pub file_names: FileNames,
    /// The files of each folder that holds any.
    pub folders: FastMap<String, Vec<FileId>>,
    /// The files of each declared package or namespace, by [`package_key`].
    pub packages: FastMap<String, Vec<FileId>>,
    /// The package of each file.
    package_of: Vec<Option<String>>,
    roles: Vec<Role>,
    pub python: python::Roots,
    pub web: ecmascript::Projects,
    pub go: go::Modules,
    pub rust: rust::Crates,
}

impl Facts {
    pub fn new(repo: &Repo, parsed: &[Parsed]) -> Self {
        let mut facts = Self {
            names: Names::new(parsed),
            file_names: FileNames::new(repo),
            ..Self::default()
        };
        for (at, (file, parsed)) in repo.files.iter().zip(parsed).enumerate() {
            let id = FileId(at as u32);
            let of_folder = facts.folders.entry(folder(&file.path).to_owned());
            of_folder.or_default().push(id);
            facts.roles.push(if parsed.language.is_code() {
                Role::of(&file.path)
            } else {
                Role::Docs
            });
            let declared = declared(parsed.language, &file.path, &file.text);
            for key in &declared {
                facts.packages.entry(key.clone()).or_default().push(id);
            }
            facts.package_of.push(declared.into_iter().next());
        }
        facts.python = python::Roots::new(repo, parsed);
        facts.web = ecmascript::Projects::new(repo);
        facts.go = go::Modules::new(repo);
        facts.rust = rust::Crates::new(repo, parsed);
        facts
    }
}

/// The repository with its facts: what every rule reads.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub repo: &'a Repo,
    pub parsed: &'a [Parsed],
    pub facts: &'a Facts,
}

impl<'a> World<'a> {
    pub fn path(&self, file: FileId) -> &'a str {
        self.repo.file(file).map_or("", |file| &file.path)
    }

    pub fn text(&self, file: FileId) -> &'a str {
        self.repo.file(file).map_or("", |file| &file.text)
    }

    pub fn parsed(&self, file: FileId) -> Option<&'a Parsed> {
        self.parsed.get(file.0 as usize)
    }

    pub fn find(&self, path: &str) -> Option<FileId> {
        self.repo.find(path)
    }

    pub fn family(&self, file: FileId) -> Family {
        let language = self.parsed(file).map(|parsed| parsed.language);
        language.map_or(Family::Other, Family::of)
    }

    pub fn is_test(&self, file: FileId) -> bool {
        self.role(file) == Some(Role::Test)
    }

    /// The role of a file of code.
    pub fn role(&self, file: FileId) -> Option<Role> {
        self.facts.roles.get(file.0 as usize).copied()
    }

    /// The key of the package that a file declares.
    pub fn package(&self, file: FileId) -> Option<&'a str> {
        let package = self.facts.package_of.get(file.0 as usize)?;
        package.as_deref()
    }

    /// The files of a package.
    pub fn files_of(&self, key: &str) -> &'a [FileId] {
        let files = self.facts.packages.get(key);
        files.map(Vec::as_slice).unwrap_or_default()
    }

    /// The first line of an import as written, for what parsing does not keep of it.
    pub fn written(&self, file: FileId, import: &Import) -> &'a str {
        let row = Row::from(import.lines.start()).0 as usize;
        self.text(file).lines().nth(row).unwrap_or_default()
    }
}

/// The key of a package in [`Facts::packages`]: languages do not share packages, except on the JVM.
pub(super) fn package_key(family: Family, name: &str) -> String {
    format!("{family:?} {name}")
}

/// The packages or namespaces that a file declares, as keys.
fn declared(language: Language, path: &str, text: &str) -> Vec<String> {
    let family = Family::of(language);
    let key = |name: &str| package_key(family, name);
    match family {
        Family::Go => vec![key(folder(path))],
        Family::Swift => swift_module(path).map(key).into_iter().collect(),
        Family::Jvm => {
            let lines = text.lines().take(PACKAGE_LINES);
            let mut parts = Vec::new();
            for line in lines {
                match line.trim_start().strip_prefix("package ") {
                    Some(name) if !name.trim_start().starts_with("object ") => {
                        parts.push(name.split([';', '/', '{', ':']).next().unwrap_or("").trim());
                    }
                    // Scala chains several clauses; after one of them comes nothing else.
                    _ if parts.is_empty() || line.trim().is_empty() => {}
                    _ => break,
                }
            }
            vec![key(&parts.join("."))]
        }
        Family::CSharp | Family::Php => {
            let spaces = text.lines().filter_map(|line| {
                let line = line.trim_start();
                let line = line.strip_prefix("<?php").unwrap_or(line).trim_start();
                line.strip_prefix("namespace ")
            });
            let names = spaces.map(|name| name.split([';', '{', '/']).next().unwrap_or("").trim());
            let mut keys: Vec<String> = names.filter(|name| !name.is_empty()).map(key).collect();
            if keys.is_empty() {
                keys.push(key(""));
            }
            keys.dedup();
            keys
        }
        _ => Vec::new(),
    }
}

/// The module of a Swift file: the folder below `Sources` or `Tests`.
fn swift_module(path: &str) -> Option<&str> {
    let mut parts = path.split('/');
    parts.find(|part| matches!(*part, "Sources" | "Source" | "Tests"))?;
    let module = parts.next()?;
    parts.next().map(|_| module)
}
