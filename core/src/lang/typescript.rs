//! TypeScript and TSX. TSX is a grammar of its own, because `<T>x` means another thing in it.

use super::javascript::{CALLS, IMPORTS, JSX_CALLS, SYMBOLS, owner};
use super::spec::LanguageSpec;

const TYPE_SYMBOLS: &str = include_str!("../../queries/typescript/symbols.scm");
const TYPE_IMPORTS: &str = include_str!("../../queries/typescript/imports.scm");

const BASE: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    symbols: &[TYPE_SYMBOLS, SYMBOLS],
    imports: &[IMPORTS, TYPE_IMPORTS],
    calls: &[CALLS],
    comments: &["comment"],
    attributes: &["decorator"],
    wrappers: &[
        "export_statement",
        "ambient_declaration",
        "lexical_declaration",
        "variable_declaration",
        "expression_statement",
    ],
    unsigned: &["decorator", "comment"],
    blocks: &[
        "program",
        "statement_block",
        "class_body",
        "interface_body",
        "enum_body",
        "object_type",
        "switch_body",
        "switch_case",
        "switch_default",
        "object",
        "array",
    ],
    separator: "",
    owner,
    import: None,
};

pub(super) static TYPESCRIPT: LanguageSpec = BASE;

pub(super) static TSX: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    calls: &[CALLS, JSX_CALLS],
    blocks: &[
        "program",
        "statement_block",
        "class_body",
        "interface_body",
        "enum_body",
        "object_type",
        "switch_body",
        "switch_case",
        "switch_default",
        "object",
        "array",
        "jsx_element",
    ],
    ..BASE
};
