//! Whether the repository holds anything about a question at all. The least bad hit is not an
//! answer.

use std::collections::{BTreeMap, BTreeSet};

use super::Fit;
use super::everyday::{GENERAL, is_everyday};
use crate::chunk::ChunkId;
use crate::index::Index;
use crate::index::tokens::{code_tokens, is_stop_word};
use crate::search::question::MAX_TERMS;
use crate::search::retrieve::terms;
use crate::search::stem::stem;
use crate::search::steps::is_changelog;
use crate::search::{Hit, Question};

/// The share of the question's words, weighted by rarity, that the first two statements must have
/// for the answer to be likely. Of 40 likely answers in the development sets, 4 of 9 wrong ones
/// have less, and 1 of 25 right ones.
const ENOUGH_SAID: f32 = 0.4;
/// Number of hits whose words are examined.
const LOOKED_AT: usize = 10;
/// With vectors, the cosine plus [`WORDS_BESIDE`] times the words' share must reach this. Measured
/// on 90 questions over three repositories: those about the repository have a best cosine of .43
/// and more, the others of .38 and less; see `benches/runs`.
const ENOUGH_TOGETHER: f32 = 0.5;
const WORDS_BESIDE: f32 = 0.3;
/// Without vectors: the share of the question's words, weighted by rarity, that one of the best
/// hits must contain.
const ENOUGH_WORDS: f32 = 0.42;
/// The same for a question that asks how something happens: it tells what happens in more words,
/// and the lines that are closest by meaning may share few of them.
const ENOUGH_TO_SAY_HOW: f32 = 0.2;
/// Maximum inverse document frequency that counts for a word which the repository uses.
const MOST_RARE: f32 = 4.0;

/// Maximum number of missing things that the sentence above an answer names.
const MAX_SUBJECTS: usize = 3;

/// The words of a question as stems, each with its rarity in the repository.
pub(super) struct Asked {
    /// stem → (inverse document frequency, the word as asked)
    stems: BTreeMap<String, (f32, String)>,
    /// The words that the repository does not use in any form that was looked up.
    absent: BTreeSet<String>,
    is_shortened: bool,
}

impl Asked {
    pub(crate) fn new(index: &Index, question: &Question) -> Self {
        let terms = terms(index, question);
        let all = || terms.iter().filter(|term| !term.contains('_')).cloned();
        let mut parts: BTreeSet<String> = all()
            .filter(|term| GENERAL.binary_search(&term.as_str()).is_err())
            .collect();
        if parts.is_empty() {
            parts = all().collect();
        }
        let mut stems: BTreeMap<String, (f32, String)> = BTreeMap::new();
        for term in parts {
            let idf = index.bm25.idf(&term);
            let known = stems.entry(stem(&term)).or_insert((idf, term));
            // Of several forms, the most common one decides how rare the word is.
            known.0 = known.0.min(idf);
        }
        let is_used = |word: &str| index.bm25.document_frequency(word) > 0;
        // `saving` counts as present if `save` is.
        let has_form = |root: &str| index.bm25.terms_from(root).any(|term| stem(term) == root);
        let mut absent: BTreeSet<String> = stems
            .iter()
            .filter(|(root, (_, word))| !is_used(word) && !is_used(root) && !has_form(root))
            .map(|(stem, _)| stem.clone())
            .collect();
        // A repository that lacks “nobody” lacks nothing that was asked for.
        let names_nothing = |stem: &String| absent.contains(stem) && is_everyday(stem);
        let everyday: Vec<String> = stems
            .keys()
            .filter(|it| names_nothing(it))
            .cloned()
            .collect();
        if everyday.len() < stems.len() {
            stems.retain(|stem, _| !everyday.contains(stem));
            absent.retain(|stem| !everyday.contains(stem));
        }
        let mut asked = Self {
            stems,
            absent,
            is_shortened: terms.len() >= MAX_TERMS,
        };
        asked.look_for_versions(index, question.text());
        asked
    }

