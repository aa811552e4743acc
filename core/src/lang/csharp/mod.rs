//! C#.

mod imports;

use crate::lang::family::Family;
use crate::lang::resolve::or_global;
use crate::lang::role::is_camel_test;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "C#",
    extensions: &["cs", "csx"],
    words: &["c#"],
    is_test: is_camel_test,
    public: Public::With(&["public"]),
    family: &FAMILY,
    environment: &["Environment.GetEnvironmentVariable(\"@\""],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "csharp",
    is_standard: |library| library.split('.').next() == Some("System"),
    resolve: imports::resolve,
    packages: |_, declared| or_global(declared),
    has_implicit_self: true,
    has_overloads: true,
    sees_everything: true,
    imports_classes: true,
    has_members_elsewhere: true,
    ..Family::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_c_sharp::LANGUAGE),
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
        "compilation_unit",
        "declaration_list",
        "enum_member_declaration_list",
        "block",
        "accessor_list",
        "switch_body",
        "switch_section",
        "initializer_expression",
    ],
    separator: "",
    owner: plain_owner,
    import: None,
};
