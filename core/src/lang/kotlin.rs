//! Kotlin.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/kotlin/symbols.scm")],
    imports: &[include_str!("../../queries/kotlin/imports.scm")],
    calls: &[include_str!("../../queries/kotlin/calls.scm")],
    comments: &["line_comment", "block_comment"],
    attributes: &[],
    wrappers: &[],
    unsigned: &["annotation", "line_comment", "block_comment"],
    blocks: &[
        "source_file",
        "class_body",
        "enum_class_body",
        "block",
        "lambda_literal",
        "when_expression",
    ],
    separator: "",
    owner,
    import: None,
};

/// The receiver of an extension, nullable or not: `String?` as `String`.
fn owner(written: &str) -> String {
    plain_owner(&written.replace('?', ""))
}
