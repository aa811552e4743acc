//! Citations: claims that are checked, by arithmetic and comparison, never by a model (Grounded,
//! section 3.1.3: "citation verification").
//!
//! [`find`] reads the [`Claim`]s that a model wrote into its answer; [`check()`] checks one against
//! the repository and against the [`Evidence`] that the model was sent. The answer without a model
//! states its sources as [`Citation`]s, which [`verify`] checks. Both produce a [`Verified`], and
//! nothing else can.
//!
//! Two things are checked, one after the other: *where* (do the lines exist, were they sent, do
//! they hold the names of the sentence: this page) and *what* (does the sentence follow from them,
//! as far as code can tell: `meaning`, `facts`, `support`). [`Verdict`] lists the possible results,
//! and `docs/verdicts.md` says what each means to a reader.
//!
//! # What a statement attributes to its citations
//!
//! A statement is one sentence, list item or table row. It *attributes*:
//! - every piece of inline code: a name (`Queue.lease()`), a snippet (`state = 'dead'`), a file
//!   (`queue.py`);
//! - every word outside code that can only be a name: with an underscore, with `()`, in camel case
//!   (except well-known products such as GitHub), dotted (`sqlite3.Row`);
//! - every quotation of more than two words;
//! - every number of two or more that is given as a value ("defaults to 7", "at most 30").
//!
//! Literals and keywords of common languages (`None`, `true`, `return`) are not attributed: they
//! name nothing.
//!
//! A citation *holds* a name if the last part of it (`lease`) is a word of the cited lines, of the
//! names of the definitions that enclose them, or of the file's path; a snippet, if it occurs
//! there, ignoring white space, or all of its names do; a quotation, if it occurs there, ignoring
//! white space, comment signs and case; a number, if the lines have a number with that value.
//!
//! Citations with no word between them form a group. A group answers for the words before it, back
//! to the previous group; the last one also for what follows it. Then:
//! 1. A citation holds at least one name of its group, if the group answers for any.
//! 2. Each name and quotation is held by *some* citation of the statement: several citations may
//!    share the names.
//! 3. A name that no citation holds is excused only as context: the words before it say so ("called
//!    by", "unlike", "defined in" …), and the repository knows the name. A name that occurs nowhere
//!    in the repository is an invention, and never excused.
//! 4. A statement to which nothing can be attributed is compared by its words: if none of them
//!    occurs in the cited lines, while other lines of the same file hold most of them, the lines
//!    are wrong.
//!
//! So a statement may mention what is defined elsewhere, as long as it says so, or cites it too;
//! and what it claims about the cited lines must be in them. If in doubt the rule is strict: an
//! honest citation shown as rejected costs a look at the lines, a false one shown as verified costs
//! the trust in all.

pub(crate) mod attributed;
mod check;
mod claim;
mod evidence;
mod facts;
mod groups;
pub(crate) mod held;
mod instead;
mod judge;
mod location;
mod meaning;
mod names;
mod paths;
mod place;
mod repair;
pub(crate) mod scan;
mod support;
#[cfg(test)]
mod tests;
mod vocabulary;
pub(crate) mod words;

pub(crate) use check::check_all;
pub use check::{Verdict, check};
pub use claim::{Claim, Flaw, find};
pub use evidence::Evidence;
pub use repair::{LineRepair, PathRepair, Repair};

use crate::lines::{LineIndex, LineRange};
use crate::source::{FileId, Repo, SourceFile};

/// A claimed source: these lines of this path say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Exactly as the repository has it.
    pub path: String,
    /// The lines of that file that are claimed to say so.
    pub lines: LineRange,
    /// Identifiers or phrases that the statement attributes to the lines; each must occur in them.
    pub quotes: Vec<String>,
}

/// A checked citation: the file exists, the lines are inside it, every quote occurs there. Its
/// fields are private so that nothing else can make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    file: FileId,
    lines: LineRange,
}

impl Verified {
    /// Returns the file, which the repository holds.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Returns the lines, all of which the file has.
    pub fn lines(&self) -> LineRange {
        self.lines
    }
}

/// Why a citation is not shown as verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The path names no file, and none that it could mean.
    #[error("there is no such file: {path}")]
    NoSuchFile {
        /// The path as written.
        path: String,
    },
    /// The path was shortened, and more than one file could be meant.
    #[error("the path is ambiguous because {count} files end with it: {path}")]
    AmbiguousPath {
        /// How many files end with it.
        count: usize,
        /// The path as written.
        path: String,
    },
    /// The file exists, but its last line comes before the cited ones.
    #[error("the file has only {line_count} lines: {path}")]
    OutsideFile {
        /// The number of lines that the file has.
        line_count: u32,
        /// The path as written.
        path: String,
    },
    /// It names no lines.
    #[error("the citation cannot be read because {flaw}: {path}")]
    Malformed {
        /// Why not.
        flaw: Flaw,
        /// The path as written.
        path: String,
    },
    /// What the statement attributes to the lines does not occur there.
    #[error("the lines do not contain “{quote}”: {path}")]
    QuoteMissing {
        /// The first name or phrase that is missing.
        quote: String,
        /// The path as written.
        path: String,
    },
    /// The statement names something that no file contains.
    #[error("“{name}” occurs nowhere in the repository: {path}")]
    Invented {
        /// The invented name.
        name: String,
        /// The path as written.
        path: String,
    },
    /// The statement is about other lines of the same file.
    #[error(
        "the lines contain no word of the statement, but lines {elsewhere} contain most of its \
         words: {path}"
    )]
    OtherLines {
        /// Where most of its words occur.
        elsewhere: LineRange,
        /// The path as written.
        path: String,
    },
}

/// Checks `citation` against the stored text (Grounded, section 1 of methods: arithmetic, not a
/// model).
pub fn verify(repo: &Repo, citation: &Citation) -> Result<Verified, Rejection> {
    let path = &citation.path;
    let checker = repo.find(path).and_then(|file| Checker::new(repo, file));
    let checker = checker.ok_or_else(|| Rejection::NoSuchFile { path: path.clone() })?;
    checker.verify(citation.lines, &citation.quotes)
}

/// Checks many citations of one file, indexing its lines only once.
pub(crate) struct Checker<'r> {
    file: FileId,
    source: &'r SourceFile,
    lines: LineIndex,
}

impl<'r> Checker<'r> {
    /// Returns `None` if the repository has no such file.
    pub(crate) fn new(repo: &'r Repo, file: FileId) -> Option<Self> {
        let source = repo.file(file)?;
        Some(Self {
            file,
            source,
            lines: LineIndex::new(&source.text),
        })
    }

    /// Returns the file.
    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    /// Like [`verify`], for lines of this file.
    pub(crate) fn verify(
        &self,
        lines: LineRange,
        quotes: &[impl AsRef<str>],
    ) -> Result<Verified, Rejection> {
        let SourceFile { path, text } = self.source;
        let Some(cited) = self.lines.slice(text, lines) else {
            return Err(Rejection::OutsideFile {
                line_count: self.lines.line_count(),
                path: path.clone(),
            });
        };
        let mut quotes = quotes.iter().map(AsRef::as_ref);
        match quotes.find(|quote| !cited.contains(*quote)) {
            Some(quote) => Err(Rejection::QuoteMissing {
                quote: quote.to_owned(),
                path: path.clone(),
            }),
            None => Ok(Verified {
                file: self.file,
                lines,
            }),
        }
    }
}
