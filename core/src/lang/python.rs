//! Python.

use super::spec::{LanguageSpec, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_python::LANGUAGE.into(),
    symbols: &[include_str!("../../queries/python/symbols.scm")],
    imports: &[include_str!("../../queries/python/imports.scm")],
    calls: &[include_str!("../../queries/python/calls.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["decorated_definition"],
    unsigned: &["decorator", "comment"],
    blocks: &["module", "block", "dictionary", "list", "tuple", "set"],
    separator: "",
    owner: plain_owner,
    import: None,
};
