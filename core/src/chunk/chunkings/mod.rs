//! The named ways of cutting files.
//!
//! A new way is a file with a [`ChunkingSpec`], and a row of [`LIST`].

mod fixed_chars;
mod function;
mod sliding_window;

use std::fmt;

use super::Piece;
use super::measure::Measure;
use crate::lang::Parsed;

/// What a way is: one `static` in its own file, one row of [`LIST`].
struct ChunkingSpec {
    /// As the command line knows it.
    name: &'static str,
    /// Its windows, unless others are asked for.
    window: Window,
    /// The pieces of a file, sorted by first row; together they hold every row.
    cut: fn(&Measure, &Parsed, Window) -> Vec<Piece>,
}

/// How large windows are, in the unit of the way; one without windows has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    size: u32,
    /// What two neighbours share.
    overlap: u32,
}

/// The default first.
static LIST: &[&ChunkingSpec] = &[
    &function::FUNCTION,
    &sliding_window::SLIDING_WINDOW,
    &fixed_chars::FIXED_CHARS,
];

/// How files are cut: one of the list, with the size of its windows.
#[derive(Clone, Copy)]
pub struct Chunking {
    spec: &'static ChunkingSpec,
    window: Window,
}

impl Chunking {
    /// By symbol: what the app uses.
    pub const FUNCTION: Self = Self::new(&function::FUNCTION);

    const fn new(spec: &'static ChunkingSpec) -> Self {
        Self {
            spec,
            window: spec.window,
        }
    }

    /// The default first, each with its usual windows.
    pub fn all() -> impl Iterator<Item = Self> {
        LIST.iter().copied().map(Self::new)
    }

    /// Reads a [`Chunking::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|known| known.name() == name)
    }

    /// As the command line knows it.
    pub fn name(self) -> &'static str {
        self.spec.name
    }

    /// The same with windows of another size, of which neighbours share `overlap`; what has no
    /// windows stays as it is.
    #[must_use]
    pub fn sized(self, size: u32, overlap: u32) -> Self {
        Self {
            window: Window { size, overlap },
            ..self
        }
    }

    /// How large its windows are, and what two neighbours share of them; 0 where it has none.
    pub fn window(self) -> (u32, u32) {
        (self.window.size, self.window.overlap)
    }

    /// The pieces of a file.
    pub(super) fn cut(self, measure: &Measure, parsed: &Parsed) -> Vec<Piece> {
        (self.spec.cut)(measure, parsed, self.window)
    }
}

/// There is one of each name.
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
