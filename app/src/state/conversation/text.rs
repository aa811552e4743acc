//! An answer as text for the clipboard.

use crate::worker::protocol::{
    AnswerFileView, AnswerView, Below, ItemView, ShownIn, SpanView, StatementView,
};

/// The answer made without a model, as plain text.
pub fn plain(answer: &AnswerView) -> String {
    let sentences: Vec<String> = answer.statements.iter().map(sentence).collect();
    sentences.join("\n")
}

fn sentence(statement: &StatementView) -> String {
    let spans = statement.spans.iter().map(|span| match span {
        SpanView::Text(text) => text.clone(),
        SpanView::Code(code) => format!("`{code}`"),
    });
    spans.collect()
}

/// The answer as Markdown, each statement followed by its `[path:start-end]`.
pub fn to_markdown(answer: &AnswerView) -> String {
    let mut text = format!("**{}**\n", answer.question.trim());
    if let Some(nothing) = &answer.nothing {
        text.push_str(&format!("\n{nothing}\n"));
    }
    if answer.is_closest() {
        text.push_str("\nClosest I found:\n");
    }
    for statement in &answer.statements {
        text.push_str(&format!("\n{}", sentence(statement)));
        for number in &statement.footnotes {
            text.push_str(&citation(answer, *number));
        }
        text.push('\n');
        if statement.below() != Below::Nothing {
            text.push('\n');
            for item in &statement.items {
                text.push_str(&line(answer, item));
            }
        }
    }
    text
}

/// One entry of a list.
fn line(answer: &AnswerView, item: &ItemView) -> String {
    let ItemView {
        name,
        detail,
        footnote,
    } = item;
    let detail = match detail.is_empty() {
        true => String::new(),
        false => format!(" – {detail}"),
    };
    format!("- `{name}`{detail}{}\n", citation(answer, *footnote))
}

/// ` [path:start-end]`, with its verdict unless it is proven.
fn citation(answer: &AnswerView, number: u32) -> String {
    let Some(note) = answer.footnote(number) else {
        return String::new();
    };
    let told = note.told(ShownIn::File);
    match &told.place {
        Some(place) if told.is_proven() => format!(" [{place}]"),
        Some(place) => format!(" [{place}] ({})", told.line()),
        None => format!(" ({})", told.line()),
    }
}

/// The paths as a JSON list.
pub fn to_json(files: &[AnswerFileView]) -> String {
    let lines: Vec<String> = files
        .iter()
        .map(|file| format!("  {}", quoted(&file.path)))
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// A JSON string. Written by hand to keep a JSON library out of the page.
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
    use super::super::tests::{answer, file, with_list};
    use super::*;
    use crate::worker::protocol::{CheckView, FitView};

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
    fn markdown_holds_the_whole_list_and_says_that_it_is_only_the_closest() {
        let mut answer = with_list(2);
        answer.fit = FitView::Closest;
        answer.statements[0].items[1].detail = "in tests".into();
        assert_eq!(
            to_markdown(&answer),
            "**who calls f1?**\n\nClosest I found:\n\n`f1` does it. [1.py:10-15]\n\n\
             - `f1` [1.py:10-15]\n- `f2` – in tests [2.py:20-25]\n"
        );
    }

    #[test]
    fn paths_are_quoted_as_json_demands() {
        let json = to_json(&[file("a\"b\\c\n"), file("ü.rs")]);
        assert_eq!(json, "[\n  \"a\\\"b\\\\c\\u000a\",\n  \"ü.rs\"\n]\n");
    }
}
