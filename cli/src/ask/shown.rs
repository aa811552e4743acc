//! An answer as it is printed; its JSON is what scripts read.

use footnote_core::answer::review::Standing;
use footnote_core::answer::{Answer, Outcome};
use footnote_core::index::Index;
use footnote_core::search::Question;
use footnote_core::source::FileId;
use serde::Serialize;

/// An answer without the index that it points into.
#[derive(Debug, Serialize)]
pub struct Shown<'a> {
    pub question: &'a str,
    pub statements: Vec<Statement<'a>>,
    pub footnotes: Vec<Footnote<'a>>,
    /// The set of files that answers, best first.
    pub files: Vec<File<'a>>,
    /// How the question was read, where that needs saying.
    pub note: Option<&'a str>,
    /// Why there is no answer, if there is none.
    pub nothing: Option<&'a str>,
}

/// One sentence, what it came to, and its sources.
#[derive(Debug, Serialize)]
pub struct Statement<'a> {
    pub text: String,
    /// `proven`: Footnote made the sentence from the lines that it cites.
    pub verdict: &'static str,
    /// The lines that prove it.
    pub citations: Vec<Citation<'a>>,
    /// Their numbers among the footnotes.
    pub footnotes: &'a [u32],
}

/// Lines of a file.
#[derive(Debug, Serialize)]
pub struct Citation<'a> {
    pub path: &'a str,
    pub start: u32,
    pub end: u32,
}

/// Lines that prove a sentence.
#[derive(Debug, Serialize)]
pub struct Footnote<'a> {
    pub number: u32,
    pub path: &'a str,
    pub start: u32,
    pub end: u32,
    pub why: &'a str,
}

/// A file, and how likely it belongs to the answer.
#[derive(Debug, Serialize)]
pub struct File<'a> {
    pub path: &'a str,
    pub confidence: f32,
}

impl<'a> Shown<'a> {
    pub fn new(index: &'a Index, question: &'a Question, answer: &'a Answer) -> Self {
        let path = |file: FileId| index.repo.file(file).map_or("", |file| &file.path);
        let (statements, footnotes, nothing) = match &answer.outcome {
            Outcome::Found {
                statements,
                footnotes,
            } => (statements.as_slice(), footnotes.as_slice(), None),
            Outcome::Nothing { why } => ([].as_slice(), [].as_slice(), Some(why.as_str())),
        };
        let cited = |number: &u32| {
            let mut notes = footnotes.iter();
            let note = notes.find(|note| note.number == *number)?;
            Some(Citation {
                path: path(note.source.file()),
                start: note.source.lines().start().0,
                end: note.source.lines().end().0,
            })
        };
        let statements = statements.iter().map(|statement| Statement {
            text: statement.plain(),
            verdict: Standing::Proven.name(),
            citations: statement.footnotes.iter().filter_map(cited).collect(),
            footnotes: &statement.footnotes,
        });
        let footnotes = footnotes.iter().map(|footnote| Footnote {
            number: footnote.number,
            path: path(footnote.source.file()),
            start: footnote.source.lines().start().0,
            end: footnote.source.lines().end().0,
            why: &footnote.why,
        });
        let files = answer.files.iter().map(|file| File {
            path: path(file.file),
            confidence: file.confidence,
        });
        Self {
            question: question.text(),
            statements: statements.collect(),
            footnotes: footnotes.collect(),
            files: files.collect(),
            note: answer.note.as_deref(),
            nothing,
        }
    }
}
