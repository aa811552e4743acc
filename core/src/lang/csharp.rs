//! C#.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/csharp/symbols.scm")],
    imports: &[include_str!("../../queries/csharp/imports.scm")],
    calls: &[include_str!("../../queries/csharp/calls.scm")],
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
