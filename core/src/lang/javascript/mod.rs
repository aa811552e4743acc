//! JavaScript.

use crate::lang::ecmascript::{
    self, CALLS, FAMILY, IMPORTS, JSX_CALLS, SYMBOLS, VARIABLES, is_test, owner,
};
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    file_names: &["Jakefile"],
    programs: &["node", "nodejs", "bun"],
    words: &["javascript"],
    is_test,
    public: Public::Exported,
    family: &FAMILY,
    environment: ecmascript::ENVIRONMENT,
    computed_imports: ecmascript::COMPUTED_IMPORTS,
    raises: ecmascript::RAISES,
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_javascript::LANGUAGE),
    symbols: &[include_str!("symbols.scm"), SYMBOLS],
    imports: &[IMPORTS],
    calls: &[CALLS, JSX_CALLS],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        VARIABLES,
    ],
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
