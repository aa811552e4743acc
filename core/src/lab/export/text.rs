//! Text that survives other tools: JSON lines, YAML strings, and normalised questions.

use serde_json::Value;

/// Marks of chat templates. A trainer's tokeniser may take them for control tokens, although they
/// are only text.
const TEMPLATE_TOKENS: [&str; 18] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|begin_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<think>",
];

/// The value on one line, line end included.
pub(super) fn json_line(value: &Value) -> String {
    let mut line = escaped(value.to_string());
    line.push('\n');
    line
}

/// A double-quoted YAML string. A JSON string is also a YAML string, once the characters that YAML
/// forbids are escaped.
pub(super) fn yaml_string(text: &str) -> String {
    escaped(Value::from(text).to_string())
}

/// Escapes characters that JSON allows inside strings but other tools do not: Python's `splitlines`
/// ends a line at U+0085, U+2028 and U+2029, and YAML forbids control characters. None of them
/// occurs outside strings.
fn escaped(json: String) -> String {
    if !json.chars().any(is_trouble) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_trouble(c) {
            out.push_str(&format!("\\u{:04x}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

fn is_trouble(c: char) -> bool {
    matches!(
        c,
        '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// The chat template marks that occur in `text`.
pub(super) fn template_tokens(text: &str) -> impl Iterator<Item = &'static str> {
    TEMPLATE_TOKENS
        .into_iter()
        .filter(move |token| text.contains(token))
}

/// A question in normal form: lower case, single spaces, no final punctuation.
pub(super) fn normalised(question: &str) -> String {
    let lower = question.to_lowercase();
    let words = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    words.trim_end_matches(['?', '.', '!', ' ']).to_owned()
}

/// A fingerprint of 16 hexadecimal digits: the first 64 bits of BLAKE3 over `parts` and their
/// lengths.
pub(super) fn fingerprint(parts: &[&str]) -> String {
    crate::hash::fingerprint(parts.iter().copied(), 16)
}

/// `text` on one line, for headings and table cells in Markdown.
pub(super) fn inline(text: &str) -> String {
    let words: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    words
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
        .replace('<', "&lt;")
}

/// A name for files and models: lower-case ASCII letters, digits and `-`; `repository` if nothing
/// is left.
pub(super) fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let slug: String = words.join("-").chars().take(60).collect();
    match slug.trim_end_matches('-') {
        "" => "repository".to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_json_has_no_character_that_ends_a_line_elsewhere() {
        let text = "a\nb\rc\u{b}d\u{c}e\u{1c}f\u{85}g\u{2028}h\u{2029}i\u{feff}";
        let line = json_line(&Value::from(text));
        assert!(line.strip_suffix('\n').unwrap().is_ascii(), "{line}");
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), text);
    }

    #[test]
    fn spellings_of_a_question_are_one() {
        for (a, b, same) in [
            ("Where is X?", "  where\nis  x ", true),
            ("Where is X ?!", "where is x", true),
            ("Where is X?", "Where is Y?", false),
            ("É?", "é", true),
        ] {
            assert_eq!(normalised(a) == normalised(b), same, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_fingerprint_depends_on_where_the_parts_end() {
        assert_eq!(fingerprint(&["ab", "c"]).len(), 16);
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
    }

    #[test]
    fn names_become_slugs() {
        for (name, expected) in [
            ("Flask", "flask"),
            ("../../etc/passwd", "etc-passwd"),
            ("日本", "repository"),
            ("a\"b\nc", "a-b-c"),
        ] {
            assert_eq!(slug(name), expected);
        }
    }
}