    /// `HTTP/2` is a word of its own: the presence of `http` and `2` says nothing. So is
    /// `retry_if_group`.
    fn look_for_versions(&mut self, index: &Index, text: &str) {
        let words = text.split_whitespace().map(trimmed);
        for word in words.filter(|word| is_version(word) || is_identifier(word)) {
            let lower = word.to_lowercase();
            let mut files = index.repo.files.iter();
            if !files.any(|file| file.text.to_lowercase().contains(&lower)) {
                let idf = index.bm25.idf(&lower);
                self.stems.insert(lower.clone(), (idf, word.to_owned()));
                self.absent.insert(lower);
            }
        }
    }

    /// Returns what the question is about, in its own words, as far as the repository lacks one of
    /// them: “circuit breaker”.
    fn absent_subjects(&self, text: &str) -> Vec<String> {
        let is_absent = |word: &str| {
            let lower = word.to_lowercase();
            self.is_absent(&lower) || self.is_absent(&stem(&lower))
        };
        let is_content = |word: &str| {
            let lower = word.to_lowercase();
            !lower.is_empty()
                && !is_stop_word(&lower)
                && GENERAL.binary_search(&lower.as_str()).is_err()
        };
        let mut runs: Vec<Vec<&str>> = vec![Vec::new()];
        for piece in text.split_whitespace() {
            let word = trimmed(piece);
            let is_in = is_content(word);
            if let (true, Some(run)) = (is_in, runs.last_mut()) {
                run.push(word);
            }
            if !is_in || !piece.ends_with(word) {
                runs.push(Vec::new());
            }
        }
        let absent = runs
            .iter()
            .filter(|run| run.iter().any(|word| is_absent(word)));
        absent.map(|run| run.join(" ")).collect()
    }

    /// Returns the name in code that the question is about and the repository lacks, if it asks for
    /// nothing else.
    fn only_unknown(&self, text: &str) -> Option<String> {
        let mut unknown = None;
        for word in text.split_whitespace().map(trimmed) {
            let lower = word.to_lowercase();
            let is_asking = is_stop_word(&lower)
                || is_everyday(&lower)
                || GENERAL.binary_search(&lower.as_str()).is_ok();
            match is_identifier(word) && self.is_absent(&lower) {
                true if unknown.is_none() => unknown = Some(word.to_owned()),
                false if lower.is_empty() || is_asking => {}
                _ => return None,
            }
        }
        unknown
    }

    pub(crate) fn is_shortened(&self) -> bool {
        self.is_shortened
    }

    /// Returns the summed rarities of the question's words that `text` contains; 0 if it shares
    /// none.
    pub(crate) fn overlap(&self, text: &str) -> f32 {
        self.shared(text).map(|(_, idf)| idf).sum()
    }

    /// Returns the share of the question's words, weighted by rarity, that `text` contains: 0 to 1.
    pub(crate) fn share(&self, text: &str) -> f32 {
        let total: f32 = self.stems.values().map(|(idf, _)| idf).sum();
        self.overlap(text) / total.max(f32::MIN_POSITIVE)
    }

    /// Like [`Asked::share`], but a word that the repository uses counts at most [`MOST_RARE`]:
    /// that `become` is rare says less about the subject than that `shader` never occurs.
    fn coverage(&self, text: &str) -> f32 {
        let capped = |stem: &str, idf: f32| match self.is_absent(stem) {
            true => idf,
            false => idf.min(MOST_RARE),
        };
        let of = |(stem, idf): (&str, f32)| capped(stem, idf);
        let total: f32 = self
            .stems
            .iter()
            .map(|(stem, (idf, _))| capped(stem, *idf))
            .sum();
        self.shared(text).map(of).sum::<f32>() / total.max(f32::MIN_POSITIVE)
    }

    /// Whether a text, the beginning of an answer, has enough of the question's words.
    pub(crate) fn is_spoken_of(&self, text: &str) -> bool {
        self.coverage(text) >= ENOUGH_SAID
    }

    fn is_absent(&self, stem: &str) -> bool {
        self.absent.contains(stem)
    }

