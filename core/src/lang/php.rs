//! PHP.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    symbols: &[include_str!("../../queries/php/symbols.scm")],
    imports: &[include_str!("../../queries/php/imports.scm")],
    calls: &[include_str!("../../queries/php/calls.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["attribute_list", "comment"],
    blocks: &[
        "program",
        "compound_statement",
        "declaration_list",
        "enum_declaration_list",
        "colon_block",
        "switch_block",
        "case_statement",
        "match_block",
        "array_creation_expression",
    ],
    separator: "\\",
    owner,
    import: None,
};

/// `Acme\Shop` as `Acme.Shop`.
fn owner(written: &str) -> String {
    plain_owner(&written.replace('\\', "."))
}
