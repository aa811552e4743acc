//! An answer as it is printed; scripts read its JSON.

use footnote_core::answer::review::Standing;
use footnote_core::answer::{self, Answer, Fit, Footnote as Note, Item as Entry, Outcome, Span};
use footnote_core::index::Index;
use footnote_core::pipeline::{Chosen, Made};
use footnote_core::search::Question;
use footnote_core::source::FileId;
use serde::Serialize;

/// An answer, detached from the index.
#[derive(Debug, Serialize)]
pub struct Shown<'a> {
    pub question: &'a str,
    /// The pipeline that made the answer, if one was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<&'a str>,
    /// The kind of question, if rules answered it.
    pub kind: Option<&'static str>,
    /// `exact`, `likely`, or `closest` if the answer may miss the question.
    pub fit: &'static str,
    pub statements: Vec<Statement<'a>>,
    pub footnotes: Vec<Footnote<'a>>,
    /// The files that the answer names, best first.
    pub files: Vec<File<'a>>,
    /// How the question was understood, if that needs saying.
    pub note: Option<&'a str>,
    /// Why there is no answer, if there is none.
    pub nothing: Option<&'a str>,
    /// What a model would see, if a pipeline was chosen.
    #[serde(flatten)]
    pub context: Option<Context<'a>>,
}

/// What a model would see.
#[derive(Debug, Serialize)]
pub struct Context<'a> {
    /// What a language model wrote to be searched for in place of the question, verbatim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched_for: Option<&'a str>,
    /// The files that a language model chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Choice<'a>>,
    /// The lines in order of value.
    pub context: Vec<Shared<'a>>,
    /// The tokens of all these lines.
    pub tokens: usize,
    /// How long each stage took.
    pub milliseconds: Vec<(&'static str, f64)>,
    /// How many chunks were compared by meaning.
    pub compared: usize,
    /// Why the lines were not chosen as the pipeline prescribes, if they were not.
    pub instead: Option<String>,
}

/// What a language model chose among the files that were found.
#[derive(Debug, Serialize)]
pub struct Choice<'a> {
    /// Number of files that it was shown.
    pub from: usize,
    /// The files, best first; empty if its reply could not be used.
    pub files: Vec<&'a str>,
    /// What it named that does not exist.
    pub unknown: &'a [String],
}

/// Lines of a file as a model is shown them.
#[derive(Debug, Serialize)]
pub struct Shared<'a> {
    pub path: &'a str,
    pub start: u32,
    pub end: u32,
    pub tokens: usize,
    /// The text, byte for byte.
    pub sent: String,
}

impl<'a> Context<'a> {
    pub fn new(index: &'a Index, made: &'a Made) -> Self {
        let shared = made.context().iter().map(|block| Shared {
            path: &block.path,
            start: block.lines.start().0,
            end: block.lines.end().0,
            tokens: block.tokens,
            sent: block.quoted(),
        });
        let stages = made.stages.iter();
        let written = made.rewritten.as_ref();
        Self {
            searched_for: written.and_then(|it| it.text.as_deref().ok()),
            chosen: made.chosen.as_ref().map(|it| choice(index, it)),
            context: shared.collect(),
            tokens: made.tokens(),
            milliseconds: stages.map(|it| (it.name, it.milliseconds)).collect(),
            compared: made.compared,
            instead: made.instead(),
        }
    }
}

fn choice<'a>(index: &'a Index, chosen: &'a Chosen) -> Choice<'a> {
    let files = chosen.files.as_deref().unwrap_or_default().iter();
    let files = files.filter_map(|&file| index.repo.file(file));
    Choice {
        from: chosen.from,
        files: files.map(|file| file.path.as_str()).collect(),
        unknown: &chosen.unknown,
    }
}

/// A sentence, its verdict and its sources.
#[derive(Debug, Serialize)]
pub struct Statement<'a> {
    pub text: String,
    /// `proven`: Footnote made the sentence from the lines it cites.
    pub verdict: &'static str,
    /// The lines that prove it.
    pub citations: Vec<Citation<'a>>,
    /// The numbers of those footnotes.
    pub footnotes: &'a [u32],
    /// All entries of the list, if the sentence states one.
    pub items: Vec<Item<'a>>,
}

