//! Questions about two versions: “what changed in Session.send between 2.31.0 and 2.32.5”.
//!
//! [`changed`] reads a question and states its answer from [`Changes`]; each footnote names the
//! version that it leads into. [`read`](mod@read) knows how such questions are worded.

mod file;
mod lists;
mod read;
mod subject;
#[cfg(test)]
mod tests;

use super::notes::{code, text, tidy};
use super::{Item, Span, Statement};
use crate::changes::{Changes, Definition, NamedVersion, Version};
use crate::cite::{Citation, Verified, verify};
use crate::index::Index;
use crate::lines::{Line, LineRange};
use crate::source::FileId;
use read::{Wanted, wanted};

/// Why lines are cited: they define what the statement names.
const DEFINITION: &str = "definition";

/// A source in one of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionedNote {
    /// From 1, in order of first use.
    pub number: u32,
    /// The version that holds the lines.
    pub version: Version,
    /// The lines.
    pub source: Verified,
    /// What the lines were checked for.
    pub why: String,
}

/// An answer about two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedAnswer {
    /// Each has at least one footnote; empty if there is nothing to say.
    pub statements: Vec<Statement>,
    /// Every footnote that the statements refer to, by number.
    pub footnotes: Vec<VersionedNote>,
    /// Why there is no statement, as a sentence.
    pub nothing: Option<String>,
}

/// Two versions and what changed between them.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// The older version.
    pub old: &'a Index,
    /// The newer version.
    pub new: &'a Index,
    /// What changed from one to the other.
    pub changes: &'a Changes,
}

impl<'a> Compared<'a> {
    fn index(self, version: Version) -> &'a Index {
        match version {
            Version::Old => self.old,
            Version::New => self.new,
        }
    }

    /// Returns what a version is called in a sentence.
    pub fn name(self, version: Version) -> &'a str {
        let of = |version| NamedVersion::of(&self.index(version).repo.name).shown();
        match (of(Version::Old) == of(Version::New), version) {
            (false, version) => of(version),
            (true, Version::Old) => "the older version",
            (true, Version::New) => "the newer version",
        }
    }

    /// Returns the path of a definition's file.
    fn path(self, version: Version, definition: &Definition) -> &'a str {
        let file = self.index(version).repo.file(definition.source.file());
        file.map_or("", |file| &file.path)
    }
}

/// Answers a question about what changed. Returns `None` if it is not such a question, or if it
/// asks about versions other than these two.
pub fn changed(compared: Compared<'_>, question: &str) -> Option<ChangedAnswer> {
    let Wanted { what, of, versions } = wanted(question)?;
    let names = [Version::Old, Version::New].map(|version| compared.name(version));
    let is_known = |asked: &String| {
        let plain = |name: &str| name.trim_start_matches(['v', 'V']).to_lowercase();
        names.iter().any(|name| plain(name) == plain(asked))
    };
    if !versions.iter().all(is_known) {
        return None;
    }
    let mut teller = Teller {
        compared,
        answer: ChangedAnswer::default(),
    };
    match of {
        Some(name) => subject::tell(&mut teller, what, &name),
        None => lists::tell(&mut teller, what),
    }
    Some(teller.answer)
}

/// Collects statements and numbers their footnotes.
struct Teller<'a> {
    compared: Compared<'a>,
    answer: ChangedAnswer,
}

impl<'a> Teller<'a> {
    fn old_name(&self) -> &'a str {
        self.compared.name(Version::Old)
    }

    fn new_name(&self) -> &'a str {
        self.compared.name(Version::New)
    }

    /// States a sentence, unless no source supports it.
    fn say(&mut self, spans: Vec<Span>, sources: &[(Version, &Verified, &str)], items: Vec<Item>) {
        let mut footnotes = Vec::new();
        for (version, source, why) in sources {
            let number = self.number(*version, source, why);
            if !footnotes.contains(&number) {
                footnotes.push(number);
            }
        }
        if footnotes.is_empty() {
            return;
        }
        let mut spans = spans;
        spans.push(text("."));
        self.answer.statements.push(Statement {
            spans: tidy(spans),
            footnotes,
            items,
        });
    }

    fn number(&mut self, version: Version, source: &Verified, why: &str) -> u32 {
        let mut known = self.answer.footnotes.iter();
        let is_it = |note: &&VersionedNote| note.version == version && note.source == *source;
        if let Some(known) = known.find(is_it) {
            return known.number;
        }
        let number = self.answer.footnotes.len() as u32 + 1;
        self.answer.footnotes.push(VersionedNote {
            number,
            version,
            source: source.clone(),
            why: why.to_owned(),
        });
        number
    }

    /// Returns the first line of a file, which shows that the file exists.
    fn first_line(&self, version: Version, file: FileId) -> Option<Verified> {
        let repo = &self.compared.index(version).repo;
        let citation = Citation {
            path: repo.file(file)?.path.clone(),
            lines: LineRange::new(Line(1), Line(1)),
            quotes: Vec::new(),
        };
        verify(repo, &citation).ok()
    }

    fn nothing(&mut self, why: String) {
        self.answer.nothing = Some(why);
    }
}

/// Returns a definition's name as code.
fn named(definition: &Definition) -> Span {
    code(definition.qualified.clone())
}
