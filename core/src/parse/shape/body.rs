//! Reads the body of a definition: what it returns, raises, assigns and calls, and when.

use tree_sitter::Node;

use super::branches::{Branch, is_branch, turns, when};
use super::{
    Assigned, Called, Exit, Passed, Shape, Source, When, Written, children, field, is_function,
    line_of, lines_of,
};
use crate::parse::signature::slice;
use crate::parse::walk::Preorder;

/// Longest value that is kept, in bytes. Longer ones are not compared.
const MAX_VALUE: usize = 300;

/// Reads `block` into `shape`.
pub(super) fn read(source: &Source<'_>, block: Node<'_>, shape: &mut Shape) {
    shape.has_body = true;
    shape.body_lines = Some(lines_of(block));
    let statements = statements(source, block);
    shape.n_statements = statements.len();
    shape.is_only_exit = matches!(statements.as_slice(), [only] if is_exit(source, *only, block));
    let mut around: Vec<Branch<'_>> = Vec::new();
    let mut functions: Vec<(usize, Option<String>)> = Vec::new();
    let mut steps = Preorder::new(block);
    while let Some((node, depth)) = steps.next(true) {
        while around.pop_if(|branch| branch.depth >= depth).is_some() {}
        while functions.pop_if(|function| function.0 >= depth).is_some() {}
        name(source, node, shape);
        if depth > 0 && is_function(node) {
            functions.push((depth, passed_to(source, node)));
        }
        // What a nested function returns is not what this one returns.
        match functions.as_slice() {
            [] => {
                exits(source, node, &around, shape);
                assignment(source, node, &around, shape);
                shape.called.extend(call(source, node, &around));
            }
            [(_, Some(to))] => {
                let called = call(source, node, &around);
                let to = to.clone();
                shape
                    .passed
                    .extend(called.map(|called| Passed { to, called }));
            }
            _ => {}
        }
        if is_branch(source, node) {
            around.push(Branch { depth, node });
        }
    }
    tail(source, block, shape);
}

/// Reads only the names inside `node`.
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

/// Returns the top-level statements of a body that do something; for `x => x + 1`, the expression.
fn statements<'tree>(source: &Source<'_>, block: Node<'tree>) -> Vec<Node<'tree>> {
    if is_expression(block) {
        return vec![block];
    }
    let block = unwrapped_block(block);
    children(block)
        .into_iter()
        .filter(|node| !source.is_comment(*node) && !is_idle(*node))
        .collect()
}

/// Unwraps the statement list that Go and other grammars have inside the block.
fn unwrapped_block(block: Node<'_>) -> Node<'_> {
    match children(block).as_slice() {
        [only] if only.kind().ends_with("statement_list") || only.kind() == "statements" => *only,
        _ => block,
    }
}

/// Whether a body is a single expression without a block around it.
fn is_expression(block: Node<'_>) -> bool {
    const BLOCKS: [&str; 5] = ["block", "body", "statement", "statements", "list"];
    !BLOCKS.iter().any(|word| block.kind().ends_with(word))
}

/// Whether a statement does nothing: documentation, `pass`, `...`, `;`.
fn is_idle(node: Node<'_>) -> bool {
    let is_nothing = |kind: &str| matches!(kind, "pass_statement" | "empty_statement" | "ellipsis");
    let inner = children(node);
    let is_text = |inner: &Node<'_>| inner.kind().contains("string");
    is_nothing(node.kind())
        || node.kind() == "expression_statement"
            && matches!(inner.as_slice(), [only] if is_text(only) || is_nothing(only.kind()))
}

/// Whether a statement of `block` only returns or raises something.
fn is_exit(source: &Source<'_>, statement: Node<'_>, block: Node<'_>) -> bool {
    let says_so = |node: Node<'_>| is_return(node) || is_raise(node);
    let inner = match statement.kind() {
        "expression_statement" => children(statement).into_iter().next(),
        _ => None,
    };
    says_so(statement)
        || inner.is_some_and(says_so)
        || value_at_the_end(source, block).is_some_and(|value| value.id() == statement.id())
}

fn exits(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>], shape: &mut Shape) {
    if !node.is_named() {
        return;
    }
    if !is_return(node) && !is_raise(node) {
        return;
    }
    let value = children(node)
        .into_iter()
        .find(|child| !source.is_comment(*child));
    let text = value.map_or("", |value| source.slice(value));
    let exit = Exit {
        value: Written {
            text: slice(text, 0..MAX_VALUE).to_owned(),
            line: line_of(node),
        },
        when: when(source, node, around),
        turns: turns(source, node, around),
        end: node.end_byte(),
    };
    match is_return(node) {
        true => shape.returned.push(exit),
        false => shape.raised.push(exit),
    }
}