    fn shared(&self, text: &str) -> impl Iterator<Item = (&str, f32)> {
        let present: BTreeSet<String> = code_tokens(text).iter().map(|token| stem(token)).collect();
        self.stems
            .iter()
            .filter(move |(stem, _)| present.contains(*stem))
            .map(|(stem, &(idf, _))| (stem.as_str(), idf))
    }
}

/// Returns a word without the punctuation around it.
fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether a word is a version such as `HTTP/2` or `TLS/1.3`.
fn is_version(word: &str) -> bool {
    word.split_once('/').is_some_and(|(name, number)| {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        !name.is_empty() && !number.is_empty() && number.chars().all(is_number)
    })
}

/// Whether a word is written as a name in code that has several parts: `read_all`, `readAll`.
pub(super) fn is_identifier(word: &str) -> bool {
    let inner = word.get(1..).unwrap_or_default();
    let has_hump = inner.chars().any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    word.chars().all(|c| c.is_alphanumeric() || c == '_') && (inner.contains('_') || has_hump)
}

/// What the best hits share with the question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relevance {
    /// Share of the question's words, weighted by rarity, in the best of the hits: 0 to 1.
    pub words: f32,
    /// Best cosine among the hits, if any was compared by meaning.
    pub cosine: Option<f32>,
    /// Whether a hit defines something that the question names as code.
    pub is_named: bool,
}

impl Relevance {
    /// Whether the hits are about the question.
    pub(crate) fn is_enough(self) -> bool {
        if self.is_named {
            return true;
        }
        match self.cosine {
            Some(cosine) => cosine + WORDS_BESIDE * self.words >= ENOUGH_TOGETHER,
            None => self.words >= ENOUGH_WORDS,
        }
    }
}

/// Measures the best hits against the question.
pub fn relevance(index: &Index, question: &Question, hits: &[Hit]) -> Relevance {
    measure(index, question, &Asked::new(index, question), hits)
}

pub(super) fn measure(
    index: &Index,
    question: &Question,
    asked: &Asked,
    hits: &[Hit],
) -> Relevance {
    let history = question.about().history;
    let are_found_by_words = hits.iter().any(|hit| hit.raw("bm25").is_some());
    // Steps along the graph insert hits that contain no word of the question, and those that are
    // close by meaning may contain few.
    let mut by_words: Vec<&Hit> = hits
        .iter()
        .filter(|hit| !are_found_by_words || hit.raw("bm25").is_some())
        .collect();
    if index.table().is_some() {
        let score = |hit: &&Hit| hit.raw("bm25").unwrap_or_default();
        by_words.sort_by(|a, b| score(b).total_cmp(&score(a)));
    }
    let words = by_words
        .into_iter()
        .take(LOOKED_AT)
        // A changelog mentions nearly everything.
        .filter(|hit| history || !index.path_of(hit.chunk).is_some_and(is_changelog))
        .map(|hit| asked.coverage(&looked_at(index, hit.chunk)))
        .fold(0.0, f32::max);
    let cosine = hits
        .iter()
        .filter_map(|hit| hit.raw("dense"))
        .reduce(f32::max);
    let is_named = hits.iter().take(LOOKED_AT).any(|hit| {
        index
            .symbols_in(hit.chunk)
            .any(|symbol| question.names_symbol(symbol))
    });
    Relevance {
        words,
        cosine,
        is_named,
    }
}

fn looked_at(index: &Index, chunk: ChunkId) -> String {
    let path = index.path_of(chunk).unwrap_or_default();
    let body = index.text_of(chunk).unwrap_or_default();
    format!("{path}\n{}\n{body}", index.title(chunk))
}

