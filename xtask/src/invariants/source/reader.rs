//! The syntax of a file → the paths that it names.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, ImplItemFn, Item, ItemFn, ItemMod, ItemUse, Signature, TraitItemFn, UseTree,
};

use super::{Function, Mention, stem};

/// `#[cfg(test)]`, and `#[cfg(all(test, …))]`.
pub(super) fn is_for_tests(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return false;
    };
    let condition = list.tokens.to_string().replace(' ', "");
    list.path.is_ident("cfg") && (condition == "test" || condition.starts_with("all(test,"))
}

/// Walks a file and collects what it names.
pub(super) struct Reader<'a> {
    pub file: &'a str,
    /// The module being read: the file's, or one written inline in it.
    pub module: Vec<String>,
    pub found: Vec<Mention>,
    /// Whether what is being read is a re-export.
    pub is_export: bool,
    pub names: HashMap<String, Vec<String>>,
    pub tests: Vec<String>,
    pub functions: Vec<Function>,
}

impl Reader<'_> {
    /// Resolves `crate`, `self` and `super` at the start of a path; returns the path from the root.
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

    /// Collects paths in the tokens of a macro or an attribute, which are not parsed.
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

    fn function(&mut self, signature: &Signature, block: &Block) {
        let line = signature.span().start().line;
        self.functions.push(Function {
            line,
            name: signature.ident.to_string(),
            lines: block.span().end().line + 1 - line,
        });
    }

    /// The file that a `mod name;` for tests leads to.
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

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
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

    /// `pub(in crate::answer)` says who may see something; it uses nothing.
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
