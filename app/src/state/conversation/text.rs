//! An answer as text that is copied.

use crate::worker::protocol::{AnswerFileView, AnswerView, ShownIn, SpanView};

/// The answer made without a model, as plain text.
pub fn plain(answer: &AnswerView) -> String {
    let spans = answer.statements.iter().map(|statement| {
        let spans = statement.spans.iter().map(|span| match span {
            SpanView::Text(text) => text.clone(),
            SpanView::Code(code) => format!("`{code}`"),
        });
        spans.collect::<String>()
    });
    spans.collect::<Vec<_>>().join("\n")
}

/// The answer as Markdown, each statement followed by its `[path:start-end]`.
pub fn to_markdown(answer: &AnswerView) -> String {
    let mut text = format!("**{}**\n", answer.question.trim());
    if let Some(nothing) = &answer.nothing {
        text.push_str(&format!("\n{nothing}\n"));
    }
    for statement in &answer.statements {
        text.push('\n');
        for span in &statement.spans {
            match span {
                SpanView::Text(plain) => text.push_str(plain),
                SpanView::Code(code) => text.push_str(&format!("`{code}`")),
            }
        }
        for number in &statement.footnotes {
            if let Some(note) = answer.footnote(*number) {
                let told = note.told(ShownIn::File);
                text.push_str(&match &told.place {
                    Some(place) if told.is_proven() => format!(" [{place}]"),
                    Some(place) => format!(" [{place}] ({})", told.line()),
                    None => format!(" ({})", told.line()),
                });
            }
        }
        text.push('\n');
    }
    text
}

/// A JSON list of paths.
pub fn to_json(files: &[AnswerFileView]) -> String {
    let lines: Vec<String> = files
        .iter()
        .map(|file| format!("  {}", quoted(&file.path)))
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// A JSON string. Written by hand because the page would carry a whole JSON library for it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::{answer, file};
    use super::*;
    use crate::worker::protocol::CheckView;

    #[test]
    fn markdown_names_path_and_lines_after_each_statement() {
        let markdown = to_markdown(&answer("How?", true, &["src/a.py", "b.rs"]));
        assert_eq!(
            markdown,
            "**How?**\n\n`f1` does it. [src/a.py:10-15]\n\n`f2` does it. [b.rs:20-25]\n"
        );
    }

    #[test]
    fn markdown_says_what_is_not_proven() {
        let mut answer = answer("How?", true, &["a.py", "b.py"]);
        answer.footnotes[0].check = CheckView::Supported;
        answer.footnotes[0].is_imported = true;
        answer.footnotes[1].check = CheckView::Rejected {
            original: "b.py:9".into(),
            why: "there is no such file".into(),
        };
        assert_eq!(
            to_markdown(&answer),
            "**How?**\n\n`f1` does it. [a.py:10-15] (supported: imported, not vouched for; definition)\n\n\
             `f2` does it. (rejected: was b.py:9: there is no such file)\n"
        );
    }

    #[test]
    fn paths_are_quoted_as_json_demands() {
        let json = to_json(&[file("a\"b\\c\n"), file("ü.rs")]);
        assert_eq!(json, "[\n  \"a\\\"b\\\\c\\u000a\",\n  \"ü.rs\"\n]\n");
    }
}
