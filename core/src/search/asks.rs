//! Reads what kind of question is asked from its wording: graph steps help some kinds and hurt
//! others.

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A change that was made or is wanted: "Fix …", "X no longer raises …".
    Change,
    /// A question: "How does …", "… ?"
    Question,
    /// A name, or a few words that name a topic: "background tasks".
    Topic,
}

/// Words with which a question begins.
const ASKING: [&str; 18] = [
    "how", "what", "where", "why", "which", "who", "whose", "when", "is", "are", "does", "did",
    "can", "explain", "describe", "show", "find", "list",
];

/// Verbs with which a description of a change begins, as commands.
const CHANGES: [&str; 54] = [
    "add",
    "allow",
    "always",
    "avoid",
    "bump",
    "catch",
    "change",
    "check",
    "clarify",
    "clean",
    "convert",
    "correct",
    "deprecate",
    "disable",
    "disallow",
    "do",
    "document",
    "don't",
    "drop",
    "enable",
    "ensure",
    "expose",
    "extend",
    "fix",
    "handle",
    "implement",
    "improve",
    "introduce",
    "keep",
    "let",
    "make",
    "mark",
    "move",
    "only",
    "optimize",
    "pass",
    "preserve",
    "prevent",
    "reduce",
    "refactor",
    "remove",
    "rename",
    "replace",
    "restore",
    "return",
    "revert",
    "set",
    "simplify",
    "skip",
    "strip",
    "support",
    "switch",
    "update",
    "use",
];

/// Phrases that only occur in descriptions of changes, anywhere in the first line.
const MARKS: [&str; 9] = [
    " should ",
    "n't ",
    " no longer ",
    " now ",
    " instead of ",
    " not ",
    "bug",
    "crash",
    "warning",
];

/// Reads only the first line: it is the subject of a message that has a body.
pub fn asks(text: &str) -> Asks {
    let line = text.lines().next().unwrap_or_default().to_lowercase();
    let mut words = line
        .split_whitespace()
        .map(|word| word.trim_matches([',', '*', '-']));
    let mut first = words.next().unwrap_or_default();
    // "fix: …", "parser: …"
    if first.ends_with(':') {
        let is_kind = matches!(
            first,
            "fix:" | "feat:" | "bugfix:" | "refactor:" | "perf:" | "chore:"
        );
        match words.next() {
            _ if is_kind => return Asks::Change,
            second => first = second.unwrap_or_default(),
        }
    }
    if line.trim_end().ends_with('?') || ASKING.contains(&first) {
        return Asks::Question;
    }
    let is_change = CHANGES.contains(&first) || CHANGES.iter().any(|verb| is_form(first, verb));
    let has_body = text.lines().skip(1).any(|line| !line.trim().is_empty());
    if is_change || has_body || MARKS.iter().any(|mark| line.contains(mark)) {
        Asks::Change
    } else {
        Asks::Topic
    }
}

/// Whether a word is a form of a verb, such as `fixed`, `fixes`, `dropped` or `removed`; not
/// `fixing`, which topics begin with too.
fn is_form(word: &str, verb: &str) -> bool {
    let Some(start) = word.strip_suffix("ed").or_else(|| word.strip_suffix('s')) else {
        return matches!((word, verb), ("made", "make"));
    };
    let doubled = verb.chars().next_back().map(|last| format!("{verb}{last}"));
    start == verb
        || verb.strip_suffix('e') == Some(start)
        || doubled.as_deref() == Some(start)
        || verb
            .strip_suffix('y')
            .is_some_and(|stem| start == format!("{stem}i"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_distinguish_a_change_from_a_question_and_a_topic() {
        for (text, expected) in [
            ("Fix a crash when the body is empty", Asks::Change),
            ("Removed the old parser\n\nIt was unused.", Asks::Change),
            ("clarified an error", Asks::Change),
            ("dropped support of 2.6", Asks::Change),
            ("fix: keep quotes", Asks::Change),
            ("parser: add a rule", Asks::Change),
            ("send no longer throws", Asks::Change),
            ("a shallow copy\n\nIt kept the headers.", Asks::Change),
            ("How are redirects followed", Asks::Question),
            ("add or remove?", Asks::Question),
            ("background tasks", Asks::Topic),
            ("saving and loading models", Asks::Topic),
            ("Depends", Asks::Topic),
            ("", Asks::Topic),
        ] {
            assert_eq!(asks(text), expected, "{text}");
        }
    }
}
