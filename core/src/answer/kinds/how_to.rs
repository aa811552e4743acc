//! How to do something that a document has a section about: its heading has all that the question
//! names, or some of it and its text the rest.

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

/// Number of words from which on a section's text may have what its heading does not.
const FEWEST: usize = 2;

fn state(teller: &mut Teller<'_, '_>, _: &Read) -> bool {
    let own: BTreeSet<String> = code_tokens(teller.own_name()).into_iter().collect();
    let words = question_tokens(teller.question.text());
    let named = |word: &&String| !own.contains(*word) && !DOING.contains(&word.as_str());
    let words: Vec<String> = words.iter().filter(named).cloned().collect();
    let words = stems(&words);
    if words.is_empty() {
        return false;
    }
    let mut found = sections(teller.index);
    found.retain(|section| !is_changelog(section.path));
    of_heading(teller, &words, &found) || of_body(teller, &words, &found)
}

/// States sections whose headings have all words.
fn of_heading<'i>(
    teller: &mut Teller<'_, 'i>,
    words: &BTreeSet<String>,
    all: &[Section<'i>],
) -> bool {
    let mut found: Vec<(usize, &Section<'i>)> = all
        .iter()
        .map(|section| (code_tokens(&section.symbol.name), section))
        .filter(|(heading, _)| words.is_subset(&stems(heading)))
        .map(|(heading, section)| (heading.len(), section))
        .collect();
    // The heading that says little else comes first.
    found.sort_by_key(|(n_words, _)| *n_words);
    let said = found.iter().map(|(_, section)| {
        let commands = teller.commands_of(section);
        teller.quote_section(section) || commands
    });
    said.take(MOST).filter(|said| *said).count() > 0
}

/// States the section that has the words in its heading and its text together: those of the heading
/// count most. One word of many may be missing.
fn of_body<'i>(teller: &mut Teller<'_, 'i>, words: &BTreeSet<String>, all: &[Section<'i>]) -> bool {
    if words.len() < FEWEST {
        return false;
    }
    let missing = usize::from(words.len() > FEWEST + 1);
    let mut best: Option<(usize, usize, &Section<'i>)> = None;
    for section in all {
        let heading = stems(&code_tokens(&section.symbol.name));
        let in_heading = words.intersection(&heading).count();
        if in_heading == 0 || best.is_some_and(|(of_best, ..)| in_heading < of_best) {
            continue;
        }
        let text = stems(&code_tokens(section.body(teller.index).0));
        let is_there = |word: &&String| heading.contains(*word) || text.contains(*word);
        let n = words.iter().filter(is_there).count();
        let is_better = best.is_none_or(|(of_best, n_best, _)| (in_heading, n) > (of_best, n_best));
        if n + missing >= words.len() && is_better {
            best = Some((in_heading, n, section));
        }
    }
    let Some((_, _, section)) = best else {
        return false;
    };
    teller.is_guess = true;
    teller.quote_section_about(section, words) | teller.commands_of(section)
}

fn stems(words: &[String]) -> BTreeSet<String> {
    words.iter().map(|word| stem(word)).collect()
}
