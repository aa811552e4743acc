//! C++.

mod looks;

use crate::lang::c::{CALLS, IMPORTS, SYMBOLS, TYPES};
use crate::lang::spec::{LanguageSpec, Reader, Syntax, grammar, plain_owner};
use looks::looks_like_cpp;

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "C++",
    extensions: &[
        "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh",
        "ino", "cppm", "ixx",
    ],
    words: &["c++"],
    claims: Some(|extension, text| extension == "h" && looks_like_cpp(text)),
    is_test: crate::lang::c::is_test,
    family: &crate::lang::c::FAMILY,
    environment: &["getenv(\"@\""],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_cpp::LANGUAGE),
    symbols: &[include_str!("symbols.scm"), SYMBOLS],
    imports: &[IMPORTS],
    calls: &[CALLS, include_str!("calls.scm")],
    declarations: &[include_str!("bases.scm"), TYPES, include_str!("types.scm")],
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
