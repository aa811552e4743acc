//! What is known about one language, and how to add one.
//!
//! A language is one folder here, one line in the list of [`super`], one fixture:
//! 1. `lang/<language>/mod.rs`: a `pub(super) static` [`LanguageSpec`]. It says which files belong
//!    to the language and which of them are tests, and holds its [`Syntax`]: the grammar, the
//!    queries and the node kinds below. Its [`Family`] says how imports lead to files.
//! 2. `lang/<language>/{symbols,imports,calls,bases,types,packages}.scm`, with these captures:
//!    - symbols: `@symbol.<kind>` on the node of the definition (kind: the variants of `SymbolKind`
//!      in lower case) with `@name` inside it; `@owner` if the owner is written beside the name
//!      (a Go receiver); `@body` if the body is not the node's field `body` (the signature ends
//!      there); `@scope` with `@name` for what only gives its members an owner (a Rust `impl`).
//!      `@doc` on a documentation string inside the body. If two patterns capture the same `@name`,
//!      the earlier one wins, so the special cases come first. A function inside a class becomes a
//!      method automatically.
//!    - imports: `@import` on the statement, `@module`, `@name`, `@alias`. Matches of the same
//!      `@import` node are one import. An alias without a name is the module itself under that
//!      name.
//!    - calls: `@call` on the expression, `@name`, `@receiver`; `@uncalled` on what looks like
//!      calls but is not (types, the heads of Elixir's definitions); `@tokens` on what the grammar
//!      leaves as tokens, for the language's [`LanguageSpec::token_calls`] (a Rust macro).
//!    - bases, types and packages, if the language has them: `@base` on a class that a class's
//!      declaration names; `@parameter` with `@name` and `@type`; `@package` on the name of the
//!      package or namespace. Matches after the start of a definition's body do not count as its
//!      bases and parameters, so a pattern need not tell a closure from a function. `@variable` on
//!      a name that is given a value, `@local` where that declares a new variable, `@field` on a
//!      member of the class around: each with `@type`, with `@made` on what is called for the
//!      value, or with neither.
//!    - `(#set! body "none")` keeps the field `body` in the signature; `(#set! name "x")` and
//!      `(#set! module "x")` give a name or module that no node holds. Captures that start with `_`
//!      are only for predicates.
//! 3. A line in the list of `lang/mod.rs`, with a number that no language had before.
//! 4. `tests/fixtures/languages/<language>/` with two to four realistic files and `expected.txt`,
//!    which `UPDATE_EXPECT=1 cargo nextest run -p footnote-core fixtures` writes. Read it before
//!    committing: it is the specification. Every pattern of the queries must match somewhere in the
//!    fixture. Its folder `repository/` holds a few files that import and call one another, with an
//!    `expected.txt` of its own, which `… repositories` writes.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::family::{self, Family};
use super::highlight::Span;
use super::text::Outline;
use super::tree::Wrapper;
use super::{Import, Language};

/// One language or text format.
pub(crate) struct LanguageSpec {
    /// The name that people use for it.
    pub name: &'static str,
    /// In lower case, without the dot. Each belongs to one language.
    pub extensions: &'static [&'static str],
    /// Whole file names of the language.
    pub file_names: &'static [&'static str],
    /// Interpreters in a `#!` line, without version numbers.
    pub programs: &'static [&'static str],
    /// Words in a question that name it, in lower case; no English words.
    pub words: &'static [&'static str],
    /// Whether a file with an extension that belongs to another language is in this one, judging by
    /// its text.
    pub claims: Option<fn(extension: &str, text: &str) -> bool>,
    /// Whether a file is a test by its own name, from its stem as written and its extension in
    /// lower case.
    pub is_test: fn(stem: &str, extension: &str) -> bool,
    /// How a definition shows that it is public.
    pub public: Public,
    /// The languages whose definitions it can refer to, and how its imports lead to files.
    pub family: &'static Family,
    /// How its code reads an environment variable: the code as written, with `@` in place of the
    /// name, or `{@}` at the beginning for a pattern that binds several.
    pub environment: &'static [&'static str],
    /// How its code imports something by a name that it computes: expressions that match there.
    pub computed_imports: &'static [&'static str],
    /// How its code raises an error: expressions whose first group is the name of what is raised.
    pub raises: &'static [&'static str],
    /// Those of them that end the program, or the thread, and are returned to nobody.
    pub panics: &'static [&'static str],
    /// Returns the errors that a signature declares, as written: `Closed` of
    /// `fn send() -> Result<(), Closed>`. A type that only stands for one with an error in it is
    /// named itself: `Result`.
    pub declared_errors: fn(&str) -> Vec<String>,
    /// Finds the calls in an `@tokens` node.
    pub token_calls: Option<fn(Node<'_>, &str) -> Vec<TokenCall>>,
    /// Finds what stands around definitions in a tree and is read as if it were not there.
    pub wrappers: Option<fn(&Tree, &str) -> Vec<Wrapper>>,
    /// How it is parsed.
    pub reader: Reader,
}

