//! TypeScript and TSX. TSX has its own grammar, because `<T>x` has another meaning in it.

use crate::lang::ecmascript::{
    self, CALLS, FAMILY, IMPORTS, JSX_CALLS, SYMBOLS, VARIABLES, is_test, owner,
};
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar};

const TYPE_SYMBOLS: &str = include_str!("symbols.scm");
const TYPE_IMPORTS: &str = include_str!("imports.scm");

pub(super) static TYPESCRIPT: LanguageSpec = LanguageSpec {
    name: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    programs: &["deno", "ts-node", "tsx"],
    words: &["typescript"],
    is_test,
    public: Public::Exported,
    family: &FAMILY,
    environment: ecmascript::ENVIRONMENT,
    computed_imports: ecmascript::COMPUTED_IMPORTS,
    raises: ecmascript::RAISES,
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

pub(super) static TSX: LanguageSpec = LanguageSpec {
    name: "TSX",
    extensions: &["tsx"],
    is_test,
    public: Public::Exported,
    family: &FAMILY,
    environment: ecmascript::ENVIRONMENT,
    computed_imports: ecmascript::COMPUTED_IMPORTS,
    raises: ecmascript::RAISES,
    reader: Reader::Code(TSX_SYNTAX),
    ..LanguageSpec::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    symbols: &[TYPE_SYMBOLS, SYMBOLS],
    imports: &[IMPORTS, TYPE_IMPORTS],
    calls: &[CALLS],
    declarations: &[
        include_str!("bases.scm"),
        include_str!("types.scm"),
        VARIABLES,
    ],
    comments: &["comment"],
    attributes: &["decorator"],
    wrappers: &[
        "export_statement",
        "ambient_declaration",
        "lexical_declaration",
        "variable_declaration",
        "expression_statement",
    ],
    unsigned: &["decorator", "comment"],
    blocks: &[
        "program",
        "statement_block",
        "class_body",
        "interface_body",
        "enum_body",
        "object_type",
        "switch_body",
        "switch_case",
        "switch_default",
        "object",
        "array",
    ],
    separator: "",
    owner,
    import: None,
};

const TSX_SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_typescript::LANGUAGE_TSX),
    calls: &[CALLS, JSX_CALLS],
    blocks: &[
        "program",
        "statement_block",
        "class_body",
        "interface_body",
        "enum_body",
        "object_type",
        "switch_body",
        "switch_case",
        "switch_default",
        "object",
        "array",
        "jsx_element",
    ],
    ..SYNTAX
};
