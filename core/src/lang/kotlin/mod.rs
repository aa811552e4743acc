//! Kotlin.

use crate::lang::jvm::FAMILY;
use crate::lang::role::is_camel_test;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Kotlin",
    extensions: &["kt", "kts"],
    programs: &["kotlin", "kotlinc"],
    words: &["kotlin"],
    is_test: is_camel_test,
    public: Public::Without(&["private", "internal", "protected"]),
    family: &FAMILY,
    environment: &["System.getenv(\"@\""],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_kotlin_ng::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        include_str!("packages.scm"),
        include_str!("variables.scm"),
    ],
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

/// Returns the receiver of an extension, nullable or not: `String?` as `String`.
fn owner(written: &str) -> String {
    plain_owner(&written.replace('?', ""))
}
