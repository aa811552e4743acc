//! Java.

use tree_sitter::Node;

use crate::lang::jvm::FAMILY;
use crate::lang::role::is_camel_test;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};
use crate::lang::{Import, ImportedName};
use crate::lines::{LineRange, Row};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Java",
    extensions: &["java"],
    words: &["java"],
    is_test: is_camel_test,
    public: Public::With(&["public"]),
    family: &FAMILY,
    environment: &["System.getenv(\"@\"", "getenv().get(\"@\""],
    declared_errors: thrown,
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

/// Returns `A` and `B` of `void run() throws A, B`.
fn thrown(signature: &str) -> Vec<String> {
    let behind = signature.rsplit_once(" throws ").map_or("", |(_, it)| it);
    let names = behind.trim_end_matches(['{', ';', ' ']).split(',');
    let names = names.map(str::trim).filter(|it| !it.is_empty());
    names.map(str::to_owned).collect()
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_java::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        include_str!("packages.scm"),
        include_str!("variables.scm"),
    ],
    comments: &["line_comment", "block_comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &[
        "annotation",
        "marker_annotation",
        "line_comment",
        "block_comment",
    ],
    blocks: &[
        "program",
        "class_body",
        "interface_body",
        "annotation_type_body",
        "enum_body",
        "enum_body_declarations",
        "block",
        "constructor_body",
        "switch_block",
        "switch_block_statement_group",
        "array_initializer",
    ],
    separator: "",
    owner: plain_owner,
    import: Some(import),
};

/// Reads an import: `import a.B;` is the module `a.B`, `import a.*;` everything in `a`, and
/// `import static a.B.c;` the name `c` of `a.B`.
fn import(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let mut path = "";
    let mut is_static = false;
    let mut is_wildcard = false;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "static" => is_static = true,
            "asterisk" => is_wildcard = true,
            "identifier" | "scoped_identifier" => {
                path = text.get(child.byte_range()).unwrap_or("");
            }
            _ => {}
        }
    }
    let path: String = path.split_whitespace().collect();
    let (module, name) = match path.rsplit_once('.') {
        _ if is_wildcard => (path.as_str(), Some("*")),
        Some((module, name)) if is_static => (module, Some(name)),
        _ => (path.as_str(), None),
    };
    if module.is_empty() {
        return;
    }
    out.push(Import {
        module: module.to_string(),
        names: name
            .map(|name| ImportedName {
                name: name.to_string(),
                alias: None,
            })
            .into_iter()
            .collect(),
        lines: LineRange::from_rows(
            Row(node.start_position().row as u32),
            Row(node.end_position().row as u32),
        ),
    });
}
