//! Citations as a model wrote them.

use std::fmt;
use std::ops::Range;

use super::scan::{Atom, AtomKind, scan};
use crate::lines::LineRange;
use crate::markdown::growing::{Blocks, Kind};

/// A citation as a model wrote it, unchecked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The text of the answer at `at`.
    pub raw: String,
    /// Its bytes in the answer, brackets included; if one bracket has several, the bytes of this
    /// one.
    pub at: Range<usize>,
    /// The bytes of the whole bracket, with a link target after it; what a footnote replaces.
    pub bracket: Range<usize>,
    /// With `/` between folders and no leading `./` or `/`; otherwise as written.
    pub path: String,
    /// The lines that it names; `None` if there is a [`Claim::flaw`].
    pub lines: Option<LineRange>,
    /// Why it names no lines.
    pub flaw: Option<Flaw>,
}

/// What is wrong with a citation that names no lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is a path alone.
    NoLines,
    /// It names line 0; line numbers start at 1.
    LineZero,
    /// The first line comes after the last.
    Reversed {
        /// The line that stands first.
        first: u32,
        /// The line that stands last, which is smaller.
        last: u32,
    },
    /// What stands where the lines should.
    Unreadable(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLines => f.write_str("it names no lines"),
            Self::LineZero => f.write_str("there is no line 0"),
            Self::Reversed { first, last } => {
                write!(f, "its range ends before it starts, {first}-{last}")
            }
            Self::Unreadable(what) => write!(f, "“{what}” is not a range of lines"),
        }
    }
}

/// Returns the citations of a whole answer, in text order. Several in one bracket are several
/// claims. Code blocks have none; inline code that is exactly a citation is one.
pub fn find(text: &str) -> Vec<Claim> {
    let mut blocks = Blocks::default();
    let mut claims = Vec::new();
    while let Some(block) = blocks.next(text, true) {
        if block.kind != Kind::Code {
            let (atoms, _) = scan(text, block.at.clone(), true);
            claims.extend(claims_of(atoms));
        }
        blocks.pass(block.at.end);
    }
    claims
}

/// Returns the claims among atoms.
pub(super) fn claims_of(atoms: impl IntoIterator<Item = Atom>) -> impl Iterator<Item = Claim> {
    atoms.into_iter().flat_map(|atom| match atom.kind {
        AtomKind::Claims(claims) => claims,
        _ => Vec::new(),
    })
}