fn is_return(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "return_statement" | "return_expression" | "return"
    )
}

fn is_raise(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "raise_statement" | "throw_statement" | "throw_expression" | "raise"
    )
}

/// Adds the value that is returned without a `return`.
fn tail(source: &Source<'_>, block: Node<'_>, shape: &mut Shape) {
    let Some(value) = value_at_the_end(source, block) else {
        return;
    };
    let when = match is_branch(source, value) {
        true => When::Sometimes,
        false => When::Always,
    };
    shape.returned.push(Exit {
        value: Written {
            text: slice(source.slice(value), 0..MAX_VALUE).to_owned(),
            line: line_of(value),
        },
        when,
        turns: Vec::new(),
        end: value.end_byte(),
    });
}

/// Returns a value without `return`: the last expression of a Rust block, the body of `x => x + 1`.
fn value_at_the_end<'tree>(source: &Source<'_>, block: Node<'tree>) -> Option<Node<'tree>> {
    const WITH_VALUE: [&str; 3] = ["function_item", "closure_expression", "function_definition"];
    const NO_VALUES: [&str; 4] = ["statement", "declaration", "item", "list"];
    let last = match block.kind() {
        "block" => {
            let has_braces = block.child(0).is_some_and(|child| child.kind() == "{");
            let owner = block.parent().map_or("", |owner| owner.kind());
            let inner = children(block).into_iter().rev();
            let mut inner = inner.filter(|node| !source.is_comment(*node));
            inner
                .next()
                .filter(|_| has_braces && WITH_VALUE.contains(&owner))?
        }
        _ if is_expression(block) => block,
        _ => return None,
    };
    let kind = last.kind();
    let is_other = NO_VALUES.iter().any(|end| kind.ends_with(end))
        || kind.contains("macro")
        || kind.contains("return")
        || is_raise(last);
    (!is_other).then_some(last)
}

fn assignment(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>], shape: &mut Shape) {
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
            is_change: kind.contains("assignment"),
            line: line_of(node),
            when: when(source, node, around),
            turns: turns(source, node, around),
            end: node.end_byte(),
        });
    }
}

/// Returns the call that a node is.
fn call(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>]) -> Option<Called> {
    let callee = callee(node)?;
    let list = node.child_by_field_name("arguments")?;
    let arguments = children(list)
        .into_iter()
        .filter(|node| !source.is_comment(*node));
    Some(Called {
        path: path(source, node, callee),
        arguments: arguments
            .map(|node| source.slice(node).to_owned())
            .collect(),
        line: line_of(callee),
        when: when(source, node, around),
        turns: turns(source, node, around),
        end: node.end_byte(),
    })
}

/// Returns what a node calls, if it is a call.
fn callee(node: Node<'_>) -> Option<Node<'_>> {
    let calls = ["call", "new", "invocation", "creation"];
    let is_call = calls.iter().any(|word| node.kind().contains(word));
    is_call.then(|| field(node, &["function", "constructor", "name", "method", "type"]))?
}

/// Returns what a call calls, with its receiver.
fn path(source: &Source<'_>, node: Node<'_>, callee: Node<'_>) -> String {
    let receiver = field(node, &["object", "receiver"]);
    let mut path = receiver.map_or(String::new(), |node| format!("{}.", source.slice(node)));
    path.push_str(source.slice(callee));
    path
}

/// The object of the anonymous class that a method belongs to: `new Runnable() { … }`.
fn object_of(method: Node<'_>) -> Option<Node<'_>> {
    let object = method.parent()?.parent()?;
    object.kind().contains("creation").then_some(object)
}

/// Returns what a function is an argument of.
fn passed_to(source: &Source<'_>, function: Node<'_>) -> Option<String> {
    let mut list = object_of(function).unwrap_or(function).parent()?;
    // Some grammars have a node for each argument.
    if list.kind().ends_with("argument") {
        list = list.parent()?;
    }
    let node = list.parent()?;
    let is_argument = node.child_by_field_name("arguments")?.id() == list.id();
    is_argument.then(|| Some(path(source, node, callee(node)?)))?
}
