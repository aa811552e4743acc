//! Elixir. Everything except operators is a call, including definitions and imports.

mod imports;
mod read;

use crate::lang::family::Family;
use crate::lang::spec::{LanguageSpec, Public, Reader, Syntax, grammar, plain_owner};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "Elixir",
    extensions: &["ex", "exs"],
    programs: &["elixir", "iex"],
    is_test: |stem, _| stem.ends_with("_test") || stem == "test_helper",
    public: Public::Without(&["defp", "defmacrop", "defguardp"]),
    family: &FAMILY,
    environment: &["System.get_env(\"@\"", "System.fetch_env!(\"@\""],
    reader: Reader::Code(SYNTAX),
    ..LanguageSpec::PLAIN
};

static FAMILY: Family = Family {
    name: "elixir",
    resolve: imports::resolve,
    self_words: &["__MODULE__"],
    ..Family::PLAIN
};

const SYNTAX: Syntax = Syntax {
    grammar: grammar!(tree_sitter_elixir::LANGUAGE),
    symbols: &[include_str!("symbols.scm")],
    imports: &[include_str!("imports.scm")],
    calls: &[include_str!("calls.scm")],
    declarations: &[],
    comments: &["comment"],
    // `@doc`, `@spec`, `@impl`: the grammar's kind for every attribute.
    attributes: &["unary_operator"],
    wrappers: &[],
    unsigned: &["comment"],
    blocks: &[
        "source",
        "do_block",
        "after_block",
        "rescue_block",
        "catch_block",
        "else_block",
        "body",
        "block",
        "list",
        "map_content",
    ],
    separator: ".",
    owner: plain_owner,
    import: Some(read::import),
};
