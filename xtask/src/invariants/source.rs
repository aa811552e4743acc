//! A Rust file and what it names: the paths of its `use` declarations and of its code, from the
//! crate's root.

mod reader;

use std::collections::{HashMap, HashSet};

use syn::visit::Visit;

use reader::{Reader, is_for_tests};

/// How many aliases of aliases are followed before a name is taken as it is.
const MAX_ALIASES: usize = 8;

/// A file: its path from the workspace's root, with `/`, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
}

/// A path named in a file: `crate::index::Index`, `web_sys::Element`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Counts from 1.
    pub line: usize,
    /// Starts with `crate` if it leads into the same crate.
    pub path: Vec<String>,
    /// Whether the file only re-exports it: `pub use`.
    pub is_export: bool,
}

impl Mention {
    /// Whether it is `path` (`web_sys`, `std::fs`) or leads below it.
    pub fn is_below(&self, path: &str) -> bool {
        let mut own = self.path.iter();
        path.split("::")
            .all(|part| own.next().is_some_and(|own| own == part))
    }
}

/// A function in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The line where its signature begins, counted from 1.
    pub line: usize,
    pub name: String,
    /// Its length, from its signature to its last bracket.
    pub lines: usize,
}

/// A file that was read, without what is compiled only for tests.
#[derive(Clone, Debug)]
pub struct Module {
    pub file: String,
    /// The path from the crate's root: `index`, `graph`; empty for `lib.rs`.
    pub path: Vec<String>,
    pub mentions: Vec<Mention>,
    pub functions: Vec<Function>,
    /// What each imported or declared name in the file stands for.
    names: HashMap<String, Vec<String>>,
    /// Files and folders below it that are compiled only for tests, without `.rs`.
    tests: Vec<String>,
}

/// All files of a crate, except those only for tests.
#[derive(Clone, Debug)]
pub struct Crate {
    pub modules: Vec<Module>,
    /// The paths from the root of all modules, including those that are only folders.
    paths: HashSet<Vec<String>>,
}

impl Crate {
    /// Reads a crate; `folder` is the one with `lib.rs`, such as `core/src`. A file that is not
    /// valid Rust is an error that names it.
    pub fn read(folder: &str, sources: &[Source]) -> Result<Self, String> {
        let inside = |source: &&Source| below(&source.path, folder).is_some();
        let modules = sources.iter().filter(inside);
        let modules = modules.map(|source| Module::read(folder, source));
        let mut modules: Vec<Module> = modules.collect::<Result<_, _>>()?;
        let tests: Vec<String> = modules
            .iter()
            .flat_map(|module| module.tests.clone())
            .collect();
        modules.retain(|module| {
            let stem = stem(&module.file);
            !tests
                .iter()
                .any(|test| stem == test || below(stem, test).is_some())
        });
        let paths = modules
            .iter()
            .flat_map(|module| (0..=module.path.len()).map(|depth| module.path[..depth].to_vec()));
        let paths = paths.collect();
        Ok(Self { modules, paths })
    }

    /// Where a path that starts with `crate` leads, through re-exports of modules.
    pub fn follow(&self, path: &[String]) -> Vec<String> {
        let mut path = path.to_vec();
        for _ in 0..MAX_ALIASES {
            match self.one_step(&path) {
                Some(next) if next != path => path = next,
                _ => break,
            }
        }
        path
    }

    fn one_step(&self, path: &[String]) -> Option<Vec<String>> {
        let inner = path.strip_prefix(&["crate".to_owned()])?;
        let depth = (0..inner.len()).find(|&depth| !self.paths.contains(&inner[..=depth]))?;
        let module = self
            .modules
            .iter()
            .find(|module| module.path == inner[..depth])?;
        let target = module.names.get(&inner[depth])?;
        Some([target, &inner[depth + 1..]].concat())
    }
}

impl Module {
    fn read(folder: &str, source: &Source) -> Result<Self, String> {
        let syntax = syn::parse_file(&source.text)
            .map_err(|error| format!("{}:{}: {error}", source.path, error.span().start().line))?;
        let mut reader = Reader {
            file: &source.path,
            module: module_path(folder, &source.path),
            found: Vec::new(),
            is_export: false,
            names: HashMap::new(),
            tests: Vec::new(),
            functions: Vec::new(),
        };
        let path = reader.module.clone();
        if syntax.attrs.iter().any(is_for_tests) {
            reader.tests.push(stem(&source.path).to_owned());
        } else {
            reader.visit_file(&syntax);
        }
        let raw = reader.names;
        let whole =
            |(name, path): (&String, &Vec<String>)| (name.clone(), absolute(path.clone(), &raw));
        let names: HashMap<String, Vec<String>> = raw.iter().map(whole).collect();
        let mention = |found: Mention| Mention {
            path: absolute(found.path, &names),
            ..found
        };
        Ok(Self {
            file: source.path.clone(),
            path,
            mentions: reader.found.into_iter().map(mention).collect(),
            functions: reader.functions,
            names,
            tests: reader.tests,
        })
    }
}

