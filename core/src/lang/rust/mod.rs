//! Rust.

mod errors;
mod imports;
mod macros;
mod token_calls;

use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::Node;

use crate::lang::family::{Family, Reach, last_part};
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};
use crate::lang::{Import, ImportedName};
use crate::lines::{LineRange, Row};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Rust",
    extensions: &["rs"],
    programs: &["rust-script"],
    words: &["rust"],
    is_test,
    public: Public::With(&["pub"]),
    family: &FAMILY,
    environment: &["env::var(\"@\"", "env::var_os(\"@\"", "env!(\"@\""],
    raises: &[
        r#"\bErr\(\s*([A-Z]\w*(?:::\w+)*|"[^"\\\n]*)"#,
        r"\b(panic|unreachable|unimplemented|todo|bail|ensure|assert|assert_eq|assert_ne)!",
    ],
    panics: &[
        "panic",
        "unreachable",
        "unimplemented",
        "todo",
        "assert",
        "assert_eq",
        "assert_ne",
    ],
    declared_errors: errors::declared,
    token_calls: Some(token_calls::read),
    wrappers: Some(macros::around_definitions),
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "rust",
    is_standard: |library| matches!(library, "std" | "core" | "alloc" | "proc_macro" | "test"),
    resolve: imports::resolve,
    local_name: |path| last_part(path, ':'),
    facts: Some(|repo, parsed| Box::new(imports::Crates::new(repo, parsed))),
    self_words: &["self", "Self"],
    has_members_elsewhere: true,
    walk_path: Some(imports::walk_to_module),
    imports_reach: Reach::Block,
    ..Family::PLAIN
};

fn is_test(stem: &str, _: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests")
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_rust::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        include_str!("variables.scm"),
    ],
    comments: &["line_comment", "block_comment"],
    attributes: &["attribute_item"],
    wrappers: &[],
    unsigned: &["attribute_item", "line_comment", "block_comment"],
    blocks: &[
        "source_file",
        "declaration_list",
        "block",
        "match_block",
        "field_declaration_list",
        "enum_variant_list",
        "field_initializer_list",
        "array_expression",
    ],
    separator: "",
    owner,
    import: Some(import),
};

/// Reduces a type to its name: `&'a mut Vec<T>` → `Vec`.
fn owner(written: &str) -> String {
    let bare = written
        .trim_start_matches('&')
        .split_whitespace()
        .filter(|part| !part.starts_with('\'') && !matches!(*part, "mut" | "dyn" | "const"))
        .collect::<Vec<_>>()
        .join(" ");
    let name = plain_owner(&bare);
    name.rsplit('.').next().unwrap_or(&name).to_string()
}

/// Limit on the bytes of the paths into which one `use` tree is flattened: this many, plus some for
/// each byte of the tree itself. A long path before a long list would be repeated for each of its
/// names.
const MIN_PATH_BYTES: usize = 64 << 10;
const PATH_BYTES_PER_BYTE: usize = 8;

/// Module paths and the names imported from each.
#[derive(Default)]
struct Names {
    found: Vec<(String, Vec<ImportedName>)>,
    /// The position of each module's names.
    places: HashMap<String, usize>,
}

impl Names {
    /// Adds an import of the module itself.
    fn add_module(&mut self, module: String) {
        self.found.push((module, Vec::new()));
    }

    fn add(&mut self, module: String, name: ImportedName) {
        let known = self.places.get(&module);
        match known.and_then(|&at| self.found.get_mut(at)) {
            Some((_, names)) => names.push(name),
            None => {
                self.places.insert(module.clone(), self.found.len());
                self.found.push((module, vec![name]));
            }
        }
    }
}

/// Flattens a `use` tree into one import per module path. `mod x;` is an import of `self::x`.
fn import(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let mut found = Names::default();
    let name = field_text(node, "name", text);
    match node.kind() {
        "mod_item" => found.add_module(format!("self::{name}")),
        "extern_crate_declaration" => match field_text(node, "alias", text) {
            "" => found.add_module(name.to_string()),
            alias => found.add(name.to_string(), imported("*", alias)),
        },
        _ => {
            if let Some(tree) = node.child_by_field_name("argument") {
                flatten(tree, text, &mut found);
            }
        }
    }
    let first = Row(node.start_position().row as u32);
    let last = Row(node.end_position().row as u32);
    out.extend(found.found.into_iter().map(|(module, names)| Import {
        module,
        names,
        lines: LineRange::from_rows(first, last),
    }));
}

/// Collects the leaves of a `use` tree. Uses a stack instead of recursion, because the repository
/// determines the tree's depth. What would take too much space is left out.
fn flatten(tree: Node<'_>, text: &str, found: &mut Names) {
    let mut left = MIN_PATH_BYTES + PATH_BYTES_PER_BYTE * tree.byte_range().len();
    let mut stack = vec![(tree, Rc::<str>::from(""))];
    while let Some((node, prefix)) = stack.pop() {
        let Some(rest) = left.checked_sub(prefix.len()) else {
            return;
        };
        left = rest;
        match node.kind() {
            "use_list" => {
                let mut cursor = node.walk();
                let mut children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                children.reverse();
                stack.extend(
                    children
                        .into_iter()
                        .map(|child| (child, Rc::clone(&prefix))),
                );
            }
            "scoped_use_list" => {
                let path = join(&prefix, field_text(node, "path", text));
                if let Some(list) = node.child_by_field_name("list") {
                    stack.push((list, path.into()));
                }
            }
            "use_as_clause" => {
                let path = join(&prefix, field_text(node, "path", text));
                add(found, &path, Some(field_text(node, "alias", text)));
            }
            "use_wildcard" => {
                let path = node.named_child(0).map(|path| node_text(path, text));
                let module = join(&prefix, path.unwrap_or(""));
                found.add(module, imported("*", ""));
            }
            "line_comment" | "block_comment" => {}
            _ => add(found, &join(&prefix, node_text(node, text)), None),
        }
    }
}

/// Adds the leaf `a::b::c`, or `a::b::self`, which is the module `a::b` itself.
fn add(found: &mut Names, path: &str, alias: Option<&str>) {
    let alias = alias.unwrap_or("");
    let itself = path.strip_suffix("::self");
    match path.rsplit_once("::") {
        Some((module, name)) if itself.is_none() && !module.is_empty() => {
            found.add(module.to_string(), imported(name, alias));
        }
        _ => {
            let module = itself.unwrap_or(path).to_string();
            match alias {
                "" => found.add_module(module),
                alias => found.add(module, imported("*", alias)),
            }
        }
    }
}

fn imported(name: &str, alias: &str) -> ImportedName {
    ImportedName {
        name: name.to_string(),
        alias: (!alias.is_empty()).then(|| alias.to_string()),
    }
}

fn join(prefix: &str, path: &str) -> String {
    let path: String = path.split_whitespace().collect();
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path,
        (false, true) => prefix.to_string(),
        (false, false) => format!("{prefix}::{path}"),
    }
}

fn node_text<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or("")
}

fn field_text<'t>(node: Node<'_>, field: &str, text: &'t str) -> &'t str {
    node.child_by_field_name(field)
        .map(|child| node_text(child, text))
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn owners_are_the_last_name_of_the_type() {
        for (written, name) in [
            ("Vec<T>", "Vec"),
            ("&'a mut Store<'a, K>", "Store"),
            ("fmt::Formatter<'_>", "Formatter"),
            ("dyn Trait", "Trait"),
            ("(A, B)", ""),
        ] {
            assert_eq!(owner(written), name, "{written}");
        }
    }
}
