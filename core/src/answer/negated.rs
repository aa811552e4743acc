//! Questions that are asked in the negative: “does send not call open?”. In English both “yes” and
//! “no” can mean either there, so the answer states what is so, without such a word.

use super::{Span, Statement};

/// Whether a question asks in the negative whether something is so. “Isn’t it …?” is answered like
/// “is it …?”.
pub(super) fn is_negated(question: &str) -> bool {
    let lower = question.to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    let mut words = words.filter(|word| !word.is_empty());
    let starts = [
        "is", "are", "does", "do", "has", "have", "can", "could", "will",
    ];
    let is_polar = words.next().is_some_and(|first| starts.contains(&first));
    let is_negative =
        |word: &str| matches!(word, "not" | "no" | "never" | "none") || word.ends_with("n't");
    is_polar && words.any(is_negative)
}

/// Takes “Yes. ” and “No. ” away from the beginning of statements.
pub(super) fn without_yes_or_no(statements: &mut [Statement]) {
    for statement in statements {
        let Some(Span::Text(first)) = statement.spans.first_mut() else {
            continue;
        };
        let leads = ["Yes. ", "No. ", "Yes, ", "No, "];
        if let Some(rest) = leads.iter().find_map(|lead| first.strip_prefix(lead)) {
            let mut letters = rest.chars();
            let capital = letters.next().map(|c| c.to_uppercase().to_string());
            *first = capital.unwrap_or_default() + letters.as_str();
        }
        let is_empty = matches!(statement.spans.first(), Some(Span::Text(it)) if it.is_empty());
        if is_empty {
            statement.spans.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::answered;
    use crate::index::tests::index;

    #[test]
    fn a_question_in_the_negative_is_told_from_others() {
        for text in [
            "does send not call open?",
            "Does it have no dependencies",
            "is send never called?",
            "can it be that send doesn't call open",
        ] {
            assert!(is_negated(text), "{text}");
        }
        for text in [
            "doesn't send call open?",
            "does send call open?",
            "why does send not call open",
            "is notify called",
        ] {
            assert!(!is_negated(text), "{text}");
        }
    }

    #[test]
    fn the_answer_states_what_is_so() {
        let code =
            "def send():\n    close()\n\n\ndef close():\n    pass\n\n\ndef open():\n    pass\n";
        let index = index(&[("net.py", code)]);
        for (question, start) in [
            ("does send call close?", "Yes. "),
            ("doesn't send call close?", "Yes. "),
            (
                "does send not call close?",
                "`send` in `net.py` calls `close`",
            ),
        ] {
            let said = answered(&index, question).cited(&index.repo);
            assert!(said.starts_with(start), "{question}: {said}");
        }
        for question in ["does send not call open?", "is send never called?"] {
            let said = answered(&index, question).cited(&index.repo);
            let has_word = said.starts_with("Yes") || said.starts_with("No");
            assert!(!has_word, "{question}: {said}");
        }
    }
}
