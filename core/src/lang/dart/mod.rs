//! Dart.

mod imports;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Dart",
    extensions: &["dart"],
    programs: &["dart"],
    is_test: |stem, _| stem.ends_with("_test"),
    public: Public::NoUnderscore,
    family: &FAMILY,
    environment: &["Platform.environment[\"@\"]", "fromEnvironment(\"@\""],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "dart",
    is_standard: |library| library.starts_with("dart:"),
    resolve: imports::resolve,
    has_implicit_self: true,
    ..Family::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_dart::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[include_str!("bases.scm"), include_str!("types.scm")],
    comments: &["comment", "documentation_comment"],
    attributes: &[],
    wrappers: &["member_declaration"],
    unsigned: &["annotation", "comment", "documentation_comment"],
    blocks: &[
        "source_file",
        "block",
        "class_body",
        "extension_body",
        "enum_body",
        "switch_block",
        "switch_expression",
        "list_literal",
        "set_or_map_literal",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
