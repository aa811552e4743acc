//! How likely a ranked file belongs to the answer: a logistic model over features that apply to any
//! repository, so that the number of files in an answer follows from the question and not from a
//! fixed count or share (the confidence threshold that PathFinder asks for).

use std::collections::BTreeSet;
use std::ops::Range;

use super::FileHit;
use crate::index::Index;
use crate::lang::Role;
use crate::search::Question;
use crate::search::question::About;
use crate::search::retrieve::terms;
use crate::source::FileId;

/// Number of best files considered for an answer.
pub const CONSIDERED: usize = 10;

/// A file other than the best one belongs to the answer if that is more likely than not, which
/// makes the exact set most likely; a lower threshold finds more files and is exact less often.
pub const THRESHOLD: f32 = 0.5;

/// The features that the model knows of a file, in the order of [`Features`]. "Further" features
/// are 0 for the best file.
pub const NAMES: [&str; 16] = [
    "one",
    "best",
    "best: score",
    "best: lead",
    "best: names",
    "further: share of the best score",
    "further: rank",
    "further: drop before",
    "further: drop after",
    "further: linked",
    "further: names",
    "further: new words",
    "further: same folder",
    "words",
    "chunks",
    "not source",
];

/// The values of [`NAMES`] for one file.
pub type Features = [f32; NAMES.len()];

/// Fitted on the development sets with `evaluate --calibrate`, which prints this table.
const COEFFICIENTS: Features = [
    -3.690, // one
    1.123,  // best
    2.881,  // best: score
    1.793,  // best: lead
    0.747,  // best: names
    3.214,  // further: share of the best score
    -1.183, // further: rank
    -0.023, // further: drop before
    1.467,  // further: drop after
    0.829,  // further: linked
    0.789,  // further: names
    0.193,  // further: new words
    -0.040, // further: same folder
    -0.067, // words
    0.013,  // chunks
    0.806,  // not source
];

/// Returns the model's probability.
pub fn confidence(features: &Features) -> f32 {
    let sum: f32 = features.iter().zip(&COEFFICIENTS).map(|(x, c)| x * c).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Returns the features of the first [`CONSIDERED`] of `ranked`, which is best first.
pub fn features(index: &Index, question: &Question, ranked: &[FileHit]) -> Vec<Features> {
    let words = Words::new(index, question);
    let score = |at: usize| ranked.get(at).map_or(0.0, |file| file.score);
    let best = score(0).max(f32::MIN_POSITIVE);
    let mut better: BTreeSet<FileId> = BTreeSet::new();
    let mut said: BTreeSet<usize> = BTreeSet::new();
    let mut all = Vec::new();
    for (at, file) in ranked.iter().enumerate().take(CONSIDERED) {
        let held = words.of(index, file.file);
        let new: BTreeSet<usize> = held.difference(&said).copied().collect();
        let is_best = at == 0;
        let best_only = |value: f32| if is_best { value } else { 0.0 };
        let further = |value: f32| if is_best { 0.0 } else { value };
        let flag = |is: bool| f32::from(u8::from(is));
        let names = question.names().len().min(3) as f32 / 3.0;
        let drop = |from: usize| (score(from) - score(from + 1)) / best;
        all.push([
            1.0,
            best_only(1.0),
            best_only(best.ln_1p()),
            best_only(drop(0)),
            best_only(names),
            further(file.score / best),
            further((1.0 + at as f32).ln()),
            further(if is_best { 0.0 } else { drop(at - 1) }),
            further(drop(at)),
            further(flag(is_linked(index, file.file, &better))),
            further(names),
            further(words.share(&new)),
            further(flag(
                ranked
                    .first()
                    .is_some_and(|first| is_beside(index, first.file, file.file)),
            )),
            words.share(&held),
            (file.chunks.len() as f32).ln_1p(),
            flag(!is_wanted(index, question.about(), file.file)),
        ]);
        better.insert(file.file);
        said.extend(held);
    }
    all
}

/// Whether the file imports any of `others`, or one of them imports it.
fn is_linked(index: &Index, file: FileId, others: &BTreeSet<FileId>) -> bool {
    let neighbours = index.graph.neighbours(file, 1);
    neighbours.iter().any(|(other, _)| others.contains(other))
}

fn is_beside(index: &Index, a: FileId, b: FileId) -> bool {
    let folder = |file| {
        let path = index.repo.file(file).map(|file| file.path.as_str());
        path.map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder))
    };
    folder(a) == folder(b)
}

/// Whether the file's role is wanted, by default or by the question's wording.
fn is_wanted(index: &Index, about: About, file: FileId) -> bool {
    let role = index.repo.file(file).map(|file| Role::of(&file.path));
    match role {
        None | Some(Role::Source) => true,
        Some(Role::Test) => about.tests,
        Some(Role::Docs) => about.docs,
        Some(Role::Example) => about.examples,
        Some(Role::Manifest | Role::Config) => about.manifest,
    }
}

