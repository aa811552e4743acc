//! Compares statements that name nothing with lines by their words, weighted by rarity.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::index::Index;
use crate::index::tokens::{code_tokens, question_tokens};
use crate::lines::{Line, LineIndex, LineRange};
use crate::search::stem::stem;
use crate::source::FileId;

/// Share of a statement's words that lines must hold to be the right ones.
const HOLDS_MOST: f32 = 0.6;
/// Number of lines that are compared at a time.
const WINDOW: usize = 6;
/// Minimum number of words: fewer say nothing.
const FEWEST_WORDS: usize = 3;

/// The words of a statement as stems, each with its rarity (inverse document frequency).
pub(crate) struct Words {
    weights: BTreeMap<String, f32>,
}

impl Words {
    pub(crate) fn new(index: &Index, statement: &str) -> Self {
        let mut weights: BTreeMap<String, f32> = BTreeMap::new();
        for token in question_tokens(statement) {
            if token.chars().count() < 2 || token.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let idf = index.bm25.idf(&token);
            let known = weights.entry(stem(&token)).or_insert(idf);
            // Of several forms, the most common one decides how rare the word is.
            *known = known.min(idf);
        }
        Self { weights }
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn total(&self) -> f32 {
        self.weights.values().sum()
    }

    /// Returns those of the words that occur in `line`, with their weights.
    pub(crate) fn of_line<'w>(
        &'w self,
        line: &str,
        stems: &mut HashMap<String, String>,
    ) -> Vec<&'w str> {
        let mut found = Vec::new();
        for token in code_tokens(line) {
            let stem = stems.entry(token).or_insert_with_key(|token| stem(token));
            if let Some((known, _)) = self.weights.get_key_value(stem.as_str()) {
                found.push(known.as_str());
            }
        }
        found
    }

    /// The stems with their weights.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, f32)> {
        self.weights
            .iter()
            .map(|(stem, &weight)| (stem.as_str(), weight))
    }

    pub(crate) fn weight(&self, stem: &str) -> f32 {
        self.weights.get(stem).copied().unwrap_or_default()
    }
}

/// A few lines, by position, that hold a share of a statement's words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Match {
    pub first: usize,
    pub last: usize,
    /// Weighted by rarity, 0 to 1.
    pub share: f32,
    /// Number of different words.
    pub count: usize,
}

/// Returns the at most `window` lines that hold the largest share of all words; among equals the
/// fewest and first. Each line is given as the words that it holds.
pub(crate) fn best<K: Copy + Ord>(
    lines: &[Vec<K>],
    window: usize,
    total: f32,
    weight: impl Fn(K) -> f32,
) -> Option<Match> {
    let mut best: Option<Match> = None;
    for (first, words) in lines.iter().enumerate() {
        if words.is_empty() {
            continue;
        }
        let mut seen: BTreeSet<K> = BTreeSet::new();
        let mut sum = 0.0;
        for (last, words) in lines.iter().enumerate().skip(first).take(window) {
            sum += words
                .iter()
                .filter(|word| seen.insert(**word))
                .map(|word| weight(*word))
                .sum::<f32>();
            let share = sum / total.max(f32::MIN_POSITIVE);
            let is_better = best.is_none_or(|known| {
                share > known.share + 1e-6
                    || share > known.share - 1e-6 && last - first < known.last - known.first
            });
            if is_better {
                best = Some(Match {
                    first,
                    last,
                    share,
                    count: seen.len(),
                });
            }
        }
    }
    best
}

/// Returns other lines of the file that hold most words of a statement if the cited `lines` hold
/// none.
pub(super) fn stands_elsewhere(
    index: &Index,
    file: FileId,
    lines: LineRange,
    statement: &str,
) -> Option<LineRange> {
    let statement = without_claims(statement);
    let words = Words::new(index, &statement);
    if words.len() < FEWEST_WORDS {
        return None;
    }
    let (source, parsed) = index.file(file)?;
    let numbered = LineIndex::new(&source.text);
    let mut stems = HashMap::new();
    let cited = numbered.slice(&source.text, lines)?;
    let names =
        super::held::enclosing(&parsed.symbols, lines).map(|symbol| symbol.qualified.as_str());
    let around: Vec<&str> = names.chain([cited]).collect();
    if around
        .iter()
        .any(|text| !words.of_line(text, &mut stems).is_empty())
    {
        return None;
    }
    let all: Vec<Vec<&str>> = source
        .text
        .lines()
        .map(|line| words.of_line(line, &mut stems))
        .collect();
    let found = best(&all, WINDOW, words.total(), |word| words.weight(word))?;
    let range = LineRange::new(Line(found.first as u32 + 1), Line(found.last as u32 + 1));
    (found.share >= HOLDS_MOST && found.count >= FEWEST_WORDS).then_some(range)
}

/// Returns the statement without its citations.
pub(crate) fn without_claims(statement: &str) -> String {
    let mut text = statement.to_owned();
    for claim in super::find(statement).iter().rev() {
        if text.get(claim.bracket.clone()).is_some() && claim.bracket.end <= text.len() {
            text.replace_range(claim.bracket.clone(), " ");
        }
    }
    text
}
