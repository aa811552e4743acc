//! Rust.

mod imports;

use tree_sitter::Node;

use crate::lang::family::{Family, last_part};
use crate::lang::spec::{LanguageSpec, Reader, Syntax, plain_owner};
use crate::lang::{Import, ImportedName};
use crate::lines::{LineRange, Row};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Rust",
    extensions: &["rs"],
    programs: &["rust-script"],
    words: &["rust"],
    is_test,
    family: &FAMILY,
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "rust",
    resolve: imports::resolve,
    local_name: |path| last_part(path, ':'),
    facts: Some(|repo, parsed| Box::new(imports::Crates::new(repo, parsed))),
    self_words: &["self", "Self"],
    has_members_elsewhere: true,
    walk_path: Some(imports::walk_to_module),
    ..Family::PLAIN
};

fn is_test(stem: &str, _: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests")
}

const SYNTAX: Syntax = Syntax {
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[include_str!("bases.scm"), include_str!("types.scm")],
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

/// `&'a mut Vec<T>` → `Vec`.
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

/// A module path and the names taken from it.
type Names = Vec<(String, Vec<ImportedName>)>;

/// Flattens a `use` tree: one import a module path. `mod x;` is the import of `self::x`.
fn import(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let mut found: Names = Vec::new();
    let name = field_text(node, "name", text);
    match node.kind() {
        "mod_item" => found.push((format!("self::{name}"), Vec::new())),
        "extern_crate_declaration" => {
            let alias = field_text(node, "alias", text);
            let names = if alias.is_empty() {
                Vec::new()
            } else {
                vec![imported("*", alias)]
            };
            found.push((name.to_string(), names));
        }
        _ => {
            if let Some(tree) = node.child_by_field_name("argument") {
                flatten(tree, text, &mut found);
            }
        }
    }
    let first = Row(node.start_position().row as u32);
    let last = Row(node.end_position().row as u32);
    out.extend(found.into_iter().map(|(module, names)| Import {
        module,
        names,
        lines: LineRange::from_rows(first, last),
    }));
}

/// Collects the leaves of a `use` tree. A stack instead of recursion: the tree's depth is the
/// repository's choice.
fn flatten(tree: Node<'_>, text: &str, found: &mut Names) {
    let mut stack = vec![(tree, String::new())];
    while let Some((node, prefix)) = stack.pop() {
        match node.kind() {
            "use_list" => {
                let mut cursor = node.walk();
                let mut children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                children.reverse();
                stack.extend(children.into_iter().map(|child| (child, prefix.clone())));
            }
            "scoped_use_list" => {
                let path = join(&prefix, field_text(node, "path", text));
                if let Some(list) = node.child_by_field_name("list") {
                    stack.push((list, path));
                }
            }
            "use_as_clause" => {
                let path = join(&prefix, field_text(node, "path", text));
                add(found, &path, Some(field_text(node, "alias", text)));
            }
            "use_wildcard" => {
                let path = node.named_child(0).map(|path| node_text(path, text));
                let module = join(&prefix, path.unwrap_or(""));
                push(found, module, imported("*", ""));
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
            push(found, module.to_string(), imported(name, alias));
        }
        _ => {
            let module = itself.unwrap_or(path).to_string();
            if alias.is_empty() {
                found.push((module, Vec::new()));
            } else {
                push(found, module, imported("*", alias));
            }
        }
    }
}

fn push(found: &mut Names, module: String, name: ImportedName) {
    match found
        .iter_mut()
        .find(|(known, names)| *known == module && !names.is_empty())
    {
        Some((_, names)) => names.push(name),
        None => found.push((module, vec![name])),
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
