//! Go.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_go::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/go/symbols.scm")],
    imports: &[include_str!("../../queries/go/imports.scm")],
    calls: &[include_str!("../../queries/go/calls.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["type_declaration", "const_declaration", "var_declaration"],
    unsigned: &["comment"],
    blocks: &[
        "source_file",
        "statement_list",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
        "literal_value",
        "field_declaration_list",
        "interface_type",
        "type_declaration",
        "const_declaration",
        "var_spec_list",
        "import_spec_list",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
