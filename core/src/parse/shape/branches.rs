//! The branches, loops, cases and handlers around a piece of a body: when it runs.

use tree_sitter::Node;

use super::{Source, Turn, When, children, field};

/// Words in the names of node kinds whose code does not always run.
const BRANCHES: [&str; 28] = [
    "if",
    "elif",
    "elsif",
    "elseif",
    "else",
    "unless",
    "for",
    "foreach",
    "while",
    "until",
    "loop",
    "comprehension",
    "match",
    "case",
    "switch",
    "default",
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
    "preproc",
];
/// Further kinds of this sort.
const BRANCH_KINDS: [&str; 3] = ["in_clause", "generator_expression", "do_statement"];
const LOOPS: [&str; 5] = ["for", "foreach", "while", "until", "loop"];
const HANDLERS: [&str; 3] = ["catch", "except", "rescue"];
/// One alternative among several, with a label or a pattern.
const CASES: [&str; 3] = ["case", "arm", "when"];
/// Kinds of cases whose statements go on into the next case unless they leave it.
const FALLING: [&str; 4] = [
    "switch_case",
    "case_statement",
    "switch_default",
    "default_statement",
];
/// What always runs, or holds alternatives: it decides nothing itself.
const CONTAINERS: [&str; 6] = ["match", "switch", "select", "try", "finally", "ensure"];

/// Longest label of a case, in bytes; longer ones are not kept.
const MAX_LABEL: usize = 100;

/// A branch around the current node.
pub(super) struct Branch<'tree> {
    pub depth: usize,
    pub node: Node<'tree>,
}

/// Whether code inside this node does not always run.
pub(super) fn is_branch(source: &Source<'_>, node: Node<'_>) -> bool {
    node.is_named()
        && (has_word(node, &BRANCHES)
            || BRANCH_KINDS.contains(&node.kind())
            || short_circuit(source, node).is_some()
            || is_let_else(node))
}

fn has_word(node: Node<'_>, words: &[&str]) -> bool {
    node.kind().split('_').any(|word| words.contains(&word))
}

/// When a node runs, as far as one condition says it.
pub(super) fn when(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>]) -> When {
    let is_operator = |branch: &&Branch<'_>| short_circuit(source, branch.node).is_some();
    let mut operators = around.iter().filter(is_operator);
    if operators.any(|branch| turn(source, node, branch.node).is_some()) {
        return When::Sometimes;
    }
    let others: Vec<&Branch<'_>> = around.iter().filter(|it| !is_operator(it)).collect();
    // In some grammars, an `else` is a separate branch inside its `if`.
    let is_plain_else = |branch: &Branch<'_>| {
        branch.node.kind().contains("else") && condition_of(branch.node).is_none()
    };
    match others.as_slice() {
        [] => When::Always,
        [only] => of_branch(source, node, only.node).unwrap_or(When::Sometimes),
        [outer, inner] if is_plain_else(inner) => match of_branch(source, node, outer.node) {
            Some(When::Unless(condition)) => When::Unless(condition),
            _ => When::Sometimes,
        },
        _ => When::Sometimes,
    }
}

