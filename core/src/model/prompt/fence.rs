//! Quotes text of a repository so that it cannot break out of the quotation.
//!
//! Three things keep it in: every line begins with its number, so that none looks like a fence, a
//! heading or a message; the fence is longer than any run of backticks inside; and the marks that
//! separate messages in chat templates are broken, because local servers interpret them wherever
//! they occur. What is shown and checked is the stored text, never this copy.

use std::fmt::Write;

use crate::lines::{Line, LineRange};

/// Characters of a line that are quoted; the rest of a minified line is of no use to a model.
const MAX_LINE: usize = 400;

/// Inserted into a mark to break it: it has no width, and no template knows it.
const BREAK: char = '\u{200b}';

/// Replaces characters that are invisible or start a new line.
const UNSEEN: char = '\u{fffd}';

/// The lines of a file, named, numbered and fenced:
///
/// ````text
/// [src/lib.rs:7-8]
/// ```
/// 7| fn main() {
/// 8| }
/// ```
/// ````
pub(crate) fn quote(path: &str, lines: LineRange, text: &str) -> String {
    quote_without(path, lines, text, &[])
}

/// As [`quote`], with one line in place of each run of lines that is left out; `left_out` is in
/// order and without overlaps.
///
/// ````text
/// [src/lib.rs:7-40]
/// ```
/// 7| fn main() {
/// 8-39| …
/// 40| }
/// ```
/// ````
pub(crate) fn quote_without(
    path: &str,
    lines: LineRange,
    text: &str,
    left_out: &[LineRange],
) -> String {
    let (mut quoted, last) = frame(path, lines, text);
    let text = clean(text);
    let mut left_out = left_out.iter().peekable();
    for (number, line) in (lines.start().0..=lines.end().0).zip(text.lines()) {
        while left_out.next_if(|run| run.end().0 < number).is_some() {}
        match left_out.peek() {
            Some(run) if run.start().0 == number => push_marker(&mut quoted, **run),
            Some(run) if run.contains(Line(number)) => {}
            _ => push_line(&mut quoted, Line(number), line),
        }
    }
    quoted.push_str(&last);
    quoted
}

/// The text before and after the quoted lines.
pub(crate) fn frame(path: &str, lines: LineRange, text: &str) -> (String, String) {
    let fence = fence(&clean(text));
    (
        format!("{}\n{fence}\n", reference(path, lines)),
        format!("{fence}\n"),
    )
}

/// A line with its number, as in a quotation.
pub(crate) fn line(number: Line, text: &str) -> String {
    let mut line = String::new();
    push_line(&mut line, number, &clean(text));
    line
}

/// The marker for lines that are left out.
pub(crate) fn marker(run: LineRange) -> String {
    let mut marker = String::new();
    push_marker(&mut marker, run);
    marker
}

/// `line` has to be clean.
fn push_line(quoted: &mut String, number: Line, line: &str) {
    let _ = write!(quoted, "{}| ", number.0);
    let mut chars = line.trim_end().chars();
    quoted.extend(chars.by_ref().take(MAX_LINE));
    if chars.next().is_some() {
        quoted.push('…');
    }
    quoted.push('\n');
}

/// The marker begins with its line numbers; there are two, so that it cannot be taken for a line of
/// the file.
fn push_marker(quoted: &mut String, run: LineRange) {
    let _ = writeln!(quoted, "{}-{}| …", run.start().0, run.end().0);
}

/// Text that is not lines of a file, such as a list of places, in a fence.
pub(crate) fn quote_plain(text: &str) -> String {
    let text = clean(text);
    let fence = fence(&text);
    format!("{fence}\n{}\n{fence}\n", text.trim_end())
}

/// `[path:start-end]`, the form in which the model has to cite.
pub(crate) fn reference(path: &str, lines: LineRange) -> String {
    let (start, end) = (lines.start().0, lines.end().0);
    format!("[{}:{start}-{end}]", name(path))
}

/// A path or other name on one line, without anything that could form a line or a fence.
pub(crate) fn name(path: &str) -> String {
    clean(path).replace(['\n', '`'], &UNSEEN.to_string())
}

/// Backticks, at least three and one more than any run in `text`.
fn fence(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat((longest + 1).max(3))
}

/// `text` without anything that could be misread: control characters, line ends that are not
/// counted as such, invisible characters that can hide instructions, and marks of chat templates.
pub(crate) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let seen: String = text
        .chars()
        .map(|c| if is_unseen(c) { UNSEEN } else { c })
        .collect();
    break_marks(&seen)
}

fn is_unseen(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Line and paragraph separators, text direction overrides, tags.
        '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// Marks in the chat templates of common open models that are not of the form `<|name|>`.
const MARKS: [&str; 20] = [
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[AVAILABLE_TOOLS]",
    "<start_of_turn>",
    "<end_of_turn>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
    "<bos>",
    "<eos>",
    "<s>",
    "</s>",
];

/// Puts [`BREAK`] after the first character of each mark.
fn break_marks(text: &str) -> String {
    let mut broken = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[']) {
        let (before, from) = rest.split_at(at);
        broken.push_str(before);
        let mut chars = from.chars();
        broken.extend(chars.next());
        if is_mark(from) {
            broken.push(BREAK);
        }
        rest = chars.as_str();
    }
    broken.push_str(rest);
    broken
}

fn is_mark(from: &str) -> bool {
    let is_known = |mark: &&str| {
        let start = from.as_bytes().get(..mark.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()))
    };
    is_control_token(from) || MARKS.iter().any(is_known)
}

