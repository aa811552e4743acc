//! Lua.

mod imports;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Reader, Syntax, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Lua",
    extensions: &["lua", "rockspec"],
    programs: &["lua", "luajit", "texlua"],
    words: &["lua"],
    is_test,
    family: &FAMILY,
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "lua",
    resolve: imports::resolve,
    bases,
    self_words: &["self"],
    ..Family::PLAIN
};

/// `setmetatable({}, { __index = Base })`, `Base:extend("Name")`.
fn bases(after: &str) -> Option<&str> {
    let index = || after.split_once("__index = ").map(|(_, base)| base);
    let maker = after.strip_prefix('=')?.split_once(":extend(");
    let base = maker.map(|(base, _)| base).or_else(index)?.trim();
    base.split([' ', ',', '}']).next()
}

fn is_test(stem: &str, _: &str) -> bool {
    stem.starts_with("test_") || stem.ends_with("_spec") || stem.ends_with("_test")
}

const SYNTAX: Syntax = Syntax {
    grammar: || tree_sitter_lua::LANGUAGE.into(),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    comments: &["comment"],
    attributes: &[],
    wrappers: &["variable_declaration"],
    unsigned: &["comment"],
    blocks: &["chunk", "block", "table_constructor"],
    separator: "",
    owner: plain_owner,
    import: None,
};
