//! Prints one JSON line for each named file: its path, and its definitions as `[name, kind,
//! signature, body]`, parsed with `syn`.

use std::io::Write;

use quote::ToTokens;
use serde_json::{Value, json};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Fields, ImplItem, Item, Signature, Stmt, TraitItem, Type, Visibility};

fn main() {
    let mut out = std::io::stdout().lock();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let mut found = Vec::new();
        match syn::parse_file(&text) {
            Ok(mut file) => {
                WithoutDocs.visit_file_mut(&mut file);
                items(&file.items, "", &mut found);
            }
            Err(error) => eprintln!("not parsed: {path}: {error}"),
        }
        writeln!(out, "{}", json!({ "path": path, "definitions": found })).expect("an open pipe");
    }
}

/// Removes documentation.
struct WithoutDocs;

impl VisitMut for WithoutDocs {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|it| !it.path().is_ident("doc"));
        for attribute in attributes {
            visit_mut::visit_attribute_mut(self, attribute);
        }
    }
}

/// Removes the definitions in a body.
struct WithoutItems;

impl VisitMut for WithoutItems {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|it| !matches!(it, Stmt::Item(item) if !matches!(item, Item::Use(_) | Item::Macro(_))));
        visit_mut::visit_block_mut(self, block);
    }
}

/// Finds the definitions in a body.
struct InBodies<'f> {
    owner: String,
    found: &'f mut Vec<Value>,
}

impl VisitMut for InBodies<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for stmt in &block.stmts {
            if let Stmt::Item(item) = stmt {
                items(std::slice::from_ref(item), &self.owner, self.found);
            }
        }
        block.stmts.retain(|it| !matches!(it, Stmt::Item(_)));
        visit_mut::visit_block_mut(self, block);
    }
}

/// The tokens on one line, without the comma that ends a list.
fn said(of: impl ToTokens) -> String {
    let said = of.to_token_stream().to_string();
    said.replace(", )", " )").replace(", ]", " ]").replace(", }", " }").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn named(owner: &str, name: &str) -> String {
    if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") }
}

fn attrs(of: &[Attribute]) -> String {
    of.iter().map(said).collect::<Vec<_>>().join(" ")
}

fn function(owner: &str, attributes: &[Attribute], vis: Option<&Visibility>, sig: &Signature, block: Option<&Block>, kind: &str, found: &mut Vec<Value>) {
    let name = named(owner, &sig.ident.to_string());
    let head = format!("{} {} {}", attrs(attributes), vis.map(said).unwrap_or_default(), said(sig));
    let body = block.map(|block| {
        let mut block = block.clone();
        WithoutItems.visit_block_mut(&mut block);
        said(&block)
    });
    found.push(json!([name, kind, head, body.unwrap_or_default()]));
    if let Some(block) = block {
        InBodies { owner: name, found }.visit_block_mut(&mut block.clone());
    }
}

fn owner_of(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|it| it.ident.to_string()).unwrap_or_default(),
        Type::Reference(of) => owner_of(&of.elem),
        other => said(other),
    }
}

fn items(all: &[Item], owner: &str, found: &mut Vec<Value>) {
    for item in all {
        match item {
            Item::Fn(it) => function(owner, &it.attrs, Some(&it.vis), &it.sig, Some(&it.block), "function", found),
            Item::Mod(it) => {
                if let Some((_, inner)) = &it.content {
                    items(inner, &named(owner, &it.ident.to_string()), found);
                }
            }
            Item::Impl(it) => {
                let owner = named(owner, &owner_of(&it.self_ty));
                for member in &it.items {
                    match member {
                        ImplItem::Fn(it) => function(&owner, &it.attrs, Some(&it.vis), &it.sig, Some(&it.block), "method", found),
                        ImplItem::Const(it) => found.push(json!([named(&owner, &it.ident.to_string()), "constant", "", said(it)])),
                        ImplItem::Type(it) => found.push(json!([named(&owner, &it.ident.to_string()), "type", "", said(it)])),
                        _ => {}
                    }
                }
            }
            Item::Trait(it) => {
                let name = named(owner, &it.ident.to_string());
                let mut head = it.clone();
                head.items.clear();
                found.push(json!([name, "trait", said(head), ""]));
                for member in &it.items {
                    match member {
                        TraitItem::Fn(it) => function(&name, &it.attrs, None, &it.sig, it.default.as_ref(), "method", found),
                        TraitItem::Const(it) => found.push(json!([named(&name, &it.ident.to_string()), "constant", "", said(it)])),
                        _ => {}
                    }
                }
            }
            Item::Struct(it) => {
                let (mut head, mut body) = (it.clone(), String::new());
                if let Fields::Named(fields) = &mut head.fields {
                    body = said(&*fields);
                    fields.named.clear();
                }
                found.push(json!([named(owner, &it.ident.to_string()), "struct", said(head), body]));
            }
            Item::Enum(it) => {
                let mut head = it.clone();
                head.variants.clear();
                found.push(json!([named(owner, &it.ident.to_string()), "enum", said(head), said(&it.variants)]));
            }
            Item::Type(it) => found.push(json!([named(owner, &it.ident.to_string()), "type", "", said(it)])),
            Item::Const(it) => found.push(json!([named(owner, &it.ident.to_string()), "constant", "", said(it)])),
            _ => {}
        }
    }
}
