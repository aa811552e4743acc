//! JavaScript, and what TypeScript shares with it.

use super::spec::{LanguageSpec, plain_owner};

pub(super) const SYMBOLS: &str = include_str!("../../queries/ecmascript/symbols.scm");
pub(super) const IMPORTS: &str = include_str!("../../queries/ecmascript/imports.scm");
pub(super) const CALLS: &str = include_str!("../../queries/ecmascript/calls.scm");
pub(super) const JSX_CALLS: &str = include_str!("../../queries/jsx/calls.scm");

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    symbols: &[
        include_str!("../../queries/javascript/symbols.scm"),
        SYMBOLS,
    ],
    imports: &[IMPORTS],
    calls: &[CALLS, JSX_CALLS],
    comments: &["comment"],
    attributes: &["decorator"],
    wrappers: &[
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
        "expression_statement",
    ],
    unsigned: &["decorator", "comment"],
    blocks: &[
        "program",
        "statement_block",
        "class_body",
        "switch_body",
        "switch_case",
        "switch_default",
        "object",
        "array",
        "jsx_element",
    ],
    separator: "",
    owner,
    import: None,
};

/// An owner without what only says where it is stored: `exports`, `module`, `this`, `prototype`.
pub(super) fn owner(written: &str) -> String {
    const STORES: [&str; 7] = [
        "exports",
        "module",
        "this",
        "prototype",
        "window",
        "globalThis",
        "self",
    ];
    plain_owner(written)
        .split('.')
        .filter(|part| !part.is_empty() && !STORES.contains(part))
        .collect::<Vec<_>>()
        .join(".")
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn owners_lose_the_places_that_only_store_them() {
        for (written, clean) in [
            ("exports", ""),
            ("module.exports", ""),
            ("this", ""),
            ("Store.prototype", "Store"),
            ("app", "app"),
            ("a.b", "a.b"),
        ] {
            assert_eq!(owner(written), clean, "{written}");
        }
    }
}
