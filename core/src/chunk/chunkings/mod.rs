//! The named ways of cutting files into chunks.
//!
//! To add one, write a file with a [`ChunkingSpec`] and add a row to [`LIST`].

mod fixed_chars;
mod function;
mod sliding_window;

use std::fmt;

use super::Piece;
use super::measure::Measure;
use crate::lang::Parsed;

/// One way of cutting: a `static` in its own file, and a row of [`LIST`].
struct ChunkingSpec {
    /// Its name on the command line.
    name: &'static str,
    /// Its default window size.
    window: Window,
    /// Cuts a file into pieces, sorted by first row; together they cover every row.
    cut: fn(&Measure, &Parsed, Window) -> Vec<Piece>,
}

/// The size of windows, in the chunking's own unit; 0 for a chunking without windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    size: u32,
    /// How much two neighbouring windows share.
    overlap: u32,
}

/// The default comes first.
static LIST: &[&ChunkingSpec] = &[
    &function::FUNCTION,
    &sliding_window::SLIDING_WINDOW,
    &fixed_chars::FIXED_CHARS,
];

/// How files are cut: one entry of the list, with its window size.
#[derive(Clone, Copy)]
pub struct Chunking {
    spec: &'static ChunkingSpec,
    window: Window,
}

impl Chunking {
    /// By symbol; the app uses this.
    pub const FUNCTION: Self = Self::new(&function::FUNCTION);

    const fn new(spec: &'static ChunkingSpec) -> Self {
        Self {
            spec,
            window: spec.window,
        }
    }

    /// All chunkings with their default windows; the default chunking comes first.
    pub fn all() -> impl Iterator<Item = Self> {
        LIST.iter().copied().map(Self::new)
    }

    /// Reads a [`Chunking::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|known| known.name() == name)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.spec.name
    }

    /// The same chunking with windows of another size, of which neighbours share `overlap`;
    /// unchanged if it has no windows.
    #[must_use]
    pub fn sized(self, size: u32, overlap: u32) -> Self {
        Self {
            window: Window { size, overlap },
            ..self
        }
    }

    /// The size of its windows and what neighbours share; 0 if it has none.
    pub fn window(self) -> (u32, u32) {
        (self.window.size, self.window.overlap)
    }

    /// The pieces of a file.
    pub(super) fn cut(self, measure: &Measure, parsed: &Parsed) -> Vec<Piece> {
        (self.spec.cut)(measure, parsed, self.window)
    }
}

/// Names are unique.
impl PartialEq for Chunking {
    fn eq(&self, other: &Self) -> bool {
        (self.spec.name, self.window) == (other.spec.name, other.window)
    }
}

impl Eq for Chunking {}

impl fmt::Debug for Chunking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Window { size, overlap } = self.window;
        write!(f, "{} {size}/{overlap}", self.spec.name)
    }
}
