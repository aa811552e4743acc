//! A question that depends on the one before it: “and who calls it?”, “in tests?”, “what about
//! `Session`?”

use crate::answer::kinds;
use crate::index::Index;

/// Words that refer to the last subject.
const PRONOUNS: &[&str] = &[
    "it", "its", "this", "that", "they", "them", "their", "these", "those",
];

/// How a question begins that continues the one before.
const GOING_ON: &[&str] = &[
    "and what about",
    "and how about",
    "what about",
    "how about",
    "and also",
    "and",
    "also",
    "but",
    "then",
    "or",
];

/// Words that stand against each other: “what about the client?” after a question on the server.
const OPPOSITES: &[(&str, &str)] = &[
    ("client", "server"),
    ("clients", "servers"),
    ("request", "response"),
    ("requests", "responses"),
    ("reader", "writer"),
    ("reading", "writing"),
    ("encoder", "decoder"),
    ("encoding", "decoding"),
    ("compression", "decompression"),
    ("serializer", "deserializer"),
    ("producer", "consumer"),
    ("sender", "receiver"),
    ("input", "output"),
    ("sync", "async"),
    ("minimum", "maximum"),
];

/// Longest question that can be a follow-up, in words.
const MAX_WORDS: usize = 12;

/// A question that stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standalone {
    pub text: String,
    /// Whether its words were only put beside those of the last subject, so that it may mean
    /// something else.
    pub is_glued: bool,
}

/// Returns the question in a form that stands alone, if it depends on the `earlier` ones, oldest
/// first.
pub(super) fn standalone(index: &Index, text: &str, earlier: &[&str]) -> Option<Standalone> {
    let whole = |text: String| {
        let is_glued = false;
        Some(Standalone { text, is_glued })
    };
    let (last, before) = earlier.split_last()?;
    // The question before may itself depend on an earlier one.
    let last = standalone(index, last, before).map_or_else(|| (*last).to_owned(), |it| it.text);
    let text = text.trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > MAX_WORDS {
        return None;
    }
    let lower = text.to_lowercase();
    let going_on = GOING_ON.iter().find(|begin| {
        lower
            .strip_prefix(**begin)
            .is_some_and(|rest| rest.starts_with(' '))
    });
    let rest = going_on.map_or(text, |begin| text.get(begin.len()..).unwrap_or(text).trim());
    let subject = kinds::subject_words(index, &last);
    if let Some(subject) = &subject
        && let Some(replaced) = with_subject(index, rest, subject)
    {
        return whole(replaced);
    }
    let bare = rest.trim_end_matches(['?', '!', '.', ' ']);
    // “in tests?”, “only in src/”
    let begins = |begin: &&str| lower_starts(rest, begin);
    // “In which version was it added?” stands alone.
    let asks = [" which ", " what "]
        .iter()
        .any(|word| lower.contains(word));
    let limits = ["in ", "only ", "within ", "under ", "of "];
    if limits.iter().any(begins) && !asks {
        let last = last.trim_end_matches(['?', '!', '.', ' ']);
        return whole(format!("{last} {bare}"));
    }
    going_on?;
    if let Some(replaced) = with_opposite(&last, bare) {
        return whole(replaced);
    }
    let names_something = kinds::names_something(index, bare);
    match (names_something, subject) {
        // “what about Session?”: the previous question, with another subject.
        (true, Some(subject)) if last.contains(&subject) && is_name(bare) => {
            whole(last.replacen(&subject, bare, 1))
        }
        // “and the subclasses?”
        (false, Some(subject)) if bare.split_whitespace().count() <= 4 => Some(Standalone {
            text: format!("{bare} of {subject}"),
            is_glued: true,
        }),
        _ => None,
    }
}

/// Returns the last question about the opposite of a word in it, if the words name that alone.
fn with_opposite(last: &str, words: &str) -> Option<String> {
    let lower = words.to_lowercase();
    let wanted = ["the ", "a ", "an "]
        .iter()
        .find_map(|article| lower.strip_prefix(article))
        .unwrap_or(&lower);
    let opposite = OPPOSITES.iter().find_map(|(one, other)| match wanted {
        it if it == *one => Some(*other),
        it if it == *other => Some(*one),
        _ => None,
    })?;
    let mut said = last.split_whitespace();
    said.any(|word| plain(word) == opposite).then(|| {
        let words = last
            .split_whitespace()
            .map(|word| match plain(word) == opposite {
                true => format!("{wanted}{}", word.get(opposite.len()..).unwrap_or_default()),
                false => word.to_owned(),
            });
        words.collect::<Vec<_>>().join(" ")
    })
}

fn lower_starts(text: &str, begin: &str) -> bool {
    text.to_lowercase().starts_with(begin)
}

