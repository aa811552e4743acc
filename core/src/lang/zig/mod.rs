//! Zig.

mod imports;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Zig",
    extensions: &["zig"],
    words: &["zig"],
    is_test: |stem, _| matches!(stem, "test" | "tests") || stem.ends_with("_test"),
    public: Public::With(&["pub"]),
    family: &FAMILY,
    environment: &["getenv(\"@\""],
    raises: &[r"\b(error\.\w+)"],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "zig",
    is_standard: |library| matches!(library, "std" | "builtin" | "root"),
    resolve: imports::resolve,
    // Conventional names: Zig has no keyword for it.
    self_words: &["self", "Self", "@This()"],
    ..Family::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_zig::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[include_str!("types.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["comment"],
    blocks: &[
        "source_file",
        "block",
        "struct_declaration",
        "enum_declaration",
        "union_declaration",
        "opaque_declaration",
        "switch_expression",
        "initializer_list",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
