//! A question that leans on the one before it: “and who calls it?”, “in tests?”, “what about `Session`?”

use crate::answer::kinds;
use crate::index::Index;

/// Words that stand for the last subject.
const PRONOUNS: &[&str] = &[
    "it", "its", "this", "that", "they", "them", "their", "these", "those",
];

/// What a question begins with that goes on from the one before.
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

/// Longest question that can be one, in words.
const MAX_WORDS: usize = 12;

/// The question on its own, if it leans on the `earlier` ones, oldest first.
pub(super) fn standalone(index: &Index, text: &str, earlier: &[&str]) -> Option<String> {
    let (last, before) = earlier.split_last()?;
    // The question before may have leaned on another one.
    let last = standalone(index, last, before).unwrap_or_else(|| (*last).to_owned());
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
        && let Some(replaced) = with_subject(rest, subject)
    {
        return Some(replaced);
    }
    let bare = rest.trim_end_matches(['?', '!', '.', ' ']);
    // “in tests?”, “only in src/”
    if ["in ", "only ", "within ", "under ", "of "]
        .iter()
        .any(|begin| lower_starts(rest, begin))
    {
        let last = last.trim_end_matches(['?', '!', '.', ' ']);
        return Some(format!("{last} {bare}"));
    }
    going_on?;
    let names_something = kinds::names_something(index, bare);
    match (names_something, subject) {
        // “what about Session?”: the question before, of another subject.
        (true, Some(subject)) if last.contains(&subject) && is_name(bare) => {
            Some(last.replacen(&subject, bare, 1))
        }
        // “and the subclasses?”
        (false, Some(subject)) if bare.split_whitespace().count() <= 4 => {
            Some(format!("{bare} of {subject}"))
        }
        _ => None,
    }
}

fn lower_starts(text: &str, begin: &str) -> bool {
    text.to_lowercase().starts_with(begin)
}

/// Whether the words are a name rather than a question of their own.
fn is_name(words: &str) -> bool {
    words.split_whitespace().count() <= 3
}

/// The text with its pronoun replaced, if it has one that stands for something said before.
fn with_subject(text: &str, subject: &str) -> Option<String> {
    let mut owned = false;
    let mut is_replaced = false;
    let words = text.split_whitespace().map(|word| {
        let plain = word
            .trim_end_matches(['?', '!', '.', ',', ';'])
            .to_lowercase();
        if is_replaced || !PRONOUNS.contains(&plain.as_str()) {
            return word.to_owned();
        }
        is_replaced = true;
        owned = matches!(plain.as_str(), "its" | "their");
        let end = word.get(plain.len()..).unwrap_or_default();
        match owned {
            true => "the".to_owned(),
            false => format!("{subject}{end}"),
        }
    });
    let words: Vec<String> = words.collect();
    let text = words.join(" ");
    is_replaced.then(|| match owned {
        // “its subclasses” are “the subclasses of Session”.
        true => format!("{} of {subject}", text.trim_end_matches(['?', '!', '.'])),
        false => text,
    })
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
            (&[], "and who calls it?", None),
        ] {
            let found = standalone(&index, text, earlier);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
