//! The task of RepoBench-R (Liu et al. 2023): a line that uses an import is cut out of real code,
//! and the definition that it uses has to be found among all that the file imports.

mod cut;
mod measure;

pub use cut::cases;
pub use measure::{Marks, expected_by_chance, marks, rank};

use serde_json::{Value, json};

use crate::index::graph::SymbolId;
use crate::lang::Language;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// A case needs at least this many candidates.
pub const LEAST_CANDIDATES: usize = 5;

/// A case with at least this many candidates is hard.
pub const HARD_FROM: usize = 10;

/// Most lines of a candidate's code.
pub const MAX_LINES: u32 = 60;

/// Which line was cut out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// The first line after the imports that uses one of them.
    First,
    /// A later one, chosen at random.
    Random,
}

/// A definition that the file imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The definition.
    pub symbol: SymbolId,
    /// The path of its file.
    pub path: String,
    /// Its lines, at most [`MAX_LINES`].
    pub lines: LineRange,
    /// The name that the importing file uses for it.
    pub name: String,
    /// The text of its lines.
    pub code: String,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The file that the line was cut out of.
    pub file: FileId,
    /// Its path.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// The line that was cut out.
    pub line: Line,
    /// How it was chosen.
    pub mode: Mode,
    /// All lines above it.
    pub before: String,
    /// The line itself.
    pub masked: String,
    /// In random order.
    pub candidates: Vec<Candidate>,
    /// The index of the candidate that the line uses first.
    pub gold: usize,
}

impl Case {
    /// Whether RepoBench calls this number of candidates hard.
    pub fn is_hard(&self) -> bool {
        self.candidates.len() >= HARD_FROM
    }

    /// The last `n` non-blank lines before the cut.
    pub fn last_lines(&self, n: usize) -> String {
        let lines = self.before.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<&str> = lines.collect();
        let from = lines.len().saturating_sub(n);
        lines.get(from..).unwrap_or_default().join("\n")
    }

    /// The case as a JSON object, for a file of cases. It holds no code: that stays in the archive.
    pub fn to_json(&self, archive: &str) -> Value {
        let candidates = self.candidates.iter().map(|it| {
            json!({
                "path": it.path,
                "start": it.lines.start().0,
                "end": it.lines.end().0,
                "name": it.name,
            })
        });
        json!({
            "archive": archive,
            "file": self.path,
            "line": self.line.0,
            "language": self.language.name(),
            "mode": match self.mode {
                Mode::First => "first",
                Mode::Random => "random",
            },
            "difficulty": if self.is_hard() { "hard" } else { "easy" },
            "candidates": candidates.collect::<Vec<_>>(),
            "gold": self.gold,
        })
    }
}
