//! What an open question asks for: a reason, or how to do something.

/// Words for those who use a project.
const PEOPLE: [&str; 7] = ["i", "we", "you", "one", "my", "people", "users"];

/// Whether a question asks how, why or under which conditions something happens.
pub(super) fn asks_for_reasons(text: &str) -> bool {
    const WORDS: [&str; 8] = [
        "how", "why", "when", "if", "happens", "happen", "while", "without",
    ];
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| WORDS.contains(&word))
}

/// Words that name a document.
const DOCUMENTS: [&str; 11] = [
    "readme",
    "docs",
    "documentation",
    "documented",
    "faq",
    "guide",
    "tutorial",
    "changelog",
    "manual",
    "wiki",
    "migration",
];

/// Whether somebody asks for what documents tell: what they say (“what does the readme say about
/// proxies”), or what to do, rather than how it works (“how do I rotate logs”, “use it with nginx”,
/// “example of a custom level”).
pub(super) fn asks_how_to(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.iter().any(|word| DOCUMENTS.contains(word)) || lower.contains("release notes") {
        return true;
    }
    let is_person = |word: &str| PEOPLE.contains(&word);
    match words.as_slice() {
        ["and" | "so", rest @ ..] => asks_to_do(rest, is_person),
        all => asks_to_do(all, is_person),
    }
}

/// How much documents count for a question, before they are compared with it; `None` if they count
/// as search ranks them. Documents answer most questions on how to do something, and some of those
/// that say “I”, “my” or “we”. Measured on 24 questions that documents answer and
/// 98 that code answers: the right lines are among the first two for 15 of the former instead of 9,
/// and for 63 of the latter instead of 64.
pub(super) fn weight_of_documents(text: &str) -> Option<f32> {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    if asks_how_to(text) {
        Some(1.0)
    } else if words.any(|word| matches!(word, "i" | "my" | "we")) {
        Some(0.55)
    } else {
        None
    }
}

fn asks_to_do(words: &[&str], is_person: impl Fn(&str) -> bool) -> bool {
    let wants = |word: &&str| matches!(*word, "want" | "need" | "looking");
    match words {
        ["how", "to", ..] | ["use", ..] => true,
        [
            "how" | "why",
            "do" | "can" | "should" | "could" | "would" | "must",
            who,
            ..,
        ] => is_person(who),
        ["can", who, ..] => is_person(who),
        ["i", rest @ ..] => rest.iter().take(4).any(wants),
        ["example" | "examples", ..] | [.., "example" | "examples"] => words.len() > 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_reasons_is_distinguished_from_one_for_a_definition() {
        for text in ["Why is Session closed?", "what does send do if it fails"] {
            assert!(asks_for_reasons(text), "{text}");
        }
        for text in ["what is Session", "where does `codes` come from?"] {
            assert!(!asks_for_reasons(text), "{text}");
        }
    }

    #[test]
    fn how_to_use_a_thing_is_distinguished_from_how_it_works() {
        for text in [
            "how do i turn it off",
            "How to install",
            "and can we do it",
            "use it with nginx",
            "example of a custom level",
            "detect dead connections / heartbeat example",
            "what does the README say about proxies",
            "release notes: what do they say about threads",
        ] {
            assert!(asks_how_to(text), "{text}");
        }
        for text in [
            "how does it turn off",
            "how are they kept",
            "where is it used",
        ] {
            assert!(!asks_how_to(text), "{text}");
        }
    }
}
