//! An answer for a terminal.

use std::collections::BTreeSet;

use super::shown::{Context, Footnote, Item, Shown, Statement};

/// Wider text is hard to read.
const MAX_WIDTH: usize = 100;

/// The columns of the terminal; 80 if there is none.
pub fn width() -> usize {
    textwrap::termwidth().min(MAX_WIDTH)
}

/// The sentences with their footnotes, each with its list if that says more, then the cited lines,
/// then the files.
pub fn page(shown: &Shown<'_>, width: usize) -> String {
    let mut out = String::new();
    for sentence in shown.note.iter().chain(&shown.nothing) {
        out += &textwrap::fill(sentence, width);
        out += "\n";
    }
    if shown.note.is_some() && !shown.statements.is_empty() {
        out += "\n";
    }
    if shown.fit == "closest" && !shown.statements.is_empty() {
        out += "Closest I found:\n\n";
    }
    for statement in &shown.statements {
        out += &said(statement, width);
    }
    if !shown.footnotes.is_empty() {
        out += "\n";
    }
    let statements = shown.statements.iter();
    let cited: BTreeSet<&u32> = statements.flat_map(|it| it.footnotes).collect();
    // Places cited by a list are printed in the list.
    let is_cited = |note: &&Footnote<'_>| cited.contains(&note.number);
    for note in shown.footnotes.iter().filter(is_cited) {
        // Not wrapped: terminals make such a place clickable.
        let (number, path, start, end) = (note.number, note.path, note.start, note.end);
        out += &format!("[{number}] {path}:{start}-{end}  {}\n", note.why);
    }
    if !shown.files.is_empty() {
        out += "\nFiles\n";
    }
    for file in &shown.files {
        out += &format!("{:5.0} %  {}\n", file.confidence * 100.0, file.path);
    }
    if let Some(context) = &shown.context {
        out += &would_be_shown(context);
    }
    out
}

/// The places that a model would see.
fn would_be_shown(context: &Context<'_>) -> String {
    let mut out = format!("\nA model would see {} tokens\n", context.tokens);
    for it in &context.context {
        out += &format!("{:7}  {}:{}-{}\n", it.tokens, it.path, it.start, it.end);
    }
    if let Some(why) = &context.instead {
        out += &format!("{why}\n");
    }
    out
}

/// A sentence with the numbers of its footnotes, and its list.
fn said(statement: &Statement<'_>, width: usize) -> String {
    let marks = statement.footnotes.iter().map(|n| format!("[{n}]"));
    let marks: String = marks.collect();
    let mut out = textwrap::fill(&format!("{} {marks}", statement.text), width);
    out += "\n";
    if statement.items.iter().any(|item| item.is_more) {
        statement.items.iter().for_each(|item| out += &line(item));
    }
    out
}

/// An entry of a list with its place, which is not wrapped either.
fn line(item: &Item<'_>) -> String {
    let Item {
        name,
        detail,
        path,
        start,
        end,
        ..
    } = item;
    let detail = match detail.is_empty() {
        true => String::new(),
        false => format!(", {detail}"),
    };
    format!("  {name}{detail}  {path}:{start}-{end}\n")
}

#[cfg(test)]
mod tests {
    use super::super::shown::File;
    use super::*;

    fn shown() -> Shown<'static> {
        Shown {
            pipeline: None,
            context: None,
            question: "How are jobs tried again?",
            kind: None,
            fit: "likely",
            statements: vec![Statement {
                text: "A job that failed is tried again after a pause that doubles.".to_owned(),
                verdict: "proven",
                citations: Vec::new(),
                footnotes: &[1, 2],
                items: Vec::new(),
            }],
            footnotes: vec![
                Footnote {
                    number: 1,
                    path: "src/courier/backoff.py",
                    start: 8,
                    end: 20,
                    why: "definition",
                },
                Footnote {
                    number: 2,
                    path: "docs/delivery.md",
                    start: 3,
                    end: 3,
                    why: "the quoted words",
                },
            ],
            files: vec![File {
                path: "src/courier/backoff.py",
                confidence: 0.871,
            }],
            note: None,
            nothing: None,
        }
    }

    #[test]
    fn sentences_are_wrapped_and_places_are_not() {
        let expected = "\
A job that failed is tried again
after a pause that doubles.
[1][2]

[1] src/courier/backoff.py:8-20  definition
[2] docs/delivery.md:3-3  the quoted words

Files
   87 %  src/courier/backoff.py
";
        assert_eq!(page(&shown(), 32), expected);
    }

    #[test]
    fn a_list_is_written_out_where_the_sentence_does_not_say_all_of_it() {
        let item = |name, detail, is_more| Item {
            name,
            detail,
            path: "src/courier/backoff.py",
            start: 8,
            end: 20,
            is_more,
        };
        let mut shown = shown();
        shown.footnotes.truncate(1);
        shown.files.clear();
        shown.fit = "closest";
        shown.statements[0].text = "It is called by `a` and 1 more.".to_owned();
        shown.statements[0].footnotes = &[1];
        shown.statements[0].items = vec![item("a", "", false), item("b", "twice", true)];
        let expected = "\
Closest I found:

It is called by `a` and 1 more. [1]
  a  src/courier/backoff.py:8-20
  b, twice  src/courier/backoff.py:8-20

[1] src/courier/backoff.py:8-20  definition
";
        assert_eq!(page(&shown, 80), expected);
        shown.statements[0].items.pop();
        assert!(!page(&shown, 80).contains("  a  "), "the sentence says it");
    }

    #[test]
    fn an_answer_without_findings_gives_only_the_reason() {
        let shown = Shown {
            statements: Vec::new(),
            footnotes: Vec::new(),
            files: Vec::new(),
            nothing: Some("The repository says nothing about tea."),
            ..shown()
        };
        let expected = "The repository says nothing about tea.\n";
        assert_eq!(page(&shown, 80), expected);
    }
}
