//! Lua.

mod imports;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Lua",
    extensions: &["lua", "rockspec"],
    programs: &["lua", "luajit", "texlua"],
    words: &["lua"],
    is_test,
    public: Public::Without(&["local"]),
    family: &FAMILY,
    environment: &["os.getenv(\"@\""],
    computed_imports: &[r#"\brequire\s*\(\s*[^\s"'\[)]"#],
    raises: &[r"\b(error)\s*\("],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "lua",
    resolve: imports::resolve,
    self_words: &["self"],
    ..Family::PLAIN
};

fn is_test(stem: &str, _: &str) -> bool {
    stem.starts_with("test_") || stem.ends_with("_spec") || stem.ends_with("_test")
}

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_lua::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[include_str!("bases.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["variable_declaration"],
    unsigned: &["comment"],
    blocks: &["chunk", "block", "table_constructor"],
    separator: "",
    owner: plain_owner,
    import: None,
};
