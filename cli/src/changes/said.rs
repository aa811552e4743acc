//! The answer to a question about changes; scripts read its JSON.

use footnote_core::answer::{ChangedAnswer, Compared, VersionedNote};
use footnote_core::changes::Version;
use serde::Serialize;

use super::shown::{Lines, lines, path};

/// An answer, detached from the indexes.
#[derive(Debug, Serialize)]
pub struct Shown<'a> {
    pub question: &'a str,
    pub statements: Vec<Statement<'a>>,
    pub footnotes: Vec<Footnote<'a>>,
    /// Why there is no answer, if there is none.
    pub nothing: Option<&'a str>,
}

/// A sentence with the numbers of its footnotes.
#[derive(Debug, Serialize)]
pub struct Statement<'a> {
    pub text: String,
    pub footnotes: &'a [u32],
    /// All entries of the list, if the sentence states one.
    pub items: Vec<Item<'a>>,
}

/// An entry of a list.
#[derive(Debug, Serialize)]
pub struct Item<'a> {
    pub name: &'a str,
    pub detail: &'a str,
    pub footnote: u32,
}

/// Lines of one version.
#[derive(Debug, Serialize)]
pub struct Footnote<'a> {
    pub number: u32,
    /// The version that contains the lines.
    pub version: &'a str,
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub why: &'a str,
}

impl<'a> Shown<'a> {
    pub fn new(compared: Compared<'a>, question: &'a str, answer: &'a ChangedAnswer) -> Self {
        let statements = answer.statements.iter().map(|statement| Statement {
            text: statement.plain(),
            footnotes: &statement.footnotes,
            items: statement
                .items
                .iter()
                .map(|item| Item {
                    name: &item.name,
                    detail: &item.detail,
                    footnote: item.footnote,
                })
                .collect(),
        });
        let footnotes = answer.footnotes.iter();
        Self {
            question,
            statements: statements.collect(),
            footnotes: footnotes.map(|it| footnote(compared, it)).collect(),
            nothing: answer.nothing.as_deref(),
        }
    }
}

fn footnote<'a>(compared: Compared<'a>, note: &'a VersionedNote) -> Footnote<'a> {
    let Lines { start, end } = lines(&note.source);
    let version: Version = note.version;
    Footnote {
        number: note.number,
        version: compared.name(version),
        path: path(compared, version, note.source.file()),
        start,
        end,
        why: &note.why,
    }
}

/// The sentences with their footnotes, each with its list, then the cited lines.
pub fn page(shown: &Shown<'_>) -> String {
    let mut out = String::new();
    if let Some(nothing) = shown.nothing {
        out += &format!("{nothing}\n");
    }
    for statement in &shown.statements {
        let marks: String = statement
            .footnotes
            .iter()
            .map(|n| format!("[{n}]"))
            .collect();
        out += &textwrap::fill(&format!("{} {marks}", statement.text), crate::ask::width());
        out += "\n";
        for item in &statement.items {
            out += &format!("  {}, {} [{}]\n", item.name, item.detail, item.footnote);
        }
    }
    if !shown.footnotes.is_empty() {
        out += "\n";
    }
    for note in &shown.footnotes {
        let Footnote {
            number,
            version,
            path,
            start,
            end,
            why,
        } = note;
        // Not wrapped: terminals make such a place clickable.
        out += &format!("[{number}] {version} {path}:{start}-{end}  {why}\n");
    }
    out
}
