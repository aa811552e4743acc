//! Swift.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_swift::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/swift/symbols.scm")],
    imports: &[include_str!("../../queries/swift/imports.scm")],
    calls: &[include_str!("../../queries/swift/calls.scm")],
    comments: &["comment", "multiline_comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["attribute", "comment", "multiline_comment"],
    blocks: &[
        "source_file",
        "class_body",
        "enum_class_body",
        "protocol_body",
        "statements",
        "switch_statement",
        "array_literal",
        "dictionary_literal",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
