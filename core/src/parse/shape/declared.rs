//! Reads the declaration of a definition: its parameters, its type, its value, what stands above
//! it.

use tree_sitter::Node;

use super::{
    Implemented, Member, Parameter, Shape, Source, Written, body, children, documentation, field,
    is_function, line_of, lines_of,
};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{Line, LineRange, Row};
use crate::parse::walk::Preorder;

/// Number of levels above its name in which the syntax of a definition is searched.
const MAX_LEVELS: usize = 6;

/// Names of a method's receiver.
const RECEIVERS: [&str; 5] = ["self", "cls", "this", "&self", "&mut self"];

/// Returns the shape of `symbol`; `None` if its name is not where it should be.
pub(super) fn shape(source: &Source<'_>, root: Node<'_>, symbol: &Symbol) -> Option<Shape> {
    let name = name_node(source, root, symbol)?;
    let mut parts = Parts::default();
    let mut node = name;
    for _ in 0..MAX_LEVELS {
        let parent = node.parent();
        let parent = parent.filter(|parent| is_within(*parent, symbol) && !holds_several(*parent));
        let Some(parent) = parent else {
            break;
        };
        parts.take(parent, node);
        node = parent;
    }
    let mut shape = Shape {
        decorators: decorators(source, symbol),
        documentation: documentation::of(source, root, symbol, parts.body),
        ..Shape::default()
    };
    shape.value = parts.value.map(|value| source.written(value));
    shape.result = parts
        .result
        .map(|node| result(source, node, parts.pointers));
    if let Some(list) = parts.parameters {
        shape.parameters = parameters(source, list);
    }
    match parts.body {
        Some(block) if symbol.kind.is_container() => {
            shape.has_body = true;
            shape.members = members(source, block);
            body::names(source, block, &mut shape);
        }
        Some(block) => body::read(source, block, &mut shape),
        None => {}
    }
    Some(shape)
}

/// The fields found above a name.
#[derive(Default)]
struct Parts<'tree> {
    parameters: Option<Node<'tree>>,
    result: Option<Node<'tree>>,
    value: Option<Node<'tree>>,
    body: Option<Node<'tree>>,
    pointers: usize,
}

impl<'tree> Parts<'tree> {
    fn take(&mut self, node: Node<'tree>, inner: Node<'tree>) {
        let other = |found: Node<'tree>| (found.id() != inner.id()).then_some(found);
        self.pointers += usize::from(node.kind() == "pointer_declarator");
        let value = field(node, &["value", "right", "default"]).and_then(other);
        let function = value.filter(|value| is_function(*value));
        let holder = function.unwrap_or(node);
        self.parameters = self
            .parameters
            .or_else(|| field(holder, &["parameters", "parameter"]).and_then(other));
        self.body = self
            .body
            .or_else(|| field(holder, &["body"]).and_then(other));
        self.result = self.result.or_else(|| {
            field(holder, &["return_type", "result", "returns", "type"]).and_then(other)
        });
        if function.is_none() {
            self.value = self.value.or(value);
        }
    }
}

/// Returns the node of the symbol's name.
fn name_node<'tree>(
    source: &Source<'_>,
    root: Node<'tree>,
    symbol: &Symbol,
) -> Option<Node<'tree>> {
    let bytes = source
        .lines
        .bytes(LineRange::new(symbol.name_line, symbol.name_line))?;
    let line = source.text.get(bytes.clone())?;
    let nodes = line
        .match_indices(symbol.name.as_str())
        .filter_map(|(at, name)| {
            let from = bytes.start + at;
            let node = root.descendant_for_byte_range(from, from + name.len())?;
            (source.slice(node) == symbol.name).then_some(node)
        });
    let names_it = |node: &Node<'_>| {
        let names = ["name", "declarator", "left", "pattern", "key"];
        node.parent().is_some_and(|parent| {
            let fields = names
                .iter()
                .filter_map(|name| parent.child_by_field_name(name));
            fields.into_iter().any(|field| field.id() == node.id())
        })
    };
    let nodes: Vec<Node<'tree>> = nodes.collect();
    nodes
        .iter()
        .copied()
        .find(names_it)
        .or(nodes.first().copied())
}

