//! Swift.

mod imports;

use crate::lang::family::Family;
use crate::lang::role::is_camel_test;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Swift",
    extensions: &["swift"],
    programs: &["swift"],
    is_test: is_camel_test,
    public: Public::With(&["public", "open"]),
    family: &FAMILY,
    environment: &["environment[\"@\"]"],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "swift",
    is_standard: |library| {
        matches!(
            library,
            "Foundation" | "Swift" | "Dispatch" | "Darwin" | "Glibc" | "XCTest"
        )
    },
    resolve: imports::resolve,
    packages: |path, _| {
        imports::module_of(path)
            .map(str::to_owned)
            .into_iter()
            .collect()
    },
    self_words: &["self", "Self"],
    has_implicit_self: true,
    has_overloads: true,
    sees_everything: true,
    has_members_elsewhere: true,
    ..Family::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_swift::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[include_str!("bases.scm"), include_str!("types.scm")],
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
