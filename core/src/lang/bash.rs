//! Bash and other POSIX shells.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_bash::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/bash/symbols.scm")],
    imports: &[include_str!("../../queries/bash/imports.scm")],
    calls: &[include_str!("../../queries/bash/calls.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["comment"],
    blocks: &[
        "program",
        "compound_statement",
        "subshell",
        "do_group",
        "if_statement",
        "elif_clause",
        "else_clause",
        "case_statement",
        "case_item",
        "array",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
