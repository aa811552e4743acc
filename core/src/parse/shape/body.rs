//! The body of a definition: what it returns, raises, assigns and calls, and when.

use tree_sitter::Node;

use super::{
    Assigned, Called, Exit, Shape, Source, When, Written, children, field, is_function, line_of,
};
use crate::parse::walk::Preorder;

/// Kinds of nodes of which the code inside does not always run, by a part of their name.
const BRANCHES: [&str; 20] = [
    "if",
    "elif",
    "else",
    "for",
    "while",
    "loop",
    "match",
    "case",
    "switch",
    "try",
    "catch",
    "except",
    "rescue",
    "finally",
    "conditional",
    "ternary",
    "when",
    "select",
    "guard",
    "arm",
];

/// Longest value that is kept, in bytes. A longer one is compared with nothing.
const MAX_VALUE: usize = 300;

/// A branch around the current node.
struct Branch<'tree> {
    depth: usize,
    node: Node<'tree>,
}

/// Reads `block` into `shape`.
pub(super) fn read(source: &Source<'_>, block: Node<'_>, shape: &mut Shape) {
    shape.has_body = true;
    shape.n_statements = statements(source, block);
    let mut around: Vec<Branch<'_>> = Vec::new();
    let mut functions: Vec<usize> = Vec::new();
    let mut steps = Preorder::new(block);
    while let Some((node, depth)) = steps.next(true) {
        while around.pop_if(|branch| branch.depth >= depth).is_some() {}
        while functions.pop_if(|function| *function >= depth).is_some() {}
        name(source, node, shape);
        if depth > 0 && is_function(node) {
            functions.push(depth);
        }
        // What a function inside returns is not what this one returns.
        if functions.is_empty() {
            let when = when(source, node, &around);
            exits(source, node, &when, shape);
            assignment(source, node, &when, shape);
            call(source, node, &when, shape);
        }
        if is_branch(node) {
            around.push(Branch { depth, node });
        }
    }
    tail(source, block, shape);
}

/// Only the names of what is inside `node`.
pub(super) fn names(source: &Source<'_>, node: Node<'_>, shape: &mut Shape) {
    let mut steps = Preorder::new(node);
    while let Some((node, _)) = steps.next(true) {
        name(source, node, shape);
    }
}

fn name(source: &Source<'_>, node: Node<'_>, shape: &mut Shape) {
    if node.child_count() == 0 && node.is_named() && node.kind().contains("identifier") {
        let name = source.slice(node).to_owned();
        shape.names.entry(name).or_insert_with(|| line_of(node));
    }
}

fn statements(source: &Source<'_>, block: Node<'_>) -> usize {
    let is_text = |node: &Node<'_>| {
        let inner = children(*node);
        node.kind().contains("string")
            || node.kind() == "expression_statement"
                && inner.len() == 1
                && inner.iter().all(|inner| inner.kind().contains("string"))
    };
    let own = children(block)
        .into_iter()
        .filter(|node| !source.is_comment(*node));
    let own: Vec<Node<'_>> = own.collect();
    own.iter().filter(|node| !is_text(node)).count()
}

fn is_branch(node: Node<'_>) -> bool {
    node.is_named() && node.kind().split('_').any(|word| BRANCHES.contains(&word))
}

fn when(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>]) -> When {
    // An `else` is a branch of its own inside of its `if` in some grammars.
    match around {
        [] => When::Always,
        [only] => of_branch(source, node, only.node).unwrap_or(When::Sometimes),
        [outer, inner] if inner.node.kind().contains("else") => {
            match of_branch(source, node, outer.node) {
                Some(When::Unless(condition)) => When::Unless(condition),
                _ => When::Sometimes,
            }
        }
        _ => When::Sometimes,
    }
}

/// On which side of an `if` the node stands.
fn of_branch(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<When> {
    if !branch.kind().starts_with("if") {
        return None;
    }
    let condition = branch.child_by_field_name("condition")?;
    let is_in = |part: Node<'_>| {
        part.start_byte() <= node.start_byte() && node.end_byte() <= part.end_byte()
    };
    if is_in(condition) {
        return Some(When::Always);
    }
    let text = unwrapped(source.slice(condition)).to_owned();
    let then = field(branch, &["consequence", "body", "then"]);
    let other = field(branch, &["alternative", "else"]);
    match (then.is_some_and(is_in), other.is_some_and(is_in)) {
        (true, _) => Some(When::If(text)),
        (_, true) => Some(When::Unless(text)),
        _ => None,
    }
}

