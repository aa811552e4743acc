//! PHP.

mod imports;

use crate::lang::family::{Family, last_part};
use crate::lang::resolve::or_global;
use crate::lang::role::is_camel_test;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "PHP",
    extensions: &["php", "phtml", "php5", "php7", "php8"],
    programs: &["php"],
    words: &["php"],
    claims: Some(|extension, text| extension == "inc" && text.contains("<?php")),
    is_test: is_camel_test,
    public: Public::Without(&["private", "protected"]),
    family: &FAMILY,
    environment: &["getenv(\"@\"", "$_ENV[\"@\"]"],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "php",
    resolve: imports::resolve,
    local_name: |module| last_part(module, '\\'),
    packages: |_, declared| or_global(declared),
    self_words: &["$this", "self", "static"],
    sees_everything: true,
    imports_classes: true,
    ..Family::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_php::LANGUAGE_PHP),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        include_str!("packages.scm"),
        include_str!("variables.scm"),
    ],
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

/// Writes `Acme\Shop` as `Acme.Shop`.
fn owner(written: &str) -> String {
    plain_owner(&written.replace('\\', "."))
}
