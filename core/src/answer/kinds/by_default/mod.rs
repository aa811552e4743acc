//! Defaults that a question describes instead of naming them: “how wide is the column by default”,
//! “is the cache on by default”.
//!
//! What is stated must account for the words of the question: with its name, with the name of what
//! it belongs to, with its path or with its documentation.

mod code;
mod documents;
mod tables;
mod wanted;

use wanted::Wanted;

use super::Kind;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, Source, text};

pub(super) const KIND: Kind = Kind {
    name: "by default",
    wordings: &[
        "ANY by_default ANY",
        "ANY default|defaults|default_value ANY",
        "ANY if|when|unless i|we|you|one|nobody|user|users do? not? set|configure|pass|give|specify|provide|choose|define ANY",
        "ANY if|when|unless the? caller|client|user|code does not set|configure|pass|give|specify|provide|choose|define ANY",
        "ANY if|when no|none|nothing ANY set|given|configured|passed|specified|provided|supplied ANY",
        "ANY if|when|unless ANY not set|given|configured|passed|specified|provided|supplied ANY",
    ],
    state,
};

/// Maximum number of defaults that fit a question equally well.
const MOST: usize = 3;

/// A default that can answer the question.
struct Claim {
    /// How well it fits; the smallest fits best.
    fit: Fit,
    /// The value as written; empty if only a sentence says it.
    value: String,
    /// The sentence that states it.
    spans: Vec<Span>,
    sources: Vec<Source>,
    /// The elements, if the value is a list.
    entries: Vec<Entry>,
}

impl Claim {
    fn new(fit: Fit, value: String, spans: Vec<Span>, sources: Vec<Source>) -> Self {
        Self {
            fit,
            value,
            spans,
            sources,
            entries: Vec::new(),
        }
    }
}

/// The rank of parameters and of rows in a body.
const OF_PARAMETER: u8 = 1;

/// How well a name fits the question: by how much of the question is not in the name, then by how
/// much of it nothing explains, then by how much of the name is not in the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    unnamed: usize,
    missing: usize,
    surplus: usize,
    /// Whether the name lacks the word that the question calls the default.
    lacks_head: bool,
    /// Code that sets a value comes before documents.
    rank: u8,
    /// The words that the name itself lacks, even if its owner has them.
    beside: usize,
}

fn state(teller: &mut Teller<'_, '_>, _: &Read) -> bool {
    let Some(wanted) = Wanted::read(teller.question.text()) else {
        return false;
    };
    let mut claims = code::claims(teller, &wanted);
    claims.extend(documents::claims(teller, &wanted));
    claims.sort_by_key(|claim| claim.fit);
    let Some(best) = claims.first().map(|claim| claim.fit) else {
        return false;
    };
    claims.retain(|claim| claim.fit == best);
    if claims.iter().any(|claim| is_plain(&claim.value)) {
        claims.retain(|claim| is_plain(&claim.value));
    }
    // A parameter can be one of a function that nobody means.
    let is_sure = best.beside == 0
        && best.surplus == 0
        && best.rank != OF_PARAMETER
        && claims.len() == 1
        && claims.iter().all(|claim| is_plain(&claim.value));
    // A yes or a no leaves nothing unexplained.
    if claims.len() > MOST || wanted.is_yes_or_no && best.missing > 0 {
        return false;
    }
    // Another setting of the same name may be the one that counts.
    teller.is_guess = !is_sure || wanted.is_yes_or_no;
    if wanted.is_yes_or_no {
        let first = claims.first().and_then(|claim| wanted.answer(&claim.value));
        // “Is logging on by default?” “`logging` has the default `"errors"`.”
        if first.is_none() && best.unnamed == 0 {
            return say(teller, claims, "");
        }
        let agree = |claim: &Claim| wanted.answer(&claim.value) == first;
        return match first.filter(|_| claims.iter().all(agree)) {
            Some(yes) => say(teller, claims, yes),
            None => false,
        };
    }
    say(teller, claims, "")
}

/// Whether a value is neither a table nor a type, which say little about a default.
fn is_plain(value: &str) -> bool {
    !value.contains(['{', '\n'])
}

fn say(teller: &mut Teller<'_, '_>, claims: Vec<Claim>, mut answer: &'static str) -> bool {
    let mut n = 0;
    for claim in claims {
        let mut spans = vec![text(answer)];
        spans.extend(claim.spans);
        n += usize::from(match claim.entries.is_empty() {
            true => teller.say(spans, &claim.sources),
            false => teller.list(spans, claim.entries),
        });
        if n > 0 {
            answer = "";
        }
    }
    n > 0
}