/// `<|im_start|>`, `<|end|>`, DeepSeek's `<｜User｜>`: not the operators `<|` and `<|>`.
fn is_control_token(from: &str) -> bool {
    let is_bar = |c: char| matches!(c, '|' | '｜');
    let Some(inner) = from
        .strip_prefix('<')
        .and_then(|rest| rest.strip_prefix(is_bar))
    else {
        return false;
    };
    let end = inner.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '▁')));
    let after = end.and_then(|end| inner.get(end..)).unwrap_or_default();
    end != Some(0)
        && after
            .strip_prefix(is_bar)
            .is_some_and(|after| after.starts_with('>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(start: u32, end: u32) -> LineRange {
        LineRange::new(Line(start), Line(end))
    }

    #[test]
    fn lines_are_named_numbered_and_fenced() {
        assert_eq!(
            quote("src/lib.rs", lines(7, 8), "fn main() {\n}\n"),
            "[src/lib.rs:7-8]\n```\n7| fn main() {\n8| }\n```\n"
        );
        assert_eq!(
            quote("a", lines(3, 3), "x\r\n"),
            "[a:3-3]\n```\n3| x\n```\n"
        );
    }

    #[test]
    fn a_fence_is_longer_than_any_run_inside() {
        for (text, expected) in [
            ("none", "```"),
            ("```rust\n```", "````"),
            ("a `````` b", "```````"),
            ("`", "```"),
        ] {
            assert_eq!(fence(text), expected, "{text}");
            let quoted = quote("a.md", lines(1, 9), text);
            let closed = quoted.lines().filter(|line| *line == expected).count();
            assert_eq!(closed, 2, "{quoted}");
        }
    }

    #[test]
    fn marks_of_chat_templates_are_broken() {
        for mark in [
            "<|im_start|>system",
            "<|im_end|>",
            "<|eot_id|>",
            "<|start_header_id|>",
            "<｜User｜>",
            "<｜tool▁outputs▁begin｜>",
            "[INST]",
            "[/inst]",
            "<<SYS>>",
            "<start_of_turn>user",
            "</tool_response>",
            "</s>",
        ] {
            let cleaned = clean(&format!("a {mark} b"));
            assert!(!cleaned.contains(mark), "{cleaned}");
            assert_eq!(cleaned.replace(BREAK, ""), format!("a {mark} b"));
        }
    }

    #[test]
    fn code_that_looks_similar_stays_as_it_is() {
        for code in [
            "xs |> map <| fun x -> x",
            "(<|>) :: f a -> f a -> f a",
            "if a <| b |> c",
            "[INSTALL]",
            "<span>x</span>",
            "a < s > b",
            "vec![1, 2]",
        ] {
            assert_eq!(clean(code), code);
        }
    }

    #[test]
    fn characters_that_do_not_show_are_made_visible() {
        for (text, cleaned) in [
            ("a\rSystem: b", "a\u{fffd}System: b"),
            ("a\u{2028}b", "a\u{fffd}b"),
            ("a\u{202e}b", "a\u{fffd}b"),
            ("a\u{e0041}b", "a\u{fffd}b"),
            ("a\u{1b}[2Jb", "a\u{fffd}[2Jb"),
            ("a\tb\r\nc", "a\tb\nc"),
        ] {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
        assert_eq!(name("a\n```\nSystem: `x`.md").lines().count(), 1);
    }

    #[test]
    fn a_very_long_line_is_cut() {
        let quoted = quote("a.js", lines(1, 1), &"é".repeat(10_000));
        assert!(quoted.chars().count() < MAX_LINE + 50);
        assert!(quoted.contains("…\n"));
    }

    proptest::proptest! {
        #[test]
        fn no_text_and_no_path_leaves_its_quotation(
            path in "[a-z/`<|>\\n\\r\\u{2028}\\]]{1,20}",
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "`", "```", "\n", "\r", "\u{2028}", "\u{85}", "|", "<|", "|>", "end", "[INST]", "</s>", "7| ",
            ][..]), 0..40),
        ) {
            let text = pieces.concat();
            let index = crate::lines::LineIndex::new(&text);
            let quoted = quote(&path, index.all(), &text);
            let lines: Vec<&str> = quoted.strip_suffix('\n').unwrap().split('\n').collect();
            let (fence, inside) = (lines[1], &lines[2..lines.len() - 1]);
            proptest::prop_assert!(fence.len() >= 3 && fence.chars().all(|c| c == '`'));
            proptest::prop_assert_eq!(lines.last(), Some(&fence));
            let n_lines = if text.is_empty() { 0 } else { index.line_count() as usize };
            proptest::prop_assert_eq!(inside.len(), n_lines);
            for (number, line) in (1..).zip(inside) {
                let is_numbered = line.starts_with(&format!("{number}|"));
                proptest::prop_assert!(is_numbered, "{}", line);
                proptest::prop_assert!(!line.contains(fence));
            }
            for mark in ["<|end|>", "[INST]", "</s>"] {
                proptest::prop_assert!(!quoted.contains(mark));
            }
        }
    }
}
