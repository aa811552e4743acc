//! What the tree-sitter driver must know about one code language.
//!
//! Adding a language is one file, one queries folder, one fixture:
//! 1. `lang/<language>.rs`: a `pub(super) static SPEC: LanguageSpec` with the grammar, the queries and
//!    the node kinds below; register it in [`Language::spec`].
//! 2. `queries/<language>/{symbols,imports,calls}.scm`, with these captures:
//!    - symbols: `@symbol.<kind>` on the node of the definition (kind: the variants of `SymbolKind` in
//!      lower case) with `@name` inside it; `@owner` where the owner is written beside the name (a Go
//!      receiver); `@body` where the body is not the node's field `body` (the signature ends there);
//!      `@scope` with `@name` for what only gives its members an owner (a Rust `impl`). `@doc` on a
//!      documentation string inside the body. If two patterns capture the same `@name`, the earlier
//!      one wins, so the special cases come first. A function inside a class becomes a method by
//!      itself.
//!    - imports: `@import` on the statement, `@module`, `@name`, `@alias`. Matches of the same
//!      `@import` node are one import. An alias without a name is the module itself under that name.
//!    - calls: `@call` on the expression, `@name`, `@receiver`.
//!    - `(#set! body "none")` keeps the field `body` in the signature; `(#set! name "x")` and `(#set! module "x")` give a name or module that no node holds. Captures
//!      that start with `_` are only for predicates.
//! 3. `tests/fixtures/languages/<language>/` with two to four realistic files and `expected.txt`, which
//!    `UPDATE_EXPECT=1 cargo nextest run -p footnote-core fixtures` writes. Read it before committing:
//!    it is the specification. Every pattern of the queries must match somewhere in the fixture.

use tree_sitter::Node;

use super::Language;
use crate::lang::Import;

/// The tree-sitter side of one language.
pub(crate) struct LanguageSpec {
    pub grammar: fn() -> tree_sitter::Language,
    /// Query sources; each list is concatenated, so that related languages share files.
    pub symbols: &'static [&'static str],
    pub imports: &'static [&'static str],
    pub calls: &'static [&'static str],
    /// Node kinds that are comments.
    pub comments: &'static [&'static str],
    /// Node kinds that stand alone above a definition and belong to it (Rust attributes).
    pub attributes: &'static [&'static str],
    /// Node kinds that only wrap a definition (`decorated_definition`, `export_statement`): the
    /// definition's lines are those of the wrapper.
    pub wrappers: &'static [&'static str],
    /// Node kinds left out of a signature (decorators, annotations).
    pub unsigned: &'static [&'static str],
    /// Node kinds whose named children are statements, cases or elements: places to cut at.
    pub blocks: &'static [&'static str],
    /// What joins owners in a written name: `::` in `A::b`. Empty if names are never joined.
    pub separator: &'static str,
    /// Cleans an owner as written (`*Server[T]`) into a name (`Server`); may return nothing.
    pub owner: fn(&str) -> String,
    /// Reads the imports out of an `@import` node itself, where a query cannot (nested use trees).
    pub import: Option<fn(Node<'_>, &str, &mut Vec<Import>)>,
}

impl Language {
    /// How tree-sitter reads this language; `None` for text formats.
    pub(crate) fn spec(self) -> Option<&'static LanguageSpec> {
        match self {
            Language::Python => Some(&super::python::SPEC),
            Language::JavaScript => Some(&super::javascript::SPEC),
            Language::TypeScript => Some(&super::typescript::TYPESCRIPT),
            Language::Tsx => Some(&super::typescript::TSX),
            Language::Rust => Some(&super::rust::SPEC),
            Language::Go => Some(&super::go::SPEC),
            Language::Java => Some(&super::java::SPEC),
            Language::C => Some(&super::c::SPEC),
            Language::Cpp => Some(&super::cpp::SPEC),
            Language::CSharp => Some(&super::csharp::SPEC),
            Language::Ruby => Some(&super::ruby::SPEC),
            Language::Php => Some(&super::php::SPEC),
            Language::Kotlin => Some(&super::kotlin::SPEC),
            Language::Swift => Some(&super::swift::SPEC),
            Language::Scala => Some(&super::scala::SPEC),
            Language::Bash => Some(&super::bash::SPEC),
            _ => None,
        }
    }

    /// The tree-sitter grammar of this language; `None` for text formats.
    pub fn grammar(self) -> Option<tree_sitter::Language> {
        self.spec().map(|spec| (spec.grammar)())
    }
}

/// An owner as a plain name: type arguments, references and pointers dropped, `::` and `->` as `.`.
pub(super) fn plain_owner(written: &str) -> String {
    let mut name = String::new();
    let mut depth = 0u32;
    for sign in written.replace("->", ".").replace("::", ".").chars() {
        match sign {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            '*' | '&' => {}
            _ if depth == 0 && !sign.is_whitespace() => name.push(sign),
            _ => {}
        }
    }
    name.trim_matches('.').to_string()
}
