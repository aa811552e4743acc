//! C, and what C++ shares with it.

use super::spec::{LanguageSpec, plain_owner};

pub(super) const SYMBOLS: &str = include_str!("../../queries/c/symbols.scm");
pub(super) const IMPORTS: &str = include_str!("../../queries/c/imports.scm");
pub(super) const CALLS: &str = include_str!("../../queries/c/calls.scm");

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_c::LANGUAGE.into(),
    symbols: &[SYMBOLS],
    imports: &[IMPORTS],
    calls: &[CALLS],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["type_definition"],
    unsigned: &["comment"],
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
    separator: "",
    owner: plain_owner,
    import: None,
};
