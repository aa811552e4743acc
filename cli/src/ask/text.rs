//! An answer for a terminal.

use super::shown::Shown;

/// Wider text is hard to read.
const MAX_WIDTH: usize = 100;

/// Columns to write in: those of the terminal, 80 where there is none.
pub fn width() -> usize {
    textwrap::termwidth().min(MAX_WIDTH)
}

/// Sentences with their footnotes, then the lines that the footnotes stand for, then the files.
pub fn page(shown: &Shown<'_>, width: usize) -> String {
    let mut out = String::new();
    for sentence in shown.note.iter().chain(&shown.nothing) {
        out += &textwrap::fill(sentence, width);
        out += "\n";
    }
    if shown.note.is_some() && !shown.statements.is_empty() {
        out += "\n";
    }
    for statement in &shown.statements {
        let marks = statement.footnotes.iter().map(|n| format!("[{n}]"));
        let marks: String = marks.collect();
        out += &textwrap::fill(&format!("{} {marks}", statement.text), width);
        out += "\n";
    }
    if !shown.footnotes.is_empty() {
        out += "\n";
    }
    for note in &shown.footnotes {
        // Not wrapped: terminals open such a place when it is clicked.
        let (number, path, start, end) = (note.number, note.path, note.start, note.end);
        out += &format!("[{number}] {path}:{start}-{end}  {}\n", note.why);
    }
    if !shown.files.is_empty() {
        out += "\nFiles\n";
    }
    for file in &shown.files {
        out += &format!("{:5.0} %  {}\n", file.confidence * 100.0, file.path);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::shown::{File, Footnote, Statement};
    use super::*;

    fn shown() -> Shown<'static> {
        Shown {
            question: "How are jobs tried again?",
            statements: vec![Statement {
                text: "A job that failed is tried again after a pause that doubles.".to_owned(),
                verdict: "proven",
                citations: Vec::new(),
                footnotes: &[1, 2],
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
    fn where_there_is_nothing_only_the_reason_is_said() {
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
