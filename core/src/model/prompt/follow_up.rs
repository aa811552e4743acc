//! Follow-up questions → questions that can be understood and searched for on their own.

use super::Turn;
use super::fence;
use crate::model::protocol::{Chat, Message};
use crate::search::Question;

/// Turns that are shown to the model; questions rarely refer to older ones.
const MAX_TURNS: usize = 3;
/// Characters of each answer that are shown.
const MAX_ANSWER: usize = 600;
/// Most characters of a rewritten question; anything longer is not a question.
const MAX_QUESTION: usize = 400;

const SYSTEM: &str = "\
You rewrite the last question of a conversation about a code repository so that it can be understood \
without the conversation. Replace words such as “it”, “that function” or “there” by what they stand \
for, keep names of code exactly as they are written, keep the language of the question, and add \
nothing that was not asked. Do not answer it. Reply with the rewritten question alone, on one line. \
If it can already be understood on its own, repeat it unchanged.";

/// The request to `model` to rewrite `question`, which follows `history`. It is cheap: the last
/// turns, and at most 128 tokens of answer.
pub fn standalone(model: &str, history: &[Turn], question: &str) -> Chat {
    let mut chat = Chat::new(model, SYSTEM);
    chat.max_tokens = 128;
    chat.sampling.temperature = 0.0;
    let mut text = "The conversation:\n".to_owned();
    let turns = history.iter().skip(history.len().saturating_sub(MAX_TURNS));
    for turn in turns {
        let answer: String = turn.answer.chars().take(MAX_ANSWER).collect();
        text.push_str(&format!("Question: {}\n", turn.question.trim()));
        text.push_str(&format!("Answer:\n{}", fence::quote_plain(&answer)));
    }
    text.push_str(&format!(
        "The last question: {}\nRewritten:",
        question.trim()
    ));
    chat.messages.push(Message::User(text));
    chat
}

/// The question in the model's reply, without thoughts, labels and quotation marks. `None` if there
/// is none, or if it is too long to be one.
pub fn read_standalone(text: &str) -> Option<String> {
    let text = text
        .rsplit_once("</think>")
        .map_or(text, |(_, after)| after);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let line = LABELS
        .iter()
        .find_map(|label| strip_label(line, label))
        .unwrap_or(line);
    let line = line.trim().trim_matches(['"', '“', '”', '*', '\'']).trim();
    let is_question = line.chars().count() <= MAX_QUESTION && Question::new(line).is_ok();
    is_question.then(|| line.to_owned())
}

const LABELS: [&str; 5] = [
    "rewritten question:",
    "standalone question:",
    "the rewritten question is:",
    "rewritten:",
    "question:",
];

fn strip_label<'t>(line: &'t str, label: &str) -> Option<&'t str> {
    let line = line.trim_start_matches('*');
    let start = line.get(..label.len())?;
    start
        .eq_ignore_ascii_case(label)
        .then(|| line.get(label.len()..))?
}

/// Whether a follow-up question probably refers to something said before, so that it is worth
/// waiting for the model to rewrite it. Without a history it never is.
///
/// The rule uses English words. A question in another language is rewritten unless it names code:
/// an unnecessary rewriting costs a second and is shown, while a missing one finds nothing.
pub fn needs_context(question: &str) -> bool {
    let Ok(read) = Question::new(question) else {
        return false;
    };
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '’')))
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    if points_back(&words) {
        return true;
    }
    let is_english = words.iter().any(|word| ENGLISH.contains(word));
    if !is_english {
        return read.names().is_empty();
    }
    // “Why?”, “How exactly?”: they contain nothing to search for.
    words.iter().all(|word| ENGLISH.contains(word))
}

/// Whether the words refer to something that they do not name.
fn points_back(words: &[&str]) -> bool {
    let next = |at: usize| words.get(at + 1).copied().unwrap_or_default();
    let before = |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).copied();
    words.iter().enumerate().any(|(at, word)| match *word {
        "it" | "its" | "it's" | "they" | "them" | "their" | "these" | "those" | "he" | "she" => {
            true
        }
        "same" | "former" | "latter" | "instead" | "previous" | "earlier" | "above" => true,
        "this" => !WHOLE.contains(&next(at)),
        // “a function that sends” goes on; “does that work” points back.
        "that" => before(at).is_none_or(|before| POINTING.contains(&before)) || next(at).is_empty(),
        // “is there a test” does not.
        "there" => {
            !matches!(before(at), Some("is" | "are" | "was" | "were"))
                && !matches!(next(at), "is" | "are")
        }
        "and" | "but" | "so" | "then" | "also" => at == 0,
        "else" => next(at).is_empty() || at <= 1,
        "one" | "ones" => matches!(
            before(at),
            Some("that" | "this" | "first" | "second" | "third" | "last" | "other" | "which")
        ),
        "about" => at == 1 && matches!(words.first(), Some(&("what" | "how"))) && words.len() <= 6,
        _ => false,
    })
}

