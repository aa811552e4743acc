//! The branches, loops, cases and handlers around a piece of a body: when it runs.

use tree_sitter::Node;

use super::{Source, Turn, When, field};

/// Parts of the names of node kinds whose code does not always run.
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

/// Longest label of a case, in bytes; longer ones are not kept.
const MAX_LABEL: usize = 100;

/// A branch around the current node.
pub(super) struct Branch<'tree> {
    pub depth: usize,
    pub node: Node<'tree>,
}

/// Whether code inside this node does not always run.
pub(super) fn is_branch(node: Node<'_>) -> bool {
    node.is_named() && has_word(node, &BRANCHES)
}

fn has_word(node: Node<'_>, words: &[&str]) -> bool {
    node.kind().split('_').any(|word| words.contains(&word))
}

/// When a node runs, as far as one condition says it.
pub(super) fn when(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>]) -> When {
    // In some grammars, an `else` is a separate branch inside its `if`.
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

/// Everything around a node that decides whether it runs, outermost first.
pub(super) fn turns(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>]) -> Vec<Turn> {
    let turns = around.iter();
    turns
        .filter_map(|branch| turn(source, node, branch.node))
        .collect()
}

/// What a branch means for a node inside it; `None` if the node runs in any case.
fn turn(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<Turn> {
    let is_in = |part: Option<Node<'_>>| part.is_some_and(|part| contains(part, node));
    if has_word(branch, &["for", "while", "loop"]) {
        return is_in(field(branch, &["body"])).then_some(Turn::Loop);
    }
    if has_word(branch, &["catch", "except", "rescue"]) {
        return Some(Turn::Handler);
    }
    // Before the switch that some grammars name it after.
    if has_word(branch, &["default"]) {
        return Some(Turn::Branch);
    }
    if has_word(branch, &["case", "arm"]) {
        let label = field(branch, &["pattern", "value"]);
        return match label.map(|label| source.slice(label)) {
            _ if is_in(label) => None,
            Some(label) if label.len() <= MAX_LABEL => Some(Turn::Case(label.to_owned())),
            _ => Some(Turn::Branch),
        };
    }
    if has_word(
        branch,
        &["match", "switch", "select", "try", "finally", "else"],
    ) {
        return None;
    }
    match side(source, node, branch) {
        Some(When::Always) => None,
        Some(When::If(condition)) => Some(Turn::If(condition)),
        Some(When::Unless(condition)) => Some(Turn::Unless(condition)),
        Some(When::Sometimes) | None => Some(after(source, node, branch)),
    }
}

/// The turn for a node behind the first part of an `if`, such as the second `elif` of Python.
fn after(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Turn {
    let condition = branch.child_by_field_name("condition");
    let then = branch.child_by_field_name("consequence");
    match (condition, then) {
        (Some(condition), Some(then)) if then.end_byte() <= node.start_byte() => {
            Turn::Unless(unwrapped(source.slice(condition)).to_owned())
        }
        _ => Turn::Branch,
    }
}

/// Returns which side of an `if` the node is on.
fn of_branch(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<When> {
    let is_if = branch.kind().starts_with("if");
    is_if.then(|| side(source, node, branch))?
}

/// Returns which side of a branch with a condition the node is on.
fn side(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<When> {
    let condition = branch.child_by_field_name("condition")?;
    let is_in = |part: Node<'_>| contains(part, node);
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

fn contains(part: Node<'_>, node: Node<'_>) -> bool {
    part.start_byte() <= node.start_byte() && node.end_byte() <= part.end_byte()
}

/// Removes parentheses around the whole text.
fn unwrapped(text: &str) -> &str {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    match inner {
        Some(inner) if !inner.contains([')', '(']) => inner.trim(),
        _ => text,
    }
}