/// An entry of a list, and the lines that prove it.
#[derive(Debug, Serialize)]
pub struct Item<'a> {
    pub name: &'a str,
    /// The detail beside its name; may be empty.
    pub detail: &'a str,
    pub path: &'a str,
    pub start: u32,
    pub end: u32,
    /// Whether the list says more than the sentence.
    #[serde(skip)]
    pub is_more: bool,
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

/// A file, and how likely it is to belong to the answer.
#[derive(Debug, Serialize)]
pub struct File<'a> {
    pub path: &'a str,
    pub confidence: f32,
}

impl<'a> Shown<'a> {
    pub fn new(
        index: &'a Index,
        question: &'a Question,
        answer: &'a Answer,
        note: Option<&'a str>,
    ) -> Self {
        let (statements, footnotes, nothing) = match &answer.outcome {
            Outcome::Found {
                statements,
                footnotes,
            } => (statements.as_slice(), footnotes.as_slice(), None),
            Outcome::Nothing { why } => ([].as_slice(), [].as_slice(), Some(why.as_str())),
        };
        let statements = statements
            .iter()
            .map(|statement| Statement::new(index, statement, footnotes));
        let files = answer.files.iter().map(|file| File {
            path: path(index, file.file),
            confidence: file.confidence,
        });
        Self {
            question: question.text(),
            kind: answer.kind,
            fit: match answer.fit {
                Fit::Exact => "exact",
                Fit::Likely => "likely",
                Fit::Closest => "closest",
            },
            statements: statements.collect(),
            footnotes: footnotes
                .iter()
                .map(|it| Footnote::new(index, it))
                .collect(),
            files: files.collect(),
            note,
            nothing,
            pipeline: None,
            context: None,
        }
    }

    /// The same answer, marked as made by a pipeline.
    pub fn by(self, pipeline: &'a str, context: Context<'a>) -> Self {
        Self {
            pipeline: Some(pipeline),
            context: Some(context),
            ..self
        }
    }
}

impl<'a> Statement<'a> {
    fn new(index: &'a Index, statement: &'a answer::Statement, notes: &'a [Note]) -> Self {
        let cited = |number: &u32| {
            let note = numbered(notes, *number)?;
            let (path, start, end) = place(index, note);
            Some(Citation { path, start, end })
        };
        let item = |item: &'a Entry| {
            let (path, start, end) = place(index, numbered(notes, item.footnote)?);
            let is_named = statement.spans.contains(&Span::Code(item.name.clone()));
            let is_cited = statement.footnotes.contains(&item.footnote);
            Some(Item {
                name: &item.name,
                detail: &item.detail,
                path,
                start,
                end,
                is_more: !(is_named && is_cited && item.detail.is_empty()),
            })
        };
        Self {
            text: statement.plain(),
            verdict: Standing::Proven.name(),
            citations: statement.footnotes.iter().filter_map(cited).collect(),
            footnotes: &statement.footnotes,
            items: statement.items.iter().filter_map(item).collect(),
        }
    }
}

impl<'a> Footnote<'a> {
    fn new(index: &'a Index, note: &'a Note) -> Self {
        let (path, start, end) = place(index, note);
        Self {
            number: note.number,
            path,
            start,
            end,
            why: &note.why,
        }
    }
}

fn path(index: &Index, file: FileId) -> &str {
    index.repo.file(file).map_or("", |file| &file.path)
}

/// The file with the first and last line.
fn place<'a>(index: &'a Index, note: &Note) -> (&'a str, u32, u32) {
    let lines = note.source.lines();
    let path = path(index, note.source.file());
    (path, lines.start().0, lines.end().0)
}

/// The footnote with that number; they are in order, from 1.
fn numbered(notes: &[Note], number: u32) -> Option<&Note> {
    let at = notes.binary_search_by_key(&number, |note| note.number);
    notes.get(at.ok()?)
}
