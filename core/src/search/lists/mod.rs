//! The ways to make the first list of candidates: by words, by meaning, or by both.
//!
//! To add one, add a file with a [`ListSpec`] and a row of [`ALL`].

mod bm25;
mod dense;
mod fused;
mod hybrid;
mod rrf;
mod table;
mod text;

use super::fusion::Ranked;
use super::params::{Param, Params};
use super::retrieve::terms;
use super::{Context, Hit, in_scope};
use crate::index::bm25::Bm25Params;

/// Describes one way.
struct ListSpec {
    /// Its name on the command line and in saved traces.
    name: &'static str,
    /// Where the candidates come from, as a sentence for people.
    about: &'static str,
    /// Whether it looks up words.
    uses_words: bool,
    /// Whether it compares vectors.
    uses_vectors: bool,
    /// Whether it searches descriptions of what chunks do.
    uses_texts: bool,
    /// Its parameters, which `evaluate` can change.
    params: &'static [&'static Param],
    /// Returns the candidates, best first.
    make: fn(&Context<'_>) -> Vec<Hit>,
}

static ALL: &[&ListSpec] = &[
    &bm25::LIST,
    &dense::LIST,
    &table::LIST,
    &hybrid::LIST,
    &rrf::LIST,
    &fused::LIST,
    &text::TEXT,
    &text::CODE_AND_TEXT,
];

/// How the first list of candidates is made: an index into the list of ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lists(usize);

impl Lists {
    /// Returns the one that the app uses.
    pub(super) fn fused() -> Self {
        Self::from_name(fused::LIST.name).unwrap_or(Self(0))
    }

    /// Returns the one that uses words alone.
    pub(super) fn bm25() -> Self {
        Self::from_name(bm25::LIST.name).unwrap_or(Self(0))
    }

    /// Returns all ways, the simplest first.
    pub fn all() -> impl Iterator<Item = Lists> {
        (0..ALL.len()).map(Lists)
    }

    /// Returns the way with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|lists| lists.name() == name)
    }

    /// Returns its name on the command line and in saved traces.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns where the candidates come from, as a sentence for people.
    pub fn about(self) -> &'static str {
        self.spec().about
    }

    /// Whether it looks up words.
    pub fn uses_words(self) -> bool {
        self.spec().uses_words
    }

    /// Whether it compares vectors.
    pub fn uses_vectors(self) -> bool {
        self.spec().uses_vectors
    }

    /// Whether it searches descriptions of what chunks do.
    pub(super) fn uses_texts(self) -> bool {
        self.spec().uses_texts
    }

    /// Returns its parameters.
    pub(super) fn params(self) -> impl Iterator<Item = &'static Param> {
        let uses_words = self.spec().uses_words;
        let words = [&K1, &B].into_iter().filter(move |_| uses_words);
        words.chain(self.spec().params.iter().copied())
    }

    /// Returns the candidates before any step, best first.
    pub(super) fn candidates(self, context: &Context<'_>) -> Vec<Hit> {
        (self.spec().make)(context)
    }

    fn spec(self) -> &'static ListSpec {
        // The index always comes from the list.
        ALL.get(self.0).copied().unwrap_or(&bm25::LIST)
    }
}

/// Returns the parameters that all ways share, then those of each.
pub(super) fn params() -> impl Iterator<Item = &'static Param> {
    let shared = [&CANDIDATES, &K1, &B, &PATH_WEIGHT, &NAMES_WEIGHT];
    let own = ALL.iter().flat_map(|spec| spec.params.iter().copied());
    shared.into_iter().chain(own)
}

/// Number of chunks taken from each list.
static CANDIDATES: Param = Param::new("candidates", 200.0);
/// BM25's k₁: how soon further occurrences of a word stop counting.
static K1: Param = Param::new("k1", 1.2).shown(
    "k₁",
    (0.0, 3.0),
    0.1,
    "How soon more occurrences of a word stop counting: at 0 one is as good as ten.",
);
/// BM25's b: how much the length of a chunk counts.
static B: Param = Param::new("b", 0.75).shown(
    "b",
    (0.0, 1.0),
    0.05,
    "How far the length of a chunk counts against it: at 0 not at all.",
);
/// Weight of a word in the path, relative to one in the text.
static PATH_WEIGHT: Param = Param::new("path_weight", 1.0);
/// Weight of a word in a definition's name, relative to one in the text.
static NAMES_WEIGHT: Param = Param::new("names_weight", 2.0);

/// Returns the parameters of the formula with the values that were set.
pub(super) fn bm25_params(params: &Params) -> Bm25Params {
    let mut own = Bm25Params {
        k1: params.get(&K1),
        ..Bm25Params::default()
    };
    let [body, path, names] = &mut own.fields;
    body.b = params.get(&B);
    path.weight = params.get(&PATH_WEIGHT);
    names.weight = params.get(&NAMES_WEIGHT);
    own
}

/// Returns how many candidates each list yields.
fn most(context: &Context<'_>) -> usize {
    context.params.get(&CANDIDATES) as usize
}

fn by_words(context: &Context<'_>, n: usize) -> Ranked {
    let terms = terms(context.index, context.question);
    let params = context.bm25_params();
    let list = |n| context.index.bm25.search_by(&params, &terms, n);
    in_scope(context.index, context.question, n, list)
}

fn by_meaning(context: &Context<'_>, n: usize) -> Ranked {
    let embedding = context.embedding;
    embedding.map_or_else(Vec::new, |query| {
        let list = |n| context.vectors.nearest(query, n);
        in_scope(context.index, context.question, n, list)
    })
}

fn by_table(context: &Context<'_>, n: usize) -> Ranked {
    let table = context.table.as_ref();
    table.map_or_else(Vec::new, |table| {
        in_scope(context.index, context.question, n, |n| table.nearest(n))
    })
}