/// “this repository” refers to the open one.
const WHOLE: [&str; 12] = [
    "repository",
    "repo",
    "project",
    "library",
    "package",
    "codebase",
    "code",
    "crate",
    "module",
    "app",
    "application",
    "framework",
];

/// After these words, “that” is a pronoun.
const POINTING: [&str; 26] = [
    "does", "do", "did", "is", "was", "are", "of", "in", "about", "why", "how", "for", "with",
    "to", "from", "and", "can", "could", "would", "should", "use", "uses", "used", "call", "calls",
    "like",
];

/// Words that identify English, and that cannot be searched for.
const ENGLISH: [&str; 46] = [
    "the", "a", "an", "is", "are", "was", "were", "do", "does", "did", "what", "where", "when",
    "why", "how", "who", "which", "of", "in", "on", "to", "for", "from", "with", "and", "or",
    "not", "can", "could", "should", "would", "i", "me", "you", "there", "that", "this", "be",
    "by", "at", "please", "more", "exactly", "explain", "show", "tell",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_mean_something_said_before_are_known() {
        for question in [
            "How does it work?",
            "Who calls it?",
            "and in the tests?",
            "What about redirects?",
            "Why?",
            "How exactly?",
            "Where is that defined?",
            "Does this also apply to proxies?",
            "Which tests cover them?",
            "What is the second one for?",
            "What else?",
            "Is the same done for cookies?",
            "Explain more",
            "Und warum?",
            "Wer ruft das auf?",
        ] {
            assert!(needs_context(question), "{question}");
        }
    }

    #[test]
    fn questions_that_stand_alone_are_known() {
        for question in [
            "How are redirects resolved?",
            "What does this repository do?",
            "Session.send",
            "Is there a test for cookies?",
            "Which function that sends requests retries?",
            "Where is HTTPAdapter defined?",
            "What calls resolve_redirects?",
            "How do I install the package?",
            "Wo wird `resolve_redirects` aufgerufen?",
            "What happens if a request times out?",
            "",
            "?!",
        ] {
            assert!(!needs_context(question), "{question}");
        }
    }

    #[test]
    fn the_question_is_found_in_what_a_model_writes() {
        for (text, question) in [
            (
                "Who calls `Session.send`?",
                Some("Who calls `Session.send`?"),
            ),
            ("\n  \"Who calls send?\"\n", Some("Who calls send?")),
            (
                "Rewritten question: Who calls send?",
                Some("Who calls send?"),
            ),
            ("**Question:** Who calls send?", Some("Who calls send?")),
            (
                "<think>It means send.</think>\n\nWho calls send?",
                Some("Who calls send?"),
            ),
            (
                "Who calls send?\n\nI replaced “it”.",
                Some("Who calls send?"),
            ),
            ("", None),
            ("?!", None),
        ] {
            assert_eq!(read_standalone(text).as_deref(), question, "{text}");
        }
        assert_eq!(read_standalone(&"word ".repeat(200)), None);
    }

    #[test]
    fn the_model_sees_the_last_turns_and_little_of_each() {
        let turn = |n: usize| Turn {
            question: format!("question {n}"),
            answer: format!("answer {n} ``` {}", "x".repeat(5_000)),
        };
        let history: Vec<Turn> = (1..=5).map(turn).collect();
        let chat = standalone("m", &history, "Who calls it?");
        let [Message::User(text)] = chat.messages.as_slice() else {
            panic!("{chat:?}");
        };
        assert!(!text.contains("question 2") && text.contains("question 3"));
        assert!(text.ends_with("The last question: Who calls it?\nRewritten:"));
        assert!(text.len() < 3 * (MAX_ANSWER + 200), "{}", text.len());
        assert_eq!(chat.max_tokens, 128);
    }
}