/// Everything around a node that decides whether it runs, outermost first.
pub(super) fn turns(source: &Source<'_>, node: Node<'_>, around: &[Branch<'_>]) -> Vec<Turn> {
    let mut turns = Vec::new();
    for branch in around {
        turns.extend(turn(source, node, branch.node));
        turns.extend(earlier_alternatives(source, node, branch.node));
    }
    turns
}

/// What a branch means for a node inside it; `None` if the node runs in any case.
fn turn(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<Turn> {
    if let Some((operator, left, right)) = short_circuit(source, branch) {
        return contains(right, node).then(|| of_operator(operator, source.slice(left)));
    }
    if is_let_else(branch) {
        return is_in_field(branch, node, &["alternative"]).then_some(Turn::Branch);
    }
    if has_word(branch, &["comprehension"]) || branch.kind() == "generator_expression" {
        return in_comprehension(source, node, branch);
    }
    if has_word(branch, &LOOPS) || branch.kind() == "do_statement" {
        return is_in_field(branch, node, &["body"]).then_some(Turn::Loop);
    }
    if has_word(branch, &HANDLERS) {
        return (!is_in_field(branch, node, &["body"]) || !branch.kind().contains("modifier"))
            .then_some(Turn::Handler);
    }
    if has_word(branch, &["default", "preproc", "conditional"]) && condition_of(branch).is_none() {
        return Some(Turn::Branch);
    }
    if condition_of(branch).is_some() && !has_word(branch, &CONTAINERS) {
        return of_condition(source, node, branch);
    }
    if let Some(turn) = of_case(source, node, branch) {
        return turn;
    }
    if has_word(branch, &["else"]) {
        let owner = branch.parent();
        let is_of_if = |owner: Node<'_>| condition_of(owner).is_some() && !has_word(owner, &LOOPS);
        return (!owner.is_some_and(is_of_if)).then_some(Turn::Branch);
    }
    (!has_word(branch, &CONTAINERS)).then_some(Turn::Branch)
}

/// What a branch with a condition means for a node inside it.
fn of_condition(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<Turn> {
    if is_in_field(branch, node, &["initializer"]) {
        return None;
    }
    let side = match side(source, node, branch) {
        Some(When::Always) => return None,
        Some(When::If(condition)) => Some((condition, true)),
        Some(When::Unless(condition)) => Some((condition, false)),
        Some(When::Sometimes) | None => behind(source, node, branch),
    };
    Some(match side {
        Some((condition, holds)) if holds != has_word(branch, &["unless", "guard"]) => {
            Turn::If(condition)
        }
        Some((condition, _)) => Turn::Unless(condition),
        None => Turn::Branch,
    })
}

/// The condition of an `if` for a node behind its first part, such as in the second `elif` of
/// Python.
fn behind(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<(String, bool)> {
    let then = field(branch, &["consequence", "body"])?;
    let condition = source.slice(condition_of(branch)?);
    (then.end_byte() <= node.start_byte()).then(|| (unwrapped(condition).to_owned(), false))
}

/// The alternatives of an `if` before the one that the node is in: none of their conditions holds.
fn earlier_alternatives(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Vec<Turn> {
    let mut cursor = branch.walk();
    let all = branch.children_by_field_name("alternative", &mut cursor);
    let earlier = all.filter(|it| it.end_byte() <= node.start_byte());
    let conditions = earlier.filter_map(condition_of);
    conditions
        .map(|it| Turn::Unless(unwrapped(source.slice(it)).to_owned()))
        .collect()
}

/// What a case means for a node inside it; `Some(None)` if the node runs in any case, `None` if the
/// branch is no case.
fn of_case(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<Option<Turn>> {
    let kind = branch.kind();
    if [
        "switch_block_statement_group",
        "switch_rule",
        "switch_section",
    ]
    .contains(&kind)
        || kind == "switch_expression_arm"
    {
        return Some(Some(Turn::Branch));
    }
    // In Ruby, Kotlin and Scala these hold the alternatives.
    if ["case", "case_match", "when_expression", "case_block"].contains(&kind) {
        return Some(None);
    }
    if !has_word(branch, &CASES) && kind != "in_clause" {
        return None;
    }
    let Some(label) = field(branch, &["pattern", "value"]) else {
        return Some(Some(Turn::Branch));
    };
    if contains(label, node) {
        let is_guard = is_in_field(label, node, &["condition"]);
        return Some(is_guard.then_some(Turn::Branch));
    }
    let mut cursor = branch.walk();
    let labels = branch.children_by_field_name("pattern", &mut cursor);
    if labels.count() > 1 || is_fallen_into(source, branch) {
        return Some(Some(Turn::Branch));
    }
    let mut parts = children(branch).into_iter();
    let guard = field(branch, &["guard"]).or_else(|| parts.find(|part| part.kind() == "guard"));
    let guard = guard.map(|guard| format!(" {}", source.slice(guard)));
    let label = format!("{}{}", source.slice(label), guard.unwrap_or_default());
    Some(Some(match label.len() <= MAX_LABEL {
        true => Turn::Case(label),
        false => Turn::Branch,
    }))
}

/// Whether the case before this one goes on into it.
fn is_fallen_into(source: &Source<'_>, branch: Node<'_>) -> bool {
    let mut before = branch.prev_named_sibling();
    while let Some(node) = before.filter(|node| source.is_comment(*node)) {
        before = node.prev_named_sibling();
    }
    let Some(before) = before else {
        return false;
    };
    let ends_with = |words: &[&str]| {
        let last = children(before).pop();
        // A case may end with a block.
        let of_block = last.and_then(|last| children(last).pop());
        let mut ends = last.into_iter().chain(of_block);
        ends.any(|end| words.iter().any(|word| end.kind().starts_with(word)))
    };
    let leaves = ["break", "return", "continue", "throw", "goto"];
    ends_with(&["fallthrough"]) || FALLING.contains(&before.kind()) && !ends_with(&leaves)
}

/// What a comprehension means for a node inside it: its parts run for each element.
fn in_comprehension(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<Turn> {
    if !is_in_field(branch, node, &["body"]) {
        return None;
    }
    let filter = children(branch)
        .into_iter()
        .find(|part| part.kind() == "if_clause");
    Some(match filter.and_then(|filter| children(filter).pop()) {
        Some(condition) => Turn::If(source.slice(condition).to_owned()),
        None => Turn::Loop,
    })
}

/// The operator, left and right side of an expression whose right side may not run.
fn short_circuit<'s, 'tree>(
    source: &Source<'s>,
    node: Node<'tree>,
) -> Option<(&'s str, Node<'tree>, Node<'tree>)> {
    let left = field(node, &["left"])?;
    let right = field(node, &["right"])?;
    // The operator has no name in some grammars.
    let between = source.between(left.end_byte(), right.start_byte()).trim();
    let operators = ["&&", "||", "and", "or", "??", "&&=", "||=", "??=", "orelse"];
    operators
        .contains(&between)
        .then_some((between, left, right))
}

fn of_operator(operator: &str, left: &str) -> Turn {
    match operator {
        "&&" | "and" => Turn::If(left.to_owned()),
        "||" | "or" => Turn::Unless(left.to_owned()),
        _ => Turn::Branch,
    }
}

/// Whether this is `let … else` of Rust.
fn is_let_else(node: Node<'_>) -> bool {
    node.kind() == "let_declaration" && node.child_by_field_name("alternative").is_some()
}

fn condition_of(branch: Node<'_>) -> Option<Node<'_>> {
    branch.child_by_field_name("condition")
}

/// Returns which side of an `if` the node is on.
fn of_branch(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<When> {
    let is_if = branch.kind().starts_with("if");
    is_if.then(|| side(source, node, branch))?
}

/// Returns which side of a branch with a condition the node is on.
fn side(source: &Source<'_>, node: Node<'_>, branch: Node<'_>) -> Option<When> {
    let condition = condition_of(branch)?;
    if contains(condition, node) {
        return Some(When::Always);
    }
    let text = unwrapped(source.slice(condition)).to_owned();
    let is_then = is_in_field(branch, node, &["consequence", "body", "then"]);
    let is_other = is_in_field(branch, node, &["alternative", "else"]);
    match (is_then, is_other) {
        (true, _) => Some(When::If(text)),
        (_, true) => Some(When::Unless(text)),
        _ => None,
    }
}

fn is_in_field(branch: Node<'_>, node: Node<'_>, names: &[&str]) -> bool {
    field(branch, names).is_some_and(|part| contains(part, node))
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
        Some(inner) if is_balanced(inner) => inner.trim(),
        _ => text,
    }
}

/// Whether each parenthesis that the text closes was opened in it. Those in strings do not count.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => _ = chars.next(),
            (Some(open), _) => quote = Some(open).filter(|open| *open != c),
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return false,
            },
            _ => {}
        }
    }
    depth == 0 && quote.is_none()
}

#[cfg(test)]
mod tests {
    use super::unwrapped;

    #[test]
    fn only_parentheses_around_the_whole_condition_are_removed() {
        for (text, expected) in [
            ("(a)", "a"),
            ("( a.b() )", "a.b()"),
            ("(a) && (b)", "(a) && (b)"),
            ("(a(b) || c)", "a(b) || c"),
            ("(a == \")\" && b(c))", "a == \")\" && b(c)"),
            ("(a == ')' || (b))", "a == ')' || (b)"),
            ("(a == '\\'' && (b))", "a == '\\'' && (b)"),
            ("a", "a"),
        ] {
            assert_eq!(unwrapped(text), expected, "{text}");
        }
    }
}
