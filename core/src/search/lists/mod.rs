//! The ways to make the first list of candidates: by words, by meaning, or by both.
//!
//! A new way is a file with a [`ListSpec`], and a row of [`ALL`].

mod bm25;
mod dense;
mod fused;
mod hybrid;
mod rrf;

use super::fusion::Ranked;
use super::params::Param;
use super::retrieve::terms;
use super::{Context, Hit, in_scope};

/// What a way is.
struct ListSpec {
    /// As the command line and saved traces know it.
    name: &'static str,
    /// Where the candidates come from, in a sentence for people.
    about: &'static str,
    /// Whether it compares vectors.
    uses_vectors: bool,
    /// The candidates, best first.
    make: fn(&Context<'_>) -> Vec<Hit>,
}

static ALL: &[&ListSpec] = &[
    &bm25::LIST,
    &dense::LIST,
    &hybrid::LIST,
    &rrf::LIST,
    &fused::LIST,
];

/// How the first list of candidates is made: a place in the list of ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lists(usize);

impl Lists {
    /// What the app uses.
    pub(super) fn fused() -> Self {
        Self::from_name(fused::LIST.name).unwrap_or(Self(0))
    }

    /// From the plainest on.
    pub fn all() -> impl Iterator<Item = Lists> {
        (0..ALL.len()).map(Lists)
    }

    /// The way of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|lists| lists.name() == name)
    }

    /// As the command line and saved traces know it.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Where the candidates come from, in a sentence for people.
    pub fn about(self) -> &'static str {
        self.spec().about
    }

    /// Whether it compares vectors.
    pub fn uses_vectors(self) -> bool {
        self.spec().uses_vectors
    }

    /// The candidates before any step, best first.
    pub(super) fn candidates(self, context: &Context<'_>) -> Vec<Hit> {
        (self.spec().make)(context)
    }

    fn spec(self) -> &'static ListSpec {
        // It is only made from a place in the list.
        ALL.get(self.0).copied().unwrap_or(&bm25::LIST)
    }
}

/// The numbers that the lists work with, which `evaluate` can change.
pub(super) static PARAMS: &[&Param] = &[&CANDIDATES];

/// Chunks taken from each list.
static CANDIDATES: Param = Param::new("candidates", 200.0);

/// How many candidates each list gives.
fn most(context: &Context<'_>) -> usize {
    context.params.get(&CANDIDATES) as usize
}

fn by_words(context: &Context<'_>, n: usize) -> Ranked {
    let terms = terms(context.index, context.question);
    let list = |n| context.index.bm25.search(&terms, n);
    in_scope(context.index, context.question, n, list)
}

fn by_meaning(context: &Context<'_>, n: usize) -> Ranked {
    let embedding = context.embedding;
    embedding.map_or_else(Vec::new, |query| {
        let list = |n| context.vectors.nearest(query, n);
        in_scope(context.index, context.question, n, list)
    })
}