/// Without parentheses around all of it.
fn unwrapped(text: &str) -> &str {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    match inner {
        Some(inner) if !inner.contains([')', '(']) => inner.trim(),
        _ => text,
    }
}

fn exits(source: &Source<'_>, node: Node<'_>, when: &When, shape: &mut Shape) {
    if !node.is_named() {
        return;
    }
    let kind = node.kind();
    let is_return = matches!(kind, "return_statement" | "return_expression" | "return");
    let is_raise = matches!(
        kind,
        "raise_statement" | "throw_statement" | "throw_expression" | "raise"
    );
    if !is_return && !is_raise {
        return;
    }
    let value = children(node)
        .into_iter()
        .find(|child| !source.is_comment(*child));
    let text = value.map_or("", |value| source.slice(value));
    let exit = Exit {
        value: Written {
            text: text
                .get(..MAX_VALUE.min(text.len()))
                .unwrap_or_default()
                .to_owned(),
            line: line_of(node),
        },
        when: when.clone(),
    };
    match is_return {
        true => shape.returned.push(exit),
        false => shape.raised.push(exit),
    }
}

/// A value without `return`: the last expression of a Rust block, the body of `x => x + 1`.
fn tail(source: &Source<'_>, block: Node<'_>, shape: &mut Shape) {
    let last = match block.kind() {
        "block" => children(block)
            .into_iter()
            .rev()
            .find(|node| !source.is_comment(*node)),
        kind if kind.ends_with("block") || kind.ends_with("body") => None,
        _ => Some(block),
    };
    let Some(last) = last else {
        return;
    };
    let is_rust_block = block.kind() == "block" && block.child(0).is_some_and(|c| c.kind() == "{");
    let is_value = !last.kind().ends_with("statement")
        && !last.kind().ends_with("declaration")
        && !last.kind().ends_with("item")
        && !last.kind().contains("macro")
        && !last.kind().contains("return");
    if is_value && (is_rust_block || block.kind() != "block") {
        let text = source.slice(last);
        let when = match is_branch(last) {
            true => When::Sometimes,
            false => When::Always,
        };
        shape.returned.push(Exit {
            value: Written {
                text: text
                    .get(..MAX_VALUE.min(text.len()))
                    .unwrap_or_default()
                    .to_owned(),
                line: line_of(last),
            },
            when,
        });
    }
}

fn assignment(source: &Source<'_>, node: Node<'_>, when: &When, shape: &mut Shape) {
    let kind = node.kind();
    let makes = [
        "assignment",
        "declarator",
        "let_declaration",
        "pair",
        "field_initializer",
    ];
    let is_one = node.is_named()
        && makes.iter().any(|word| kind.contains(word))
        && !kind.contains("augmented")
        && !kind.contains("compound");
    if !is_one {
        return;
    }
    let operator = node
        .child_by_field_name("operator")
        .map_or("=", |node| source.slice(node));
    let target = field(
        node,
        &["left", "name", "pattern", "declarator", "key", "field"],
    );
    let value = field(node, &["right", "value"]);
    if let (Some(target), Some(value), "=" | ":=") = (target, value, operator)
        && value.byte_range().len() <= MAX_VALUE
    {
        shape.assigned.push(Assigned {
            target: source.slice(target).to_owned(),
            value: source.slice(value).to_owned(),
            line: line_of(node),
            when: when.clone(),
        });
    }
}

fn call(source: &Source<'_>, node: Node<'_>, when: &When, shape: &mut Shape) {
    let callee = match node.kind().contains("call") || node.kind().contains("new") {
        true => field(node, &["function", "constructor", "name", "method"]),
        false => None,
    };
    let (Some(callee), Some(list)) = (callee, node.child_by_field_name("arguments")) else {
        return;
    };
    let receiver = field(node, &["object", "receiver"]);
    let mut path = receiver.map_or(String::new(), |node| format!("{}.", source.slice(node)));
    path.push_str(source.slice(callee));
    let arguments = children(list)
        .into_iter()
        .filter(|node| !source.is_comment(*node));
    shape.called.push(Called {
        path,
        arguments: arguments
            .map(|node| source.slice(node).to_owned())
            .collect(),
        line: line_of(callee),
        when: when.clone(),
    });
}