/// Whether a node is within the lines of the definition.
fn is_within(node: Node<'_>, symbol: &Symbol) -> bool {
    let first = Line::from(Row(node.start_position().row as u32));
    let last = Line::from(Row(node.end_position().row as u32));
    // Some nodes include the line end after them.
    first >= symbol.lines.start() && last.0 <= symbol.lines.end().0 + 1
}

/// Whether a node is a body or a file: what surrounds it belongs to another definition.
fn holds_several(node: Node<'_>) -> bool {
    let kind = node.kind();
    ["body", "block", "declaration_list", "statement_list"]
        .iter()
        .any(|end| kind.ends_with(end))
        || matches!(
            kind,
            "program" | "module" | "source_file" | "translation_unit" | "compilation_unit"
        )
}

fn result(source: &Source<'_>, node: Node<'_>, pointers: usize) -> Written {
    let mut written = source.written(node);
    let bare = written
        .text
        .trim_start_matches("->")
        .trim_start_matches(':')
        .trim();
    written.text = format!("{bare}{}", "*".repeat(pointers));
    written
}

/// Reads a parameter list; returns `None` if one of the parameters cannot be read.
fn parameters(source: &Source<'_>, list: Node<'_>) -> Option<Vec<Parameter>> {
    let mut found = Vec::new();
    // A single name without parentheses: `x => x`.
    if children(list).is_empty() && !source.slice(list).starts_with('(') {
        return parameter(source, list);
    }
    for node in children(list) {
        let text = source.slice(node);
        let is_sign = !text.contains(|c: char| c.is_alphanumeric() || c == '_');
        if source.is_comment(node) || is_sign || node.kind().contains("separator") || text == "void"
        {
            continue;
        }
        let is_receiver = node.kind().contains("self_parameter")
            || RECEIVERS.contains(&text)
            || RECEIVERS.contains(&text.split(':').next().unwrap_or_default().trim());
        if is_receiver {
            continue;
        }
        found.extend(parameter(source, node)?);
    }
    Some(found)
}

/// Reads the parameter of a node, or several: `a, b int`. Returns `None` if it destructures its
/// value and so has no name, or if it cannot be read.
fn parameter(source: &Source<'_>, node: Node<'_>) -> Option<Vec<Parameter>> {
    let mut cursor = node.walk();
    let mut named: Vec<Node<'_>> = node
        .children_by_field_name("name", &mut cursor)
        .filter(Node::is_named)
        .collect();
    if named.is_empty() {
        named.push(field(node, &["pattern", "left", "declarator"]).unwrap_or(node));
    }
    let default = field(node, &["value", "right", "default_value", "default"]);
    let default = default.map(|node| source.slice(node).to_owned());
    let written = field(node, &["type"]).map(|node| result(source, node, 0).text);
    let make = |named: Node<'_>| {
        let (name, kind) = first_name(source, named)?;
        // `int` of `f(int)` is a type without a name.
        if kind.contains("type") {
            return None;
        }
        Some(Parameter {
            name: name.to_owned(),
            line: line_of(named),
            default: default.clone(),
            written: written.clone(),
            is_rest: is_rest(source, node),
        })
    };
    named.into_iter().map(make).collect()
}

/// Whether a parameter takes all remaining arguments.
fn is_rest(source: &Source<'_>, node: Node<'_>) -> bool {
    const KINDS: [&str; 4] = ["splat", "rest", "spread", "variadic"];
    let named = field(node, &["pattern", "name"]);
    let parts = [Some(node), named, node.named_child(0)];
    let mut parts = parts.into_iter().flatten();
    parts.any(|part| KINDS.iter().any(|word| part.kind().contains(word)))
        || source.slice(node).starts_with("...")
}

