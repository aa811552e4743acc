//! C, and what C++ shares with it.

mod imports;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Reader, Syntax, grammar, plain_owner};

pub(super) const SYMBOLS: &str = include_str!("symbols.scm");
pub(super) const IMPORTS: &str = include_str!("imports.scm");
pub(super) const CALLS: &str = include_str!("calls.scm");
pub(super) const TYPES: &str = include_str!("types.scm");

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "C",
    extensions: &["c", "h"],
    is_test,
    family: &FAMILY,
    environment: &["getenv(\"@\""],
    raises: &[],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

pub(super) static FAMILY: Family = Family {
    name: "c",
    is_standard: |header| {
        // Headers of the standard libraries are in no folder; those of C++ have no extension
        // either.
        let c = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal \
                 stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath \
                 threads time uchar wchar wctype";
        match header.strip_suffix(".h") {
            Some(stem) => c.split(' ').any(|known| known == stem),
            None => !header.contains(['/', '.']),
        }
    },
    resolve: imports::resolve,
    has_implicit_self: true,
    has_overloads: true,
    sees_everything: true,
    includes_files: true,
    has_members_elsewhere: true,
    ..Family::PLAIN
};

pub(super) fn is_test(stem: &str, _: &str) -> bool {
    const ENDS: [&str; 4] = ["_test", "_tests", "_unittest", "-test"];
    let stem = stem.to_ascii_lowercase();
    stem.starts_with("test_") || ENDS.iter().any(|end| stem.ends_with(end))
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_c::LANGUAGE),
    symbols: &[SYMBOLS],
    imports: &[IMPORTS],
    calls: &[CALLS],
    declarations: &[TYPES],
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
