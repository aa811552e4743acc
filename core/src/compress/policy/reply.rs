//! A model's reply → rates and memory.

use std::collections::BTreeMap;

use serde_json::Value;

use super::level;
use crate::model::mend::{after_thoughts, first_value};

/// Most words of the memory (RepoDistill, appendix A.1.2).
pub(crate) const MEMORY_WORDS: usize = 200;

/// A reply that could be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// By the document's number; each is a [`level`].
    pub rates: BTreeMap<usize, f32>,
    /// At most 200 words; empty if there was none.
    pub memory: String,
}

/// Why a reply cannot be read. The model is sent the `Display` text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// It contains no `{`.
    #[error("it holds no JSON object")]
    NoObject,
    /// It cannot be parsed, even after the usual slips are repaired.
    #[error("its JSON cannot be parsed")]
    BadJson,
    /// The object is there, but the rates are missing.
    #[error("it lacks the object \"compressed_documents\" with a level for each document")]
    NoRates,
}

/// Reads `{"compressed_documents": {"Document_0": 0.75, …}, "updated_summary": "…"}`. Thoughts,
/// fences and sentences around it are ignored; extra commas, missing closing brackets and comments
/// are repaired; a level may be a percentage.
pub(crate) fn read_reply(text: &str) -> Result<Reply, Malformed> {
    let text = after_thoughts(text);
    let start = text.find('{').ok_or(Malformed::NoObject)?;
    let object = text.get(start..).unwrap_or_default();
    let value = first_value(object).ok_or(Malformed::BadJson)?;
    let rates = value
        .get("compressed_documents")
        .or_else(|| value.get("documents"));
    let rates = rates.and_then(Value::as_object).ok_or(Malformed::NoRates)?;
    let rates: BTreeMap<usize, f32> = rates
        .iter()
        .filter_map(|(name, rate)| Some((number(name)?, level(read_rate(rate)?))))
        .collect();
    if rates.is_empty() {
        return Err(Malformed::NoRates);
    }
    let memory = value
        .get("updated_summary")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let words: Vec<&str> = memory.split_whitespace().take(MEMORY_WORDS).collect();
    Ok(Reply {
        rates,
        memory: words.join(" "),
    })
}

/// 3 for `Document_3`, `document 3`, `3`.
fn number(name: &str) -> Option<usize> {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits.get(..end)?.parse().ok()
}

/// 0.75, 75, "75 %", "0.75". A number over 1 is a percentage.
fn read_rate(value: &Value) -> Option<f32> {
    let (number, is_percent) = match value {
        Value::Number(number) => (number.as_f64()?, false),
        Value::String(text) => {
            let text = text.trim();
            let number = text.trim_end_matches('%').trim();
            (number.parse().ok()?, text.ends_with('%'))
        }
        _ => return None,
    };
    let rate = if is_percent || number > 1.0 {
        number / 100.0
    } else {
        number
    };
    (0.0..=1.0).contains(&rate).then_some(rate as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(text: &str) -> Result<Vec<(usize, f32)>, Malformed> {
        read_reply(text).map(|reply| reply.rates.into_iter().collect())
    }

    #[test]
    fn replies_are_read_as_models_write_them() {
        for (text, expected) in [
            (
                r#"{"compressed_documents": {"Document_0": 0.75, "Document_1": 0}, "updated_summary": "s"}"#,
                vec![(0, 0.75), (1, 0.0)],
            ),
            (
                "Sure!\n```json\n{\"compressed_documents\": {\"Document_2\": \"75%\",},}\n```\nDone {x}",
                vec![(2, 0.75)],
            ),
            (
                "<think>{\"a\": 1}</think>{\"documents\": {\"3\": 50}}",
                vec![(3, 0.5)],
            ),
            (
                r#"{"compressed_documents": {"document 4": 0.6, "Document_5": 1"#,
                vec![(4, 0.5), (5, 1.0)],
            ),
            (
                "{\"compressed_documents\": {\"Document_6\": 1}, \"updated_summary\": \"cut off \\",
                vec![(6, 1.0)],
            ),
            (
                r#"{"compressed_documents": {"Document_7": 400, "Document_8": null, "Document_9": 0.25}}"#,
                vec![(9, 0.25)],
            ),
        ] {
            assert_eq!(rates(text).as_ref(), Ok(&expected), "{text}");
        }
    }

    #[test]
    fn the_defect_of_an_unreadable_reply_is_named() {
        for (text, expected) in [
            ("", Malformed::NoObject),
            ("I cannot do that.", Malformed::NoObject),
            ("{compressed: yes}", Malformed::BadJson),
            ("{}", Malformed::NoRates),
            (r#"{"compressed_documents": []}"#, Malformed::NoRates),
            (
                r#"{"compressed_documents": {"Document_0": "all"}}"#,
                Malformed::NoRates,
            ),
            ("{\"a\": \"", Malformed::NoRates),
        ] {
            assert_eq!(rates(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn the_memory_has_at_most_two_hundred_words() {
        let text = format!(
            r#"{{"compressed_documents": {{"0": 1}}, "updated_summary": "{}"}}"#,
            "word ".repeat(300)
        );
        assert_eq!(
            read_reply(&text).unwrap().memory.split(' ').count(),
            MEMORY_WORDS
        );
    }

    proptest::proptest! {
        #[test]
        fn no_reply_breaks_the_reader(text in r#"[{}\[\]",:\\n0-9a-c \n]{0,60}"#) {
            let _ = read_reply(&text);
            let _ = read_reply(&format!("{{\"compressed_documents\": {{\"0\": 1}}, {text}"));
        }
    }
}
