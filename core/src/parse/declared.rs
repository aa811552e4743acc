//! What declarations name besides what they define: bases, types, packages.

use tree_sitter::Node;

use super::signature::{one_line, slice};
use super::symbols::{NAME_CHARS, Nested};
use super::variables::Variables;
use super::walk::Walk;
use crate::lang::spec::plain_owner;
use crate::lang::{Base, Parsed, Typed};

/// Longest type of a parameter, in characters.
const TYPE_CHARS: usize = 80;

/// What ends the part of a type that calls on a parameter use: a `Map<String, Note>` is called as a
/// map, and of several types in parentheses none is meant.
const TYPE_ENDS: [char; 3] = [',', ')', '='];

/// What the queries found, still with nodes.
#[derive(Default)]
pub(super) struct Declared<'tree> {
    pub bases: Vec<Node<'tree>>,
    pub parameters: Vec<Parameter<'tree>>,
    pub variables: Variables<'tree>,
    pub packages: Vec<Node<'tree>>,
}

/// A parameter with a type.
pub(super) struct Parameter<'tree> {
    pub node: Node<'tree>,
    pub name: Node<'tree>,
    pub written: Node<'tree>,
}

impl Declared<'_> {
    /// Adds what belongs to its symbols to `parsed`, which already has its calls.
    pub(crate) fn describe(
        self,
        parsed: &mut Parsed,
        nested: &Nested,
        walk: &Walk<'_>,
        text: &str,
    ) {
        parsed.bases = bases(self.bases, nested, walk, text);
        parsed.types = types(self.parameters, self.variables, parsed, nested, text);
        parsed.packages = packages(self.packages, text);
    }
}

fn bases(mut nodes: Vec<Node<'_>>, nested: &Nested, walk: &Walk<'_>, text: &str) -> Vec<Base> {
    nodes.sort_by_key(Node::start_byte);
    let base = |node: Node<'_>| {
        Some(Base {
            symbol: nested.declaring(&node.byte_range())?,
            name: base_name(slice(text, node.byte_range()))?,
            line: walk.line_of(node.start_byte()),
        })
    };
    let mut bases: Vec<Base> = nodes.into_iter().filter_map(base).collect();
    bases.sort_by_key(|base| base.symbol);
    bases.dedup();
    bases
}

/// Returns the name of a base: `ns::Store<T>` as `ns.Store`.
fn base_name(written: &str) -> Option<String> {
    let name = plain_owner(&written.replace('\\', "."));
    let name = one_line(name.trim_end_matches('?'), NAME_CHARS);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name.then_some(name)
}

/// Returns the types of parameters that methods are called on, and those of variables and fields.
fn types(
    parameters: Vec<Parameter<'_>>,
    variables: Variables<'_>,
    parsed: &Parsed,
    nested: &Nested,
    text: &str,
) -> Vec<Typed> {
    if parameters.is_empty() && variables.is_empty() {
        return Vec::new();
    }
    let declared = parameters.into_iter().filter_map(|parameter| {
        let symbol = nested.declaring(&parameter.node.byte_range())?;
        let name = slice(text, parameter.name.byte_range());
        let written = written_type(slice(text, parameter.written.byte_range()));
        Some((symbol, name, written))
    });
    variables.types(declared, parsed, nested, text)
}

/// Returns a type up to what calls do not use.
pub(super) fn written_type(written: &str) -> String {
    let written = written.split(TYPE_ENDS).next().unwrap_or(written);
    one_line(written, TYPE_CHARS)
}

fn packages(mut nodes: Vec<Node<'_>>, text: &str) -> Vec<String> {
    nodes.sort_by_key(Node::start_byte);
    nodes.dedup();
    let names = nodes.into_iter().map(|node| {
        let written = slice(text, node.byte_range());
        written.split_whitespace().collect::<String>()
    });
    names.collect()
}
