//! Reads imports from the tree: one import can name several modules, and `__MODULE__` is the
//! enclosing one.

use tree_sitter::Node;

use crate::lang::{Import, ImportedName};
use crate::lines::{LineRange, Row};

/// Reads `alias A.{B, C}`, `alias A.B, as: X`, `import A, only: [f: 1]`, `require A`, `use A` and
/// `@behaviour A`.
pub(super) fn import(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let call = node.child_by_field_name("operand").unwrap_or(node);
    let mut cursor = call.walk();
    let mut arguments = call.named_children(&mut cursor);
    let Some(arguments) = arguments.find(|child| child.kind() == "arguments") else {
        return;
    };
    let Some(written) = arguments.named_child(0) else {
        return;
    };
    let modules = modules(written, text);
    let mut names = Vec::new();
    // Options belong to a single module: a list of modules has none, and would repeat them for
    // each.
    if let Some(options) = arguments.named_child(1)
        && modules.len() == 1
    {
        add_names(options, text, &mut names);
    }
    let lines = LineRange::from_rows(
        Row(node.start_position().row as u32),
        Row(node.end_position().row as u32),
    );
    out.extend(modules.into_iter().map(|module| Import {
        module,
        names: names.clone(),
        lines,
    }));
}

/// Returns the modules that an argument names, with `__MODULE__` expanded.
fn modules(written: Node<'_>, text: &str) -> Vec<String> {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("").to_owned();
    match written.kind() {
        "alias" => vec![of(written)],
        "identifier" if of(written) == "__MODULE__" => vec![around(written, text)],
        "dot" => {
            let sides = ["left", "right"].map(|side| written.child_by_field_name(side));
            let [Some(left), Some(right)] = sides else {
                return Vec::new();
            };
            // `A.{B, C}` has no other such list on its left.
            let base = match left.kind() {
                "alias" => of(left),
                "identifier" if of(left) == "__MODULE__" => around(left, text),
                _ => return Vec::new(),
            };
            let mut cursor = right.walk();
            let names: Vec<String> = match right.kind() {
                "tuple" => right.named_children(&mut cursor).map(of).collect(),
                _ => vec![of(right)],
            };
            let names = names.into_iter().filter(|name| is_module(name));
            names.map(|name| format!("{base}.{name}")).collect()
        }
        _ => Vec::new(),
    }
}

fn is_module(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_ascii_uppercase())
        && name
            .chars()
            .all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '.'))
}

/// Returns the name of the module around a node.
fn around(node: Node<'_>, text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut next = node.parent();
    while let Some(call) = next {
        next = call.parent();
        let target = call.child_by_field_name("target");
        let target = target.and_then(|target| text.get(target.byte_range()));
        if call.kind() != "call" || !matches!(target, Some("defmodule" | "defprotocol")) {
            continue;
        }
        let mut cursor = call.walk();
        let arguments = call.named_children(&mut cursor).nth(1);
        let name = arguments.and_then(|arguments| arguments.named_child(0));
        names.extend(name.and_then(|name| text.get(name.byte_range())));
    }
    names.reverse();
    names.join(".")
}

/// Adds names from options: `as: X` names the module itself, `only: [f: 1, g: 2]` its functions.
fn add_names(options: Node<'_>, text: &str, names: &mut Vec<ImportedName>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("");
    let mut cursor = options.walk();
    for pair in options.named_children(&mut cursor) {
        let (Some(key), Some(value)) = (
            pair.child_by_field_name("key"),
            pair.child_by_field_name("value"),
        ) else {
            continue;
        };
        match of(key).trim() {
            "as:" => names.push(ImportedName {
                name: "*".to_owned(),
                alias: Some(of(value).to_owned()),
            }),
            "only:" => {
                let listed = of(value).trim_matches(['[', ']']).split(',');
                let listed = listed.filter_map(|pair| Some(pair.split_once(':')?.0.trim()));
                names.extend(
                    listed
                        .filter(|name| !name.is_empty())
                        .map(|name| ImportedName {
                            name: name.to_owned(),
                            alias: None,
                        }),
                );
            }
            _ => {}
        }
    }
}
