//! Ruby.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/ruby/symbols.scm")],
    imports: &[include_str!("../../queries/ruby/imports.scm")],
    calls: &[include_str!("../../queries/ruby/calls.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["comment"],
    blocks: &[
        "program",
        "body_statement",
        "block_body",
        "then",
        "else",
        "ensure",
        "do",
        "begin",
        "case",
        "hash",
        "array",
        "argument_list",
    ],
    separator: "::",
    owner: plain_owner,
    import: None,
};
