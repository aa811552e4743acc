//! How to do something that a document has a section about: its heading has all that the question
//! names.

use std::collections::BTreeSet;

use super::Kind;
use super::sections::{Section, sections};
use super::teller::Teller;
use super::wording::Read;
use crate::index::tokens::{code_tokens, question_tokens};
use crate::search::stem::stem;
use crate::search::steps::is_changelog;

pub(super) const KIND: Kind = Kind {
    name: "documents",
    wordings: &[
        "how do|can|should|could|would|must|to i|we|you|one? ANY",
        "ASK? example|examples|sample|samples of|for|with|on|showing|how ANY",
        "use|using X with|in|on|under|behind Y",
    ],
    state,
};

/// Words that say that something is done, not what.
const DOING: [&str; 18] = [
    "use",
    "using",
    "used",
    "usage",
    "example",
    "examples",
    "sample",
    "samples",
    "make",
    "do",
    "want",
    "need",
    "way",
    "show",
    "showing",
    "together",
    "properly",
    "correctly",
];

/// Maximum number of sections that are stated.
const MOST: usize = 2;

fn state(teller: &mut Teller<'_, '_>, _: &Read) -> bool {
    let own: BTreeSet<String> = code_tokens(teller.own_name()).into_iter().collect();
    let words = question_tokens(teller.question.text());
    let named = |word: &&String| !own.contains(*word) && !DOING.contains(&word.as_str());
    let words: BTreeSet<String> = words.iter().filter(named).map(|word| stem(word)).collect();
    if words.is_empty() {
        return false;
    }
    let is_about = |section: &Section<'_>| {
        let heading = code_tokens(&section.symbol.name);
        let heading: BTreeSet<String> = heading.iter().map(|word| stem(word)).collect();
        words.is_subset(&heading) && !is_changelog(section.path)
    };
    let mut found = sections(teller.index);
    found.retain(is_about);
    // The heading that says little else comes first.
    found.sort_by_cached_key(|section| code_tokens(&section.symbol.name).len());
    let said = found.iter().map(|section| {
        let commands = teller.commands_of(section);
        teller.quote_section(section) || commands
    });
    said.take(MOST).filter(|said| *said).count() > 0
}
