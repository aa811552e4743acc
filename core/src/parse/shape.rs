//! What the syntax of a definition says beyond [`Parsed`](crate::lang::Parsed): its parameters,
//! what it returns, raises, assigns and calls, and under which condition.
//!
//! Shapes are computed for a file when they are needed, and never saved. They contain what grammars
//! have in common: fields named `parameters`, `body`, `condition`, and node kinds that say
//! `return`, `throw` or `assignment`. If a grammar has none of these, a shape is empty, and an
//! empty shape proves nothing.

mod body;
mod branches;
mod declared;
mod documentation;

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::lang::tree::code_tree;
use crate::lang::{Language, Symbol};
use crate::lines::{Line, LineIndex, LineRange, Row};

pub(crate) use documentation::Documentation;

/// A piece of code and the line on which it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// Without white space around it.
    pub text: String,
    pub line: Line,
}

/// When a statement runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Whenever its function reaches it: not inside a branch, loop or handler.
    Always,
    /// Only if this condition holds; inside nothing else.
    If(String),
    /// Only if this condition does not hold; inside nothing else.
    Unless(String),
    /// Inside a loop, a handler, a case, or several branches.
    Sometimes,
}

/// One thing around a statement that decides whether, or how often, it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// On the side of an `if` where this condition holds.
    If(String),
    /// On the side where it does not hold.
    Unless(String),
    /// In the case with this label or pattern.
    Case(String),
    /// In the body of a loop.
    Loop,
    /// In a handler of errors.
    Handler,
    /// In a branch of another form.
    Branch,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub name: String,
    pub line: Line,
    /// The default value.
    pub default: Option<String>,
    /// The declared type.
    pub written: Option<String>,
    /// Whether it takes all remaining arguments: `*args`, `...rest`.
    pub is_rest: bool,
}

/// A call with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    /// The called name, including its path: `self.adapters.get`.
    pub path: String,
    pub arguments: Vec<String>,
    pub line: Line,
    pub when: When,
    /// Everything around it, outermost first.
    pub turns: Vec<Turn>,
    /// The byte after it. Within a line, what ends first happens first.
    pub end: usize,
}

/// A call inside of a function that is an argument: `each(all, (one) => load(one))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    /// What the function is passed to: `each`.
    pub to: String,
    pub called: Called,
}

/// A returned or raised value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exit {
    /// The value; empty for a bare `return` or `raise`.
    pub value: Written,
    pub when: When,
    /// Everything around it, outermost first.
    pub turns: Vec<Turn>,
    /// The byte after it. Within a line, what ends first happens first.
    pub end: usize,
}

/// An assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assigned {
    pub target: String,
    pub value: String,
    /// Whether it changes something, and does not declare it.
    pub is_change: bool,
    pub line: Line,
    pub when: When,
    /// Everything around it, outermost first.
    pub turns: Vec<Turn>,
    /// The byte after it. Within a line, what ends first happens first.
    pub end: usize,
}

/// Something that a class, struct or enumeration declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub name: String,
    pub line: Line,
    /// Its value.
    pub value: Option<String>,
    /// The declared type.
    pub written: Option<String>,
    /// The grammar's name for it: `enum_variant`, `field_declaration`.
    pub kind: String,
}

/// What the syntax of one definition says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// `None` if it has no parameter list that could be read. The receiver of a method (`self`) is
    /// not included.
    pub parameters: Option<Vec<Parameter>>,
    /// The declared return type.
    pub result: Option<Written>,
    /// The value of a constant or variable.
    pub value: Option<Written>,
    /// What a class or the like declares, functions included.
    pub members: Vec<Member>,
    /// Decorators and attributes, with their signs: `@property`, `#[inline]`.
    pub decorators: Vec<Written>,
    /// The documentation above it, or at the start of its body.
    pub documentation: Option<Documentation>,
    /// Whether it has a body that was read.
    pub has_body: bool,
    /// The lines of that body.
    pub body_lines: Option<LineRange>,
    pub returned: Vec<Exit>,
    pub raised: Vec<Exit>,
    pub assigned: Vec<Assigned>,
    pub called: Vec<Called>,
    /// What functions call that the definition passes on, without their own inner functions.
    pub passed: Vec<Passed>,
    /// The names in its code, without comments and strings, each with its first line. Includes
    /// those in nested functions.
    pub names: BTreeMap<String, Line>,
    /// Number of top-level statements in its body that do something; documentation, comments,
    /// `pass` and `...` do not count.
    pub n_statements: usize,
    /// Whether the body only returns or raises a single value.
    pub is_only_exit: bool,
}

/// A type that implements a trait, written apart from the type (`impl Trait for Type`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Implemented {
    /// The type, as written: `Queue<T>`.
    pub implementor: String,
    /// As written: `fmt::Display`.
    pub interface: String,
    /// From `impl` to the closing brace.
    pub lines: LineRange,
}

/// What the syntax of a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileShape {
    /// One per symbol, in symbol order.
    pub symbols: Vec<Shape>,
    pub implemented: Vec<Implemented>,
}

/// Returns the shapes of all `symbols` of a file. Empty for text formats and for what cannot be
/// parsed.
pub(crate) fn shapes(language: Language, text: &str, symbols: &[Symbol]) -> FileShape {
    let tree = language
        .grammar()
        .and_then(|grammar| code_tree(language, &grammar, text).ok());
    let Some(tree) = tree else {
        return FileShape::default();
    };
    let source = Source {
        text,
        lines: LineIndex::new(text),
        comments: language.syntax().map_or(&[], |syntax| syntax.comments),
    };
    let root = tree.root_node();
    let shape = |symbol: &Symbol| declared::shape(&source, root, symbol).unwrap_or_default();
    FileShape {
        symbols: symbols.iter().map(shape).collect(),
        implemented: declared::implemented(&source, root),
    }
}

/// A file whose tree is being read.
struct Source<'t> {
    text: &'t str,
    lines: LineIndex,
    comments: &'static [&'static str],
}

impl<'t> Source<'t> {
    fn slice(&self, node: Node<'_>) -> &'t str {
        super::signature::slice(self.text, node.byte_range()).trim()
    }

    /// The text between two positions, in bytes.
    fn between(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn written(&self, node: Node<'_>) -> Written {
        Written {
            text: self.slice(node).to_owned(),
            line: line_of(node),
        }
    }

    fn is_comment(&self, node: Node<'_>) -> bool {
        self.comments.contains(&node.kind())
    }
}

fn lines_of(node: Node<'_>) -> LineRange {
    LineRange::from_rows(
        Row(node.start_position().row as u32),
        Row(node.end_position().row as u32),
    )
}

fn line_of(node: Node<'_>) -> Line {
    Line::from(Row(node.start_position().row as u32))
}

/// Returns the named children of a node.
fn children<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// Returns the first of these fields that the node has.
fn field<'tree>(node: Node<'tree>, names: &[&str]) -> Option<Node<'tree>> {
    names.iter().find_map(|name| node.child_by_field_name(name))
}

/// Whether a node starts a function: what it returns and raises is its own.
fn is_function(node: Node<'_>) -> bool {
    let kind = node.kind();
    let says_so = [
        "function",
        "method",
        "lambda",
        "func_literal",
        "closure",
        "arrow",
        "constructor",
    ];
    says_so.iter().any(|word| kind.contains(word)) && node.child_by_field_name("body").is_some()
}

#[cfg(test)]
mod tests;