/// The rest of `path` below `folder`.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// The module that a file or its folder stands for: `a/b.rs` and `a/b/mod.rs` are both `a/b`.
fn stem(file: &str) -> &str {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    stem.strip_suffix("/mod").unwrap_or(stem)
}

fn module_path(folder: &str, file: &str) -> Vec<String> {
    let inner = below(stem(file), folder).unwrap_or_default();
    match inner {
        "" | "lib" | "main" => Vec::new(),
        _ => inner.split('/').map(str::to_owned).collect(),
    }
}

/// `path` with an imported name at its start replaced by what it stands for.
fn absolute(mut path: Vec<String>, names: &HashMap<String, Vec<String>>) -> Vec<String> {
    for _ in 0..MAX_ALIASES {
        match path.first().and_then(|first| names.get(first)) {
            Some(target) if *target != path[..1] => {
                path.splice(..1, target.iter().cloned());
            }
            _ => break,
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(path: &str, text: &str) -> Vec<String> {
        let source = Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let read = Crate::read("core/src", &[source]).unwrap();
        let mentions = read.modules.iter().flat_map(|module| &module.mentions);
        mentions
            .map(|mention| format!("{} {}", mention.line, mention.path.join("::")))
            .collect()
    }

    #[test]
    fn paths_are_made_absolute() {
        for (file, text, expected) in [
            (
                "a/b.rs",
                "use crate::{x::Y, z};",
                vec!["1 crate::x::Y", "1 crate::z"],
            ),
            ("a/b.rs", "use super::c::D;", vec!["1 crate::a::c::D"]),
            ("a/mod.rs", "use super::c::D;", vec!["1 crate::c::D"]),
            ("a/b.rs", "use super::super::c;", vec!["1 crate::c"]),
            (
                "a/b.rs",
                "use self::c::{self, d as e};",
                vec!["1 crate::a::b::c", "1 crate::a::b::c::d"],
            ),
            ("a/b.rs", "use crate::x::*;", vec!["1 crate::x"]),
            ("lib.rs", "mod x;\nuse x::Y;", vec!["2 crate::x::Y"]),
            ("a.rs", "fn f(y: &crate::x::Y) {}", vec!["1 crate::x::Y"]),
            (
                "a.rs",
                "use crate::x;\nfn f() {\n x::g() }",
                vec!["1 crate::x", "3 crate::x::g"],
            ),
            (
                "a.rs",
                "fn f() { vec![1, crate::x::g(2), a::b] }",
                vec!["1 crate::x::g", "1 a::b"],
            ),
            ("a.rs", "mod in_it { use super::y; }", vec!["1 crate::a::y"]),
            (
                "a.rs",
                "#[derive(serde::Serialize)] struct S;",
                vec!["1 serde::Serialize"],
            ),
            ("a.rs", "pub(in crate::b) fn f() {}", vec![]),
            (
                "a.rs",
                "#[cfg(test)] mod t { use crate::x; }\n#[cfg(test)] use crate::y;",
                vec![],
            ),
            ("a.rs", "#![cfg(test)] use crate::x;", vec![]),
        ] {
            assert_eq!(
                mentions(&format!("core/src/{file}"), text),
                expected,
                "{file}: {text}"
            );
        }
    }

    #[test]
    fn files_of_tests_are_left_out() {
        let source = |path: &str, text: &str| Source {
            path: format!("core/src/{path}"),
            text: text.to_owned(),
        };
        let read = Crate::read(
            "core/src",
            &[
                source("lib.rs", "mod a;\n#[cfg(test)] mod checks;"),
                source("checks.rs", "use crate::a;"),
                source(
                    "a/mod.rs",
                    "#[cfg(test)] mod tests;\n#[cfg(test)] #[path = \"odd.rs\"] mod t;",
                ),
                source("a/tests/mod.rs", "mod more;"),
                source("a/tests/more.rs", "use crate::a;"),
                source("a/odd.rs", "use crate::a;"),
            ],
        );
        let modules = read.unwrap().modules;
        let files: Vec<&str> = modules.iter().map(|module| module.file.as_str()).collect();
        assert_eq!(files, ["core/src/lib.rs", "core/src/a/mod.rs"]);
    }

    #[test]
    fn reexports_of_a_module_are_followed() {
        let source = |path: &str, text: &str| Source {
            path: format!("core/src/{path}"),
            text: text.to_owned(),
        };
        let read = Crate::read(
            "core/src",
            &[
                source(
                    "a/mod.rs",
                    "mod b;\nmod c;\npub use b::{self as d, B};\nuse crate::x;",
                ),
                source("a/b.rs", "pub use super::c::B;"),
                source("a/c.rs", ""),
            ],
        );
        let read = read.unwrap();
        let follow = |path: &str| {
            let path: Vec<String> = path.split("::").map(str::to_owned).collect();
            read.follow(&path).join("::")
        };
        for (path, target) in [
            ("crate::a::B", "crate::a::c::B"),
            ("crate::a::d::F", "crate::a::b::F"),
            ("crate::a::Own", "crate::a::Own"),
            ("serde::Serialize", "serde::Serialize"),
        ] {
            assert_eq!(follow(path), target);
        }
    }
}