/// Returns the first name inside a node, and its kind: `a` of `*a` or `a: int`.
fn first_name<'t, 'tree>(source: &Source<'t>, node: Node<'tree>) -> Option<(&'t str, &'tree str)> {
    const APART: [&str; 6] = [
        "object_pattern",
        "array_pattern",
        "tuple_pattern",
        "struct_pattern",
        "tuple_struct_pattern",
        "slice_pattern",
    ];
    let mut node = node;
    while node.child_count() > 0 {
        if APART.contains(&node.kind()) {
            return None;
        }
        let own = children(node);
        let inner = field(node, &["name", "pattern", "left", "declarator"])
            .or_else(|| {
                own.iter()
                    .copied()
                    .find(|inner| inner.kind().contains("declarator"))
            })
            .or_else(|| own.into_iter().find(|inner| !is_beside_a_name(*inner)));
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    let text = source.slice(node).trim_start_matches(['*', '&', '.', '$']);
    let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name.then_some((text, node.kind()))
}

/// Whether a node precedes a name: `mut`, `final`, `@Nullable`.
fn is_beside_a_name(node: Node<'_>) -> bool {
    ["specifier", "modifier", "annotation", "attribute"]
        .iter()
        .any(|word| node.kind().contains(word))
}

/// Returns what the body of a class or the like declares.
fn members(source: &Source<'_>, block: Node<'_>) -> Vec<Member> {
    let mut found = Vec::new();
    for child in children(block) {
        let is_beside = child.kind().contains("attribute") || child.kind() == "decorator";
        if source.is_comment(child) || is_beside {
            continue;
        }
        let mut node = child;
        // Statements and exports only wrap what they declare.
        while field(node, &["name", "left", "declarator", "pattern"]).is_none() {
            let own = children(node);
            let inner =
                own.iter().rev().copied().find(|inner| {
                    !source.is_comment(*inner) && !inner.kind().contains("decorator")
                });
            match inner {
                Some(inner) if inner.id() != node.id() => node = inner,
                _ => break,
            }
        }
        let named = match field(node, &["name", "left", "declarator", "pattern"]) {
            Some(named) => named,
            None if child.kind().contains("identifier") => child,
            None => continue,
        };
        let Some((name, _)) = first_name(source, named) else {
            continue;
        };
        let value = field(node, &["value", "right"]).filter(|value| !is_function(*value));
        found.push(Member {
            name: name.to_owned(),
            line: line_of(named),
            value: value.map(|value| source.slice(value).to_owned()),
            written: field(node, &["type"]).map(|node| result(source, node, 0).text),
            kind: node.kind().to_owned(),
        });
    }
    found
}

/// Returns the lines above a definition's name that decorate it.
fn decorators(source: &Source<'_>, symbol: &Symbol) -> Vec<Written> {
    let mut found = Vec::new();
    if matches!(symbol.kind, SymbolKind::Section | SymbolKind::Key) {
        return found;
    }
    for line in (symbol.lines.start().0..symbol.name_line.0).map(Line) {
        let bytes = source.lines.bytes(LineRange::new(line, line));
        let text = bytes
            .and_then(|bytes| source.text.get(bytes))
            .unwrap_or_default()
            .trim();
        let is_decorator = text.starts_with('@') || text.starts_with("#[") || text.starts_with("[");
        if is_decorator {
            found.push(Written {
                text: text.to_owned(),
                line,
            });
        }
    }
    found
}

/// Returns all implementations written apart from their types.
pub(super) fn implemented(source: &Source<'_>, root: Node<'_>) -> Vec<Implemented> {
    let mut found = Vec::new();
    let mut steps = Preorder::new(root);
    let mut descend = true;
    while let Some((node, _)) = steps.next(descend) {
        let is_one = node.kind() == "impl_item";
        if let (true, Some(interface), Some(implementor)) = (
            is_one,
            node.child_by_field_name("trait"),
            node.child_by_field_name("type"),
        ) {
            found.push(Implemented {
                implementor: source.slice(implementor).to_owned(),
                interface: source.slice(interface).to_owned(),
                lines: lines_of(node),
            });
        }
        // They occur in modules, at most in functions, never in expressions of their own.
        descend = !is_one && !node.kind().ends_with("expression");
    }
    found
}
