//! How questions about changes are worded.

use crate::lang::SymbolKind;

/// What a question asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Everything that changed.
    All,
    Added,
    Removed,
    Renamed,
    Moved,
    /// Definitions whose signature changed.
    Signatures,
}

/// A question about changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub what: Asked,
    /// The definition or file that is asked about; `None` means all.
    pub of: Option<String>,
    /// The versions that the question names.
    pub versions: Vec<String>,
}

/// What is asked about, and for which kinds of definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub about: About,
    /// Any kind if the question names none.
    pub kinds: Option<&'static [SymbolKind]>,
}

/// Longest question that is read, in bytes.
const MAX_BYTES: usize = 300;

/// How such a question begins.
const BEGINNINGS: &[&str] = &[
    "what",
    "what's",
    "whats",
    "which",
    "how",
    "did",
    "does",
    "has",
    "have",
    "was",
    "were",
    "is",
    "are",
    "where",
    "list",
    "show",
    "tell",
    "changes",
    "differences",
    "difference",
    "anything",
];

/// Which words ask for what.
const VERBS: &[(&[&str], About)] = &[
    (&["renamed", "rename", "renames", "called"], About::Renamed),
    (&["moved", "move", "moves", "go", "went"], About::Moved),
    (
        &[
            "removed", "deleted", "dropped", "gone", "missing", "removals",
        ],
        About::Removed,
    ),
    (
        &["new", "added", "introduced", "additions", "came"],
        About::Added,
    ),
    (
        &[
            "changed",
            "change",
            "changes",
            "differ",
            "differs",
            "different",
            "modified",
            "altered",
            "differences",
            "difference",
        ],
        About::All,
    ),
];

/// Kinds that a question can ask for.
const KINDS: &[(&[&str], &[SymbolKind])] = &[
    (&["functions", "function"], &[SymbolKind::Function]),
    (&["methods", "method"], &[SymbolKind::Method]),
    (
        &["classes", "class"],
        &[SymbolKind::Class, SymbolKind::Interface],
    ),
    (&["structs", "struct"], &[SymbolKind::Struct]),
    (&["enums", "enum"], &[SymbolKind::Enum]),
    (&["traits", "trait"], &[SymbolKind::Trait]),
    (&["types", "type"], &[SymbolKind::Type]),
    (&["macros", "macro"], &[SymbolKind::Macro]),
    (
        &["constants", "constant"],
        &[SymbolKind::Constant, SymbolKind::Variable],
    ),
];

/// Words that name nothing.
const SMALL: &[&str] = &[
    "the",
    "a",
    "an",
    "any",
    "of",
    "in",
    "to",
    "from",
    "for",
    "between",
    "and",
    "about",
    "with",
    "me",
    "all",
    "been",
    "it",
    "its",
    "since",
    "at",
    "on",
    "by",
    "there",
    "that",
    "now",
    "out",
    "definitions",
    "definition",
    "things",
    "thing",
    "code",
    "version",
    "versions",
    "release",
    "releases",
    "repository",
    "project",
    "package",
    "crate",
    "library",
    "last",
    "older",
    "newer",
    "old",
    "two",
    "both",
    "body",
    "signature",
    "signatures",
    "vs",
    "versus",
    "compared",
    "be",
];

/// Reads a question; returns `None` if it is not about changes.
pub(super) fn wanted(question: &str) -> Option<Wanted> {
    if question.len() > MAX_BYTES {
        return None;
    }
    let words: Vec<&str> = question.split_whitespace().map(bare).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    if !BEGINNINGS.contains(&lower.first()?.as_str()) {
        return None;
    }
    let has = |list: &[&str]| lower.iter().any(|word| list.contains(&word.as_str()));
    let (verbs, about) = VERBS.iter().find(|(verbs, _)| has(verbs))?;
    let about = match *about == About::All && has(&["signature", "signatures"]) {
        true => About::Signatures,
        false => *about,
    };
    let kind = KINDS.iter().find(|(named, _)| has(named));
    let mut versions = Vec::new();
    let mut names = Vec::new();
    for (word, lower) in words.iter().zip(&lower) {
        let lower = lower.as_str();
        let is_small = BEGINNINGS.contains(&lower)
            || SMALL.contains(&lower)
            || verbs.contains(&lower)
            || kind.is_some_and(|(named, _)| named.contains(&lower));
        if is_version(word) {
            versions.push((*word).to_owned());
        } else if !is_small && !word.is_empty() {
            names.push(*word);
        }
    }
    let of = match names.as_slice() {
        [] => None,
        [name] => Some((*name).to_owned()),
        // More than a name: this is another question.
        _ => return None,
    };
    Some(Wanted {
        what: Asked {
            about,
            kinds: kind.map(|(_, kinds)| *kinds),
        },
        of,
        versions,
    })
}

/// Returns a word without the punctuation around it.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(['?', '!', ',', ';', ':', '"', '\'', '`', '“', '”', '‘', '’']);
    word.trim_end_matches('.').trim_end_matches("()")
}

/// Whether a word is a version: `2.31.0`, `v1`.
fn is_version(word: &str) -> bool {
    let word = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let allowed = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '+');
    word.starts_with(|sign: char| sign.is_ascii_digit()) && word.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_changes_are_read() {
        use About::{Added, All, Moved, Removed, Renamed, Signatures};
        for (question, about, of, versions) in [
            ("What changed?", All, None, ""),
            (
                "what changed in Session.send between 2.31.0 and 2.32.5?",
                All,
                Some("Session.send"),
                "2.31.0 2.32.5",
            ),
            ("What changed between v1 and v2?", All, None, "v1 v2"),
            (
                "How did `send()` change since 2.31.0",
                All,
                Some("send"),
                "2.31.0",
            ),
            ("What is new in 2.32.5?", Added, None, "2.32.5"),
            ("what's new", Added, None, ""),
            (
                "Which functions were added to src/requests/utils.py?",
                Added,
                Some("src/requests/utils.py"),
                "",
            ),
            ("What was removed?", Removed, None, ""),
            (
                "Was get_connection renamed?",
                Renamed,
                Some("get_connection"),
                "",
            ),
            (
                "Where did get_connection go?",
                Moved,
                Some("get_connection"),
                "",
            ),
            ("Which signatures changed?", Signatures, None, ""),
            (
                "Did the signature of Session.send change?",
                Signatures,
                Some("Session.send"),
                "",
            ),
        ] {
            let found = wanted(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(found.what.about, about, "{question}");
            assert_eq!(found.of.as_deref(), of, "{question}");
            assert_eq!(found.versions.join(" "), versions, "{question}");
        }
        let functions = wanted("Which functions were added?").map(|it| it.what.kinds);
        assert_eq!(functions, Some(Some(&[SymbolKind::Function][..])));
    }

    #[test]
    fn other_questions_are_left_alone() {
        for question in [
            "",
            "Who calls Session.send?",
            "How are redirects followed when the method is changed?",
            "How is the URL changed after a redirect?",
            "Where is Session defined?",
            "When was send added?",
        ] {
            assert_eq!(wanted(question), None, "{question}");
        }
        assert_eq!(wanted(&"what changed ".repeat(99)), None);
    }
}
