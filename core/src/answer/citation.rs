//! Citations. A [`Citation`] is a claim; only [`verify`] makes a [`Verified`] of it.

use crate::lines::LineRange;
use crate::source::{FileId, Repo};

/// A claimed source: these lines of this path say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    pub path: String,
    pub lines: LineRange,
    /// Identifiers or phrases that the statement attributes to the lines; each must occur in them.
    pub quotes: Vec<String>,
}

/// A citation that was checked: the file exists, the lines are inside it, every quote occurs there.
/// Its fields are private so that nothing else can make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    file: FileId,
    lines: LineRange,
}

impl Verified {
    pub fn file(&self) -> FileId {
        self.file
    }

    pub fn lines(&self) -> LineRange {
        self.lines
    }
}

/// Why a citation is not shown as verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    #[error("there is no such file: {path}")]
    NoSuchFile { path: String },
    #[error("the file has only {line_count} lines: {path}")]
    OutsideFile { line_count: u32, path: String },
    #[error("the lines do not contain “{quote}”: {path}")]
    QuoteMissing { quote: String, path: String },
}

/// Checks `citation` against the stored text (Grounded, section 1 of methods: arithmetic, not a model).
pub fn verify(repo: &Repo, citation: &Citation) -> Result<Verified, Rejection> {
    let path = &citation.path;
    let no_such_file = || Rejection::NoSuchFile { path: path.clone() };
    let file = repo.find(path).ok_or_else(no_such_file)?;
    let text = &repo.file(file).ok_or_else(no_such_file)?.text;
    let index = crate::lines::LineIndex::new(text);
    let Some(cited) = index.slice(text, citation.lines) else {
        return Err(Rejection::OutsideFile {
            line_count: index.line_count(),
            path: path.clone(),
        });
    };
    match citation
        .quotes
        .iter()
        .find(|quote| !cited.contains(quote.as_str()))
    {
        Some(quote) => Err(Rejection::QuoteMissing {
            quote: quote.clone(),
            path: path.clone(),
        }),
        None => Ok(Verified {
            file,
            lines: citation.lines,
        }),
    }
}
