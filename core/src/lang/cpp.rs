//! C++.

use super::c::{CALLS, IMPORTS, SYMBOLS};
use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/cpp/symbols.scm"), SYMBOLS],
    imports: &[IMPORTS],
    calls: &[CALLS, include_str!("../../queries/cpp/calls.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["type_definition", "template_declaration"],
    unsigned: &["comment", "attribute_declaration", "field_initializer_list"],
    blocks: &[
        "translation_unit",
        "preproc_ifdef",
        "preproc_if",
        "preproc_else",
        "declaration_list",
        "compound_statement",
        "case_statement",
        "field_declaration_list",
        "enumerator_list",
        "initializer_list",
    ],
    separator: "::",
    owner: plain_owner,
    import: None,
};