/// `raise E`, `throw new E`, `throw e`: what most languages share.
pub(crate) const RAISES: &str = r"\b(?:raise|throw)\b[ \t(]*(?:new\s+)?\\?([A-Za-z_][\w.:\\]*)?";

impl LanguageSpec {
    /// A nameless text format about which nothing is known.
    pub const PLAIN: LanguageSpec = LanguageSpec {
        name: "",
        extensions: &[],
        file_names: &[],
        programs: &[],
        words: &[],
        claims: None,
        is_test: |_, _| false,
        public: Public::Untold,
        family: &family::TEXT,
        environment: &[],
        computed_imports: &[],
        raises: &[RAISES],
        panics: &[],
        declared_errors: |_| Vec::new(),
        token_calls: None,
        wrappers: None,
        reader: Reader::Plain,
    };
}

/// A call among tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenCall {
    /// The bytes of what is called.
    pub name: Range<usize>,
    /// The bytes of what it is called on.
    pub receiver: Option<Range<usize>>,
}

/// How a definition shows that it is visible outside its own file or class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Public {
    /// The definition alone does not show it.
    Untold,
    /// Its declaration has one of these words.
    With(&'static [&'static str]),
    /// Its declaration has none of these words.
    Without(&'static [&'static str]),
    /// Neither its name nor that of its owner begins with an underscore.
    NoUnderscore,
    /// Its name and that of its owner begin with a capital letter.
    Capital,
    /// The file exports it.
    Exported,
}

/// How a language is parsed.
pub(crate) enum Reader {
    /// As code, by a tree-sitter grammar.
    Code(Syntax),
    /// As text with sections or keys.
    Text {
        outline: Outline,
        highlight: fn(&str) -> Vec<Span>,
    },
    /// As any other text.
    Plain,
}

/// A grammar of a crate, which is linked only with the feature `grammars`.
macro_rules! grammar {
    ($language:path) => {{
        #[cfg(feature = "grammars")]
        let grammar: Option<fn() -> tree_sitter::Language> = Some(|| $language.into());
        #[cfg(not(feature = "grammars"))]
        let grammar: Option<fn() -> tree_sitter::Language> = None;
        grammar
    }};
}
pub(crate) use grammar;

/// The tree-sitter part of a code language.
pub(crate) struct Syntax {
    /// Made by [`grammar!`]; `None` in a program that is built without grammars.
    pub grammar: Option<fn() -> tree_sitter::Language>,
    /// Query sources; each list is concatenated, so that related languages share files.
    pub symbols: &'static [&'static str],
    pub imports: &'static [&'static str],
    pub calls: &'static [&'static str],
    /// What declarations name: bases of classes, types of parameters, packages.
    pub declarations: &'static [&'static str],
    /// Node kinds that are comments.
    pub comments: &'static [&'static str],
    /// Node kinds that stand separately above a definition and belong to it (Rust attributes).
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
    /// Reduces an owner as written (`*Server[T]`) to a name (`Server`); may return nothing.
    pub owner: fn(&str) -> String,
    /// Reads the imports from an `@import` node, if a query cannot (nested use trees).
    pub import: Option<fn(Node<'_>, &str, &mut Vec<Import>)>,
}

impl Syntax {
    /// Joins all queries, so that one pass over the tree runs them all.
    pub(crate) fn query(&self) -> String {
        let sources = [self.symbols, self.imports, self.calls, self.declarations];
        sources.concat().join("\n")
    }
}

impl Language {
    /// Returns how tree-sitter parses this language; `None` for text formats.
    pub(crate) fn syntax(self) -> Option<&'static Syntax> {
        match &self.spec().reader {
            Reader::Code(syntax) => Some(syntax),
            Reader::Text { .. } | Reader::Plain => None,
        }
    }

    /// Returns the tree-sitter grammar of this language; `None` for text formats, and in a program
    /// that is built without grammars.
    pub fn grammar(self) -> Option<tree_sitter::Language> {
        Some(self.syntax()?.grammar?())
    }
}

/// Returns an owner as a plain name: without type arguments, references and pointers, with `::` and
/// `->` as `.`.
pub(crate) fn plain_owner(written: &str) -> String {
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