/// The question's words that occur in the repository, with their rarity.
struct Words {
    terms: Vec<(String, f32)>,
    total: f32,
}

impl Words {
    fn new(index: &Index, question: &Question) -> Self {
        let known = |term: &String| index.bm25.document_frequency(term) > 0;
        let terms = terms(index, question).into_iter().filter(known);
        let terms: Vec<(String, f32)> = terms
            .map(|term| {
                let idf = index.bm25.idf(&term);
                (term, idf)
            })
            .collect();
        Self {
            total: terms.iter().map(|(_, idf)| idf).sum(),
            terms,
        }
    }

    /// Returns the words that occur anywhere in the file.
    fn of(&self, index: &Index, file: FileId) -> BTreeSet<usize> {
        let at = |file: u32| index.first_chunks().get(file as usize).copied();
        let range = at(file.0).unwrap_or(0)..at(file.0.saturating_add(1)).unwrap_or(0);
        let held = |term: &str| holds(index, term, &range);
        let words = self.terms.iter().enumerate();
        words
            .filter(|(_, (term, _))| held(term))
            .map(|(at, _)| at)
            .collect()
    }

    /// Returns their share of the total rarity of all words.
    fn share(&self, words: &BTreeSet<usize>) -> f32 {
        let held = words.iter().filter_map(|&at| self.terms.get(at));
        held.map(|(_, idf)| idf).sum::<f32>() / self.total.max(f32::MIN_POSITIVE)
    }
}

fn holds(index: &Index, term: &str, chunks: &Range<u32>) -> bool {
    index.bm25.postings(term).is_some_and(|(with, _)| {
        let first = with.partition_point(|&chunk| chunk < chunks.start);
        with.get(first).is_some_and(|chunk| chunks.contains(chunk))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Vectors;
    use crate::index::tests::index;
    use crate::search::{Strategy, rank_files, search};

    fn small() -> Index {
        index(&[
            (
                "shop/cookies.py",
                "def merge_cookies(jar):\n    return jar\n",
            ),
            (
                "shop/sessions.py",
                "from shop.cookies import merge_cookies\n\ndef send(request):\n    return merge_cookies(request)\n",
            ),
            (
                "tests/test_shop.py",
                "def test_merge():\n    assert merge_cookies(1)\n",
            ),
        ])
    }

    fn ranked(index: &Index, text: &str) -> (Vec<String>, Vec<Features>, Vec<f32>) {
        let question = Question::new(text).unwrap();
        let vectors = Vectors::new(1, 0);
        let hits = search(index, &vectors, &question, None, &Strategy::default(), 50);
        let files = rank_files(index, &question, &hits);
        let path = |file: &FileHit| index.repo.file(file.file).unwrap().path.clone();
        (
            files.iter().map(path).collect(),
            features(index, &question, &files),
            files.iter().map(|file| file.confidence).collect(),
        )
    }

    fn value(features: &Features, name: &str) -> f32 {
        features[NAMES.iter().position(|known| *known == name).unwrap()]
    }

    #[test]
    fn features_distinguish_the_best_file_from_the_others() {
        let index = small();
        let (paths, features, _) = ranked(&index, "how does merge_cookies fill the jar");
        assert_eq!(paths[..2], ["shop/cookies.py", "shop/sessions.py"]);
        for (at, features) in features.iter().enumerate() {
            for (name, value) in NAMES.iter().zip(features) {
                let is_other = match at {
                    0 => name.starts_with("further"),
                    _ => name.starts_with("best"),
                };
                assert!(
                    value.is_finite() && !(is_other && *value != 0.0),
                    "{at} {name} {value}"
                );
            }
        }
        assert_eq!(value(&features[0], "best"), 1.0);
        assert_eq!(value(&features[1], "further: linked"), 1.0);
        assert_eq!(value(&features[1], "further: same folder"), 1.0);
        assert_eq!(value(&features[1], "further: new words"), 0.0);
        assert!(value(&features[0], "words") > value(&features[1], "words"));
    }

    #[test]
    fn a_test_counts_as_wanted_when_the_question_asks_for_tests() {
        let index = small();
        for (question, expected) in [("merge cookies", 1.0), ("which tests merge cookies", 0.0)] {
            let (paths, features, _) = ranked(&index, question);
            let at = paths
                .iter()
                .position(|path| path.starts_with("tests/"))
                .unwrap();
            assert_eq!(value(&features[at], "not source"), expected, "{question}");
        }
    }

    #[test]
    fn the_file_that_defines_what_is_asked_for_is_trusted_most() {
        let (_, _, confidences) = ranked(&small(), "what does merge_cookies do");
        assert!(
            confidences.iter().all(|c| (0.0..=1.0).contains(c)),
            "{confidences:?}"
        );
        assert!(
            confidences[1..].iter().all(|c| *c < confidences[0]),
            "{confidences:?}"
        );
    }
}