/// Returns a sentence that says why there is no answer; `None` if the hits are about the question.
pub(super) fn nothing(
    index: &Index,
    question: &Question,
    asked: &Asked,
    hits: &[Hit],
    found: Relevance,
) -> Option<String> {
    let name = &index.repo.name;
    if let Some(unknown) = asked.only_unknown(question.text()) {
        return Some(format!(
            "“{unknown}” does not occur in {name}. Check the spelling, or describe what it does."
        ));
    }
    if hits.is_empty() {
        return Some(format!(
            "No line of {name} contains any word of the question. Name a function or a file, or \
             use another word for it."
        ));
    }
    // Once every line was compared by meaning, only a missing thing shows that nothing is there.
    let asks_how = index.table().is_some() && asks_how(question.text());
    let is_vague = index.table().is_some() && asked.absent.is_empty();
    if found.is_enough() || is_vague || asks_how && found.words >= ENOUGH_TO_SAY_HOW {
        return None;
    }
    let mut missing: Vec<&(f32, String)> = asked
        .stems
        .iter()
        .filter(|(stem, _)| asked.is_absent(stem))
        .map(|(_, word)| word)
        .collect();
    missing.truncate(4);
    let missing: Vec<String> = missing
        .iter()
        .map(|(_, word)| format!("“{word}”"))
        .collect();
    let next = "Name a function or a file, or use another word for it.";
    let subjects = asked.absent_subjects(question.text());
    let subject = subjects.first();
    let subject = subject.map_or("this".to_owned(), |subject| format!("“{subject}”"));
    Some(match missing.as_slice() {
        [] => format!(
            "{name} uses some of these words, but no part of it is about the question. {next}"
        ),
        [only] => format!(
            "{name} seems to contain nothing about {subject}: the word {only} does not occur in it. {next}"
        ),
        [more @ .., last] => format!(
            "{name} seems to contain nothing about {subject}: the words {} and {last} do not occur \
             in it. {next}",
            more.join(", ")
        ),
    })
}

/// Whether a question asks how, where or why something happens, not whether a thing is there.
fn asks_how(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        matches!(
            word,
            "how" | "where" | "why" | "when" | "what" | "which" | "who"
        )
    })
}

/// Returns the sentence above the closest hits if the repository lacks a word of the question.
pub(super) fn lacks(index: &Index, question: &Question, asked: &Asked) -> Option<String> {
    let subjects = asked.absent_subjects(question.text());
    let quoted = subjects
        .iter()
        .take(MAX_SUBJECTS)
        .map(|it| format!("“{it}”"));
    let quoted = quoted.collect::<Vec<_>>().join(" or ");
    let name = &index.repo.name;
    (!quoted.is_empty()).then(|| format!("{name} does not mention {quoted}."))
}

/// Words with which a question asks for a list or for yes or no: search finds some of a list, never
/// surely all.
const COMPLETE: [&str; 25] = [
    "which",
    "who",
    "whom",
    "list",
    "show",
    "give",
    "name",
    "enumerate",
    "find",
    "does",
    "do",
    "is",
    "are",
    "has",
    "have",
    "can",
    "could",
    "did",
    "was",
    "were",
    "will",
    "all",
    "every",
    "any",
    "how_many",
];

/// Returns how well the search results fit the question. They may not fit if the whole repository
/// lacks a word of it, if a complete answer was asked for, or unless the closest lines are clearly
/// closer than others (`stands_out`).
pub(super) fn fit(question: &Question, asked: &Asked, found: Relevance, stands_out: bool) -> Fit {
    let lower = question
        .text()
        .to_lowercase()
        .replace("how many", "how_many");
    let mut words = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty());
    // “what method runs” asks for one thing, “what does it run” for everything.
    let asks_for_all = match (words.next(), words.next()) {
        (Some("what"), Some(next)) => !is_stop_word(next),
        (first, _) => first.is_some_and(|word| COMPLETE.contains(&word)),
    };
    match (asked.absent.is_empty() || found.is_named) && !asks_for_all && stands_out {
        true => Fit::Likely,
        false => Fit::Closest,
    }
}

/// Returns the sentence for hits that cannot be put into a verified statement.
pub(super) fn unsayable(index: &Index, hits: &[Hit]) -> String {
    let place = hits
        .first()
        .and_then(|hit| index.path_of(hit.chunk))
        .unwrap_or_default();
    format!(
        "The closest lines are in {place}, but no statement about them could be checked. Look at the evidence instead."
    )
}