/// Whether the words are a name rather than a question of their own.
fn is_name(words: &str) -> bool {
    words.split_whitespace().count() <= 3
}

/// Returns the text with its pronoun replaced, if the pronoun refers to something said before.
fn with_subject(index: &Index, text: &str, subject: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words
        .iter()
        .position(|word| PRONOUNS.contains(&plain(word).as_str()))?;
    if !stands_alone(index, &words, at) {
        return None;
    }
    let pronoun = plain(words.get(at)?);
    let is_owner = matches!(pronoun.as_str(), "its" | "their");
    let replaced = words.iter().enumerate().map(|(here, word)| {
        let end = word.get(pronoun.len()..).unwrap_or_default();
        match (here == at, is_owner) {
            (false, _) => (*word).to_owned(),
            (true, true) => "the".to_owned(),
            (true, false) => format!("{subject}{end}"),
        }
    });
    let text = replaced.collect::<Vec<_>>().join(" ");
    Some(match is_owner {
        // “its subclasses” becomes “the subclasses of Session”.
        true => format!("{} of {subject}", text.trim_end_matches(['?', '!', '.'])),
        false => text,
    })
}

fn plain(word: &str) -> String {
    word.trim_end_matches(['?', '!', '.', ',', ';'])
        .to_lowercase()
}

/// Whether a word names something and is not common to all questions.
fn names(index: &Index, word: &str) -> bool {
    word.len() > 3
        && !kinds::is_word_of_asking(&word.to_lowercase())
        && kinds::names_something(index, word)
}

/// Whether the pronoun at `at` can only refer to an earlier question: nothing before it in its own
/// sentence can be meant, and it does not join two parts of it (“functions that return”).
fn stands_alone(index: &Index, words: &[&str], at: usize) -> bool {
    let before = words.get(..at).unwrap_or_default();
    let after_of = before.last().is_some_and(|word| plain(word) == "of");
    let has_noun = before
        .iter()
        .any(|word| matches!(plain(word).as_str(), "a" | "an" | "the"));
    let has_name = before
        .iter()
        .any(|word| names(index, word.trim_matches(['`', ','])));
    let is_pointing = words
        .get(at)
        .is_some_and(|word| matches!(plain(word).as_str(), "this" | "that" | "these" | "those"));
    const THINGS: &str = "file module class function method folder test library package one type";
    let points_at = words.get(at + 1).is_none_or(|next| {
        THINGS
            .split(' ')
            .any(|thing| plain(next).trim_end_matches('s') == thing)
    });
    !has_name && (!has_noun || after_of) && (!is_pointing || points_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tests::whole_index;

    #[test]
    fn a_question_that_leans_on_the_last_one_is_made_whole() {
        let index = whole_index(
            "a-1",
            &[(
                "src/a.py",
                "class Session:\n    def send(self):\n        pass\n\n\nclass Adapter:\n    pass\n",
            )],
        );
        for (earlier, text, expected) in [
            (
                &["Who calls Session.send?"][..],
                "and what does it call?",
                Some("what does Session.send call?"),
            ),
            (
                &["Who calls Session.send?"],
                "in tests?",
                Some("Who calls Session.send in tests"),
            ),
            (
                &["who inherits from Session", "and who uses it?"],
                "where is it defined?",
                Some("where is Session defined?"),
            ),
            (
                &["where is Session defined"],
                "and what are its subclasses?",
                Some("what are the subclasses of Session"),
            ),
            (
                &["subclasses of Session"],
                "what about Adapter?",
                Some("subclasses of Adapter"),
            ),
            (
                &["Who calls Session.send?"],
                "and the callees?",
                Some("the callees of Session.send"),
            ),
            (
                &["Who calls Session.send?"],
                "How are errors retried?",
                None,
            ),
            (
                &["Who calls Session.send?"],
                "how is a parcel packed before it is sent",
                None,
            ),
            (
                &["Who calls Session.send?"],
                "how does Adapter close its session",
                None,
            ),
            (
                &["Who calls Session.send?"],
                "list functions that return nothing",
                None,
            ),
            (&[], "and who calls it?", None),
            (
                &["is compression turned on by default on the server?"],
                "what about the client?",
                Some("is compression turned on by default on the client?"),
            ),
            (
                &["where is Session defined"],
                "what about the client?",
                Some("the client of Session"),
            ),
        ] {
            let found = standalone(&index, text, earlier);
            let is_glued = found.as_ref().is_some_and(|found| found.is_glued);
            assert_eq!(found.map(|found| found.text).as_deref(), expected, "{text}");
            assert_eq!(
                is_glued,
                matches!(text, "and the callees?") || expected == Some("the client of Session")
            );
        }
    }
}
