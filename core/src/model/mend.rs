//! Reads JSON written by a language model: with thoughts and prose around it, with the usual slips,
//! with its end cut off.

use serde_json::{Map, Value};

/// Most brackets without an object that are tried: a reply of only brackets ends the search.
const MAX_TRIES: usize = 100;

/// Most objects that are read: no requested reply has as many.
const MAX_OBJECTS: usize = 200;

/// The text after a model's thoughts, if it wrote them down; empty if the thoughts do not end.
pub(crate) fn after_thoughts(text: &str) -> &str {
    let begun = text.trim_start();
    // An answer that mentions thoughts is still an answer.
    if begun.starts_with(['{', '[', '`']) {
        return text;
    }
    match text.split_once("</think>") {
        Some((_, after)) => after,
        None if begun.starts_with("<think>") => "",
        None => text,
    }
}

/// The first value in `text`, as it is or repaired: extra commas are removed, missing closing
/// brackets added, raw line ends and invalid escapes in strings corrected.
pub(crate) fn first_value(text: &str) -> Option<Value> {
    let first = |text: &str| {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        values.next()?.ok()
    };
    first(text).or_else(|| first(&repaired(text)))
}

/// The objects of a text.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Objects {
    /// In order; nested objects are not distinguished from outer ones.
    pub whole: Vec<Map<String, Value>>,
    /// Whether one of them is cut off.
    pub is_cut: bool,
}

/// The objects of a list, or of lines, whatever surrounds them. One that cannot be repaired or has
/// no end does not affect the others.
pub(crate) fn objects(text: &str) -> Objects {
    let mut found = Objects::default();
    let (mut from, mut tries) = (0, 0);
    while let Some(rest) = text.get(from..)
        && let Some(at) = rest.find('{')
        && tries < MAX_TRIES
        && found.whole.len() < MAX_OBJECTS
    {
        let start = from + at;
        let end = end_of_object(text, start);
        let object = end.and_then(|end| first_value(text.get(start..end)?));
        match (object, end) {
            (Some(Value::Object(object)), Some(end)) => {
                found.whole.push(object);
                from = end;
            }
            _ => {
                found.is_cut |= end.is_none();
                tries += 1;
                from = start + 1;
            }
        }
    }
    found
}

/// The byte after the bracket that closes the one at `start`.
fn end_of_object(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0usize;
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate().skip(start) {
        if in_string {
            in_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn repaired(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = Vec::new();
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        if in_string {
            in_string = is_escaped || c != '"';
            if is_escaped && !is_escape(text.get(at..).unwrap_or_default()) {
                // `\d` becomes a backslash and a letter.
                out.push('\\');
            }
            push_in_string(&mut out, c);
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        match c {
            '"' => in_string = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                drop_comma(&mut out);
                open.pop();
            }
            _ => {}
        }
        out.push(c);
        if open.is_empty() {
            return out;
        }
    }
    if in_string {
        if is_escaped {
            out.pop();
        }
        out.push('"');
    }
    drop_comma(&mut out);
    out.extend(open.iter().rev());
    out
}

/// Whether a backslash and the text after it form a JSON escape.
fn is_escape(after: &str) -> bool {
    let is_hex = |it: &str| it.bytes().all(|byte| byte.is_ascii_hexdigit());
    match after.chars().next() {
        Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => true,
        Some('u') => after.get(1..5).is_some_and(is_hex),
        _ => false,
    }
}

/// Appends a character to a string in valid JSON.
fn push_in_string(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        c if c.is_control() => out.push(' '),
        c => out.push(c),
    }
}

fn drop_comma(text: &mut String) {
    let end = text.trim_end().len();
    if text.get(..end).is_some_and(|text| text.ends_with(',')) {
        text.truncate(end - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_as_models_write_them() {
        for (text, expected) in [
            (r#"{"a": [1, 2,],} and more"#, json!({"a": [1, 2]})),
            (r#"{"a": "b"#, json!({"a": "b"})),
            (
                "{\"a\": \"one\ntwo\tthree\"}",
                json!({"a": "one\ntwo\tthree"}),
            ),
            (
                r#"{"a": "\d+ \"x\" \\ \n"}"#,
                json!({"a": "\\d+ \"x\" \\ \n"}),
            ),
            (r#"{"a": "C:\users \u00e9"}"#, json!({"a": "C:\\users é"})),
            (r#"{"a": "cut \"#, json!({"a": "cut "})),
        ] {
            assert_eq!(first_value(text), Some(expected), "{text}");
        }
        assert_eq!(first_value("{a: 1}"), None);
    }

    #[test]
    fn objects_are_found_one_by_one() {
        let names = |text: &str| {
            let found = objects(text);
            let names = found.whole.iter().filter_map(|it| it.get("n")?.as_i64());
            (names.collect::<Vec<_>>(), found.is_cut)
        };
        for (text, expected, is_cut) in [
            (r#"[{"n": 1}, {"n": 2}]"#, vec![1, 2], false),
            ("Use {x}:\n```json\n[{\"n\": 1,},]\n```", vec![1], false),
            (r#"[{"n": 1}, {"n": 2, "s": "cut } of"#, vec![1], true),
            (r#"{"all": [{"n": 1}, {"n": 2}"#, vec![1, 2], true),
            (r#"[{"n": 1}, {n}, {"n": 3}]"#, vec![1, 3], false),
            ("{\"n\": 1}\n{\"n\": 2}", vec![1, 2], false),
            ("", vec![], false),
        ] {
            assert_eq!(names(text), (expected, is_cut), "{text}");
        }
    }

    #[test]
    fn a_reply_of_brackets_comes_to_an_end() {
        for text in [
            "{".repeat(200_000),
            "[{\"".repeat(60_000),
            "{}".repeat(60_000),
        ] {
            let _ = objects(&text);
        }
    }

    #[test]
    fn thoughts_are_passed_over() {
        assert_eq!(after_thoughts("<think>{}</think>[1]"), "[1]");
        assert_eq!(after_thoughts("<think>{} and"), "");
        assert_eq!(after_thoughts("[1]"), "[1]");
        let about = "[{\"question\": \"What follows </think>?\"}]";
        assert_eq!(after_thoughts(about), about);
        let thought = format!("<think>Hm.</think>{about}");
        assert_eq!(after_thoughts(&thought), about);
    }
}
