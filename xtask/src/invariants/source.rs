//! A Rust file, and what it names: the paths of its `use` declarations and of its code, from the crate's root on.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree};

/// How often a name may stand for another name before it is taken as it is.
const MAX_ALIASES: usize = 8;

/// A file of a crate: its path from the workspace's root on, with `/`, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
}

/// A path that stands in a file: `crate::index::Index`, `web_sys::Element`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Counted from 1.
    pub line: usize,
    /// Starts with `crate` if it leads into the same crate.
    pub path: Vec<String>,
    /// Whether the file only hands it on: `pub use`.
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

/// A file that was read, without what is compiled for tests only.
#[derive(Clone, Debug)]
pub struct Module {
    pub file: String,
    /// From the crate's root on: `index`, `graph`; empty for `lib.rs`.
    pub path: Vec<String>,
    pub mentions: Vec<Mention>,
    /// What a name that was imported or declared in the file stands for.
    names: HashMap<String, Vec<String>>,
    /// Files and folders below it that are compiled for tests only, without `.rs`.
    tests: Vec<String>,
}

/// All files of a crate that are not tests only.
#[derive(Clone, Debug)]
pub struct Crate {
    pub modules: Vec<Module>,
    /// Paths of all modules, those too that are only folders, from the root on.
    paths: HashSet<Vec<String>>,
}

impl Crate {
    /// `folder` is the one of `lib.rs`: `core/src`. A file that is no Rust is an error that names it.
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

    /// Where a path leads that starts with `crate`, through what modules export again.
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

/// `#[cfg(test)]`, and `#[cfg(all(test, …))]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return false;
    };
    let condition = list.tokens.to_string().replace(' ', "");
    list.path.is_ident("cfg") && (condition == "test" || condition.starts_with("all(test,"))
}

/// Walks a file and collects what it names.
struct Reader<'a> {
    file: &'a str,
    /// The module that is being read: the file's, or one written inside it.
    module: Vec<String>,
    found: Vec<Mention>,
    /// Whether what is read now is handed on.
    is_export: bool,
    names: HashMap<String, Vec<String>>,
    tests: Vec<String>,
}

impl Reader<'_> {
    /// `crate`, `self` and `super` at the start of a path, made one path from the root on.
    fn rooted(&self, path: Vec<String>) -> Vec<String> {
        let mut module = self.module.clone();
        let ups = path.iter().take_while(|part| *part == "super").count();
        let rest = match path.first().map(String::as_str) {
            Some("self") => {
                let ups = path[1..].iter().take_while(|part| *part == "super").count();
                module.truncate(module.len().saturating_sub(ups));
                &path[1 + ups..]
            }
            Some("super") => {
                module.truncate(module.len().saturating_sub(ups));
                &path[ups..]
            }
            _ => return path,
        };
        let start = std::iter::once("crate".to_owned());
        start.chain(module).chain(rest.iter().cloned()).collect()
    }

    fn mention(&mut self, line: usize, path: Vec<String>) {
        let path = self.rooted(path);
        let is_export = self.is_export;
        self.found.push(Mention {
            line,
            path,
            is_export,
        });
    }

    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.tree(before, tree);
                }
            }
            UseTree::Glob(glob) => self.mention(glob.span().start().line, before.to_vec()),
            UseTree::Name(name) => self.import(before, &name.ident, &name.ident),
            UseTree::Rename(rename) => self.import(before, &rename.ident, &rename.rename),
        }
    }

    /// `use before::{name as known}`, where `name` may be `self`.
    fn import(&mut self, before: &[String], name: &Ident, known: &Ident) {
        let mut path = before.to_vec();
        let mut known = known.to_string();
        if name != "self" || before.is_empty() {
            path.push(name.to_string());
        } else if known == "self" {
            known = before.last().cloned().unwrap_or_default();
        }
        self.mention(name.span().start().line, path.clone());
        let path = self.rooted(path);
        self.names.insert(known, path);
    }

    /// Paths in the tokens of a macro or an attribute, which are not parsed.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut line, mut colons) = (0, 0);
        let end = |reader: &mut Self, path: &mut Vec<String>, line| {
            let path = std::mem::take(path);
            if path.len() > 1 {
                reader.mention(line, path);
            }
        };
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) => {
                    if colons != 2 || path.is_empty() {
                        end(self, &mut path, line);
                        line = ident.span().start().line;
                    }
                    path.push(ident.to_string());
                }
                TokenTree::Group(group) => {
                    end(self, &mut path, line);
                    self.tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => end(self, &mut path, line),
            }
            colons = 0;
        }
        end(self, &mut path, line);
    }

    /// A file that a `mod name;` for tests leads to.
    fn test_file(&self, item: &ItemMod) -> String {
        let folder = self.file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let written = item
            .attrs
            .iter()
            .find_map(|attribute| match &attribute.meta {
                syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                    syn::Expr::Lit(literal) => match &literal.lit {
                        syn::Lit::Str(text) => Some(text.value()),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            });
        match written {
            Some(file) => format!("{folder}/{}", stem(&file)),
            None => {
                let own = stem(self.file);
                let own = own.strip_suffix("/lib").unwrap_or(own);
                let own = own.strip_suffix("/main").unwrap_or(own);
                format!("{own}/{}", item.ident)
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !attributes(item).iter().any(is_for_tests) {
            visit::visit_item(self, item);
        } else if let Item::Mod(item) = item
            && item.content.is_none()
        {
            self.tests.push(self.test_file(item));
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let name = item.ident.to_string();
        let path = self.rooted(vec!["self".to_owned(), name.clone()]);
        self.names.insert(name.clone(), path);
        self.module.push(name);
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.is_export = !matches!(item.vis, syn::Visibility::Inherited);
        self.tree(&[], &item.tree);
        self.is_export = false;
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let names = path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string());
            self.mention(path.span().start().line, names.collect());
        }
        visit::visit_path(self, path);
    }

    /// `pub(in crate::answer)` tells who may see, it uses nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        visit::visit_attribute(self, attribute);
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        visit::visit_macro(self, item);
        self.tokens(item.tokens.clone());
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
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
    fn what_a_module_exports_again_is_followed() {
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
